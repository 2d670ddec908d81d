// SPDX-License-Identifier: MIT
#include "vision/track/tracker.h"

#include <math.h>
#include <stdlib.h>

#include "vision/pieces/discs.h"
#include "vision/pieces/marbles.h"
#include "vision/track/events.h"
#include "vision/track/pose_tracking.h"
#include "vision/track/shot_boundary.h"

struct tracker {
    const struct tuning *tuning; // borrowed
    enum tracker_state state;
    long taken[TRACKER_STATES][TRACKER_INPUTS]; // how often each transition was
    struct pose_tracker pose;
    struct shot_boundary boundary;
    struct small_picture board_view; // the view in which the board was last seen where it is tracked
    struct change_detector changes;
    struct change_patches patches;
    struct reconstruction events;
    struct background *empty; // the empty board, NULL before the first look and for marbles
    struct marbles_seen marbles;
    struct discs_seen discs;
    struct frame *last;  // the frame before this one, while something is on its way; else NULL
    int width, height;   // of the frames; 0 before the first
    double t_s;          // of the last frame
    double view_s;       // when it last became known that the board lies elsewhere in the picture, or may
    double field_s;      // since when the field was still that was last measured; -INFINITY: not in this view
    double measured_s;   // the last moment at which everything was known to lie where it lies
    int looks_left;      // at a board just found and untouched since: the finder misses a piece now and then
    double learnt_s;     // when the empty board was last learnt
    double upset_s;      // when most of the picture last changed at once: a knock, a cut
    double knocked_s;    // and when that began
    double lost_s;       // when the camera was knocked so that the board had to be found again
    double known_s;      // of the last frame that was to be believed
    bool cut;            // the footage was, since the pieces were last measured
    bool unsettled;      // something happened since the last still moment was reported
    bool hand;           // one is over the board,
    double hand_since_s; // since then
};

// A still moment: since when, whether of the whole neighbourhood or the field alone, whether a hand may hide something.
struct rest {
    double since_s;
    bool whole, hand, again; // again: everything lies where it was measured, but all of the board is measured once more
};

static int advance(struct tracker *e, enum tracker_input input, struct fail *why)
{
    enum tracker_state from = e->state;
    if (!tracker_next(&e->state, input))
        return rs_fail(why, RS_EINTERNAL, "a tracker in state %d was told %d", (int)from, (int)input);
    e->taken[from][input]++;
    if (input == TRACKER_BOARD_FOUND || input == TRACKER_BOARD_DOUBTED || input == TRACKER_VIEW_MOVED ||
        input == TRACKER_VIEW_TURNED) {
        e->view_s = e->t_s;
        e->field_s = -INFINITY;
    }
    return 0;
}

int tracker_create_with(struct tracker **out, const struct board *wanted, const struct lens *lens,
                        const struct tracker_stages *stages, const struct tuning *tuning, struct fail *why)
{
    struct tracker *e = calloc(1, sizeof *e);
    *out = e;
    if (!e)
        return rs_fail(why, RS_ENOMEM, "no memory for following a game");
    e->tuning = tuning;
    e->pose = (struct pose_tracker){ .stages = *stages, .tuning = tuning, .wanted = *wanted, .has_lens = lens != NULL };
    if (lens)
        e->pose.lens = *lens;
    events_begin(&e->events, tuning->track);
    shot_boundary_begin(&e->boundary, tuning->track);
    e->upset_s = e->view_s = e->field_s = -INFINITY;
    return 0;
}

int tracker_create(struct tracker **out, const struct board *wanted, const struct lens *lens,
                   const struct tuning *tuning, struct fail *why)
{
    struct tracker_stages stages = { board_find, board_refit, pieces_find_on };
    return tracker_create_with(out, wanted, lens, &stages, tuning, why);
}

void tracker_free(struct tracker *e)
{
    if (!e)
        return;
    shot_boundary_finish(&e->boundary);
    small_picture_finish(&e->board_view);
    change_detector_finish(&e->changes);
    change_patches_finish(&e->patches);
    events_finish(&e->events);
    background_free(e->empty);
    frame_free(e->last);
    free(e);
}

const struct board_pose *tracker_board(const struct tracker *e)
{
    return &e->pose.pose;
}

static double still_since(const struct tracker *e)
{
    return e->changes.still[STILL_WHOLE].since_s;
}

static bool any_departed(const struct tracker *e)
{
    return events_any_departed(&e->events, &e->pose.pose.board);
}

