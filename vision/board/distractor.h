// SPDX-License-Identifier: MIT
// distractor.h: several circles around one centre where a single ring is wanted: a rug, a target, a dial, a board.
#ifndef RINGSIDE_VISION_BOARD_DISTRACTOR_H
#define RINGSIDE_VISION_BOARD_DISTRACTOR_H

#include <stdbool.h>

#include "calibration/camera.h"
#include "vision/board/circle_pattern.h"
#include "vision/board/edges.h"

struct distractor {
    bool seen;
    struct camera camera; // sees them as circles around its board's middle
    double radius;        // of the outermost, in the unit of that camera
};

// True, and *out, when several painted circles around the middle of that camera's board are plain.
bool distractor_detect(struct distractor *out, const struct camera *c, const struct painted_circle *circles, int n,
                       const struct board_tuning *t);

// Whether the middle of this camera's board lies in it.
bool distractor_contains(const struct distractor *d, const struct camera *c);

// Takes the edges in it out of the list.
void distractor_remove_edges(const struct distractor *d, struct edge_list *edges);

#endif
