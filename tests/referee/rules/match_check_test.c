// SPDX-License-Identifier: MIT
// What a person's word may name, and what is said of one that names nothing.
#include <string.h>

#include "tests/cmocka.h"
#include "tests/referee/play.h"

static void begin(struct play *p)
{
    play_begin(p, &crokinole_game, board_builtin("crokinole-nca"), NULL);
    p->sigma_in = 0.005;
}

static const struct {
    const char *word, *text, *side, *says;
    int shot, piece, input;
    double value, second; // value -1: none is said
} bad[] = {
    { "undo", "", "", "there are 2 shots", .shot = 3, .value = -1 },
    { "twenty", "", "green", "the sides are black and red", .value = -1 },
    { "twenty", "", "", "of which side?", .value = -1 },
    { "correct", "", "red", "how many?", .value = -1 },
    { "correct", "", "red", "how many?", .value = 3.5 },
    { "twenty", "", "red", "twenty: how many? write value=N before it, a whole number from 0", .value = -3 },
    { "twenty", "", "red", "how many?", .value = 3.5 },
    { "penalty", "", "red", "a whole number from 1", .value = -2 },
    { "twenty", "", "red", "1000 is not possible, 8 is the most that a side can have by now", .value = 1000 },
    { "twenty", "", "red", "it takes one number", .value = 1, .second = 2 },
    { "played", "", "red", "9 is not possible, 8 is the most that a side can have", .value = 9 },
    { "undo", "", "", "it takes no number", .value = 7 },
    { "new-game", "", "", "it takes no number", .value = 7 },
    { "round", "", "", "a whole number from 1", .value = 0 },
    { "pause", "", "", "write no value", .value = 999999 },
    { "resume", "", "", "write no value", .value = 999999 },
    { "zone", "15", "", "of which piece?", .shot = 1, .value = -1 },
    { "zone", "17", "", "no such area, but 20, 15, 10, 5, ditch", .shot = 1, .piece = 1, .value = -1 },
    { "overrule", "nonsense", "", "no call is made by a rule", .shot = 1, .value = -1 },
    { "overrule", "N999", "", "but by N20, N21, N27, N11", .shot = 1, .value = -1 },
    { "confirm", "15", "", "confirm 15: nothing is said behind confirm", .shot = 1, .value = -1 },
    { "undo", "the last one", "", "nothing is said behind undo", .value = -1 },
    { "turn", "please", "red", "behind turn stands nothing, or a side: black or red", .value = -1 },
    { "turn", "red please", "", "behind turn stands nothing, or a side", .value = -1 },
    { "twenty", "3", "red", "behind twenty stands nothing, or a side", .value = -1 },
    { "turn", "7", "red", "behind turn stands nothing, or a side", .value = -1 },
    { "turn", "red 7", "", "behind turn stands nothing, or a side", .value = -1 },
    { "correct", "red ", "", "behind correct stands nothing, or a side", .value = 1 },
    { "twenty", "red or so", "", "behind twenty stands nothing, or a side", .value = -1 },
    { "retract", "", "", "0 things were said", .input = 9, .value = -1 },
    { "side", "a colour of more letters than there is room for", "red", "at most 31 bytes", .value = -1 },
    { "name", "Anna", "", "of which side?", .value = -1 },
    { "name", "red", "", "name: of which side? write side=NAME before it", .value = -1 }, // a name, and not whose
    { "side", "red", "", "side: of which side? write side=NAME before it", .value = -1 },
    { "name", "", "red", "write at most", .value = -1 },
    { "name", "a name of more letters than there is room for", "red", "write at most", .value = -1 },
    { "name", "Black", "red", "not the other side's name", .value = -1 },
};

