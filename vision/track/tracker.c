// SPDX-License-Identifier: MIT
#include "vision/track/tracker.h"

#include <math.h>
#include <stdlib.h>

#include "vision/quality.h"
#include "vision/track/tracker_transitions.h"

// A still moment: since when, whether of the whole neighbourhood or the field alone, whether a hand may hide something.
struct rest {
    double since_s;
    bool whole, hand, again; // again: nothing has moved, but all of the board is measured once more
};

int tracker_create(struct tracker **out, const struct board *wanted, const struct lens *lens,
                   const struct tracker_stages *stages, const struct tuning *tuning, struct fail *why)
{
    static const struct tracker_stages own = { board_find, board_refit, pieces_find_on, quality_suffices };
    struct tracker *t = calloc(1, sizeof *t);
    *out = t;
    if (!t)
        return rs_fail(why, RS_ENOMEM, "no memory for following a game");
    t->tuning = tuning;
    t->pose = (struct pose_tracker){
        .stages = stages ? *stages : own, .tuning = tuning, .wanted = *wanted, .has_lens = lens != NULL
    };
    if (lens)
        t->pose.lens = *lens;
    measurement_begin(&t->measurement, &t->pose.stages, tuning);
    events_begin(&t->events, &tuning->track);
    shot_boundary_begin(&t->boundary, &tuning->track);
    stabiliser_begin(&t->stabiliser, &tuning->track);
    t->global_change_s = t->view_s = t->field_s = -INFINITY;
    return 0;
}

void tracker_free(struct tracker *t)
{
    if (!t)
        return;
    shot_boundary_finish(&t->boundary);
    stabiliser_finish(&t->stabiliser);
    small_picture_finish(&t->board_view);
    view_anchor_finish(&t->pose.anchor);
    change_detector_finish(&t->changes);
    change_patches_finish(&t->patches);
    events_finish(&t->events);
    measurement_finish(&t->measurement);
    frame_free(t->last);
    free(t);
}

const struct board_pose *tracker_board(const struct tracker *t)
{
    return &t->pose.pose;
}

static bool any_departed(const struct tracker *t)
{
    return events_any_departed(&t->events, &t->pose.pose.board);
}

// The pieces lie elsewhere in the picture than when they were measured, or were never measured.
static bool new_view(const struct tracker *t)
{
    return t->state == TRACKER_REACQUIRING || t->state == TRACKER_VERIFYING;
}

static struct moment moment_of(const struct tracker *t, const struct rest *r)
{
    return (struct moment){ .changes = &t->changes,
                            .patches = &t->patches,
                            .pose = &t->pose.pose,
                            .seen = &t->measurement.seen,
                            .empty = t->measurement.empty,
                            .motions = &t->events.motions,
                            .t_s = r->since_s,
                            .hand = r->hand,
                            .new_view = new_view(t) || r->again,
                            .reacquired = t->state == TRACKER_REACQUIRING,
                            .cut = t->cut };
}

// `seen`: what was measured in the frame; NULL when that was not done.
static int learn_background(struct tracker *t, const struct frame *f, const struct detection_list *seen,
                            struct fail *why)
{
    t->learnt_s = f->t_s;
    return tracks_learn_background(t->measurement.empty, &t->changes, t->events.track, t->events.count, seen, why);
}

static int measure(struct tracker *t, struct frame *f, const struct rest *r, struct fail *why)
{
    struct reconstruction *s = &t->events;
    struct moment now = moment_of(t, r);
    int rc = measurement_take(&t->measurement, f, s, &now, why);
    if (rc == 0)
        rc = tracker_turn_by_pieces(t, r->since_s, why);
    if (rc < 0)
        return rc;
    now = moment_of(t, r); // as it was seen, and turned
    events_reconstruct(s, &now);
    t->cut = false;
    return learn_background(t, f, now.seen, why);
}

static void report_still(struct tracker *t, const struct rest *r)
{
    if (!t->hand || !r->hand)
        change_take_reference(&t->changes);
    if (t->hand && !r->hand) {
        events_add(&t->events, &(struct observation){ .kind = OBS_HAND, .t_s = r->since_s });
        t->hand = false;
    }
    if (t->unsettled || t->events.ready.count > 0)
        events_add(&t->events, &(struct observation){ OBS_STILL, r->since_s,
                                                      .still = { t->pose.pose.rms_px, t->pose.pose.line_sigma_in } });
    t->unsettled = t->events.shot_open = false;
}

