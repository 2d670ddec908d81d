// SPDX-License-Identifier: MIT
// The lens from views of a chessboard: recovered within its own covariance, open where the views leave it open.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "calibration/lens_fit.h"
#include "tests/calibration/held.h"
#include "tests/near.h"

enum { WIDTH = 1280, HEIGHT = 720, COLUMNS = 6, ROWS = 8, VIEWS = countof(held_well), RUNS = 20 };

static struct chessboard views[VIEWS];
static struct lens_fit fit;

static void see_all(const struct lens *l, double noise_px, double bulge, uint32_t seed)
{
    for (int i = 0; i < VIEWS; i++) {
        const struct camera c = held_camera(l, &held_well[i]);
        held_see(&views[i], &c, COLUMNS, ROWS, noise_px, bulge * (i % 3 - 1), &seed);
    }
}

static void solve(int n)
{
    struct fail why = { .text = "" };
    if (lens_fit_solve(&fit, views, n, WIDTH, HEIGHT, &why) < 0)
        fail_msg("%s", why.text);
}

static const struct {
    double f, k1, k2; // f of the picture's width
} lenses[] = {
    { 0.55, -0.28, 0.07 }, { 0.8, -0.1, 0.02 }, { 0.8, 0, 0 }, { 1.2, 0.05, -0.05 }, { 3, -0.2, 0 },
};

static double number_of(const struct lens *l, enum fit_lens which)
{
    const double value[FIT_LENS_NUMBERS] = { log(l->f_px), l->k1, l->k2, l->centre.u, l->centre.v };
    return value[which];
}

static void perfect_corners_give_the_lens(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(lenses); i++) {
        const struct lens l = held_lens(WIDTH, HEIGHT, lenses[i].f * WIDTH, lenses[i].k1, lenses[i].k2);
        see_all(&l, 0, 0, 1);
        solve(VIEWS);
        for (int k = 0; k < FIT_LENS_NUMBERS; k++) // 1e-4: the priors' pull against the floor of the noise
            assert_near(number_of(&fit.lens, (enum fit_lens)k), number_of(&l, (enum fit_lens)k), 1e-4);
    }
}

// What a board moving before a shutter that rolls looks like: each view sheared in its own way, which no corner in it
// tells.
static void shear_all(double most, uint32_t *seed)
{
    for (int v = 0; v < VIEWS; v++) {
        double shear = most * held_noise(seed);
        for (int i = 0; i < COLUMNS * ROWS; i++)
            views[v].corner[i].u += shear * (views[v].corner[i].v - HEIGHT / 2.0);
    }
}

// Adds up (error / sigma)^2 over draws of the noise: 1 in the mean where sigma is honest.
static void errors_in_sigmas(double out[FIT_LENS_NUMBERS], double noise_px, double bulge, double shear)
{
    for (int run = 0; run < RUNS; run++) {
        const size_t kind = (size_t)run % countof(lenses);
        const struct lens l = held_lens(WIDTH, HEIGHT, lenses[kind].f * WIDTH, lenses[kind].k1, lenses[kind].k2);
        uint32_t seed = 17 + (uint32_t)run;
        see_all(&l, noise_px, run % 2 ? bulge : -bulge, seed);
        shear_all(shear, &seed);
        solve(VIEWS);
        for (int k = 0; k < FIT_LENS_NUMBERS; k++) {
            double error = number_of(&fit.lens, (enum fit_lens)k) - number_of(&l, (enum fit_lens)k);
            out[k] += pow(error / lens_fit_sigma(&fit, (enum fit_lens)k), 2) / RUNS;
        }
    }
}

static void errors_are_as_large_as_said(void **state)
{
    double in_sigmas[FIT_LENS_NUMBERS] = { 0 };
    (void)state;
    errors_in_sigmas(in_sigmas, 0.08, 0, 0);
    for (int k = 0; k < FIT_LENS_NUMBERS;
         k++) // 1 +- 0.32 where the noise is all there is; chance leaves that once in a thousand
        assert_near(in_sigmas[k], 1, 0.95);
}

