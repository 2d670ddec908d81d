// SPDX-License-Identifier: MIT
#include "vision/track/story.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "vision/track/contact.h"
#include "vision/track/evidence.h"
#include "vision/track/path.h"
#include "vision/pieces/colour.h"

static const double SHARE_ABSENT = 0.5;  // of the patch looks as it did: less, and the piece has left its place
static const double SHARE_WHOLE = 0.85;  // less, and a part of it is gone or covered
static const double LEAVES_IN_S = 0.15;  // the slowest shot clears half of a piece in so long
static const double HAND_BESIDE_IN = 4;  // a hand that takes a piece comes from so far between two frames
static const double LIKE_A_PIECE = 0.3;  // of the way from the board's colour to the piece's
static const double AFTER_BREAK_S = 0.3; // a shot piece is clear of the hand so soon after it began to move
static const double PATH_OF_A_PIECE = 3; // diameters that something nobody found lying must have run
enum { STEPS_OF_A_PIECE = 3 };           // and frames in which it was seen to
static const double AGREED_IN = 0.03;    // two measures of one place in two views differ by less
static const double SAME_PAINT_LAB = 20; // CIE76: lamps and shadows change a piece by less
static const double SAME_BLUR_LAB = 20;  // the same for a running piece, from the mixtures with what it runs over

// A piece in the story of one still moment: why it is not where it was.
struct told {
    enum cause cause;
    double t_s; // when it began to move
};

void story_add(struct story *s, const struct happening *h)
{
    if (s->ready.count < HAPPENINGS_MAX)
        s->ready.item[s->ready.count++] = *h;
}

void story_give_out(struct story *s, struct happenings *out)
{
    struct happenings *ready = &s->ready;
    for (int i = 1; i < ready->count; i++) {
        struct happening h = ready->item[i];
        int k = i;
        for (; k > 0 && ready->item[k - 1].t_s > h.t_s; k--)
            ready->item[k] = ready->item[k - 1];
        ready->item[k] = h;
    }
    for (int i = 0; i < ready->count; i++) {
        s->last_told_s = fmax(s->last_told_s, ready->item[i].t_s);
        ready->item[i].t_s = s->last_told_s;
    }
    *out = *ready;
    ready->count = 0;
}

static void add_of(struct story *s, enum happening_kind kind, double t_s, const struct kept *k)
{
    story_add(s, &(struct happening){ .kind = kind, .t_s = t_s, .id = k->id, .piece = k->piece });
}

enum { LOOKS_BEFORE_DOUBT = 3 };

static bool hand_beside(const struct kept *k, const struct gate *g, const struct blobs *b, const enum patch_kind *kind,
                        const struct board_pose *pose)
{
    int u = (int)(k->piece.px.u / g->step), v = (int)(k->piece.px.v / g->step);
    struct blob box = { .left = u, .right = u, .top = v, .bottom = v };
    return trail_hand_within(b, kind, g, &box,
                             HAND_BESIDE_IN / pose->board.piece_radius_in * kept_radius_px(g, pose, k->piece.at));
}

static void lies_there(struct kept *k)
{
    k->absent_since_s = k->loose_since_s = INFINITY;
    k->hand_near = false;
}

// A piece that leaves its place is first missed at its edge: then it began to move, if it was soon missed as a whole.
static void watch_piece(struct kept *k, double share, double t_s, double before_s)
{
    if (share >= SHARE_WHOLE) {
        k->loose_since_s = INFINITY;
    } else if (isinf(k->loose_since_s)) {
        k->loose_since_s = t_s;
        k->there_until_s = before_s;
    }
    if (share >= SHARE_ABSENT || !isinf(k->absent_since_s))
        return;
    bool at_once = t_s - k->loose_since_s < LEAVES_IN_S;
    k->absent_since_s = at_once ? k->loose_since_s : t_s;
    k->there_until_s = at_once ? k->there_until_s : before_s;
}