// The view ends, by a cut, a knock, a hand or with the stream: the last frame before is measured. Nothing is reported
// when something ran in it or less than quiet_s before.
static int wrap_up(struct tracker *t, double quiet_s, struct fail *why)
{
    const struct motions *m = &t->events.motions;
    if (!t->last && t->events.shot_open) // all that moved was measured, only a hand beside the field kept the shot open
        report_still(t, &(struct rest){ .since_s = t->changes.t_s, .whole = true, .hand = true });
    if (!t->last || (m->count > 0 && t->last->t_s - m->item[m->count - 1].t_s < quiet_s))
        return 0;
    struct rest r = { .since_s = t->last->t_s, .whole = true, .hand = true };
    int rc = change_detect(&t->changes, t->last, why);
    if (rc == 0)
        rc = change_patches_find(&t->patches, why);
    rc = rc < 0 ? rc : measure(t, t->last, &r, why);
    if (rc == 0)
        rc = tracker_advance(t, TRACKER_MEASURED_IN_PART, why);
    if (rc == 0 && t->events.shot_open)
        report_still(t, &r);
    frame_free(t->last);
    t->last = NULL;
    return rc;
}

static void watch_hand(struct tracker *t)
{
    const struct change_patch *hand = change_hand(&t->patches);
    struct pt_in at = { 0, 0 };
    if (hand)
        camera_locate(&at, &t->pose.pose.camera, hand->middle, 0);
    if (hand && !t->hand)
        t->hand_since_s = t->t_s;
    if ((hand != NULL) != t->hand)
        event_list_add(
            &t->events.ready,
            &(struct event){ { OBS_HAND, t->t_s, .hand = { hand != NULL, atan2(at.y, at.x) } }, .hand_at = at });
    t->hand = hand != NULL;
    t->unsettled |= t->hand;
}

static int watch(struct tracker *t, struct frame *f, struct fail *why)
{
    double was_since_s = tracker_still_since(t), before_s = t->changes.t_s, half_rest_s = t->tuning->track.rest_s / 2;
    int rc = stabilise(&t->stabiliser, f, &t->changes, why);
    t->changes.slack_px = t->stabiliser.moved_back ? t->tuning->track.steadied_px : 0;
    rc = rc < 0 ? rc : change_detect(&t->changes, f, why);
    if (rc == 0)
        stabiliser_look(&t->stabiliser, &t->changes);
    // Did most of the picture change at once? No hand is so large and quick: the camera was knocked or the film cut.
    if (rc == 0 && (double)t->changes.moved > t->tuning->track.global_change_share * (double)t->changes.looked_at) {
        if (f->t_s - t->global_change_s > t->tuning->track.global_changes_apart_s)
            t->knocked_s = f->t_s;
        t->global_change_s = f->t_s;
        t->pose.search_again_s = -INFINITY; // where the board was found last it need not be any more
        rc = wrap_up(t, t->tuning->track.rest_s, why);
        rc = rc == 0 ? change_detect(&t->changes, f, why) : rc;
    }
    if (rc == 0 && tracker_still_since(t) > was_since_s) {
        t->measures_left = 0;
        rc = tracker_advance(t, TRACKER_CHANGED, why);
    }
    if (rc < 0)
        return rc;
    if (t->hand && tracker_still_since(t) > was_since_s && before_s - fmax(was_since_s, t->hand_since_s) >= half_rest_s)
        t->events.broken_s = f->t_s;
    rc = change_patches_find(&t->patches, why);
    // A player reaches in as soon as nothing runs any more: the frame before shows where everything lies.
    const struct change_patch *comes = t->hand ? NULL : change_hand(&t->patches);
    if (rc == 0 && t->last && comes && comes->border && before_s - was_since_s >= half_rest_s) {
        rc = wrap_up(t, half_rest_s, why);
        rc = rc == 0 ? change_detect(&t->changes, f, why) : rc;
        rc = rc == 0 ? change_patches_find(&t->patches, why) : rc;
    }
    if (rc == 0)
        watch_hand(t);
    return rc == 0 ? events_watch(&t->events, &t->patches, why) : rc;
}

