// SPDX-License-Identifier: MIT
#include "vision/pieces/marble_tuning.h"

const struct marble_tuning marble_tuning_defaults = {
    .placeholder = 0,
};

static const struct tuning_field rows[] = {
    TUNING_FIELD(struct marble_tuning, placeholder, 0, 1),
};

const struct tuning_fields marble_tuning_fields = { "marble", rows, countof(rows) };
