// SPDX-License-Identifier: MIT
// circle_pattern.h: the painted circles around a candidate's centre, and which of them may be the board's.
//
// In a polar view (rectify.h) painted circles are straight rows; what lies on the board hides only some columns of a
// row, so medians along a row see the board and not the pieces.
#ifndef RINGSIDE_VISION_BOARD_CIRCLE_PATTERN_H
#define RINGSIDE_VISION_BOARD_CIRCLE_PATTERN_H

#include "calibration/board.h"
#include "vision/board/line_profile.h"
#include "vision/rectify.h"
#include "vision/tuning.h"

// One painted line: a narrow row that differs from the rows on both its sides.
struct painted_circle {
    double radius;      // units of the view
    double width;       // at half its height; blurred by the coarse pose, so rather too wide
    double contrast[3]; // line minus ground, B G R
    double support;     // 0..1: share of the directions that show it
    double strength;    // contrast in standard errors of itself
};

enum { PATTERN_ANGLES = 240 }; // of a polar view, at most

// The painted circles of a polar view in light; strongest first, at most `most`. Returns how many, or RS_ENOMEM.
int painted_circles(struct painted_circle *out, int most, const struct rectified *view, const struct board_tuning *t,
                    struct fail *why);

// The board's circles, outermost first, as they were seen (a circle not seen has support 0 and its expected radius).
struct pattern {
    struct painted_circle circle[BOARD_MAX_CIRCLES];
    double score; // larger is better
};

// Up to `most` readings, best first. Returns how many; 0 when nothing resembles the board.
int pattern_match(struct pattern *out, int most, const struct painted_circle *seen, int n, const struct board *board,
                  const struct board_tuning *t);

// The board's circles as this view shows them, for a board seen at a slant: a rectified view is too
// blurred there to show grooves and thin paint. Widths are the board's own, contrasts those of the kind of lines that
// is searched for.
void pattern_measure(struct pattern *out, const struct line_view *view, const struct board *board,
                     const struct oblique_tuning *oblique);

// Radius to which two or more plain circles of one paint lie around the centre: a target, a dial, a board of circles,
// not a single ring. 0 where there are none.
double pattern_distractor_radius(const struct painted_circle *seen, int n, const struct board_tuning *t);

#endif
