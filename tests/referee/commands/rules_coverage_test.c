// SPDX-License-Identifier: MIT
// The table of where rules come from: a hole in it is seen, whatever it is that is missing.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "calibration/units.h"
#include "referee/commands/rules_coverage.h"
#include "referee/commands/verbs.h"
#include "tests/cmocka.h"

// What it prints of a game goes to said; its answer comes back.
static int coverage_of(char *said, size_t size, const struct game *game, struct fail *why)
{
    FILE *to = tmpfile();
    assert_non_null(to);
    fflush(stdout);
    int usual = dup(1);
    dup2(fileno(to), 1);
    int rc = rules_coverage(game, why);
    fflush(stdout);
    dup2(usual, 1);
    close(usual);
    rewind(to);
    said[fread(said, 1, size - 1, to)] = '\0';
    fclose(to);
    return rc;
}

static void what_is_missing_is_a_hole(void **state)
{
    (void)state;
    enum { RULES = 2 };
    static const struct {
        const char *what, *line; // what the first rule's line ends with
        int holes;
        struct rule rule[RULES];
    } rows[] = {
        { "all is said",
          "camera    a b\n",
          0,
          { { .number = "1", .source = "book 1", .by = BY_CAMERA, .shown = "a b" },
            { .number = "2", .source = "book 2", .by = BY_BOOKS, .shown = "c" } } },
        { "another entry of its number is shown",
          "judge     c\n",
          0,
          { { .number = "1", .source = "book 1", .by = BY_JUDGE },
            { .number = "1", .source = "book 1", .by = BY_JUDGE, .shown = "c" } } },
        { "nothing shows it",
          "player    ?  <- hole\n",
          1,
          { { .number = "1", .source = "book 1", .by = BY_PLAYER, .shown = "" },
            { .number = "2", .source = "book 2", .by = BY_SET_UP, .shown = "c" } } },
        { "nobody decides it",
          "?         a  <- hole\n",
          1,
          { { .number = "1", .source = "book 1", .shown = "a" },
            { .number = "2", .source = "book 2", .by = BY_PROPOSAL, .shown = "c" } } },
        { "it is written nowhere",
          "camera    a  <- hole\n",
          2,
          { { .number = "1", .source = "", .by = BY_CAMERA, .shown = "a" },
            { .number = "2", .by = BY_CAMERA, .shown = "c" } } },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        char said[1024], counted[64];
        struct fail why = { .text = "" };
        const struct game game = { .name = "hopscotch", .rules = rows[i].rule, .rule_count = RULES };
        int rc = coverage_of(said, sizeof said, &game, &why), lines = 0;
        snprintf(counted, sizeof counted, "hopscotch: %d of %d rules without", rows[i].holes, RULES);
        for (const char *c = said; *c; c++)
            lines += *c == '\n';
        if (rc != (rows[i].holes ? ENDED_OTHERWISE : 0) || lines != 1 + RULES || !strstr(said, rows[i].line) ||
            (rows[i].holes ? !strstr(why.text, counted) : why.text[0] != '\0'))
            fail_msg("%s: %d, \"%s\", printed\n%s", rows[i].what, rc, why.text, said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(what_is_missing_is_a_hole) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
