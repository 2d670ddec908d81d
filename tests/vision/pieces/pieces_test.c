// SPDX-License-Identifier: MIT
// Discs and marbles painted onto boards through known cameras, height and all, are found where they stand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/calibration/view.h"
#include "tests/near.h"
#include "tests/vision/pieces/stage.h"
#include "vision/colour.h"
#include "vision/pieces/pieces.h"
#include "vision/pieces/side_classifier.h"

enum { STRIPED_PX = 5 }; // half of a face

static void discs_stand_where_they_stand(void **state)
{
    (void)state;
    const double tilts_deg[] = { 0, 30, 50 };
    for (size_t t = 0; t < countof(tilts_deg); t++) {
        struct stage s = crokinole_stage(tilts_deg[t] * PI / 180);
        s.actor[s.count++] = (struct actor){ { 5.5, 1.2 }, 0, RED };
        s.actor[s.count++] = (struct actor){ { -2, -6 }, 0, BLACK };
        s.actor[s.count++] = (struct actor){ { -2, -7.27 }, 0, RED };   // touches the one before
        s.actor[s.count++] = (struct actor){ { -8.1, 0.5 }, 0, BLACK }; // on the line
        struct detection_list list = find_on(&s, &BOARD);
        assert_int_equal(list.count, s.count);
        for (int i = 0; i < s.count; i++) {
            const struct detection *p = nearest(&list, s.actor[i].at);
            assert_near(hypot(p->at.x - s.actor[i].at.x, p->at.y - s.actor[i].at.y), 0, 0.06);
            assert_string_equal(p->colour, s.actor[i].colour == RED ? "red" : "black");
            assert_int_equal(p->plane, ON_SURFACE);
        }
    }
}

static void an_empty_board_has_no_pieces(void **state)
{
    (void)state;
    struct stage s = crokinole_stage(0.5);
    assert_int_equal(find_on(&s, &BOARD).count, 0);
}

static void larger_discs_are_measured(void **state)
{
    (void)state;
    struct stage s = crokinole_stage(0.2);
    double nominal_in = s.board.piece_radius_in;
    s.board.piece_radius_in *= 1.1;
    s.board.piece_height_in *= 1.1;
    for (int i = 0; i < 5; i++)
        s.actor[s.count++] = (struct actor){ { 6 * cos(1.2 * i), 6 * sin(1.2 * i) }, 0, i % 2 ? RED : BLACK };
    struct frame *f;
    struct fail why = { 0 };
    struct detection_list list;
    struct board_pose pose = {
        .found = true, .board = *board_builtin("crokinole-nca"), .camera = s.camera, .fit = { .camera = s.camera }
    };
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, &why), 0);
    paint_board(f, &s.camera, &s.board, &BOARD);
    paint_pieces(f, &s);
    painted_blur(f);
    assert_int_equal(pieces_find(&list, f, &pose, &tuning_defaults, &why), 0);
    frame_free(f);
    assert_int_equal(list.count, 5);
    assert_near(list.piece[0].radius_in / nominal_in, 1.1, 0.06);
}

static void a_disc_in_the_hole_is_seen_and_an_empty_hole_is_not(void **state)
{
    static const double DARKER_RED[3] = { 42, 38, 152 };
    (void)state;
    const double tilts_rad[] = { 0.3, 1.15 };
    for (size_t t = 0; t < countof(tilts_rad); t++) {
        struct stage s = crokinole_stage(tilts_rad[t]);
        s.actor[s.count++] = (struct actor){ { 6, 3 }, 0, RED };
        s.actor[s.count++] = (struct actor){ { -6, 3 }, 0, RED };
        struct detection_list list = find_on(&s, &BOARD);
        assert_int_equal(list.count, 2);
        s.actor[s.count++] = (struct actor){ { 0, 0 }, -s.board.hole_depth_in, RED };
        list = find_on(&s, &BOARD);
        assert_int_equal(list.count, 3);
        const struct detection *in_hole = nearest(&list, (struct pt_in){ 0, 0 });
        assert_int_equal(in_hole->plane, IN_HOLE);
        assert_true(in_hole->certainty > 0.9 && in_hole->certainty < 1);
        s.actor[2].colour = DARKER_RED; // a hand or the rim takes light from it; the paint is the same
        assert_int_equal(find_on(&s, &BOARD).count, 3);
    }
}

