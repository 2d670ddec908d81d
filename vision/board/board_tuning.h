// SPDX-License-Identifier: MIT
// board_tuning.h: the numbers by which boards are found, followed and learnt.
//
// board_tuning.def has each with its default, its range and its reason.
#ifndef RINGSIDE_VISION_BOARD_BOARD_TUNING_H
#define RINGSIDE_VISION_BOARD_BOARD_TUNING_H

#include "vision/tuning_field.h"

struct board_tuning {
#define TUNING TUNING_MEMBER
#include "vision/board/board_tuning.def"
};

extern const struct board_tuning board_tuning_defaults;

// A row for every field.
extern const struct tuning_fields board_tuning_fields;

#endif
