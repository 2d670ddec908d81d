// SPDX-License-Identifier: MIT
// A ring's top is narrow, seen from afar no pixel is all of it: its paint is known all the same, and told from bare wood.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "tests/calibration/view.h"
#include "tests/vision/board/painted.h"
#include "vision/pieces/appearance_model.h"

enum { WIDTH = 960, HEIGHT = 720, RINGS = 3 };
static const struct paint BOARD = { { 60, 70, 80 }, { 150, 190, 215 }, { 40, 40, 45 }, 2, 0 };
static const uint8_t RED[3] = { 50, 45, 180 };
static const struct pt_in AT[RINGS] = { { -6, 5 }, { 6, 2 }, { 0, -6 } };

// The tops alone: what is asked for is their paint.
static void paint_tops(struct frame *f, const struct board_pose *pose)
{
    const struct board *b = &pose->board;
    for (int v = 0; v < f->height; v++)
        for (int u = 0; u < f->width; u++)
            for (int i = 0; i < RINGS; i++) {
                struct pt_in p;
                if (!camera_locate(&p, &pose->camera, (struct pt_px){ u, v }, b->piece_height_in))
                    continue;
                double r = hypot(p.x - AT[i].x, p.y - AT[i].y);
                if (r < b->piece_radius_in && r > b->piece_hole_radius_in)
                    memcpy(f->bgr + 3 * ((size_t)v * (size_t)f->width + (size_t)u), RED, sizeof RED);
            }
}

static void a_rings_paint_is_known(void **state)
{
    (void)state;
    struct board_pose pose = { .found = true, .board = *board_builtin("crokinole-rings-24") };
    pose.camera = view_of_board(WIDTH, HEIGHT, 800, -0.04, 0.7, 0.35, 40);
    struct frame *f = NULL;
    struct fail why;
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, &why), 0);
    paint_board(f, &pose.camera, &pose.board, &BOARD);
    paint_tops(f, &pose);
    painted_blur(f);
    struct cylinder ring = cylinder_of_piece(&pose.board, 0);
    struct surroundings near = {
        .board = &pose, .self = -1, .look = { 1, 0.06, 0.01 }, .tuning = &disc_tuning_defaults
    };
    struct appearance_samples sampling = { .f = f, .shape = &ring, .tuning = &appearance_tuning_defaults };
    struct appearance_model paint;
    struct appearance_match look;
    assert_false(appearance_learn(&paint, &sampling)); // none was seen
    for (int i = 0; i < RINGS; i++)
        appearance_add(&sampling, AT[i], &near);
    assert_true(appearance_learn(&paint, &sampling));
    assert_true(appearance_compare(&look, &paint, f, &ring, AT[0], &near));
    assert_true(look.face > 0.9);
    assert_true(appearance_compare(&look, &paint, f, &ring, (struct pt_in){ 6, -6 }, &near));
    assert_true(look.face < 0.1);
    frame_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_rings_paint_is_known) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
