// SPDX-License-Identifier: MIT
// aim.h: where the board is in the picture, while the camera may be knocked, drift or zoom.
//
// The pose is the newest; what is told of its movement and what was measured in it are remembered beside it, so that many
// small steps add up to a movement.
#ifndef RINGSIDE_VISION_TRACK_AIM_H
#define RINGSIDE_VISION_TRACK_AIM_H

#include "vision/track/finders.h"

struct aim {
    struct board_pose pose;
    bool ever_found;
    bool refits;          // the lines are such that a refit sees them
    struct camera told;   // as last told
    struct camera viewed; // in which pieces and clean frame were last taken
    double lock_sigma_in; // line_sigma_in when it was found
};

// Takes a board that was found. A refit at once, so that later ones differ from it by movement only. How far it is from
// where it was last told to be, inches; 0 the first time.
double aim_lock(struct aim *a, const struct tracker_stages *find, const struct board_pose *found, struct frame *f,
                const struct tuning *tuning);

// The board found now is the one that was there before: its axes are turned so that they lie as near to where they lay as
// can be, and its measures stay when they fit what is seen now.
void aim_carry_over(struct board_pose *found, const struct aim *a, const struct tracker_stages *find, struct frame *f,
                    const struct tuning *tuning);

// Takes the pose of a refit that saw the board.
void aim_follow(struct aim *a, const struct board_pose *now, const struct refit *r);

// How far the board's picture has moved since then.
double aim_moved_in(const struct aim *a, const struct camera *since);

#endif
