// SPDX-License-Identifier: MIT
// The printed target on the floor of a ring: found, and the focal length from it better than from the ring.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/calibration/view.h"
#include "tests/refused_memory.h"
#include "tests/vision/board/floor.h"
#include "vision/board/find.h"
#include "vision/board/target_find.h"

enum { WIDTH = 1280, HEIGHT = 720 };
static const double F_PX = 900;

// The picture, and its ring. The caller frees *out.
static void take(struct frame **out, struct board_pose *pose, const struct floor_with_target *floor, double tilt_rad)
{
    const struct camera c = view_of_board(WIDTH, HEIGHT, F_PX, -0.05, tilt_rad, 0.3, 120);
    const struct shown s = { floor_code, floor, 2 };
    struct fail why = { .text = "" };
    assert_int_equal(frame_create(out, WIDTH, HEIGHT, &why), 0);
    shown_paint(*out, &c, &s);
    assert_int_equal(board_find(pose, *out, board_builtin("ring-7ft"), NULL, &tuning_defaults, &why), 0);
    assert_true(pose->found);
}

static int look(struct target_fit *out, struct board_pose *pose, const struct floor_with_target *floor, double tilt_rad,
                struct fail *why)
{
    struct frame *f;
    take(&f, pose, floor, tilt_rad);
    int rc = target_find(out, f, pose, why);
    frame_free(f);
    return rc;
}

static const struct {
    double tilt_rad;
    struct floor_with_target floor;
} seen[] = {
    { 0.4, { true, { 20, 20 }, 0.4 } },
    { 0.6, { true, { -28, 5 }, 1.2 } },
    { 0.8, { true, { 5, -28 }, -0.5 } },
};

static void the_target_tells_the_focal_length(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(seen); i++) {
        struct target_fit fit;
        struct board_pose pose;
        struct fail why = { .text = "" };
        if (look(&fit, &pose, &seen[i].floor, seen[i].tilt_rad, &why) != 1)
            fail_msg("view %zu: %s", i, why.text);
        double error = fabs(fit.camera.lens.f_px - F_PX);
        if (error > 3 * fit.f_sigma_px || fit.f_sigma_px > 0.75 * pose.f_sigma_px)
            fail_msg("view %zu: f %.1f px off, 1 sigma %.1f, of the ring alone %.1f", i, error, fit.f_sigma_px,
                     pose.f_sigma_px);
    }
}

static void a_floor_without_it_says_so(void **state)
{
    const struct floor_with_target bare = { .has_target = false };
    struct target_fit fit;
    struct board_pose pose;
    struct fail why = { .text = "" };
    (void)state;
    assert_int_equal(look(&fit, &pose, &bare, 0.6, &why), 0);
    assert_non_null(strstr(why.text, "no printed target"));
    assert_true(fit.f_sigma_px == 0);
}

static void memory_that_is_refused_is_no_floor_without_it(void **state)
{
    struct frame *f;
    struct board_pose pose;
    long refused = 0;
    (void)state;
    take(&f, &pose, &seen[0].floor, seen[0].tilt_rad);
    assert_int_equal(frame_luma(f, NULL), 0); // kept from the first look on: each asks for the same
    for (;; refused++) {
        struct target_fit fit;
        struct fail why = { .text = "" };
        before_refusal = refused;
        int rc = target_find(&fit, f, &pose, &why);
        bool all_given = before_refusal >= 0;
        before_refusal = -1;
        if (all_given) {
            assert_int_equal(rc, 1);
            break;
        }
        if (rc != RS_ENOMEM)
            fail_msg("request %ld was refused, and that is told as %d: %s", refused, rc, why.text);
    }
    assert_true(refused > 3); // a smaller copy and its luma, the fit, twice
    frame_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_target_tells_the_focal_length),
        cmocka_unit_test(a_floor_without_it_says_so),
        cmocka_unit_test(memory_that_is_refused_is_no_floor_without_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
