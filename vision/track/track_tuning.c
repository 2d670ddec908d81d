// SPDX-License-Identifier: MIT
#include "vision/track/track_tuning.h"

const struct track_tuning track_tuning_defaults = {
    .placeholder = 0,
};

static const struct tuning_field rows[] = {
    TUNING_FIELD(struct track_tuning, placeholder, 0, 1),
};

const struct tuning_fields track_tuning_fields = { "track", rows, countof(rows) };
