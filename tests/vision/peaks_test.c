// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/near.h"
#include "vision/peaks.h"

static void peaks_come_strongest_first_and_plateaus_once(void **state)
{
    (void)state;
    const float map[5 * 7] = {
        9, 0, 0, 0, 0, 0,   0, // the border holds none
        0, 3, 0, 0, 7, 7,   0, //
        0, 0, 0, 0, 7, NAN, 0, //
        0, 0, 5, 0, 0, 0,   0, //
        0, 0, 0, 0, 0, 0,   0,
    };
    struct peak *p;
    struct fail why;
    assert_int_equal(peaks_find(&p, map, 7, 5, 2, &why), 2); // 3 lies beside the border's 9
    assert_int_equal(p[0].x, 4);
    assert_int_equal(p[0].y, 1);
    assert_near(p[0].value, 7, 0);
    assert_int_equal(p[1].x, 2);
    assert_int_equal(p[1].y, 3);
    free(p);
    assert_int_equal(peaks_find(&p, map, 7, 5, 7, &why), 0);
    assert_null(p);
}

static void weaker_peaks_nearby_are_suppressed(void **state)
{
    (void)state;
    struct peak p[] = { { 0, 0, 9 }, { 2, 0, 8 }, { 4, 0, 7 }, { 0, 9, 6 }, { 9, 9, 5 } };
    assert_int_equal(peaks_suppress(p, 5, 3, 2), 3);
    assert_int_equal(p[0].x, 0);
    assert_int_equal(p[1].x, 4); // the one that would have suppressed it is gone itself
    assert_int_equal(p[2].y, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peaks_come_strongest_first_and_plateaus_once),
        cmocka_unit_test(weaker_peaks_nearby_are_suppressed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
