// SPDX-License-Identifier: MIT
#include "vision/track/tracker.h"

#include <math.h>
#include <stdlib.h>

#include "vision/track/tracker_board.h"
#include "vision/track/evidence.h"
#include "vision/track/inside.h"
#include "vision/track/survey.h"

static const double UPSET_SHARE = 0.25;    // of the picture changes at once: no hand is so large and so quick
static const double UPSETS_APART_S = 0.5;  // what swings upsets the picture again and again
static const double GLANCE_S = 0.05;       // without change: whatever knocked the camera has let go of it
static const double GLANCE_EVERY_S = 0.25; // at rest; a lens breathes in a second
static const double SURVEY_EVERY_S = 2;    // at rest: what is slower than that is light, not a piece
static const double LEAST_PX = 4;          // reduced pixels of a patch: fewer are noise
static const double LEAST_OF_PIECE = 0.25; // of its area: less is noise, or too little to say anything about

int tracker_create_with(struct tracker **out, const struct board *wanted, const struct lens *lens,
                        const struct tracker_stages *finders, const struct tuning *tuning, struct fail *why)
{
    struct tracker *e = calloc(1, sizeof *e);
    *out = e;
    if (!e)
        return rs_fail(why, RS_ELIB, "no memory to follow a game");
    e->wanted = *wanted;
    e->has_lens = lens != NULL;
    if (lens)
        e->lens = *lens;
    e->find = *finders;
    e->tuning = tuning;
    e->story.last_told_s = e->upset_s = -INFINITY;
    rests_forget(&e->rests);
    return 0;
}

int tracker_create(struct tracker **out, const struct board *wanted, const struct lens *lens,
                   const struct tuning *tuning, struct fail *why)
{
    struct tracker_stages finders = { board_find, board_refit, pieces_find_on };
    return tracker_create_with(out, wanted, lens, &finders, tuning, why);
}

void tracker_free(struct tracker *e)
{
    if (!e)
        return;
    gate_finish(&e->gate);
    blobs_finish(&e->blobs);
    background_free(e->surface);
    frame_free(e->last);
    free(e);
}

const struct board_pose *tracker_board(const struct tracker *e)
{
    return &e->aim.pose;
}

static void give_out(struct tracker *e, struct happenings *out)
{
    e->camera_told = false;
    story_give_out(&e->story, out);
}

void tracker_gather(struct tracker *e)
{
    double least = LEAST_OF_PIECE * PI / 4 * e->gate.piece_px * e->gate.piece_px;
    blobs_find(&e->blobs, &e->gate, (int)fmax(LEAST_PX, least));
    for (int i = 0; i < e->blobs.count; i++)
        e->kind[i] = trail_kind(&e->blobs.item[i], &e->gate, &e->aim.pose);
}

static void watch_hand(struct tracker *e)
{
    bool hand = false;
    struct pt_in at = { 0, 0 };
    for (int i = 0; i < e->blobs.count; i++) {
        struct pt_px px = { e->blobs.item[i].u, e->blobs.item[i].v };
        if (e->kind[i] != PATCH_HAND)
            continue;
        hand = true;
        camera_locate(&at, &e->aim.pose.camera, px, 0);
    }
    if (hand && !e->hand)
        e->hand_since_s = e->t_s;
    if (hand != e->hand)
        story_add(&e->story, &(struct happening){ .kind = HAPPENED_HAND, .t_s = e->t_s, .over = hand, .at = at });
    e->hand = hand;
    e->unsettled |= hand;
}

static bool any_departed(const struct tracker *e)
{
    for (int i = 0; i < e->story.count; i++)
        if (!isinf(e->story.piece[i].absent_since_s))
            return true;
    return evidence_first_run(&e->story.trail, &e->aim.pose.board) != NULL;
}

static int measure(struct tracker *e, struct frame *f, const struct rest *r, struct fail *why)
{
    struct detection_list seen;
    struct pieces_known known = { .marbles = &e->marbles };
    struct places changed;
    int rc = survey_look(&e->surface, f, &e->aim.pose, why);
    known.empty = e->surface;
    if (rc == 0 && !e->new_view) {
        kept_lying(&known.lying, e->story.piece, e->story.count, &e->gate, &e->aim.pose);
        kept_changed(&changed, e->story.piece, e->story.count, &known.lying, &e->blobs, &e->gate, &e->aim.pose);
        known.changed = &changed;
    }
    if (rc == 0)
        rc = e->find.pieces(&seen, f, &e->aim.pose, &known, e->tuning, why);
    if (rc < 0)
        return rc;
    if (tracker_may_have_turned(e))
        tracker_turn_by_pieces(e, &seen, r->since_s);
    story_tell(&e->story, &(struct moment){ .gate = &e->gate,
                                            .blobs = &e->blobs,
                                            .kind = e->kind,
                                            .pose = &e->aim.pose,
                                            .seen = &seen,
                                            .empty = e->surface,
                                            .trail = &e->story.trail,
                                            .t_s = r->since_s,
                                            .hand = r->hand,
                                            .new_view = e->new_view,
                                            .afresh = e->afresh });
    e->afresh = e->new_view = false;
    e->surveyed_s = f->t_s;
    return survey_learn(e->surface, &e->gate, e->story.piece, e->story.count, &seen, &e->aim.pose, why);
}