// A side's only disc is in the hole: its paint is known from when it lay elsewhere.
static void the_only_disc_of_a_side_is_seen_in_the_hole(void **state)
{
    (void)state;
    struct stage s = crokinole_stage(0.8);
    s.actor[s.count++] = (struct actor){ { 6, 3 }, 0, BLACK };
    for (int lies = 0; lies < 2; lies++) {
        struct board_pose pose = {
            .found = true, .board = s.board, .camera = s.camera, .fit = { .camera = s.camera }, .line_sigma_in = 0.002
        };
        struct detection_list list;
        struct side_colours paints = { .count = 1 };
        colour_bgr_to_lab(paints.colour[0].lab, RED);
        struct frame *f = draw(&s, &BOARD);
        painted_blur(f);
        const struct pieces_known known = { .paints = &paints };
        assert_int_equal(pieces_find_on(&list, f, &pose, &known, &tuning_defaults, NULL), 0);
        assert_int_equal(list.count, 1 + lies);
        assert_true(!lies || nearest(&list, (struct pt_in){ 0, 0 })->plane == IN_HOLE);
        frame_free(f);
        s.actor[s.count++] = (struct actor){ { 0, 0 }, -s.board.hole_depth_in, RED };
    }
}

// What lies in the hole lies in light of its own.
static void glossy_black_discs_on_a_bright_board_are_not_white(void **state)
{
    (void)state;
    static const double GLOSSY[3] = { 132, 130, 131 };
    static const struct paint bright = { { 53, 48, 45 }, { 200, 222, 232 }, { 40, 40, 45 }, 2, 0 };
    struct stage s = crokinole_stage(1.15);
    s.actor[s.count++] = (struct actor){ { 6, 3 }, 0, GLOSSY };
    s.actor[s.count++] = (struct actor){ { -6, 3 }, 0, GLOSSY };
    s.actor[s.count++] = (struct actor){ { 2, -6 }, 0, RED };
    s.actor[s.count++] = (struct actor){ { 0, 0 }, -s.board.hole_depth_in, RED };
    struct detection_list list = find_on(&s, &bright);
    assert_int_equal(list.count, s.count);
    for (int i = 0; i < s.count; i++) {
        const struct detection *p = nearest(&list, s.actor[i].at);
        assert_string_equal(p->colour, s.actor[i].colour == GLOSSY ? "black" : "red");
        assert_near(p->ground_l, p->plane == IN_HOLE ? 0 : 89, 2);
    }
}

// Towards the camera from the hole it hides that, and where a disc in the hole would show its face it shows its own.
static void a_disc_that_overhangs_the_hole_is_not_in_it(void **state)
{
    (void)state;
    struct stage s = crokinole_stage(1.25);
    struct pt3_in eye = camera_position(&s.camera);
    const double from_hole_in = 0.85, share = from_hole_in / hypot(eye.x, eye.y);
    struct pt_in at = { share * eye.x, share * eye.y };
    s.actor[s.count++] = (struct actor){ { 6, 3 }, 0, RED };
    s.actor[s.count++] = (struct actor){ { -6, 3 }, 0, RED };
    s.actor[s.count++] = (struct actor){ at, 0, RED };
    struct detection_list list = find_on(&s, &BOARD);
    assert_int_equal(list.count, 3);
    assert_int_equal(nearest(&list, at)->plane, ON_SURFACE);
}

