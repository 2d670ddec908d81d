// SPDX-License-Identifier: MIT
// target_cross.h: which marbles stand where targets are set up before the first shot.
//
// Thirteen targets make a cross about the ring's centre, turned anyhow. A marble on it is hardly the taw, which comes to rest
// anywhere; so all turns of the cross, with few targets still standing or many, are weighed at once by how well they suit.
#ifndef RINGSIDE_VISION_PIECES_TARGET_CROSS_H
#define RINGSIDE_VISION_PIECES_TARGET_CROSS_H

#include "vision/detection.h"

// How many targets the board is set up with; 0 when that is not known.
int cross_targets(const struct board *b);

// For each piece, by how much likelier the pieces' places are when this one came to rest anywhere than when it too may
// stand where it was set up; 1 where the board says nothing of a set-up.
void cross_odds(double odds[MAX_PIECES], const struct detection_list *list, const struct board *b);

#endif
