// SPDX-License-Identifier: MIT
#include "vision/pieces/appearance_tuning.h"

const struct appearance_tuning appearance_tuning_defaults = {
#define TUNING TUNING_DEFAULT
#include "vision/pieces/appearance_tuning.def"
};

static const struct tuning_field rows[] = {
#define TUNING(...) TUNING_ROW(struct appearance_tuning, __VA_ARGS__)
#include "vision/pieces/appearance_tuning.def"
};

const struct tuning_fields appearance_tuning_fields = { "appearance", rows, countof(rows) };
