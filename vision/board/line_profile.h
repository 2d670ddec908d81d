// SPDX-License-Identifier: MIT
// line_profile.h: where a painted line really runs, sampled across a circle that was predicted.
//
// At each direction the colour profile across the line is taken, projected on the line's own contrast, and the two
// edges of the line are placed to a fraction of a pixel. What hides it there (a piece, a hand) has no such profile.
#ifndef RINGSIDE_VISION_BOARD_LINE_PROFILE_H
#define RINGSIDE_VISION_BOARD_LINE_PROFILE_H

#include <stdbool.h>

#include "calibration/camera.h"
#include "vision/frame.h"
#include "vision/tuning.h"

static const double PROFILE_STEP_PX = 0.5; // between the samples of a profile

// How a board is looked at. All borrowed.
struct line_view {
    const struct frame *frame; // with pixels
    const struct camera *camera;
    const struct board_tuning *tuning;
};

// What is looked across: at one direction of a circle along the radius, at one radius of a spoke along the circle.
struct slit {
    double radius_in, angle_rad;
    bool spoke;
};

// Pixels that an inch across the line covers in the picture there; 0 where it cannot be seen.
double slit_px_per_in(const struct camera *camera, const struct slit *s);

// Linear light of n places, `step_in` apart, the middle one on the line. False when one lies outside the picture.
bool slit_read(float (*light)[3], int n, const struct line_view *view, const struct slit *s, double step_in);

struct predicted_line {
    double radius_in;                // of the circle; middle of the line
    const double *line_deviation_in; // of the line from it, see struct board; borrowed, NULL: none
    double width_in;                 // as far as it is known
    double along[3];                 // the colour direction that is looked at, B G R; from ground to line
    double step;                     // how far the line lies from the ground along it
    bool of_colour;                  // that direction is the line's own, for luma does not show it
    double window_px;                // how far from the prediction the line may lie
    int samples;                     // directions
};

struct line_point {
    bool seen;
    double angle_rad;
    struct pt_px inside, outside, middle; // the two edges of the line
    // Width of a line without any light that takes as much light from the ground: what blur cannot change. 0 for lines
    // lighter than their ground.
    double taken_in;
};

// Sets the direction and step to look along, and whose direction it is, from how the line differs from its ground.
// Cameras and JPEG keep colour at half the sharpness of luma: the lines are traced in luma where it shows them, in
// their own colour only where it does not (red lines on blue).
void line_profile_along(struct predicted_line *line, const double contrast[3], const struct board_tuning *t);

// A line that runs along the radius at about angle_rad, looked at across line->radius_in: *off_rad is by how much its
// middle lies counter-clockwise of it. False, *off_rad untouched, when no line is seen.
bool line_profile_spoke(double *off_rad, const struct line_view *view, const struct predicted_line *line,
                        double angle_rad);

// How far the line stands out from the ground on both its sides, along line->along: the median over the directions that
// show it at all (in many a groove runs too flat to be seen), whatever line->step is; 0 where none does.
double line_profile_contrast(const struct line_view *view, const struct predicted_line *line);

// Fills `samples` points. Returns how many were seen.
int line_profile_circle(struct line_point *out, const struct line_view *view, const struct predicted_line *line);

#endif
