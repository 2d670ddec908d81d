// SPDX-License-Identifier: MIT
#include "vision/eye.h"

#include <math.h>
#include <stdlib.h>

#include "vision/board/turn.h"
#include "vision/follow/aim.h"
#include "vision/follow/evidence.h"
#include "vision/follow/finders.h"
#include "vision/follow/inside.h"
#include "vision/follow/regain.h"
#include "vision/follow/rest.h"
#include "vision/follow/story.h"

static const double UPSET_SHARE = 0.25;     // of the picture changes at once: no hand is so large and so quick
static const double UPSETS_APART_S = 0.5;   // what swings upsets the picture again and again
static const double LOOK_AGAIN_S = 1.0;     // between two searches for a board that was not found
static const double SHIFT_BUDGET_IN = 0.02; // the board's picture may move by this before it is said and measured anew
static const double SURE_SIGMAS = 4;        // of the pose: less is noise
static const double STEADY_IN = 0.01;       // between two looks: a drift that is still going on is not told yet
static const double GLANCE_S = 0.05;        // without change: whatever knocked the camera has let go of it
static const double GLANCE_EVERY_S = 0.25;  // at rest; a lens breathes in a second
static const double MISSED_SHARE = 0.5;     // of the pieces are not where they were: the view has turned
static const double LEAST_PX = 4;           // reduced pixels of a patch: fewer are noise
static const double LEAST_OF_PIECE = 0.25;  // of its area: less is noise, or too little to say anything about

struct eye {
    struct board wanted;
    struct lens lens;
    bool has_lens;
    struct eye_finders find;
    struct aim aim;
    struct gate gate;
    struct blobs blobs;
    enum patch_kind kind[BLOBS_MAX]; // beside the blobs
    struct story story;
    bool any_frame;
    int width, height;
    double t_s;
    double look_again_s; // for the board, not before
    struct rests rests;
    double measured_s;   // the last moment at which everything was known to lie where it lies
    double upset_s;      // when most of the picture last changed at once: a knock, a cut
    double knocked_s;    // and when that began
    double lost_s;       // when the camera was knocked so that the board had to be found again
    double glanced_s;    // when the board was last looked for where it was,
    double glanced_at_s; // and the start of that quiet
    bool steady;         // the last two looks agreed
    bool new_view;       // the pieces have not been measured since the camera moved
    bool afresh;         // nor since the board was found
    bool camera_told;    // a movement waits to be given out
    bool unsettled;      // something happened since the last still moment
    bool hand;
    double hand_since_s;
    struct frame *last; // the frame before this one, while something is on its way; else NULL
    struct fail last_look;
};

static double quiet_since(const struct eye *e, int which)
{
    return e->gate.quiet[which].since_s;
}

int eye_create_with(struct eye **out, const struct board *wanted, const struct lens *lens,
                    const struct eye_finders *finders, struct fail *why)
{
    struct eye *e = calloc(1, sizeof *e);
    *out = e;
    if (!e)
        return rs_fail(why, RS_ELIB, "no memory to follow a game");
    e->wanted = *wanted;
    e->has_lens = lens != NULL;
    if (lens)
        e->lens = *lens;
    e->find = *finders;
    e->story.last_told_s = e->upset_s = -INFINITY;
    rests_forget(&e->rests);
    return 0;
}

int eye_create(struct eye **out, const struct board *wanted, const struct lens *lens, struct fail *why)
{
    struct eye_finders finders = { board_find, board_refit, pieces_find };
    return eye_create_with(out, wanted, lens, &finders, why);
}

void eye_free(struct eye *e)
{
    if (!e)
        return;
    gate_finish(&e->gate);
    blobs_finish(&e->blobs);
    frame_free(e->last);
    free(e);
}

const struct found_board *eye_board(const struct eye *e)
{
    return &e->aim.on;
}

