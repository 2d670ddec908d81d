// SPDX-License-Identifier: MIT
// `ringside games`: what can be refereed, and on which boards.
#include <stdio.h>

#include "referee/commands/verbs.h"
#include "referee/games/games.h"

static int print_games(const struct options *o, struct fail *why)
{
    (void)o, (void)why;
    printf("games:\n");
    for (int i = 0; games_at(i); i++)
        printf("  %-20s %s, on %s\n", games_at(i)->name, games_at(i)->title, games_at(i)->board);
    printf("boards:\n");
    for (int i = 0; board_builtin_at(i); i++)
        printf("  %s\n", board_builtin_at(i)->name);
    return 0;
}

const struct verb games_verb = {
    .name = "games",
    .operands = "",
    .says = "list the games and the built-in boards",
    .more = "",
    .flags = (const char *const[]){ NULL },
    .run = print_games,
};
