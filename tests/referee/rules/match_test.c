// SPDX-License-Identifier: MIT
// The fold itself: seats, shots, first contacts, undo, and more of everything than there is room for.
#include <math.h>
#include <string.h>

#include "calibration/foreign.h"
#include "referee/rules/position.h"
#include "tests/cmocka.h"
#include "tests/referee/play.h"

static void begin(struct play *p)
{
    struct board b = *board_builtin("crokinole-nca");
    b.line_width_in = 0.1;
    play_begin(p, &crokinole_game, &b, NULL);
    p->sigma_in = 0.005;
}

static void sides_take_their_seats_as_they_shoot(void **state)
{
    (void)state;
    static struct play p;
    begin(&p);
    play_shot(&p, 1, "natural", 2);
    assert_int_equal(p.referee.match.now.sides, 1);
    play_shot(&p, 2, "black", 3);
    assert_int_equal(p.referee.match.now.sides, 2);
    assert_string_equal(p.referee.match.now.side[0].seat.colour, "natural");
    play_shot(&p, 3, "violet", 3);
    assert_int_equal(p.referee.match.now.sides, 2); // no third seat
}

static void without_colour_nobody_takes_a_seat_and_nothing_is_firm(void **state)
{
    (void)state;
    static struct play p;
    begin(&p);
    for (int id = 1; id <= 2; id++) {
        bool told = false;
        play_shot(&p, id, COLOUR_UNKNOWN, 2 + id);
        for (int i = 0; i < p.last.calls.count; i++) {
            assert_false(p.last.calls.call[i].firm);
            told |= strstr(p.last.calls.call[i].text, "sides cannot be told") != NULL;
        }
        assert_true(told);
        assert_int_equal(strncmp(play_call(&p, "total")->text, "on the board nothing of a known side", 36), 0);
        assert_int_equal(p.referee.match.now.sides, 0);
    }
    struct observation whose = play_input("foul", "");
    struct fail why;
    snprintf(whose.input.side, sizeof whose.input.side, "black");
    assert_int_equal(match_check_word(&p.referee.match, &whose, &why), RS_EINPUT);
    assert_string_equal(why.text, "side=black: no side is known yet");
}

static void one_correction_too_many_is_refused_in_words(void **state)
{
    (void)state;
    static struct play p;
    begin(&p);
    play_shot(&p, 1, "natural", 2);
    while (p.referee.match.amended->count < AMENDMENTS_MAX)
        play_say(&p, "foul", "a hand");
    assert_null(play_call(&p, "full"));
    struct standing before = *play_now(&p);
    play_say(&p, "foul", "a hand");
    const struct call *c = play_call(&p, "full");
    assert_true(c && !c->firm && strstr(c->text, "this one is not taken"));
    assert_memory_equal(play_now(&p), &before, sizeof before);
    play_end(&p);
}

// Without a reason there is no blank for it.
static void a_correction_is_acknowledged_in_a_sentence(void **state)
{
    (void)state;
    static struct play p;
    begin(&p);
    play_shot(&p, 1, "natural", 2);
    play_say(&p, "foul", "");
    assert_int_equal(strncmp(play_call(&p, "foul")->text, "shot 1, foul; ", 14), 0);
    play_say(&p, "foul", "a hand");
    assert_int_equal(strncmp(play_call(&p, "foul")->text, "shot 1, foul: a hand; ", 22), 0);
    play_say(&p, "undo", "");
    assert_int_equal(strncmp(play_call(&p, "undo")->text, "shot 1 taken back; ", 19), 0);
    play_end(&p);
    play_begin(&p, &crokinole_rings_game, board_builtin("crokinole-rings-24"), NULL);
    play_shot(&p, 1, "natural", 2);
    play_say(&p, "twenty", "natural");
    assert_string_equal(play_call(&p, "twenty")->text, "natural keeps 1 twenty");
    play_end(&p);
}

