// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "referee/commands/judge_keys.h"
#include "tests/referee/play.h"

static void begin(struct play *p, const struct game *game)
{
    struct match_setup setup = match_setup_usual(game);
    setup.seats = SIDES;
    for (int i = 0; i < SIDES; i++) {
        snprintf(setup.seat[i].name, OBS_WORD_MAX, "%s", i ? "Ben" : "Anna");
        snprintf(setup.seat[i].colour, OBS_WORD_MAX, "%s", i ? "red" : "black");
    }
    play_begin(p, game, board_builtin(game->board), &setup);
    for (int id = 1; id <= SIDES; id++) {
        play_seen(p, id, id == 1 ? "black" : "red", true);
        play_rest(p, id, (struct pt_in){ p->referee.board.circle_in[0] + 0.5, 0 }, ON_SURFACE);
        play_move(p, id, MOVED_BY_SHOT, (struct pt_in){ p->referee.board.circle_in[0] + 0.5, 0 });
        play_rest(p, id, (struct pt_in){ 2, id }, ON_SURFACE);
        play_still(p);
    }
}

// No key is offered that its game does not know.
static void every_key_that_is_offered_is_answered(void **state)
{
    (void)state;
    static struct play p;
    for (int g = 0; games_at(g); g++) {
        int offered = 0;
        for (int key = 'a'; key <= 'z'; key++) {
            struct observation said;
            begin(&p, games_at(g));
            if (!judge_keys_input(&said, key, &p.referee.match))
                continue;
            offered++;
            play_feed(&p, said);
            for (int i = 0; i < p.last.calls.count; i++)
                if (strcmp(p.last.calls.call[i].what, "noted") == 0)
                    fail_msg("%s, key %c: %s", games_at(g)->name, key, p.last.calls.call[i].text);
        }
        assert_true(offered > 5);
    }
    play_end(&p);
}

static void a_key_changes_the_colours_of_the_sides(void **state)
{
    (void)state;
    static struct play p;
    struct observation said;
    begin(&p, &crokinole_game);
    assert_true(judge_keys_input(&said, 'x', &p.referee.match));
    play_feed(&p, said);
    assert_string_equal(standing_owner(play_now(&p), "red"), "Anna");
    assert_string_equal(standing_owner(play_now(&p), "black"), "Ben");
    play_begin(&p, &crokinole_game, board_builtin("crokinole-nca"), NULL);
    assert_false(judge_keys_input(&said, 'x', &p.referee.match)); // nobody has a name
    play_end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_that_is_offered_is_answered),
        cmocka_unit_test(a_key_changes_the_colours_of_the_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
