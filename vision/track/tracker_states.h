// SPDX-License-Identifier: MIT
// tracker_states.h: the tracker's states, and what takes it from one to the other.
//
// `-`: cannot happen, and is refused.
//
//                 found        lost       doubted    moved      turned       changed      measured  in part  cut
//   SEARCHING     REACQUIRING  -          -          -          -            -            -         -        SEARCHING
//   REACQUIRING   -            -          -          -          REACQUIRING  REACQUIRING  LOCKED    MOVING   SEARCHING
//   VERIFYING     -            SEARCHING  VERIFYING  VERIFYING  REACQUIRING  VERIFYING    LOCKED    MOVING   SEARCHING
//   MOVING        -            SEARCHING  MOVING     VERIFYING  REACQUIRING  MOVING       LOCKED    MOVING   SEARCHING
//   LOCKED        -            SEARCHING  MOVING     VERIFYING  REACQUIRING  MOVING       LOCKED    LOCKED   SEARCHING
//
// What is done: found: the pose is locked, frames are compared anew, "locked" is reported. Lost: "lost" is reported;
// nothing is until the board is found. Doubted: nothing is measured until its lines are seen again or it is found
// elsewhere. Moved: the pose is followed, the reference taken anew, "moved" reported when the movement ends. Turned: as
// found, by the pieces. Changed: frames are watched for the next still moment. Measured, in part: events are
// reconstructed and given out. Cut: what had come to rest is reported, what still ran never is; the board is searched
// for at once, and the pieces that lie on it keep their identity when they lie where they lay.
#ifndef RINGSIDE_VISION_TRACK_TRACKER_STATES_H
#define RINGSIDE_VISION_TRACK_TRACKER_STATES_H

#include <stdbool.h>

enum tracker_state {
    TRACKER_SEARCHING,   // it is not known where the board is
    TRACKER_REACQUIRING, // the board was found: its pieces have to be recognised, what happened before is unknown
    TRACKER_VERIFYING,   // its picture has moved: the pieces have to be measured in the new view
    TRACKER_MOVING,      // something has changed since the pieces were measured
    TRACKER_LOCKED,      // board and pieces are known to lie where they lie
    TRACKER_STATES
};

enum tracker_input {
    TRACKER_BOARD_FOUND,
    TRACKER_BOARD_LOST,    // it is not where it was
    TRACKER_BOARD_DOUBTED, // its lines are not seen where they were, and no hand hides them
    TRACKER_VIEW_MOVED,    // farther than the budget
    TRACKER_VIEW_TURNED,   // the pieces say that the axes lie otherwise
    TRACKER_CHANGED,       // the picture, since the present stillness began
    TRACKER_MEASURED,
    TRACKER_MEASURED_IN_PART, // the field alone, or in the very frame in which the view changed: to be done again
    TRACKER_CUT,              // the footage shows another view (shot_boundary.h)
    TRACKER_INPUTS
};

// The table above. False, and the state as it was, for what cannot happen.
bool tracker_next(enum tracker_state *state, enum tracker_input input);

#endif
