// SPDX-License-Identifier: MIT
// aim.h: where the board is in the picture, while the camera may be knocked, drift or zoom.
//
// The pose is the newest; what is told of its movement and what was measured in it are remembered beside it, so that many
// small steps add up to a movement.
#ifndef RINGSIDE_VISION_FOLLOW_AIM_H
#define RINGSIDE_VISION_FOLLOW_AIM_H

#include "vision/follow/finders.h"

struct aim {
    struct found_board on;
    bool ever_found;
    bool refits;          // the lines are such that a refit sees them
    struct camera told;   // as last told
    struct camera viewed; // in which pieces and clean frame were last taken
    double lock_sigma_in; // line_sigma_in when it was found
};

// Takes a board that was found. A refit at once, so that later ones differ from it by movement only. How far it is from
// where it was last told to be, inches; 0 the first time.
double aim_lock(struct aim *a, const struct eye_finders *find, const struct found_board *found, struct frame *f);

// The board found now is the one that was there before: its axes are turned so that they lie as near to where they lay as
// can be, and its measures stay when they fit what is seen now.
void aim_carry_over(struct found_board *found, const struct aim *a, const struct eye_finders *find, struct frame *f);

// Takes the pose of a refit that saw the board.
void aim_follow(struct aim *a, const struct found_board *now, const struct refit *r);

// How far the board's picture has moved since then.
double aim_moved_in(const struct aim *a, const struct camera *since);

#endif