// A place that a piece has left looks changed too, but nothing runs there.
static void drop_left_places(struct story *s, int from)
{
    struct trail *t = &s->trail;
    int n = from;
    for (int i = from; i < t->count; i++) {
        bool left = false;
        for (int k = 0; k < s->count && !left; k++) {
            const struct detection *p = &s->piece[k].piece;
            left = hypot(t->step[i].at.x - p->at.x, t->step[i].at.y - p->at.y) < p->radius_in;
        }
        if (!left)
            t->step[n++] = t->step[i];
    }
    t->count = n;
}

void story_watch(struct story *s, const struct gate *g, const struct blobs *b, const enum patch_kind *kind,
                 const struct board_pose *pose)
{
    for (int i = 0; i < s->count; i++) {
        struct kept *k = &s->piece[i];
        double share = kept_share(k, g);
        bool was_there = isinf(k->absent_since_s);
        watch_piece(k, share, g->t_s, s->before_s);
        if (share >= SHARE_ABSENT && !was_there)
            lies_there(k);
        else if (was_there && !isinf(k->absent_since_s))
            k->hand_near = hand_beside(k, g, b, kind, pose);
        k->hand_came = share < SHARE_WHOLE && (k->hand_came || k->hand_near || hand_beside(k, g, b, kind, pose));
    }
    int steps = s->trail.count;
    trail_add(&s->trail, b, kind, g, pose);
    drop_left_places(s, steps);
    s->before_s = g->t_s;
}

void story_new_view(struct story *s, const struct gate *g, const struct board_pose *pose, double knocked_s)
{
    while (s->trail.count > 0 && s->trail.step[s->trail.count - 1].t_s >= knocked_s)
        s->trail.count--;
    for (int i = 0; i < s->count; i++) {
        struct kept *k = &s->piece[i];
        bool shows = kept_shows(k, g, g->now, pose), covered = !shows && kept_shows(k, g, g->clean, pose);
        kept_aim(k, pose);
        if (shows)
            lies_there(k);
        if (shows || covered)
            kept_take_patch(k, g, shows ? g->now : g->clean, pose);
    }
    s->before_s = g->t_s;
}

double story_missed(const struct story *s, const struct gate *g)
{
    int missed = 0;
    for (int i = 0; i < s->count; i++)
        missed += kept_share(&s->piece[i], g) < SHARE_ABSENT;
    return s->count > 0 ? (double)missed / s->count : 0;
}

static struct kept *add_piece(struct story *s, const struct detection *p, const struct moment *m)
{
    if (s->count == MAX_PIECES)
        return NULL;
    struct kept *k = &s->piece[s->count++];
    *k = (struct kept){ .id = ++s->next_id, .piece = *p, .looks = 1, .hits = 1 };
    lies_there(k);
    paints_name(&s->paints, &k->piece, SAME_PAINT_LAB);
    kept_take_patch(k, m->gate, m->gate->now, m->pose);
    paints_remember(&s->paints, &k->piece);
    return k;
}

// The frame after which it was missed is the last in which it surely lay there: it moved between the two. What the
// exposure smears already moves, so the first frame it is missed in is told.
static void tell_move(struct story *s, const struct kept *k, const struct told *why)
{
    struct happening h = {
        .kind = HAPPENED_MOVE, .t_s = why->t_s, .id = k->id, .piece = k->piece, .cause = why->cause
    };
    story_add(s, &h);
    s->shot_open |= why->cause == CAUSE_SHOT;
}

static void tell_left(struct story *s, const struct kept *k, const struct told *why, const struct moment *m)
{
    struct happening h = { .kind = HAPPENED_GONE, .t_s = m->t_s, .id = k->id, .piece = k->piece };
    h.left_for = why->cause == CAUSE_SHOT ? evidence_left_for(&s->trail, k, why->t_s, &m->pose->board) : LEFT_BY_HAND;
    if (why->cause == CAUSE_HAND)
        h.t_s = why->t_s;
    else
        tell_move(s, k, why);
    story_add(s, &h);
}

