// SPDX-License-Identifier: MIT
// `ringside games`: what can be refereed, and on which boards. `ringside rules GAME`: the very tables by which it is refereed.
#include <stdio.h>

#include "referee/commands/setup.h"
#include "referee/commands/verbs.h"

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

static int print_rules(const struct options *o, struct fail *why)
{
    const struct game *game;
    int rc = setup_game(&game, o->operand[0], why);
    if (rc < 0)
        return rc;
    printf("%s\n\n", game->title);
    for (int i = 0; i < game->rule_count; i++)
        printf("%-5s %-18s %s\n", game->rules[i].number, game->rules[i].says, game->rules[i].means);
    return 0;
}

const struct verb rules_verb = {
    .name = "rules",
    .operands = "GAME",
    .says = "list the rules as they are applied, by number",
    .more = "",
    .flags = (const char *const[]){ NULL },
    .operands_min = 1,
    .operands_max = 1,
    .run = print_rules,
};
