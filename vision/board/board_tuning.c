// SPDX-License-Identifier: MIT
#include "vision/board/board_tuning.h"

const struct board_tuning board_tuning_defaults = {
    .placeholder = 0,
};

static const struct tuning_field rows[] = {
    TUNING_FIELD(struct board_tuning, placeholder, 0, 1),
};

const struct tuning_fields board_tuning_fields = { "board", rows, countof(rows) };
