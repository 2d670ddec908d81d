// SPDX-License-Identifier: MIT
// ditch.h: what colour the ditch around the surface has. Makers paint or line the centre hole as they do the ditch.
#ifndef RINGSIDE_VISION_PIECES_DITCH_H
#define RINGSIDE_VISION_PIECES_DITCH_H

#include "vision/frame.h"
#include "vision/detection.h"

enum { DITCH_SAMPLES = 1440 };

struct ditch {
    int n;
    double lab[DITCH_SAMPLES][3]; // of places all around its floor: hands, discs and an outer wall among them
};

// Looks at the ditch's floor where the surface does not hide it. An empty sample on a board without a ditch.
void ditch_sample(struct ditch *out, const struct frame *f, const struct board_pose *pose);

// Share of the sample whose colour is within `reach` (sides_distance) of this one.
double ditch_share_of(const struct ditch *d, const double lab[3], double reach);

// Its medians; false when the sample is empty.
bool ditch_middle(double lab[3], const struct ditch *d);

#endif
