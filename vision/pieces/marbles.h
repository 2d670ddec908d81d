// SPDX-License-Identifier: MIT
// marbles.h: the marbles of one still frame, and which of them is the taw.
//
// In a stream only what has come is measured: marbles that lie untouched are as they were, and so is the light.
#ifndef RINGSIDE_VISION_PIECES_MARBLES_H
#define RINGSIDE_VISION_PIECES_MARBLES_H

#include "vision/frame.h"
#include "vision/pieces/marble_fit.h"
#include "vision/pieces/specks.h"
#include "vision/pieces/taw.h"
#include "vision/detection.h"

// What the still frames of a stream before this one showed; all 0 before the first.
struct marbles_seen {
    struct light light;
    int lit_by;      // so many marbles told it; 0: none did
    double lit_at_s; // and when
    struct speck_usual specks;
    int count;
    struct marble_fit fit[MAX_PIECES];
    struct size_seen free_size[MAX_PIECES]; // found without believing anything of it; sigma 0: it was not
};

// As pieces_find, for a board that is played with marbles. `colour` and `taw` are set. `lying`: those that lie untouched where
// they were measured before; they are given out first, as they were. `changed`: all else looks as it did then; NULL: it may not. `seen` learns of this
// frame; NULL: a photo.
int marbles_find(struct detection_list *out, const struct frame *f, const struct board_pose *pose,
                 const struct detection_list *lying, const struct places *changed, struct marbles_seen *seen,
                 struct fail *why);

#endif
