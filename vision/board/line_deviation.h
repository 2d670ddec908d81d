// SPDX-License-Identifier: MIT
// line_deviation.h: how a painted line strays from its circle.
//
// Least squares on the first waves around the circle, with Tukey's weight against what is not the line, held small by what
// boards usually do. What noise may bring about is not believed.
#ifndef RINGSIDE_VISION_BOARD_LINE_DEVIATION_H
#define RINGSIDE_VISION_BOARD_LINE_DEVIATION_H

#include <stdbool.h>

#include "calibration/board.h"

struct deviation_sample {
    double angle_rad;
    double off_in; // outside the circle
};

// noise_in: 1 sigma of a sample; so many neighbours share one error. True, and *out filled, when the line strays beyond
// doubt; otherwise *out is all 0: a true circle.
bool line_deviation_measure(double out[BOARD_STRAYS], const struct deviation_sample *s, int n, double noise_in,
                            double samples_per_independent);

#endif
