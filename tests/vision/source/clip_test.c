// SPDX-License-Identifier: MIT
// The last seconds are held, no more of them than was said, and written out while the camera goes on.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calibration/atomic_file.h"
#include "calibration/units.h"
#include "tests/vision/scratch.h"
#include "tests/vision/source/filmed_by.h"

static struct held_clip {
    double first_s, last_s;
    int count;
} read_clip(const char *path)
{
    struct held_clip c = { NAN, NAN, 0 };
    struct segment_reader *r = NULL;
    struct encoded *e;
    struct picture_mark mark;
    struct fail why = { .text = "" };
    if (segment_open(&r, path, &why) < 0)
        fail_msg("%s", why.text);
    for (; segment_read(&e, &mark, r, &why) == 1; c.count++) {
        c.first_s = c.count == 0 ? mark.t_s : c.first_s;
        c.last_s = mark.t_s;
        encoded_release(e);
    }
    segment_reader_free(r);
    return c;
}

static void a_clip_is_cut_from_the_last_seconds(void **state)
{
    const struct scratch *s = *state;
    struct recorder_limits limits = recorder_limits_usual;
    struct fail why = { .text = "" };
    limits.ring_s = 2;
    struct recorder *r = begin(NULL, &limits, &wide);
    struct recorded_sum sum;
    for (int i = 0; i < 200; i++)
        give(r, sent_jpeg(i), i, 0);
    assert_int_equal(recorder_clip(r, scratch_path(s, "a.mkv"), time_of(150), time_of(170), &why), 0);
    assert_int_equal(recorder_clip(r, scratch_path(s, "b.mkv"), 0, 1e9, &why), 0);
    assert_int_equal(recorder_clip(r, scratch_path(s, "c.mkv"), 0, 1, &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "not held any more"));
    recorder_finish(&sum, r);
    recorder_free(r);
    assert_int_equal(sum.clips, 2);
    struct held_clip a = read_clip(scratch_path(s, "a.mkv")), b = read_clip(scratch_path(s, "b.mkv"));
    assert_true(a.first_s == time_of(150) && a.last_s == time_of(170) && a.count == 21);
    assert_true(b.last_s == time_of(199) && b.first_s >= time_of(199) - 2 && b.count >= 59);
    assert_int_equal(scratch_count(s), 2);
    assert_int_equal(empty(s), 0);
}

// Too long as it is, or once it has the ending of a file that is not finished.
static void a_name_too_long_for_a_clip_is_told(void **state)
{
    const struct scratch *s = *state;
    for (int length = ATOMIC_FILE_PATH_MAX - 1; length <= ATOMIC_FILE_PATH_MAX; length++) {
        char name[ATOMIC_FILE_PATH_MAX + 1];
        struct fail why = { .text = "" }, told = { .text = "" };
        struct recorded_sum sum;
        struct recorder *r = begin(NULL, &recorder_limits_usual, &wide);
        give(r, sent_jpeg(0), 0, 0);
        snprintf(name, sizeof name, "%s/%0*d", s->folder, length - (int)strlen(s->folder) - 1, 0);
        int rc = recorder_clip(r, name, 0, 1e9, &why);
        assert_int_equal(rc, length < ATOMIC_FILE_PATH_MAX ? 0 : RS_EINPUT);
        recorder_finish(&sum, r);
        assert_int_equal(recorder_news(r, &told), rc == 0);
        recorder_free(r);
        assert_non_null(strstr(rc < 0 ? why.text : told.text, "too long"));
        assert_int_equal(sum.clips, 0);
    }
}

static void the_last_seconds_take_no_more_memory_than_said(void **state)
{
    const struct scratch *s = *state;
    struct recorder_limits limits = recorder_limits_usual;
    struct fail why = { .text = "" };
    struct encoded *e = sent_raw(ENCODED_YUYV, 0, 0);
    limits.ring_bytes = 10 * e->size + 1;
    encoded_release(e);
    struct recorder *r = begin(NULL, &limits, &wide);
    for (int i = 0; i < 100; i++)
        give(r, sent_raw(ENCODED_YUYV, i, 0), i, 0);
    assert_int_equal(recorder_clip(r, scratch_path(s, "a.mkv"), 0, 1e9, &why), 0);
    end(r);
    assert_int_equal(read_clip(scratch_path(s, "a.mkv")).count, 10);
    assert_int_equal(empty(s), 0);
}

static int64_t room; // that is free

static int64_t room_of(const char *folder)
{
    assert_string_equal(folder + strlen(folder) - 2, "/.");
    return room;
}

static void a_clip_leaves_the_room_that_the_log_needs(void **state)
{
    static const struct recorder_disk disk = { write, room_of };
    const struct scratch *s = *state;
    struct fail why = { .text = "" }, told = { .text = "" };
    struct encoded *e = sent_jpeg(0);
    const int64_t needed = recorder_limits_usual.reserve_bytes + 10 * (int64_t)e->size;
    const struct {
        int64_t room;
        int clips;
    } rows[] = { { 2 * needed, 1 }, { needed - (int64_t)e->size, 0 }, { 0, 0 }, { -1, 1 } }; // -1: not known
    encoded_release(e);
    for (size_t i = 0; i < countof(rows); i++) {
        struct recorded_sum sum;
        room = rows[i].room;
        struct recorder *r = begin(NULL, &recorder_limits_usual, &disk);
        for (int k = 0; k < 10; k++)
            give(r, sent_jpeg(k), k, 0);
        assert_int_equal(recorder_clip(r, scratch_path(s, "a.mkv"), 0, 1e9, &why), 0);
        recorder_finish(&sum, r);
        bool tells = recorder_news(r, &told);
        recorder_free(r);
        if (sum.clips != rows[i].clips || scratch_count(s) != rows[i].clips || tells != (rows[i].clips == 0) ||
            (tells && !strstr(told.text, "no clip: only ")))
            fail_msg("%ld free: %d clips, \"%s\"", (long)rows[i].room, sum.clips, told.text);
        assert_int_equal(empty(s), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clip_is_cut_from_the_last_seconds),
        cmocka_unit_test(a_name_too_long_for_a_clip_is_told),
        cmocka_unit_test(the_last_seconds_take_no_more_memory_than_said),
        cmocka_unit_test(a_clip_leaves_the_room_that_the_log_needs),
    };
    alarm(300); // a test that waits for ever is a failed one
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
