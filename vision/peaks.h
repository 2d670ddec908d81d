// SPDX-License-Identifier: MIT
// peaks.h: non-maximum suppression: the best of places, poses or whatever has a score, none beside a better one.
#ifndef RINGSIDE_VISION_PEAKS_H
#define RINGSIDE_VISION_PEAKS_H

#include <stdbool.h>
#include <stddef.h>

#include "calibration/fail.h"
#include "calibration/units.h"
#include "vision/rectify.h"

struct peak {
    struct pt_in at;
    double score;
};

// The cells of a map laid out as `r` that are above `least` and not below any of their eight neighbours; of equal
// neighbours the first in the map. The map's border holds none; NAN is no peak and beats none. The caller frees *out,
// which is NULL when there are none. Returns how many, or RS_ENOMEM.
int peaks_find(struct peak **out, const float *map, const struct raster *r, double least, struct fail *why);

// Leaves of n things of `size` bytes, best first in qsort's order, those that lie beside no better one that was left;
// at most `most`. Returns how many.
struct suppression {
    int (*better_first)(const void *a, const void *b);
    bool (*beside)(const void *better, const void *other, const void *context);
    const void *context; // beside's
};
int peaks_suppress_by(void *things, size_t size, int n, int most, const struct suppression *by);

// Leaves of n peaks, best first, those that lie `apart_in` or farther from each better one that was left; at most
// `most`. Returns how many.
int peaks_suppress(struct peak *peak, int n, double apart_in, int most);

#endif