// Words that are too long for a call are cut, and never within a letter: JSON takes no half ones.
static void a_name_is_never_cut_within_a_letter(void **state)
{
    (void)state;
    static struct play p;
    struct match_setup setup = match_setup_usual(&crokinole_game);
    struct board b = *board_builtin("crokinole-nca");
    setup.seats = SIDES;
    snprintf(setup.seat[0].name, OBS_WORD_MAX, "%s", "\u041a\u043e\u043d\u0441\u0442\u0430\u043d\u0442\u0438\u043d");
    snprintf(setup.seat[1].name, OBS_WORD_MAX, "%s", "\u4e00\u4e01\u4e02\u4e03\u4e04\u4e05\u4e06");
    play_begin(&p, &crokinole_game, &b, &setup);
    for (int id = 1; id <= 8; id++) { // nobody hits anything: more and more must come off
        play_shot(&p, id, id % 2 ? "black" : "red", 5);
        for (int i = 0; i < p.last.calls.count; i++)
            assert_true(foreign_is_plain(p.last.calls.call[i].text));
        const char *last = p.last.calls.call[p.last.calls.count - 1].text;
        assert_true(id == 1 || strstr(last, "still to come off"));
    }
    play_end(&p);
}

static void a_piece_put_down_by_hand_is_no_shot(void **state)
{
    (void)state;
    static struct play p;
    begin(&p);
    play_seen(&p, 1, "black", false);
    play_move(&p, 1, MOVED_BY_HAND, (struct pt_in){ 14, 0 });
    play_rest(&p, 1, (struct pt_in){ 12, 0 }, ON_SURFACE);
    play_still(&p);
    assert_int_equal(p.referee.match.shot.number, 0);
    assert_int_equal(p.last.calls.count, 0);
}

static void a_piece_that_never_came_to_rest_is_not_firm(void **state)
{
    (void)state;
    static struct play p;
    begin(&p);
    play_seen(&p, 1, "black", false);
    play_rest(&p, 1, (struct pt_in){ 12, 0 }, ON_SURFACE);
    play_move(&p, 1, MOVED_BY_SHOT, (struct pt_in){ 12, 0 });
    play_still(&p);
    const struct call *c = play_call(&p, "ditched");
    assert_non_null(c);
    assert_false(c->firm);
    assert_non_null(strstr(c->text, "not seen to come to rest"));
}

static const struct {
    const char *what;
    enum touched touched;
    int id, other;
    enum first_touch first;
} contacts[] = {
    { "the shooter strikes a disc", TOUCHED_PIECE, 2, 1, FIRST_PIECE },
    { "named the other way round", TOUCHED_PIECE, 1, 2, FIRST_PIECE },
    { "a peg", TOUCHED_PEG, 2, 0, FIRST_PEG },
    { "something unseen", TOUCHED_UNSEEN, 2, 0, FIRST_UNSEEN },
    { "the rim is no contact", TOUCHED_RIM, 2, 0, FIRST_NONE },
    { "a contact of others", TOUCHED_PEG, 1, 0, FIRST_NONE },
};

static void first_contacts(void **state)
{
    (void)state;
    static struct play p;
    for (size_t i = 0; i < sizeof contacts / sizeof *contacts; i++) {
        begin(&p);
        play_shot(&p, 1, "black", 2);
        play_seen(&p, 2, "red", false);
        play_rest(&p, 2, (struct pt_in){ 12, 0 }, ON_SURFACE);
        play_move(&p, 2, MOVED_BY_SHOT, (struct pt_in){ 12, 0 });
        play_feed(&p, (struct observation){ .kind = OBS_CONTACT,
                                            .id = contacts[i].id,
                                            .contact = { contacts[i].touched, contacts[i].other, 0.01, { 3, 0 } } });
        play_rest(&p, 2, (struct pt_in){ 5, 0 }, ON_SURFACE);
        play_still(&p);
        if (p.referee.match.shot.first != contacts[i].first)
            fail_msg("%s: first contact %d", contacts[i].what, (int)p.referee.match.shot.first);
        if (contacts[i].first == FIRST_PIECE)
            assert_string_equal(p.referee.match.shot.first_with, "black");
    }
}

