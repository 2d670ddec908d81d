// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <math.h>

#include "calibration/observation.h"
#include "tests/near.h"
#include "vision/source/timestamps.h"

static struct timestamps clock_of(double interval_s, bool keeps_time)
{
    struct timestamps s;
    timestamps_begin(&s, interval_s, keeps_time);
    return s;
}

// n pictures from k on, at a constant rate; the last one.
static struct timestamp run(struct timestamps *s, int k, int n, double interval_s)
{
    struct timestamp last = { 0 };
    for (int i = 0; i < n; i++) {
        last = timestamps_take(s, 5 + (k + i) * interval_s);
        if (last.lost_s > 0 || last.faulty)
            fail_msg("picture %d: %g s lost%s", k + i, last.lost_s, last.faulty ? ", faulty" : "");
    }
    return last;
}

static void what_kept_time_and_lacks_a_picture_lost_it(void **state)
{
    (void)state;
    for (int told = 0; told < 2; told++) { // the container may say the rate, or it shows
        struct timestamps s = clock_of(told ? 0.04 : 0, told);
        run(&s, 0, 40, 0.04);
        struct timestamp at = timestamps_take(&s, 5 + 42 * 0.04);
        assert_int_equal(at.missing, 2);
        assert_near(at.lost_s, 3 * 0.04, 1e-9);
        assert_near(at.t_s, 42 * 0.04, 1e-9);
    }
}

static void of_a_variable_rate_only_a_gap_is_a_loss(void **state)
{
    (void)state;
    struct timestamps s = clock_of(0.04, false);
    double t_s = 0;
    for (int i = 0; i < 300; i++) { // one in three is left out, as a camera does in the dark
        t_s += i % 2 ? 0.04 : 0.08;
        struct timestamp at = timestamps_take(&s, t_s);
        assert_true(at.lost_s <= 0 && !at.faulty && at.missing == 0);
    }
    struct timestamp at = timestamps_take(&s, t_s + 0.31);
    assert_near(at.lost_s, 0.31, 1e-9);
}

static void pictures_that_share_a_time_or_swap_it_are_faulty(void **state)
{
    (void)state;
    struct timestamps s = clock_of(0.04, true);
    double last_s = run(&s, 0, 10, 0.04).t_s;
    for (int i = 0; i < 3; i++) {
        struct timestamp at = timestamps_take(&s, 5 + (9 - i) * 0.04);
        assert_true(at.faulty && at.t_s <= last_s);
    }
    assert_false(timestamps_take(&s, 5 + 10 * 0.04).faulty);
    assert_true(timestamps_take(&s, 5 + 10.1 * 0.04).faulty); // squeezed together
}

// How long it was nobody knows: as long as hides what may have been done.
static void a_clock_set_back_goes_on_with_a_loss(void **state)
{
    (void)state;
    for (int stands = 0; stands < 2; stands++) {
        struct timestamps s = clock_of(0.04, true);
        struct timestamp at = run(&s, 0, 10, 0.04);
        double last_s = at.t_s;
        int faulty = 0;
        for (int i = 0; i < 100 && !(at.lost_s > 0); i++) {
            at = timestamps_take(&s, stands ? 5 + 9 * 0.04 : 1 + i * 0.04);
            faulty += at.faulty;
        }
        assert_true(at.lost_s > DAMAGE_HIDES_S);
        assert_true(at.t_s > last_s && at.t_s < last_s + 0.05);
        assert_in_range(faulty, 1, 20);
    }
}

static void a_picture_without_a_stamp_comes_an_interval_later(void **state)
{
    (void)state;
    struct timestamps s = clock_of(0.04, true);
    assert_near(timestamps_take(&s, NAN).t_s, 0, 1e-12);
    assert_near(timestamps_take(&s, NAN).t_s, 0.04, 1e-12);
    assert_near(timestamps_take(&s, NAN).t_s, 0.08, 1e-12);
}

static void what_is_missing_can_be_added_up_however_late_the_stamp(void **state)
{
    (void)state;
    struct timestamps s = clock_of(0.04, true);
    for (int i = 0; i < 100; i++)
        timestamps_take(&s, 0.04 * i);
    struct timestamp at = timestamps_take(&s, 1e300);
    assert_in_range(at.missing, 1, LONG_MAX / 1000000);
    assert_true(at.lost_s > DAMAGE_HIDES_S);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_kept_time_and_lacks_a_picture_lost_it),
        cmocka_unit_test(of_a_variable_rate_only_a_gap_is_a_loss),
        cmocka_unit_test(pictures_that_share_a_time_or_swap_it_are_faulty),
        cmocka_unit_test(a_clock_set_back_goes_on_with_a_loss),
        cmocka_unit_test(a_picture_without_a_stamp_comes_an_interval_later),
        cmocka_unit_test(what_is_missing_can_be_added_up_however_late_the_stamp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
