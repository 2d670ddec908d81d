// SPDX-License-Identifier: MIT
// oblique_tuning.h: boards from the side of a table are found by these numbers.
// oblique_tuning.def has each with its default, its range and its reason.
#ifndef RINGSIDE_VISION_BOARD_OBLIQUE_TUNING_H
#define RINGSIDE_VISION_BOARD_OBLIQUE_TUNING_H

#include "vision/tuning_field.h"

struct oblique_tuning {
#define TUNING TUNING_MEMBER
#include "vision/board/oblique_tuning.def"
};

extern const struct oblique_tuning oblique_tuning_defaults;

// A row for every field.
extern const struct tuning_fields oblique_tuning_fields;

#endif
