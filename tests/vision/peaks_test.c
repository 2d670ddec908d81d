// SPDX-License-Identifier: MIT
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/near.h"
#include "vision/peaks.h"

static void peaks_are_single_cells_and_plateaus_count_once(void **state)
{
    (void)state;
    const float map[5 * 7] = {
        9, 0, 0, 0, 0, 0,   0, // the border holds none
        0, 3, 0, 0, 7, 7,   0, //
        0, 0, 0, 0, 7, NAN, 0, //
        0, 0, 5, 0, 0, 0,   0, //
        0, 0, 0, 0, 0, 0,   0,
    };
    const struct raster r = { .width = 7, .height = 5, .per_in = 2, .half_in = 10 };
    struct peak *p;
    struct fail why;
    assert_int_equal(peaks_find(&p, map, &r, 2, &why), 2); // 3 lies beside the border's 9
    assert_near(p[0].at.x, 4.5 / 2 - 10, 1e-12);
    assert_near(p[0].at.y, 1.5 / 2 - 10, 1e-12);
    assert_near(p[0].score, 7, 0);
    assert_near(p[1].at.x, 2.5 / 2 - 10, 1e-12);
    assert_near(p[1].at.y, 3.5 / 2 - 10, 1e-12);
    free(p);
    assert_int_equal(peaks_find(&p, map, &r, 7, &why), 0);
    assert_null(p);
}

static void weaker_peaks_nearby_are_suppressed(void **state)
{
    (void)state;
    struct peak p[] = { { { 9, 9 }, 5 }, { { 4, 0 }, 7 }, { { 0, 0 }, 9 }, { { 0, 9 }, 6 }, { { 2, 0 }, 8 } };
    assert_int_equal(peaks_suppress(p, 5, 2.5, 3), 3);
    assert_near(p[0].score, 9, 0);
    assert_near(p[1].at.x, 4, 0); // the one that would have suppressed it is gone itself
    assert_near(p[2].at.y, 9, 0);
    assert_int_equal(peaks_suppress(p, 3, 4, 9), 3); // just as far as that is far enough
    assert_int_equal(peaks_suppress(p, 0, 4, 9), 0);
}

static int larger_first(const void *a, const void *b)
{
    return *(const int *)b - *(const int *)a;
}

static bool same_ten(const void *better, const void *other, const void *context)
{
    const int *tens = context;
    return *(const int *)better / *tens == *(const int *)other / *tens;
}

// Whatever has a score and can lie beside another.
static void of_each_kind_the_best_is_left(void **state)
{
    (void)state;
    const int tens = 10;
    const struct suppression by = { larger_first, same_ten, &tens };
    int number[] = { 31, 47, 12, 39, 18, 40, 5 };
    assert_int_equal(peaks_suppress_by(number, sizeof *number, 7, 9, &by), 4);
    const int left[] = { 47, 39, 18, 5 };
    assert_memory_equal(number, left, sizeof left);
    assert_int_equal(peaks_suppress_by(number, sizeof *number, 4, 2, &by), 2);
    assert_int_equal(peaks_suppress_by(number, sizeof *number, 0, 2, &by), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peaks_are_single_cells_and_plateaus_count_once),
        cmocka_unit_test(weaker_peaks_nearby_are_suppressed),
        cmocka_unit_test(of_each_kind_the_best_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
