// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "referee/rules/input.h"
#include "referee/rules/match.h"

// Where a piece can lie: on the board, or as far beyond a ring as the drawing of it reaches.
static double reach_in(const struct board *b)
{
    static const double BEYOND_RING = 1.25;
    return fmax(b->surface_radius_in, BEYOND_RING * b->circle_in[0]);
}

static bool is_in_reach(const struct board *b, const struct observation *said)
{
    const double *at = said->input.value;
    return said->input.has_value && hypot(at[0], at[1]) <= reach_in(b);
}

// What a piece of that kind is like on this board: as most of those that lie there are.
static void make_alike(struct known_piece *p, const struct piece_table *t)
{
    int most = 0;
    for (int i = 0; i < t->count; i++) {
        const struct known_piece *like = &t->piece[i];
        int count = 0;
        for (int k = 0; k < t->count && like->lying.taw == p->lying.taw; k++)
            count += t->piece[k].lying.taw == p->lying.taw && strcmp(t->piece[k].colour, like->colour) == 0;
        if (count <= most || (p->colour[0] && strcmp(p->colour, like->colour) != 0))
            continue;
        most = count;
        memcpy(p->colour, like->colour, sizeof p->colour);
        p->lying.radius_in = like->lying.radius_in;
    }
}

// "taw" and "target" on a ring, an area elsewhere; the side by its name or colour, or a colour that nobody has yet.
static bool describe(struct known_piece *out, const struct match *m, const struct observation *said, int number)
{
    const struct board *b = &m->board;
    int side = standing_named(&m->now, said->input.side);
    const char *text = said->input.text;
    char colour[OBS_WORD_MAX];
    if (side < 0)
        standing_colour_said(colour, said->input.side);
    else
        memcpy(colour, m->now.side[side].seat.colour, sizeof colour);
    double sigma_in = placed_sigma_in(b);
    struct zone zone;
    bool ring = b->kind == BOARD_RING, taw = ring && strcmp(text, "taw") == 0, of_side = taw || !ring;
    *out = (struct known_piece){ .id = placed_id(number), .kind = b->piece, .rested = true, .in_position = true };
    out->lying = (struct resting_piece){ .at = { said->input.value[0], said->input.value[1] },
                                         .cov = { .xx = sigma_in * sigma_in, .yy = sigma_in * sigma_in },
                                         .radius_in = b->piece_radius_in,
                                         .taw = taw,
                                         .certainty = 1 };
    if (!is_in_reach(b, said) || (of_side && colour[0] == '\0') || (of_side && side < 0 && m->now.sides == SIDES))
        return false;
    if (of_side)
        snprintf(out->colour, sizeof out->colour, "%s", colour);
    if (ring) {
        make_alike(out, &m->table);
        if (out->colour[0] == '\0')
            snprintf(out->colour, sizeof out->colour, "target");
        return taw || text[0] == '\0' || strcmp(text, "target") == 0;
    }
    if (text[0] == '\0')
        return true;
    if (!zone_named(&zone, b, text))
        return false;
    zone_rule(&out->lying, &zone);
    out->lying.plane = zone.area == ZONE_HOLE ? IN_HOLE : zone.area == ZONE_DITCH ? IN_DITCH : ON_SURFACE;
    return true;
}

// It counts once, by the shot that brought it there, and does not lie there any more.
static bool needs_a_shot(const struct match *m, const struct known_piece *p)
{
    struct zone zone = zone_of(&m->board, &p->lying);
    return zone.area == ZONE_HOLE || zone.area == ZONE_DITCH;
}

bool match_places_now(const struct match *m, const struct observation *o)
{
    struct known_piece p;
    bool puts = o->input.what == INPUT_PUT_ON && describe(&p, m, o, m->inputs);
    if (m->shot.running || m->shot.number == 0)
        return !puts || !needs_a_shot(m, &p) || m->shot.number == 0;
    if (m->placed.emptied_behind == m->shot.number)
        return true;
    for (int i = 0; i < m->shot.count && puts; i++) { // what a hand took from there since lay there then
        const struct outcome *lay = &m->shot.piece[i];
        double apart_in = distance_in(lay->piece.lying.at, p.lying.at);
        if (!lay->left && apart_in < p.lying.radius_in)
            return true;
    }
    return false;
}

