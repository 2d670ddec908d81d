// SPDX-License-Identifier: MIT
// appearance_tuning.h: what pieces of one side look like, and what a side is called, is decided by these numbers.
// appearance_tuning.def has each with its default, its range and its reason.
#ifndef RINGSIDE_VISION_PIECES_APPEARANCE_TUNING_H
#define RINGSIDE_VISION_PIECES_APPEARANCE_TUNING_H

#include "vision/tuning_field.h"

struct appearance_tuning {
#define TUNING TUNING_MEMBER
#include "vision/pieces/appearance_tuning.def"
};

extern const struct appearance_tuning appearance_tuning_defaults;

// A row for every field.
extern const struct tuning_fields appearance_tuning_fields;

#endif
