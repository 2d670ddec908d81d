// SPDX-License-Identifier: MIT
// disc_tuning.h: the numbers by which discs and rings are found and placed.
// disc_tuning.def has each with its default, its range and its reason.
#ifndef RINGSIDE_VISION_PIECES_DISC_TUNING_H
#define RINGSIDE_VISION_PIECES_DISC_TUNING_H

#include "vision/tuning_field.h"

struct disc_tuning {
#define TUNING TUNING_MEMBER
#include "vision/pieces/disc_tuning.def"
};

extern const struct disc_tuning disc_tuning_defaults;

// A row for every field.
extern const struct tuning_fields disc_tuning_fields;

#endif
