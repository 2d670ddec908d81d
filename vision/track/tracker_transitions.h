// SPDX-License-Identifier: MIT
// tracker_transitions.h: what the tracker holds, and what is done when it learns of the board something that takes it
// from one state to another (tracker_states.h): found, lost, doubted, moved, turned, cut.
#ifndef RINGSIDE_VISION_TRACK_TRACKER_TRANSITIONS_H
#define RINGSIDE_VISION_TRACK_TRACKER_TRANSITIONS_H

#include "vision/track/measurement.h"
#include "vision/track/shot_boundary.h"
#include "vision/track/stabilisation.h"
#include "vision/track/tracker_states.h"

struct tracker {
    const struct tuning *tuning; // borrowed
    enum tracker_state state;
    long taken[TRACKER_STATES][TRACKER_INPUTS]; // counts of each transition
    // The stages, in the order in which a frame meets them.
    struct shot_boundary boundary;
    struct stabiliser stabiliser;
    struct change_detector changes;
    struct change_patches patches;
    struct pose_tracker pose;
    struct measurement measurement;
    struct reconstruction events;
    // The stream.
    int width, height;  // of the frames; 0 before the first
    double t_s;         // of the last frame
    double known_s;     // of the last frame that was not doubtful
    struct frame *last; // the frame before this one, while a piece has departed; else NULL
    // The view.
    struct small_picture board_view; // the one in which the board was last seen where it is tracked
    double view_s;                   // when it last became known that the board lies elsewhere in the picture, or may
    double global_change_s;          // when most of the picture last changed at once: a knock, a cut
    double knocked_s;                // and when that began
    double lost_s;                   // when the camera was knocked so that the board had to be found again
    bool cut;                        // the footage was cut since the pieces were last measured
    // The pieces.
    double measured_s; // the last moment at which everything was known to lie where it lies
    double field_s;    // since when the field was still that was last measured; -INFINITY: not in this view
    int measures_left; // of a board just found and untouched since: the finder misses a piece now and then
    double learnt_s;   // when the empty board was last learnt
    bool unsettled;    // something happened since the last still moment was reported
    // The hand.
    bool hand;           // one is over the board,
    double hand_since_s; // since then
};

static inline double tracker_still_since(const struct tracker *t)
{
    return t->changes.still[STILL_WHOLE].since_s;
}

// The transition by the table, counted, with what any new view means for the clocks. RS_EINTERNAL where there is none.
int tracker_advance(struct tracker *t, enum tracker_input input, struct fail *why);

// What a look for the board comes to where it does not fail. Where nobody knows where it lies the frame tells no more.
enum board_look { BOARD_KNOWN, BOARD_UNKNOWN };

// Searches the board now and then, and soon once the view stands still. FOUND. A board_look, or RS_E... as board_find.
int tracker_search(struct tracker *t, struct frame *f, struct fail *why);

// Is the board still where it was? It is refitted, for no call may come from a stale pose. `since_s`: when the present
// stillness began. MOVED, DOUBTED, LOST and FOUND elsewhere. A board_look, or RS_E... as board_find.
int tracker_check_board(struct tracker *t, struct frame *f, double since_s, struct fail *why);

// After the camera moved, the pieces just measured say which way round the board lies: a bare ring looks the same after
// any turn, but what lies in it does not. They are turned with it. TURNED. 0 or RS_E...
int tracker_turn_by_pieces(struct tracker *t, double t_s, struct fail *why);

// Leaves the view: the footage shows another one, or pictures are lost. What runs now nobody will see come to rest.
// CUT. 0 or RS_E...
int tracker_leave(struct tracker *t, const struct observation *reason, struct fail *why);

#endif
