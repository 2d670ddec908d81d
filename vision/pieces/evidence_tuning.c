// SPDX-License-Identifier: MIT
#include "vision/pieces/evidence_tuning.h"

const struct evidence_tuning evidence_tuning_defaults = {
#define TUNING TUNING_DEFAULT
#include "vision/pieces/evidence_tuning.def"
};

static const struct tuning_field rows[] = {
#define TUNING(...) TUNING_ROW(struct evidence_tuning, __VA_ARGS__)
#include "vision/pieces/evidence_tuning.def"
};

const struct tuning_fields evidence_tuning_fields = { "evidence", rows, countof(rows) };
