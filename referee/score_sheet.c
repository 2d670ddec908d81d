// SPDX-License-Identifier: MIT
#include "referee/score_sheet.h"

#include <stdlib.h>
#include <string.h>

#include "calibration/grow.h"

// What came to a number in a round. A judge's word may leave less in doubt than there was before it.
static struct points brought(int now, struct doubt doubt, int before, struct doubt before_doubt)
{
    int less = doubt.less - before_doubt.less, more = doubt.more - before_doubt.more, reads = now - before;
    return (
        struct points){ .reads = reads, .least = reads - (less > 0 ? less : 0), .most = reads + (more > 0 ? more : 0) };
}

// What the round that runs, or ran last, brought each side.
static void fill(struct sheet_round *n, const struct score_sheet *s, const struct standing *now)
{
    for (int i = 0; i < now->sides; i++) {
        const struct player_side *side = &now->side[i], *before = &s->before[i];
        n->score[i] = standing_score(side);
        n->points[i] = brought(side->score, side->score_doubt, before->score, before->score_doubt);
        n->twenties[i] = brought(side->twenties, side->twenties_doubt, before->twenties, before->twenties_doubt);
    }
}

// The game is over, and its points were corrected since: they are its last round's. What lay there nobody said anew.
static void correct_last(struct score_sheet *s, const struct standing *now)
{
    struct sheet_round *last = &s->round[s->rounds - 1];
    last->ends_game = s->over = now->over;
    last->winner = now->winner;
    last->close = now->close;
    fill(last, s, now);
    for (int i = 0; i < now->sides && !now->over; i++) // another round of it begins here
        s->before[i] = now->side[i];
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
    if (!another && !s->over)
        fill(n, s, now);
    for (int i = 0; i < now->sides && !another && !s->over; i++)
        n->total[i] = ended ? now->side[i].last_round : standing_round_points(&now->side[i]);
    n->starter = ended ? n->starter : now->starter;
    if (ended && !another) {
        if (!grow_list(&s->round, &s->room, s->rounds + 1, sizeof *s->round))
            return rs_fail(why, RS_ENOMEM, "no memory for a score sheet");
        n->ends_game = now->over;
        n->winner = now->winner;
        n->close = now->close;
        s->round[s->rounds++] = *n;
    }
    if (!ended && !another)
        return 0;
    s->over = now->over;
    s->ended = now->rounds_ended;
    if (another)
        memset(s->before, 0, sizeof s->before);
    for (int i = 0; i < now->sides && !another && !now->over; i++)
        s->before[i] = now->side[i];
    *n = (struct sheet_round){ .game = now->game, .round = now->round, .starter = now->starter };
    for (int i = 0; i < now->sides; i++) // until something happens in it
        n->score[i] = standing_score(&now->side[i]);
    return 0;
}

void score_sheet_free(struct score_sheet *s)
{
    free(s->round);
    *s = (struct score_sheet){ .rounds = 0 };
}

// Numbers stand below each other.
static int indent(struct points points)
{
    int free = 3 - snprintf(NULL, 0, "%d", points.reads);
    return free > 0 ? free : 0;
}

enum { CELL_MAX = 4 * POINTS_WORDS_MAX, CELL_LEAST = 24 };

// What a round brought a side: "  2 (25, 1 x 20)", where calls are close "  2 (0 to 2) (25 (20 to 25), 1 x 20)".
static void round_cell(char out[CELL_MAX], const struct match *m, const struct sheet_round *n, int side, bool running)
{
    char brought[POINTS_WORDS_MAX], total[POINTS_WORDS_MAX], twenties[POINTS_WORDS_MAX];
    points_words(brought, n->points[side]);
    points_words(total, n->total[side]);
    points_words(twenties, n->twenties[side]);
    int used = snprintf(out, CELL_MAX, "%*s%s", indent(n->points[side]), "", brought);
    if (m->board.kind == BOARD_CIRCLES)
        snprintf(out + used, (size_t)(CELL_MAX - used), " (%s, %s x %d)%s", total, twenties, m->board.hole_points,
                 running ? " so far" : "");
}

static void score_cell(char out[CELL_MAX], const struct sheet_round *n, int side)
{
    char score[POINTS_WORDS_MAX];
    points_words(score, n->score[side]);
    snprintf(out, CELL_MAX, "%*s%s%s%s", indent(n->score[side]), "", score,
             n->ends_game && n->winner == side ? ", wins" : "",
             n->ends_game && n->winner == side && n->close ? " (close)" : "");
}

// Of the widest cell of a side.
static int cell_width(const struct score_sheet *s, const struct match *m)
{
    size_t widest = CELL_LEAST;
    for (int i = 0; i < s->rounds + !s->over; i++)
        for (int k = 0; k < m->now.sides; k++) {
            const struct sheet_round *n = i == s->rounds ? &s->now : &s->round[i];
            char cell[CELL_MAX];
            round_cell(cell, m, n, k, i == s->rounds);
            widest = strlen(cell) > widest ? strlen(cell) : widest;
            score_cell(cell, n, k);
            widest = strlen(cell) > widest ? strlen(cell) : widest;
        }
    return (int)widest;
}

void score_sheet_print(FILE *to, const struct score_sheet *s, const struct match *m)
{
    const struct standing *now = &m->now;
    const char *unit = m->board.kind == BOARD_RING ? "inning" : "round";
    const int width = cell_width(s, m);
    char cell[CELL_MAX];
    for (int i = 0; i < s->rounds + !s->over; i++) {
        bool running = i == s->rounds, last = running || (i + 1 == s->rounds && s->over);
        const struct sheet_round *n = running ? &s->now : &s->round[i];
        if (i == 0 || n->game != s->round[i - 1].game) {
            fprintf(to, "\nGame %d%-14s", n->game, "");
            for (int k = 0; k < now->sides; k++)
                fprintf(to, " %-*s", width, standing_name(now, k));
            fprintf(to, "\n");
        }
        fprintf(to, "  %-6s %3d        ", unit, n->round);
        for (int k = 0; k < now->sides; k++) {
            round_cell(cell, m, n, k, running);
            fprintf(to, " %-*s", width, cell);
        }
        fprintf(to, "\n");
        if (!n->ends_game && !last)
            continue;
        fprintf(to, "  %-18s", n->ends_game ? "total" : "so far");
        for (int k = 0; k < now->sides; k++) {
            score_cell(cell, n, k);
            fprintf(to, " %-*s", width, cell);
        }
        bool drawn = n->ends_game && n->winner < 0;
        fprintf(to, "%s%s\n", drawn ? " drawn" : "", drawn && n->close ? " (close)" : "");
    }
}
