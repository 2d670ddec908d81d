// SPDX-License-Identifier: MIT
// What of a pixel shows a solid's top, side, wall, or the ground.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "tests/calibration/view.h"
#include "tests/near.h"
#include "vision/pieces/solid.h"

static const struct pt_in AT = { 3, -4 };
static const struct solid_look LOOK = { 1.2, 0.045, 0.01 };

static struct solid_stand stand_at(const struct solid *s, double tilt_rad)
{
    struct camera c = view_of_board(1920, 1080, 1400, 0, tilt_rad, 0.6, 40);
    struct solid_stand out;
    assert_true(solid_stand_at(&out, s, AT, &c, &LOOK));
    return out;
}

static struct pt_in beside(struct pt_in by)
{
    return (struct pt_in){ AT.x + by.x, AT.y + by.y };
}

static void shares_of_every_pixel_add_to_one(void **state)
{
    (void)state;
    const char *const boards[] = { "crokinole-nca", "crokinole-rings-24" };
    for (int b = 0; b < 2; b++) {
        struct solid solid = solid_of_piece(board_builtin(boards[b]), 0);
        struct solid_stand s = stand_at(&solid, 0.8);
        for (int i = 0; i < 40 * 40; i++) {
            double share[SOLID_PARTS], sum = 0;
            solid_shares_at(share, &s, beside((struct pt_in){ (i % 40 - 20) * 0.05, (i / 40 - 20) * 0.05 }));
            for (int k = 0; k < SOLID_PARTS; k++) {
                assert_true(share[k] >= 0);
                sum += share[k];
            }
            assert_near(sum, 1, 1e-9);
        }
    }
}

// Whatever the rounding, the outline is symmetric about the middle of the solid's axis: it alone tells the place without
// knowing how sharp the edges are.
static void the_outline_is_symmetric(void **state)
{
    (void)state;
    struct solid solid = solid_of_piece(board_builtin("crokinole-nca"), 0);
    struct solid_stand s = stand_at(&solid, 0.8);
    s.eye = (struct pt3_in){ 3000, 2000, 4000 }; // so far away that all lines of sight lean alike
    double lean_x = (s.eye.x - AT.x) / s.eye.z, lean_y = (s.eye.y - AT.y) / s.eye.z, half = solid.height_in / 2;
    for (int rounding = 0; rounding < 3; rounding++) {
        s.rounding_in = 0.05 * rounding;
        for (int k = 0; k < 12; k++) {
            struct pt_in by = { 0.7 * cos(k * PI / 6), 0.7 * sin(k * PI / 6) };
            struct pt_in one = beside((struct pt_in){ by.x - half * lean_x, by.y - half * lean_y });
            struct pt_in other = beside((struct pt_in){ -by.x - half * lean_x, -by.y - half * lean_y });
            assert_near(solid_clearance(&s, one), solid_clearance(&s, other), 2e-3);
        }
    }
}

static void a_rounded_disc_is_lower_and_as_wide(void **state)
{
    (void)state;
    struct solid solid = solid_of_piece(board_builtin("crokinole-nca"), 0);
    struct solid_stand sharp = stand_at(&solid, 0.8), rounded = sharp;
    double lean = hypot(sharp.eye.x - AT.x, sharp.eye.y - AT.y) / sharp.eye.z;
    struct pt_in away = { (AT.x - sharp.eye.x) / (lean * sharp.eye.z), (AT.y - sharp.eye.y) / (lean * sharp.eye.z) };
    sharp.rounding_in = 0;
    rounded.rounding_in = 0.1;
    // The far rim of the top of the sharp one, traced to the foot's plane, and a place at its widest.
    double far_in = solid.radius_in + solid.height_in * lean, middle_in = solid.height_in / 2 * lean;
    struct pt_in rim = beside((struct pt_in){ far_in * away.x, far_in * away.y });
    struct pt_in wide = beside(
        (struct pt_in){ middle_in * away.x - solid.radius_in * away.y, middle_in * away.y + solid.radius_in * away.x });
    assert_near(solid_clearance(&sharp, rim), 0, 0.01);
    assert_true(solid_clearance(&rounded, rim) > 0.02);
    assert_near(solid_clearance(&sharp, wide), 0, 0.01);
    assert_near(solid_clearance(&rounded, wide), 0, 0.01);
}

static void through_a_ring_its_wall_and_the_floor_are_seen(void **state)
{
    (void)state;
    struct solid ring = solid_of_piece(board_builtin("crokinole-rings-24"), 0);
    struct solid_stand above = stand_at(&ring, 0.01), slanted = stand_at(&ring, 0.9);
    double share[SOLID_PARTS], wall = 0;
    solid_shares_at(share, &above, AT);
    assert_true(share[SOLID_FLOOR] > 0.95);
    for (int k = -20; k <= 20; k++) {
        solid_shares_at(share, &slanted, beside((struct pt_in){ 0, 0.03 * k }));
        wall = fmax(wall, share[SOLID_WALL]);
    }
    assert_true(wall > 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_of_every_pixel_add_to_one),
        cmocka_unit_test(the_outline_is_symmetric),
        cmocka_unit_test(a_rounded_disc_is_lower_and_as_wide),
        cmocka_unit_test(through_a_ring_its_wall_and_the_floor_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
