// SPDX-License-Identifier: MIT
#include "vision/pieces/marble_tuning.h"

const struct marble_tuning marble_tuning_defaults = {
#define TUNING TUNING_DEFAULT
#include "vision/pieces/marble_tuning.def"
};

static const struct tuning_field rows[] = {
#define TUNING(...) TUNING_ROW(struct marble_tuning, __VA_ARGS__)
#include "vision/pieces/marble_tuning.def"
};

const struct tuning_fields marble_tuning_fields = { "marble", rows, countof(rows) };