static void report_camera(struct tracker *e, double t_s, enum camera_event what, double shift_in)
{
    events_add(&e->events, &(struct observation){ OBS_CAMERA, t_s, .camera = { what, shift_in } });
    e->unsettled = true;
}

// When whatever moved the camera did so, by a stillness that began at since_s.
static double knock_s(const struct tracker *e, double since_s)
{
    return e->upset_s > e->measured_s ? e->knocked_s : since_s;
}

// A hand that was over the board before the camera was knocked; what came with the knock is the board's own edges.
static bool hand_before(const struct tracker *e, double knocked_s)
{
    return e->hand && e->hand_since_s < knocked_s;
}

// The pieces lie elsewhere in the picture than when they were measured, or were never measured.
static bool new_view(const struct tracker *e)
{
    return e->state == TRACKER_REACQUIRING || e->state == TRACKER_VERIFYING;
}

// The board was found: frames are compared anew, and the pieces that lie on it have to be recognised.
static int lock(struct tracker *e, const struct board_pose *found, struct frame *f, struct fail *why)
{
    struct change_detector old = e->changes;
    struct camera before = e->pose.viewed;
    double shift_in;
    int rc = pose_lock(&shift_in, &e->pose, found, f, why);
    if (rc < 0)
        return rc;
    e->pose.looked_s = f->t_s;
    e->pose.steady = true;
    if (e->empty)
        background_seen_anew(e->empty);
    report_camera(e, f->t_s, CAMERA_LOCKED, e->cut ? 0 : shift_in); // two views are not one that moved
    change_patches_finish(&e->patches);
    rc = advance(e, TRACKER_BOARD_FOUND, why);
    if (rc == 0)
        rc = change_detector_create(&e->changes, f, &e->pose.pose, e->tuning->track, why);
    if (rc == 0)
        rc = change_patches_create(&e->patches, &e->changes, why);
    if (rc == 0)
        rc = change_detect(&e->changes, f, why);
    if (rc == 0 && hand_before(e, e->lost_s))
        rc = change_carry_reference(&e->changes, &old, &before, &e->pose.pose.camera, why);
    if (rc == 0)
        events_new_view(&e->events, &e->changes, &e->pose.pose, e->lost_s);
    change_detector_finish(&old);
    return rc;
}

// The board's picture moved: the frame is the reference from now on, but for a hand in it; what lies on the board lies
// elsewhere in the picture.
static int take_new_view(struct tracker *e, const struct camera *before, struct fail *why)
{
    if (e->empty)
        background_seen_anew(e->empty);
    change_detector_aim(&e->changes, &e->pose.pose);
    int rc = advance(e, TRACKER_VIEW_MOVED, why);
    if (rc == 0 && hand_before(e, knock_s(e, still_since(e))))
        rc = change_carry_reference(&e->changes, &e->changes, before, &e->pose.pose.camera, why);
    else
        change_take_reference(&e->changes);
    if (rc == 0)
        rc = change_patches_find(&e->patches, &e->changes, &e->pose.pose, why);
    if (rc == 0)
        events_new_view(&e->events, &e->changes, &e->pose.pose, knock_s(e, INFINITY));
    return rc;
}

// Nothing that runs now will be seen to come to rest: the footage shows another view, or pictures are lost.
static int leave(struct tracker *e, const struct observation *reason, struct fail *why)
{
    if (e->state != TRACKER_SEARCHING) {
        if (e->hand)
            events_add(&e->events, &(struct observation){ .kind = OBS_HAND, .t_s = reason->t_s });
        events_add(&e->events, reason);
        e->unsettled = true;
        events_cut(&e->events);
    }
    frame_free(e->last);
    e->last = NULL;
    e->hand = false;
    e->cut = e->pose.ever_found;
    e->pose.another_view |= e->cut && reason->camera.what == CAMERA_CUT;
    return advance(e, TRACKER_CUT, why);
}

