// SPDX-License-Identifier: MIT
// trace.h: where a painted line really runs, sampled across a circle that was predicted.
//
// At each direction the colour profile across the line is taken, projected on the line's own contrast, and the two edges
// of the line are placed to a fraction of a pixel. What hides the line there (a piece, a hand) shows no such profile.
#ifndef RINGSIDE_VISION_BOARD_TRACE_H
#define RINGSIDE_VISION_BOARD_TRACE_H

#include <stdbool.h>

#include "calibration/camera.h"
#include "vision/frame.h"

struct trace_wish {
    double radius_in; // predicted circle, middle of the line
    const double
        *line_deviation_in; // how the line is known to stray from it, see struct board; borrowed, NULL: not at all
    double width_in;        // of the line, as far as it is known
    double along[3];        // the colour direction that is looked at, B G R; from ground to line
    double step;            // how far the line lies from the ground along it
    double window_px;       // how far from the prediction the line may lie
    int samples;            // directions
};

struct trace_point {
    bool seen;
    double angle_rad;
    struct pt_px inside, outside; // the two edges of the line
    double contrast;              // along the wished contrast, 1: as strong as wished
    double taken_in; // width of a line without any light that takes as much light from the ground: what blur
                     // cannot change. 0 for lines lighter than their ground
};

// Sets the direction and step to look along, from how the line differs from its ground. Cameras and JPEG keep colour at
// half the sharpness of luma: the lines are traced in luma where it shows them, in their own colour only where it does not
// (red lines on blue).
void trace_look_along(struct trace_wish *wish, const double contrast[3]);

// A line that runs along the radius at about angle_rad, looked at across wish->radius_in: *off_rad is by how much its
// middle lies counter-clockwise of it. False, *off_rad untouched, when no line is seen.
bool trace_spoke(double *off_rad, const struct frame *f, const struct camera *camera, const struct trace_wish *wish,
                 double angle_rad);

// Fills `samples` points. Returns how many were seen.
int trace_circle(struct trace_point *out, const struct frame *f, const struct camera *camera,
                 const struct trace_wish *wish);

#endif
