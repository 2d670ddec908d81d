// SPDX-License-Identifier: MIT
#include "referee/announce/json.h"
#include "referee/record_stands.h"

static json_t *side_or_null(int side)
{
    return side < 0 ? json_null() : json_integer(side);
}

// The game that ends with the last of these rounds.
static json_t *cmn_match(const struct exported *e, const struct sheet_round *first, const struct sheet_round *last)
{
    const struct standing *now = &e->end.now;
    const struct format *f = &now->format;
    json_t *games = json_array(), *teams = json_array(), *calls = json_array(), *all = exported_events(e, "call");
    for (int i = 0; i < SIDES; i++) {
        const struct seat *seat = &now->side[i].seat;
        json_t *players = json_array();
        for (int k = 0; k < f->players && k < PLAYERS_MAX; k++) {
            const char *name = seat->player[k][0] ? seat->player[k] : standing_name(now, i);
            json_array_append_new(players, json_pack("{s:s}", "name", name));
        }
        json_array_append_new(teams, json_pack("{s:o}", "players", players));
    }
    for (const struct sheet_round *n = first; n <= last; n++) { // what CMN calls a game: where match points are given
        int more = n->points[0] == n->points[1] ? -1 : n->points[1] > n->points[0];
        json_t *o = json_pack("{s:o, s:[i, i], s:[i, i]}", "winner", side_or_null(more), "scores", n->total[0],
                              n->total[1], "twenties", n->twenties[0], n->twenties[1]);
        if (o && n->starter >= 0)
            json_object_set_new(o, "hammer", json_integer(n->starter));
        json_array_append_new(games, o);
    }
    for (size_t i = 0; i < json_array_size(all); i++) {
        json_t *c = json_array_get(all, i), *standing = json_object_get(c, "standing");
        if (exported_number(standing, "game_number") != last->game)
            continue;
        c = json_copy(c);
        json_object_del(c, "standing");
        json_array_append_new(calls, c);
    }
    json_decref(all);
    json_t *o =
        json_pack("{s:s, s:s, s:o, s:o, s:o, s:{s:s, s:s, s:o}}", "date", e->kept->begun, "format",
                  f->players > 1 ? "doubles" : "singles", "teams", teams, "games", games, "winner",
                  side_or_null(last->winner), "ringside", "game", e->kept->game, "format", f->name, "calls", calls);
    if (o && f->rounds > 0)
        json_object_set_new(o, "gameFormat", json_pack("{s:s, s:i}", "type", "fixed", "count", f->rounds));
    else if (o && f->target > 0)
        json_object_set_new(o, "gameFormat", json_pack("{s:s, s:i}", "type", "first_to", "target", f->target));
    return o;
}

int exported_print_cmn(FILE *to, const struct exported *e, const char *software, struct fail *why)
{
    json_t *matches = json_array(), *source = json_pack("{s:s, s:s}", "app", "ringside", "version", software);
    int first = 0;
    for (int i = 0; i < e->sheet.rounds; i++) {
        const struct sheet_round *n = &e->sheet.round[i];
        char id[80];
        if (i > 0 && n->game != n[-1].game)
            first = i;
        if (!n->ends_game)
            continue;
        snprintf(id, sizeof id, "%s%s%.0d", e->kept->id, n->game > 1 ? "-" : "", n->game > 1 ? n->game : 0);
        json_array_append_new(matches,
                              json_pack("{s:s, s:o}", "id", id, "match", cmn_match(e, &e->sheet.round[first], n)));
    }
    size_t games = json_array_size(matches);
    json_t *o = json_pack("{s:s}", "cmn", "1.0");
    if (games == 1)
        json_object_update(o, json_array_get(matches, 0));
    else
        json_object_update_new(o, json_pack("{s:b, s:O}", "batch", 1, "matches", matches));
    json_object_set_new(o, "source", source);
    json_decref(matches);
    if (games > 0)
        return json_print(to, o, why);
    json_decref(o);
    return rs_fail(why, RS_EINPUT, "match %ld: no game of it is finished, and Crokinole Match Notation is for results",
                   e->kept->match);
}
