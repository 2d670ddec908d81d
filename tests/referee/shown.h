// SPDX-License-Identifier: MIT
// shown.h: which situation shows which rule of which game, and whether the tables of rules say the same.
#ifndef RINGSIDE_TESTS_REFEREE_SHOWN_H
#define RINGSIDE_TESTS_REFEREE_SHOWN_H

#include "tests/referee/play.h"

enum { SHOWN_MAX = 600, NAME_MAX = 16 }; // situations; letters of their names

static struct {
    int count;
    struct {
        const struct game *game;
        char name[NAME_MAX], rule[RULE_NUMBER_MAX];
    } row[8 * SHOWN_MAX];
} shown;

static inline void shown_add(const struct game *game, const char *name, const char *rule)
{
    shown.row[shown.count].game = game;
    snprintf(shown.row[shown.count].name, NAME_MAX, "%s", name);
    snprintf(shown.row[shown.count++].rule, RULE_NUMBER_MAX, "%.7s", rule);
}

static inline bool shown_by(const struct game *game, const char *name, const char *rule)
{
    for (int i = 0; i < shown.count; i++)
        if (shown.row[i].game == game && strcmp(shown.row[i].name, name) == 0 && strcmp(shown.row[i].rule, rule) == 0)
            return true;
    return false;
}

// `ringside rules --coverage` prints the tables: each rule has its source, who decides it, and situations that show it.
static inline void every_rule_is_shown(void **state)
{
    (void)state;
    const struct game *game;
    for (int i = 0; (game = games_at(i)); i++)
        for (const struct rule *r = game->rules; r < game->rules + game->rule_count; r++) {
            char names[200], *save = NULL;
            if (!r->source || !r->by || !r->shown)
                fail_msg("%s: %s %s has no source, nobody who decides it, or nothing that shows it", game->name,
                         r->number, r->says);
            snprintf(names, sizeof names, "%s", r->shown);
            for (char *name = strtok_r(names, " ", &save); name; name = strtok_r(NULL, " ", &save))
                if (!shown_by(game, name, r->number))
                    fail_msg("%s: situation %s does not show %s", game->name, name, r->number);
        }
    for (int i = 0; i < shown.count; i++) {
        bool known = false;
        for (int k = 0; k < shown.row[i].game->rule_count && !known; k++)
            known = strcmp(shown.row[i].game->rules[k].number, shown.row[i].rule) == 0;
        if (!known)
            fail_msg("situation %s shows %s, which is no rule of %s", shown.row[i].name, shown.row[i].rule,
                     shown.row[i].game->name);
    }
}

#endif
