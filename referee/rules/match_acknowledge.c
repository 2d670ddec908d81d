// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "calibration/text.h"
#include "referee/rules/input.h"
#include "referee/rules/match.h"

// "on the board Home 35, Away 0; score Home 2, Away 0; Ann to shoot": of a game that has not begun "new game".
static void words_of_match(char *out, size_t size, const struct match *m)
{
    bool scored = false, counts = false;
    char score[CALL_TEXT_MAX / 2] = "", board[CALL_TEXT_MAX / 2] = "";
    for (int i = 0; i < m->now.sides; i++) {
        scored |= m->now.side[i].score > 0;
        counts |= standing_round_points(&m->now.side[i]).reads > 0;
    }
    if (counts)
        standing_round_words(board, sizeof board, &m->now);
    if (scored || !counts)
        standing_words(score, sizeof score, &m->now);
    bool shoots = m->now.to_shoot >= 0 && !m->now.over;
    snprintf(out, size, "%s%s%s%s%s%s", counts ? "on the board " : "", board, counts && scored ? "; score " : "", score,
             shoots ? "; " : "", shoots ? standing_player(&m->now, m->now.to_shoot) : "");
    if (shoots)
        snprintf(out + strlen(out), size - strlen(out), " to shoot");
}

void match_acknowledge(struct ruling *out, const struct match *m, const struct observation *o, int shot)
{
    static const char *const done[INPUT_KINDS] = { [INPUT_UNDO] = "taken back",
                                                   [INPUT_CONFIRM] = "stands as called",
                                                   [INPUT_SHOT_AGAIN] = "to be made again",
                                                   [INPUT_PUT_ON] = "with one piece more, put on by the judge",
                                                   [INPUT_TAKE_OFF] = "with one piece less, taken off by the judge",
                                                   [INPUT_RETRACT] = "what was said is taken back",
                                                   [INPUT_REDO] = "as before, nothing is taken back" };
    char words[CALL_TEXT_MAX / 2], about[48] = "";
    const char *what = input_word(o), *so = done[o->input.what];
    words_of_match(words, sizeof words, m);
    if (shot > 0 && o->input.what != INPUT_RETRACT)
        snprintf(about, sizeof about, "shot %d%s ", shot, so ? "" : ",");
    struct call *c =
        call_add(&out->calls, game_number(m->game, INPUT_UNDO), what, "%s%s%s%s; %s%s", about, so ? so : what,
                 so || !o->input.text[0] ? "" : ": ", so ? "" : o->input.text, words[0] ? words : "new game",
                 out->changes > 0 || o->input.what == INPUT_CONFIRM ? "" : "; nothing else changes by it");
    c->t_s = o->t_s;
    c->shot = shot;
}
