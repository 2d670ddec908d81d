// SPDX-License-Identifier: MIT
// What of a pixel shows a solid's top, side, wall, or the ground.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

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

static void shares_at(double share[CYLINDER_PARTS], const struct cylinder_view *s, const struct sight *l)
{
    double border[CYLINDER_BORDERS], cover[CYLINDER_BORDERS];
    cylinder_borders_at(border, s, l);
    cylinder_covers(cover, border, s->blur_in);
    cylinder_shares(share, cover);
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
            shares_at(share, &s, &l);
            for (int k = 0; k < CYLINDER_PARTS; k++) {
                assert_true(share[k] >= 0);
                sum += share[k];
            }
            assert_near(sum, 1, 1e-9);
        }
    }
}

static void borders_cover_by_the_logistic_curve(void **state)
{
    (void)state;
    static const double blur_in = 0.03;
    double reach_in = cylinder_cover_reach_in(blur_in);
    for (int i = -1100; i <= 1100; i++) {
        double beyond_in = reach_in * i / 1000, border[CYLINDER_BORDERS], cover[CYLINDER_BORDERS];
        for (int b = 0; b < CYLINDER_BORDERS; b++)
            border[b] = beyond_in;
        cylinder_covers(cover, border, blur_in);
        double wanted = abs(i) > 1000 ? i < 0 : 1 / (1 + exp(EDGE_STEEPNESS * beyond_in / blur_in));
        assert_near(cover[BORDER_OUTLINE], wanted, abs(i) == 1000 ? 2e-4 : 1e-8);
    }
}

// Where two of a border's circles meet it has no slope; a central difference tells by being none on either side.
static void borders_move_by_their_slopes(void **state)
{
    static const double step_in = 1e-6;
    (void)state;
    const char *const boards[] = { "crokinole-nca", "crokinole-rings-24" };
    int compared = 0;
    for (int i = 0; i < 2 * 40 * 40; i++) {
        struct cylinder solid = cylinder_of_piece(board_builtin(boards[i % 2]), 0);
        struct cylinder_view s = view_of(&solid, 0.8);
        struct sight l = sight_beside(&s, (struct pt_in){ (i / 2 % 40 - 20) * 0.05, (i / 80 - 20) * 0.05 });
        double slope[CYLINDER_BORDERS][BORDER_SLOPES], here[CYLINDER_BORDERS];
        cylinder_border_slopes(slope, &s, &l);
        cylinder_borders_at(here, &s, &l);
        for (int k = 0; k < BORDER_SLOPES; k++) {
            double ahead[CYLINDER_BORDERS], behind[CYLINDER_BORDERS], *number[] = { &s.at.x, &s.at.y, &s.grow_in };
            *number[k] += step_in;
            cylinder_borders_at(ahead, &s, &l);
            *number[k] -= 2 * step_in;
            cylinder_borders_at(behind, &s, &l);
            *number[k] += step_in;
            for (int b = 0; b < (solid.hole_in > 0 ? CYLINDER_BORDERS : BORDER_HOLE); b++) {
                double forward = (ahead[b] - here[b]) / step_in, backward = (here[b] - behind[b]) / step_in;
                if (fabs(forward - backward) > 1e-4)
                    continue;
                assert_near(slope[b][k], (forward + backward) / 2, 1e-3);
                compared++;
            }
        }
    }
    assert_true(compared > 20000);
}

// Whatever the rounding, the outline is symmetric about the middle of the solid's axis: it alone tells the place
// without knowing how sharp the edges are.
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
    shares_at(share, &above, &down);
    assert_true(share[CYLINDER_FLOOR] > 0.95);
    for (int k = -20; k <= 20; k++) {
        struct sight l = sight_beside(&slanted, (struct pt_in){ 0, 0.03 * k });
        shares_at(share, &slanted, &l);
        wall = fmax(wall, share[CYLINDER_WALL]);
    }
    assert_true(wall > 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_of_every_pixel_add_to_one),
        cmocka_unit_test(borders_cover_by_the_logistic_curve),
        cmocka_unit_test(borders_move_by_their_slopes),
        cmocka_unit_test(the_outline_is_symmetric),
        cmocka_unit_test(a_rounded_disc_is_lower_and_as_wide),
        cmocka_unit_test(through_a_ring_its_wall_and_the_floor_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
