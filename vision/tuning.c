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
#define TUNING(name, value, least, most) { #name, offsetof(struct tuning, STAGE.name), least, most },

#define STAGE board
static const struct tuning_field board_fields[] = {
#include "vision/board/board_tuning.def"
};
#undef STAGE

#define STAGE disc
static const struct tuning_field disc_fields[] = {
#include "vision/pieces/disc_tuning.def"
};
#undef STAGE

#define STAGE marble
static const struct tuning_field marble_fields[] = {
#include "vision/pieces/marble_tuning.def"
};
#undef STAGE

#define STAGE appearance
static const struct tuning_field appearance_fields[] = {
#include "vision/pieces/appearance_tuning.def"
};
#undef STAGE

#define STAGE oblique
static const struct tuning_field oblique_fields[] = {
#include "vision/board/oblique_tuning.def"
};
#undef STAGE

#define STAGE evidence
static const struct tuning_field evidence_fields[] = {
#include "vision/pieces/evidence_tuning.def"
};
#undef STAGE

#define STAGE track
static const struct tuning_field track_fields[] = {
#include "vision/track/track_tuning.def"
};
#undef STAGE

const struct tuning_stage tuning_stages[TUNING_STAGES] = {
    { "board", board_fields, countof(board_fields) },
    { "disc", disc_fields, countof(disc_fields) },
    { "marble", marble_fields, countof(marble_fields) },
    { "appearance", appearance_fields, countof(appearance_fields) },
    { "oblique", oblique_fields, countof(oblique_fields) },
    { "evidence", evidence_fields, countof(evidence_fields) },
    { "track", track_fields, countof(track_fields) },
};