static void say_camera(struct eye *e, double t_s, enum camera_state state, double shift_in)
{
    story_add(&e->story,
              &(struct happening){ .kind = HAPPENED_CAMERA, .t_s = t_s, .camera = state, .shift_in = shift_in });
    e->unsettled = e->camera_told = true;
}

// When whatever moved the camera did so, by a quiet that began at since_s.
static double knock_s(const struct eye *e, double since_s)
{
    return e->upset_s > e->measured_s ? e->knocked_s : since_s;
}

// A hand that was over the board before the camera was knocked; what came with the knock is the board's own edges.
static bool hand_before(const struct eye *e, double knocked_s)
{
    return e->hand && e->hand_since_s < knocked_s;
}

static int start_gate(struct eye *e, const struct frame *f, struct fail *why)
{
    blobs_finish(&e->blobs);
    int rc = gate_create(&e->gate, f, &e->aim.on, why);
    if (rc == 0)
        rc = blobs_create(&e->blobs, &e->gate, why);
    return rc == 0 ? gate_look(&e->gate, f, why) : rc;
}

// 1 when there is none, with the reason in e->last_look.
static int search(struct found_board *found, struct eye *e, struct frame *f, struct fail *why)
{
    e->last_look = (struct fail){ 0 };
    int rc = e->find.board(found, f, &e->wanted, e->has_lens ? &e->lens : NULL, &e->last_look);
    if (rc < 0)
        return rs_fail(why, rc, "%s", e->last_look.text);
    if (found->found)
        return 0;
    e->look_again_s = f->t_s + LOOK_AGAIN_S;
    return 1;
}

static int lock(struct eye *e, const struct found_board *found, struct frame *f, struct fail *why)
{
    struct gate old = e->gate;
    struct camera before = e->aim.viewed;
    double shift_in = aim_lock(&e->aim, &e->find, found, f);
    e->glanced_s = f->t_s;
    e->afresh = e->new_view = e->steady = true;
    rests_forget(&e->rests);
    say_camera(e, f->t_s, CAMERA_LOCKED, shift_in);
    int rc = start_gate(e, f, why);
    if (rc == 0 && hand_before(e, e->lost_s))
        rc = gate_carry_clean(&e->gate, &old, &before, &e->aim.on.camera, why);
    if (rc == 0)
        story_new_view(&e->story, &e->gate, &e->aim.on, e->lost_s);
    gate_finish(&old);
    return rc;
}

static void give_out(struct eye *e, struct happenings *out)
{
    e->camera_told = false;
    story_give_out(&e->story, out);
}

static void gather(struct eye *e)
{
    double least = LEAST_OF_PIECE * PI / 4 * e->gate.piece_px * e->gate.piece_px;
    blobs_find(&e->blobs, &e->gate, (int)fmax(LEAST_PX, least));
    for (int i = 0; i < e->blobs.count; i++)
        e->kind[i] = trail_kind(&e->blobs.item[i], &e->gate, &e->aim.on);
}

static void watch_hand(struct eye *e)
{
    bool hand = false;
    struct pt_in at = { 0, 0 };
    for (int i = 0; i < e->blobs.count; i++) {
        struct pt_px px = { e->blobs.item[i].u, e->blobs.item[i].v };
        if (e->kind[i] != PATCH_HAND)
            continue;
        hand = true;
        camera_locate(&at, &e->aim.on.camera, px, 0);
    }
    if (hand && !e->hand)
        e->hand_since_s = e->t_s;
    if (hand != e->hand)
        story_add(&e->story, &(struct happening){ .kind = HAPPENED_HAND, .t_s = e->t_s, .over = hand, .at = at });
    e->hand = hand;
    e->unsettled |= hand;
}

static bool any_departed(const struct eye *e)
{
    for (int i = 0; i < e->story.count; i++)
        if (!isinf(e->story.piece[i].absent_since_s))
            return true;
    return evidence_first_run(&e->story.trail, &e->aim.on.board) != NULL;
}

