// SPDX-License-Identifier: MIT
// games.h: the games that are known, sorted by name.
#ifndef RINGSIDE_REFEREE_GAMES_GAMES_H
#define RINGSIDE_REFEREE_GAMES_GAMES_H

#include "referee/rules/match.h"

extern const struct game american_marbles_game, crokinole_game, crokinole_rings_game;

// NULL when there is none of that name. Static; never freed.
const struct game *games_find(const char *name);

// The i-th in alphabetical order, NULL past the end.
const struct game *games_at(int i);

#endif
