// SPDX-License-Identifier: MIT
// tracker.h: watches a stream of frames: finds the board, tracks the pieces, reports what happened.
//
// Feed it every frame in order of time. Events are given out in order of time too, never falling, and late: at the next
// still moment, for which of two blurs was which piece is only sure when both lie still again. Times are those of the
// frames' own clock; nothing counts frames. The camera may be knocked, drift or zoom: the pose is followed at still
// moments, a movement is reported at once and nothing is reported of the pieces before they are measured in the new
// view, where they keep their ids. Colours keep the name that the first piece of a side was given.
//
// From a frame to an observation:
//   1. tracker_feed        one frame; shot_boundary.h: was it cut? The board is searched for while nobody knows where
//                          it is, else watch moves the frame of a camera in a hand back to the view (stabilisation.h)
//                          and notes what changed (change_patches.h), is missed and runs (events.h)
//   2. look_at_rest        is this a moment to measure? pose_tracking.h follows the board
//   3. measure             the finder measures the pieces, or has done so ahead of time (measurement.h)
//   4. events_reconstruct  events.h: association.h says which piece is which and who moved it, jump_cut.h whether time
//                          was left out, contacts.h what was touched
//   5. add_fate, add_new   observations, and beside each what drawing needs; given out by that call, in order of time
//
// States and transitions: tracker_states.h; what is done at each: tracker_transitions.h.
#ifndef RINGSIDE_VISION_TRACK_TRACKER_H
#define RINGSIDE_VISION_TRACK_TRACKER_H

#include "calibration/camera.h"
#include "vision/detection.h"
#include "vision/frame.h"
#include "vision/track/tracker_states.h"
#include "vision/tuning.h"

struct tracker;

// `lens` may be NULL. It sees with `stages` (pose_tracking.h); NULL: board_find, board_refit, pieces_find_on and
// quality_suffices. `tuning` is borrowed. The caller ends with tracker_free, which takes NULL. RS_ENOMEM.
struct tracker_stages;
int tracker_create(struct tracker **out, const struct board *wanted, const struct lens *lens,
                   const struct tracker_stages *stages, const struct tuning *tuning, struct fail *why);
void tracker_free(struct tracker *t);

// Looks at one frame, which stays the caller's; of a camera that shakes it is moved to the view in which the board is
// known, so that what is drawn on it lies where it belongs. *out, { 0 } the first time and the caller's to free, is
// filled with what has become sure since the last call. RS_ENOMEM when something that happened could not be kept,
// RS_ELIB when OpenCV fails. A frame of another size than the first one, or earlier than the last one: RS_EINPUT. RS_EENDED when a
// signal ended a search for the board (interrupt.h): no frame can follow, only tracker_finish.
int tracker_feed(struct event_list *out, struct tracker *t, struct frame *f, struct fail *why);

// Nothing is known of so much time behind the last frame: it is reported. Longer than DAMAGE_HIDES_S it is like a cut,
// only that the view is the same one. tracker_feed does it for frames that say so, and does not look at doubtful ones;
// to be called when it is the stream's end that is lost. RS_E... as tracker_feed.
int tracker_lose(struct tracker *t, double lost_s, struct fail *why);

// The stream is over: gives out what was still waiting. Not to be fed again. 1 when no board was ever found,
// with the reason of the last look in *why; that is a result. RS_E... as tracker_feed.
int tracker_finish(struct event_list *out, struct tracker *t, struct fail *why);

// The board as last found; ->found is false before the first find, and while it is searched for again. Before the first
// that is seen well enough to call (quality.h), where nothing is tracked yet, it is the one that is not. Valid until
// the next tracker_feed.
const struct board_pose *tracker_board(const struct tracker *t);

// The pieces as they stand in the last frame, for drawing: ids run beside them, and whether each moves.
struct tracker_view {
    int count;
    int id[MAX_PIECES];
    bool moving[MAX_PIECES];
    struct detection piece[MAX_PIECES];
    bool hand;
};
void tracker_view(struct tracker_view *out, const struct tracker *t);

// What it goes by between two still moments, for people who want to see why it reported what it
// reported. Borrowed, and valid until the next tracker_feed. Empty before a board was found.
struct tracker_inside {
    enum tracker_state state;
    const long (*taken)[TRACKER_INPUTS]; // how often each transition was taken, by the state it led from
    const struct change_detector *changes;
    const struct change_patches *patches;
    const struct motions *motions;
    const struct track *track;
    int tracks;
    const struct background *empty; // the empty board as learnt so far; NULL: nothing yet
    double global_change_s;         // when most of the picture last changed at once; -INFINITY: never
    double measured_s;              // when the pieces were last known to lie where they lie
    const char *unfound; // why the last search found no board; empty before the first and while none is searched for
};
void tracker_inside(struct tracker_inside *out, const struct tracker *t);

#endif
