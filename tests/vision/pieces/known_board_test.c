// SPDX-License-Identifier: MIT
// Discs that a photo of a dark, grained board does not show are found once it was seen empty, in another light and from
// elsewhere too; paint and shadows are not taken for discs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "tests/near.h"
#include "tests/vision/board/grained.h"
#include "vision/board/background.h"
#include "vision/board/clarity.h"
#include "vision/pieces/pieces.h"

static const struct pt_in PLACES[] = { { -5, 3 }, { 3.2, 8.1 }, { 9, -4 }, { -2.5, -9.2 }, { -8.2, -5 } };

struct seen_twice {
    struct detection_list photo, known;
};

static struct background *learnt(const struct grained *g)
{
    struct background *s;
    struct board_pose pose = grained_found(g);
    assert_int_equal(background_create(&s, &pose, &tuning_defaults, NULL), 0);
    for (int i = 0; i < 3; i++) {
        struct frame *f = grained_frame(g, i);
        assert_int_equal(background_look(s, f, &pose, NULL), 0);
        background_learn(s);
        frame_free(f);
    }
    return s;
}

static struct seen_twice find_both(struct background *s, const struct grained *g, double t_s)
{
    struct seen_twice out;
    struct board_pose pose = grained_found(g);
    struct frame *f = grained_frame(g, t_s);
    struct pieces_known known = { .empty = s };
    assert_int_equal(background_look(s, f, &pose, NULL), 0);
    assert_int_equal(clarity_measure(&pose.clarity, f, &pose, &tuning_defaults.board, NULL), 0);
    assert_int_equal(pieces_find(&out.photo, f, &pose, &tuning_defaults, NULL), 0);
    assert_int_equal(pieces_find_on(&out.known, f, &pose, &known, &tuning_defaults, NULL), 0);
    frame_free(f);
    return out;
}

static int right_ones(const struct detection_list *list, const struct grained *g)
{
    int right = 0;
    for (int i = 0; i < g->discs; i++)
        for (int k = 0; k < list->count; k++)
            right += hypot(list->piece[k].at.x - g->at[i].x, list->piece[k].at.y - g->at[i].y) <
                     fmax(0.15, 3 * cov_sigma(&list->piece[k].cov)); // grain is as strong as they are
    return right;
}

static void put_all(struct grained *g)
{
    memcpy(g->at, PLACES, sizeof PLACES);
    g->discs = (int)countof(PLACES);
}

static void faint_discs_are_found_once_the_empty_board_is_known(void **state)
{
    (void)state;
    struct grained g = grained_stage(0.4);
    g.grain = 0.85;
    struct background *s = learnt(&g);
    put_all(&g);
    struct seen_twice seen = find_both(s, &g, 4);
    print_message("  photo %d, known %d of %d\n", seen.photo.count, seen.known.count, g.discs);
    assert_true(seen.photo.count < g.discs);
    assert_int_equal(seen.known.count, g.discs);
    assert_int_equal(right_ones(&seen.known, &g), g.discs);
    background_free(s);
}

static void another_light_and_a_knock_change_nothing(void **state)
{
    (void)state;
    struct grained g = grained_stage(0.4);
    struct background *s = learnt(&g);
    put_all(&g);
    g.gain = 1.3;
    g.slope = -0.15;
    struct seen_twice seen = find_both(s, &g, 4);
    assert_int_equal(seen.known.count, g.discs);
    g.camera = view_of_board(GRAINED_WIDTH, GRAINED_HEIGHT, 560, -0.04, 0.36, 0.45, 35);
    background_seen_anew(s);
    seen = find_both(s, &g, 5);
    assert_int_equal(seen.known.count, g.discs);
    assert_int_equal(right_ones(&seen.known, &g), g.discs);
    background_free(s);
}