// Who can be asked again is not left with a word that does nothing.
static void a_word_that_names_nothing_is_refused(void **state)
{
    (void)state;
    static struct play p;
    struct fail why;
    begin(&p);
    play_shot(&p, 1, "black", 2);
    struct observation second = play_input("undo", "");
    second.input.shot = 2;
    assert_int_equal(match_check_word(&p.referee.match, &second, &why), RS_EINPUT);
    assert_string_equal(why.text, "shot=2: there is 1 shot");
    play_shot(&p, 2, "red", 9);
    for (size_t i = 0; i < countof(bad); i++) {
        struct observation o = play_input(bad[i].word, bad[i].text);
        snprintf(o.input.side, sizeof o.input.side, "%s", bad[i].side);
        o.input.shot = bad[i].shot;
        o.input.piece = bad[i].piece;
        o.input.input = bad[i].input;
        o.input.has_value = bad[i].value != -1;
        o.input.value[0] = bad[i].value;
        o.input.value[1] = bad[i].second;
        if (match_check_word(&p.referee.match, &o, &why) != RS_EINPUT || !strstr(why.text, bad[i].says))
            fail_msg("%s %s: \"%s\"", bad[i].word, bad[i].text, why.text);
    }
    struct observation good = play_input("overrule", "no-hit");
    good.input.shot = 2;
    assert_int_equal(match_check_word(&p.referee.match, &good, &why), 0);
    good = play_input("correct", "red 95");
    assert_int_equal(match_check_word(&p.referee.match, &good, &why), 0);
    good = play_input("turn", "red");
    assert_int_equal(match_check_word(&p.referee.match, &good, &why), 0);
    play_feed(&p, good);
    struct observation back = play_input("retract", "");
    back.input.input = 2;
    assert_int_equal(match_check_word(&p.referee.match, &back, &why), RS_EINPUT);
    assert_string_equal(why.text, "input=2: 1 thing was said");
    back.input.input = 1;
    assert_int_equal(match_check_word(&p.referee.match, &back, &why), 0);
    play_feed(&p, back);
    assert_int_equal(match_check_word(&p.referee.match, &back, &why), RS_EINPUT); // another judge was quicker
    assert_non_null(strstr(why.text, "taken back already, by input 2"));
    back.input.input = 2;
    assert_int_equal(match_check_word(&p.referee.match, &back, &why), 0);
}

// Up to what the format allows, and no further: of discs in a round, and of those in the hole.
static void a_number_that_is_possible_is_taken(void **state)
{
    (void)state;
    static const struct {
        const char *format, *word;
        int most;
    } row[] = {
        { "nca-singles", "correct", FORMAT_COUNT_MAX }, // a handicap is in no format
        { "nca-singles", "played", 8 },
        { "nca-singles", "round", FORMAT_COUNT_MAX }, // one more may break a tie
        { "nca-singles-12", "twenty", 12 },
        { "difference-100", "correct", FORMAT_COUNT_MAX },
        { "difference-100", "round", FORMAT_COUNT_MAX },
    };
    static struct play p;
    struct board b = *board_builtin("crokinole-nca");
    struct fail why;
    for (size_t i = 0; i < countof(row); i++) {
        struct match_setup setup = match_setup_usual(&crokinole_game);
        setup.format = *game_format(&crokinole_game, row[i].format);
        play_begin(&p, &crokinole_game, &b, &setup);
        play_shot(&p, 1, "black", 2);
        struct observation o = play_input(row[i].word, "");
        snprintf(o.input.side, sizeof o.input.side, "%s", strcmp(row[i].word, "round") == 0 ? "" : "black");
        o.input.has_value = true;
        o.input.value[0] = row[i].most;
        if (match_check_word(&p.referee.match, &o, &why) < 0)
            fail_msg("%s: %s", row[i].format, why.text);
        o.input.value[0] += 1;
        if (match_check_word(&p.referee.match, &o, &why) != RS_EINPUT)
            fail_msg("%s %s %g", row[i].format, row[i].word, o.input.value[0]);
    }
    play_end(&p);
}

// Its answer to "value=VALUE WORD" of a side.
static int answer_to(struct play *p, const char *word, const char *side, double value, struct fail *why)
{
    struct observation o = play_input(word, "");
    snprintf(o.input.side, sizeof o.input.side, "%s", side);
    o.input.has_value = true;
    o.input.value[0] = value;
    return match_check_word(&p->referee.match, &o, why);
}

// Each disc of a round may go in, also of rounds that nobody but the judge saw.
static void as_many_twenties_as_discs_are_taken(void **state)
{
    (void)state;
    static struct play p;
    struct fail why;
    const struct board b = *board_builtin("crokinole-nca");
    play_begin(&p, &crokinole_game, &b, NULL);
    play_shot(&p, 1, "black", 2);
    struct observation one = play_input("twenty", "");
    snprintf(one.input.side, sizeof one.input.side, "black");
    for (int i = 0; i < 8; i++)
        play_feed(&p, one);
    assert_int_equal(match_check_word(&p.referee.match, &one, &why), RS_EINPUT);
    play_say(&p, "round-over", "");
    assert_int_equal(match_check_word(&p.referee.match, &one, &why), 0);
    assert_int_equal(answer_to(&p, "twenty", "black", 17, &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "16 is the most"));

    play_begin(&p, &crokinole_game, &b, NULL);
    play_shot(&p, 1, "black", 2);
    struct observation third = play_input("round", "");
    third.input.has_value = true;
    third.input.value[0] = 3;
    play_feed(&p, third);
    assert_int_equal(answer_to(&p, "twenty", "black", 24, &why), 0);
    assert_int_equal(answer_to(&p, "twenty", "black", 25, &why), RS_EINPUT);
    play_end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_that_names_nothing_is_refused),
        cmocka_unit_test(a_number_that_is_possible_is_taken),
        cmocka_unit_test(as_many_twenties_as_discs_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
