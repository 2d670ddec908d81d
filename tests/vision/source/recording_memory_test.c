// SPDX-License-Identifier: MIT
// Memory that is refused while a recording is looked for is told as that: nobody hears that nothing was recorded.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/refused_memory.h"
#include "tests/vision/scratch.h"
#include "vision/source/source.h"

static void no_memory_is_no_empty_folder(void **state)
{
    const struct scratch *s = *state;
    char folder[NEW_FILE_PATH_MAX];
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_memory_is_no_empty_folder, scratch_create, scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