// Its foot is half way down on one side; seen from above it is nearly round, but not where a twenty can lie.
static void a_disc_that_leans_on_the_holes_rim_is_not_in_it(void **state)
{
    (void)state;
    for (double off_in = 0.25; off_in < 0.65; off_in += 0.1) {
        struct stage s = crokinole_stage(0.2);
        s.actor[s.count++] = (struct actor){ { 6, 3 }, 0, RED };
        s.actor[s.count++] = (struct actor){ { -6, 3 }, 0, RED };
        s.actor[s.count++] = (struct actor){ { off_in, 0 }, -s.board.hole_depth_in / 2, RED };
        struct detection_list list = find_on(&s, &BOARD);
        for (int i = 0; i < list.count; i++)
            assert_int_equal(list.piece[i].plane, ON_SURFACE);
    }
}

// Makers paint the hole as they paint the ditch: in red it is no red piece.
static void a_hole_painted_as_the_ditch_is_no_piece(void **state)
{
    (void)state;
    static const struct paint red_ditch = { { 53, 48, 185 }, { 150, 190, 215 }, { 40, 40, 45 }, 2, 0 };
    struct stage s = crokinole_stage(0.3);
    s.actor[s.count++] = (struct actor){ { 6, 3 }, 0, RED };
    s.actor[s.count++] = (struct actor){ { -6, 3 }, 0, RED };
    s.actor[s.count++] = (struct actor){ { 2, -6 }, 0, BLACK };
    assert_int_equal(find_on(&s, &red_ditch).count, s.count);
    s.actor[s.count++] = (struct actor){ { 0, 0 }, -s.board.hole_depth_in, WHITE };
    assert_int_equal(find_on(&s, &red_ditch).count, s.count - 1); // no white piece is known
    s.actor[0].colour = WHITE;
    struct detection_list list = find_on(&s, &red_ditch);
    assert_int_equal(list.count, s.count);
    assert_int_equal(nearest(&list, (struct pt_in){ 0, 0 })->plane, IN_HOLE);
}

// The wood around it tints the dark floor of an empty hole, a disc lies too high for that.
static void a_dark_hole_is_not_a_black_disc(void **state)
{
    static const double FLOOR[3] = { 33, 37, 42 };
    (void)state;
    struct stage s = crokinole_stage(0.1);
    s.actor[s.count++] = (struct actor){ { 6, 3 }, 0, BLACK };
    s.actor[s.count++] = (struct actor){ { -6, 3 }, 0, BLACK };
    s.actor[s.count++] = (struct actor){ { 0, 0 }, -s.board.hole_depth_in, FLOOR };
    assert_int_equal(find_on(&s, &BOARD).count, 2);
    s.actor[2].colour = BLACK;
    assert_int_equal(find_on(&s, &BOARD).count, 3);
}

enum { FIGURES = 4 };

// Two noughts, half an inch high, at each side of the hole.
static void paint_figures(struct frame *f, const struct stage *s, const double *bgr)
{
    static const double from_hole_in = 1.3, apart_in = 0.22, radius_in = 0.2, stroke_in = 0.06;
    for (int v = 0; v < f->height; v++)
        for (int u = 0; u < f->width; u++) {
            struct pt_in p;
            if (!camera_locate(&p, &s->camera, (struct pt_px){ u, v }, 0) || hypot(p.x, p.y) > 2)
                continue;
            for (int k = 0; k < 2 * FIGURES; k++) {
                double turn = k / 2 * 2 * PI / FIGURES, side = k % 2 ? apart_in : -apart_in;
                double x = from_hole_in * cos(turn) - side * sin(turn), y = from_hole_in * sin(turn) + side * cos(turn);
                if (fabs(hypot(p.x - x, p.y - y) - radius_in) < stroke_in)
                    for (int c = 0; c < 3; c++)
                        f->bgr[3 * ((size_t)v * (size_t)f->width + (size_t)u) + (size_t)c] = (uint8_t)bgr[c];
            }
        }
}