bool match_place(struct match *m, const struct amendment *a, bool now)
{
    struct known_piece p;
    if (a->said.input.what == INPUT_TAKE_OFF) {
        if (!now || m->shot.running)
            shot_take_off(&m->shot, &m->board, a->said.input.piece);
        standing_settle(&m->now, a->said.input.piece);
        return placed_take_off(&m->placed, &m->table, a->said.input.piece);
    }
    const struct outcome *shot = now ? NULL : shot_outcome(&m->shot, m->shot.shooter);
    if (shot && (shot->piece.kind != PIECE_MARBLE || shot->piece.lying.taw)) // who shot sits first
        standing_side(&m->now, m->shot.by);
    bool puts = describe(&p, m, &a->said, a->number) && !placed_over(&m->table, p.lying.at) &&
                !(now && needs_a_shot(m, &p)) && placed_put_on(&m->table, &p);
    if (puts && !now)
        shot_put_on(&m->shot, &m->board, &p);
    if (puts && m->board.kind == BOARD_CIRCLES)
        standing_side(&m->now, p.colour);
    return puts;
}

void match_clear_placed(struct match *m, bool all)
{
    for (int i = m->table.count - 1; i >= 0; i--) {
        const struct known_piece *p = &m->table.piece[i];
        int id = p->id;
        const struct owed *owed = standing_owes(&m->now, id);
        if (!p->put_on || !(all || needs_a_shot(m, p) || (owed && owed->what == OWED_OFF)))
            continue;
        standing_settle(&m->now, id);
        piece_table_remove(&m->table, id);
    }
}

void match_say_placed(struct match *m, struct call_list *calls, const struct amendment *at_once)
{
    const struct observation *o = &at_once->said;
    bool puts = o->input.what == INPUT_PUT_ON;
    int id = puts ? placed_id(at_once->number) : o->input.piece;
    const struct known_piece *it = piece_table_find(&m->table, id);
    struct known_piece p = it ? *it : (struct known_piece){ .id = 0 };
    bool done = match_place(m, at_once, true);
    it = puts ? piece_table_find(&m->table, id) : &p;
    char word[ZONE_WORD_MAX] = "";
    const char *number = game_number(m->game, INPUT_OTHER);
    if (!done || !it) {
        call_add(calls, number, "noted",
                 puts ? "put on: nothing can lie there" : "taken off: no such piece lies there");
        return;
    }
    struct zone zone = zone_of(&m->board, &it->lying);
    zone_word(word, &zone);
    bool target = it->kind == PIECE_MARBLE && !it->lying.taw;
    struct call *c =
        call_add(calls, number, input_word(o), "%s: %s%s%s, %s, by the judge's word", puts ? "put on" : "taken off",
                 target ? "a target" : standing_owner(&m->now, it->colour), target ? "" : "'s ",
                 target                         ? ""
                 : it->kind == PIECE_MARBLE     ? "taw"
                 : m->board.piece == PIECE_RING ? "ring"
                                                : "disc",
                 word);
    c->piece = id;
    snprintf(c->side, sizeof c->side, "%s", target ? "" : it->colour);
}

int match_check_place(const struct match *m, const struct observation *said, struct fail *why)
{
    const struct standing *now = &m->now;
    const char *text = said->input.text;
    struct known_piece p;
    bool ring = m->board.kind == BOARD_RING;
    int id = said->input.piece;
    if (said->input.what == INPUT_TAKE_OFF) {
        if (id == 0 || (said->input.shot == 0 && !piece_table_find(&m->table, id) && !shot_outcome(&m->shot, id)))
            return rs_fail(why, RS_EINPUT, "take-off: there is no piece=%d on the board", id);
        if (m->placed.off_count == TAKEN_OFF_MAX)
            return rs_fail(why, RS_EINPUT, "take-off: no more than %d pieces at once", TAKEN_OFF_MAX);
        return 0;
    }
    if (!is_in_reach(&m->board, said))
        return rs_fail(why, RS_EINPUT, "put-on: where? write value=X,Y before it, inches from the middle, at most %.0f",
                       reach_in(&m->board));
    if (!describe(&p, m, said, m->inputs + 1) && ring)
        return rs_fail(why, RS_EINPUT, "put-on %s: write target, or side=NAME before it and taw behind it", text);
    if (!describe(&p, m, said, m->inputs + 1))
        return rs_fail(
            why, RS_EINPUT, "put-on %s: write side=NAME before it, of a side whose colour is known, or side=COLOUR%s%s",
            text, now->sides == SIDES ? "" : " of a new one", text[0] ? "; and an area of this board behind it" : "");
    const struct known_piece *there = placed_over(&m->table, p.lying.at);
    if (there && said->input.shot == 0)
        return rs_fail(why, RS_EINPUT, "put-on: piece=%d lies there already", there->id);
    if (said->input.shot == 0 && needs_a_shot(m, &p) && match_places_now(m, said))
        return rs_fail(why, RS_EINPUT, "put-on: no shot is known that brought it there: say what it counts instead");
    if (m->table.count == PIECE_TABLE_MAX)
        return rs_fail(why, RS_EINPUT, "put-on: no more than %d pieces can be followed", PIECE_TABLE_MAX);
    return 0;
}
