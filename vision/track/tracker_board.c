// SPDX-License-Identifier: MIT
#include "vision/track/tracker_board.h"

#include <math.h>

#include "vision/board/turn.h"
#include "vision/track/regain.h"

static const double LOOK_AGAIN_S = 1.0;     // between two searches for a board that was not found
static const double SHIFT_BUDGET_IN = 0.02; // the board's picture may move by this before it is said and measured anew
static const double SURE_SIGMAS = 4;        // of the pose: less is noise
static const double STEADY_IN = 0.01;       // between two looks: a drift that is still going on is not told yet
static const double MISSED_SHARE = 0.5;     // of the pieces are not where they were: the view has turned

static void say_camera(struct tracker *e, double t_s, enum camera_event state, double shift_in)
{
    story_add(&e->story,
              &(struct happening){ .kind = HAPPENED_CAMERA, .t_s = t_s, .camera = state, .shift_in = shift_in });
    e->unsettled = e->camera_told = true;
}

// When whatever moved the camera did so, by a quiet that began at since_s.
static double knock_s(const struct tracker *e, double since_s)
{
    return e->upset_s > e->measured_s ? e->knocked_s : since_s;
}

// A hand that was over the board before the camera was knocked; what came with the knock is the board's own edges.
static bool hand_before(const struct tracker *e, double knocked_s)
{
    return e->hand && e->hand_since_s < knocked_s;
}

static int start_gate(struct tracker *e, const struct frame *f, struct fail *why)
{
    blobs_finish(&e->blobs);
    int rc = gate_create(&e->gate, f, &e->aim.pose, why);
    if (rc == 0)
        rc = blobs_create(&e->blobs, &e->gate, why);
    return rc == 0 ? gate_look(&e->gate, f, why) : rc;
}

// 1 when there is none, with the reason in e->last_look.
static int search(struct board_pose *found, struct tracker *e, struct frame *f, struct fail *why)
{
    e->last_look = (struct fail){ 0 };
    int rc = e->find.board(found, f, &e->wanted, e->has_lens ? &e->lens : NULL, e->tuning, &e->last_look);
    if (rc < 0)
        return rs_fail(why, rc, "%s", e->last_look.text);
    if (found->found)
        return 0;
    e->look_again_s = f->t_s + LOOK_AGAIN_S;
    return 1;
}

static int lock(struct tracker *e, const struct board_pose *found, struct frame *f, struct fail *why)
{
    struct gate old = e->gate;
    struct camera before = e->aim.viewed;
    double shift_in = aim_lock(&e->aim, &e->find, found, f, e->tuning);
    e->glanced_s = f->t_s;
    e->afresh = e->new_view = e->steady = true;
    rests_forget(&e->rests);
    if (e->surface)
        background_seen_anew(e->surface);
    say_camera(e, f->t_s, CAMERA_LOCKED, shift_in);
    int rc = start_gate(e, f, why);
    if (rc == 0 && hand_before(e, e->lost_s))
        rc = gate_carry_clean(&e->gate, &old, &before, &e->aim.pose.camera, why);
    if (rc == 0)
        story_new_view(&e->story, &e->gate, &e->aim.pose, e->lost_s);
    gate_finish(&old);
    return rc;
}

// The camera moved: the frame is clean from now on, but for a hand in it; what lies on the board lies elsewhere in the
// picture.
static int take_new_view(struct tracker *e, struct fail *why)
{
    int rc = 0;
    if (e->surface)
        background_seen_anew(e->surface);
    gate_aim(&e->gate, &e->aim.pose);
    if (hand_before(e, knock_s(e, tracker_quiet_since(e, QUIET_WHOLE))))
        rc = gate_carry_clean(&e->gate, &e->gate, &e->aim.viewed, &e->aim.pose.camera, why);
    else
        gate_keep_clean(&e->gate);
    tracker_gather(e);
    story_new_view(&e->story, &e->gate, &e->aim.pose, knock_s(e, INFINITY));
    e->aim.viewed = e->aim.pose.camera;
    e->new_view = true;
    rests_forget(&e->rests);
    return rc;
}

