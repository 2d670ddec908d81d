// SPDX-License-Identifier: MIT
#include "vision/tuning.h"

#define TUNING(name, value, least, most) .name = value,

const struct tuning tuning_defaults = {
    .board = {
#include "vision/board/board_tuning.def"
    },
    .disc = {
#include "vision/pieces/disc_tuning.def"
    },
    .marble = {
#include "vision/pieces/marble_tuning.def"
    },
    .appearance = {
#include "vision/pieces/appearance_tuning.def"
    },
    .oblique = {
#include "vision/board/oblique_tuning.def"
    },
    .evidence = {
#include "vision/pieces/evidence_tuning.def"
    },
    .track = {
#include "vision/track/track_tuning.def"
    },
};

#undef TUNING
#define TUNING(name, value, least, most) { #name, least, most },

static const struct tuning_field board_fields[] = {
#include "vision/board/board_tuning.def"
};

static const struct tuning_field disc_fields[] = {
#include "vision/pieces/disc_tuning.def"
};

static const struct tuning_field marble_fields[] = {
#include "vision/pieces/marble_tuning.def"
};

static const struct tuning_field appearance_fields[] = {
#include "vision/pieces/appearance_tuning.def"
};

static const struct tuning_field oblique_fields[] = {
#include "vision/board/oblique_tuning.def"
};

static const struct tuning_field evidence_fields[] = {
#include "vision/pieces/evidence_tuning.def"
};

static const struct tuning_field track_fields[] = {
#include "vision/track/track_tuning.def"
};

#define AT(stage) offsetof(struct tuning, stage)
const struct tuning_stage tuning_stages[TUNING_STAGES] = {
    { "board", AT(board), board_fields, countof(board_fields) },
    { "disc", AT(disc), disc_fields, countof(disc_fields) },
    { "marble", AT(marble), marble_fields, countof(marble_fields) },
    { "appearance", AT(appearance), appearance_fields, countof(appearance_fields) },
    { "oblique", AT(oblique), oblique_fields, countof(oblique_fields) },
    { "evidence", AT(evidence), evidence_fields, countof(evidence_fields) },
    { "track", AT(track), track_fields, countof(track_fields) },
};
