// SPDX-License-Identifier: MIT
// marble_tuning.h: finding, fitting and naming marbles decides by these numbers.
// marble_tuning.def has each with its default, its range and its reason.
#ifndef RINGSIDE_VISION_PIECES_MARBLE_TUNING_H
#define RINGSIDE_VISION_PIECES_MARBLE_TUNING_H

#include "vision/tuning_field.h"

struct marble_tuning {
#define TUNING TUNING_MEMBER
#include "vision/pieces/marble_tuning.def"
};

extern const struct marble_tuning marble_tuning_defaults;

// A row for every field.
extern const struct tuning_fields marble_tuning_fields;

#endif
