// SPDX-License-Identifier: MIT
#include "vision/track/events.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/colour.h"
#include "vision/track/arrivals.h"
#include "vision/track/contacts.h"
#include "vision/track/departures.h"
#include "vision/track/jump_cut.h"

void events_begin(struct reconstruction *s, const struct track_tuning *tuning)
{
    *s = (struct reconstruction){
        .tuning = tuning, .motions.tuning = tuning, .broken_s = -INFINITY, .last_given_out_s = -INFINITY
    };
}

void events_finish(struct reconstruction *s)
{
    motions_finish(&s->motions);
    event_list_free(&s->ready);
}

// Stillness begins when the last piece has come to rest: it is reported no earlier than that.
void events_add(struct reconstruction *s, const struct observation *o)
{
    struct event e = { .observation = *o };
    for (int i = 0; i < s->ready.count && o->kind == OBS_STILL; i++)
        if (observation_of_piece(s->ready.item[i].observation.kind))
            e.observation.t_s = fmax(e.observation.t_s, s->ready.item[i].observation.t_s);
    event_list_add(&s->ready, &e);
}

int events_give_out(struct event_list *out, struct reconstruction *s, struct fail *why)
{
    struct event_list ready = s->ready;
    if (ready.no_memory)
        return rs_fail(why, RS_ENOMEM, "no memory for more than %d events at once", ready.count);
    for (int i = 1; i < ready.count; i++) {
        struct event e = ready.item[i];
        int k = i;
        for (; k > 0 && ready.item[k - 1].observation.t_s > e.observation.t_s; k--)
            ready.item[k] = ready.item[k - 1];
        ready.item[k] = e;
    }
    for (int i = 0; i < ready.count; i++) {
        s->last_given_out_s = fmax(s->last_given_out_s, ready.item[i].observation.t_s);
        ready.item[i].observation.t_s = s->last_given_out_s;
    }
    s->ready = *out;
    s->ready.count = 0;
    *out = ready;
    return 0;
}

static void add_of(struct reconstruction *s, const struct track *k, struct observation o)
{
    event_list_add(&s->ready, &(struct event){ .observation = o, .piece = k->piece });
}

static void lies_there(struct track *k)
{
    k->absent_since_s = k->loose_since_s = INFINITY;
    k->hidden_until_s = -INFINITY;
    k->hand_near = k->hand_before = false;
}

// Notes since when a piece is missed where it lay. Its edge is missed first; that is when it began to move, if soon
// after none of it was there.
static void watch_piece(struct track *k, double share, double t_s, double before_s, const struct track_tuning *tuning)
{
    if (share >= tuning->whole_share) {
        k->loose_since_s = INFINITY;
    } else if (isinf(k->loose_since_s)) {
        k->loose_since_s = t_s;
        k->there_until_s = before_s;
    }
    if (share >= tuning->absent_share || !isinf(k->absent_since_s))
        return;
    bool at_once = t_s - k->loose_since_s < tuning->slowest_leaves_s;
    k->absent_since_s = at_once ? k->loose_since_s : t_s;
    k->there_until_s = at_once ? k->there_until_s : before_s;
}

// Did it run from its place since it is missed there? Then what looks like it there is it again, on its way back, and no
// hand or shadow has gone. Only if nothing of its paint ran shortly before; and what runs elsewhere, while a hand hides
// it, is another one of its paint.
static bool ran_from_there(const struct motions *m, const struct track *k)
{
    for (int i = 0; i < m->count; i++) {
        double after_s = m->item[i].t_s - k->absent_since_s;
        if (after_s > -m->tuning->lost_after_s &&
            motion_likeness(&m->item[i], k->piece.lab, m->tuning) >= m->tuning->alike_share)
            return after_s >= 0 && trajectory_leaves(m, k);
    }
    return false;
}

