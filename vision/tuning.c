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

// Of all stages, in the order of struct tuning: of each double there the field.
static const struct tuning_field fields[] = {
#include "vision/board/board_tuning.def"
#include "vision/pieces/disc_tuning.def"
#include "vision/pieces/marble_tuning.def"
#include "vision/pieces/appearance_tuning.def"
#include "vision/board/oblique_tuning.def"
#include "vision/pieces/evidence_tuning.def"
#include "vision/track/track_tuning.def"
};
_Static_assert(sizeof fields / sizeof *fields == offsetof(struct tuning, hint) / sizeof(double),
               "a field for each double");

#define AT(stage) offsetof(struct tuning, stage)
#define FIELDS(stage) &fields[AT(stage) / sizeof(double)], sizeof(struct stage##_tuning) / sizeof(double)
const struct tuning_stage tuning_stages[TUNING_STAGES] = {
    { "board", AT(board), FIELDS(board) },       { "disc", AT(disc), FIELDS(disc) },
    { "marble", AT(marble), FIELDS(marble) },    { "appearance", AT(appearance), FIELDS(appearance) },
    { "oblique", AT(oblique), FIELDS(oblique) }, { "evidence", AT(evidence), FIELDS(evidence) },
    { "track", AT(track), FIELDS(track) },
};
