// SPDX-License-Identifier: MIT
// Circles on the board: what they hold, and where a line leads through them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "tests/near.h"
#include "vision/pieces/roi.h"

static struct roi two(void)
{
    struct roi p = { .count = 0 };
    roi_add(&p, (struct pt_in){ 1, 2 }, 5);
    roi_add(&p, (struct pt_in){ -20, 0 }, 1);
    return p;
}

static void what_lies_in_a_circle_is_held(void **state)
{
    (void)state;
    struct roi p = two();
    assert_true(roi_holds(&p, (struct pt_in){ 4, 5.9 }));
    assert_true(roi_holds(&p, (struct pt_in){ -20.9, 0 }));
    assert_false(roi_holds(&p, (struct pt_in){ -10, 0 }));
    assert_false(roi_holds(&p, (struct pt_in){ 4, 6.1 }));
}

static void a_line_leads_from_the_first_to_the_last(void **state)
{
    (void)state;
    struct roi p = two();
    double from, to;
    assert_true(roi_span(&from, &to, &p, 5, 0));
    assert_near(from, -3, 1e-9);
    assert_near(to, 5, 1e-9);
    assert_true(roi_span(&from, &to, &p, 0, 0));
    assert_near(from, -21, 1e-9);
    assert_true(roi_span(&from, &to, &p, 7.5, 1.5));
    assert_false(roi_span(&from, &to, &p, 7.5, 0));
    roi_add(&p, (struct pt_in){ 0, 0 }, INFINITY);
    assert_true(roi_span(&from, &to, &p, 100, 0));
    assert_true(isinf(from) && isinf(to) && from < to);
}

// Whoever asks has to look everywhere then.
static void more_than_fit_are_told(void **state)
{
    (void)state;
    struct roi p = { .count = 0 };
    for (int i = 0; i < ROI_CIRCLES_MAX; i++)
        roi_add(&p, (struct pt_in){ i, 0 }, 0.1);
    assert_false(p.full);
    roi_add(&p, (struct pt_in){ -1, 0 }, 0.1);
    assert_true(p.full);
    assert_int_equal(p.count, ROI_CIRCLES_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_lies_in_a_circle_is_held),
        cmocka_unit_test(a_line_leads_from_the_first_to_the_last),
        cmocka_unit_test(more_than_fit_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