// Strong figures under and beside a dark disc on a dark board outweigh what it explains; its side's paint does not
// mind.
static void a_dark_disc_among_painted_figures_is_told_by_its_paint(void **state)
{
    (void)state;
    static const struct paint dark = { { 55, 75, 180 }, { 80, 56, 34 }, { 55, 75, 180 }, 2, 0 };
    static const double figures[3] = { 60, 90, 215 };
    struct stage s = crokinole_stage(0.15);
    s.actor[s.count++] = (struct actor){ { 1.1, 0.95 }, 0, BLACK };
    s.actor[s.count++] = (struct actor){ { -0.3, -1.4 }, 0, BLACK };
    s.actor[s.count++] = (struct actor){ { 6, 3 }, 0, BLACK };
    s.actor[s.count++] = (struct actor){ { -6, 3 }, 0, WHITE };
    struct frame *f;
    struct fail why = { 0 };
    struct detection_list list;
    struct board_pose pose = {
        .found = true, .board = s.board, .camera = s.camera, .fit = { .camera = s.camera }, .line_sigma_in = 0.002
    };
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, &why), 0);
    paint_board(f, &s.camera, &s.board, &dark);
    paint_figures(f, &s, figures);
    paint_pieces(f, &s);
    painted_blur(f);
    assert_int_equal(pieces_find(&list, f, &pose, &tuning_defaults, &why), 0);
    frame_free(f);
    assert_int_equal(list.count, s.count);
    for (int i = 0; i < s.count; i++) {
        const struct detection *p = nearest(&list, s.actor[i].at);
        assert_near(hypot(p->at.x - s.actor[i].at.x, p->at.y - s.actor[i].at.y), 0, 0.1);
        assert_string_equal(p->colour, s.actor[i].colour == WHITE ? "white" : "black");
    }
}

// A sleeve of a side's colour over the board, broader than a disc wherever one may stand, has the paint and no outline
// of a piece. (At 1.5 in from the middle a wedge of 0.9 rad is as wide as a disc, and ends at the hole: what is seen of
// it there is a disc's.)
static void a_sleeve_of_a_sides_colour_is_no_piece(void **state)
{
    (void)state;
    struct paint sleeve = BOARD;
    sleeve.covered_rad = 1.4;
    memcpy(sleeve.ground, RED, sizeof sleeve.ground);
    struct stage s = crokinole_stage(0.15);
    s.actor[s.count++] = (struct actor){ { -6, 3 }, 0, RED };
    s.actor[s.count++] = (struct actor){ { -5, -4 }, 0, RED };
    assert_int_equal(find_on(&s, &sleeve).count, s.count);
}

// Stripes over the middle of a piece.
static void stripe(struct frame *f, const struct stage *s, struct pt_in at)
{
    struct pt_px middle;
    assert_true(camera_project(&middle, &s->camera, (struct pt3_in){ at.x, at.y, s->board.piece_height_in }));
    for (int v = (int)middle.v - STRIPED_PX; v < (int)middle.v + STRIPED_PX; v++)
        for (int u = (int)middle.u - STRIPED_PX; u < (int)middle.u + STRIPED_PX; u++)
            for (int c = 0; c < 3 && u / 3 % 2; c++)
                f->bgr[3 * ((size_t)v * (size_t)f->width + (size_t)u) + (size_t)c] /= 2;
}

// Discs have two colours: what has neither, and a disc's shape, may be a bottle's cap.
static void what_has_no_sides_paint_is_doubtful(void **state)
{
    static const double GREEN[3] = { 60, 140, 60 };
    (void)state;
    struct stage s = crokinole_stage(0.2);
    s.actor[s.count++] = (struct actor){ { 5, 4 }, 0, BLACK };
    s.actor[s.count++] = (struct actor){ { 6, -3 }, 0, BLACK };
    s.actor[s.count++] = (struct actor){ { 0, 6.2 }, 0, GREEN };
    struct frame *f = draw(&s, &BOARD);
    stripe(f, &s, (struct pt_in){ 0, 6.2 });
    struct detection_list list = find_in(f, &s);
    assert_int_equal(list.count, 3); // the other side's, for all that is known
    assert_true(nearest(&list, s.actor[2].at)->certainty > 0.9);
    s.actor[s.count++] = (struct actor){ { -6, 3 }, 0, RED };
    s.actor[s.count++] = (struct actor){ { -5, -4 }, 0, RED };
    f = draw(&s, &BOARD);
    stripe(f, &s, (struct pt_in){ 0, 6.2 });
    list = find_in(f, &s);
    assert_int_equal(list.count, 5);
    for (int i = 0; i < s.count; i++)
        assert_true((nearest(&list, s.actor[i].at)->certainty > 0.9) == (i != 2));
}

