// SPDX-License-Identifier: MIT
// disc_tuning.h: Finding and placing discs and rings decides by these numbers. Each says its unit, what it does, what follows from more and from less, and
// how it was measured.
#ifndef RINGSIDE_VISION_PIECES_DISC_TUNING_H
#define RINGSIDE_VISION_PIECES_DISC_TUNING_H

#include "vision/tuning_field.h"

struct disc_tuning {
    double placeholder;
};

extern const struct disc_tuning disc_tuning_defaults;

// A row for every field.
extern const struct tuning_fields disc_tuning_fields;

#endif
