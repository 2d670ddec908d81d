// SPDX-License-Identifier: MIT
// What a judge puts on the board and takes off it: it counts once, is taken back alone, and a camera's piece is never
// doubled.
#include "calibration/units.h"
#include "referee/log_line.h"
#include "tests/cmocka.h"
#include "tests/referee/play.h"

static struct play p;

// A game in which black has shot disc 1 onto the 15 and red disc 2 beside it, which it struck; black is to shoot.
static int begin(void **state)
{
    (void)state;
    play_begin(&p, &crokinole_game, board_builtin("crokinole-nca"), NULL);
    p.sigma_in = 0.01;
    play_shot(&p, 1, "black", 2);
    play_shot(&p, 2, "red", -2);
    play_say(&p, "hit", "");
    return 0;
}

static int end(void **state)
{
    (void)state;
    play_end(&p);
    return 0;
}

static struct observation put(const char *side, const char *text, double x_in, double y_in)
{
    struct observation o = play_input("put-on", text);
    snprintf(o.input.side, sizeof o.input.side, "%s", side);
    o.input.has_value = true;
    o.input.value[0] = x_in;
    o.input.value[1] = y_in;
    return o;
}

static struct observation of_piece(const char *what, int id)
{
    struct observation o = play_input(what, "");
    o.input.piece = id;
    return o;
}

static int last_input(void)
{
    return p.referee.match.inputs;
}

static void retract(int input)
{
    struct observation o = play_input("retract", "");
    o.input.input = input;
    play_feed(&p, o);
}

static int points(int side)
{
    const struct match *m = &p.referee.match;
    return standing_on_board(&m->now, &m->table, &m->board, side).reads;
}

static int counted(int side)
{
    return play_now(&p)->side[side].counted.reads;
}

static int pieces(void)
{
    return p.referee.match.table.count;
}

static const struct known_piece *lies(int id)
{
    return piece_table_find(&p.referee.match.table, id);
}

// It is judged as a part of the shot that ended, and taken back alone.
static void what_was_missed_is_put_on_scored_told_and_taken_back_alone(void **state)
{
    (void)state;
    struct fail why;
    struct observation said = put("red", "10", 0, 6);
    assert_int_equal(counted(1), 15);
    assert_int_equal(match_check_word(&p.referee.match, &said, &why), 0);
    play_feed(&p, said);
    int input = last_input();
    assert_int_equal(counted(1), 25);
    assert_int_equal(points(1), 25);
    assert_string_equal(play_call_in(&p.change, "zone")->text, "red  10  (by the judge's word)");
    assert_non_null(strstr(play_call(&p, "put-on")->text, "shot 2 with one piece more, put on by the judge"));
    const struct known_piece *it = lies(placed_id(input));
    assert_true(it && it->put_on);
    assert_true(it->lying.cov.xx == placed_sigma_in(&p.referee.match.board) * placed_sigma_in(&p.referee.match.board));
    play_say(&p, "turn", "black");
    retract(input);
    assert_int_equal(counted(1), 15);
    assert_null(lies(placed_id(input)));
    assert_int_equal(play_now(&p)->to_shoot, 0);
    retract(last_input());
    assert_int_equal(counted(1), 25);
}

// Where no area is said his own uncertainty decides how firm it is.
static void without_an_area_a_place_beside_a_line_is_close(void **state)
{
    (void)state;
    play_feed(&p, put("red", "", 0, 6));
    assert_true(play_call_in(&p.change, "zone")->firm);
    retract(last_input());
    play_feed(&p, put("red", "", 0, 3.2));
    assert_false(play_call_in(&p.change, "zone")->firm);
}

static void in_the_hole_it_is_a_twenty_once_and_needs_not_be_lifted(void **state)
{
    (void)state;
    play_feed(&p, put("red", "20", 0, 0));
    assert_int_equal(play_now(&p)->side[1].twenties, 1);
    assert_int_equal(play_now(&p)->owed, 0);
    assert_null(strstr(play_call_in(&p.change, "total")->text, "still to come off"));
    assert_int_equal(pieces(), 2);
    play_shot(&p, 3, "black", 2.5);
    assert_null(play_call(&p, "still-on"));
    assert_int_equal(play_now(&p)->side[1].twenties, 1);
}

