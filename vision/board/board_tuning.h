// SPDX-License-Identifier: MIT
// board_tuning.h: The finder and the refit of boards decides by these numbers. Each says its unit, what it does, what follows from more and from less, and
// how it was measured.
#ifndef RINGSIDE_VISION_BOARD_BOARD_TUNING_H
#define RINGSIDE_VISION_BOARD_BOARD_TUNING_H

#include "vision/tuning_field.h"

struct board_tuning {
    double placeholder;
};

extern const struct board_tuning board_tuning_defaults;

// A row for every field.
extern const struct tuning_fields board_tuning_fields;

#endif
