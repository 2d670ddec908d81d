// SPDX-License-Identifier: MIT
#include "vision/pieces/disc_tuning.h"

const struct disc_tuning disc_tuning_defaults = {
    .placeholder = 0,
};

static const struct tuning_field rows[] = {
    TUNING_FIELD(struct disc_tuning, placeholder, 0, 1),
};

const struct tuning_fields disc_tuning_fields = { "disc", rows, countof(rows) };
