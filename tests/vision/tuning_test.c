// SPDX-License-Identifier: MIT
// The stages' numbers as data: every field has a row of its own, can be set from a file and arrives; a bad file is told.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "calibration/units.h"
#include "tests/vision/scratch.h"
#include "vision/tuning_file.h"

static void every_number_has_a_row_and_a_default_in_its_range(void **state)
{
    (void)state;
    struct tuning_set set;
    struct tuning_stage stages[TUNING_STAGES];
    tuning_set_defaults(&set);
    tuning_stages(stages, &set);
    for (size_t s = 0; s < TUNING_STAGES; s++) {
        const struct tuning_fields *fields = stages[s].fields;
        print_message("%s: %zu numbers\n", fields->stage, fields->count);
        assert_int_equal(stages[s].size, fields->count * sizeof(double));
        for (size_t i = 0; i < fields->count; i++) {
            const struct tuning_field *f = &fields->field[i];
            double x = stages[s].numbers[f->offset / sizeof(double)];
            if (!(f->least <= x && x <= f->most && f->least < f->most))
                fail_msg("%s: %s is %g, its range %g to %g", fields->stage, f->name, x, f->least, f->most);
            assert_int_equal(f->offset % sizeof(double), 0);
            assert_true(f->offset + sizeof(double) <= stages[s].size);
            for (size_t j = 0; j < i; j++) {
                assert_int_not_equal(f->offset, fields->field[j].offset);
                assert_string_not_equal(f->name, fields->field[j].name);
            }
        }
    }
}

static void the_defaults_are_those_of_the_program(void **state)
{
    (void)state;
    struct tuning_set set;
    tuning_set_defaults(&set);
    assert_memory_equal(set.all.board, tuning_defaults.board, sizeof set.board);
    assert_memory_equal(set.all.disc, tuning_defaults.disc, sizeof set.disc);
    assert_memory_equal(set.all.marble, tuning_defaults.marble, sizeof set.marble);
    assert_memory_equal(set.all.appearance, tuning_defaults.appearance, sizeof set.appearance);
    assert_memory_equal(set.all.oblique, tuning_defaults.oblique, sizeof set.oblique);
    assert_memory_equal(set.all.evidence, tuning_defaults.evidence, sizeof set.evidence);
    assert_memory_equal(set.all.track, tuning_defaults.track, sizeof set.track);
    assert_ptr_equal(set.all.board, &set.board);
    assert_ptr_equal(set.all.track, &set.track);
}

// One field a file, set to the end of its range that is not its default: it alone is changed.
static void every_field_can_be_set(void **state)
{
    const char *path = scratch_path(*state, "tune.json");
    struct tuning_set set, wanted;
    struct tuning_stage stages[TUNING_STAGES];
    tuning_set_defaults(&wanted);
    tuning_stages(stages, &wanted);
    for (size_t s = 0; s < TUNING_STAGES; s++)
        for (size_t i = 0; i < stages[s].fields->count; i++) {
            const struct tuning_field *f = &stages[s].fields->field[i];
            char text[256];
            double *x = &stages[s].numbers[f->offset / sizeof(double)], before = *x;
            *x = *x < f->most ? f->most : f->least;
            snprintf(text, sizeof text, "{\"%s\": {\"%s\": %.17g}}", stages[s].fields->stage, f->name, *x);
            scratch_write(path, text, strlen(text));
            struct fail why = { .text = "" };
            if (tuning_read(&set, path, &why) != 0)
                fail_msg("%s: %s", text, why.text);
            assert_memory_equal(&set, &wanted, offsetof(struct tuning_set, all));
            *x = before;
        }
}

static void several_stages_in_one_file(void **state)
{
    const char *path = scratch_path(*state, "tune.json");
    const struct tuning_field *first = &board_tuning_fields.field[0], *last;
    last = &track_tuning_fields.field[track_tuning_fields.count - 1];
    char text[256];
    snprintf(text, sizeof text, "{\"board\": {\"%s\": %.17g}, \"disc\": {}, \"track\": {\"%s\": %.17g}}", first->name,
             first->least, last->name, last->most);
    scratch_write(path, text, strlen(text));
    struct tuning_set set;
    struct tuning_stage stages[TUNING_STAGES];
    struct fail why = { .text = "" };
    assert_int_equal(tuning_read(&set, path, &why), 0);
    tuning_stages(stages, &set);
    assert_true(stages[0].numbers[first->offset / sizeof(double)] == first->least);
    assert_true(stages[TUNING_STAGES - 1].numbers[last->offset / sizeof(double)] == last->most);
}

static void a_bad_file_is_told_and_changes_nothing(void **state)
{
    const char *path = scratch_path(*state, "tune.json"), *field = board_tuning_fields.field[0].name;
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
    struct tuning_set set, defaults;
    tuning_set_defaults(&defaults);
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
        assert_int_equal(tuning_read(&set, path, &why), RS_EINPUT);
        if (!strstr(why.text, row[i][2]) || !strstr(why.text, "tune.json"))
            fail_msg("%s: \"%s\" does not say %s", row[i][0], why.text, row[i][2]);
        assert_memory_equal(&set, &defaults, offsetof(struct tuning_set, all));
    }
    struct fail why = { .text = "" };
    assert_int_equal(tuning_read(&set, "/nowhere/tune.json", &why), RS_EIO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_has_a_row_and_a_default_in_its_range),
        cmocka_unit_test(the_defaults_are_those_of_the_program),
        cmocka_unit_test_setup_teardown(every_field_can_be_set, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(several_stages_in_one_file, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(a_bad_file_is_told_and_changes_nothing, scratch_create, scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
