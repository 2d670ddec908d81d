// SPDX-License-Identifier: MIT
// The solver on problems whose answer is known: decays, a plane turned in space, planes that share a slope.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/least_squares.h"
#include "tests/calibration/held.h"
#include "tests/near.h"

enum { SAMPLES = 120, DRAWS = 200 };

// size * exp(-rate * t), both unknown.
struct decay {
    double size, rate;
};

struct seen {
    double t[SAMPLES], is[SAMPLES];
    double most_rate; // what `possible` allows
};

static void decay_residuals(struct residual_sink *to, const void *state, void *context)
{
    const struct decay *d = state;
    const struct seen *seen = context;
    for (int i = 0; i < SAMPLES; i++) {
        double part = exp(-d->rate * seen->t[i]), r = d->size * part - seen->is[i];
        const double J[2] = { part, -seen->t[i] * d->size * part };
        residual_add(to, &r, J, NULL, 2);
    }
}

static void decay_retract(void *state, const double *step, const void *context)
{
    struct decay *d = state;
    (void)context;
    d->size += step[0];
    d->rate += step[1];
}

static bool decay_possible(const void *next, const void *now, const void *context)
{
    (void)now;
    return ((const struct decay *)next)->rate <= ((const struct seen *)context)->most_rate;
}

static double decay_number(const void *state, int parameter, const void *context)
{
    const struct decay *d = state;
    (void)context;
    return parameter == 0 ? d->size : d->rate;
}

static void see(struct seen *out, const struct decay *d, double noise, uint32_t *seed)
{
    for (int i = 0; i < SAMPLES; i++) {
        out->t[i] = 3.0 * i / SAMPLES;
        out->is[i] = d->size * exp(-d->rate * out->t[i]) + noise * held_noise(seed);
    }
}

static struct least_squares decay_fit(struct decay *start, struct seen *seen, double *covariance)
{
    return (struct least_squares){ .state = start,
                                   .state_size = sizeof *start,
                                   .context = seen,
                                   .parameters = 2,
                                   .groups = SAMPLES,
                                   .group_size = 1,
                                   .residuals = decay_residuals,
                                   .retract = decay_retract,
                                   .least_sigma = 1e-6,
                                   .per_independent = 1,
                                   .settled = 1e-9,
                                   .most_steps = 50,
                                   .covariance = covariance };
}

static const struct decay truth = { 5, 0.8 };

static void finds_what_was_there_with_slopes_or_without(void **state)
{
    static const double by[2] = { 1e-6, 1e-6 };
    struct least_squares_result result;
    struct seen seen;
    uint32_t seed = 1;
    (void)state;
    see(&seen, &truth, 0, &seed);
    for (int k = 0; k < 2; k++) {
        struct decay d = { 1, 0 };
        struct least_squares fit = decay_fit(&d, &seen, NULL);
        fit.difference = k ? by : NULL;
        assert_int_equal(least_squares_solve(&result, &fit, NULL), 0);
        assert_near(d.size, truth.size, 1e-7);
        assert_near(d.rate, truth.rate, 1e-7);
        assert_true(result.determined && result.used == SAMPLES);
    }
}

// 200 draws leave the mean square 0.1 open (chi square of 400).
static void errors_are_as_said(void **state)
{
    double squares = 0, sigma = 0, cov[4], wide[4];
    struct least_squares_result result;
    struct seen seen;
    uint32_t seed = 7;
    (void)state;
    for (int i = 0; i < DRAWS; i++) {
        struct decay d = { 4, 1 };
        see(&seen, &truth, 0.05, &seed);
        struct least_squares fit = decay_fit(&d, &seen, cov);
        assert_int_equal(least_squares_solve(&result, &fit, NULL), 0);
        squares += pow(d.size - truth.size, 2) / cov[0] + pow(d.rate - truth.rate, 2) / cov[3];
        sigma += result.sigma / DRAWS;
        assert_near(cov[1], cov[2], 1e-12);
    }
    assert_near(squares / (2 * DRAWS), 1, 0.3);
    assert_near(sigma, 0.05, 0.003);
    struct decay d = { 4, 1 };
    struct least_squares fit = decay_fit(&d, &seen, wide);
    fit.per_independent = 4;
    assert_int_equal(least_squares_solve(&result, &fit, NULL), 0);
    assert_near(wide[3] / cov[3], 4, 1e-3);
}