static void undo_goes_back_as_far_as_it_remembers(void **state)
{
    (void)state;
    static struct play p;
    enum { SHOTS = 8 };
    begin(&p);
    for (int i = 0; i < SHOTS; i++)
        play_shot(&p, i + 1, i % 2 ? "red" : "black", 2);
    for (int i = SHOTS; i > 0; i--) {
        assert_int_equal(p.referee.match.now.side[0].played + p.referee.match.now.side[1].played, i);
        play_say(&p, "undo", "");
    }
    assert_int_equal(p.referee.match.now.sides, 0);
    play_say(&p, "undo", "");
    assert_non_null(strstr(play_call(&p, "undo")->text, "nothing to take back"));
}

// Once no more than 32 could be.
static void any_number_of_shots_can_be_taken_back(void **state)
{
    (void)state;
    static struct play p;
    enum { SHOTS = 40 };
    begin(&p);
    for (int i = 0; i < SHOTS; i++) {
        play_shot(&p, i + 1, i % 2 ? "red" : "black", 2);
        play_gone(&p, i + 1, BY_HAND);
    }
    for (int i = 0; i < SHOTS; i++)
        play_say(&p, "undo", "");
    assert_int_equal(play_now(&p)->side[0].shots + play_now(&p)->side[1].shots, 0);
    play_say(&p, "undo", "");
    assert_non_null(strstr(play_call(&p, "undo")->text, "nothing to take back"));
}

// A dozen overrules of one shot were cut off behind the eighth.
static void every_call_of_a_shot_can_be_overruled(void **state)
{
    (void)state;
    static struct play p;
    begin(&p);
    play_shot(&p, 1, "black", 2);
    play_shot(&p, 2, "red", 9); // hits nothing
    for (int i = 0; i < 12; i++)
        play_say(&p, "overrule", "N21, which does nothing");
    assert_int_equal(p.change.count, 0);
    play_say(&p, "overrule", "no-hit");
    bool withdrawn = false;
    for (int i = 0; i < p.change.count; i++)
        withdrawn |= p.change.call[i].change == CALL_WITHDRAWN && strcmp(p.change.call[i].rule, "N5") == 0;
    assert_true(withdrawn);
}

// Nobody has to answer at once, and nobody has to answer.
static void a_close_call_waits_and_then_stands(void **state)
{
    (void)state;
    static struct play p;
    const struct match *m = &p.referee.match;
    begin(&p);
    play_shot(&p, 1, "black", 3.315); // 0.01 in inside the 15
    assert_int_equal(m->asked, 1);
    play_shot(&p, 2, "red", 2.2);
    assert_int_equal(m->asked, 1); // the hit that was not seen; not what was asked before
    p.t_s = m->asked_until_s - 1;
    play_feed(&p, (struct observation){ .kind = OBS_HAND });
    assert_int_equal(m->asked, 1);
    p.t_s = m->asked_until_s + 1;
    play_feed(&p, (struct observation){ .kind = OBS_HAND });
    assert_int_equal(m->asked, 0);
    play_shot(&p, 3, "black", 3.315);
    assert_true(m->asked > 0);
    play_say(&p, "confirm", "");
    assert_int_equal(m->asked, 0);
}

// Whoever stops play to look at it again is not hurried.
static void a_close_call_does_not_run_out_in_a_pause(void **state)
{
    (void)state;
    static struct play p;
    const struct match *m = &p.referee.match;
    begin(&p);
    play_shot(&p, 1, "black", 3.315);
    double left_s = m->asked_until_s - p.t_s;
    play_say(&p, "pause", "");
    p.t_s += 10 * left_s;
    play_feed(&p, (struct observation){ .kind = OBS_HAND });
    assert_int_equal(m->asked, 1);
    play_say(&p, "resume", "");
    p.t_s += left_s - 1;
    play_feed(&p, (struct observation){ .kind = OBS_HAND });
    assert_int_equal(m->asked, 1);
    p.t_s += 2;
    play_feed(&p, (struct observation){ .kind = OBS_HAND });
    assert_int_equal(m->asked, 0);
}