// Its lines are not seen where they were. 1 when it is nowhere.
static int find_it_again(struct tracker *e, struct frame *f, double since_s, struct fail *why)
{
    bool upset = e->upset_s > e->measured_s;
    struct board_pose found;
    int rc = pose_search(&found, &e->pose, f, why);
    if (rc < 0 || (rc == 1 && e->hand && !upset))
        return rc < 0 ? rc : 0;                                 // only a hand hides it
    if (rc == 0 && !upset && pose_in_place(&e->pose, &found)) { // only the lines were hidden
        double shift_in;
        e->pose.search_again_s = f->t_s + e->tuning->track->search_every_s;
        return pose_lock(&shift_in, &e->pose, &found, f, why);
    }
    e->lost_s = knock_s(e, since_s);
    bool another_view = e->board_view.luma && shot_boundary_differs(&e->boundary, &e->board_view); // it was faded over
    if (!another_view)
        report_camera(e, e->lost_s, CAMERA_LOST, 0);
    struct observation end;
    int lost =
        another_view ? shot_boundary_end(&end, &e->boundary, f, e->lost_s, why) : advance(e, TRACKER_BOARD_LOST, why);
    if (lost < 0 || (another_view && (lost = leave(e, &end, why)) < 0))
        return lost;
    e->pose.pose.found = rc == 0;
    return rc == 0 ? lock(e, &found, f, why) : rc;
}

// Is the board where it was, by a stillness that began at since_s? It is followed always, so that no call comes from a stale
// pose. 1 when it is nowhere, or not known to be anywhere.
static int check_board(struct tracker *e, struct frame *f, double since_s, struct fail *why)
{
    struct refit r;
    struct board_pose now = e->pose.pose;
    if (e->state == TRACKER_REACQUIRING)
        return 0;
    int rc = pose_refit(&r, &now, &e->pose, f, why);
    if (rc < 0)
        return rc;
    e->pose.looked_s = f->t_s;
    e->pose.looked_still_s = still_since(e);
    rc = r.seen ? shot_boundary_keep(&e->board_view, &e->boundary, why) : 0;
    if (rc < 0)
        return rc;
    if (!r.seen && f->t_s >= e->pose.search_again_s)
        return find_it_again(e, f, since_s, why);
    if (!r.seen && e->pose.refits && !e->hand) {
        rc = advance(e, TRACKER_BOARD_DOUBTED, why);
        return rc < 0 ? rc : 1;
    }
    if (!r.seen)
        return 0;
    double shift_in;
    struct camera before = e->pose.viewed;
    rc = pose_follow(&shift_in, &e->pose, &now, &r) ? take_new_view(e, &before, why) : 0;
    if (shift_in > 0)
        report_camera(e, since_s, CAMERA_MOVED, shift_in);
    return rc;
}

// After a movement of the camera the pieces say which way round the board lies: a bare ring looks the same after any turn, but
// what lies in it does not.
static int turn_by_pieces(struct tracker *e, struct detection_list *seen, double t_s, struct fail *why)
{
    const struct reconstruction *s = &e->events;
    bool bare = !e->pose.pose.turn_seen;
    bool missed = e->state == TRACKER_VERIFYING || events_missed(s, &e->changes) > e->tuning->track->missed_share;
    if (s->count == 0 || !(e->state == TRACKER_REACQUIRING || (bare && missed)))
        return 0;
    double turn_rad = relocalise_by_pieces(s->track, s->count, seen, !bare, e->tuning->track);
    relocalise_pieces(seen, turn_rad);
    double shift_in = pose_turn(&e->pose, turn_rad);
    if (!(shift_in > 0))
        return 0;
    report_camera(e, t_s, CAMERA_MOVED, shift_in);
    change_take_reference(&e->changes); // unturned, it differed everywhere
    e->patches.count = 0;
    return advance(e, TRACKER_VIEW_TURNED, why);
}

static int measure(struct tracker *e, struct frame *f, const struct rest *r, struct fail *why)
{
    struct reconstruction *s = &e->events;
    const struct board_pose *pose = &e->pose.pose;
    struct detection_list seen;
    // Footage waits until all of the board is measured; a camera does not.
    struct pieces_known known = { .marbles = &e->marbles, .discs = f->decoder ? &e->discs : NULL };
    struct roi changed;
    int rc = tracks_lay_over_background(&e->empty, f, pose, e->tuning, why);
    known.empty = e->empty;
    if (rc == 0 && !new_view(e) && !r->again) {
        tracks_lying(&known.lying, s->track, s->count, &e->changes, pose);
        tracks_changed(&changed, s->track, s->count, &known.lying, &e->patches, &e->changes, pose);
        known.changed = &changed;
    }
    if (rc == 0)
        rc = e->pose.stages.pieces(&seen, f, pose, &known, e->tuning, why);
    if (rc == 0)
        rc = turn_by_pieces(e, &seen, r->since_s, why);
    if (rc < 0)
        return rc;
    bool reacquired = e->state == TRACKER_REACQUIRING;
    events_reconstruct(s, &(struct moment){ .changes = &e->changes,
                                            .patches = &e->patches,
                                            .pose = pose,
                                            .seen = &seen,
                                            .empty = e->empty,
                                            .motions = &s->motions,
                                            .t_s = r->since_s,
                                            .hand = r->hand,
                                            .new_view = new_view(e) || r->again,
                                            .reacquired = reacquired,
                                            .cut = e->cut });
    e->cut = false;
    e->learnt_s = f->t_s;
    return tracks_learn_background(e->empty, &e->changes, s->track, s->count, &seen, pose, why);
}