// An empty hole has no floor of another colour in its middle; a ring has, whether another of its side is seen or not.
static void a_ring_in_the_hole_is_seen_and_an_empty_hole_is_not(void **state)
{
    (void)state;
    struct stage s = crokinole_stage(0.3);
    s.board = *board_builtin("crokinole-rings-24");
    s.actor[s.count++] = (struct actor){ { 6, 3 }, 0, WHITE };
    struct detection_list list = find_on(&s, &BOARD);
    assert_int_equal(list.count, 1);
    s.actor[s.count++] = (struct actor){ { 0.05, 0 }, -s.board.hole_depth_in, RED };
    list = find_on(&s, &BOARD);
    assert_int_equal(list.count, 2);
    assert_int_equal(nearest(&list, (struct pt_in){ 0, 0 })->plane, IN_HOLE);
}

static void rings_that_touch_are_both_found(void **state)
{
    (void)state;
    struct stage s = crokinole_stage(0.1);
    s.board = *board_builtin("crokinole-rings-24");
    s.actor[s.count++] = (struct actor){ { -6, -5.2 }, 0, RED };
    s.actor[s.count++] = (struct actor){ { -7.25, -5.2 }, 0, RED };
    s.actor[s.count++] = (struct actor){ { 11.3, 0.8 }, 0, BLACK }; // touches the outer line
    struct detection_list list = find_on(&s, &BOARD);
    assert_int_equal(list.count, s.count);
    for (int i = 0; i < s.count; i++)
        assert_near(off_place_in(&list, s.actor[i].at), 0, 0.06);
}

// A shadow of a disc's own size beside it draws as many votes; the disc explains more and must not lose its room to it.
static void a_disc_is_not_lost_to_its_shadow(void **state)
{
    (void)state;
    static const double shadow[3] = { 95, 120, 135 };
    struct stage s = crokinole_stage(0.8);
    s.board.piece_height_in = 0.01; // what lies flat on the wood
    s.actor[s.count++] = (struct actor){ { 6.4, 2.6 }, 0, shadow };
    s.actor[s.count++] = (struct actor){ { -5.6, 2.4 }, 0, shadow };
    struct frame *f;
    struct fail why = { 0 };
    struct detection_list list;
    struct board_pose pose = {
        .found = true, .board = *board_builtin("crokinole-nca"), .camera = s.camera, .fit = { .camera = s.camera }
    };
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, &why), 0);
    paint_board(f, &s.camera, &s.board, &BOARD);
    paint_pieces(f, &s);
    s.board.piece_height_in = pose.board.piece_height_in;
    s.count = 0;
    s.actor[s.count++] = (struct actor){ { 6, 3 }, 0, BLACK };
    s.actor[s.count++] = (struct actor){ { -6, 2.8 }, 0, RED };
    paint_pieces(f, &s);
    painted_blur(f);
    assert_int_equal(pieces_find(&list, f, &pose, &tuning_defaults, &why), 0);
    frame_free(f);
    assert_int_equal(list.count, s.count);
    for (int i = 0; i < s.count; i++)
        assert_near(off_place_in(&list, s.actor[i].at), 0, 0.08);
}

static void marbles_touch_the_floor_under_their_centre(void **state)
{
    (void)state;
    const struct paint carpet = { { 90, 100, 95 }, { 90, 100, 95 }, { 30, 30, 30 }, 3, 0 };
    const double tilts_deg[] = { 5, 35 };
    for (size_t t = 0; t < countof(tilts_deg); t++) {
        struct stage s = { .camera = view_of_board(WIDTH, HEIGHT, 1000, -0.02, tilts_deg[t] * PI / 180, 0, 125),
                           .board = *board_builtin("ring-7ft") };
        s.board.line_width_in = 0.8;
        s.actor[s.count++] = (struct actor){ { 0, 0 }, 0, RED };
        s.actor[s.count++] = (struct actor){ { 12, -7 }, 0, WHITE };
        s.actor[s.count++] = (struct actor){ { -20, 15 }, 0, RED };
        struct detection_list list = find_on(&s, &carpet);
        assert_int_equal(list.count, s.count);
        for (int i = 0; i < s.count; i++)
            assert_near(off_place_in(&list, s.actor[i].at), 0, 0.12);
    }
}