// A bare ring looks the same after any turn, but what lies in it does not.
static bool may_have_turned(const struct eye *e)
{
    bool bare = !e->aim.on.turn_seen;
    return e->story.count > 0 &&
           (e->afresh || (bare && (e->new_view || story_missed(&e->story, &e->gate) > MISSED_SHARE)));
}

// After a movement of the camera the pieces say which way round the board lies.
static void turn_by_pieces(struct eye *e, struct piece_list *seen, double t_s)
{
    double turn_rad = regain_turn_of_pieces(e->story.piece, e->story.count, seen, e->aim.on.turn_seen);
    regain_turn_pieces(seen, turn_rad);
    turn_found(&e->aim.on, turn_rad);
    double shift_in = aim_moved_in(&e->aim, &e->aim.told);
    e->aim.viewed = e->aim.on.camera;
    if (turn_rad == 0 || !(shift_in > SHIFT_BUDGET_IN))
        return;
    say_camera(e, t_s, CAMERA_MOVED, shift_in);
    e->aim.told = e->aim.on.camera;
    e->afresh = e->new_view = true;
    gate_keep_clean(&e->gate); // unturned, it differed everywhere
    e->blobs.count = 0;
    rests_forget(&e->rests);
}

static int measure(struct eye *e, struct frame *f, const struct rest *r, struct fail *why)
{
    struct piece_list seen;
    int rc = e->find.pieces(&seen, f, &e->aim.on, why);
    if (rc < 0)
        return rc;
    if (may_have_turned(e))
        turn_by_pieces(e, &seen, r->since_s);
    story_tell(&e->story, &(struct moment){ .gate = &e->gate,
                                            .blobs = &e->blobs,
                                            .kind = e->kind,
                                            .on = &e->aim.on,
                                            .seen = &seen,
                                            .trail = &e->story.trail,
                                            .t_s = r->since_s,
                                            .hand = r->hand,
                                            .new_view = e->new_view,
                                            .afresh = e->afresh });
    e->afresh = e->new_view = false;
    return 0;
}

static void call_still(struct eye *e, const struct rest *r)
{
    if (!e->hand || !r->hand)
        gate_keep_clean(&e->gate);
    if (e->hand && !r->hand) {
        story_add(&e->story, &(struct happening){ .kind = HAPPENED_HAND, .t_s = r->since_s });
        e->hand = false;
    }
    if (e->unsettled || e->story.ready.count > 0)
        story_add(&e->story, &(struct happening){ .kind = HAPPENED_STILL,
                                                  .t_s = r->since_s,
                                                  .rms_px = e->aim.on.rms_px,
                                                  .line_sigma_in = e->aim.on.line_sigma_in });
    e->unsettled = e->story.shot_open = false;
}

// The view ends, by a cut or with the stream: what the last frame before it showed has to do. Nothing is told while
// something still ran in it.
static int wrap_up(struct eye *e, struct fail *why)
{
    const struct trail *t = &e->story.trail;
    if (!e->last || (t->count > 0 && e->last->t_s - t->step[t->count - 1].t_s < REST_QUIET_S))
        return 0;
    int rc = gate_look(&e->gate, e->last, why);
    if (rc < 0)
        return rc;
    gather(e);
    struct rest r = { e->last->t_s, true };
    rc = measure(e, e->last, &r, why);
    if (rc == 0 && e->story.shot_open)
        call_still(e, &r);
    frame_free(e->last);
    e->last = NULL;
    return rc;
}

// A copy of the last frame, as long as something is on its way.
static int keep_last(struct eye *e, const struct frame *f, struct fail *why)
{
    frame_free(e->last);
    e->last = NULL;
    return any_departed(e) ? frame_copy(&e->last, f, why) : 0;
}

