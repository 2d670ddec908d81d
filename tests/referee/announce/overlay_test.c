// SPDX-License-Identifier: MIT
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "referee/announce/overlay.h"
#include "tests/calibration/view.h"

enum { WIDTH = 640, HEIGHT = 480, REACH_PX = 6 };

struct scene {
    struct frame *frame;
    struct board_pose pose;
    struct tracker_view view;
    struct piece_table table;
    struct overlay overlay;
};

// One piece on an empty board seen slantwise.
static void set(struct scene *s, const char *board, struct detection piece)
{
    struct detection_list list = { .count = 1, .piece = { piece } };
    struct observation o[PHOTO_OBSERVATIONS_MAX];
    struct fail why = { .text = "" };
    *s = (struct scene){ .pose = { .found = true, .board = *board_builtin(board) } };
    s->pose.camera = view_of_board(WIDTH, HEIGHT, 620, 0, 0.4, 0, s->pose.board.circle_in[0] * 3.4);
    s->view = (struct tracker_view){ .count = 1, .id = { 1 }, .piece = { piece } };
    int n = detection_photo(o, &list);
    for (int i = 0; i < n; i++)
        piece_table_follow(&s->table, &s->pose.board, &o[i]);
    s->overlay = (struct overlay){ .pose = &s->pose, .view = &s->view, .table = &s->table, .board = &s->pose.board };
    assert_int_equal(frame_create(&s->frame, WIDTH, HEIGHT, &why), 0);
}

static void draw(struct scene *s)
{
    struct fail why = { .text = "" };
    if (overlay_draw(s->frame, &s->overlay, &why) < 0)
        fail_msg("%s", why.text);
}

// Is anything drawn within REACH_PX of the image of that place?
static bool inked(const struct scene *s, struct pt3_in at)
{
    struct pt_px px;
    assert_true(camera_project(&px, &s->pose.camera, at));
    for (int v = (int)px.v - REACH_PX; v <= (int)px.v + REACH_PX; v++)
        for (int u = (int)px.u - REACH_PX; u <= (int)px.u + REACH_PX; u++)
            if (u >= 0 && v >= 0 && u < WIDTH && v < HEIGHT && s->frame->bgr[3 * (v * WIDTH + u) + 1] > 60)
                return true;
    return false;
}

static struct detection disc_at(double x_in, double y_in)
{
    struct detection p = { .kind = PIECE_DISC, .at = { x_in, y_in }, .radius_in = 0.625, .lab = { 60, 40, 20 } };
    p.cov = (struct cov_in2){ 1e-4, 0, 1e-4 };
    strcpy(p.colour, "red");
    return p;
}

static void lines_and_rims_are_where_they_are_seen(void **state)
{
    (void)state;
    static struct scene s;
    set(&s, "crokinole-nca", disc_at(-6, 0.5));
    draw(&s);
    const struct board *b = &s.pose.board;
    for (int i = 0; i < b->circles; i++)
        assert_true(inked(&s, (struct pt3_in){ 0, b->circle_in[i], 0 }));
    assert_true(inked(&s, (struct pt3_in){ -6, 0.5 + 0.625, b->piece_height_in }));
    assert_false(inked(&s, (struct pt3_in){ 0, -6, 0 }));
    frame_free(s.frame);
}

static void the_whole_board_has_the_quadrant_lines_that_were_seen(void **state)
{
    (void)state;
    static struct scene s;
    for (int k = 0; k < 4; k++) {
        bool whole = k & 1, seen = k & 2;
        set(&s, "crokinole-nca", disc_at(-6, 0.5));
        s.overlay.whole_board = whole;
        s.pose.turn_seen = seen;
        draw(&s);
        for (int i = 0; i < 4; i++)
            assert_int_equal(inked(&s, (struct pt3_in){ 10 * cos(i * PI / 2), 10 * sin(i * PI / 2), 0 }),
                             whole && seen);
        frame_free(s.frame);
    }
}

static void a_marble_is_outlined_where_its_sphere_ends(void **state)
{
    (void)state;
    static struct scene s;
    struct detection p = {
        .kind = PIECE_MARBLE, .at = { 10, 5 }, .radius_in = 5, .taw = true, .certainty = 1, .lab = { 70, 0, 0 }
    };
    strcpy(p.colour, "white"); // as large as a melon, so that its outline can be told from its centre
    set(&s, "ring-7ft", p);
    draw(&s);
    assert_true(inked(&s, (struct pt3_in){ 10 - 5, 5, 5 }));
    assert_false(inked(&s, (struct pt3_in){ 10, 5, 5 }));
    frame_free(s.frame);
}

static void a_board_that_was_not_found_is_not_drawn(void **state)
{
    (void)state;
    static struct scene s;
    set(&s, "crokinole-nca", disc_at(0, 6));
    s.pose.found = false;
    draw(&s);
    for (int i = 0; i < 3 * WIDTH * HEIGHT; i++)
        assert_int_equal(s.frame->bgr[i], 0);
    frame_free(s.frame);
}

static void a_close_call_looks_different(void **state)
{
    (void)state;
    static struct scene firm, close;
    set(&firm, "crokinole-nca", disc_at(7.3, 0));
    set(&close, "crokinole-nca", disc_at(7.3, 0));
    close.table.piece[0].lying.cov = (struct cov_in2){ 1, 0, 1 };
    draw(&firm);
    draw(&close);
    assert_true(memcmp(firm.frame->bgr, close.frame->bgr, 3 * WIDTH * HEIGHT) != 0);
    frame_free(firm.frame);
    frame_free(close.frame);
}

static void the_oldest_line_makes_room(void **state)
{
    (void)state;
    struct overlay_lines l = { 0 };
    for (int i = 0; i < OVERLAY_LINES_MAX + 2; i++)
        overlay_say(&l, "line %d", i);
    assert_int_equal(l.count, OVERLAY_LINES_MAX);
    assert_string_equal(l.line[0], "line 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_and_rims_are_where_they_are_seen),
        cmocka_unit_test(the_whole_board_has_the_quadrant_lines_that_were_seen),
        cmocka_unit_test(a_marble_is_outlined_where_its_sphere_ends),
        cmocka_unit_test(a_board_that_was_not_found_is_not_drawn),
        cmocka_unit_test(a_close_call_looks_different),
        cmocka_unit_test(the_oldest_line_makes_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
