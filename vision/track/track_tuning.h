// SPDX-License-Identifier: MIT
// track_tuning.h: Following pieces in a stream decides by these numbers. Each says its unit, what it does, what follows from more and from less, and
// how it was measured.
#ifndef RINGSIDE_VISION_TRACK_TRACK_TUNING_H
#define RINGSIDE_VISION_TRACK_TRACK_TUNING_H

#include "vision/tuning_field.h"

struct track_tuning {
    double placeholder;
};

extern const struct track_tuning track_tuning_defaults;

// A row for every field.
extern const struct tuning_fields track_tuning_fields;

#endif
