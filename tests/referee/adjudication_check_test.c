// SPDX-License-Identifier: MIT
// A word about a shot that is over names a piece that it has, or a call that stands in it, or is refused with those
// there are.
#include "calibration/units.h"
#include "tests/cmocka.h"
#include "tests/referee/play.h"

static struct play p;

static struct observation about(int shot, int piece, const char *what, const char *text)
{
    struct observation o = play_input(what, text);
    o.input.shot = shot;
    o.input.piece = piece;
    return o;
}

static void assert_refused(const struct observation *o, const char *words)
{
    struct fail why = { .text = "" };
    if (adjudication_check_word(&p.referee, o, &why) != RS_EINPUT || !strstr(why.text, words))
        fail_msg("%s %s: \"%s\", not \"%s\"", input_word(o), o->input.text, why.text, words);
}

static void assert_right(const struct observation *o)
{
    struct fail why = { .text = "" };
    if (adjudication_check_word(&p.referee, o, &why) != 0)
        fail_msg("%s %s: %s", input_word(o), o->input.text, why.text);
}

// Two shots; the second hit nothing.
static int begin(void **state)
{
    (void)state;
    play_begin(&p, &crokinole_game, board_builtin("crokinole-nca"), NULL);
    p.sigma_in = 0.01;
    play_shot(&p, 1, "black", 2);
    play_shot(&p, 2, "red", 9);
    play_shot(&p, 3, "black", 5);
    return 0;
}

static int end(void **state)
{
    (void)state;
    play_end(&p);
    return 0;
}

static void a_piece_is_one_of_its_shot(void **state)
{
    (void)state;
    const struct {
        struct observation said;
        const char *words;
    } bad[] = {
        { about(2, 99, "zone", "15"), "piece=99: there is none of that number; shot 2 has 1 (black), 2 (red)" },
        { about(1, 2, "zone", "15"), "shot 1 has 1 (black)" },
        { about(0, 99, "zone", "15"), "shot 3 has" },
        { about(2, 3, "take-off", ""), "shot 2 has" },
        { about(2, 99, "undo", ""), "shot 2 has" },
        { about(0, 99, "foul", "chair moved"), "shot 3 has" },
    };
    for (size_t i = 0; i < countof(bad); i++)
        assert_refused(&bad[i].said, bad[i].words);
    const struct observation good[] = { about(2, 1, "zone", "15"), about(0, 3, "zone", "5"),
                                        about(2, 2, "take-off", ""), about(0, 2, "take-off", ""),
                                        about(3, 0, "undo", "") };
    for (size_t i = 0; i < countof(good); i++)
        assert_right(&good[i]);
}

static void a_piece_of_a_shot_that_runs_is_one_that_is_known(void **state)
{
    (void)state;
    play_seen(&p, 4, "red", false);
    play_rest(&p, 4, (struct pt_in){ 12, 0 }, ON_SURFACE);
    struct observation next = about(0, 4, "zone", "15");
    assert_refused(&next, "shot 3 has"); // it was put down behind it
    next = about(3, 4, "take-off", "");
    assert_right(&next);
    play_move(&p, 4, MOVED_BY_SHOT, (struct pt_in){ 12, 0 });
    next = about(0, 4, "zone", "15");
    assert_right(&next);
    next = about(4, 5, "zone", "15");
    assert_refused(&next, "there are now ");
    next = about(0, 0, "overrule", "no-hit"); // what it comes to nobody knows
    assert_right(&next);
}

static void a_call_that_is_overruled_stands(void **state)
{
    (void)state;
    struct observation said = about(1, 0, "overrule", "no-hit");
    assert_refused(&said, "overrule no-hit: no such call stands in shot 1; it has N1 zone, N12 ");
    said = about(2, 0, "overrule", "no-hit");
    assert_right(&said);
    play_feed(&p, said);
    assert_refused(&said, "no such call stands in shot 2"); // it was taken back already
    said = about(1, 0, "overrule", "N12");
    assert_right(&said);
    play_feed(&p, about(1, 0, "undo", ""));
    assert_refused(&said, "no such call stands in shot 1; it has none that can be overruled");
}

static void before_the_first_shot_there_is_none_to_speak_of(void **state)
{
    (void)state;
    play_begin(&p, &crokinole_game, board_builtin("crokinole-nca"), NULL);
    struct observation said = about(0, 1, "zone", "15");
    assert_refused(&said, "zone: there is no shot that this could be about");
    said = about(0, 0, "overrule", "no-hit");
    assert_refused(&said, "overrule: there is no shot that this could be about");
    said = about(0, 0, "undo", "");
    assert_refused(&said, "undo: there is no shot that this could be about");
    snprintf(said.input.side, sizeof said.input.side, "black");
    assert_refused(&said, "side=black: nobody has shot yet");
}