static int find_it_again(struct tracker *e, struct frame *f, double since_s, struct fail *why)
{
    bool upset = e->upset_s > e->measured_s;
    struct board_pose found;
    int rc = search(&found, e, f, why);
    if (rc < 0 || (rc == 1 && e->hand && !upset))
        return rc < 0 ? rc : 0; // only a hand hides it
    if (rc == 0) {
        aim_carry_over(&found, &e->aim, &e->find, f, e->tuning);
        bool in_place = board_shift_in(&found.board, &e->aim.pose.camera, &found.camera) < SHIFT_BUDGET_IN;
        if (in_place && !upset) { // only the lines were hidden
            aim_lock(&e->aim, &e->find, &found, f, e->tuning);
            e->look_again_s = f->t_s + LOOK_AGAIN_S;
            return 0;
        }
    }
    e->lost_s = knock_s(e, since_s);
    say_camera(e, e->lost_s, CAMERA_LOST, 0);
    e->aim.pose.found = rc == 0;
    return rc == 0 ? lock(e, &found, f, why) : rc;
}

// The pose is followed always, so that no call comes from a stale one. A knock is told at once, a drift when it ends.
static int follow_board(struct tracker *e, const struct board_pose *now, const struct refit *r, double since_s,
                        struct fail *why)
{
    int rc = 0;
    double step_in = board_shift_in(&e->aim.pose.board, &e->aim.pose.camera, &now->camera);
    double least_in = fmax(SHIFT_BUDGET_IN, SURE_SIGMAS * r->sigma_in);
    aim_follow(&e->aim, now, r);
    if (aim_moved_in(&e->aim, &e->aim.viewed) > least_in)
        rc = take_new_view(e, why);
    double shift_in = aim_moved_in(&e->aim, &e->aim.told);
    bool was_steady = e->steady;
    e->steady = step_in <= STEADY_IN;
    if (shift_in <= least_in || !(e->steady || (was_steady && step_in > SHIFT_BUDGET_IN)))
        return rc;
    say_camera(e, since_s, CAMERA_MOVED, shift_in);
    e->aim.told = e->aim.pose.camera;
    return rc;
}

int tracker_check_board(struct tracker *e, struct frame *f, double since_s, struct fail *why)
{
    struct refit r;
    struct board_pose now = e->aim.pose;
    if (e->afresh)
        return 0;
    e->find.refit(&r, &now, f, e->tuning);
    e->glanced_s = f->t_s;
    e->glanced_at_s = tracker_quiet_since(e, QUIET_WHOLE);
    if (!r.seen && f->t_s >= e->look_again_s)
        return find_it_again(e, f, since_s, why);
    if (!r.seen && e->aim.refits && !e->hand)
        rests_forget(&e->rests); // nothing is measured until it is known where the board is
    if (!r.seen)
        return e->aim.refits && !e->hand;
    return follow_board(e, &now, &r, since_s, why);
}

// A bare ring looks the same after any turn, but what lies in it does not.
bool tracker_may_have_turned(const struct tracker *e)
{
    bool bare = !e->aim.pose.turn_seen;
    return e->story.count > 0 &&
           (e->afresh || (bare && (e->new_view || story_missed(&e->story, &e->gate) > MISSED_SHARE)));
}

void tracker_turn_by_pieces(struct tracker *e, struct detection_list *seen, double t_s)
{
    double turn_rad = regain_turn_of_pieces(e->story.piece, e->story.count, seen, e->aim.pose.turn_seen);
    regain_turn_pieces(seen, turn_rad);
    turn_found(&e->aim.pose, turn_rad);
    double shift_in = aim_moved_in(&e->aim, &e->aim.told);
    e->aim.viewed = e->aim.pose.camera;
    if (turn_rad == 0 || !(shift_in > SHIFT_BUDGET_IN))
        return;
    say_camera(e, t_s, CAMERA_MOVED, shift_in);
    e->aim.told = e->aim.pose.camera;
    e->afresh = e->new_view = true;
    gate_keep_clean(&e->gate); // unturned, it differed everywhere
    e->blobs.count = 0;
    rests_forget(&e->rests);
}

int tracker_look_for_board(struct tracker *e, struct frame *f, struct fail *why)
{
    struct board_pose found;
    int rc = f->t_s >= e->look_again_s ? search(&found, e, f, why) : 1;
    if (rc != 0)
        return rc;
    if (e->aim.ever_found)
        aim_carry_over(&found, &e->aim, &e->find, f, e->tuning);
    return lock(e, &found, f, why);
}
