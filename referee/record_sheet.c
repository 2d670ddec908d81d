// SPDX-License-Identifier: MIT
#include <string.h>

#include "referee/record_stands.h"

void exported_print_sheet(FILE *to, const struct exported *e)
{
    const struct kept_match *m = e->kept;
    const struct standing *now = &e->end.now;
    fprintf(to, "SCORE SHEET\n\n%s\nFormat %s. Match %ld, begun %.10s %.5s UTC, from %s\n\n", e->end.game->title,
            m->format, m->match, m->begun, m->begun + 11, m->source);
    for (int i = 0; i < now->sides; i++) {
        const struct seat *seat = &now->side[i].seat;
        fprintf(to, "  %s", standing_name(now, i));
        if (seat->colour[0] && strcmp(seat->colour, standing_name(now, i)) != 0)
            fprintf(to, " (%s)", seat->colour);
        for (int k = 0; k < PLAYERS_MAX && seat->player[k][0]; k++)
            fprintf(to, "%s%s", k ? ", " : ": ", seat->player[k]);
        fprintf(to, "\n");
    }
    score_sheet_print(to, &e->sheet, &e->end);
    fprintf(to, "\n%s%s\n", now->over ? "Ended: " : "Not over: ", m->score[0] ? m->score : "nobody has shot yet");
    int close = 0;
    for (size_t i = 0; i < json_array_size(e->events); i++) {
        const json_t *c = json_array_get(e->events, i);
        if (strcmp(exported_text(c, "verdict"), "close") != 0)
            continue;
        if (close++ == 0)
            fprintf(to, "\nClose calls, for the judge\n");
        fprintf(to, "  shot %d  rule %s  %s\n", exported_number(c, "shot"), exported_text(c, "rule"),
                exported_text(c, "text"));
    }
    if (json_array_size(e->inputs) > 0)
        fprintf(to, "\nSaid by people, and what changed by it\n");
    for (size_t i = 0; i < json_array_size(e->inputs); i++) {
        const json_t *input = json_array_get(e->inputs, i);
        exported_print_input(to, input);
        for (size_t k = 0; k < json_array_size(e->changed); k++) {
            const json_t *c = json_array_get(e->changed, k);
            if (exported_number(c, "input") == exported_number(input, "input"))
                fprintf(to, "      %s: shot %d %s\n",
                        strcmp(exported_text(c, "change"), "withdrawn") ? "instead" : "no longer",
                        exported_number(c, "shot"), exported_text(c, "text"));
        }
    }
    fprintf(to, "\n\nJudge   ______________________________   Date ______________\n");
    for (int i = 0; i < now->sides; i++)
        fprintf(to, "\n%-10.30s ______________________________\n", standing_name(now, i));
}