// What runs before any known piece was missed: a piece that a hand put down and shot before it could be measured.
static const struct step *unknown_run(const struct story *s, const struct match *found, const struct told *why,
                                      const struct moment *m)
{
    const struct step *run = m->afresh ? NULL : evidence_first_run(&s->trail, &m->pose->board);
    for (int k = 0; k < s->count && run; k++) {
        bool departed = found->fate[k] == FATE_MOVED || found->fate[k] == FATE_LEFT;
        if (departed && why[k].cause == CAUSE_SHOT && why[k].t_s <= run->t_s)
            return NULL;
    }
    return run;
}

// The new piece that lies where something ran to; -1 when there is none.
static int new_at_end(const struct match *found, const struct story *s, const struct step *first)
{
    struct path path;
    for (int f = 0; f < found->found_count && first; f++) {
        const struct detection *p = &found->found[f];
        path_run(&path, &s->trail, first, p->radius_in);
        struct pt_in end = path.step[path.count - 1].at;
        if (!found->taken[f] && hypot(end.x - p->at.x, end.y - p->at.y) < 2 * p->radius_in)
            return f;
    }
    return -1;
}

// A new piece that looks like what ran; -1 when there is none.
static int new_like_run(const struct match *found, const struct step *run)
{
    int best = -1;
    double most = LIKE_A_PIECE;
    for (int f = 0; f < found->found_count; f++) {
        double like = found->taken[f] ? 0 : trail_likeness(run, found->found[f].lab);
        if (like <= most)
            continue;
        most = like;
        best = f;
    }
    return best;
}

// The one new piece to which something ran; -1 when there are none or several.
static int only_arrival(const struct match *found, const struct trail *t)
{
    int arrived = -1, several = 0;
    for (int f = 0; f < found->found_count; f++)
        if (!found->taken[f] && path_arrives(t, found->found[f].at, found->found[f].radius_in)) {
            several += arrived >= 0;
            arrived = f;
        }
    return several ? -1 : arrived;
}

// What nobody found lying anywhere, before or after: all that is known of it is how it looked while it ran.
static struct detection piece_from_run(const struct story *s, const struct run *run, const struct board *b)
{
    struct detection p = { .kind = b->piece, .radius_in = b->piece_radius_in, .taw_certainty = 0.5 };
    trail_lab(p.lab, run->clearest->bgr);
    snprintf(p.colour, sizeof p.colour, "%s", colour_name(p.lab));
    double clean[3];
    trail_lab(clean, run->clearest->clean);
    paints_name_mixed(&s->paints, &p, clean, SAME_BLUR_LAB);
    return p;
}

// The piece that ran, where it lies now. False when it was no piece: too short a run and nothing there at its end.
static bool who_ran(struct kept *out, int *to, const struct story *s, struct match *found, const struct step *first,
                    const struct moment *m)
{
    const struct board *b = &m->pose->board;
    struct run run;
    evidence_follow(&run, &s->trail, first, b);
    *to = new_at_end(found, s, first);
    if (*to < 0)
        *to = new_like_run(found, run.clearest);
    if (*to < 0) // what ran on from a contact may look like neither
        *to = only_arrival(found, &s->trail);
    if (*to >= 0) {
        out->piece = found->found[*to];
        return true;
    }
    if (run.steps < STEPS_OF_A_PIECE || 2 * run.straight < run.steps - 2 ||
        run.path_in < PATH_OF_A_PIECE * 2 * b->piece_radius_in)
        return false;
    out->piece = piece_from_run(s, &run, b);
    *to = match_blob(found, s->piece, s->count, &out->piece, m);
    if (*to >= 0)
        out->piece = found->found[*to];
    return true;
}

static double run_start_s(const struct story *s, const struct step *run)
{
    double soon = run->t_s - s->broken_s;
    return soon >= 0 && soon < AFTER_BREAK_S ? s->broken_s : run->t_s;
}

