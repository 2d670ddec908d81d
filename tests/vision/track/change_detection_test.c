// SPDX-License-Identifier: MIT
// How far something has moved is told to hundredths of a reduced pixel, and light that comes is no movement.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/near.h"
#include "vision/track/change_detection.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_movement_is_told_to_hundredths),
        cmocka_unit_test(outside_the_picture_nothing_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
