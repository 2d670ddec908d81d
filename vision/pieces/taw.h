// SPDX-License-Identifier: MIT
// taw.h: which of the marbles is the taw.
//
// Targets are a set of one size, often of one colour; the taw is the one that differs by its size, its colour or both.
// One marble at most is the taw, and there may be none: the posterior over "this one" and "none" says how sure it is.
// How many targets there are is known too, and where they stand before the first shot: thirteen make a cross about the
// ring's centre, turned anyhow. A marble on it is hardly the taw, which comes to rest anywhere; so all turns of the
// cross, with few targets still standing or many, are weighed at once by how well they suit.
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

// For each piece, by how much likelier the pieces' places are when this one came to rest anywhere than when it too may
// stand where it was set up; 1 where the board says nothing of a set-up.
void taw_cross_odds(double odds[MAX_PIECES], const struct detection_list *list, const struct board *b);

#endif