// Tells of the piece that ran. *started is the piece as it began to run, *lies as it lies now, its id 0 when it does not.
// False when it was no piece.
static bool tell_run(struct story *s, struct kept *started, struct kept *lies, struct match *found,
                     const struct step *run, const struct moment *m)
{
    int to;
    if (!who_ran(lies, &to, s, found, run, m))
        return false;
    lies->id = ++s->next_id;
    lies->looks = lies->hits = 1;
    lies_there(lies);
    struct told why = { CAUSE_SHOT, run_start_s(s, run) };
    *started = *lies;
    started->piece.at = run->at;
    started->piece.px = run->px;
    started->there_until_s = started->absent_since_s = why.t_s;
    add_of(s, HAPPENED_SEEN, why.t_s, started);
    if (to < 0) {
        tell_left(s, started, &why, m);
        lies->id = 0;
        return true;
    }
    tell_move(s, started, &why);
    found->taken[to] = true;
    kept_take_patch(lies, m->gate, m->gate->now, m->pose);
    paints_remember(&s->paints, &lies->piece);
    add_of(s, HAPPENED_REST, m->t_s, lies);
    return true;
}

static bool departed(const struct match *found, int k)
{
    return found->fate[k] == FATE_MOVED || found->fate[k] == FATE_LEFT;
}

static void find_causes(struct told *why, const struct story *s, const struct match *found, const struct moment *m)
{
    for (int k = 0; k < s->count; k++) {
        const struct kept *p = &s->piece[k];
        why[k] = (struct told){ CAUSE_HAND, isinf(p->absent_since_s) ? m->t_s : p->absent_since_s };
        bool vanished = found->fate[k] == FATE_LEFT && !evidence_last_of(&s->trail, p->piece.lab, why[k].t_s) &&
                        !path_leaves(&s->trail, p);
        if (departed(found, k) && !vanished && !m->afresh && evidence_by_shot(&s->trail, p, &m->pose->board))
            why[k].cause = CAUSE_SHOT;
    }
}

// Nothing comes from nowhere: the one piece that ran by itself and looks like none that lies somewhere now is the one new
// piece to which something ran, however the light fell on it.
static void find_by_elimination(struct match *found, const struct told *why, const struct story *s)
{
    int left = -1, arrived = only_arrival(found, &s->trail), several = 0;
    for (int k = 0; k < s->count; k++)
        if (found->fate[k] == FATE_LEFT && why[k].cause == CAUSE_SHOT) {
            several += left >= 0;
            left = k;
        }
    if (several || left < 0 || arrived < 0 || found->found[arrived].kind != s->piece[left].piece.kind)
        return;
    found->fate[left] = FATE_MOVED;
    found->to[left] = arrived;
    found->taken[arrived] = true;
}

// The shot's own piece: the first that moved, the one beside the hand when two moved between the same two frames.
static int first_shot(const struct story *s, const struct match *found, const struct told *why, int except)
{
    int first = -1;
    for (int k = 0; k < s->count; k++) {
        if (k == except || !departed(found, k) || why[k].cause != CAUSE_SHOT)
            continue;
        bool sooner = first < 0 || why[k].t_s < why[first].t_s;
        bool by_hand = first >= 0 && why[k].t_s == why[first].t_s && s->piece[k].hand_near;
        if (sooner || by_hand)
            first = k;
    }
    return first;
}

// Who it is does not change by moving.
static void now_at(struct kept *k, const struct detection *now)
{
    struct detection was = k->piece;
    k->piece = *now;
    memcpy(k->piece.colour, was.colour, sizeof was.colour);
    if (was.taw_certainty > now->taw_certainty) {
        k->piece.taw = was.taw;
        k->piece.taw_certainty = was.taw_certainty;
    }
}

// The finder may once have taken a speck for a piece. What its pixels alone showed, in a ditch or a hole, it never sees.
static bool was_a_speck(struct kept *k, bool seen, const struct moment *m)
{
    k->looks++;
    k->hits += seen;
    bool asked = k->piece.support > 0 && k->piece.plane == ON_SURFACE && !kept_stands_out(k, m->empty, m->pose);
    return asked && k->looks >= LOOKS_BEFORE_DOUBT && 2 * k->hits < k->looks;
}

