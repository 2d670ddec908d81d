// SPDX-License-Identifier: MIT
// The same paint in another light, and what is another paint.
#include <stdio.h>
#include <string.h>

#include "calibration/units.h"
#include "referee/rules/roster.h"
#include "tests/cmocka.h"

static const struct {
    const char *what, *word;
    double lab[3];
    const char *becomes;
} rows[] = {
    { "the first side", "black", { 20, 0, 2 }, "black" },
    { "not yet two sides: a new word is a new side", "grey", { 30, 0, 1 }, "grey" },
    { "known words stay", "black", { 22, 1, 2 }, "black" },
};

static const struct {
    const char *what, *word;
    double lab[3];
    const char *becomes;
} third[] = {
    { "black under the evening's lamp", "grey", { 38, 2, 8 }, "black" },
    { "red in the shade", "brown", { 32, 45, 24 }, "red" },
    { "between the two: nobody's", "violet", { 30, 26, 14 }, "violet" },
    { "a third paint", "green", { 50, -40, 30 }, "green" },
};

static const char *name(struct roster *r, const char *word, const double lab[3])
{
    static struct observation o;
    o = (struct observation){ .kind = OBS_SEEN, .seen.has_lab = lab != NULL };
    snprintf(o.seen.colour, sizeof o.seen.colour, "%s", word);
    if (lab)
        memcpy(o.seen.lab, lab, sizeof o.seen.lab);
    roster_name(r, &o);
    return o.seen.colour;
}

static void the_first_two_paints_are_the_sides(void **state)
{
    (void)state;
    struct roster r = { 0 };
    for (size_t i = 0; i < countof(rows); i++)
        if (strcmp(name(&r, rows[i].word, rows[i].lab), rows[i].becomes) != 0)
            fail_msg("%s", rows[i].what);
    assert_int_equal(r.count, 2);
}

static void a_third_word_is_one_of_the_two_or_nobodys(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(third); i++) {
        struct roster r = { 0 };
        name(&r, "black", (double[]){ 20, 0, 2 });
        name(&r, "red", (double[]){ 42, 55, 30 });
        const char *is = name(&r, third[i].word, third[i].lab);
        if (strcmp(is, third[i].becomes) != 0)
            fail_msg("%s: it became %s", third[i].what, is);
    }
}

static void more_words_than_there_is_room_for_do_no_harm(void **state)
{
    (void)state;
    struct roster r = { 0 };
    char word[16];
    for (int i = 0; i < 3 * ROSTER_MAX; i++) {
        snprintf(word, sizeof word, "w%d", i);
        assert_string_equal(name(&r, word, (double[]){ 50, 100.0 * i, 0 }), word);
    }
    assert_int_equal(r.count, ROSTER_MAX);
    assert_string_equal(name(&r, "seen without its colour", NULL), "seen without its colour");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_two_paints_are_the_sides),
        cmocka_unit_test(a_third_word_is_one_of_the_two_or_nobodys),
        cmocka_unit_test(more_words_than_there_is_room_for_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