static int watch(struct eye *e, const struct frame *f, struct fail *why)
{
    double was_quiet_since = quiet_since(e, QUIET_WHOLE), before = e->gate.t_s;
    int rc = gate_look(&e->gate, f, why);
    if (rc == 0 && e->gate.moved > UPSET_SHARE * (double)e->gate.looked_at) {
        if (f->t_s - e->upset_s > UPSETS_APART_S)
            e->knocked_s = f->t_s;
        e->upset_s = f->t_s;
        rc = wrap_up(e, why);
        if (rc == 0)
            rc = gate_look(&e->gate, f, why);
    }
    if (rc < 0)
        return rc;
    if (e->hand && quiet_since(e, QUIET_WHOLE) > was_quiet_since &&
        before - fmax(was_quiet_since, e->hand_since_s) >= REST_QUIET_S / 2)
        e->story.broken_s = f->t_s;
    gather(e);
    watch_hand(e);
    story_watch(&e->story, &e->gate, &e->blobs, e->kind, &e->aim.on);
    return 0;
}

// The camera moved: the frame is clean from now on, but for a hand in it; what lies on the board lies elsewhere in the
// picture.
static int take_new_view(struct eye *e, struct fail *why)
{
    int rc = 0;
    gate_aim(&e->gate, &e->aim.on);
    if (hand_before(e, knock_s(e, quiet_since(e, QUIET_WHOLE))))
        rc = gate_carry_clean(&e->gate, &e->gate, &e->aim.viewed, &e->aim.on.camera, why);
    else
        gate_keep_clean(&e->gate);
    gather(e);
    story_new_view(&e->story, &e->gate, &e->aim.on, knock_s(e, INFINITY));
    e->aim.viewed = e->aim.on.camera;
    e->new_view = true;
    rests_forget(&e->rests);
    return rc;
}

static int find_it_again(struct eye *e, struct frame *f, double since_s, struct fail *why)
{
    bool upset = e->upset_s > e->measured_s;
    struct found_board found;
    int rc = search(&found, e, f, why);
    if (rc < 0 || (rc == 1 && e->hand && !upset))
        return rc < 0 ? rc : 0; // only a hand hides it
    if (rc == 0) {
        aim_carry_over(&found, &e->aim, &e->find, f);
        bool in_place = board_shift_in(&found.board, &e->aim.on.camera, &found.camera) < SHIFT_BUDGET_IN;
        if (in_place && !upset) { // only the lines were hidden
            aim_lock(&e->aim, &e->find, &found, f);
            e->look_again_s = f->t_s + LOOK_AGAIN_S;
            return 0;
        }
    }
    e->lost_s = knock_s(e, since_s);
    say_camera(e, e->lost_s, CAMERA_LOST, 0);
    e->aim.on.found = rc == 0;
    return rc == 0 ? lock(e, &found, f, why) : rc;
}

// The pose is followed always, so that no call comes from a stale one. A knock is told at once, a drift when it ends.
static int follow_board(struct eye *e, const struct found_board *now, const struct refit *r, double since_s,
                        struct fail *why)
{
    int rc = 0;
    double step_in = board_shift_in(&e->aim.on.board, &e->aim.on.camera, &now->camera);
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
    e->aim.told = e->aim.on.camera;
    return rc;
}

// Is the board where it was? 1 when it is nowhere, or not known to be anywhere.
static int check_board(struct eye *e, struct frame *f, double since_s, struct fail *why)
{
    struct refit r;
    struct found_board now = e->aim.on;
    if (e->afresh)
        return 0;
    e->find.refit(&r, &now, f);
    e->glanced_s = f->t_s;
    e->glanced_at_s = quiet_since(e, QUIET_WHOLE);
    if (!r.seen && f->t_s >= e->look_again_s)
        return find_it_again(e, f, since_s, why);
    if (!r.seen && e->aim.refits && !e->hand)
        rests_forget(&e->rests); // nothing is measured until it is known where the board is
    if (!r.seen)
        return e->aim.refits && !e->hand;
    return follow_board(e, &now, &r, since_s, why);
}