int events_watch(struct reconstruction *s, const struct change_patches *p, struct fail *why)
{
    const struct change_detector *d = p->changes;
    const struct track_tuning *t = s->tuning;
    for (int i = 0; i < s->count; i++) {
        struct track *k = &s->track[i];
        double share = track_share(k, d);
        bool was_there = isinf(k->absent_since_s);
        watch_piece(k, share, d->t_s, s->before_s, t);
        if (share >= t->absent_share && !was_there && !ran_from_there(&s->motions, k))
            lies_there(k);
        else if (was_there && !isinf(k->absent_since_s)) {
            k->hand_near = association_hand_near(p, &k->piece);
            k->hand_before = association_hand_since(p, &k->piece, s->before_s);
        }
        if (share < t->absent_share && change_hand_near(p, k->piece.px, change_piece_radius_px(d, k->piece.at)))
            k->hidden_until_s = d->t_s;
        k->hand_came = share < t->whole_share && (k->hand_came || k->hand_near || association_hand_near(p, &k->piece));
    }
    struct motions *m = &s->motions;
    int n = m->count, from = n, rc = motions_add_frame(m, p, why);
    for (int i = from; i < m->count; i++) { // the place that a piece has left differs too, but nothing runs there
        bool left = false;
        for (int k = 0; k < s->count && !left; k++) {
            const struct detection *piece = &s->track[k].piece;
            left = distance_in(m->item[i].at, piece->at) < piece->radius_in;
        }
        if (!left)
            m->item[n++] = m->item[i];
    }
    m->count = n;
    s->before_s = d->t_s;
    return rc;
}

void events_new_view(struct reconstruction *s, const struct change_detector *d, double knocked_s)
{
    while (s->motions.count > 0 && s->motions.item[s->motions.count - 1].t_s >= knocked_s)
        s->motions.count--;
    for (int i = 0; i < s->count; i++) {
        struct track *k = &s->track[i];
        bool shows = track_shows(k, d, d->now), covered = !shows && track_shows(k, d, d->reference);
        track_project(k, d->pose);
        if (shows)
            lies_there(k);
        if (shows || covered)
            track_take_template(k, d, shows ? d->now : d->reference);
    }
    s->before_s = d->t_s;
}

void events_cut(struct reconstruction *s)
{
    s->motions.count = 0;
    s->shot_open = false;
    s->broken_s = -INFINITY;
}

double events_missed(const struct reconstruction *s, const struct change_detector *d)
{
    int missed = 0;
    for (int i = 0; i < s->count; i++)
        missed += track_share(&s->track[i], d) < s->tuning->absent_share;
    return s->count > 0 ? (double)missed / s->count : 0;
}

bool events_any_departed(const struct reconstruction *s, const struct board *b)
{
    for (int i = 0; i < s->count; i++)
        if (!isinf(s->track[i].absent_since_s))
            return true;
    return tracklet_next(&s->motions, NULL, b->piece_radius_in) != NULL;
}

// A piece that leaves moves between the last frame in which it surely lay there and the first in which it is missed.
// Reported is the latter, for what the exposure smears already moves.
static void add_move(struct reconstruction *s, const struct track *k, const struct departure *why)
{
    add_of(s, k, (struct observation){ OBS_MOVE, why->t_s, k->id, .move = { why->by, k->piece.at } });
    s->shot_open |= why->by == MOVED_BY_SHOT;
}

static void add_gone(struct reconstruction *s, const struct track *k, double t_s, enum piece_place where)
{
    add_of(s, k, (struct observation){ OBS_GONE, t_s, k->id, .gone = { where } });
}

static void add_left(struct reconstruction *s, const struct track *k, const struct departure *why,
                     const struct moment *m)
{
    if (m->cut) {
        add_gone(s, k, m->t_s, IN_CUT);
        return;
    }
    if (why->by == MOVED_BY_HAND) {
        add_gone(s, k, why->t_s, BY_HAND);
        return;
    }
    add_move(s, k, why);
    add_gone(s, k, fmax(m->t_s, why->t_s), association_left_for(&s->motions, k, why->t_s, &m->pose->board));
}

