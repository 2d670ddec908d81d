// SPDX-License-Identifier: MIT
// The booklet's Crokinole: what no situation of samples/situations/crokinole_rings.txt can hold.
#include <string.h>

#include "tests/cmocka.h"
#include "tests/referee/games/by_chance.h"

// Points are never lost within a game, and no round brings more than rings can.
static void whatever_is_played_the_scores_are_possible(void **state)
{
    (void)state;
    enum { SHOTS = 240, MOST = 10 * 6 + 10 * 20 }; // a ring counts 10 at most; rings come into the hole again and again
    static struct play p;
    for (int i = 0; i < crokinole_rings_game.format_count; i++) {
        struct match_setup setup = match_setup_usual(&crokinole_rings_game);
        unsigned seed = 11u + (unsigned)i;
        int games = 0;
        setup.format = crokinole_rings_game.formats[i];
        setup.seats = SIDES;
        setup.first = 0;
        strcpy(setup.seat[0].colour, "red");
        strcpy(setup.seat[1].colour, "green");
        play_begin(&p, &crokinole_rings_game, board_builtin("crokinole-rings-24"), &setup);
        for (int shot = 1; shot <= SHOTS; shot++) {
            struct standing before = *play_now(&p);
            shoot_by_chance(&p, shot, &seed);
            const struct standing *s = play_now(&p);
            for (int k = 0; k < SIDES && s->game == before.game; k++)
                if (s->side[k].score < before.side[k].score || s->side[k].score > before.side[k].score + MOST)
                    fail_msg("shot %d: from %d to %d points", shot, before.side[k].score, s->side[k].score);
            if (s->over && (s->side[s->winner].score < 100 || s->side[s->winner].score <= s->side[1 - s->winner].score))
                fail_msg("shot %d: won with %d to %d", shot, s->side[s->winner].score, s->side[1 - s->winner].score);
            games += s->over && !before.over;
            if (shot % 40 == 0)
                must_fold_to_the_same(&p);
        }
        assert_true(games > 0);
        play_end(&p);
    }
}

static void more_held_tens_than_can_be_counted_are_told(void **state)
{
    (void)state;
    static struct play p;
    struct match_setup setup = match_setup_usual(&crokinole_rings_game);
    const struct pt_in edge = { 12, 0 };
    setup.seats = SIDES;
    strcpy(setup.seat[0].colour, "red");
    strcpy(setup.seat[1].colour, "green");
    play_begin(&p, &crokinole_rings_game, board_builtin("crokinole-rings-24"), &setup);
    play_say(&p, "correct", "red 95");
    for (int id = 1; id <= HELD_MAX + 1; id++) {
        play_seen(&p, id, "red", false);
        play_rest(&p, id, edge, ON_SURFACE);
        play_move(&p, id, MOVED_BY_SHOT, edge);
        play_rest(&p, id, (struct pt_in){ 0, 0 }, IN_HOLE);
    }
    play_still(&p);
    for (int i = 0; i <= HELD_MAX; i++) {
        const struct call *c = &p.last.calls.call[i];
        assert_string_equal(c->what, "ten-held");
        assert_int_equal(c->firm, i < HELD_MAX);
        assert_int_equal(strstr(c->text, "more are held than can be counted: judge") != NULL, i == HELD_MAX);
    }
    play_end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_is_played_the_scores_are_possible),
        cmocka_unit_test(more_held_tens_than_can_be_counted_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
