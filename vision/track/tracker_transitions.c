// SPDX-License-Identifier: MIT
#include "vision/track/tracker_transitions.h"

#include <math.h>

int tracker_advance(struct tracker *t, enum tracker_input input, struct fail *why)
{
    enum tracker_state from = t->state;
    if (!tracker_next(&t->state, input))
        return rs_fail(why, RS_EINTERNAL, "a tracker in state %d was given input %d", (int)from, (int)input);
    t->taken[from][input]++;
    if (input == TRACKER_BOARD_FOUND || input == TRACKER_BOARD_DOUBTED || input == TRACKER_VIEW_MOVED ||
        input == TRACKER_VIEW_TURNED) {
        t->view_s = t->t_s;
        t->field_s = -INFINITY;
    }
    return 0;
}

static void report_camera(struct tracker *t, double t_s, enum camera_event what, double shift_in)
{
    events_add(&t->events, &(struct observation){ OBS_CAMERA, t_s, .camera = { what, shift_in } });
    t->unsettled = true;
}

// Most of the picture has changed at once since the pieces were measured.
static bool was_knocked(const struct tracker *t)
{
    return t->global_change_s > t->measured_s;
}

// When the camera was moved, given that the present stillness began at since_s.
static double knock_s(const struct tracker *t, double since_s)
{
    return was_knocked(t) ? t->knocked_s : since_s;
}

// Was a hand over the board before the camera was knocked? What came with the knock are the board's own edges.
static bool hand_before(const struct tracker *t, double knocked_s)
{
    return t->hand && t->hand_since_s < knocked_s;
}

// Takes a board that was found: frames are compared anew, and the pieces that lie on it have to be recognised.
static int lock(struct tracker *t, const struct board_pose *found, struct frame *f, struct fail *why)
{
    struct camera before = t->pose.viewed;
    double shift_in;
    int rc = pose_lock(&shift_in, &t->pose, found, f, why);
    rc = rc < 0 ? rc : tracker_advance(t, TRACKER_BOARD_FOUND, why);
    if (rc < 0)
        return rc;
    struct change_detector old = t->changes;
    t->pose.looked_s = f->t_s;
    t->pose.steady = true;
    if (t->measurement.empty)
        background_seen_anew(t->measurement.empty);
    report_camera(t, f->t_s, CAMERA_LOCKED, t->cut ? 0 : shift_in); // two views are not one that moved
    change_patches_finish(&t->patches);
    rc = change_detector_create(&t->changes, f, &t->pose.pose, &t->tuning->track, why);
    rc = rc < 0 ? rc : change_patches_create(&t->patches, &t->changes, why);
    if (rc == 0 && t->boundary.first) // what lies in it as it does now has lain still since then
        rc = change_detect(&t->changes, t->boundary.first, why);
    rc = rc < 0 ? rc : change_detect(&t->changes, f, why);
    if (rc == 0)
        change_take_reference(&t->changes);
    if (rc == 0 && hand_before(t, t->lost_s))
        rc = change_carry_reference(&t->changes, &old, &before, &t->pose.pose.camera, why);
    if (rc == 0) {
        stabiliser_set_view(&t->stabiliser, &t->changes);
        events_new_view(&t->events, &t->changes, t->lost_s);
    }
    change_detector_finish(&old);
    return rc;
}

int tracker_search(struct tracker *t, struct frame *f, struct fail *why)
{
    struct board_pose found;
    struct pose_tracker *p = &t->pose;
    if (t->boundary.still_since_s > p->searched_s &&
        f->t_s >= fmax(p->searched_s + t->tuning->track.search_still_s,
                       t->boundary.still_since_s + t->tuning->track.glance_after_s))
        p->search_again_s = f->t_s;
    int rc = pose_search(&found, p, f, why);
    if (rc != 0)
        return rc < 0 ? rc : BOARD_UNKNOWN;
    return lock(t, &found, f, why);
}

// The board's picture moved, and with it all that lies on the board. This frame becomes the reference, but for a hand
// in it.
static int take_new_view(struct tracker *t, const struct camera *before, struct fail *why)
{
    if (t->measurement.empty)
        background_seen_anew(t->measurement.empty);
    change_detector_set_pose(&t->changes, &t->pose.pose);
    int rc = tracker_advance(t, TRACKER_VIEW_MOVED, why);
    if (rc == 0 && hand_before(t, knock_s(t, tracker_still_since(t))))
        rc = change_carry_reference(&t->changes, &t->changes, before, &t->pose.pose.camera, why);
    else
        change_take_reference(&t->changes);
    if (rc == 0)
        rc = change_patches_find(&t->patches, why);
    if (rc == 0)
        events_new_view(&t->events, &t->changes, knock_s(t, INFINITY));
    return rc;
}

