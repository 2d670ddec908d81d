// SPDX-License-Identifier: MIT
// peaks.h: local maxima of a map, and non-maximum suppression among them.
#ifndef RINGSIDE_VISION_PEAKS_H
#define RINGSIDE_VISION_PEAKS_H

#include "calibration/fail.h"

struct peak {
    int x, y;
    double value;
};

// The cells of a row-major map that are above `least` and not below any of their eight neighbours, strongest first; of equal
// neighbours, and of equal peaks, the first in the map. The map's border holds none; NAN is no peak and beats none. The caller
// frees *out, which is NULL when there are none. Returns how many, or RS_ENOMEM.
int peaks_find(struct peak **out, const float *map, int width, int height, double least, struct fail *why);

// Leaves of n peaks, strongest first, those that lie more than `apart` cells from each stronger one that was left; at most
// `most`. Returns how many.
int peaks_suppress(struct peak *peak, int n, int most, double apart);

#endif
