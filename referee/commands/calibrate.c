// SPDX-License-Identifier: MIT
// `ringside calibrate WHAT`: the verbs that its second word picks.
#include <stddef.h>

#include "referee/commands/verbs.h"

const struct verb calibrate_verb = {
    .name = "calibrate",
    .second = (const struct verb *const[]){ &calibrate_board_verb, &calibrate_check_verb, NULL },
    .operands = "board|check",
    .says = "measure a board, check how good a set-up is",
    .more = "",
};
