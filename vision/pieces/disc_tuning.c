// SPDX-License-Identifier: MIT
#include "vision/pieces/disc_tuning.h"

const struct disc_tuning disc_tuning_defaults = {
#define TUNING TUNING_DEFAULT
#include "vision/pieces/disc_tuning.def"
};

static const struct tuning_field rows[] = {
#define TUNING(...) TUNING_ROW(struct disc_tuning, __VA_ARGS__)
#include "vision/pieces/disc_tuning.def"
};

const struct tuning_fields disc_tuning_fields = { "disc", rows, countof(rows) };