static void tell_speck(struct story *s, const struct kept *k, const struct moment *m)
{
    struct happening h = { .kind = HAPPENED_GONE, .t_s = m->t_s, .id = k->id, .piece = k->piece };
    h.left_for = LEFT_BY_HAND;
    story_add(s, &h);
}

// The same piece in a new view, NULL when the finder missed it: told when the new measure says something else.
static void see_again(struct story *s, struct kept *k, const struct detection *now, const struct moment *m)
{
    struct pt_in was = k->piece.at;
    if (!now) {
        kept_aim(k, m->pose);
        return;
    }
    now_at(k, now);
    if (hypot(now->at.x - was.x, now->at.y - was.y) > AGREED_IN)
        add_of(s, HAPPENED_REST, m->t_s, k);
    else
        k->piece.at = was;
}

// What became of the i-th piece. True when it is still there.
static bool tell_fate(struct story *s, int i, const struct match *found, const struct told *why, const struct moment *m)
{
    struct kept *k = &s->piece[i];
    switch (found->fate[i]) {
    case FATE_UNDECIDED:
        return true;
    case FATE_LEFT:
        tell_left(s, k, &why[i], m);
        return false;
    case FATE_MOVED:
        tell_move(s, k, &why[i]);
        now_at(k, &found->found[found->to[i]]);
        k->looks = k->hits = 1;
        add_of(s, HAPPENED_REST, m->t_s, k);
        break;
    case FATE_STAYED:
        if (was_a_speck(k, found->seen[i], m)) {
            tell_speck(s, k, m);
            return false;
        }
        if (m->new_view)
            see_again(s, k, found->to[i] < 0 ? NULL : &found->found[found->to[i]], m);
        break;
    }
    lies_there(k);
    kept_take_patch(k, m->gate, m->gate->now, m->pose);
    return true;
}

static void tell_fates(struct story *s, const struct match *found, const struct told *why, int first,
                       const struct moment *m)
{
    bool stays[MAX_PIECES];
    int n = s->count, left = 0;
    if (first >= 0)
        stays[first] = tell_fate(s, first, found, why, m);
    for (int k = 0; k < n; k++)
        if (k != first)
            stays[k] = tell_fate(s, k, found, why, m);
    for (int k = 0; k < n; k++)
        if (stays[k])
            s->piece[left++] = s->piece[k];
    s->count = left;
}

static void tell_new(struct story *s, const struct match *found, const struct moment *m)
{
    for (int f = 0; f < found->found_count; f++) {
        struct kept *k = found->taken[f] ? NULL : add_piece(s, &found->found[f], m);
        if (!k)
            continue;
        add_of(s, HAPPENED_SEEN, m->t_s, k);
        add_of(s, HAPPENED_REST, m->t_s, k);
    }
}

static void tell_contacts(struct story *s, const struct kept *shooter, const struct kept *struck,
                          const struct moment *m)
{
    struct happening contact[CONTACTS_MAX];
    int n = contact_list(contact, shooter, struck, &s->trail, &m->pose->board);
    for (int i = 0; i < n; i++)
        story_add(s, &contact[i]);
}

void story_tell(struct story *s, const struct moment *m)
{
    struct match found;
    struct told why[MAX_PIECES] = { 0 };
    struct kept shooter = { 0 }, runner = { 0 }, struck = { 0 };
    match_pieces(&found, s->piece, s->count, m);
    find_causes(why, s, &found, m);
    find_by_elimination(&found, why, s);
    int first = first_shot(s, &found, why, -1);
    const struct step *run = unknown_run(s, &found, why, m);
    bool ran = run && tell_run(s, &shooter, &runner, &found, run, m);
    int second = ran ? first : first_shot(s, &found, why, first);
    if (!ran && first >= 0)
        shooter = s->piece[first];
    if (second >= 0)
        struck = s->piece[second];
    tell_fates(s, &found, why, first, m);
    if (shooter.id > 0)
        tell_contacts(s, &shooter, second >= 0 ? &struck : NULL, m);
    if (runner.id > 0 && s->count < MAX_PIECES)
        s->piece[s->count++] = runner;
    tell_new(s, &found, m);
    s->trail.count = 0;
}
