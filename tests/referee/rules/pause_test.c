// SPDX-License-Identifier: MIT
// A pause holds for what was done while it lasted, however late that is told: what a shot came to is known when all
// lies still.
#include "tests/cmocka.h"
#include "tests/referee/play.h"

static struct play p;

// A game in which black has shot disc 1 onto the 15, and red is to shoot.
static int begin(void **state)
{
    (void)state;
    play_begin(&p, &crokinole_game, board_builtin("crokinole-nca"), NULL);
    p.sigma_in = 0.01;
    play_shot(&p, 1, "black", 2);
    return 0;
}

static int end(void **state)
{
    (void)state;
    play_end(&p);
    return 0;
}

// Said when the frames are so many seconds ahead of what was told of them.
static void say_ahead(const char *what, double ahead_s)
{
    struct observation o = play_input(what, "");
    o.input.has_value = true;
    o.input.value[0] = p.t_s + ahead_s;
    play_feed(&p, o);
}

static int shots(void)
{
    return p.referee.match.shot.number;
}

static void what_is_flicked_in_a_pause_is_no_shot_though_told_behind_it(void **state)
{
    (void)state;
    int before = shots();
    play_say(&p, "pause", "");
    say_ahead("resume", 5);
    play_shot(&p, 2, "red", 2);
    assert_int_equal(shots(), before);
    p.t_s += 5;
    play_shot(&p, 3, "red", 3);
    assert_int_equal(shots(), before + 1);
    assert_non_null(play_call(&p, "zone"));
}

static void what_a_hand_moves_in_a_pause_has_not_to_go_back(void **state)
{
    (void)state;
    play_say(&p, "pause", "");
    say_ahead("resume", 1);
    play_move(&p, 1, MOVED_BY_HAND, (struct pt_in){ 2, 0.01 });
    p.t_s += 1;
    play_rest(&p, 1, (struct pt_in){ 0, 5 }, ON_SURFACE);
    assert_null(play_call(&p, "reset"));
    play_still(&p);
    assert_int_equal(play_now(&p)->owed, 0);
    play_move(&p, 1, MOVED_BY_HAND, (struct pt_in){ 0, 5 }); // but then it has
    play_rest(&p, 1, (struct pt_in){ 5, 0 }, ON_SURFACE);
    assert_int_equal(play_now(&p)->owed, 1);
}

static void a_shot_that_was_over_before_a_pause_counts_though_told_in_it(void **state)
{
    (void)state;
    int before = shots();
    say_ahead("pause", 2);
    play_shot(&p, 2, "red", 4);
    assert_int_equal(shots(), before + 1);
    assert_non_null(play_call(&p, "zone"));
    p.t_s += 2;
    play_shot(&p, 3, "black", 3);
    assert_int_equal(shots(), before + 1);
}

static void a_shot_that_ran_into_a_pause_is_none_and_a_foul_is_not_of_the_one_before(void **state)
{
    (void)state;
    int before = shots();
    play_say(&p, "pause", "");
    play_shot(&p, 2, "red", 4);
    play_say(&p, "foul", "");
    assert_int_equal(shots(), before);
    assert_false(p.referee.match.shot.said[INPUT_FOUL]);
    assert_int_equal(p.change.count, 0);
}

static void a_pause_is_not_taken_back(void **state)
{
    (void)state;
    struct fail why;
    struct observation o = play_input("retract", "");
    play_say(&p, "pause", "");
    o.input.input = p.referee.match.inputs;
    assert_int_equal(match_check_word(&p.referee.match, &o, &why), RS_EINPUT);
    play_feed(&p, o); // as in a log that somebody else wrote
    assert_true(p.referee.match.paused);
    play_say(&p, "turn", "");
    o.input.input = p.referee.match.inputs;
    assert_int_equal(match_check_word(&p.referee.match, &o, &why), 0);
}

static void a_pause_of_long_ago_is_not_taken_back_either(void **state)
{
    (void)state;
    struct fail why;
    struct observation o = play_input("retract", "");
    play_say(&p, "pause", "");
    o.input.input = p.referee.match.inputs;
    play_say(&p, "resume", "");
    for (int i = 0; i < SAID_KEPT; i++)
        play_say(&p, "turn", "black");
    assert_int_equal(match_check_word(&p.referee.match, &o, &why), RS_EINPUT);
    play_feed(&p, o);
    assert_string_equal(play_call(&p, "retract")->text, "no such correction");
}

#define IN_A_GAME(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_GAME(what_is_flicked_in_a_pause_is_no_shot_though_told_behind_it),
        IN_A_GAME(what_a_hand_moves_in_a_pause_has_not_to_go_back),
        IN_A_GAME(a_shot_that_was_over_before_a_pause_counts_though_told_in_it),
        IN_A_GAME(a_shot_that_ran_into_a_pause_is_none_and_a_foul_is_not_of_the_one_before),
        IN_A_GAME(a_pause_is_not_taken_back),
        IN_A_GAME(a_pause_of_long_ago_is_not_taken_back_either),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
