// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "calibration/board.h"
#include "calibration/camera.h"
#include "tests/calibration/view.h"
#include "tests/near.h"

static void straight_above_is_a_scaled_map(void **state)
{
    (void)state;
    struct camera c = view_of_board(1001, 801, 1000, 0, 0, 0, 40);
    struct pt_px p;
    assert_true(camera_project(&p, &c, (struct pt3_in){ 4, 2, 0 }));
    assert_near(p.u, 500 + 100, 1e-9);
    assert_near(p.v, 400 - 50, 1e-9); // y is up on the board, v down in the picture
    assert_near(camera_scale_px_per_in(&c, (struct pt3_in){ 0, 0, 0 }), 25, 1e-9);
}

// A disc's top, 3/8 in up and 12 in off the axis of a camera 40 in above, is seen 0.11 in further out.
static void height_shifts_outwards(void **state)
{
    (void)state;
    struct camera c = view_of_board(1920, 1080, 1500, 0, 0, 0, 40);
    struct pt_px p;
    struct pt_in on_surface, on_top;
    assert_true(camera_project(&p, &c, (struct pt3_in){ 12, 0, 0.375 }));
    assert_true(camera_locate(&on_surface, &c, p, 0));
    assert_near(on_surface.x - 12, 12 * 0.375 / (40 - 0.375), 1e-9);
    assert_true(camera_locate(&on_top, &c, p, 0.375));
    assert_near(on_top.x, 12, 1e-9);
}

static void project_and_locate_undo_each_other(void **state)
{
    (void)state;
    const double tilts_deg[] = { 0, 15, 35, 60 }, ks[] = { 0, -0.12, 0.05 }, heights_in[] = { 0, 0.375, -0.5, 1 };
    for (size_t t = 0; t < countof(tilts_deg); t++)
        for (size_t k = 0; k < countof(ks); k++)
            for (size_t h = 0; h < countof(heights_in); h++)
                for (int x = -12; x <= 12; x += 6)
                    for (int y = -12; y <= 12; y += 6) {
                        struct camera c = view_of_board(1920, 1080, 1400, ks[k], tilts_deg[t] * PI / 180, 0.7, 50);
                        c.lens.p1 = 0.001;
                        c.lens.p2 = -0.0005;
                        struct pt_px p;
                        struct pt_in back;
                        assert_true(camera_project(&p, &c, (struct pt3_in){ x, y, heights_in[h] }));
                        assert_true(camera_locate(&back, &c, p, heights_in[h]));
                        assert_near(back.x, x, 1e-6);
                        assert_near(back.y, y, 1e-6);
                    }
}

static void jacobian_is_the_slope_of_project(void **state)
{
    (void)state;
    struct camera c = view_of_board(1920, 1080, 1400, -0.1, 0.6, 0.3, 45);
    const double h = 1e-5;
    double J[2][2];
    struct pt3_in at = { 7, -4, 0.3 };
    struct pt_px p, px, py;
    assert_true(camera_jacobian(J, &c, at));
    assert_true(camera_project(&p, &c, at));
    assert_true(camera_project(&px, &c, (struct pt3_in){ at.x + h, at.y, at.z }));
    assert_true(camera_project(&py, &c, (struct pt3_in){ at.x, at.y + h, at.z }));
    assert_near(J[0][0], (px.u - p.u) / h, 1e-2);
    assert_near(J[1][0], (px.v - p.v) / h, 1e-2);
    assert_near(J[0][1], (py.u - p.u) / h, 1e-2);
    assert_near(J[1][1], (py.v - p.v) / h, 1e-2);
}

static void tilt_and_position_are_those_of_the_view(void **state)
{
    (void)state;
    struct camera c = view_of_board(1920, 1080, 1400, 0, 0.5, 0, 40);
    struct pt3_in at = camera_position(&c);
    assert_near(camera_tilt_rad(&c), 0.5, 1e-12);
    assert_near(at.z, 40 * cos(0.5), 1e-9);
    assert_near(hypot(at.x, at.y), 40 * sin(0.5), 1e-9);
}

static void what_cannot_be_seen_is_refused(void **state)
{
    (void)state;
    struct camera c = view_of_board(1920, 1080, 1000, 0, 70 * PI / 180, 0, 40);
    struct pt_px p = { 0, 0 };
    struct pt_in at = { 5, 5 };
    struct pt3_in camera = camera_position(&c);
    assert_false(camera_project(&p, &c, (struct pt3_in){ 2 * camera.x, 2 * camera.y, 2 * camera.z }));
    assert_false(camera_locate(&at, &c, (struct pt_px){ 960, -5000 }, 0)); // above the horizon
    assert_near(at.x, 5, 0);
    // A barrel distortion this strong folds the far corners onto each other: no place may be made up there.
    c = view_of_board(1920, 1080, 600, -0.4, 0, 0, 10);
    assert_false(camera_locate(&at, &c, (struct pt_px){ 0, 0 }, 0));
    // Nor where k2 makes it grow again behind the fold.
    c = view_of_board(960, 540, 96, -0.7, 0, 0, 7.5);
    c.lens.k2 = 0.022;
    assert_true(camera_project(&p, &c, (struct pt3_in){ 4, 0, 0 }));
    assert_false(camera_project(&p, &c, (struct pt3_in){ 42, 0, 0 }));
}

static void impossible_cameras_are_named(void **state)
{
    (void)state;
    struct camera good = view_of_board(1920, 1080, 1400, 0, 0.3, 0, 40), c = good;
    struct fail why;
    assert_int_equal(camera_check(&good, &why), 0);
    c.lens.f_px = -1;
    assert_int_equal(camera_check(&c, &why), RS_EINPUT);
    c = good;
    c.lens.k1 = NAN;
    assert_int_equal(camera_check(&c, &why), RS_EINPUT);
    c = good;
    c.pose.R[0][0] *= 2;
    assert_int_equal(camera_check(&c, &why), RS_EINPUT);
    c = good;
    c.pose.t_in[2] = -40;
    assert_int_equal(camera_check(&c, &why), RS_EINPUT);
}

static void built_in_boards_are_possible_and_known_by_name(void **state)
{
    (void)state;
    struct fail why;
    const struct board *b;
    for (int i = 0; (b = board_builtin_at(i)) != NULL; i++) {
        assert_int_equal(board_check(b, &why), 0);
        assert_ptr_equal(board_builtin(b->name), b);
    }
    assert_null(board_builtin("chess"));
    assert_near(board_builtin("crokinole-nca")->circle_in[0], 12, 0);
    assert_near(board_builtin("ring-7ft")->circle_in[0], 42, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_above_is_a_scaled_map),
        cmocka_unit_test(height_shifts_outwards),
        cmocka_unit_test(project_and_locate_undo_each_other),
        cmocka_unit_test(jacobian_is_the_slope_of_project),
        cmocka_unit_test(tilt_and_position_are_those_of_the_view),
        cmocka_unit_test(what_cannot_be_seen_is_refused),
        cmocka_unit_test(impossible_cameras_are_named),
        cmocka_unit_test(built_in_boards_are_possible_and_known_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
