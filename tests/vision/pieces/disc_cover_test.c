// SPDX-License-Identifier: MIT
// What covers a part of a piece is left out of what is seen of it, and nothing else is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"
#include "vision/board/find.h"
#include "vision/pieces/disc_cover.h"
#include "vision/pieces/noise_floor.h"
#include "vision/pieces/pieces.h"
#include "vision/source/source.h"

static const struct noise_lab WOOD = { { 70, 5, 20 } }, PAINT = { { 25, 0, 0 } }, SKIN = { { 55, 20, 18 } };
static const double LEAST = 4;

// A black piece on wood; in the first so many of its 32 directions it and its ground lie under a hand.
static struct disc_view piece_under_hand(int directions)
{
    struct disc_view v = { .tops = MOST_TOP, .sides = MOST_SIDE, .angles = MOST_ANGLES };
    for (int i = 0; i < MOST_TOP; i++)
        v.top[i] = i < MOST_TOP * directions / MOST_ANGLES ? SKIN : PAINT;
    for (int i = 0; i < MOST_SIDE; i++)
        v.side[i] = PAINT;
    for (int k = 0; k < OUTLINE_RINGS; k++)
        for (int i = 0; i < MOST_ANGLES; i++)
            v.ring[k][i] = i < directions ? SKIN : k < INSIDE_RINGS ? PAINT : WOOD;
    return v;
}

static void what_a_hand_covers_is_left_out(void **state)
{
    (void)state;
    struct disc_view v = piece_under_hand(16);
    const double all = MOST_TOP + MOST_SIDE + OUTLINE_RINGS * MOST_ANGLES, covered = 17 + OUTLINE_RINGS * 16;
    assert_near(disc_cover_leave_out(&v, &WOOD, LEAST), covered / all, 1e-9);
    assert_int_equal(v.tops, MOST_TOP - 17);
    assert_int_equal(v.sides, MOST_SIDE);
    assert_true(v.partly);
    for (int k = 0; k < OUTLINE_RINGS; k++)
        for (int i = 0; i < MOST_ANGLES; i++)
            assert_int_equal(v.left_out[k][i], i < 16);
}

static void a_piece_that_is_seen_whole_stays_as_it_is(void **state)
{
    (void)state;
    struct disc_view v = piece_under_hand(0);
    v.ring[2][3] = v.ring[3][3] = v.ring[4][3] = PAINT;  // a painted line leads up to it
    v.ring[2][9] = v.ring[2][10] = v.ring[2][11] = SKIN; // and there is a shadow at its foot
    const struct disc_view before = v;
    assert_near(disc_cover_leave_out(&v, &WOOD, LEAST), 0, 0);
    assert_memory_equal(&v, &before, sizeof v);
}

// Where the hand covers more than the half of the surroundings the bare board still says which of the two is the
// ground.
static void the_ground_is_what_looks_like_the_board(void **state)
{
    (void)state;
    struct disc_view v = piece_under_hand(20);
    assert_true(disc_cover_leave_out(&v, &WOOD, LEAST) > 0.5);
    assert_true(v.left_out[OUTLINE_RINGS - 1][0] && !v.left_out[OUTLINE_RINGS - 1][MOST_ANGLES - 1]);
    assert_int_equal(v.sides, MOST_SIDE);
}

// A forearm from the picture's upper edge down to a pixel: round, with some hair.
static void paint_arm(struct frame *f, struct pt_px end, double width_px)
{
    static const double skin[3] = { 115, 140, 195 };
    for (int v = 0; v < f->height && v <= end.v; v++)
        for (int u = 0; u < f->width; u++)
            for (int c = 0; c < 3 && fabs(u - end.u) < width_px / 2; c++) {
                double lit = 1 - 0.12 * fabs(u - end.u) / width_px + 0.02 * (u * 7 % 5 + v * 3 % 4);
                f->bgr[3 * ((size_t)v * (size_t)f->width + (size_t)u) + (size_t)c] = (uint8_t)fmin(skin[c] * lit, 255);
            }
}

// Each in turn is nearly half behind an arm: what is seen of it still shows what it is, of most of them. As long as
// nothing was known of arms none was found.
static void discs_half_behind_an_arm_are_found(void **state)
{
    (void)state;
    static const double arm_in = 3, bare_in = 0.1; // from its middle on
    struct source *s;
    struct frame *f, *copy;
    struct board_pose pose;
    struct detection_list whole, list;
    struct fail why = { 0 };
    int found = 0, within = 0;
    assert_int_equal(photo_open(&s, "samples/pictures/table_01.jpg", &why), 0);
    assert_true(source_next(&f, s, &why) >= 0);
    source_close(s);
    assert_int_equal(board_find(&pose, f, board_builtin("crokinole-nca"), NULL, &tuning_defaults, &why), 0);
    assert_int_equal(pieces_find(&whole, f, &pose, &tuning_defaults, &why), 0);
    for (int i = 0; i < whole.count; i++) {
        const struct detection *p = &whole.piece[i];
        double per_in = camera_scale_px_per_in(&pose.camera, (struct pt3_in){ p->at.x, p->at.y, 0 });
        assert_int_equal(frame_create(&copy, f->width, f->height, &why), 0);
        memcpy(copy->bgr, f->bgr, 3 * (size_t)f->width * (size_t)f->height);
        paint_arm(copy, (struct pt_px){ p->px.u + (arm_in / 2 + bare_in) * per_in, p->px.v + per_in }, arm_in * per_in);
        assert_int_equal(pieces_find(&list, copy, &pose, &tuning_defaults, &why), 0);
        for (int k = 0; k < list.count; k++) {
            const struct cov_in2 cov = cov_sum(list.piece[k].cov, p->cov);
            double x = list.piece[k].at.x - p->at.x, y = list.piece[k].at.y - p->at.y;
            double squares = cov.yy * x * x - 2 * cov.xy * x * y + cov.xx * y * y;
            if (hypot(x, y) > 0.4)
                continue;
            found++;
            within += sqrt(squares / (cov.xx * cov.yy - cov.xy * cov.xy)) < 2; // sigmas
        }
        frame_free(copy);
    }
    printf("%d of %d discs are found half behind an arm\n", found, whole.count);
    assert_in_range(found, 4, whole.count);
    assert_true(within >= 0.8 * found); // 2 sigma
    frame_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_hand_covers_is_left_out),
        cmocka_unit_test(a_piece_that_is_seen_whole_stays_as_it_is),
        cmocka_unit_test(discs_half_behind_an_arm_are_found),
        cmocka_unit_test(the_ground_is_what_looks_like_the_board),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