// A round spot of paint, as large as a disc and much lighter than the board.
static void paint_is_no_disc(void **state)
{
    (void)state;
    struct grained g = grained_stage(0);
    g.spot = true;
    struct background *s = learnt(&g);
    struct seen_twice seen = find_both(s, &g, 4);
    print_message("  photo %d, known %d\n", seen.photo.count, seen.known.count);
    assert_int_equal(seen.photo.count, 1);
    assert_int_equal(seen.known.count, 0);
    background_free(s);
}

// It was taken for board from the beginning; now that it has gone, what differs is bare wood.
static void where_a_disc_has_left_there_is_none(void **state)
{
    (void)state;
    struct grained g = grained_stage(0.3);
    put_all(&g);
    struct background *s = learnt(&g);
    g.discs = 0;
    struct seen_twice seen = find_both(s, &g, 4);
    assert_int_equal(seen.known.count, 0);
    background_free(s);
}

// A piece that lies untouched is given out as it was, and found no second time.
static void what_lies_untouched_is_not_measured_again(void **state)
{
    (void)state;
    struct grained g = grained_stage(0.3);
    struct background *s = learnt(&g);
    struct pieces_known known = { .empty = s };
    struct detection_list list;
    put_all(&g);
    struct board_pose pose = grained_found(&g);
    struct frame *f = grained_frame(&g, 4);
    known.lying.piece[known.lying.count++] =
        (struct detection){ .at = { PLACES[0].x + 0.1, PLACES[0].y }, .radius_in = g.board.piece_radius_in };
    assert_int_equal(background_look(s, f, &pose, NULL), 0);
    assert_int_equal(pieces_find_on(&list, f, &pose, &known, &tuning_defaults, NULL), 0);
    assert_int_equal(list.count, g.discs);
    assert_near(list.piece[0].at.x, PLACES[0].x + 0.1, 1e-7);
    frame_free(f);
    background_free(s);
}

// The picture is darker by a third around a place, as a hand's shadow makes it.
static void throw_shadow(struct frame *f, const struct grained *g, struct pt_in at)
{
    enum { REACH_PX = 60 };
    struct pt_px p;
    assert_true(camera_project(&p, &g->camera, (struct pt3_in){ at.x, at.y, 0 }));
    for (int y = (int)p.v - REACH_PX; y < (int)p.v + REACH_PX; y++)
        for (int x = 3 * ((int)p.u - REACH_PX); x < 3 * ((int)p.u + REACH_PX); x++)
            f->bgr[3 * f->width * y + x] = (uint8_t)(2 * f->bgr[3 * f->width * y + x] / 3);
}

static void a_bare_place_is_told_from_a_covered_one_and_one_in_a_shadow(void **state)
{
    (void)state;
    const struct pt_in bare = { 5, 3 }, shaded = { -3, -5 };
    struct grained g = grained_stage(0.5);
    struct background *s = learnt(&g);
    struct board_pose pose = grained_found(&g);
    const struct pt3_in eye = camera_position(&pose.camera);
    g.at[g.discs++] = PLACES[0];
    struct frame *f = grained_frame(&g, 4);
    throw_shadow(f, &g, shaded);
    assert_int_equal(background_look(s, f, &pose, NULL), 0);
    assert_int_equal(background_behind_piece(s, &eye, PLACES[0], 0), BACKGROUND_DIFFERS);
    assert_int_equal(background_behind_piece(s, &eye, bare, 0), BACKGROUND_BARE);
    assert_int_equal(background_behind_piece(s, &eye, shaded, 0), BACKGROUND_SHADED);
    assert_int_equal(background_behind_piece(NULL, &eye, bare, 0), BACKGROUND_UNKNOWN);
    frame_free(f);
    background_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faint_discs_are_found_once_the_empty_board_is_known),
        cmocka_unit_test(another_light_and_a_knock_change_nothing),
        cmocka_unit_test(paint_is_no_disc),
        cmocka_unit_test(where_a_disc_has_left_there_is_none),
        cmocka_unit_test(what_lies_untouched_is_not_measured_again),
        cmocka_unit_test(a_bare_place_is_told_from_a_covered_one_and_one_in_a_shadow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