// A name is a name: points, colour and turn stay; what was said wrongly changes none.
static void a_side_is_called_otherwise_and_nothing_else_changes(void **state)
{
    (void)state;
    static struct play p;
    begin(&p);
    play_shot(&p, 1, "black", 2);
    play_shot(&p, 2, "red", 1.5);
    struct standing before = *play_now(&p);
    struct observation said = play_input("name", "Anna");
    snprintf(said.input.side, sizeof said.input.side, "red");
    play_feed(&p, said);
    assert_string_equal(p.last.calls.call[0].text, "red is called Anna");
    assert_string_equal(standing_name(play_now(&p), 1), "Anna");
    assert_string_equal(play_now(&p)->side[1].seat.colour, "red");
    snprintf(said.input.text, sizeof said.input.text, "black"); // the other's: a log may say anything
    snprintf(said.input.side, sizeof said.input.side, "Anna");
    play_feed(&p, said);
    assert_string_equal(p.last.calls.call[0].text, "Anna is not called black");
    snprintf(said.input.text, sizeof said.input.text, "anna"); // its own, in other letters
    play_feed(&p, said);
    assert_string_equal(standing_name(play_now(&p), 1), "anna");
    memcpy(play_now(&p)->side[1].seat.name, before.side[1].seat.name, sizeof before.side[1].seat.name);
    assert_memory_equal(play_now(&p), &before, sizeof before);
}

// Colours are seen in small letters, however a person writes them.
static void a_colour_is_said_in_any_letters(void **state)
{
    (void)state;
    static struct play p;
    begin(&p);
    play_shot(&p, 1, "black", 2);
    play_shot(&p, 2, "red", 1.5);
    struct observation said = play_input("name", "Anna");
    snprintf(said.input.side, sizeof said.input.side, "BLACK");
    play_feed(&p, said);
    said = play_input("side", "Red");
    snprintf(said.input.side, sizeof said.input.side, "anna");
    play_feed(&p, said);
    assert_string_equal(p.last.calls.call[0].text, "Anna plays red"); // and the other side black, not both red
    assert_string_equal(play_now(&p)->side[0].seat.colour, "black");
    assert_string_equal(play_now(&p)->side[1].seat.name, "Anna");

    play_begin(&p, &crokinole_game, board_builtin("crokinole-nca"), NULL);
    said = play_input("put-on", "10");
    snprintf(said.input.side, sizeof said.input.side, "Green");
    said.input.has_value = true;
    said.input.value[0] = 5;
    play_feed(&p, said);
    assert_string_equal(p.referee.match.table.piece[0].colour, "green");
    play_end(&p);
}

// Of hit and missed the judge's last word holds.
static void missed_after_hit_is_missed(void **state)
{
    (void)state;
    static struct play p;
    begin(&p);
    play_shot(&p, 1, "black", 2);
    play_shot(&p, 2, "red", 9);
    assert_non_null(play_call(&p, "no-hit"));
    play_say(&p, "hit", "");
    assert_int_equal(play_call_in(&p.change, "no-hit")->change, CALL_WITHDRAWN);
    play_say(&p, "missed", "");
    assert_int_equal(play_call_in(&p.change, "no-hit")->change, CALL_INSTEAD);
    assert_true(play_call_in(&p.change, "no-hit")->firm);
}

static void cut(struct play *p)
{
    play_feed(p, (struct observation){ .kind = OBS_CAMERA, .camera = { CAMERA_CUT, 0 } });
}

