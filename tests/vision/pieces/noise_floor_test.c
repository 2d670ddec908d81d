// SPDX-License-Identifier: MIT
// A place is known no better than the camera: where the focal length is open, the place of what stands up is too.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "tests/calibration/view.h"
#include "tests/near.h"
#include "vision/pieces/noise_floor.h"

enum { AT_F = 5, PARAMETERS = 6 }; // of the covariance: after the pose

static struct board_pose with_open_focal_length(double sigma)
{
    struct board_pose pose = { .found = true, .board = *board_builtin("ring-7ft") };
    pose.camera = pose.fit.camera = view_of_board(1920, 1080, 1400, 0, 0.7, 0.3, 150);
    pose.fit.lens[FIT_LOG_F] = (struct fit_prior){ log(1400), sigma };
    pose.fit.parameters = PARAMETERS;
    pose.fit.covariance[AT_F * PARAMETERS + AT_F] = sigma * sigma;
    return pose;
}

static void a_place_is_as_open_as_the_focal_length(void **state)
{
    (void)state;
    const double sigma = 0.01, height_in = 0.3, floor_in = 0.03;
    const struct pt_in at = { 20, 20 };
    const struct cov_in2 own = { 1e-4, 2e-5, 3e-4 };
    struct board_pose pose = with_open_focal_length(sigma);
    struct camera longer = pose.camera;
    struct pt_px seen;
    struct pt_in moved = { NAN, NAN };
    longer.lens.f_px *= 1 + sigma; // and as much farther away, as a fit leaves it open
    longer.pose.t_in[2] *= 1 + sigma;
    assert_true(camera_project(&seen, &pose.camera, (struct pt3_in){ at.x, at.y, height_in }));
    assert_true(camera_locate(&moved, &longer, seen, height_in));
    struct cov_in2 cov = floor_cov(own, &pose, at, height_in, floor_in);
    double dx = moved.x - at.x, dy = moved.y - at.y;
    assert_true(hypot(dx, dy) > 0.005);
    double times = floor_fit_times(&pose.clarity, PIECE_MARBLE);
    assert_near(cov.xx, times * own.xx + dx * dx + floor_in * floor_in, 0.02 * cov.xx);
    assert_near(cov.yy, times * own.yy + dy * dy + floor_in * floor_in, 0.02 * cov.yy);
    assert_near(cov.xy, times * own.xy + dx * dy, 0.02 * sqrt(cov.xx * cov.yy));
}

static void a_worse_view_widens_every_place(void **state)
{
    (void)state;
    const struct pt_in at = { 20, 20 };
    struct board_pose pose = with_open_focal_length(0.01);
    struct cov_in2 before = pose_fit_place_cov(&pose.fit, at, 0.3);
    pose_fit_widen(&pose.fit, 3);
    struct cov_in2 after = pose_fit_place_cov(&pose.fit, at, 0.3);
    assert_near(after.xx / before.xx, 9, 0.1);
    assert_near(after.yy / before.yy, 9, 0.1);
}

// What a block shares is no fresh error at every pixel: the same fit is worth less. A marble's shading is shared as
// widely in any picture.
static void compression_widens_what_the_fit_says(void **state)
{
    (void)state;
    const struct cov_in2 own = { 1e-4, 2e-5, 3e-4 };
    const double times[] = { 4, 4, 5.33 }, of_discs[] = { 1, 3.17, 5.33 };
    struct board_pose pose = with_open_focal_length(1e-6);
    for (int i = 0; i < 3; i++) {
        pose.clarity.in_blocks = i / 2.0;
        assert_near(floor_fit_times(&pose.clarity, PIECE_DISC), of_discs[i], 0.02);
        struct cov_in2 cov = floor_cov(own, &pose, (struct pt_in){ 20, 20 }, 0.3, 0);
        assert_near(cov.xx / own.xx, times[i], 0.02);
        assert_near(cov.xy / own.xy, times[i], 0.02);
        assert_near(cov.yy / own.yy, times[i], 0.02);
    }
}

// Where a pixel is more of an inch a disc is placed worse: far away, and into the depth of a flat view.
static void discs_far_away_and_from_the_side_are_placed_worse(void **state)
{
    (void)state;
    const double px = DISC_FLOOR_SIGMA_PX, height_in = 0.01, f_px = 1400;
    static const struct {
        double tilt_rad, distance_in;
    } views[] = { { 0, 50 }, { 0, 100 }, { PI / 4, 50 }, { PI / 3, 50 } };
    for (size_t i = 0; i < countof(views); i++) {
        struct board_pose pose = { .found = true, .board = *board_builtin("crokinole-nca") };
        pose.camera = pose.fit.camera = view_of_board(1920, 1080, f_px, 0, views[i].tilt_rad, 0, views[i].distance_in);
        struct cov_in2 cov = floor_cov((struct cov_in2){ 0, 0, 0 }, &pose, (struct pt_in){ 0, 0 }, 0, 0);
        double mean = (cov.xx + cov.yy) / 2, half = hypot((cov.xx - cov.yy) / 2, cov.xy);
        double across = px * views[i].distance_in / f_px;
        double deep = hypot(across / cos(views[i].tilt_rad), height_in * tan(views[i].tilt_rad));
        assert_near(sqrt(mean - half), across, 0.01 * across);
        assert_near(sqrt(mean + half), deep, 0.01 * deep);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_place_is_as_open_as_the_focal_length),
        cmocka_unit_test(a_worse_view_widens_every_place),
        cmocka_unit_test(compression_widens_what_the_fit_says),
        cmocka_unit_test(discs_far_away_and_from_the_side_are_placed_worse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
