// SPDX-License-Identifier: MIT
#include "referee/announce/standing_json.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "calibration/units.h"
#include "referee/json_list.h"
#include "referee/rules/input.h"

static const char *side_or_null(const struct match *m, int side)
{
    return side < 0 ? NULL : standing_name(&m->now, side);
}

// A side that shot more than it has has none left.
static int left_of(const struct standing *s, const struct player_side *side)
{
    return side->played < s->format.pieces_each ? s->format.pieces_each - side->played : 0;
}

static json_t *side_json(const struct match *m, int i)
{
    const struct standing *s = &m->now;
    const struct player_side *side = &s->side[i];
    json_t *players = json_array();
    for (int k = 0; k < PLAYERS_MAX && side->seat.player[k][0]; k++)
        json_array_append_new(players, json_string(side->seat.player[k]));
    const char *colour = side->seat.colour[0] ? side->seat.colour : NULL;
    json_t *left = s->format.pieces_each > 0 ? json_integer(left_of(s, side)) : json_null();
    json_t *on_board =
        m->board.kind == BOARD_CIRCLES ? json_integer(standing_on_board(s, &m->table, &m->board, i)) : json_null();
    return json_pack("{s:s, s:s?, s:o, s:i, s:i, s:o, s:i, s:i, s:i, s:o, s:i}", "name", standing_name(s, i), "colour",
                     colour, "players", players, "points", side->score, "played", side->played, "left", left,
                     "twenties", side->twenties, "kept", side->kept, "last_round", side->last_round, "on_board",
                     on_board, "games", side->games);
}

json_t *standing_json(const struct match *m)
{
    const struct standing *s = &m->now;
    json_t *sides = json_array(), *owed = json_array();
    for (int i = 0; i < s->sides; i++)
        json_list_add(&sides, side_json(m, i));
    for (int i = 0; i < s->owed; i++) {
        const struct owed *o = &s->owe[i];
        json_list_add(&owed, json_pack("{s:i, s:s, s:s, s:f, s:f, s:i}", "piece", o->piece, "must",
                                       o->what == OWED_OFF ? "off" : "back", "side", standing_owner(s, o->colour),
                                       "x_in", o->at.x, "y_in", o->at.y, "shot", o->shot));
    }
    return json_pack("{s:s, s:s, s:i, s:i, s:o, s:s?, s:s?, s:o, s:b, s:s?, s:b, s:b, s:i, s:o}", "game", m->game->name,
                     "format", s->format.name, "game_number", s->game, "round", s->round, "sides", sides, "to_shoot",
                     side_or_null(m, s->to_shoot), "player", s->to_shoot < 0 ? NULL : standing_player(s, s->to_shoot),
                     "owed", owed, "over", s->over, "winner", s->over ? side_or_null(m, s->winner) : NULL,
                     "history_lost", m->history_lost, "paused", m->paused, "asked", m->asked, "asked_until_s",
                     m->asked > 0 ? json_real(m->asked_until_s) : json_null());
}

static void add_word(char *out, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void add_word(char *out, size_t size, const char *format, ...)
{
    size_t used = strlen(out);
    va_list args;
    va_start(args, format);
    vsnprintf(out + used, size - used, format, args);
    va_end(args);
}

json_t *standing_json_said(const struct match *m)
{
    json_t *list = json_array();
    for (int n = m->inputs; n > 0 && n > m->inputs - SAID_KEPT; n--) {
        const struct observation *o = &m->said[(n - 1) % SAID_KEPT];
        int by = amendments_retracted_by(m->amended, n);
        const struct amendment *a = amendments_find(m->amended, n); // whose shot or input is known where none was named
        int shot = a && a->shot > 0 ? a->shot : o->input.shot, input = a ? a->said.input.input : o->input.input;
        char words[OBS_TEXT_MAX + 4 * OBS_WORD_MAX] = "";
        add_word(words, sizeof words, "%s%s%s", input_word(o), o->input.text[0] ? " " : "", o->input.text);
        if (o->input.side[0])
            add_word(words, sizeof words, ", %s", o->input.side);
        if (o->input.has_value && o->input.what != INPUT_PAUSE && o->input.what != INPUT_RESUME)
            add_word(words, sizeof words, " %g", o->input.value[0]);
        if (o->input.has_value && o->input.what == INPUT_PUT_ON) // a place
            add_word(words, sizeof words, " %g", o->input.value[1]);
        const struct {
            const char *name;
            int number;
        } about[] = { { "shot", shot }, { "piece", o->input.piece }, { "input", input } };
        for (size_t i = 0; i < countof(about); i++)
            if (about[i].number > 0)
                add_word(words, sizeof words, ", %s %d", about[i].name, about[i].number);
        json_list_add(&list, json_pack("{s:i, s:f, s:s, s:s, s:s, s:b, s:o}", "input", n, "t_s", o->t_s, "by",
                                       o->input.by, "what", input_word(o), "words", words, "in_force", by == 0,
                                       "retracted_by", by ? json_integer(by) : json_null()));
    }
    return list;
}
