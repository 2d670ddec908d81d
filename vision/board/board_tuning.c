// SPDX-License-Identifier: MIT
#include "vision/board/board_tuning.h"

const struct board_tuning board_tuning_defaults = {
#define TUNING TUNING_DEFAULT
#include "vision/board/board_tuning.def"
};

static const struct tuning_field rows[] = {
#define TUNING(...) TUNING_ROW(struct board_tuning, __VA_ARGS__)
#include "vision/board/board_tuning.def"
};

const struct tuning_fields board_tuning_fields = { "board", rows, countof(rows) };