static void outliers_stop_counting(void **state)
{
    struct least_squares_result result;
    struct seen seen;
    uint32_t seed = 3;
    double off[2];
    (void)state;
    see(&seen, &truth, 0.02, &seed);
    for (int i = 0; i < SAMPLES; i += 5)
        seen.is[i] += 3;
    for (int k = LOSS_SQUARES; k <= LOSS_TUKEY; k++) {
        struct decay d = { 4, 1 };
        struct least_squares fit = decay_fit(&d, &seen, NULL);
        fit.loss = (enum loss)k;
        assert_int_equal(least_squares_solve(&result, &fit, NULL), 0);
        off[k] = fabs(d.size - truth.size);
    }
    assert_true(off[LOSS_SQUARES] > 0.3 && off[LOSS_TUKEY] < 0.02);
    assert_int_equal(result.used, SAMPLES - SAMPLES / 5);
}

// At t = 0 nothing tells the rate.
static void what_residuals_leave_open_a_prior_holds(void **state)
{
    static const struct fit_prior prior[2] = { { 0, 0 }, { 0.5, 0.1 } };
    struct least_squares_result result;
    double cov[4];
    struct seen seen = { .t = { 0 } };
    struct decay d = { 4, 1 };
    struct least_squares fit = decay_fit(&d, &seen, cov);
    (void)state;
    for (int i = 0; i < SAMPLES; i++)
        seen.is[i] = 5;
    assert_int_equal(least_squares_solve(&result, &fit, NULL), 0);
    assert_false(result.determined);
    assert_near(d.rate, 1, 0);
    assert_near(d.size, 5, 1e-6);
    assert_true(cov[0] < 1e-9 && cov[3] > 1e20);
    fit.prior = prior;
    fit.number = decay_number;
    assert_int_equal(least_squares_solve(&result, &fit, NULL), 0);
    assert_near(d.size, 5, 1e-6);
    assert_near(d.rate, 0.5, 1e-6);
    assert_near(sqrt(cov[3]), 0.1, 1e-9);
}

// Slopes beyond what numbers hold say nothing, which is not that all is known.
static void what_cannot_be_told_is_wide_open(void **state)
{
    double cov[4];
    struct least_squares_result result;
    struct seen seen;
    uint32_t seed = 3;
    (void)state;
    see(&seen, &truth, 0, &seed);
    struct decay d = { 1e200, 0.8 };
    struct least_squares fit = decay_fit(&d, &seen, cov);
    fit.sigma = 1;
    fit.most_steps = 0;
    assert_int_equal(least_squares_solve(&result, &fit, NULL), 0);
    assert_true(!result.determined && isinf(cov[0]) && isinf(cov[3]));
}

static void impossible_steps_are_refused(void **state)
{
    struct least_squares_result result;
    uint32_t seed = 1;
    struct seen seen = { .most_rate = 0.6 };
    struct decay d = { 4, 0.2 };
    struct least_squares fit = decay_fit(&d, &seen, NULL);
    (void)state;
    see(&seen, &truth, 0, &seed);
    fit.possible = decay_possible;
    assert_int_equal(least_squares_solve(&result, &fit, NULL), 0);
    assert_true(d.rate <= 0.6 && d.rate > 0.5);
}

// A rotation, moved by turns about three axes: points in space and where they were seen after it, from far above.
struct turned {
    double at[SAMPLES][3], seen[SAMPLES][2];
};

static void turn_residuals(struct residual_sink *to, const void *state, void *context)
{
    const double(*R)[3] = (const double(*)[3])state;
    const struct turned *p = context;
    for (int i = 0; i < SAMPLES; i++) {
        double x[3];
        for (int k = 0; k < 3; k++)
            x[k] = vec3_dot(R[k], p->at[i]);
        const double r[2] = { x[0] - p->seen[i][0], x[1] - p->seen[i][1] };
        const double J[6] = { 0, x[2], -x[1], -x[2], 0, x[0] };
        if (i % 7 == 0)
            residual_lost(to);
        else
            residual_add(to, r, J, NULL, 3);
    }
}

static void turn_retract(void *state, const double *step, const void *context)
{
    (void)context;
    double turn[3][3], R[3][3];
    rotation_from_axis(turn, step);
    mat3_multiply(R, (const double(*)[3])turn, state);
    memcpy(state, R, sizeof R);
}