// Is this a moment to measure? Each stillness is measured once; that of the whole once more when its hand turns out to
// rest beside the game; that of the field alone, while hands move beside it, when a piece has departed.
static bool at_rest(struct rest *out, struct tracker *t)
{
    const struct track_tuning *tuning = &t->tuning->track;
    double whole_s = tracker_still_since(t), field_s = t->changes.still[STILL_FIELD].since_s;
    bool resting = t->t_s - whole_s >= tuning->resting_hand_s;
    if (t->t_s - whole_s >= tuning->rest_s && (t->state != TRACKER_LOCKED || (t->hand && resting))) {
        *out = (struct rest){ .since_s = whole_s, .whole = true, .hand = t->hand && !resting };
        return true;
    }
    if (t->state == TRACKER_LOCKED && t->measures_left > 0 && t->t_s - t->measured_s >= tuning->rest_s) {
        *out = (struct rest){ .since_s = whole_s, .whole = true, .hand = t->hand, .again = true };
        return true;
    }
    if (t->t_s - field_s < tuning->field_rest_s || field_s == t->field_s || !any_departed(t))
        return false;
    t->field_s = field_s;
    *out = (struct rest){ .since_s = field_s, .hand = true };
    return true;
}

// Gives out the events that are ready, then returns rc.
static int give_out(struct event_list *out, struct tracker *t, int rc, struct fail *why)
{
    int given = events_give_out(out, &t->events, why);
    return given < 0 ? given : rc;
}

// Refits the board between measurements: at the first still frames of each stillness, and now and then while nothing
// happens, for a drift is too slow for change detection.
static int glance(struct event_list *out, struct tracker *t, struct frame *f, struct fail *why)
{
    const struct track_tuning *tuning = &t->tuning->track;
    double since_s = tracker_still_since(t),
           ago_s = since_s == t->pose.looked_still_s ? f->t_s - t->pose.looked_s : INFINITY;
    bool camera_moved = false;
    if (!t->pose.refits || f->t_s - since_s < tuning->glance_after_s || ago_s < tuning->glance_every_s ||
        (ago_s < tuning->glance_steady_s && change_drift_in(&t->changes) < tuning->steady_in))
        return 0;
    int rc = tracker_check_board(t, f, since_s, why);
    for (int i = 0; i < t->events.ready.count; i++)
        camera_moved |= t->events.ready.item[i].observation.kind == OBS_CAMERA;
    if (rc == BOARD_UNKNOWN ||
        (rc == BOARD_KNOWN && camera_moved && (t->state == TRACKER_REACQUIRING || !any_departed(t))))
        return give_out(out, t, rc, why);
    return rc;
}

// Between two measurements: follows the board, measures ahead what has departed and seems to have stopped, and learns
// the empty board while nothing happens, for the longer it is seen the better it is known.
static int look_between(struct event_list *out, struct tracker *t, struct frame *f, struct fail *why)
{
    int rc = glance(out, t, f, why);
    if (rc == 0 && t->state == TRACKER_MOVING && any_departed(t)) {
        struct rest so_far = { .since_s = tracker_still_since(t), .whole = true, .hand = t->hand };
        struct moment soon = moment_of(t, &so_far);
        return measurement_take_ahead(&t->measurement, f, &t->events, &soon, why);
    }
    if (rc != 0 || t->state != TRACKER_LOCKED || t->hand || t->patches.count > 0 || any_departed(t) ||
        f->t_s - t->learnt_s < t->tuning->track.learn_every_s)
        return rc;
    rc = tracks_lay_over_background(&t->measurement.empty, f, &t->pose.pose, t->tuning, why);
    return rc < 0 ? rc : learn_background(t, f, NULL, why);
}

// Measures the pieces when nothing moves.
static int look_at_rest(struct event_list *out, struct tracker *t, struct frame *f, struct fail *why)
{
    struct rest r;
    if (!at_rest(&r, t))
        return look_between(out, t, f, why);
    int rc = r.again ? 0 : tracker_check_board(t, f, r.since_s, why);
    if (rc == BOARD_UNKNOWN)
        return give_out(out, t, rc, why);
    if (t->state == TRACKER_REACQUIRING)
        t->measures_left = (int)t->tuning->track.looks_again;
    else if (t->measures_left > 0)
        t->measures_left--;
    if (rc == 0 && (new_view(t) || r.again || t->patches.count > 0 || any_departed(t)))
        rc = measure(t, f, &r, why);
    if (rc == 0)
        rc = tracker_advance(t, r.whole && t->view_s < f->t_s ? TRACKER_MEASURED : TRACKER_MEASURED_IN_PART, why);
    if (rc < 0)
        return rc;
    t->measured_s = f->t_s;
    // A hand that lies beside the field when the shot is over does not hold up the call.
    if (!r.hand || (t->events.shot_open && !change_hand_over(&t->patches, &t->changes.still[STILL_FIELD])))
        report_still(t, &r);
    return events_give_out(out, &t->events, why);
}

