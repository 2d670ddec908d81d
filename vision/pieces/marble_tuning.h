// SPDX-License-Identifier: MIT
// marble_tuning.h: Finding and placing marbles decides by these numbers. Each says its unit, what it does, what follows from more and from less, and
// how it was measured.
#ifndef RINGSIDE_VISION_PIECES_MARBLE_TUNING_H
#define RINGSIDE_VISION_PIECES_MARBLE_TUNING_H

#include "vision/tuning_field.h"

struct marble_tuning {
    double placeholder;
};

extern const struct marble_tuning marble_tuning_defaults;

// A row for every field.
extern const struct tuning_fields marble_tuning_fields;

#endif
