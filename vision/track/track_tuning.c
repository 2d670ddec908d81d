// SPDX-License-Identifier: MIT
#include "vision/track/track_tuning.h"

const struct track_tuning track_tuning_defaults = {
#define TUNING TUNING_DEFAULT
#include "vision/track/track_tuning.def"
};

static const struct tuning_field rows[] = {
#define TUNING(...) TUNING_ROW(struct track_tuning, __VA_ARGS__)
#include "vision/track/track_tuning.def"
};

const struct tuning_fields track_tuning_fields = { "track", rows, countof(rows) };