// Was it a known piece that ran? Two pieces cannot lie in one place. So it is the track of that colour that covers the
// start of the run, or from which the run leads, and that the finder no longer sees, though fingers that held it may
// look like it or hide its place. False when there is none.
static bool known_ran(struct reconstruction *s, struct association *a, const struct motion *run, const struct moment *m)
{
    struct tracklet clear; // at its start it overlaps its own old place and looks like nothing
    tracklet_follow(&clear, &s->motions, run, m->pose->board.piece_radius_in, INFINITY);
    for (int k = 0; k < s->count; k++) {
        struct track *p = &s->track[k];
        bool covers = distance_in(p->piece.at, run->at) < 2 * p->piece.radius_in;
        bool leaves = !isinf(p->absent_since_s) && trajectory_leaves(&s->motions, p);
        if (departures_include(a, k) || a->seen[k] || !(covers || leaves) ||
            motion_likeness(clear.clearest, p->piece.lab, s->tuning) <= s->tuning->alike_share)
            continue;
        if (covers) { // more reliable than a measurement between fingers
            p->piece.at = run->at;
            p->piece.px = run->px;
        }
        colour_bgr_to_lab(p->piece.lab, clear.clearest->bgr);
        int to = arrival_of_run(a, m, run, clear.clearest);
        if (to < 0)
            to = association_find_patch(a, &p->piece, m);
        a->departure[k] =
            covers ? departures_of_run(s, a, run) : (struct departure){ MOVED_BY_SHOT, p->absent_since_s };
        if (covers)
            p->there_until_s = p->absent_since_s = a->departure[k].t_s;
        a->fate[k] = to >= 0 ? FATE_MOVED : FATE_LEFT;
        a->to[k] = to;
        if (to >= 0)
            a->taken[to] = true;
        return true;
    }
    return false;
}

// The track that a hand took up and shot from elsewhere before all was still: the run ends where it lies now. -1: there
// is none.
static int taken_up_ran(struct reconstruction *s, struct association *a, const struct motion *run)
{
    for (int k = 0; k < s->count; k++) {
        struct track *p = &s->track[k];
        if (!departures_by_hand(a, k) || a->departure[k].t_s >= run->t_s ||
            !arrival_ends_run(&a->new_place[a->to[k]], &s->motions, run))
            continue;
        add_move(s, p, &a->departure[k]);
        p->piece.at = run->at;
        p->piece.px = run->px;
        a->departure[k] = departures_of_run(s, a, run);
        p->there_until_s = p->absent_since_s = a->departure[k].t_s;
        return k;
    }
    return -1;
}

// Takes the template of a piece where it was just measured.
static void takes_place(struct track *k, const struct moment *m)
{
    k->stood_out = detection_stands_out(&k->piece, m->empty, m->pose);
    track_take_template(k, m->changes, m->changes->now);
}

// What ran, and where it lies now: *to, -1 when nowhere. False when it was no piece: the run is too short and ends at
// none.
static bool who_ran(struct track *out, int *to, const struct reconstruction *s, struct association *a,
                    const struct motion *first, const struct moment *m)
{
    const struct board *b = &m->pose->board;
    struct tracklet run;
    tracklet_follow(&run, &s->motions, first, b->piece_radius_in, departures_struck_s(a));
    *to = arrival_of_run(a, m, first, run.clearest);
    if (*to < 0) {
        if (!departures_piece_ran(first, &run, b, s->tuning))
            return false;
        // It was never found at rest: all that is known is how it looked while it ran. That suffices to recognise it,
        // but an unknown paint blurred with the board gives no colour name.
        struct detection *p = &out->piece;
        double reference[3];
        *p = (struct detection){ .kind = b->piece,
                                 .radius_in = b->piece_radius_in,
                                 // any legal one
                                 .radius_sigma_in = (b->taw_radius_max_in - b->taw_radius_min_in) / sqrt(12),
                                 .certainty = b->piece == PIECE_MARBLE ? 0.5 : 1 };
        colour_bgr_to_lab(p->lab, run.clearest->bgr);
        double paint[3];
        motion_paint(paint, run.clearest);
        snprintf(p->colour, sizeof p->colour, "%s", COLOUR_UNKNOWN);
        colour_bgr_to_lab(reference, run.clearest->reference);
        side_colours_name_mixed(&s->colours, p, reference, fmax(run.clearest->pieces, 1), s->tuning->same_paint_lab);
        memcpy(p->lab, paint, sizeof p->lab);
        *to = arrival_alike(a, p, s->tuning);
        if (*to < 0)
            *to = association_find_patch(a, p, m);
        if (*to < 0 && departures_taw_was_shot(s, a))
            return false;
        if (*to >= 0 && strcmp(p->colour, COLOUR_UNKNOWN) == 0 && !m->pose->clarity.colourless) {
            struct detection *lies = &a->new_place[*to]; // its patch is all paint
            snprintf(lies->colour, sizeof lies->colour, "%s", colour_name(lies->lab));
            side_colours_name(&s->colours, lies, s->tuning->same_paint_lab);
        }
    }
    if (*to >= 0)
        out->piece = a->new_place[*to];
    return true;
}