// Nobody saw it leave the surface, nor lie on it: it may lie there unseen.
static void what_ran_out_of_sight_is_put_before_the_judge(void **state)
{
    (void)state;
    static struct play p;
    begin(&p);
    play_seen(&p, 1, "black", false);
    play_rest(&p, 1, (struct pt_in){ 12, 0 }, ON_SURFACE);
    play_move(&p, 1, MOVED_BY_SHOT, (struct pt_in){ 12, 0 });
    play_gone(&p, 1, UNSEEN);
    play_still(&p);
    assert_non_null(play_call(&p, "ditched"));
    assert_false(play_call(&p, "ditched")->firm);
}

static void a_shot_that_is_cut_off_brings_nothing(void **state)
{
    (void)state;
    static struct play p;
    begin(&p);
    play_shot(&p, 1, "black", 2);
    struct standing before = p.referee.match.now;
    memset(&p.last, 0, sizeof p.last);
    play_seen(&p, 2, "red", false);
    play_rest(&p, 2, (struct pt_in){ 12, 0 }, ON_SURFACE);
    play_move(&p, 2, MOVED_BY_SHOT, (struct pt_in){ 12, 0 });
    cut(&p);
    play_gone(&p, 2, IN_CUT);
    play_still(&p);
    assert_false(p.referee.match.shot.running);
    assert_int_equal(p.last.calls.count, 0);
    assert_false(p.last.shot_ended);
    play_say(&p, "foul", "chair moved"); // of a shot that nobody saw end
    assert_false(p.last.shot_ended);
    assert_memory_equal(&p.referee.match.now, &before, sizeof before);
}

// A disc that lay in the hole and does not after a cut was not lifted out before anybody's eyes, nor was the board
// cleared.
static void what_is_gone_in_a_cut_was_taken_by_nobody(void **state)
{
    (void)state;
    static struct play p;
    begin(&p);
    play_seen(&p, 1, "black", false);
    play_move(&p, 1, MOVED_BY_SHOT, (struct pt_in){ 12, 0 });
    play_rest(&p, 1, (struct pt_in){ 0, 0 }, IN_HOLE);
    play_still(&p);
    assert_non_null(play_call(&p, "zone"));
    memset(&p.last, 0, sizeof p.last);
    cut(&p);
    play_gone(&p, 1, IN_CUT);
    play_still(&p);
    assert_int_equal(p.last.calls.count, 0);
}

static void more_pieces_than_there_is_room_for_are_told(void **state)
{
    (void)state;
    static struct play p;
    begin(&p);
    for (int id = 1; id <= 3 * PIECE_TABLE_MAX; id++) {
        play_seen(&p, id, "black", false);
        play_rest(&p, id, (struct pt_in){ 0.01 * id, 5 }, ON_SURFACE);
    }
    for (int id = 1; id <= 3 * PIECE_TABLE_MAX; id++)
        play_move(&p, id, MOVED_BY_SHOT, (struct pt_in){ 0, 5 });
    for (int id = 1; id <= 3 * PIECE_TABLE_MAX; id++)
        play_rest(&p, id, (struct pt_in){ 0.01 * id, 4 }, ON_SURFACE);
    play_still(&p);
    assert_int_equal(p.referee.match.table.count, PIECE_TABLE_MAX);
    assert_int_equal(p.referee.match.table.unfollowed, 2 * PIECE_TABLE_MAX);
    assert_true(p.last.shot_ended);
    const struct call *lost = play_call(&p, "pieces-lost");
    assert_non_null(lost);
    assert_non_null(strstr(lost->text, "more than the 96 pieces"));
    for (int i = 0; i < p.last.calls.count; i++)
        assert_false(p.last.calls.call[i].firm);
    // What was not followed has gone, and all the rest with it: a shot is firm again.
    for (int id = 1; id <= 3 * PIECE_TABLE_MAX; id++)
        play_gone(&p, id, BY_HAND);
    assert_int_equal(p.referee.match.table.count + p.referee.match.table.unfollowed, 0);
    play_shot(&p, 1000, "red", 2);
    assert_null(play_call(&p, "pieces-lost"));
    assert_true(play_call(&p, "zone")->firm);
}

