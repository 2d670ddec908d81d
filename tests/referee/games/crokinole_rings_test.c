// SPDX-License-Identifier: MIT
// The booklet's Crokinole: what no situation of samples/situations/crokinole_rings.txt can hold.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/referee/play.h"

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
        cmocka_unit_test(more_held_tens_than_can_be_counted_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
