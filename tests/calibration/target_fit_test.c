// SPDX-License-Identifier: MIT
// The focal length from the target on the floor beside a ring: within its sigma, far better than what is usual.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "calibration/target_fit.h"
#include "tests/calibration/held.h"
#include "tests/calibration/view.h"

enum { WIDTH = 1920, HEIGHT = 1080, COLUMNS = 6, ROWS = 8 };
static const double RADIUS_IN = 42;

static void see_target(struct chessboard *out, const struct camera *c, struct pt_in middle, double turn, double size,
                       double noise_px, uint32_t *seed)
{
    *out = (struct chessboard){ .columns = COLUMNS, .rows = ROWS };
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        struct pt_in at = chessboard_place(out, i);
        const struct pt3_in place = { middle.x + size * (cos(turn) * at.x - sin(turn) * at.y),
                                      middle.y + size * (sin(turn) * at.x + cos(turn) * at.y), 0 };
        assert_true(camera_project(&out->corner[i], c, place));
        out->corner[i].u += noise_px * held_noise(seed);
        out->corner[i].v += noise_px * held_noise(seed);
    }
}

static struct target_fit fit_of(const struct camera *c, double circle_sigma_px)
{
    return (struct target_fit){ .camera = *c,
                                .radius_in = RADIUS_IN,
                                .circle_sigma_px = circle_sigma_px,
                                .square_in = 1,
                                .lens = { { log(0.8 * WIDTH), 0.2 },
                                          { -0.03, 0.06 },
                                          { 0, 0.03 },
                                          { (WIDTH - 1) / 2.0, 0.01 * WIDTH },
                                          { (HEIGHT - 1) / 2.0, 0.01 * WIDTH } } };
}

static const struct {
    double tilt_rad;
    struct pt_in at;
    double most_sigma; // of the focal length: better than the 20 % that are believed before
} lying[] = {
    { 0.3, { 20, 20 }, 0.07 },
    { 0.6, { -30, 5 }, 0.03 },
    { 0.8, { 5, -30 }, 0.03 },
};

// The noise of the corners is all there is, so errors stay under what is said with a circle of 0.3 px.
static void the_focal_length_is_told_within_its_sigma(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (size_t i = 0; i < 8 * countof(lying); i++) {
        const struct pt_in at = lying[i / 8].at;
        const struct camera c = view_of_board(WIDTH, HEIGHT, 0.7 * WIDTH, -0.03, lying[i / 8].tilt_rad, 0.3, 140);
        struct target_fit fit = fit_of(&c, 0.3);
        struct chessboard b;
        struct fail why = { .text = "" };
        see_target(&b, &c, at, 0.8 * (double)i, 1.005, 0.1, &seed);
        if (target_fit_solve(&fit, &b, &why) < 0)
            fail_msg("%s", why.text);
        double error = fabs(fit.camera.lens.f_px - c.lens.f_px);
        if (error > 2.5 * fit.f_sigma_px || fit.f_sigma_px > lying[i / 8].most_sigma * c.lens.f_px)
            fail_msg("view %zu: f %.1f px off, 1 sigma %.1f", i, error, fit.f_sigma_px);
        assert_true(fabs(fit.printed - 1.005) < 0.01);
        assert_true(fit.camera.lens.f_sigma_px == fit.f_sigma_px);
    }
}

static void from_straight_above_it_stays_open(void **state)
{
    (void)state;
    uint32_t seed = 1;
    const struct camera c = view_of_board(WIDTH, HEIGHT, 0.7 * WIDTH, 0, 0, 0.3, 140);
    struct target_fit fit = fit_of(&c, 0.3);
    struct chessboard b;
    see_target(&b, &c, (struct pt_in){ 20, 20 }, 0.4, 1, 0.1, &seed);
    assert_int_equal(target_fit_solve(&fit, &b, NULL), 0);
    assert_true(fit.f_sigma_px > 0.15 * c.lens.f_px);
}

static void what_is_not_the_target_is_refused(void **state)
{
    (void)state;
    uint32_t seed = 1;
    struct fail why = { .text = "" };
    const struct camera c = view_of_board(WIDTH, HEIGHT, 0.7 * WIDTH, 0, 0.6, 0.3, 140);
    struct target_fit fit = fit_of(&c, 0.3);
    struct chessboard b;
    see_target(&b, &c, (struct pt_in){ 20, 20 }, 0.4, 1.25, 0.1, &seed); // another chessboard
    assert_int_equal(target_fit_solve(&fit, &b, &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "print it at 100 %"));
    see_target(&b, &c, (struct pt_in){ 20, 20 }, 0.4, 1, 0.1, &seed);
    for (int i = 0; i < COLUMNS * ROWS; i++) // rolled up at one side
        b.corner[i].v += 0.004 * pow(b.corner[i].u - b.corner[0].u, 2);
    fit = fit_of(&c, 0.3);
    assert_int_equal(target_fit_solve(&fit, &b, &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "flat"));
    assert_true(fit.f_sigma_px == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_focal_length_is_told_within_its_sigma),
        cmocka_unit_test(from_straight_above_it_stays_open),
        cmocka_unit_test(what_is_not_the_target_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