static void more_calls_than_there_is_room_for_are_told(void **state)
{
    (void)state;
    static struct call_list list;
    enum { MORE = 7 };
    for (int i = 0; i < CALLS_MAX + MORE; i++)
        assert_int_equal(call_add(&list, "N1", "zone", "call %d", i)->firm, true);
    call_tell_lost(&list, "N15");
    assert_int_equal(list.count, CALLS_MAX + 1);
    assert_string_equal(list.call[CALLS_MAX - 1].text, "call 127");
    assert_string_equal(list.call[CALLS_MAX].text, "and 7 calls more than can be told at once: judge");
    assert_string_equal(list.call[CALLS_MAX].rule, "N15");
    assert_false(list.call[CALLS_MAX].firm);
    list = (struct call_list){ .count = 0 };
    call_add(&list, "N1", "zone", "alone");
    call_tell_lost(&list, "N15");
    assert_int_equal(list.count, 1);
}

static void every_colour_has_its_total(void **state)
{
    (void)state;
    static struct play p;
    static struct position all;
    enum { COLOURS = 12 };
    char colour[OBS_WORD_MAX];
    begin(&p);
    for (int id = 1; id <= COLOURS; id++) {
        snprintf(colour, sizeof colour, "colour %d", id);
        play_seen(&p, id, colour, false);
        play_rest(&p, id, (struct pt_in){ 2, 0.1 * id }, ON_SURFACE);
    }
    position_of(&all, &p.referee.match.table, &p.referee.match.board);
    assert_int_equal(all.sides, COLOURS);
    for (int i = 0; i < all.sides; i++)
        assert_int_equal(all.side[i].points.reads, 15);
}

static void put_marble(struct play *p, int id, const char *colour, bool taw, struct pt_in at)
{
    play_seen(p, id, colour, taw);
    play_rest(p, id, at, ON_SURFACE);
}

// A target that moves by itself is no player's taw: its colour once took the first seat.
static void a_target_takes_no_seat(void **state)
{
    (void)state;
    static struct play p;
    play_begin(&p, &american_marbles_game, board_builtin("ring-7ft"), NULL);
    p.sigma_in = 0.01;
    put_marble(&p, 1, "red", false, (struct pt_in){ 3, 0 });
    play_still(&p);
    play_move(&p, 1, MOVED_BY_SHOT, (struct pt_in){ 3, 0 });
    play_rest(&p, 1, (struct pt_in){ 5, 0 }, ON_SURFACE);
    play_still(&p);
    assert_int_equal(p.referee.match.now.sides, 0);
    put_marble(&p, 2, "blue", true, (struct pt_in){ -43, 0 });
    play_move(&p, 2, MOVED_BY_SHOT, (struct pt_in){ -43, 0 });
    play_rest(&p, 2, (struct pt_in){ 44, 0 }, ON_SURFACE);
    play_still(&p);
    assert_int_equal(p.referee.match.now.sides, 1);
    assert_string_equal(p.referee.match.now.side[0].seat.colour, "blue");
}

// Won by a shot or by a word: once it was counted only behind a shot.
static void every_game_that_is_won_is_counted(void **state)
{
    (void)state;
    static struct play p;
    struct match_setup setup = match_setup_usual(&american_marbles_game);
    setup.seats = SIDES;
    strcpy(setup.seat[0].colour, "blue");
    strcpy(setup.seat[1].colour, "green");
    play_begin(&p, &american_marbles_game, board_builtin("ring-7ft"), &setup);
    play_say(&p, "forfeit", "blue");
    assert_int_equal(play_now(&p)->side[1].games, 1);
    play_say(&p, "weather", "");
    play_say(&p, "new-game", "");
    assert_int_equal(play_now(&p)->side[1].games, 1);
    play_say(&p, "forfeit", "green");
    assert_int_equal(play_now(&p)->side[0].games, 1);
    assert_int_equal(play_now(&p)->side[1].games, 1);
}

