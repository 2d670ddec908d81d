// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "calibration/units.h"
#include "tests/vision/scratch.h"
#include "vision/frame_file.h"
#include "vision/source/source.h"

static void what_was_written_is_read_again(void **state)
{
    static const struct {
        const char *name;
        int width, height, most_error;
    } rows[] = {
        { "a.png", 31, 17, 0 },  { "a.PNG", 1, 1, 0 },      { "two.dots.jpg", 31, 17, 8 },
        { "a.JPEG", 64, 48, 8 }, { "wide.png", 500, 2, 0 },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        struct frame *f = scratch_frame(rows[i].width, rows[i].height), *again;
        const char *path = scratch_path(*state, rows[i].name);
        struct source *s;
        struct fail why = { 0 };
        scratch_write(path, "older", 5); // it is replaced
        assert_int_equal(frame_write(f, path, &why), 0);
        assert_int_equal(photo_open(&s, path, &why), 0);
        assert_int_equal(source_next(&again, s, &why), 1);
        if (scratch_difference(f, again) > rows[i].most_error)
            fail_msg("%s: differs by %d", rows[i].name, scratch_difference(f, again));
        source_close(s);
        frame_free(f);
        frame_free(again);
    }
    assert_int_equal(scratch_count(*state), countof(rows));
}

static void where_nothing_can_be_written_is_said(void **state)
{
    static const struct {
        const char *path;
        int rc;
        const char *says;
    } rows[] = {
        { "/nowhere/at/all/a.png", RS_EIO, "No such file" },
        { "/proc/a.jpg", RS_EIO, "cannot be written" },
        { "/tmp/ringside-test.bmp", RS_EINPUT, "ends in .png or .jpg" },
        { "/tmp/ringside-test", RS_EINPUT, "ends in .png or .jpg" },
    };
    (void)state;
    struct frame *f = scratch_frame(8, 8);
    for (size_t i = 0; i < countof(rows); i++) {
        struct fail why = { 0 };
        int rc = frame_write(f, rows[i].path, &why);
        if (rc != rows[i].rc || !strstr(why.text, rows[i].says) || !strstr(why.text, rows[i].path))
            fail_msg("%s: %d '%s'", rows[i].path, rc, why.text);
    }
    frame_free(f);
}

// A folder bears the name: the rename fails after everything was written.
static void a_failure_leaves_nothing_behind(void **state)
{
    const char *path = scratch_path(*state, "taken.png");
    struct frame *f = scratch_frame(8, 8);
    struct fail why = { 0 };
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(frame_write(f, path, &why), RS_EIO);
    assert_non_null(strstr(why.text, "directory"));
    assert_int_equal(scratch_count(*state), 1);
    assert_int_equal(rmdir(path), 0);
    frame_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_written_is_read_again, scratch_create, scratch_remove),
        cmocka_unit_test(where_nothing_can_be_written_is_said),
        cmocka_unit_test_setup_teardown(a_failure_leaves_nothing_behind, scratch_create, scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
