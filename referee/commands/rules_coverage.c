// SPDX-License-Identifier: MIT
#include "referee/commands/rules_coverage.h"

#include <stdio.h>
#include <string.h>

#include "referee/commands/verbs.h"

const char *rules_decider(const struct rule *r)
{
    static const char *const deciders[] = {
        [BY_CAMERA] = "camera", [BY_BOOKS] = "the books", [BY_PROPOSAL] = "proposed",
        [BY_PLAYER] = "player", [BY_JUDGE] = "judge",     [BY_SET_UP] = "set-up"
    };
    return r->by && deciders[r->by] ? deciders[r->by] : "?";
}

int rules_coverage(const struct game *game, struct fail *why)
{
    int holes = 0;
    printf("%-6s %-58s %-9s %s\n", "rule", "source", "decides", "shown by");
    for (int i = 0; i < game->rule_count; i++) {
        const struct rule *r = &game->rules[i];
        const char *source = r->source && r->source[0] ? r->source : "?", *decides = rules_decider(r);
        const char *shown = r->shown;
        for (int k = 0; k < game->rule_count && !(shown && shown[0]); k++) // another entry of its number does for it
            if (strcmp(game->rules[k].number, r->number) == 0)
                shown = game->rules[k].shown;
        shown = shown && shown[0] ? shown : "?";
        bool hole = source[0] == '?' || decides[0] == '?' || shown[0] == '?';
        printf("%-6s %-58s %-9s %s%s\n", r->number, source, decides, shown, hole ? "  <- hole" : "");
        holes += hole;
    }
    if (holes == 0)
        return 0;
    rs_fail(why, 0, "%s: %d of %d rules without a source, a decider or a situation", game->name, holes,
            game->rule_count);
    return ENDED_OTHERWISE;
}
