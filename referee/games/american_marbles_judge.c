// SPDX-License-Identifier: MIT
// What the judge of American Marbles says, and what comes of it.
#include "referee/games/american_marbles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/units.h"

void american_marbles_end(struct judging *j, const char *number, int winner)
{
    const struct standing *s = j->now;
    j->now->over = true;
    j->now->winner = winner;
    int loser = standing_other(s, winner);
    struct call *c = call_add(j->calls, number, "game", "game, %s wins %d-%d", s->side[winner].colour,
                              s->side[winner].score, loser == winner ? 0 : s->side[loser].score);
    snprintf(c->side, sizeof c->side, "%s", s->side[winner].colour);
}

static void reset_dead(struct judging *j, int side)
{
    (void)side;
    call_add(j->calls, "M43", "reset", "dead marble: reset");
}

static void lose_by_forfeit(struct judging *j, int side)
{
    int winner = standing_other(j->now, side);
    if (winner == side)
        return;
    j->now->side[winner].score = AMERICAN_MARBLES_TO_WIN;
    j->now->side[side].score = 0;
    american_marbles_end(j, "M57", winner);
}

static void lose_by_taw(struct judging *j, int side)
{
    int winner = standing_other(j->now, side);
    if (winner != side)
        american_marbles_end(j, "M12", winner);
}

static void coach(struct judging *j, int side)
{
    struct side *s = &j->now->side[side];
    bool warned = s->warnings++ > 0;
    if (warned)
        s->score = 0;
    struct call *c =
        call_add(j->calls, warned ? "M60" : "M59", warned ? "coaching" : "warning",
                 warned ? "coaching by %s: all its targets back, score 0" : "warning to %s: no advice", s->colour);
    snprintf(c->side, sizeof c->side, "%s", s->colour);
}

static void external_force(struct judging *j, int side)
{
    (void)side;
    call_add(j->calls, "M49", "reset", "external force: reset, no score");
}

static void point(struct judging *j, int side)
{
    struct side *s = &j->now->side[side];
    s->score++;
    call_add(j->calls, "M50", "point", "external force: point to %s", s->colour);
    if (s->score >= AMERICAN_MARBLES_TO_WIN)
        american_marbles_end(j, "M54", side);
}

// M62: the judge's word beats any automatic call. "blue 3" sets blue's score.
static void correct(struct judging *j, int side)
{
    const char *number = strrchr(j->input->input.text, ' ');
    if (!number)
        return;
    long score_now = strtol(number, NULL, 10);
    j->now->side[side].score = (int)fmax(0, fmin(13, (double)score_now));
    call_add(j->calls, "M62", "corrected", "corrected: %s has %d", j->now->side[side].colour, j->now->side[side].score);
}

// The side whose colour the text begins with; -1 when it names none.
static int named_side(const struct judging *j)
{
    const char *text = j->input->input.text;
    for (int i = 0; i < j->now->sides; i++) {
        size_t length = strlen(j->now->side[i].colour);
        if (strncmp(text, j->now->side[i].colour, length) == 0 && (text[length] == '\0' || text[length] == ' '))
            return i;
    }
    return -1;
}

void american_marbles_input(struct judging *j)
{
    static const struct {
        const char *what;
        bool needs_side;
        void (*then)(struct judging *j, int side);
    } words[] = {
        { "coach", true, coach },           { "correct", true, correct },         { "dead", false, reset_dead },
        { "force", false, external_force }, { "forfeit", true, lose_by_forfeit }, { "point", true, point },
        { "wrong-taw", true, lose_by_taw },
    };
    const char *what = j->input->input.what;
    int side = named_side(j);
    for (size_t i = 0; i < countof(words); i++)
        if (strcmp(what, words[i].what) == 0 && (side >= 0 || !words[i].needs_side)) {
            words[i].then(j, side);
            return;
        }
    call_add(j->calls, "M62", "noted", "noted: %s %s", what, j->input->input.text);
}