// The next shot must hit it, as any other.
static void it_is_a_target_of_the_next_shot(void **state)
{
    (void)state;
    play_gone(&p, 2, BY_HAND);
    play_still(&p);
    play_feed(&p, put("red", "10", 0, 6));
    play_shot(&p, 3, "black", 1);
    assert_non_null(play_call(&p, "no-hit"));
    assert_null(play_call(&p, "open-board"));
}

// Seen at last, a little beside where he pointed, it is that one: no double count, also when a shot runs.
static void what_the_camera_sees_there_is_that_piece(void **state)
{
    (void)state;
    play_feed(&p, put("red", "10", 0, 6));
    int id = placed_id(last_input());
    play_seen(&p, 7, "red", false);
    play_rest(&p, 7, (struct pt_in){ 0.7, 6.5 }, ON_SURFACE);
    play_still(&p);
    assert_null(lies(id));
    assert_false(lies(7)->put_on);
    assert_int_equal(points(1), 25);
    assert_int_equal(pieces(), 3);

    play_feed(&p, put("red", "5", 0, -9));
    id = placed_id(last_input());
    play_seen(&p, 8, "black", false);
    play_rest(&p, 8, (struct pt_in){ 12, 0 }, ON_SURFACE);
    play_move(&p, 8, MOVED_BY_SHOT, (struct pt_in){ 12, 0 });
    play_seen(&p, 9, "red", false);
    play_rest(&p, 9, (struct pt_in){ 0.3, -9 }, ON_SURFACE);
    assert_null(lies(id));
    play_rest(&p, 8, (struct pt_in){ 2, 1.5 }, ON_SURFACE);
    play_still(&p);
    assert_null(shot_outcome(&p.referee.match.shot, id));
    assert_true(shot_outcome(&p.referee.match.shot, 9)->was.area == ZONE_CIRCLE);
    assert_int_equal(points(1), 30);
    assert_int_equal(pieces(), 5);
}

// A disc of the other colour beside it is another one.
static void what_another_puts_down_beside_it_is_not_that_piece(void **state)
{
    (void)state;
    play_feed(&p, put("red", "5", 11, 0));
    int id = placed_id(last_input());
    play_seen(&p, 3, "black", false);
    play_rest(&p, 3, (struct pt_in){ 12, 0 }, ON_SURFACE);
    assert_non_null(lies(id));
    assert_int_equal(pieces(), 4);
}

static void what_is_shot_to_where_it_lay_takes_its_place(void **state)
{
    (void)state;
    play_feed(&p, put("red", "15", 0, 2.5));
    play_seen(&p, 3, "black", false);
    play_rest(&p, 3, (struct pt_in){ 12, 0 }, ON_SURFACE);
    play_move(&p, 3, MOVED_BY_SHOT, (struct pt_in){ 12, 0 });
    play_rest(&p, 3, (struct pt_in){ 0.2, 2.5 }, ON_SURFACE);
    play_still(&p);
    assert_int_equal(pieces(), 3);
    assert_int_equal(points(1), 15);
    assert_int_equal(points(0), 30);
}

// The camera goes on looking at what is not there, and it counts nothing until it moves.
static void what_is_not_there_is_taken_off_until_it_moves(void **state)
{
    (void)state;
    struct fail why;
    struct observation said = of_piece("take-off", 2);
    assert_int_equal(match_check_word(&p.referee.match, &said, &why), 0);
    play_feed(&p, said);
    int input = last_input();
    assert_int_equal(counted(1), 0);
    assert_null(lies(2));
    play_rest(&p, 2, (struct pt_in){ -2.02, 0.02 }, ON_SURFACE);
    play_still(&p);
    assert_null(lies(2));
    play_shot(&p, 3, "black", 1);
    assert_int_equal(counted(1), 0);
    assert_null(play_call(&p, "no-hit"));
    play_move(&p, 2, MOVED_BY_HAND, (struct pt_in){ -2, 0.02 });
    play_rest(&p, 2, (struct pt_in){ -6, 0.02 }, ON_SURFACE);
    play_still(&p);
    assert_int_equal(points(1), 10);
    retract(input);
    assert_int_equal(counted(1), 15);
}