static void what_a_game_has_not_is_refused(void **state)
{
    (void)state;
    struct observation said = about(0, 0, "permit", "");
    assert_refused(&said, "permit: no judge gives permission for shots in crokinole");
    said = about(0, 0, "overrule", "");
    assert_refused(&said, "overrule: which call?");
    said = about(0, 0, "redo", "");
    assert_refused(&said, "redo: nothing was taken back");
    said = about(0, 0, "retract", "");
    assert_refused(&said, "retract: nothing was taken back");
    play_begin(&p, &american_marbles_game, board_builtin(american_marbles_game.board), NULL);
    play_seen(&p, 1, "red", true);
    play_rest(&p, 1, (struct pt_in){ 0, 50 }, ON_SURFACE);
    play_move(&p, 1, MOVED_BY_SHOT, (struct pt_in){ 0, 50 });
    play_rest(&p, 1, (struct pt_in){ 0, 9 }, ON_SURFACE);
    play_still(&p);
    said = about(0, 0, "twenty", "red");
    assert_refused(&said, "twenty: there are none in american-marbles");
    said = about(0, 1, "zone", "15");
    assert_refused(&said, "zone 15: this board has no such area, but in, out");
    said = about(0, 0, "permit", "");
    assert_right(&said);
}

// Many lie in a ring: those that there is room for, and how many more.
static void of_many_pieces_some_are_named(void **state)
{
    (void)state;
    play_begin(&p, &crokinole_game, board_builtin("crokinole-nca"), NULL);
    p.sigma_in = 0.01;
    for (int i = 1; i <= 50; i++) {
        play_seen(&p, i, "black", false);
        play_rest(&p, i, (struct pt_in){ i % 10, i / 10 }, ON_SURFACE);
    }
    play_move(&p, 1, MOVED_BY_SHOT, (struct pt_in){ 1, 0 });
    play_rest(&p, 1, (struct pt_in){ 0, 9 }, ON_SURFACE);
    play_still(&p);
    const struct observation said = about(1, 99, "zone", "15");
    assert_refused(&said, " more");
}

// What no rule of the game asks for would be noted, and change nothing.
static void a_word_of_another_game_is_refused_with_whose_it_is(void **state)
{
    (void)state;
    static const struct {
        const char *word, *of;
        bool heard[3]; // in each of the games below
    } rows[] = {
        { "hit", "crokinole", { true, false, false } },
        { "missed", "crokinole", { true, false, false } },
        { "round-over", "crokinole, crokinole-rings", { true, true, false } },
        { "slips", "american-marbles", { false, false, true } },
        { "noplay", "american-marbles", { false, false, true } },
        { "own-taw", "american-marbles", { false, false, true } },
        { "picked-up", "american-marbles", { false, false, true } },
        { "lag", "american-marbles", { false, false, true } },
        { "coach", "american-marbles", { false, false, true } },
        { "warn", "american-marbles", { false, false, true } },
        { "disqualify", "american-marbles", { false, false, true } },
        { "foul", "", { true, true, true } },
        { "shot-again", "", { true, true, true } },
        { "pause", "", { true, true, true } },
    };
    static const struct {
        const struct game *game;
        const char *own;
    } games[] = {
        { &crokinole_game, "crokinole; its own are round-over, foul, hit, missed" },
        { &crokinole_rings_game, "crokinole-rings; its own are round-over, foul" },
        { &american_marbles_game, "american-marbles; its own are foul, slips, noplay, own-taw, picked-up, lag" },
    };
    for (size_t g = 0; g < countof(games); g++) {
        play_begin(&p, games[g].game, board_builtin(games[g].game->board), NULL);
        const struct pt_in from = { p.referee.board.circle_in[0] + 0.5, 0 };
        play_seen(&p, 1, "black", true);
        play_rest(&p, 1, from, ON_SURFACE);
        play_move(&p, 1, MOVED_BY_SHOT, from);
        play_rest(&p, 1, (struct pt_in){ 2, 1 }, ON_SURFACE);
        play_still(&p);
        for (size_t i = 0; i < countof(rows); i++) {
            struct observation said = play_input(rows[i].word, "");
            char words[200];
            snprintf(words, sizeof words, "%s: a word of %s, which changes nothing in %s", rows[i].word, rows[i].of,
                     games[g].own);
            if (rows[i].heard[g])
                assert_right(&said);
            else
                assert_refused(&said, words);
        }
    }
}

int main(void)
{
#define IN_A_GAME(test) cmocka_unit_test_setup_teardown(test, begin, end)
    const struct CMUnitTest tests[] = {
        IN_A_GAME(a_piece_is_one_of_its_shot),
        IN_A_GAME(a_piece_of_a_shot_that_runs_is_one_that_is_known),
        IN_A_GAME(a_call_that_is_overruled_stands),
        IN_A_GAME(before_the_first_shot_there_is_none_to_speak_of),
        IN_A_GAME(what_a_game_has_not_is_refused),
        IN_A_GAME(of_many_pieces_some_are_named),
        IN_A_GAME(a_word_of_another_game_is_refused_with_whose_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