static void report_still(struct tracker *e, const struct rest *r)
{
    if (!e->hand || !r->hand)
        change_take_reference(&e->changes);
    if (e->hand && !r->hand) {
        events_add(&e->events, &(struct observation){ .kind = OBS_HAND, .t_s = r->since_s });
        e->hand = false;
    }
    if (e->unsettled || e->events.ready.count > 0)
        events_add(&e->events, &(struct observation){ OBS_STILL, r->since_s,
                                                      .still = { e->pose.pose.rms_px, e->pose.pose.line_sigma_in } });
    e->unsettled = e->events.shot_open = false;
}

// The view ends, by a cut, a knock or with the stream: what the last frame before it showed has to do. Nothing is reported while
// something still ran in it.
static int wrap_up(struct tracker *e, struct fail *why)
{
    const struct motions *m = &e->events.motions;
    if (!e->last && e->events.shot_open) // all that moved was measured, only a hand beside the field kept the shot open
        report_still(e, &(struct rest){ e->changes.t_s, true, true, false });
    if (!e->last || (m->count > 0 && e->last->t_s - m->item[m->count - 1].t_s < e->tuning->track->rest_s))
        return 0;
    struct rest r = { e->last->t_s, true, true, false };
    int rc = change_detect(&e->changes, e->last, why);
    if (rc == 0)
        rc = change_patches_find(&e->patches, &e->changes, &e->pose.pose, why);
    if (rc == 0)
        rc = measure(e, e->last, &r, why);
    if (rc == 0)
        rc = advance(e, TRACKER_MEASURED_IN_PART, why);
    if (rc == 0 && e->events.shot_open)
        report_still(e, &r);
    frame_free(e->last);
    e->last = NULL;
    return rc;
}

static void watch_hand(struct tracker *e)
{
    bool hand = false;
    struct pt_in at = { 0, 0 };
    for (int i = 0; i < e->patches.count; i++) {
        const struct change_patch *o = &e->patches.item[i];
        if (o->kind != PATCH_HAND)
            continue;
        hand = true;
        camera_locate(&at, &e->pose.pose.camera, (struct pt_px){ o->u, o->v }, 0);
    }
    if (hand && !e->hand)
        e->hand_since_s = e->t_s;
    if (hand != e->hand)
        event_list_add(&e->events.ready,
                       &(struct event){ { OBS_HAND, e->t_s, .hand = { hand, atan2(at.y, at.x) } }, .hand_at = at });
    e->hand = hand;
    e->unsettled |= hand;
}

static int watch(struct tracker *e, struct frame *f, struct fail *why)
{
    double was_since_s = still_since(e), before_s = e->changes.t_s;
    int rc = change_detect(&e->changes, f, why);
    // Did most of the picture change at once? No hand is so large and so quick: the camera was knocked, or the footage cut.
    if (rc == 0 && (double)e->changes.moved > e->tuning->track->upset_share * (double)e->changes.looked_at) {
        if (f->t_s - e->upset_s > e->tuning->track->upsets_apart_s)
            e->knocked_s = f->t_s;
        e->upset_s = f->t_s;
        rc = wrap_up(e, why);
        if (rc == 0)
            rc = change_detect(&e->changes, f, why);
    }
    if (rc == 0 && still_since(e) > was_since_s) {
        e->looks_left = 0;
        rc = advance(e, TRACKER_CHANGED, why);
    }
    if (rc < 0)
        return rc;
    if (e->hand && still_since(e) > was_since_s &&
        before_s - fmax(was_since_s, e->hand_since_s) >= e->tuning->track->rest_s / 2)
        e->events.broken_s = f->t_s;
    rc = change_patches_find(&e->patches, &e->changes, &e->pose.pose, why);
    if (rc < 0)
        return rc;
    watch_hand(e);
    return events_watch(&e->events, &e->changes, &e->patches, &e->pose.pose, why);
}

