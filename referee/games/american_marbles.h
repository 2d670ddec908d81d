// SPDX-License-Identifier: MIT
// american_marbles.h: what the rules of the shot and the words of the judge share.
#ifndef RINGSIDE_REFEREE_GAMES_AMERICAN_MARBLES_H
#define RINGSIDE_REFEREE_GAMES_AMERICAN_MARBLES_H

#include "referee/rules/rule.h"

enum { AMERICAN_MARBLES_TO_WIN = 7 }; // targets, M54

// The game is over and said so; `number` is the rule that ended it.
void american_marbles_end(struct judging *j, const char *number, int winner);

// Follows one input of the judge; what it does not know is noted.
void american_marbles_input(struct judging *j);

#endif