// A piece that a hand takes during a shot, and that had come to rest in it, is judged where it came to rest.
static void what_a_hand_takes_behind_its_rest_lay_there(void **state)
{
    (void)state;
    static struct play p;
    play_begin(&p, &american_marbles_game, board_builtin("ring-7ft"), NULL);
    p.sigma_in = 0.01;
    put_marble(&p, 1, "red", false, (struct pt_in){ 3, 0 });
    put_marble(&p, 2, "blue", true, (struct pt_in){ -43, 0 });
    play_still(&p);
    play_move(&p, 2, MOVED_BY_SHOT, (struct pt_in){ -43, 0 });
    play_move(&p, 1, MOVED_BY_SHOT, (struct pt_in){ 3, 0 });
    play_rest(&p, 1, (struct pt_in){ 45, 0 }, ON_SURFACE);
    play_gone(&p, 1, BY_HAND);
    play_rest(&p, 2, (struct pt_in){ 20, 0 }, ON_SURFACE);
    play_gone(&p, 2, BY_HAND);
    play_still(&p);
    const struct outcome *target = shot_outcome(&p.referee.match.shot, 1);
    assert_false(target->caught);
    assert_int_equal(target->zone.area, ZONE_OUT);
    assert_false(p.referee.match.shot.shooter_taken);
    assert_int_equal(play_fact(&p, "taw_in"), 1);
}

static void the_same_observations_give_the_same_match(void **state)
{
    (void)state;
    static struct play a, b;
    begin(&a);
    begin(&b);
    for (int i = 0; i < 6; i++) {
        play_shot(&a, i + 1, i % 2 ? "red" : "black", 1.7 * i);
        play_shot(&b, i + 1, i % 2 ? "red" : "black", 1.7 * i);
        assert_string_equal(a.last.calls.call[0].text, b.last.calls.call[0].text);
        assert_int_equal(a.last.calls.count, b.last.calls.count);
    }
    assert_memory_equal(&a.referee.match.now, &b.referee.match.now, sizeof a.referee.match.now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_take_their_seats_as_they_shoot),
        cmocka_unit_test(without_colour_nobody_takes_a_seat_and_nothing_is_firm),
        cmocka_unit_test(one_correction_too_many_is_refused_in_words),
        cmocka_unit_test(a_correction_is_acknowledged_in_a_sentence),
        cmocka_unit_test(a_name_is_never_cut_within_a_letter),
        cmocka_unit_test(a_piece_put_down_by_hand_is_no_shot),
        cmocka_unit_test(a_piece_that_never_came_to_rest_is_not_firm),
        cmocka_unit_test(first_contacts),
        cmocka_unit_test(undo_goes_back_as_far_as_it_remembers),
        cmocka_unit_test(any_number_of_shots_can_be_taken_back),
        cmocka_unit_test(a_side_is_called_otherwise_and_nothing_else_changes),
        cmocka_unit_test(a_colour_is_said_in_any_letters),
        cmocka_unit_test(missed_after_hit_is_missed),
        cmocka_unit_test(every_call_of_a_shot_can_be_overruled),
        cmocka_unit_test(a_close_call_waits_and_then_stands),
        cmocka_unit_test(a_close_call_does_not_run_out_in_a_pause),
        cmocka_unit_test(a_shot_that_is_cut_off_brings_nothing),
        cmocka_unit_test(what_is_gone_in_a_cut_was_taken_by_nobody),
        cmocka_unit_test(more_pieces_than_there_is_room_for_are_told),
        cmocka_unit_test(more_calls_than_there_is_room_for_are_told),
        cmocka_unit_test(every_colour_has_its_total),
        cmocka_unit_test(a_target_takes_no_seat),
        cmocka_unit_test(every_game_that_is_won_is_counted),
        cmocka_unit_test(what_a_hand_takes_behind_its_rest_lay_there),
        cmocka_unit_test(what_ran_out_of_sight_is_put_before_the_judge),
        cmocka_unit_test(the_same_observations_give_the_same_match),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
