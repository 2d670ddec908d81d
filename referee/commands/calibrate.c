// SPDX-License-Identifier: MIT
// `ringside calibrate WHAT`: the verbs that its second word picks.
#include <stddef.h>

#include "referee/commands/verbs.h"

const struct verb calibrate_verb = {
    .name = "calibrate",
    .second = (const struct verb *const[]){ &calibrate_board_verb, &calibrate_check_verb, &calibrate_lens_verb,
                                            &calibrate_target_verb, NULL },
    .operands = "board|check|lens|target",
    .says = "measure a board or a lens, check a set-up",
    .more = "",
};
