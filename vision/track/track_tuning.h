// SPDX-License-Identifier: MIT
// track_tuning.h: the numbers by which tracking decides.
// track_tuning.def has each with its default, its range and its reason.
#ifndef RINGSIDE_VISION_TRACK_TRACK_TUNING_H
#define RINGSIDE_VISION_TRACK_TRACK_TUNING_H

#include "vision/tuning_field.h"

struct track_tuning {
#define TUNING TUNING_MEMBER
#include "vision/track/track_tuning.def"
};

extern const struct track_tuning track_tuning_defaults;

// A row for every field.
extern const struct tuning_fields track_tuning_fields;

#endif