// Nobody knows where it comes to lie.
static void what_was_taken_off_and_moves_where_there_is_no_room_leaves_nothing_firm(void **state)
{
    (void)state;
    play_feed(&p, of_piece("take-off", 2));
    for (int id = 1000; pieces() < PIECE_TABLE_MAX; id++) {
        play_seen(&p, id, "black", false);
        play_rest(&p, id, (struct pt_in){ -9, 0.01 * (id - 1000) }, ON_SURFACE);
    }
    play_move(&p, 2, MOVED_BY_SHOT, (struct pt_in){ -2, 0.02 });
    play_move(&p, 1000, MOVED_BY_SHOT, (struct pt_in){ -9, 0 });
    play_rest(&p, 1000, (struct pt_in){ 2, 2 }, ON_SURFACE);
    play_still(&p);
    assert_non_null(play_call(&p, "pieces-lost"));
    assert_false(play_call(&p, "zone")->firm);
    play_gone(&p, 2, BY_HAND);
    assert_int_equal(p.referee.match.table.unfollowed, 0);
}

static void what_was_seen_only_behind_the_shot_is_taken_off_too(void **state)
{
    (void)state;
    play_seen(&p, 7, "red", false);
    play_rest(&p, 7, (struct pt_in){ 0, 6 }, ON_SURFACE);
    play_still(&p);
    assert_int_equal(points(1), 25);
    play_feed(&p, of_piece("take-off", 7));
    assert_int_equal(points(1), 15);
    play_gone(&p, 7, BY_HAND);
    play_still(&p);
    assert_int_equal(pieces(), 2);
    retract(last_input());
    assert_int_equal(points(1), 15);
}

static void what_was_put_on_is_taken_off_and_the_one_that_was_shot_did_not_stay(void **state)
{
    (void)state;
    play_feed(&p, put("red", "10", 0, 6));
    play_feed(&p, of_piece("take-off", placed_id(last_input())));
    assert_int_equal(counted(1), 15);
    assert_int_equal(p.referee.match.placed.off_count, 0);
    play_shot(&p, 3, "black", 2.5);
    play_feed(&p, of_piece("take-off", 3));
    assert_non_null(play_call_in(&p.change, "ditched"));
    assert_int_equal(points(0), 15);
}

// What lay there when the shot ended, and was taken for gone since, is not counted twice for that shot, and lies there
// now.
static void what_the_camera_lost_under_a_hand_is_put_on_from_now_on(void **state)
{
    (void)state;
    play_gone(&p, 2, BY_HAND);
    play_still(&p);
    assert_int_equal(points(1), 0);
    play_feed(&p, put("red", "15", -2.1, 0.1));
    assert_string_equal(play_call(&p, "put-on")->text, "put on: red's disc, 15, by the judge's word");
    assert_int_equal(points(1), 15);
    assert_int_equal(counted(1), 15);
    retract(last_input());
    assert_int_equal(points(1), 0);
}