// Is this a moment to measure? Each stillness is measured once, that of the whole once more when its hand turns out to be
// resting beside the game; that of the field alone, while hands move beside it, when something is on its way.
static bool at_rest(struct rest *out, struct tracker *e)
{
    const struct track_tuning *t = e->tuning->track;
    double whole_s = still_since(e), field_s = e->changes.still[STILL_FIELD].since_s;
    bool resting = e->t_s - whole_s >= t->resting_hand_s;
    if (e->t_s - whole_s >= t->rest_s && (e->state != TRACKER_LOCKED || (e->hand && resting))) {
        *out = (struct rest){ whole_s, true, e->hand && !resting, false };
        return true;
    }
    if (e->state == TRACKER_LOCKED && e->looks_left > 0 && e->t_s - e->measured_s >= t->rest_s) {
        *out = (struct rest){ whole_s, true, e->hand, true };
        return true;
    }
    if (e->t_s - field_s < t->field_rest_s || field_s == e->field_s || !any_departed(e))
        return false;
    e->field_s = field_s;
    *out = (struct rest){ field_s, false, true, false };
    return true;
}

// Between two measurements the board is looked at: at the first still frames of each stillness, and now and then while
// nothing happens, for a drift is too slow for change detection.
static int glance(struct tracker *e, struct frame *f, struct event_list *out, struct fail *why)
{
    double since_s = still_since(e);
    bool camera_moved = false;
    if (!e->pose.refits || f->t_s - since_s < e->tuning->track->glance_after_s ||
        (since_s == e->pose.looked_still_s && f->t_s - e->pose.looked_s < e->tuning->track->glance_every_s))
        return 0;
    int rc = check_board(e, f, since_s, why);
    for (int i = 0; i < e->events.ready.count; i++)
        camera_moved |= e->events.ready.item[i].observation.kind == OBS_CAMERA;
    if (rc > 0 || (rc == 0 && camera_moved && (e->state == TRACKER_REACQUIRING || !any_departed(e)))) {
        int given = events_give_out(&e->events, out, why);
        return given < 0 ? given : rc;
    }
    return rc;
}

// Nothing moves: where does everything lie?
static int settle(struct tracker *e, struct frame *f, struct event_list *out, struct fail *why)
{
    struct rest r;
    if (!at_rest(&r, e)) {
        int rc = glance(e, f, out, why);
        if (rc != 0 || e->state != TRACKER_LOCKED || e->hand || e->patches.count > 0 || any_departed(e) ||
            f->t_s - e->learnt_s < e->tuning->track->learn_every_s)
            return rc;
        // Nothing has happened since the pieces were measured: the empty board is learnt the better the longer it is seen.
        e->learnt_s = f->t_s;
        rc = tracks_lay_over_background(&e->empty, f, &e->pose.pose, e->tuning, why);
        return rc < 0 ? rc
                      : tracks_learn_background(e->empty, &e->changes, e->events.track, e->events.count, NULL,
                                                &e->pose.pose, why);
    }
    int rc = r.again ? 0 : check_board(e, f, r.since_s, why);
    if (rc > 0) {
        int given = events_give_out(&e->events, out, why);
        return given < 0 ? given : rc;
    }
    if (e->state == TRACKER_REACQUIRING)
        e->looks_left = (int)e->tuning->track->looks_again;
    else if (e->looks_left > 0)
        e->looks_left--;
    if (rc == 0 && (new_view(e) || r.again || e->patches.count > 0 || any_departed(e)))
        rc = measure(e, f, &r, why);
    if (rc == 0)
        rc = advance(e, r.whole && e->view_s < f->t_s ? TRACKER_MEASURED : TRACKER_MEASURED_IN_PART, why);
    if (rc < 0)
        return rc;
    e->measured_s = f->t_s;
    // A hand that lies beside the field when the shot is over does not hold up the call.
    if (!r.hand || (e->events.shot_open && !change_hand_over(&e->patches, &e->changes, &e->changes.still[STILL_FIELD])))
        report_still(e, &r);
    return events_give_out(&e->events, out, why);
}

// The footage was cut, or is like that.
static int cut(struct tracker *e, const struct observation *reason, struct fail *why)
{
    int rc = e->state == TRACKER_SEARCHING ? 0 : wrap_up(e, why);
    if (rc == 0)
        rc = leave(e, reason, why);
    e->pose.pose.found = false;
    e->pose.search_again_s = -INFINITY;
    return rc;
}

