// SPDX-License-Identifier: MIT
// inspect.h: what the picture is like where a found board lies: how much of each line it shows, how sharp, how lit.
//
// Each line is looked at as a profile across it, medians over all directions, so that pieces do not count; the blur is the
// one under which a line of the measured width shows the steepest slope that this profile has.
#ifndef RINGSIDE_VISION_BOARD_INSPECT_H
#define RINGSIDE_VISION_BOARD_INSPECT_H

#include "vision/frame.h"
#include "vision/detection.h"

struct line_inspection {
    double radius_in; // middle of the line
    double seen;      // 0..1: share of its length where the line is seen within a few pixels of the fit
    double outside;   // 0..1: share of its length that lies outside the picture
    double noise_px;  // robust 1 sigma across the line, of what was seen against the fit; 0 when nothing was
    double blur_px;   // 1 sigma; 0 when the line does not show it
};

struct inspection {
    int lines; // as the board's circles, outermost first
    struct line_inspection line[BOARD_MAX_CIRCLES];
    double seen, outside; // of all lines, by length
    double blur_px;       // of the sharpest line; 0 when none shows it
    double clipped, dark; // share of the surface within the outermost line that is burnt out, that is nearly black
    double brightness;    // 0..255: median luma of that surface
};

void board_inspect(struct inspection *out, const struct frame *f, const struct board_pose *pose);

struct clarity board_clarity(const struct frame *f, const struct board_pose *pose);

// The blur to fit pieces with, sigma in pixels: what the sharpest line shows as far as that can be, else a usual one.
double board_blur_px(const struct frame *f, const struct board_pose *pose);

#endif