// A marble that was shot but never seen at rest came out of a hand: by M24 a taw, unless size and colour surely say no.
static void came_out_of_hand(struct detection *p, const struct track_tuning *tuning)
{
    double rare = tuning->shot_targets, taw = (p->taw ? p->certainty : 1 - p->certainty) * (1 - rare);
    double target = (p->taw ? 1 - p->certainty : p->certainty) * rare;
    p->taw = taw > target;
    p->certainty = fmax(taw, target) / (taw + target);
}

// Reports a piece that nobody knew and that ran. *started: as it began to run; *lies: as it lies now, with id 0 when
// that is nowhere. False when it was no piece.
static bool add_run(struct reconstruction *s, struct track *started, struct track *lies, struct association *a,
                    const struct motion *run, const struct moment *m)
{
    int to;
    if (!who_ran(lies, &to, s, a, run, m))
        return false;
    lies->id = ++s->last_id;
    lies->looks = lies->hits = 1;
    if (to >= 0) { // in other light it may have another colour name
        side_colours_name(&s->colours, &lies->piece, s->tuning->same_paint_lab);
        side_colours_take_taw(&s->colours, &lies->piece);
    }
    if (lies->piece.kind == PIECE_MARBLE)
        came_out_of_hand(&lies->piece, s->tuning);
    lies_there(lies);
    struct departure why = departures_of_run(s, a, run);
    *started = *lies;
    started->piece.at = run->at;
    started->piece.px = run->px;
    started->there_until_s = started->absent_since_s = why.t_s;
    add_of(s, started, detection_seen(&started->piece, started->id, why.t_s));
    if (to < 0) {
        add_left(s, started, &why, m);
        lies->id = 0;
        return true;
    }
    add_move(s, started, &why);
    a->taken[to] = true;
    takes_place(lies, m);
    if (lies->piece.support > 0) // else the finder did not see it, and its paint is a guess
        side_colours_remember(&s->colours, &lies->piece, s->tuning->piece_sure);
    add_of(s, lies, detection_rest(&lies->piece, lies->id, fmax(m->t_s, why.t_s)));
    return true;
}

// The new measurement, with the identity of before.
static void now_at(struct track *k, const struct detection *now)
{
    struct detection was = k->piece;
    k->piece = *now;
    memcpy(k->piece.colour, was.colour, sizeof was.colour);
    if (was.certainty > now->certainty) {
        k->piece.taw = was.taw;
        k->piece.certainty = was.certainty;
    }
}

// Reports that a piece rests where it is measured now, since t_s; and that it surely is a piece, where that was in more
// doubt before.
static void add_measured(struct reconstruction *s, struct track *k, const struct detection *now, double t_s)
{
    double before = k->piece.certainty;
    now_at(k, now);
    struct observation o = detection_rest(&k->piece, k->id, t_s);
    if (k->piece.kind != PIECE_MARBLE && k->piece.certainty > before)
        o.rest.certainty = k->piece.certainty;
    add_of(s, k, o);
}

// Reports what became of the i-th piece. True when it is still there.
static bool add_fate(struct reconstruction *s, int i, const struct association *a, const struct moment *m)
{
    struct track *k = &s->track[i];
    const struct departure *why = &a->departure[i];
    switch (a->fate[i]) {
    case FATE_UNDECIDED:
        return true;
    case FATE_LEFT:
        add_left(s, k, why, m);
        return false;
    case FATE_MOVED:
        add_move(s, k, why);
        // At rest since the moment began; but something beyond the field may have run after the field was still.
        add_measured(s, k, &a->new_place[a->to[i]], fmax(m->t_s, why->t_s));
        k->looks = k->hits = 1;
        k->came_by_hand = false;
        break;
    case FATE_STAYED:
        k->looks++;
        k->hits += a->seen[i];
        // A false detection is dropped once it is missed more often than found; not in a ditch or hole, where the
        // finder never sees it.
        if (k->piece.support > 0 && k->piece.plane == ON_SURFACE && k->looks >= s->tuning->looks_before_doubt &&
            2 * k->hits < k->looks && !detection_stands_out(&k->piece, m->empty, m->pose)) {
            add_gone(s, k, m->t_s, BY_HAND);
            return false;
        }
        if (m->new_view && a->to[i] < 0) // the finder missed it
            track_project(k, m->pose);
        else if (m->new_view) { // reported when the new measure says something else
            const struct detection *now = &a->new_place[a->to[i]];
            struct pt_in was = k->piece.at;
            if (distance_in(now->at, was) > s->tuning->agreed_in) {
                add_measured(s, k, now, m->t_s);
            } else {
                now_at(k, now);
                k->piece.at = was;
            }
        }
        break;
    }
    lies_there(k);
    takes_place(k, m);
    return true;
}

