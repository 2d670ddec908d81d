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
#include "vision/pieces/cylinder.h"

static const struct pt_in AT = { 3, -4 };
static const struct edge_prior LOOK = { 1.2, 0.045, 0.01 };

static struct cylinder_view view_of(const struct cylinder *s, double tilt_rad)
{
    struct camera c = view_of_board(1920, 1080, 1400, 0, tilt_rad, 0.6, 40);
    struct cylinder_view out;
    assert_true(cylinder_view_at(&out, s, AT, &c, &LOOK));
    return out;
}

static struct sight sight_beside(const struct cylinder_view *s, struct pt_in by)
{
    return cylinder_sight(s, (struct pt_in){ AT.x + by.x, AT.y + by.y });
}

static double clearance_beside(const struct cylinder_view *s, struct pt_in by)
{
    struct sight l = sight_beside(s, by);
    return cylinder_clearance(s, &l);
}

static void shares_of_every_pixel_add_to_one(void **state)
{
    (void)state;
    const char *const boards[] = { "crokinole-nca", "crokinole-rings-24" };
    for (int b = 0; b < 2; b++) {
        struct cylinder disc = cylinder_of_piece(board_builtin(boards[b]), 0);
        struct cylinder_view s = view_of(&disc, 0.8);
        for (int i = 0; i < 40 * 40; i++) {
            double share[CYLINDER_PARTS], sum = 0;
            struct sight l = sight_beside(&s, (struct pt_in){ (i % 40 - 20) * 0.05, (i / 40 - 20) * 0.05 });
            cylinder_shares_at(share, &s, &l);
            for (int k = 0; k < CYLINDER_PARTS; k++) {
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
    struct cylinder disc = cylinder_of_piece(board_builtin("crokinole-nca"), 0);
    struct cylinder_view s = view_of(&disc, 0.8);
    s.eye = (struct pt3_in){ 3000, 2000, 4000 }; // so far away that all lines of sight lean alike
    double lean_x = (s.eye.x - AT.x) / s.eye.z, lean_y = (s.eye.y - AT.y) / s.eye.z, half = disc.height_in / 2;
    for (int rounding = 0; rounding < 3; rounding++) {
        s.rounding_in = 0.05 * rounding;
        for (int k = 0; k < 12; k++) {
            struct pt_in by = { 0.7 * cos(k * PI / 6), 0.7 * sin(k * PI / 6) };
            struct pt_in one = { by.x - half * lean_x, by.y - half * lean_y };
            struct pt_in other = { -by.x - half * lean_x, -by.y - half * lean_y };
            assert_near(clearance_beside(&s, one), clearance_beside(&s, other), 2e-3);
        }
    }
}

static void a_rounded_disc_is_lower_and_as_wide(void **state)
{
    (void)state;
    struct cylinder disc = cylinder_of_piece(board_builtin("crokinole-nca"), 0);
    struct cylinder_view sharp = view_of(&disc, 0.8), rounded = sharp;
    double lean = hypot(sharp.eye.x - AT.x, sharp.eye.y - AT.y) / sharp.eye.z;
    struct pt_in away = { (AT.x - sharp.eye.x) / (lean * sharp.eye.z), (AT.y - sharp.eye.y) / (lean * sharp.eye.z) };
    sharp.rounding_in = 0;
    rounded.rounding_in = 0.1;
    // The far rim of the top of the sharp one, traced to the foot's plane, and a place at its widest.
    double far_in = disc.radius_in + disc.height_in * lean, middle_in = disc.height_in / 2 * lean;
    struct pt_in rim = { far_in * away.x, far_in * away.y };
    struct pt_in wide = { middle_in * away.x - disc.radius_in * away.y, middle_in * away.y + disc.radius_in * away.x };
    assert_near(clearance_beside(&sharp, rim), 0, 0.01);
    assert_true(clearance_beside(&rounded, rim) > 0.02);
    assert_near(clearance_beside(&sharp, wide), 0, 0.01);
    assert_near(clearance_beside(&rounded, wide), 0, 0.01);
}

static void through_a_ring_its_wall_and_the_floor_are_seen(void **state)
{
    (void)state;
    struct cylinder ring = cylinder_of_piece(board_builtin("crokinole-rings-24"), 0);
    struct cylinder_view above = view_of(&ring, 0.01), slanted = view_of(&ring, 0.9);
    double share[CYLINDER_PARTS], wall = 0;
    struct sight down = sight_beside(&above, (struct pt_in){ 0, 0 });
    cylinder_shares_at(share, &above, &down);
    assert_true(share[CYLINDER_FLOOR] > 0.95);
    for (int k = -20; k <= 20; k++) {
        struct sight l = sight_beside(&slanted, (struct pt_in){ 0, 0.03 * k });
        cylinder_shares_at(share, &slanted, &l);
        wall = fmax(wall, share[CYLINDER_WALL]);
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
