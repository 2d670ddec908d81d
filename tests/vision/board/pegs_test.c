// SPDX-License-Identifier: MIT
// Pegs are seen where they stand, dark or pale, from above and from the side, and nowhere else.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "calibration/units.h"
#include "tests/calibration/view.h"
#include "tests/near.h"
#include "vision/board/pegs.h"

// Bars on the innermost circle of a board of even wood, one every so many degrees from a turn on.
struct bars {
    struct camera camera;
    const struct board *board;
    int count;
    double turn_rad, wood, bar;
};

static double grey_of(const void *picture, double u, double v)
{
    const struct bars *b = picture;
    for (int i = 0; i < b->count; i++)
        for (int h = 0; h < 9; h++) {
            double angle = b->turn_rad + i * PI / 4, r = b->board->circle_in[b->board->circles - 1];
            struct pt_in at;
            if (camera_locate(&at, &b->camera, (struct pt_px){ u, v }, 0.1 * h) &&
                hypot(at.x - r * cos(angle), at.y - r * sin(angle)) < b->board->peg_radius_in)
                return b->bar;
        }
    return b->wood;
}

static double measure(struct pegs *out, const struct bars *b)
{
    return pegs_measure(out, b->board, &b->camera, (struct grey_picture){ grey_of, b }, &tuning_defaults.oblique);
}

static struct bars bars_at(double tilt_rad)
{
    return (struct bars){ .camera = view_of_board(960, 720, 800, -0.04, tilt_rad, 0.35, 36),
                          .board = board_builtin("crokinole-nca"),
                          .count = 8,
                          .turn_rad = 0.5,
                          .wood = 180,
                          .bar = 40 };
}

static void pegs_are_where_they_stand(void **state)
{
    (void)state;
    const double tilts_rad[] = { 0.2, 0.8, 1.3 };
    for (size_t t = 0; t < countof(tilts_rad); t++)
        for (int pale = 0; pale < 2; pale++) {
            struct bars b = bars_at(tilts_rad[t]);
            struct pegs pegs;
            if (pale) {
                b.wood = 60;
                b.bar = 150;
            }
            assert_true(measure(&pegs, &b) > 0.9);
            assert_int_equal(pegs.count, 8);
            for (int i = 0; i < 8; i++) {
                double r = hypot(pegs.at[i].x, pegs.at[i].y), angle = atan2(pegs.at[i].y, pegs.at[i].x) - b.turn_rad;
                assert_near(r, b.board->circle_in[b.board->circles - 1], 1e-9);
                assert_near(remainder(angle, PI / 4), 0, 0.03);
            }
        }
}

static void one_that_is_hidden_does_not_matter(void **state)
{
    (void)state;
    struct bars b = bars_at(1.2);
    struct pegs pegs;
    b.count = 7;
    assert_true(measure(&pegs, &b) > 0.9);
    assert_int_equal(pegs.count, 8);
    b.count = 4;
    assert_true(measure(&pegs, &b) < 0.6);
}

static void even_wood_has_none(void **state)
{
    (void)state;
    struct bars b = bars_at(1.2);
    struct pegs pegs;
    b.count = 0;
    assert_near(measure(&pegs, &b), 0, 0);
    assert_int_equal(pegs.count, 0);
}

static void thin_and_thick_ones_are_as_plain(void **state)
{
    (void)state;
    const double radii_in[] = { 0.06, 0.4 };
    for (size_t i = 0; i < countof(radii_in); i++) {
        struct bars b = bars_at(0.8);
        struct board other = *b.board;
        struct pegs pegs;
        other.peg_radius_in = radii_in[i];
        b.board = &other;
        b.bar = 120; // at the least contrast that is asked a third of a bar is none
        assert_true(measure(&pegs, &b) > 0.9);
    }
}

static void a_board_without_pegs_has_none(void **state)
{
    (void)state;
    struct bars b = bars_at(1.2);
    struct board none = *b.board;
    struct pegs pegs;
    none.pegs = 0;
    b.board = &none;
    assert_near(measure(&pegs, &b), 0, 0);
    assert_int_equal(pegs.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pegs_are_where_they_stand),
        cmocka_unit_test(one_that_is_hidden_does_not_matter),
        cmocka_unit_test(even_wood_has_none),
        cmocka_unit_test(thin_and_thick_ones_are_as_plain),
        cmocka_unit_test(a_board_without_pegs_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
