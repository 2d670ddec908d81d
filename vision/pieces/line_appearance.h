// SPDX-License-Identifier: MIT
// line_appearance.h: the ring's line as it looks along its length, so that it can be taken off.
#ifndef RINGSIDE_VISION_PIECES_LINE_APPEARANCE_H
#define RINGSIDE_VISION_PIECES_LINE_APPEARANCE_H

#include "vision/frame.h"
#include "vision/detection.h"

enum { LINE_SECTORS = 24, LINE_BINS = 64 };

// For each sector and distance from the line's middle, how its colour (colour.h) differs from the carpet beside it:
// medians along the sector, so that marbles on the line do not count.
struct line_appearance {
    double middle_in; // radius of the line's middle
    double first_in;  // of the first bin's
    float off[LINE_SECTORS][LINE_BINS][3];
};

// As `camera` sees it in `f`; they may be reduced. RS_ENOMEM.
int line_appearance_measure(struct line_appearance *out, const struct frame *f, const struct camera *camera,
                            const struct board *board, struct fail *why);

// How far from its middle the line, its blur and what stands beside it reach, inches.
double line_appearance_reach_in(void);

// How the line makes this place of the floor differ from carpet; all 0 away from it.
void line_appearance_at(double off[3], const struct line_appearance *l, struct pt_in floor_at);

#endif