int tracker_leave(struct tracker *t, const struct observation *reason, struct fail *why)
{
    if (t->state != TRACKER_SEARCHING) {
        if (t->hand)
            events_add(&t->events, &(struct observation){ .kind = OBS_HAND, .t_s = reason->t_s });
        events_add(&t->events, reason);
        t->unsettled = true;
        events_cut(&t->events);
    }
    frame_free(t->last);
    t->last = NULL;
    t->hand = false;
    t->cut = t->pose.ever_found;
    t->pose.another_view |= t->cut && reason->camera.what == CAMERA_CUT;
    return tracker_advance(t, TRACKER_CUT, why);
}

// The board's lines are not seen where they were: searches the whole picture. A board_look, or an error.
static int find_it_again(struct tracker *t, struct frame *f, double since_s, struct fail *why)
{
    bool knocked = was_knocked(t), unmoved = !knocked && pose_view_unmoved(&t->pose, f);
    struct board_pose found;
    int rc = pose_search(&found, &t->pose, f, why);
    t->pose.pose.found = t->pose.pose.found && rc >= 0; // of a search that was ended nothing is known
    if (rc < 0 || (rc == 1 && !knocked && (t->hand || unmoved)))
        return rc < 0 ? rc : BOARD_KNOWN; // only a hand hides it, or its lines are faint
    bool in_place = rc == 0 && !knocked && pose_in_place(&t->pose, &found);
    if (in_place || (rc == 0 && unmoved && pose_agrees(&t->pose, &found))) { // only the lines were hidden
        t->pose.search_again_s = f->t_s + t->tuning->track.search_every_s;
        return in_place ? pose_lock(&(double){ 0 }, &t->pose, &found, f, why) : BOARD_KNOWN;
    }
    t->lost_s = knock_s(t, since_s);
    bool another_view = t->board_view.luma && shot_boundary_differs(&t->boundary, &t->board_view); // it was faded over
    struct observation end;
    int lost;
    if (!another_view) {
        report_camera(t, t->lost_s, CAMERA_LOST, 0);
        lost = tracker_advance(t, TRACKER_BOARD_LOST, why);
    } else if ((lost = shot_boundary_end(&end, &t->boundary, f, t->lost_s, why)) == 0) {
        lost = tracker_leave(t, &end, why);
    }
    if (lost < 0)
        return lost;
    t->pose.pose.found = rc == 0;
    return rc == 0 ? lock(t, &found, f, why) : BOARD_UNKNOWN;
}

int tracker_check_board(struct tracker *t, struct frame *f, double since_s, struct fail *why)
{
    struct refit r;
    struct board_pose now = t->pose.pose;
    if (t->state == TRACKER_REACQUIRING)
        return BOARD_KNOWN;
    t->pose.looked_s = f->t_s;
    t->pose.looked_still_s = tracker_still_since(t);
    int rc = pose_refit(&r, &now, &t->pose, f, why);
    rc = rc == 0 && r.seen ? shot_boundary_keep(&t->board_view, &t->boundary, why) : rc;
    rc = rc == 0 && r.seen ? pose_keep_view(&t->pose, f, why) : rc;
    if (rc < 0)
        return rc;
    if (!r.seen && f->t_s >= t->pose.search_again_s)
        return find_it_again(t, f, since_s, why);
    if (!r.seen) {
        if (!t->pose.refits || (!was_knocked(t) && (t->hand || pose_view_unmoved(&t->pose, f))))
            return BOARD_KNOWN;
        rc = tracker_advance(t, TRACKER_BOARD_DOUBTED, why);
        return rc < 0 ? rc : BOARD_UNKNOWN;
    }
    double shift_in;
    struct camera before = t->pose.viewed;
    rc = pose_follow(&shift_in, &t->pose, &now, &r) ? take_new_view(t, &before, why) : 0;
    if (shift_in > 0)
        report_camera(t, since_s, CAMERA_MOVED, shift_in);
    return rc;
}

int tracker_turn_by_pieces(struct tracker *t, double t_s, struct fail *why)
{
    struct detection_list *seen = &t->measurement.seen;
    const struct reconstruction *s = &t->events;
    bool bare = !t->pose.pose.turn_seen;
    bool missed = t->state == TRACKER_VERIFYING || events_missed(s, &t->changes) > t->tuning->track.missed_share;
    if (s->count == 0 || !(t->state == TRACKER_REACQUIRING || (bare && missed)))
        return 0;
    double turn_rad = relocalise_by_pieces(s->track, s->count, seen, !bare, &t->tuning->track);
    relocalise_pieces(seen, turn_rad);
    double shift_in = pose_turn(&t->pose, turn_rad);
    if (!(shift_in > 0))
        return 0;
    report_camera(t, t_s, CAMERA_MOVED, shift_in);
    change_take_reference(&t->changes); // unturned, it differed everywhere
    t->patches.count = 0;
    return tracker_advance(t, TRACKER_VIEW_TURNED, why);
}