static void a_rotation_is_found_though_groups_are_lost(void **state)
{
    static struct turned p;
    double R[3][3], start[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    uint32_t seed = 9;
    (void)state;
    rotation_from_axis(R, (const double[3]){ 0.9, -0.7, 0.4 });
    for (int i = 0; i < SAMPLES; i++)
        for (int k = 0; k < 3; k++)
            p.at[i][k] = held_noise(&seed);
    for (int i = 0; i < SAMPLES; i++)
        for (int k = 0; k < 2; k++)
            p.seen[i][k] = vec3_dot(R[k], p.at[i]);
    struct least_squares fit = { .state = start,
                                 .state_size = sizeof start,
                                 .context = &p,
                                 .parameters = 3,
                                 .groups = SAMPLES,
                                 .group_size = 2,
                                 .residuals = turn_residuals,
                                 .retract = turn_retract,
                                 .loss = LOSS_TUKEY,
                                 .least_sigma = 1e-3,
                                 .per_independent = 1,
                                 .settled = 1e-9,
                                 .most_steps = 50 };
    struct least_squares_result result;
    assert_int_equal(least_squares_solve(&result, &fit, NULL), 0);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            assert_near(start[i][k], R[i][k], 1e-9);
    assert_int_equal(result.used, SAMPLES - (SAMPLES + 6) / 7);
}

// Lines of one slope, each with a height of its own: the heights come first, each is joined to the slope alone.
enum { LINES = 12 };

static void line_residuals(struct residual_sink *to, const void *state, void *context)
{
    const double *x = state, *is = context;
    for (int i = 0; i < SAMPLES; i++) {
        const double t = i / LINES, J[2] = { 1, t }, r = x[i % LINES] + t * x[LINES] - is[i];
        const int column[2] = { i % LINES, LINES };
        residual_add(to, &r, J, column, 2);
    }
}

static void line_retract(void *state, const double *step, const void *context)
{
    (void)context;
    for (int k = 0; k <= LINES; k++)
        ((double *)state)[k] += step[k];
}

static void many_numbers_that_few_residuals_share(void **state)
{
    double x[LINES + 1] = { 0 }, is[SAMPLES], cov[(LINES + 1) * (LINES + 1)];
    struct least_squares_result result;
    (void)state;
    for (int i = 0; i < SAMPLES; i++)
        is[i] = i % LINES + 0.25 * (i / LINES);
    struct least_squares fit = { .state = x,
                                 .state_size = sizeof x,
                                 .context = is,
                                 .parameters = LINES + 1,
                                 .groups = SAMPLES,
                                 .group_size = 1,
                                 .residuals = line_residuals,
                                 .retract = line_retract,
                                 .sigma = 0.1,
                                 .per_independent = 1,
                                 .settled = 1e-9,
                                 .most_steps = 20,
                                 .covariance = cov };
    assert_int_equal(least_squares_solve(&result, &fit, NULL), 0);
    for (int k = 0; k < LINES; k++)
        assert_near(x[k], k, 1e-6);
    assert_near(x[LINES], 0.25, 1e-6);
    // 12 lines of 10 points, whose t has the variance 8.25
    assert_near(cov[LINES * (LINES + 1) + LINES], 0.01 / (SAMPLES * 8.25), 1e-9);
}

static void a_robust_centre_minds_no_outlier(void **state)
{
    (void)state;
    double sigma, value[] = { 5, 1e6, 3, 4, 6 };
    assert_near(robust_centre(&sigma, value, 5, 0), 5, 0);
    assert_near(sigma, MAD_TO_SIGMA * 1, 1e-12); // the distances are 0, 1, 1, 2 and very many
    double same[] = { 7, 7 };
    assert_near(robust_centre(&sigma, same, 2, 0.5), 7, 0);
    assert_near(sigma, 0.5, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_was_there_with_slopes_or_without),
        cmocka_unit_test(errors_are_as_said),
        cmocka_unit_test(outliers_stop_counting),
        cmocka_unit_test(what_residuals_leave_open_a_prior_holds),
        cmocka_unit_test(what_cannot_be_told_is_wide_open),
        cmocka_unit_test(impossible_steps_are_refused),
        cmocka_unit_test(a_rotation_is_found_though_groups_are_lost),
        cmocka_unit_test(many_numbers_that_few_residuals_share),
        cmocka_unit_test(a_robust_centre_minds_no_outlier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
