// SPDX-License-Identifier: MIT
#include "referee/games/games.h"

#include <string.h>

#include "calibration/units.h"

static const struct game *const games[] = { &american_marbles_game, &crokinole_game, &crokinole_rings_game };

const struct game *games_find(const char *name)
{
    for (size_t i = 0; i < countof(games); i++)
        if (strcmp(games[i]->name, name) == 0 || (games[i]->also && strcmp(games[i]->also, name) == 0))
            return games[i];
    return NULL;
}

const struct game *games_at(int i)
{
    return i >= 0 && (size_t)i < countof(games) ? games[i] : NULL;
}
