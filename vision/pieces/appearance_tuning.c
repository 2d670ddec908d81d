// SPDX-License-Identifier: MIT
#include "vision/pieces/appearance_tuning.h"

const struct appearance_tuning appearance_tuning_defaults = {
    .light_log = 0.25,
    .gloss = 0.15,
    .hue_lab = 3.5,
    .lightness_lab = 5,
    .other_paint = 3.0,
    .middle_grey_l = 50,
    .pale_chroma = 10,
    .warm_white_chroma = 17,
    .wood_chroma = 45,
    .warm_wood_chroma = 60,
    .warm_from_deg = 48,
    .warm_wood_to_deg = 88,
    .wood_to_deg = 106,
    .warm_white_to_deg = 120,
    .all_face = 0.98,
    .ring_face = 0.8,
    .beyond_in = 0.09,
    .around_in = 0.28,
    .most_of = 0.9,
    .least_spread = 3,
    .least_face_pixels = 30,
    .spreads = 2,
};

static const struct tuning_field rows[] = {
    TUNING_FIELD(struct appearance_tuning, light_log, 0.01, 5),
    TUNING_FIELD(struct appearance_tuning, gloss, 0.001, 5),
    TUNING_FIELD(struct appearance_tuning, hue_lab, 0.1, 100),
    TUNING_FIELD(struct appearance_tuning, lightness_lab, 0.1, 100),
    TUNING_FIELD(struct appearance_tuning, other_paint, 0, 100),
    TUNING_FIELD(struct appearance_tuning, middle_grey_l, 0, 100),
    TUNING_FIELD(struct appearance_tuning, pale_chroma, 0, 200),
    TUNING_FIELD(struct appearance_tuning, warm_white_chroma, 0, 200),
    TUNING_FIELD(struct appearance_tuning, wood_chroma, 0, 200),
    TUNING_FIELD(struct appearance_tuning, warm_wood_chroma, 0, 200),
    TUNING_FIELD(struct appearance_tuning, warm_from_deg, -180, 180),
    TUNING_FIELD(struct appearance_tuning, warm_wood_to_deg, -180, 180),
    TUNING_FIELD(struct appearance_tuning, wood_to_deg, -180, 180),
    TUNING_FIELD(struct appearance_tuning, warm_white_to_deg, -180, 180),
    TUNING_FIELD(struct appearance_tuning, all_face, 0, 1),
    TUNING_FIELD(struct appearance_tuning, ring_face, 0, 1),
    TUNING_FIELD(struct appearance_tuning, beyond_in, 0, 1),
    TUNING_FIELD(struct appearance_tuning, around_in, 0, 2),
    TUNING_FIELD(struct appearance_tuning, most_of, 0, 1),
    TUNING_FIELD(struct appearance_tuning, least_spread, 0, 100),
    TUNING_FIELD(struct appearance_tuning, least_face_pixels, 1, 1000),
    TUNING_FIELD(struct appearance_tuning, spreads, 0, 20),
};

const struct tuning_fields appearance_tuning_fields = { "appearance", rows, countof(rows) };
