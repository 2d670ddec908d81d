// SPDX-License-Identifier: MIT
// altered.h: a picture as another camera, lamp, seat or site would have shown it. What is told of its pieces should be
// the same.
#ifndef RINGSIDE_TESTS_ACCURACY_ALTERED_H
#define RINGSIDE_TESTS_ACCURACY_ALTERED_H

#include "calibration/units.h"
#include "vision/frame.h"

// The weights by which discs are told were fitted to the first ones; the others they have not seen.
enum alteration {
    AS_IT_IS,
    MIRRORED,
    SMALLER,
    DARKER,
    WARMER,
    COMPRESSED,
    FITTED_ALTERATIONS,
    SHARPENED = FITTED_ALTERATIONS,
    HAZY,
    NOISY,
    BRIGHTER,
    BLURRED,
    PALER,
    TURNED,
    SHADED,
    ALTERATIONS
};

const char *altered_name(enum alteration how); // "as it is", "mirrored"

// Of a decoded frame; the caller frees *out. RS_E... as what makes frames.
int altered_copy(struct frame **out, const struct frame *f, enum alteration how, struct fail *why);

// Where what is at `at` in `f` is in its copy.
struct pt_px altered_place(struct pt_px at, const struct frame *f, enum alteration how);

#endif
