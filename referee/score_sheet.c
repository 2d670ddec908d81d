// SPDX-License-Identifier: MIT
#include "referee/score_sheet.h"

#include <stdlib.h>
#include <string.h>

int score_sheet_follow(void *self, const struct match *m, const struct ruling *r, struct fail *why)
{
    struct score_sheet *s = self;
    const struct standing *now = &m->now;
    struct sheet_round *n = &s->now;
    if (n->game == 0)
        *n = (struct sheet_round){ .game = now->game, .round = 1, .starter = -1 };
    bool another = now->game != n->game;
    bool ended = !s->over && (now->over || now->round != n->round);
    for (int i = 0; i < now->sides && !another && !s->over; i++) {
        const struct player_side *side = &now->side[i];
        n->score[i] = side->score;
        n->points[i] = side->score - s->before[i];
        n->twenties[i] = side->twenties - s->twenties_before[i];
        if (r->shot_ended && m->board.kind == BOARD_CIRCLES)
            n->on_board[i] = standing_on_board(now, &m->table, &m->board, i);
    }
    n->starter = ended ? n->starter : now->starter;
    if (ended && !another) {
        if (s->rounds == s->room) {
            int room = s->room ? 2 * s->room : 16;
            struct sheet_round *round = realloc(s->round, (size_t)room * sizeof *round);
            if (!round)
                return rs_fail(why, RS_ENOMEM, "no memory for a score sheet");
            s->round = round;
            s->room = room;
        }
        n->ends_game = now->over;
        n->winner = now->winner;
        s->round[s->rounds++] = *n;
    }
    if (!ended && !another)
        return 0;
    s->over = now->over;
    for (int i = 0; i < SIDES; i++) {
        s->before[i] = another || i >= now->sides ? 0 : now->side[i].score;
        s->twenties_before[i] = another || i >= now->sides ? 0 : now->side[i].twenties;
    }
    *n = (struct sheet_round){ .game = now->game, .round = now->round, .starter = now->starter };
    return 0;
}

void score_sheet_free(struct score_sheet *s)
{
    free(s->round);
    *s = (struct score_sheet){ .rounds = 0 };
}
