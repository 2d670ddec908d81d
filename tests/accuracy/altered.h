// SPDX-License-Identifier: MIT
// altered.h: a picture as another camera, lamp, seat or site would have shown it. What is told of its pieces should be the same.
#ifndef RINGSIDE_TESTS_ACCURACY_ALTERED_H
#define RINGSIDE_TESTS_ACCURACY_ALTERED_H

#include "calibration/units.h"
#include "vision/frame.h"

enum alteration { AS_IT_IS, MIRRORED, SMALLER, DARKER, WARMER, COMPRESSED, SHARPENED, HAZY, NOISY, ALTERATIONS };

// Of a decoded frame; the caller frees *out. RS_E... as what makes frames.
int altered_copy(struct frame **out, const struct frame *f, enum alteration how, struct fail *why);

// Where what is at `at` in `f` is in its copy.
struct pt_px altered_place(struct pt_px at, const struct frame *f, enum alteration how);

#endif
