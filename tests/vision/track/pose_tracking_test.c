// SPDX-License-Identifier: MIT
// Which way round the same board and pieces lie after the camera was moved.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "tests/calibration/view.h"
#include "tests/near.h"
#include "vision/track/pose_tracking.h"

static const struct {
    const char *colour;
    double L, x, y;
} lying[] = { { "black", 10, 3, 1 }, { "red", 50, -5, 2 }, { "red", 50, 1, -8 }, { "black", 10, -2, -2.5 } };
enum { LYING = 4 };

static struct detection piece(int i)
{
    struct detection p = { .kind = PIECE_DISC,
                           .at = { lying[i].x, lying[i].y },
                           .cov = { 4e-4, 0, 1e-4 },
                           .radius_in = 0.625,
                           .lab = { lying[i].L, 0, 0 },
                           .certainty = 1 };
    snprintf(p.colour, sizeof p.colour, "%s", lying[i].colour);
    return p;
}

static void tracked_pieces(struct track tracks[LYING])
{
    for (int i = 0; i < LYING; i++)
        tracks[i] = (struct track){ .id = i + 1, .piece = piece(i) };
}

// The pieces as they are seen by axes that are turned by so much.
static struct detection_list seen_by_turned_axes(double turn_rad)
{
    struct detection_list list = { .count = LYING };
    for (int i = 0; i < LYING; i++)
        list.piece[i] = piece(i);
    relocalise_pieces(&list, turn_rad);
    return list;
}

static void a_camera_is_turned_back_by_the_least_turn(void **state)
{
    (void)state;
    struct camera before = view_of_board(640, 480, 600, 0, 0.4, 0.3, 40);
    for (double turn_rad = -3; turn_rad < 3; turn_rad += 0.37) {
        struct camera now = before;
        camera_turn(&now, turn_rad);
        assert_near(relocalise_camera(&now, &before, false), -turn_rad, 1e-9);
        double rest_rad = turn_rad + relocalise_camera(&now, &before, true);
        assert_true(fabs(rest_rad) <= PI / 4 + 1e-9);
    }
}

static void pieces_tell_the_quarter(void **state)
{
    (void)state;
    struct track tracks[LYING];
    tracked_pieces(tracks);
    for (int q = 0; q < 4; q++) {
        struct detection_list seen = seen_by_turned_axes(-q * PI / 2);
        double turn_rad = relocalise_by_pieces(tracks, LYING, &seen, true, &tuning_defaults.track);
        assert_near(turn_rad, q * PI / 2, 1e-9);
        relocalise_pieces(&seen, turn_rad);
        for (int i = 0; i < LYING; i++) {
            assert_near(seen.piece[i].at.x, lying[i].x, 1e-9);
            assert_near(seen.piece[i].at.y, lying[i].y, 1e-9);
            assert_near(seen.piece[i].cov.xx, 4e-4, 1e-12);
        }
    }
}

static void pieces_tell_any_turn_of_a_bare_ring(void **state)
{
    (void)state;
    static const double turns_rad[] = { 0, 0.04, -0.2, 0.6 };
    struct track tracks[LYING];
    tracked_pieces(tracks);
    for (size_t i = 0; i < countof(turns_rad); i++) {
        struct detection_list seen = seen_by_turned_axes(-turns_rad[i]);
        seen.piece[1].at.x += 3; // one piece was moved besides
        assert_near(relocalise_by_pieces(tracks, LYING, &seen, false, &tuning_defaults.track), turns_rad[i], 1e-6);
    }
}

// Two measures of one place differ by a little.
static void what_measuring_does_turns_nothing(void **state)
{
    (void)state;
    struct track tracks[LYING];
    tracked_pieces(tracks);
    struct detection_list seen = seen_by_turned_axes(-0.01);
    assert_near(relocalise_by_pieces(tracks, LYING, &seen, false, &tuning_defaults.track), 0, 0);
}

static void one_moved_piece_turns_nothing(void **state)
{
    (void)state;
    struct track tracks[LYING];
    tracked_pieces(tracks);
    struct detection_list seen = seen_by_turned_axes(0);
    seen.piece[2].at = (struct pt_in){ 8, 1 };
    assert_near(relocalise_by_pieces(tracks, LYING, &seen, false, &tuning_defaults.track), 0, 1e-9);
    assert_near(relocalise_by_pieces(tracks, LYING, &seen, true, &tuning_defaults.track), 0, 0);
    assert_near(relocalise_by_pieces(tracks, 0, &seen, false, &tuning_defaults.track), 0, 0);
    seen.count = 0;
    assert_near(relocalise_by_pieces(tracks, LYING, &seen, false, &tuning_defaults.track), 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_camera_is_turned_back_by_the_least_turn),
        cmocka_unit_test(pieces_tell_the_quarter),
        cmocka_unit_test(pieces_tell_any_turn_of_a_bare_ring),
        cmocka_unit_test(what_measuring_does_turns_nothing),
        cmocka_unit_test(one_moved_piece_turns_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
