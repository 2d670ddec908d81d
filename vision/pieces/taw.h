// SPDX-License-Identifier: MIT
// taw.h: which of the marbles is the taw.
//
// Targets are a set of one size, often of one colour; the taw is the one that differs by its size, its colour or both. One
// marble at most is the taw, and there may be none: the posterior over "this one" and "none" says how sure it is. Where
// targets still stand as they were set up (target_cross.h), and that there are no more of them, is known too.
#ifndef RINGSIDE_VISION_PIECES_TAW_H
#define RINGSIDE_VISION_PIECES_TAW_H

#include "vision/detection.h"
#include "vision/tuning.h"

// A marble's radius over what the fit finds for most of the picture's marbles, and 1 sigma of it.
struct size_seen {
    double ratio, sigma;
};

// Sets taw and certainty (0.5: cannot say) of every marble; size[i] is of list->piece[i].
void taw_find(struct detection_list *list, const struct size_seen *size, const struct board *b,
              const struct marble_tuning *tuning);

#endif