// The footage was cut, or so much of it is lost.
static int cut(struct tracker *t, const struct observation *reason, struct fail *why)
{
    int rc = t->state == TRACKER_SEARCHING ? 0 : wrap_up(t, t->tuning->track.rest_s, why);
    if (rc == 0)
        rc = tracker_leave(t, reason, why);
    t->pose.pose.found = false;
    t->pose.search_again_s = -INFINITY;
    return rc;
}

int tracker_lose(struct tracker *t, double lost_s, struct fail *why)
{
    const struct observation lost = { OBS_CAMERA, t->known_s, .camera = { CAMERA_DAMAGED, 0, lost_s } };
    if (t->state != TRACKER_SEARCHING && observation_hides(&lost)) {
        shot_boundary_finish(&t->boundary);
        shot_boundary_begin(&t->boundary, &t->tuning->track);
        return cut(t, &lost, why);
    }
    events_add(&t->events, &lost);
    t->unsettled = true;
    change_unsettle(&t->changes, t->t_s);
    return t->state == TRACKER_SEARCHING ? 0 : tracker_advance(t, TRACKER_CHANGED, why);
}

int tracker_feed(struct event_list *out, struct tracker *t, struct frame *f, struct fail *why)
{
    enum shot_boundary_verdict boundary;
    struct observation end;
    out->count = 0;
    if (t->width > 0 && (f->width != t->width || f->height != t->height))
        return rs_fail(why, RS_EINPUT, "a frame of %d x %d in a stream of %d x %d: all frames must have one size",
                       f->width, f->height, t->width, t->height);
    if (t->width > 0 && f->t_s < t->t_s)
        return rs_fail(why, RS_EINPUT, "a frame of %.3f s after one of %.3f s: feed frames in order", f->t_s, t->t_s);
    t->width = f->width;
    t->height = f->height;
    t->t_s = f->t_s;
    if (f->doubtful)
        return 0;
    int rc = f->lost_s > 0 ? tracker_lose(t, f->lost_s, why) : 0;
    t->known_s = f->t_s;
    if (rc == 0)
        rc = shot_boundary_look(&boundary, &t->boundary, f, why);
    if (rc != 0 || boundary == BOUNDARY_SUSPECTED)
        return rc;
    if (boundary == BOUNDARY_CUT && (rc = shot_boundary_end(&end, &t->boundary, f, t->boundary.suspected_s, why)) == 0)
        rc = cut(t, &end, why);
    if (rc == 0)
        rc = t->state == TRACKER_SEARCHING ? tracker_search(t, f, why) : watch(t, f, why);
    if (rc == 0)
        rc = look_at_rest(out, t, f, why);
    if (rc == BOARD_UNKNOWN && boundary == BOUNDARY_CUT) // that there was a cut is reported at once
        return events_give_out(out, &t->events, why);
    if (rc != 0)
        return rc < 0 ? rc : 0;
    frame_free(t->last);
    t->last = NULL;
    return any_departed(t) ? frame_keep(&t->last, f, why) : 0;
}

int tracker_finish(struct event_list *out, struct tracker *t, struct fail *why)
{
    out->count = 0;
    int rc = t->state == TRACKER_SEARCHING || !t->pose.pose.found ? 0 : wrap_up(t, t->tuning->track.rest_s, why);
    rc = rc < 0 ? rc : events_give_out(out, &t->events, why);
    if (rc < 0 || t->pose.ever_found)
        return rc;
    rs_fail(why, RS_EINPUT, "%s", t->pose.unfound.text[0] ? t->pose.unfound.text : "there was no frame");
    return 1;
}

void tracker_view(struct tracker_view *out, const struct tracker *t)
{
    const struct reconstruction *s = &t->events;
    *out = (struct tracker_view){ .count = s->count, .hand = t->hand };
    for (int i = 0; i < s->count; i++) {
        out->id[i] = s->track[i].id;
        out->moving[i] = !isinf(s->track[i].absent_since_s);
        out->piece[i] = s->track[i].piece;
    }
}

void tracker_inside(struct tracker_inside *out, const struct tracker *t)
{
    *out = (struct tracker_inside){ .state = t->state,
                                    .taken = (const long(*)[TRACKER_INPUTS])t->taken,
                                    .changes = &t->changes,
                                    .patches = &t->patches,
                                    .motions = &t->events.motions,
                                    .track = t->events.track,
                                    .tracks = t->events.count,
                                    .empty = t->measurement.empty,
                                    .global_change_s = t->global_change_s,
                                    .measured_s = t->measured_s,
                                    .unfound = t->state == TRACKER_SEARCHING ? t->pose.unfound.text : "" };
}
