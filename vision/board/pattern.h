// SPDX-License-Identifier: MIT
// pattern.h: which painted circles of an unrolled picture may be the board's.
#ifndef RINGSIDE_VISION_BOARD_PATTERN_H
#define RINGSIDE_VISION_BOARD_PATTERN_H

#include "calibration/board.h"
#include "vision/board/polar.h"

// The board's circles, outermost first, as they were seen (a circle not seen has support 0 and its expected radius).
struct pattern {
    struct painted_circle circle[BOARD_MAX_CIRCLES];
    double score; // larger is better
};

// Up to `most` readings, best first. Returns how many; 0 when nothing resembles the board.
int pattern_match(struct pattern *out, int most, const struct painted_circle *seen, int n, const struct board *board);

// True when two plain circles of one paint lie around the centre: a target, a dial, a board of circles, not a single ring.
bool pattern_is_crowded(const struct painted_circle *seen, int n);

#endif