static void add_new(struct reconstruction *s, const struct association *a, const struct moment *m)
{
    for (int f = 0; f < a->new_places; f++) {
        if (a->taken[f])
            continue;
        const struct track fresh = { .id = ++s->last_id, .piece = a->new_place[f], .looks = 1, .hits = 1 };
        if (s->count == MAX_PIECES) { // no room to track it: it is reported, so that no call is taken for complete
            add_of(s, &fresh, detection_seen(&fresh.piece, fresh.id, m->t_s));
            continue;
        }
        struct track *k = &s->track[s->count++];
        *k = fresh;
        k->came_by_hand = m->hand && association_hand_near(m->patches, &k->piece);
        lies_there(k);
        side_colours_name(&s->colours, &k->piece, s->tuning->same_paint_lab);
        takes_place(k, m);
        side_colours_remember(&s->colours, &k->piece, s->tuning->piece_sure);
        add_of(s, k, detection_seen(&k->piece, k->id, m->t_s));
        add_of(s, k, detection_rest(&k->piece, k->id, m->t_s));
    }
}

// The footage left time out: tracks that are not in place have left unseen, and what is new has come unseen.
static void leave_out(struct reconstruction *s, struct association *a, double cut_s)
{
    events_add(s, &(struct observation){ OBS_CAMERA, cut_s, .camera = { CAMERA_CUT, 0 } });
    events_add(s, &(struct observation){ OBS_CAMERA, cut_s, .camera = { CAMERA_LOCKED, 0 } });
    events_cut(s);
    for (int k = 0; k < s->count; k++) {
        if (a->fate[k] == FATE_MOVED)
            a->taken[a->to[k]] = false;
        if (departures_include(a, k))
            a->fate[k] = FATE_LEFT;
    }
}

void events_reconstruct(struct reconstruction *s, const struct moment *measured)
{
    struct association a;
    struct track shooter = { 0 }, runner = { 0 }, struck = { 0 };
    struct observation contact[CONTACTS_MAX];
    struct moment moment = *measured, *m = &moment;
    association_find(&a, s->track, s->count, m);
    double cut_s = jump_cut_s(&a, m);
    if (!isinf(cut_s)) {
        leave_out(s, &a, cut_s);
        m->cut = m->reacquired = true;
    }
    departures_find(s, &a, m);
    const struct motion *run = departures_unknown_run(s, &a, m);
    if (run && known_ran(s, &a, run, m))
        run = NULL;
    int taken_up = run ? taken_up_ran(s, &a, run) : -1, first = taken_up < 0 ? departures_first_shot(&a, -1) : taken_up;
    bool ran = run && taken_up < 0 && add_run(s, &shooter, &runner, &a, run, m);
    int second = ran ? first : departures_first_shot(&a, first);
    if (!ran && first >= 0 && a.nudged[first]) {
        association_forget_nudges(&a);
        first = second = -1;
    }
    if (!ran && first >= 0)
        shooter = s->track[first];
    if (second >= 0)
        struck = s->track[second];
    // The shot's own piece is reported first.
    bool stays[MAX_PIECES];
    int n = s->count, contacts = 0;
    if (first >= 0)
        stays[first] = add_fate(s, first, &a, m);
    for (int k = 0; k < n; k++)
        if (k != first)
            stays[k] = add_fate(s, k, &a, m);
    s->count = 0;
    for (int k = 0; k < n; k++)
        if (stays[k])
            s->track[s->count++] = s->track[k];
    if (shooter.id > 0)
        contacts = contacts_find(contact, &shooter, second >= 0 ? &struck : NULL, &s->motions, &m->pose->board);
    for (int i = 0; i < contacts; i++)
        events_add(s, &contact[i]);
    if (runner.id > 0 && s->count < MAX_PIECES)
        s->track[s->count++] = runner;
    add_new(s, &a, m);
    s->motions.count = 0;
}