static void it_goes_when_the_board_is_cleared_and_when_the_round_or_the_game_ends(void **state)
{
    play_feed(&p, put("red", "10", 0, 6));
    play_gone(&p, 1, BY_HAND);
    assert_int_equal(pieces(), 2);
    play_gone(&p, 2, BY_HAND);
    assert_int_equal(pieces(), 0);
    assert_non_null(strstr(play_call(&p, "round")->text, "black 15, red 25"));
    play_feed(&p, put("red", "5", 0, 9)); // what lies on the empty board lies there now
    assert_int_equal(points(1), 5);
    assert_int_equal(play_now(&p)->side[1].last_round.reads, 25);
    play_say(&p, "new-game", "");
    assert_int_equal(pieces(), 0);

    begin(state);
    play_feed(&p, put("red", "10", 0, 6));
    play_say(&p, "round-over", "");
    assert_int_equal(pieces(), 2);
    play_feed(&p, put("red", "5", 0, 9)); // they lie there still: it was of that round
    assert_int_equal(pieces(), 2);
}

// While a shot runs it lay there before, and one in the hole is that shot's.
static void while_a_shot_runs_it_holds_from_now_on(void **state)
{
    (void)state;
    play_seen(&p, 3, "black", false);
    play_rest(&p, 3, (struct pt_in){ 12, 0 }, ON_SURFACE);
    play_move(&p, 3, MOVED_BY_SHOT, (struct pt_in){ 12, 0 });
    play_feed(&p, put("red", "10", 0, 6));
    assert_int_equal(points(1), 25);
    play_feed(&p, put("black", "20", 0, 0));
    play_feed(&p, of_piece("take-off", 1));
    play_rest(&p, 3, (struct pt_in){ 2, 1.5 }, ON_SURFACE);
    play_still(&p);
    play_say(&p, "hit", "");
    assert_int_equal(play_now(&p)->side[0].twenties, 1);
    assert_int_equal(counted(0), 15);
    assert_int_equal(counted(1), 25);
}

static void before_the_first_shot_a_colour_that_nobody_has_takes_a_seat_when_it_counts(void **state)
{
    (void)state;
    struct fail why;
    play_begin(&p, &crokinole_game, board_builtin("crokinole-nca"), NULL);
    p.sigma_in = 0.01;
    play_shot(&p, 1, "black", 2);
    struct observation said = put("red", "10", 0, 6);
    assert_int_equal(match_check_word(&p.referee.match, &said, &why), 0);
    play_feed(&p, said);
    play_still(&p);
    assert_int_equal(play_now(&p)->sides, 2);
    assert_int_equal(points(1), 10);
}

static void what_cannot_be_done_is_refused_with_words(void **state)
{
    (void)state;
    const struct {
        struct observation said;
        const char *says;
    } bad[] = {
        { put("", "15", 0, 3), "write side=NAME" },
        { put("green", "15", 0, 3), "of a side whose colour is known" },
        { put("red", "17", 0, 3), "an area of this board" },
        { put("red", "15", 0, 40), "inches from the middle" },
        { play_input("put-on", "15"), "where? write value=X,Y" },
        { put("red", "15", 2, 0.2), "piece=1 lies there already" },
        { of_piece("take-off", 9), "there is no piece=9" },
        { of_piece("take-off", 0), "there is no piece=0" },
    };
    struct fail why;
    int before = pieces();
    for (size_t i = 0; i < countof(bad); i++) {
        if (match_check_word(&p.referee.match, &bad[i].said, &why) != RS_EINPUT || !strstr(why.text, bad[i].says))
            fail_msg("row %zu: \"%s\"", i, why.text);
        play_feed(&p, bad[i].said); // as in a log that somebody else wrote
        if (pieces() != before)
            fail_msg("row %zu is done", i);
    }
    struct observation again = of_piece("take-off", 2);
    play_feed(&p, again);
    assert_int_equal(match_check_word(&p.referee.match, &again, &why), 0); // the last shot still has it
}

