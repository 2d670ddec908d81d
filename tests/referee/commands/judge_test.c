// SPDX-License-Identifier: MIT
// A call is explained, the same log is judged under another game's rules, and no game's rules have a hole.
#include "calibration/json_file.h"
#include "referee/games/games.h"
#include "tests/cmocka.h"
#include "tests/referee/commands/spawned.h"
#include "tests/schema.h"

#define LOG "tests/fuzz/seeds/log/crokinole_a.jsonl"

static struct spawned said;

static void judge(const char *flag, const char *value, int status)
{
    RUN(&said, status, "judge", LOG, flag, value);
}

static void assert_said(const char *words)
{
    if (!strstr(said.out, words))
        fail_msg("\"%s\" is not in\n%s", words, said.out);
}

static void a_call_is_explained(void **state)
{
    (void)state;
    judge("--explain", NULL, 0);
    assert_said("      rule N1: ");
    assert_said("      seen: 0.996 in inside the line, 1 sigma 0.012 in; firm\n      would be 5 if it lay 0.996 in "
                "farther out\n");
    assert_said("first contact a peg at 1.64 s; pieces moved: red 1\n");
    assert_said("      otherwise if: ");
    judge("--explain", "--json", 2);
}

static void another_game_calls_otherwise(void **state)
{
    (void)state;
    judge("--game", "crokinole-rings", 0);
    assert_said("shot 1  crokinole, N6: open board");
    assert_said("crokinole-rings, C4: ");
    assert_said("crokinole-rings, C14: red  3  (1.00 in"); // the same area, which counts otherwise there
    assert_null(strstr(said.out, "shot 2  crokinole-rings, C14"));
    judge("--game", "crokinole", 0);
    assert_string_equal(said.out, "crokinole calls the same as crokinole\n");
    judge("--game", "american-marbles", 2);
    assert_non_null(strstr(said.err, "is not played on a board like"));
    judge("--game=crokinole-rings", "--json", 0);
    struct fail why;
    json_t *form = NULL;
    assert_int_equal(json_file_read(&form, "samples/schema/event.json", &why), 0);
    int events = 0;
    for (char *line = strtok(said.out, "\n"); line; line = strtok(NULL, "\n"), events++) {
        struct schema_fault fault = { "" };
        json_t *o = json_loads(line, 0, NULL);
        if (!schema_keeps(&fault, form, form, o, "event"))
            fail_msg("%s", fault.words);
        json_decref(o);
    }
    json_decref(form);
    assert_true(events > 0);
}

static void no_games_rules_have_a_hole(void **state)
{
    (void)state;
    for (int i = 0; games_at(i); i++) {
        spawned_run(&said, (const char *[]){ "rules", games_at(i)->name, "--coverage", NULL }, NULL);
        if (said.status != 0 || strstr(said.out, "<- hole"))
            fail_msg("%s\n%s", said.err, said.out);
        assert_int_equal(spawned_lines(said.out), games_at(i)->rule_count + 1);
        RUN(&said, 0, "rules", games_at(i)->name);
        assert_said("\nformats (--format):\n");
        assert_int_equal(strstr(said.out, "      played: ") != NULL, games_at(i)->ruling_count > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_is_explained),
        cmocka_unit_test(another_game_calls_otherwise),
        cmocka_unit_test(no_games_rules_have_a_hole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
