// SPDX-License-Identifier: MIT
// `ringside games`: what can be refereed, on which boards. `ringside rules GAME`: the tables by which it is.
#include <stdio.h>

#include "referee/commands/command_setup.h"
#include "referee/commands/rules_coverage.h"
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
    .flags = (const char *const[]){ NULL },
    .run = print_games,
};

static int print_rules(const struct options *o, struct fail *why)
{
    const struct game *game;
    int rc = setup_game(&game, o->operand[0], why);
    if (rc < 0 || o->coverage)
        return rc < 0 ? rc : rules_coverage(game, why);
    printf("%s\n\n", game->title);
    for (int i = 0; i < game->rule_count; i++) {
        const struct rule *r = &game->rules[i];
        printf("%-5s %-18s %s\n", r->number, r->says, r->means);
        if (r->source || r->by)
            printf("%25s[%s%s%s]\n", "", r->source ? r->source : "", r->source && r->by ? "; " : "",
                   r->by ? rules_decider(r) : "");
    }
    printf("\nformats (--format):\n");
    for (int i = 0; i < game->format_count; i++) {
        const struct format *f = &game->formats[i];
        printf("  %-16s %s", f->name, f->players > 1 ? "doubles" : "singles");
        if (f->pieces_each > 0)
            printf(", %d pieces a side and round", f->pieces_each);
        if (f->rounds > 0)
            printf(", %d rounds", f->rounds);
        if (f->target > 0)
            printf(", to %d", f->target);
        printf("%s%s\n", f->twenties_decide ? ", twenties break a tie" : "", i == 0 ? " (usually)" : "");
    }
    if (game->ruling_count > 0)
        printf("\nwhat the rule books leave open, and how it is played here:\n");
    for (int i = 0; i < game->ruling_count; i++) {
        const struct ruling_taken *t = &game->rulings[i];
        printf("%-5s %s\n      played: %s\n", t->number, t->question, t->taken);
        if (t->other)
            printf("      or: %s\n", t->other);
    }
    return 0;
}

const struct verb rules_verb = {
    .name = "rules",
    .operands = "GAME",
    .says = "list the rules as they are applied, by number",
    .more = "Each with where it is written and who decides it; the formats; what the rule books leave open. --coverage "
            "ends with\n"
            "status 4 when a rule has no source, nobody who decides it, or no situation that shows it.\n",
    .flags = (const char *const[]){ "--coverage", NULL },
    .operands_min = 1,
    .operands_max = 1,
    .run = print_rules,
};
