// SPDX-License-Identifier: MIT
// rules_coverage.h: where each rule of a game is written, who decides it, and which situations show it.
#ifndef RINGSIDE_REFEREE_COMMANDS_RULES_COVERAGE_H
#define RINGSIDE_REFEREE_COMMANDS_RULES_COVERAGE_H

#include "calibration/fail.h"
#include "referee/rules/match.h"

// "camera", "judge" ...; "?" when it is not known.
const char *rules_decider(const struct rule *r);

// Prints the table. 0 when it has no hole, else ENDED_OTHERWISE with how many.
int rules_coverage(const struct game *game, struct fail *why);

#endif
