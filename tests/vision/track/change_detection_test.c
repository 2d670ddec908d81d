// SPDX-License-Identifier: MIT
// How far something has moved is told to hundredths of a reduced pixel, and light that comes is no movement.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/vision/track/carpet.h"
#include "vision/track/tracks.h"

enum { SIDE = 24 };

// A disc as it looks when it is reduced until it is four pixels across.
static void draw(uint8_t bgr[3 * SIDE * SIDE], double u, double v, double light)
{
    for (int i = 0; i < SIDE * SIDE; i++) {
        double from = hypot(i % SIDE - u, (double)(i / SIDE) - v);
        for (int c = 0; c < 3; c++)
            bgr[3 * i + c] = (uint8_t)lround(60 + light + 120 / (1 + exp(2.5 * (from - 2))));
    }
}

static void a_small_movement_is_told_to_hundredths(void **state)
{
    static const double step = 3, middle = 11.3, within = 0.15; // of the way: one step of a registration
    static const struct {
        double u, v, light;
    } rows[] = { { 0, 0, 0 }, { 0.05, 0, 0 }, { 0, -0.05, 0 }, { 0.1, 0.2, 0 }, { 0, 0, 20 }, { -0.1, 0.05, 20 } };
    uint8_t before[3 * SIDE * SIDE], now[3 * SIDE * SIDE];
    struct change_detector d = { .width = SIDE, .height = SIDE, .step = step, .now = now };
    (void)state;
    draw(before, middle, middle, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        draw(now, middle + rows[i].u, middle + rows[i].v, rows[i].light);
        struct pt_px shift = change_shift_px(&d, before, (struct change_box){ 8, 8, 15, 15 });
        double tolerance_px = step * (0.005 + within * hypot(rows[i].u, rows[i].v));
        assert_near(shift.u, step * rows[i].u, tolerance_px);
        assert_near(shift.v, step * rows[i].v, tolerance_px);
    }
}

static void outside_the_picture_nothing_moves(void **state)
{
    static const struct change_box boxes[] = {
        { -9, -9, -2, -2 }, { SIDE, 3, SIDE + 5, 9 }, { 3, SIDE, 9, SIDE + 5 }, { -90, -90, 90, 0 }
    };
    uint8_t before[3 * SIDE * SIDE], now[3 * SIDE * SIDE];
    struct change_detector d = { .width = SIDE, .height = SIDE, .step = 2, .now = now };
    (void)state;
    draw(before, 1, 1, 0);
    draw(now, 2, 2, 0);
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        struct pt_px shift = change_shift_px(&d, before, boxes[i]);
        assert_near(hypot(shift.u, shift.v), 0, 0);
    }
    // What reaches out of it is asked within.
    struct pt_px shift = change_shift_px(&d, before, (struct change_box){ -90, -90, 90, 90 });
    assert_true(shift.u > 0.1 && shift.v > 0.1);
}

// A lamp that comes on changes all of the picture, and is there from then on.
static void new_light_is_no_noise(void **state)
{
    (void)state;
    enum { FRAMES = 120 };
    const struct board_pose pose = ring_from_above();
    struct change_detector d;
    for (int i = 0; i < FRAMES; i++) {
        struct frame *f = carpet_with(i * 0.04, 0);
        memset(f->bgr, i < FRAMES / 4 ? 90 : 110, 3 * (size_t)f->width * (size_t)f->height);
        if (i == 0)
            assert_int_equal(change_detector_create(&d, f, &pose, &tuning_defaults.track, NULL), 0);
        assert_int_equal(change_detect(&d, f, NULL), 0);
        frame_free(f);
    }
    assert_true(d.noise > tuning_defaults.track.noisy_from); // as it is since the reference was taken
    assert_false(d.blurs);
    change_detector_finish(&d);
}

// A camera that lies on the floor, the plane through it just touching the end of what is looked at: the outline's
// nearest corner is seen billions of pixels below the picture, the two beside it beyond its sides.
static void a_circle_up_to_the_cameras_plane_is_looked_at(void **state)
{
    (void)state;
    enum { WIDTH = 160, HEIGHT = 120, F_PX = 100 };
    static const double up_in = 0.12, behind_in = 2e-9, circle_in = 500, corner_rad = PI / 90;
    static const double R[3][3] = { { 0, -1, 0 }, { 0, 0, -1 }, { 1, 0, 0 } };
    const double radius_in = tuning_defaults.track.floor_seen_radii * circle_in;
    struct board_pose pose = { .found = true, .board = *board_builtin("ring-7ft") };
    struct change_detector d;
    struct frame *f;
    pose.board.circle_in[0] = circle_in;
    pose.camera.lens = (struct lens){ .width = WIDTH, .height = HEIGHT, .f_px = F_PX, .centre = { 80, 60 } };
    memcpy(pose.camera.pose.R, R, sizeof R);
    pose.camera.pose.t_in[1] = up_in;
    pose.camera.pose.t_in[2] = radius_in + behind_in;
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, NULL), 0);
    assert_int_equal(change_detector_create(&d, f, &pose, &tuning_defaults.track, NULL), 0);
    assert_int_equal(d.height, HEIGHT);
    double beside_px = 60 + F_PX * up_in / (radius_in * (1 - cos(corner_rad)));
    assert_true(beside_px < HEIGHT - 10);
    for (int y = (int)ceil(beside_px); y < HEIGHT; y++)
        if (d.from[y] != 0 || d.to[y] != WIDTH)
            fail_msg("row %d is looked at from %d to %d", y, d.from[y], d.to[y]);
    change_detector_finish(&d);
    frame_free(f);
}

static void what_is_billions_of_pixels_away_is_outside(void **state)
{
    (void)state;
    static const double far_px[] = { -1e12, 4294967296.0 + 40, 1e300 };
    const struct board_pose pose = ring_from_above();
    struct change_detector d;
    struct frame *f = carpet_with(0, 0);
    assert_int_equal(change_detector_create(&d, f, &pose, &tuning_defaults.track, NULL), 0);
    for (size_t i = 0; i < countof(far_px); i++) {
        const struct pt_px away = { d.step * far_px[i], d.step * far_px[i] };
        struct track k = { .piece = { .kind = PIECE_MARBLE, .radius_in = 0.3, .px = away } };
        track_take_template(&k, &d, d.now);
        assert_int_equal(k.face.count, 0);
    }
    change_detector_finish(&d);
    frame_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_movement_is_told_to_hundredths),
        cmocka_unit_test(outside_the_picture_nothing_moves),
        cmocka_unit_test(a_circle_up_to_the_cameras_plane_is_looked_at),
        cmocka_unit_test(what_is_billions_of_pixels_away_is_outside),
        cmocka_unit_test(new_light_is_no_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
