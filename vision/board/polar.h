// SPDX-License-Identifier: MIT
// polar.h: a board unrolled around its centre: one row a radius, one column a direction.
//
// Painted circles become straight rows, quadrant lines columns; what lies on the board hides only some columns of a row,
// so medians along a row see the board and not the pieces.
#ifndef RINGSIDE_VISION_BOARD_POLAR_H
#define RINGSIDE_VISION_BOARD_POLAR_H

#include <stdbool.h>

#include "calibration/camera.h"
#include "vision/frame.h"

struct polar {
    int radii, angles;
    double step; // board units between rows; row k is at radius k * step
    float *bgr;  // radii * angles * 3; NAN where the picture does not reach
};

// Samples the plane z = 0 of `camera` out to radii * step. The caller frees with polar_finish.
int polar_create(struct polar *out, const struct frame *f, const struct camera *camera, int radii, int angles,
                 double step, struct fail *why);
void polar_finish(struct polar *p);

// The light between pixels (bilinear), 0 .. 255; false outside. Light, not the picture's codes: lens and pixels blur light,
// and a blurred edge lies in the middle between dark and bright only there (in codes it wanders into the dark).
bool frame_light(float bgr[3], const struct frame *f, double u, double v);

// One painted line: a narrow row that differs from the rows on both its sides.
struct painted_circle {
    double radius;      // board units
    double width;       // board units, at half its height; blurred by the coarse pose, so rather too wide
    double contrast[3]; // line minus ground, B G R
    double support;     // 0..1: share of the directions that show it
    double strength;    // contrast in standard errors of itself
};

// The painted circles, strongest first, at most `most`. Returns how many, or RS_EIO when there is no memory.
int polar_circles(struct painted_circle *out, int most, const struct polar *p, struct fail *why);

#endif
