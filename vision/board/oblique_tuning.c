// SPDX-License-Identifier: MIT
#include "vision/board/oblique_tuning.h"

const struct oblique_tuning oblique_tuning_defaults = {
#define TUNING TUNING_DEFAULT
#include "vision/board/oblique_tuning.def"
};

static const struct tuning_field rows[] = {
#define TUNING(...) TUNING_ROW(struct oblique_tuning, __VA_ARGS__)
#include "vision/board/oblique_tuning.def"
};

const struct tuning_fields oblique_tuning_fields = { "oblique", rows, countof(rows) };