// The line's paint is known from the rest of the line: a marble half on it is placed like any other.
static void marbles_on_the_line_are_placed_like_any_other(void **state)
{
    (void)state;
    const struct paint carpet = { { 90, 100, 95 }, { 90, 100, 95 }, { 30, 30, 30 }, 3, 0 };
    struct stage s = { .camera = view_of_board(WIDTH, HEIGHT, 1000, -0.02, 0.1, 0, 125),
                       .board = *board_builtin("ring-7ft") };
    s.board.line_width_in = 0.8;
    s.actor[s.count++] = (struct actor){ { 0, 0 }, 0, RED };
    s.actor[s.count++] = (struct actor){ { 42.1, 0 }, 0, RED };
    s.actor[s.count++] = (struct actor){ { -25, 33.5 }, 0, WHITE };
    s.actor[s.count++] = (struct actor){ { -42.7, 1 }, 0, WHITE };
    struct detection_list list = find_on(&s, &carpet);
    assert_int_equal(list.count, s.count);
    for (int i = 0; i < s.count; i++)
        assert_near(off_place_in(&list, s.actor[i].at), 0, 0.12);
}

static void one_colour_is_one_side_two_are_two(void **state)
{
    (void)state;
    struct detection_list list = { .count = 4 };
    const double labs[4][3] = { { 45, 50, 30 }, { 52, 46, 28 }, { 40, 52, 31 }, { 48, 49, 27 } };
    for (int i = 0; i < 4; i++)
        memcpy(list.piece[i].lab, labs[i], sizeof labs[i]);
    sides_tell_apart(&list, &tuning_defaults.appearance);
    for (int i = 1; i < 4; i++)
        assert_string_equal(list.piece[i].colour, list.piece[0].colour);
    assert_string_equal(list.piece[0].colour, "red");
    const double black[3] = { 12, 0, 0 };
    memcpy(list.piece[3].lab, black, sizeof black);
    sides_tell_apart(&list, &tuning_defaults.appearance);
    assert_string_equal(list.piece[0].colour, "red");
    assert_string_equal(list.piece[3].colour, "black");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discs_stand_where_they_stand),
        cmocka_unit_test(an_empty_board_has_no_pieces),
        cmocka_unit_test(larger_discs_are_measured),
        cmocka_unit_test(a_disc_in_the_hole_is_seen_and_an_empty_hole_is_not),
        cmocka_unit_test(the_only_disc_of_a_side_is_seen_in_the_hole),
        cmocka_unit_test(glossy_black_discs_on_a_bright_board_are_not_white),
        cmocka_unit_test(a_disc_that_overhangs_the_hole_is_not_in_it),
        cmocka_unit_test(a_disc_that_leans_on_the_holes_rim_is_not_in_it),
        cmocka_unit_test(a_hole_painted_as_the_ditch_is_no_piece),
        cmocka_unit_test(a_dark_hole_is_not_a_black_disc),
        cmocka_unit_test(a_dark_disc_among_painted_figures_is_told_by_its_paint),
        cmocka_unit_test(a_sleeve_of_a_sides_colour_is_no_piece),
        cmocka_unit_test(what_has_no_sides_paint_is_doubtful),
        cmocka_unit_test(a_ring_in_the_hole_is_seen_and_an_empty_hole_is_not),
        cmocka_unit_test(rings_that_touch_are_both_found),
        cmocka_unit_test(a_disc_is_not_lost_to_its_shadow),
        cmocka_unit_test(marbles_touch_the_floor_under_their_centre),
        cmocka_unit_test(marbles_on_the_line_are_placed_like_any_other),
        cmocka_unit_test(one_colour_is_one_side_two_are_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
