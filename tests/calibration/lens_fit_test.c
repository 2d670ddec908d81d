// SPDX-License-Identifier: MIT
// The lens from views of a chessboard: recovered within its own covariance, open where the views leave it open.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "calibration/lens_fit.h"
#include "tests/calibration/held.h"
#include "tests/near.h"

enum { WIDTH = 1280, HEIGHT = 720, COLUMNS = 6, ROWS = 8, VIEWS = countof(held_well), RUNS = 60 };

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

static void perfect_corners_give_the_lens(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(lenses); i++) {
        const struct lens l = held_lens(WIDTH, HEIGHT, lenses[i].f * WIDTH, lenses[i].k1, lenses[i].k2);
        see_all(&l, 0, 0, 1);
        solve(VIEWS);
        print_message("f %.0f -> %.3f k1 %.5f k2 %.5f centre %.2f %.2f rms %g\n", l.f_px, fit.lens.f_px, fit.lens.k1,
                      fit.lens.k2, fit.lens.centre.u, fit.lens.centre.v, fit.rms_px);
        assert_near(fit.lens.f_px, l.f_px, 1e-3 * l.f_px);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(perfect_corners_give_the_lens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
