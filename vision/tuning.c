// SPDX-License-Identifier: MIT
#include "vision/tuning.h"

const struct tuning tuning_defaults = {
    .board = &board_tuning_defaults,
    .disc = &disc_tuning_defaults,
    .marble = &marble_tuning_defaults,
    .appearance = &appearance_tuning_defaults,
    .oblique = &oblique_tuning_defaults,
    .evidence = &evidence_tuning_defaults,
    .track = &track_tuning_defaults,
};