int tracker_lose(struct tracker *e, double lost_s, struct fail *why)
{
    const struct observation lost = { OBS_CAMERA, e->known_s, .camera = { CAMERA_DAMAGED, 0, lost_s } };
    if (e->state != TRACKER_SEARCHING && observation_hides(&lost)) {
        shot_boundary_finish(&e->boundary);
        shot_boundary_begin(&e->boundary, e->tuning->track);
        return cut(e, &lost, why);
    }
    events_add(&e->events, &lost);
    e->unsettled = true;
    change_unsettle(&e->changes, e->t_s);
    return e->state == TRACKER_SEARCHING ? 0 : advance(e, TRACKER_CHANGED, why);
}

// Where is the board? It is looked for now and then, and soon once the view has come to a stand. 1 when it is nowhere.
static int search(struct tracker *e, struct frame *f, struct fail *why)
{
    struct board_pose found;
    struct pose_tracker *p = &e->pose;
    if (e->boundary.still_since_s > p->searched_s &&
        f->t_s >= fmax(p->searched_s + e->tuning->track->search_still_s,
                       e->boundary.still_since_s + e->tuning->track->glance_after_s))
        p->search_again_s = f->t_s;
    int rc = pose_search(&found, p, f, why);
    return rc == 0 ? lock(e, &found, f, why) : rc;
}

int tracker_feed(struct tracker *e, struct frame *f, struct event_list *out, struct fail *why)
{
    enum shot_boundary_verdict boundary;
    struct observation end;
    out->count = 0;
    if (e->width > 0 && (f->width != e->width || f->height != e->height))
        return rs_fail(why, RS_EINPUT, "a frame of %d x %d in a stream of %d x %d: all frames must have one size",
                       f->width, f->height, e->width, e->height);
    if (e->width > 0 && f->t_s < e->t_s)
        return rs_fail(why, RS_EINPUT, "a frame of %.3f s after one of %.3f s: feed frames in order", f->t_s, e->t_s);
    e->width = f->width;
    e->height = f->height;
    e->t_s = f->t_s;
    if (f->doubtful)
        return 0;
    int rc = f->lost_s > 0 ? tracker_lose(e, f->lost_s, why) : 0;
    e->known_s = f->t_s;
    if (rc == 0)
        rc = shot_boundary_look(&boundary, &e->boundary, f, why);
    if (rc < 0 || boundary == BOUNDARY_SUSPECTED)
        return rc;
    if (boundary == BOUNDARY_CUT && (rc = shot_boundary_end(&end, &e->boundary, f, e->boundary.suspected_s, why)) == 0)
        rc = cut(e, &end, why);
    if (rc == 0)
        rc = e->state == TRACKER_SEARCHING ? search(e, f, why) : watch(e, f, why);
    if (rc == 0)
        rc = settle(e, f, out, why);
    if (rc > 0 && boundary == BOUNDARY_CUT) // nowhere, but that there was a cut is told at once
        return events_give_out(&e->events, out, why);
    if (rc != 0)
        return rc < 0 ? rc : 0;
    frame_free(e->last);
    e->last = NULL;
    return any_departed(e) ? frame_keep(&e->last, f, why) : 0;
}

int tracker_finish(struct tracker *e, struct event_list *out, struct fail *why)
{
    out->count = 0;
    int rc = e->state == TRACKER_SEARCHING ? 0 : wrap_up(e, why);
    if (rc == 0)
        rc = events_give_out(&e->events, out, why);
    if (rc < 0 || e->pose.ever_found)
        return rc;
    rs_fail(why, RS_EINPUT, "%s", e->pose.unfound.text[0] ? e->pose.unfound.text : "there was no frame");
    return 1;
}

void tracker_view(const struct tracker *e, struct tracker_view *out)
{
    const struct reconstruction *s = &e->events;
    *out = (struct tracker_view){ .count = s->count, .hand = e->hand };
    for (int i = 0; i < s->count; i++) {
        out->id[i] = s->track[i].id;
        out->moving[i] = !isinf(s->track[i].absent_since_s);
        out->piece[i] = s->track[i].piece;
    }
}

void tracker_inside(const struct tracker *e, struct tracker_inside *out)
{
    *out = (struct tracker_inside){ .state = e->state,
                                    .taken = (const long(*)[TRACKER_INPUTS])e->taken,
                                    .changes = &e->changes,
                                    .patches = &e->patches,
                                    .motions = &e->events.motions,
                                    .track = e->events.track,
                                    .tracks = e->events.count,
                                    .empty = e->empty,
                                    .upset_s = e->upset_s,
                                    .measured_s = e->measured_s,
                                    .unfound = e->state == TRACKER_SEARCHING ? e->pose.unfound.text : "" };
}
