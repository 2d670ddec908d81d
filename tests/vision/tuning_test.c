// SPDX-License-Identifier: MIT
// The stages' numbers as data: every field has a row of its own, can be set from a file and arrives; a bad file is
// told.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "calibration/units.h"
#include "tests/vision/scratch.h"
#include "vision/tuning_file.h"

static double *number(struct tuning *t, const struct tuning_stage *s, size_t i)
{
    return (double *)t + s->offset / sizeof(double) + i;
}

// All of a copy's numbers lie before its hint.
static void assert_same_numbers(const struct tuning *a, const struct tuning *b)
{
    assert_memory_equal(a, b, offsetof(struct tuning, hint));
}

static void every_number_has_a_row_and_a_default_in_its_range(void **state)
{
    (void)state;
    struct tuning t = tuning_defaults;
    size_t numbers = 0;
    for (const struct tuning_stage *s = tuning_stages; s < tuning_stages + TUNING_STAGES; s++) {
        print_message("%s: %zu numbers\n", s->name, s->count);
        numbers += s->count;
        for (size_t i = 0; i < s->count; i++) {
            const struct tuning_field *f = &s->field[i];
            double x = *number(&t, s, i);
            if (!(f->least <= x && x <= f->most && f->least < f->most))
                fail_msg("%s: %s is %g, its range %g to %g", s->name, f->name, x, f->least, f->most);
            for (size_t j = 0; j < i; j++)
                assert_string_not_equal(f->name, s->field[j].name);
        }
        const struct tuning_stage *next = s + 1; // begins where this one ends, as offsets and counts have it
        size_t ends = next < tuning_stages + TUNING_STAGES ? next->offset : offsetof(struct tuning, hint);
        assert_int_equal(s->offset + s->count * sizeof(double), ends);
    }
    assert_int_equal(numbers * sizeof(double), offsetof(struct tuning, hint));
}

// One field a file, set to the end of its range that is not its default: it alone is changed.
static void every_field_can_be_set(void **state)
{
    const char *path = scratch_path(*state, "tune.json");
    struct tuning read, wanted = tuning_defaults;
    for (const struct tuning_stage *s = tuning_stages; s < tuning_stages + TUNING_STAGES; s++)
        for (size_t i = 0; i < s->count; i++) {
            const struct tuning_field *f = &s->field[i];
            char text[256];
            double *x = number(&wanted, s, i), before = *x;
            *x = *x < f->most ? f->most : f->least;
            snprintf(text, sizeof text, "{\"%s\": {\"%s\": %.17g}}", s->name, f->name, *x);
            scratch_write(path, text, strlen(text));
            struct fail why = { .text = "" };
            if (tuning_read(&read, path, &why) != 0)
                fail_msg("%s: %s", text, why.text);
            assert_same_numbers(&read, &wanted);
            *x = before;
        }
}

static void several_stages_in_one_file(void **state)
{
    const char *path = scratch_path(*state, "tune.json");
    const struct tuning_stage *board = &tuning_stages[0], *track = &tuning_stages[TUNING_STAGES - 1];
    const struct tuning_field *first = &board->field[0], *last = &track->field[track->count - 1];
    char text[256];
    snprintf(text, sizeof text, "{\"board\": {\"%s\": %.17g}, \"disc\": {}, \"track\": {\"%s\": %.17g}}", first->name,
             first->least, last->name, last->most);
    scratch_write(path, text, strlen(text));
    struct tuning read;
    struct fail why = { .text = "" };
    assert_int_equal(tuning_read(&read, path, &why), 0);
    assert_true(*number(&read, board, 0) == first->least);
    assert_true(*number(&read, track, track->count - 1) == last->most);
}

static void a_bad_file_is_told_and_changes_nothing(void **state)
{
    const char *path = scratch_path(*state, "tune.json"), *field = tuning_stages[0].field[0].name;
    const char *row[][3] = {
        { "no JSON", "contrast 3", "tune.json" },
        { "a list", "[1]", "not a JSON object" },
        { "an unknown stage", "{\"boards\": {}}", "no stage is called \"boards\"" },
        { "all there are", "{\"boards\": {}}", "\"oblique\", \"evidence\" and \"track\"" },
        { "a stage that is a number", "{\"board\": 3}", "\"board\" must be an object" },
        { "an unknown field", "{\"board\": {\"%sx\": 1}}", "did you mean" },
        { "text for a number", "{\"board\": {\"%s\": \"1\"}}", "must be a number" },
        { "too much", "{\"board\": {\"%s\": 1e300}}", "must be a number from" },
        { "too little", "{\"board\": {\"%s\": -1e300}}", "must be a number from" },
        { "a field twice", "{\"board\": {\"%s\": 1, \"%s\": 1}}", "not JSON" },
    };
    struct tuning read;
    for (size_t i = 0; i < countof(row); i++) {
        struct fail why = { .text = "" };
        char text[512] = "";
        for (const char *c = row[i][1]; *c; c++) // %s: the field's name
            if (c[0] == '%' && c[1] == 's') {
                strcat(text, field);
                c++;
            } else
                strncat(text, c, 1);
        scratch_write(path, text, strlen(text));
        assert_int_equal(tuning_read(&read, path, &why), RS_EINPUT);
        if (!strstr(why.text, row[i][2]) || !strstr(why.text, "tune.json"))
            fail_msg("%s: \"%s\" does not say %s", row[i][0], why.text, row[i][2]);
        assert_same_numbers(&read, &tuning_defaults);
    }
    struct fail why = { .text = "" };
    assert_int_equal(tuning_read(&read, "/nowhere/tune.json", &why), RS_EIO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_has_a_row_and_a_default_in_its_range),
        cmocka_unit_test_setup_teardown(every_field_can_be_set, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(several_stages_in_one_file, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(a_bad_file_is_told_and_changes_nothing, scratch_create, scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
