// SPDX-License-Identifier: MIT
// What a close call leaves open of a score, and of who won, is told wherever those are.
#include <math.h>
#include <stdlib.h>

#include "calibration/json_file.h"
#include "calibration/units.h"
#include "tests/cmocka.h"
#include "tests/referee/commands/spawned.h"
#include "tests/referee/kept.h"
#include "tests/referee/text_of.h"
#include "tests/schema.h"
#include "tests/vision/scratch.h"

static const double OVER_IN = 0.002; // a third of its 1 sigma

static struct spawned said;
static char book[200], written[200];

// A game of one round: Ben's disc lies so at the line of the 10 that it may count 10, as Anna's does.
static int put_close_game(void **state)
{
    static struct kept k;
    struct fail why = { .text = "" };
    struct match_setup setup = match_setup_usual(&crokinole_game);
    const struct board *b = board_builtin(crokinole_game.board);
    double from_centre_in = line_of_circle(b, 1).radius_in - b->piece_radius_in + OVER_IN;
    double below_in = 2; // as the second shot comes to rest
    if (scratch_create(state) != 0)
        return -1;
    snprintf(book, sizeof book, "%s", scratch_path(*state, "record.db"));
    snprintf(written, sizeof written, "%s", scratch_path(*state, "written"));
    scratch_write(written, "", 0);
    setup.format.rounds = 1;
    setup.seats = SIDES;
    snprintf(setup.seat[0].name, OBS_WORD_MAX, "Anna");
    snprintf(setup.seat[1].name, OBS_WORD_MAX, "Ben");
    int rc = kept_begin_as(&k, book, &crokinole_game, &setup, &why);
    if (rc == 0)
        rc = kept_shot(&k, 2, &why);
    if (rc == 0)
        rc = kept_shot(&k, sqrt(from_centre_in * from_centre_in - below_in * below_in), &why);
    if (rc == 0)
        rc = kept_say(&k, "round-over", &why);
    if (rc == 0)
        rc = record_end(k.r, &why);
    if (rc < 0)
        print_error("%s\n", why.text);
    kept_end(&k);
    return rc;
}

static void assert_there(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (!strstr(text, *words))
            fail_msg("no '%s' in %s", *words, text);
}

static void assert_told(const char *const *args, const char *const *words)
{
    spawned_end(&said, 0, args);
    assert_there(said.out, words);
}

#define WORDS(...) ((const char *[]){ __VA_ARGS__, NULL })

// The match, exported as JSON of some kind.
static json_t *exported(const char *format)
{
    struct fail why = { .text = "" };
    json_t *o = NULL;
    scratch_write(written, "", 0);
    spawned_run(&said, WORDS("record", "export", "1", "--format", format, "--book", book), written);
    if (said.status != 0 || json_file_read(&o, written, &why) < 0)
        fail_msg("%s%s", said.err, why.text);
    return o;
}

static void what_a_close_call_leaves_open_is_told_in_every_form(void **state)
{
    (void)state;
    assert_told(WORDS("record", "list", "--book", book), WORDS("Anna 2 (1 to 2), Ben 0 (0 to 1); Anna wins (close)"));
    assert_told(WORDS("record", "export", "1", "--format", "text", "--book", book),
                WORDS("  2 (1 to 2) (10, 0 x 20) ", "  0 (0 to 1) (5 (5 to 10), 0 x 20)", "  2 (1 to 2), wins (close) ",
                      "Ended: Anna 2 (1 to 2), Ben 0 (0 to 1); Anna wins (close)"));
    assert_told(WORDS("report", "1", "--book", book, "--out", written), WORDS("Anna wins (close)"));
    assert_there(text_of(written),
                 WORDS("<h1>Anna 2 (1 to 2), Ben 0 (0 to 1); Anna wins (close)</h1>",
                       "<td class=\"close\">5 (5 to 10)</td><td>0</td><td class=\"close\">0 (0 to 1)</td>"));
}

static void programs_are_told_it_too(void **state)
{
    (void)state;
    struct fail why = { .text = "" };
    json_t *o = exported("cmn"), *ours = json_object_get(json_object_get(o, "match"), "ringside"), *form = NULL;
    json_t *scores = json_object_get(json_array_get(json_object_get(ours, "games_between"), 0), "scores");
    json_t *wanted = json_pack("[[i, i], [i, i]]", 10, 10, 5, 10);
    assert_true(json_is_true(json_object_get(ours, "close")));
    assert_true(json_equal(scores, wanted));
    json_decref(o);
    json_decref(wanted);
    o = exported("json");
    assert_int_equal(json_file_read(&form, "samples/schema/record.json", &why), 0);
    struct schema_fault fault = { "" };
    if (!schema_keeps(&fault, form, form, o, "record"))
        fail_msg("%s", fault.words);
    const json_t *standing = json_object_get(o, "standing"),
                 *ben = json_array_get(json_object_get(standing, "sides"), 1);
    wanted = json_pack("[i, i]", 0, 1);
    assert_true(json_is_true(json_object_get(standing, "close")));
    assert_true(json_equal(json_object_get(ben, "points_range"), wanted));
    assert_null(json_object_get(ben, "twenties_range"));
    json_decref(o);
    json_decref(wanted);
    json_decref(form);
    RUN(&said, 0, "record", "check", "--book", book);
}

static void what_a_judge_decided_is_open_no_more(void **state)
{
    (void)state;
    RUN(&said, 0, "record", "correct", "1", "--book", book, "shot=2", "confirm");
    assert_told(WORDS("record", "list", "--book", book), WORDS("Anna 2, Ben 0; Anna wins"));
    assert_null(strstr(said.out, "(close)"));
    assert_told(WORDS("record", "export", "1", "--format", "text", "--book", book),
                WORDS("  2 (10, 0 x 20) ", "  2, wins "));
    json_t *o = exported("json");
    assert_null(json_object_get(json_object_get(o, "standing"), "close"));
    json_decref(o);
    RUN(&said, 0, "record", "check", "--book", book);
}

static void correct(const char *side, const char *value, const char *word)
{
    RUN(&said, 0, "record", "correct", "1", "--book", book, side, value, word);
}

static void a_score_that_a_judge_says_is_what_the_last_round_brought(void **state)
{
    (void)state;
    RUN(&said, 0, "record", "correct", "1", "--book", book, "input=2", "retract"); // the line is close again
    correct("side=Ben", "value=0", "correct");
    correct("side=Anna", "value=2", "correct");
    correct("side=Ben", "value=1", "twenty");
    assert_told(WORDS("record", "list", "--book", book), WORDS("Anna 2, Ben 0; Anna wins"));
    assert_told(WORDS("record", "export", "1", "--format", "text", "--book", book),
                WORDS("  2 (10, 0 x 20) ", "  0 (5 (5 to 10), 1 x 20)", "  2, wins "));
    RUN(&said, 0, "record", "check", "--book", book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_close_call_leaves_open_is_told_in_every_form),
        cmocka_unit_test(programs_are_told_it_too),
        cmocka_unit_test(what_a_judge_decided_is_open_no_more),
        cmocka_unit_test(a_score_that_a_judge_says_is_what_the_last_round_brought),
    };
    return cmocka_run_group_tests(tests, put_close_game, scratch_remove);
}
