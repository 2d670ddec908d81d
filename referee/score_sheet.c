// SPDX-License-Identifier: MIT
#include "referee/score_sheet.h"

#include <stdlib.h>

#include "calibration/grow.h"

// The game is over, and its points were corrected since.
static void correct_last(struct score_sheet *s, const struct standing *now)
{
    struct sheet_round *last = &s->round[s->rounds - 1];
    last->ends_game = s->over = now->over;
    last->winner = now->winner;
    for (int i = 0; i < now->sides; i++)
        last->score[i] = s->before[i] = now->side[i].score;
}

int score_sheet_follow(struct score_sheet *s, const struct match *m, struct fail *why)
{
    const struct standing *now = &m->now;
    struct sheet_round *n = &s->now;
    if (n->game == 0)
        *n = (struct sheet_round){ .game = now->game, .round = 1, .starter = -1 };
    bool another = now->game != n->game;
    if (s->over && !another && s->rounds > 0)
        correct_last(s, now);
    bool ended = !s->over && (now->over || now->rounds_ended > s->ended);
    n->round = another || ended ? n->round : now->round;
    for (int i = 0; i < now->sides && !another && !s->over; i++) {
        const struct player_side *side = &now->side[i];
        n->score[i] = side->score;
        n->points[i] = side->score - s->before[i];
        n->twenties[i] = side->twenties - s->twenties_before[i];
        n->total[i] = ended ? side->last_round : standing_round_points(side).reads;
    }
    n->starter = ended ? n->starter : now->starter;
    if (ended && !another) {
        if (!grow_list(&s->round, &s->room, s->rounds + 1, sizeof *s->round))
            return rs_fail(why, RS_ENOMEM, "no memory for a score sheet");
        n->ends_game = now->over;
        n->winner = now->winner;
        s->round[s->rounds++] = *n;
    }
    if (!ended && !another)
        return 0;
    s->over = now->over;
    s->ended = now->rounds_ended;
    for (int i = 0; i < SIDES; i++) {
        s->before[i] = another || i >= now->sides ? 0 : now->side[i].score;
        s->twenties_before[i] = another || i >= now->sides ? 0 : now->side[i].twenties;
    }
    *n = (struct sheet_round){ .game = now->game, .round = now->round, .starter = now->starter };
    for (int i = 0; i < now->sides; i++) // until something happens in it
        n->score[i] = now->side[i].score;
    return 0;
}

void score_sheet_free(struct score_sheet *s)
{
    free(s->round);
    *s = (struct score_sheet){ .rounds = 0 };
}

void score_sheet_print(FILE *to, const struct score_sheet *s, const struct match *m)
{
    const struct standing *now = &m->now;
    const char *unit = m->board.kind == BOARD_RING ? "inning" : "round";
    for (int i = 0; i < s->rounds + !s->over; i++) {
        bool running = i == s->rounds, last = running || (i + 1 == s->rounds && s->over);
        const struct sheet_round *n = running ? &s->now : &s->round[i];
        if (i == 0 || n->game != s->round[i - 1].game) {
            fprintf(to, "\nGame %d%-14s", n->game, "");
            for (int k = 0; k < now->sides; k++)
                fprintf(to, " %-24s", standing_name(now, k));
            fprintf(to, "\n");
        }
        fprintf(to, "  %-6s %3d        ", unit, n->round);
        for (int k = 0; k < now->sides; k++) {
            char words[64] = "";
            if (m->board.kind == BOARD_CIRCLES)
                snprintf(words, sizeof words, " (%d, %d x %d)%s", n->total[k], n->twenties[k], m->board.hole_points,
                         running ? " so far" : "");
            fprintf(to, " %3d%-21s", n->points[k], words);
        }
        fprintf(to, "\n");
        if (!n->ends_game && !last)
            continue;
        fprintf(to, "  %-18s", n->ends_game ? "total" : "so far");
        for (int k = 0; k < now->sides; k++)
            fprintf(to, " %3d%-21s", n->score[k], n->ends_game && n->winner == k ? ", wins" : "");
        fprintf(to, "%s\n", n->ends_game && n->winner < 0 ? " drawn" : "");
    }
}