// In a ring the kind of marble is said; what nobody saw is knocked out like another.
static void a_target_put_on_in_the_ring_counts_when_it_is_knocked_out(void **state)
{
    (void)state;
    play_begin(&p, &american_marbles_game, board_builtin(american_marbles_game.board), NULL);
    p.sigma_in = 0.01;
    for (int i = 1; i <= 3; i++) {
        play_seen(&p, i, "green", false);
        play_rest(&p, i, (struct pt_in){ 5 * i, 0 }, ON_SURFACE);
    }
    play_still(&p);
    play_feed(&p, put("", "target", -6, 0));
    int id = placed_id(last_input());
    assert_string_equal(play_call(&p, "put-on")->text, "put on: a target, in, by the judge's word");
    assert_string_equal(lies(id)->colour, "green");
    assert_false(lies(id)->lying.taw);
    // It is seen as it moves, and out: that one.
    play_seen(&p, 8, "green", false);
    play_rest(&p, 8, (struct pt_in){ -7, 1 }, ON_SURFACE);
    assert_null(lies(id));
    assert_int_equal(pieces(), 4);
    play_seen(&p, 9, "blue", true);
    play_rest(&p, 9, (struct pt_in){ -62, 0 }, ON_SURFACE);
    play_still(&p);
    play_move(&p, 9, MOVED_BY_SHOT, (struct pt_in){ -62, 0 });
    play_move(&p, 8, MOVED_BY_SHOT, (struct pt_in){ -7, 1 });
    play_rest(&p, 9, (struct pt_in){ -10, 0 }, ON_SURFACE);
    play_gone(&p, 8, OFF_BOARD);
    play_still(&p);
    assert_int_equal(play_now(&p)->side[0].score, 1);
    struct observation taw = put("blue", "taw", 0, 20);
    struct fail why;
    assert_int_equal(match_check_word(&p.referee.match, &taw, &why), 0);
    play_feed(&p, taw);
    assert_true(lies(placed_id(last_input()))->lying.taw);
    taw.input.side[0] = '\0';
    taw.input.value[0] = 20;
    assert_int_equal(match_check_word(&p.referee.match, &taw, &why), RS_EINPUT);
}

// The numbers of pieces that are put on can stand in a log, and come from the inputs alone.
static void its_number_can_stand_in_a_log(void **state)
{
    (void)state;
    assert_true(placed_id(LOG_NUMBER_MAX) <= LOG_NUMBER_MAX);
    assert_true(placed_id(LOG_NUMBER_MAX) > LOG_ID_MAX);
    assert_true(placed_id(1) > PUT_ON_IDS && placed_id(PUT_ON_IDS_END - 1) < PUT_ON_IDS_END);
}

#define IN_A_GAME(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_GAME(what_was_missed_is_put_on_scored_told_and_taken_back_alone),
        IN_A_GAME(without_an_area_a_place_beside_a_line_is_close),
        IN_A_GAME(in_the_hole_it_is_a_twenty_once_and_needs_not_be_lifted),
        IN_A_GAME(it_is_a_target_of_the_next_shot),
        IN_A_GAME(what_the_camera_sees_there_is_that_piece),
        IN_A_GAME(what_another_puts_down_beside_it_is_not_that_piece),
        IN_A_GAME(what_is_shot_to_where_it_lay_takes_its_place),
        IN_A_GAME(what_is_not_there_is_taken_off_until_it_moves),
        IN_A_GAME(what_was_taken_off_and_moves_where_there_is_no_room_leaves_nothing_firm),
        IN_A_GAME(what_was_seen_only_behind_the_shot_is_taken_off_too),
        IN_A_GAME(what_was_put_on_is_taken_off_and_the_one_that_was_shot_did_not_stay),
        IN_A_GAME(what_the_camera_lost_under_a_hand_is_put_on_from_now_on),
        IN_A_GAME(it_goes_when_the_board_is_cleared_and_when_the_round_or_the_game_ends),
        IN_A_GAME(while_a_shot_runs_it_holds_from_now_on),
        IN_A_GAME(before_the_first_shot_a_colour_that_nobody_has_takes_a_seat_when_it_counts),
        IN_A_GAME(what_cannot_be_done_is_refused_with_words),
        IN_A_GAME(a_target_put_on_in_the_ring_counts_when_it_is_knocked_out),
        IN_A_GAME(its_number_can_stand_in_a_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
