// SPDX-License-Identifier: MIT
// evidence_tuning.h: the numbers by which discs and rings are told; evidence_tuning.def has each with its default, range and reason.
#ifndef RINGSIDE_VISION_PIECES_EVIDENCE_TUNING_H
#define RINGSIDE_VISION_PIECES_EVIDENCE_TUNING_H

#include "vision/tuning_field.h"

struct evidence_tuning {
#define TUNING TUNING_MEMBER
#include "vision/pieces/evidence_tuning.def"
};

extern const struct evidence_tuning evidence_tuning_defaults;

// A row for every field.
extern const struct tuning_fields evidence_tuning_fields;

#endif