// A hand that lies beside the field when the shot is over does not hold up the call.
static bool is_still(const struct eye *e, const struct rest *r)
{
    return !r->hand ||
           (e->story.shot_open && !trail_hand_over(&e->blobs, e->kind, &e->gate, &e->gate.quiet[QUIET_FIELD]));
}

// Between two measurements: at the first still frames of each quiet, and now and then while nothing happens, for a drift
// is too slow for the gate.
static int glance(struct eye *e, struct frame *f, struct happenings *out, struct fail *why)
{
    double since_s = quiet_since(e, QUIET_WHOLE);
    if (!e->aim.refits || f->t_s - since_s < GLANCE_S ||
        (since_s == e->glanced_at_s && f->t_s - e->glanced_s < GLANCE_EVERY_S))
        return 0;
    int rc = check_board(e, f, since_s, why);
    if (rc > 0 || (rc == 0 && e->camera_told && (e->afresh || !any_departed(e))))
        give_out(e, out);
    return rc;
}

// Nothing moves: where does everything lie?
static int settle(struct eye *e, struct frame *f, struct happenings *out, struct fail *why)
{
    struct rest r;
    if (!rests_take(&r, &e->rests, &e->gate, e->hand, any_departed(e)))
        return glance(e, f, out, why);
    int rc = check_board(e, f, r.since_s, why);
    if (rc != 0) {
        if (rc > 0)
            give_out(e, out);
        return rc;
    }
    if (e->new_view || e->blobs.count > 0 || any_departed(e))
        rc = measure(e, f, &r, why);
    if (rc < 0)
        return rc;
    e->measured_s = f->t_s;
    if (is_still(e, &r))
        call_still(e, &r);
    give_out(e, out);
    return 0;
}

// Is there a board by now? 1 while there is none.
static int look_for_board(struct eye *e, struct frame *f, struct fail *why)
{
    struct found_board found;
    int rc = f->t_s >= e->look_again_s ? search(&found, e, f, why) : 1;
    if (rc != 0)
        return rc;
    if (e->aim.ever_found)
        aim_carry_over(&found, &e->aim, &e->find, f);
    return lock(e, &found, f, why);
}

int eye_feed(struct eye *e, struct frame *f, struct happenings *out, struct fail *why)
{
    out->count = 0;
    if (e->any_frame && (f->width != e->width || f->height != e->height))
        return rs_fail(why, RS_EINPUT, "a frame of %d x %d in a stream of %d x %d: all frames must have one size",
                       f->width, f->height, e->width, e->height);
    if (e->any_frame && f->t_s < e->t_s)
        return rs_fail(why, RS_EINPUT, "a frame of %.3f s after one of %.3f s: feed frames in order", f->t_s, e->t_s);
    e->any_frame = true;
    e->width = f->width;
    e->height = f->height;
    e->t_s = f->t_s;
    int rc = 0;
    if (!e->aim.on.found)
        rc = look_for_board(e, f, why);
    else
        rc = watch(e, f, why);
    if (rc == 0)
        rc = settle(e, f, out, why);
    if (rc == 0)
        rc = keep_last(e, f, why);
    return rc < 0 ? rc : 0;
}

int eye_finish(struct eye *e, struct happenings *out, struct fail *why)
{
    out->count = 0;
    int rc = e->aim.on.found ? wrap_up(e, why) : 0;
    if (rc < 0)
        return rc;
    give_out(e, out);
    if (e->aim.ever_found)
        return 0;
    rs_fail(why, RS_EINPUT, "no board was found: %s", e->last_look.text[0] ? e->last_look.text : "there was no frame");
    return 1;
}

void eye_view(const struct eye *e, struct eye_view *out)
{
    kept_view(out, e->story.piece, e->story.count);
    out->hand = e->hand;
}

void eye_inside(const struct eye *e, struct eye_inside *out)
{
    *out = (struct eye_inside){ &e->gate,       &e->blobs,      e->kind,    &e->story.trail,
                                e->story.piece, e->story.count, e->upset_s, e->measured_s };
}
