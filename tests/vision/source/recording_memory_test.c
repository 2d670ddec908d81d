// SPDX-License-Identifier: MIT
// Memory that is refused while a recording is looked for or opened is told as that: nobody hears that nothing was
// recorded, and none is shorter than it is. What goes away meanwhile is a recording without pictures.
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/refused_memory.h"
#include "tests/vision/scratch.h"
#include "tests/vision/source/filmed_by.h"
#include "vision/source/recorder.h"
#include "vision/source/source.h"

typedef int which_entry(const struct dirent *);
typedef int entry_order(const struct dirent **, const struct dirent **);
int __real_scandir(const char *folder, struct dirent ***out, which_entry *which, entry_order *order);
int __wrap_scandir(const char *folder, struct dirent ***out, which_entry *which, entry_order *order);

static const char *goes_away; // a file that somebody removes once it has been listed

// It asks for memory within the C library, where no request is led through here.
int __wrap_scandir(const char *folder, struct dirent ***out, which_entry *which, entry_order *order)
{
    if (is_refused()) {
        errno = ENOMEM;
        return -1;
    }
    int count = __real_scandir(folder, out, which, order);
    if (goes_away)
        unlink(goes_away);
    goes_away = NULL;
    return count;
}

static void no_memory_is_no_empty_folder(void **state)
{
    const struct scratch *s = *state;
    char folder[ATOMIC_FILE_PATH_MAX];
    long refused = 0;
    assert_int_equal(mkdir(scratch_path(s, "a"), 0700), 0);
    scratch_write(scratch_path(s, "a/segment-00001.mkv"), "", 0);
    for (;; refused++) {
        struct fail why = { .text = "" };
        before_refusal = refused;
        int rc = recording_find(folder, s->folder, &why);
        bool all_given = before_refusal >= 0;
        before_refusal = -1;
        if (all_given) {
            assert_int_equal(rc, 0);
            assert_string_equal(folder, scratch_path(s, "a"));
            break;
        }
        if (rc != RS_ENOMEM)
            fail_msg("request %ld was refused, and that is told as %d: %s", refused, rc, why.text);
    }
    assert_true(refused > 0);
}

static void no_memory_makes_no_recording_shorter(void **state)
{
    const struct scratch *s = *state;
    const struct recorder_limits limits = quick();
    enum { PICTURES = 40 };
    struct recorder *r = begin(s->folder, &limits, &wide);
    for (int i = 0; i < PICTURES; i++)
        give(r, sent_jpeg(i), i, 0);
    assert_int_equal(end(r).pictures, PICTURES);
    long refused = 0;
    bool all_given = false;
    for (; !all_given; refused++) {
        struct fail why = { .text = "" };
        struct source *source = NULL;
        before_refusal = refused;
        int rc = recording_open(&source, s->folder, &why);
        all_given = before_refusal >= 0;
        before_refusal = -1;
        if (rc == 0) { // what is refused to the decoder of a picture may be had of another
            assert_true(fabs(source_info(source)->duration_s - time_of(PICTURES)) < 0.1);
            source_close(source);
        } else if (rc != RS_ENOMEM || all_given) {
            fail_msg("request %ld was refused, and that is told as %d: %s", refused, rc, why.text);
        }
    }
    assert_true(refused > 5);
}

static void a_recording_that_goes_away_has_no_pictures(void **state)
{
    const struct scratch *s = *state;
    const char *segment = scratch_path(s, "segment-00001.mkv");
    struct fail why = { .text = "" };
    struct source *source = NULL;
    scratch_write(segment, "", 0);
    goes_away = segment;
    assert_int_equal(recording_open(&source, s->folder, &why), RS_EINPUT);
    assert_null(goes_away);
    assert_non_null(strstr(why.text, "no picture"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_memory_is_no_empty_folder, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(no_memory_makes_no_recording_shorter, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(a_recording_that_goes_away_has_no_pictures, scratch_create, scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