// Whole views are wrong by more than their corners' scatter says, the principal point most of all.
static void must_not_boast(double bulge, double shear)
{
    double in_sigmas[FIT_LENS_NUMBERS] = { 0 };
    errors_in_sigmas(in_sigmas, 0.08, bulge, shear);
    assert_true(in_sigmas[FIT_LOG_F] < 2 && in_sigmas[FIT_K1] < 2 && in_sigmas[FIT_K2] < 2);
    assert_true(in_sigmas[FIT_CENTRE_U] < 6 && in_sigmas[FIT_CENTRE_V] < 6);
}

static void bent_sheets_do_not_make_it_boast(void **state)
{
    (void)state;
    must_not_boast(0.02, 0); // squares: a sheet of 8 in that is bent by 0.02 in
}

static void views_that_disagree_do_not_make_it_boast(void **state)
{
    (void)state;
    must_not_boast(0, 0.002);
    assert_true(fit.variance_inflation > 2); // without it the focal length would be twice as wrong as said
}

static void straight_views_leave_the_focal_length_open(void **state)
{
    (void)state;
    uint32_t seed = 5;
    const struct lens l = held_lens(WIDTH, HEIGHT, 1400, 0, 0);
    for (int i = 0; i < VIEWS; i++) {
        struct held h = held_well[i];
        h.tilt_rad = 0;
        const struct camera c = held_camera(&l, &h);
        held_see(&views[i], &c, COLUMNS, ROWS, 0.08, 0, &seed);
    }
    solve(VIEWS);
    double sigma = lens_fit_sigma(&fit, FIT_LOG_F);
    assert_true(sigma > 0.03);
    assert_near(log(fit.lens.f_px), log(l.f_px), 3 * sigma);
}

// A thumb over a corner, a glare: a few corners of each view are several pixels off.
static void wrong_corners_do_not_count(void **state)
{
    (void)state;
    const struct lens l = held_lens(WIDTH, HEIGHT, 1000, -0.1, 0.02);
    see_all(&l, 0.05, 0, 3);
    for (int i = 0; i < VIEWS; i++)
        for (int k = 0; k < 3; k++)
            views[i].corner[7 * k + i].u += 4;
    solve(VIEWS);
    assert_near(fit.lens.f_px, l.f_px, 4 * l.f_px * lens_fit_sigma(&fit, FIT_LOG_F));
    assert_near(fit.rms_px, 0.05, 0.01);
    assert_int_equal(fit.corners - fit.used, 3 * VIEWS);
}

// Something else was taken for the chessboard: as a whole that view is none of a flat grid.
static void a_wrong_view_does_not_count(void **state)
{
    (void)state;
    uint32_t seed = 4;
    const struct lens l = held_lens(WIDTH, HEIGHT, 0.55 * WIDTH, -0.28, 0.07);
    see_all(&l, 0.05, 0, 3);
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        views[2].corner[i].u += 20 * held_noise(&seed);
        views[2].corner[i].v += 20 * held_noise(&seed);
    }
    solve(VIEWS);
    assert_near(fit.lens.f_px, l.f_px, 4 * l.f_px * lens_fit_sigma(&fit, FIT_LOG_F));
    assert_near(fit.rms_px, 0.05, 0.01);
}

static void what_is_no_set_of_views_is_refused(void **state)
{
    struct fail why = { .text = "" };
    const struct lens l = held_lens(WIDTH, HEIGHT, 1000, 0, 0);
    (void)state;
    see_all(&l, 0, 0, 1);
    assert_int_equal(lens_fit_solve(&fit, views, 2, WIDTH, HEIGHT, &why), RS_EINPUT);
    for (int i = 0; i < COLUMNS * ROWS; i++)
        views[1].corner[i] = (struct pt_px){ 100 + i, 200 };
    assert_int_equal(lens_fit_solve(&fit, views, VIEWS, WIDTH, HEIGHT, &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "on one line"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(perfect_corners_give_the_lens),
        cmocka_unit_test(errors_are_as_large_as_said),
        cmocka_unit_test(bent_sheets_do_not_make_it_boast),
        cmocka_unit_test(views_that_disagree_do_not_make_it_boast),
        cmocka_unit_test(straight_views_leave_the_focal_length_open),
        cmocka_unit_test(wrong_corners_do_not_count),
        cmocka_unit_test(a_wrong_view_does_not_count),
        cmocka_unit_test(what_is_no_set_of_views_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
