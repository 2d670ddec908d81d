// SPDX-License-Identifier: MIT
// How a place is read, whole or behind something, once a fit is known.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/near.h"
#include "vision/pieces/disc_hypotheses.h"

// A black disc from the side, with glare on its face, and a fit that a larger solid fits nearly as well.
static struct disc_hypothesis glossy_disc(void)
{
    static const double whole[DISC_MEASURES] = { 0.3, 0.41, 1.4, 3.0, 2.8, 0, 1, 0, 0, 0 },
                        behind[DISC_MEASURES] = { 1.2, 0.41, 1.4, 3.0, 2.8, 0, 1, 0, 0, 0.35 };
    struct disc_hypothesis h = { .fitted = true, .two_readings = true };
    for (int i = 0; i < DISC_MEASURES; i++) {
        h.seen.measure[i] = behind[i];
        h.other.measure[i] = whole[i];
    }
    h.fit.explained = 0.95;
    h.fit.larger = -0.02;
    h.fit.support = 1;
    h.fit.uneven = 0.4;
    return h;
}

static void the_reading_that_is_likelier_with_the_fit_stays(void **state)
{
    (void)state;
    const struct evidence_tuning *t = &tuning_defaults.evidence;
    struct disc_hypothesis h = glossy_disc();
    assert_true(disc_hypothesis_at_best(h.seen.measure, t) > disc_hypothesis_at_best(h.other.measure, t));
    disc_hypothesis_score(&h, t);
    assert_near(h.seen.measure[COVERED], 0, 0);
    assert_near(h.seen.measure[FIT_EXPLAINED], 0.95, 1e-9);
    assert_true(h.probability > 0.5);
    h = glossy_disc();
    h.two_readings = false;
    disc_hypothesis_score(&h, t);
    assert_near(h.seen.measure[COVERED], 0.35, 0);
    assert_true(h.probability < 0.5);
}

static void what_is_behind_something_stays_so_where_a_fit_bears_it_out(void **state)
{
    (void)state;
    struct disc_hypothesis h = glossy_disc();
    h.seen.measure[COVERED] = 0.05;
    h.seen.measure[LOG_CONTRAST_OVER_SPILL] = 2;
    h.other.measure[STEP_LOW] = 0;
    disc_hypothesis_score(&h, &tuning_defaults.evidence);
    assert_near(h.seen.measure[COVERED], 0.05, 0);
    assert_true(h.probability > 0.5);
}

// A peg and an arm's shadow before it: little of what is seen is explained, and nothing at all by a larger solid.
static void what_loses_more_than_a_piece_does_is_no_likelier(void **state)
{
    (void)state;
    const struct evidence_tuning *t = &tuning_defaults.evidence;
    double probability[2];
    for (int i = 0; i < 2; i++) {
        struct disc_hypothesis h = glossy_disc();
        h.seen.measure[COVERED] = 0.28;
        h.two_readings = false;
        h.fit.explained = 0.47;
        h.fit.larger = i ? -0.47 : -t->larger_lacks_most;
        disc_hypothesis_score(&h, t);
        probability[i] = h.probability;
    }
    assert_near(probability[1], probability[0], 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_loses_more_than_a_piece_does_is_no_likelier),
        cmocka_unit_test(the_reading_that_is_likelier_with_the_fit_stays),
        cmocka_unit_test(what_is_behind_something_stays_so_where_a_fit_bears_it_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
