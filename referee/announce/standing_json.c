// SPDX-License-Identifier: MIT
#include "referee/announce/standing_json.h"

static json_t *side_or_null(const struct match *m, int side)
{
    return side < 0 ? json_null() : json_string(standing_name(&m->now, side));
}

static json_t *side_json(const struct match *m, int i)
{
    const struct standing *s = &m->now;
    const struct player_side *side = &s->side[i];
    json_t *players = json_array();
    for (int k = 0; k < PLAYERS_MAX && side->seat.player[k][0]; k++)
        json_array_append_new(players, json_string(side->seat.player[k]));
    json_t *colour = side->seat.colour[0] ? json_string(side->seat.colour) : json_null();
    json_t *left = s->format.pieces_each > 0 ? json_integer(s->format.pieces_each - side->played) : json_null();
    json_t *on_board =
        m->board.kind == BOARD_CIRCLES ? json_integer(standing_on_board(s, &m->table, &m->board, i)) : json_null();
    return json_pack("{s:s, s:o, s:o, s:i, s:i, s:o, s:i, s:i, s:i, s:o, s:i}", "name", standing_name(s, i), "colour",
                     colour, "players", players, "points", side->score, "played", side->played, "left", left,
                     "twenties", side->twenties, "kept", side->kept, "last_round", side->last_round, "on_board",
                     on_board, "games", side->games);
}

json_t *standing_json(const struct match *m)
{
    const struct standing *s = &m->now;
    json_t *sides = json_array(), *owed = json_array();
    int failed = 0;
    for (int i = 0; i < s->sides; i++)
        failed |= json_array_append_new(sides, side_json(m, i));
    for (int i = 0; i < s->owed; i++) {
        const struct owed *o = &s->owe[i];
        failed |= json_array_append_new(owed, json_pack("{s:i, s:s, s:s, s:f, s:f, s:i}", "piece", o->piece, "must",
                                                        o->what == OWED_OFF ? "off" : "back", "side",
                                                        standing_owner(s, o->colour), "x_in", o->at.x, "y_in", o->at.y,
                                                        "shot", o->shot));
    }
    json_t *o =
        json_pack("{s:s, s:s, s:i, s:i, s:o, s:o, s:o, s:o, s:b, s:o}", "game", m->game->name, "format", s->format.name,
                  "game_number", s->game, "round", s->round, "sides", sides, "to_shoot", side_or_null(m, s->to_shoot),
                  "player", s->to_shoot < 0 ? json_null() : json_string(standing_player(s, s->to_shoot)), "owed", owed,
                  "over", s->over, "winner", s->over ? side_or_null(m, s->winner) : json_null());
    failed |= json_object_set_new(o, "history_lost", json_boolean(m->history_lost));
    failed |= json_object_set_new(o, "asked", json_integer(m->asked));
    failed |= json_object_set_new(o, "asked_until_s", m->asked > 0 ? json_real(m->asked_until_s) : json_null());
    if (!failed)
        return o;
    json_decref(o);
    return NULL;
}
