// SPDX-License-Identifier: MIT
// Tournament Crokinole: what a call holds beside its words, and what a whole match of chance keeps to. Its situations stand in
// samples/situations/crokinole.txt.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/referee/play.h"

static void begin(struct play *p, const char *format)
{
    struct match_setup setup = match_setup_usual(&crokinole_game);
    struct board b = *board_builtin("crokinole-nca");
    setup.seats = SIDES;
    setup.first = 0;
    setup.format = *game_format(&crokinole_game, format);
    strcpy(setup.seat[0].colour, "black");
    strcpy(setup.seat[1].colour, "red");
    b.line_width_in = 0.1;
    play_begin(p, &crokinole_game, &b, &setup);
    p->sigma_in = 0.005;
}

static void put_and_move(struct play *p, int id, const char *colour)
{
    struct pt_in edge = { colour[0] == 'b' ? 8.5 : -8.5, 8.5 };
    play_seen(p, id, colour, false);
    play_rest(p, id, edge, ON_SURFACE);
    play_move(p, id, MOVED_BY_SHOT, edge);
}

static void shoot(struct play *p, int id, const char *colour, double x_in)
{
    put_and_move(p, id, colour);
    play_rest(p, id, (struct pt_in){ x_in, 0 }, ON_SURFACE);
    play_still(p);
}

static void a_call_says_zone_margin_and_rule(void **state)
{
    (void)state;
    static struct play p;
    begin(&p, "");
    shoot(&p, 1, "black", 3.195);
    const struct call *c = play_call(&p, "zone");
    assert_non_null(c);
    assert_string_equal(c->text, "black  15  (0.13 in inside the line)");
    assert_string_equal(c->rule, "N1");
    assert_string_equal(c->side, "black");
    assert_true(c->firm && c->measured && fabs(c->zone.verdict.margin_in - 0.13) < 1e-9);
    play_end(&p);
}

// Of a shot of chance: what it moves, and where that ends.
static unsigned chance(unsigned *seed, unsigned most)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 16) % most;
}

static void come_to_rest(struct play *p, int id, unsigned *seed)
{
    unsigned r = chance(seed, 140);
    if (r < 8)
        play_rest(p, id, (struct pt_in){ 0, 0 }, IN_HOLE);
    else if (r > 130)
        play_gone(p, id, IN_DITCH);
    else
        play_rest(p, id, (struct pt_in){ r / 10.0 * cos(id), r / 10.0 * sin(id) }, ON_SURFACE);
}

// One in four disc is moved by a shot, what must come off is mostly taken off, and between rounds the board is cleared.
static void shoot_by_chance(struct play *p, int id, unsigned *seed)
{
    const struct standing *s = play_now(p);
    const struct piece_table *t = &p->referee.match.table;
    bool black = s->to_shoot == 0 ? chance(seed, 30) > 0 : chance(seed, 30) == 0;
    bool clear = s->side[0].played + s->side[1].played == 0;
    for (int i = t->count - 1; i >= 0; i--)
        if (clear || (standing_owes(s, t->piece[i].id) && chance(seed, 4) > 0))
            play_gone(p, t->piece[i].id, BY_HAND);
    put_and_move(p, id, black ? "black" : "red");
    for (int i = t->count - 1; i >= 0; i--)
        if (t->piece[i].id != id && chance(seed, 4) == 0) {
            int other = t->piece[i].id;
            play_move(p, other, MOVED_BY_SHOT, t->piece[i].lying.at);
            come_to_rest(p, other, seed);
        }
    come_to_rest(p, id, seed);
    play_still(p);
}

// What must hold after every shot, whatever was played.
static void must_be_possible(const struct play *p, int shot)
{
    const struct standing *s = &p->referee.match.now;
    const struct format *f = &s->format;
    int rounds = s->round - 1, brought = s->side[0].score + s->side[1].score;
    for (int i = 0; i < SIDES; i++) {
        const struct player_side *side = &s->side[i];
        if (side->score < 0 || side->kept < 0 || side->counted < 0 || side->kept > 20 * f->pieces_each ||
            side->counted > 15 * f->pieces_each || side->played > 2 * f->pieces_each ||
            side->kept > 20 * side->twenties)
            fail_msg("%s: shot %d: side %d: score %d, kept %d, counted %d, played %d, twenties %d", f->name, shot, i,
                     side->score, side->kept, side->counted, side->played, side->twenties);
    }
    if (f->scoring == SCORE_ROUND_POINTS && (brought != f->round_points * rounds || rounds > f->rounds))
        fail_msg("%s: shot %d: %d points for %d rounds", f->name, shot, brought, rounds);
    if (s->over && s->winner >= 0 && s->side[s->winner].score < s->side[1 - s->winner].score)
        fail_msg("%s: shot %d: the side with less won", f->name, shot);
}

static void whatever_is_played_the_numbers_are_possible(void **state)
{
    (void)state;
    enum { SHOTS = 120 };
    static struct play p;
    for (int i = 0; i < crokinole_game.format_count; i++) {
        unsigned seed = 7u + (unsigned)i;
        begin(&p, crokinole_game.formats[i].name);
        for (int shot = 1; shot <= SHOTS; shot++) {
            shoot_by_chance(&p, shot, &seed);
            must_be_possible(&p, shot);
            if (shot % 40 != 0)
                continue;
            // Taken back and done again, all is as it was: the fold over the whole log gives the same match.
            struct standing before = p.referee.match.now;
            play_say(&p, "undo", "");
            play_say(&p, "redo", "");
            assert_memory_equal(&p.referee.match.now, &before, sizeof before);
        }
        play_end(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_says_zone_margin_and_rule),
        cmocka_unit_test(whatever_is_played_the_numbers_are_possible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