static void call_still(struct tracker *e, const struct rest *r)
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
                                                  .rms_px = e->aim.pose.rms_px,
                                                  .line_sigma_in = e->aim.pose.line_sigma_in });
    e->unsettled = e->story.shot_open = false;
}

// The view ends, by a cut or with the stream: what the last frame before it showed has to do. Nothing is told while
// something still ran in it.
static int wrap_up(struct tracker *e, struct fail *why)
{
    const struct trail *t = &e->story.trail;
    if (!e->last || (t->count > 0 && e->last->t_s - t->step[t->count - 1].t_s < REST_QUIET_S))
        return 0;
    int rc = gate_look(&e->gate, e->last, why);
    if (rc < 0)
        return rc;
    tracker_gather(e);
    struct rest r = { e->last->t_s, true };
    rc = measure(e, e->last, &r, why);
    if (rc == 0 && e->story.shot_open)
        call_still(e, &r);
    frame_free(e->last);
    e->last = NULL;
    return rc;
}

// A copy of the last frame, as long as something is on its way.
static int keep_last(struct tracker *e, const struct frame *f, struct fail *why)
{
    frame_free(e->last);
    e->last = NULL;
    return any_departed(e) ? frame_copy(&e->last, f, why) : 0;
}

static int watch(struct tracker *e, const struct frame *f, struct fail *why)
{
    double was_quiet_since = tracker_quiet_since(e, QUIET_WHOLE), before = e->gate.t_s;
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
    if (e->hand && tracker_quiet_since(e, QUIET_WHOLE) > was_quiet_since &&
        before - fmax(was_quiet_since, e->hand_since_s) >= REST_QUIET_S / 2)
        e->story.broken_s = f->t_s;
    tracker_gather(e);
    watch_hand(e);
    story_watch(&e->story, &e->gate, &e->blobs, e->kind, &e->aim.pose);
    return 0;
}

// A hand that lies beside the field when the shot is over does not hold up the call.
static bool is_still(const struct tracker *e, const struct rest *r)
{
    return !r->hand ||
           (e->story.shot_open && !trail_hand_over(&e->blobs, e->kind, &e->gate, &e->gate.quiet[QUIET_FIELD]));
}

// Between two measurements: at the first still frames of each quiet, and now and then while nothing happens, for a drift
// is too slow for the gate.
static int glance(struct tracker *e, struct frame *f, struct happenings *out, struct fail *why)
{
    double since_s = tracker_quiet_since(e, QUIET_WHOLE);
    if (!e->aim.refits || f->t_s - since_s < GLANCE_S ||
        (since_s == e->glanced_at_s && f->t_s - e->glanced_s < GLANCE_EVERY_S))
        return 0;
    int rc = tracker_check_board(e, f, since_s, why);
    if (rc > 0 || (rc == 0 && e->camera_told && (e->afresh || !any_departed(e))))
        give_out(e, out);
    return rc;
}

// Nothing has happened since the pieces were measured: the empty board is learnt the better the longer it is seen.
static int survey(struct tracker *e, const struct frame *f, struct fail *why)
{
    bool measured = e->rests.told_s[QUIET_WHOLE] == tracker_quiet_since(e, QUIET_WHOLE);
    if (!measured || e->new_view || e->hand || e->blobs.count > 0 || any_departed(e) ||
        f->t_s - e->surveyed_s < SURVEY_EVERY_S)
        return 0;
    e->surveyed_s = f->t_s;
    int rc = survey_look(&e->surface, f, &e->aim.pose, why);
    return rc == 0 ? survey_learn(e->surface, &e->gate, e->story.piece, e->story.count, NULL, &e->aim.pose, why) : rc;
}

// Nothing moves: where does everything lie?
static int settle(struct tracker *e, struct frame *f, struct happenings *out, struct fail *why)
{
    struct rest r;
    int rc = 0;
    if (!rests_take(&r, &e->rests, &e->gate, e->hand, any_departed(e))) {
        rc = glance(e, f, out, why);
        return rc == 0 ? survey(e, f, why) : rc;
    }
    rc = tracker_check_board(e, f, r.since_s, why);
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

int tracker_feed(struct tracker *e, struct frame *f, struct happenings *out, struct fail *why)
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
    if (!e->aim.pose.found)
        rc = tracker_look_for_board(e, f, why);
    else
        rc = watch(e, f, why);
    if (rc == 0)
        rc = settle(e, f, out, why);
    if (rc == 0)
        rc = keep_last(e, f, why);
    return rc < 0 ? rc : 0;
}

int tracker_finish(struct tracker *e, struct happenings *out, struct fail *why)
{
    out->count = 0;
    int rc = e->aim.pose.found ? wrap_up(e, why) : 0;
    if (rc < 0)
        return rc;
    give_out(e, out);
    if (e->aim.ever_found)
        return 0;
    rs_fail(why, RS_EINPUT, "no board was found: %s", e->last_look.text[0] ? e->last_look.text : "there was no frame");
    return 1;
}

void tracker_view(const struct tracker *e, struct tracker_view *out)
{
    kept_view(out, e->story.piece, e->story.count);
    out->hand = e->hand;
}

void tracker_inside(const struct tracker *e, struct tracker_inside *out)
{
    *out = (struct tracker_inside){ &e->gate,       &e->blobs,  e->kind,    &e->story.trail, e->story.piece,
                                    e->story.count, e->surface, e->upset_s, e->measured_s };
}
