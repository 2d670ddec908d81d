// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "referee/announce/overlay.h"
#include "tests/cmocka.h"
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

// All of one colour that nothing else here has.
static struct frame *strange_picture(void)
{
    struct frame *f;
    struct fail why;
    assert_int_equal(frame_create(&f, WIDTH / 2, HEIGHT / 2, &why), 0);
    for (int i = 0; i < f->width * f->height; i++)
        f->bgr[3 * i] = f->bgr[3 * i + 2] = 255;
    return f;
}

static bool is_strange(const struct frame *f, int u, int v)
{
    const uint8_t *p = f->bgr + 3 * (v * f->width + u);
    return p[0] == 255 && p[1] == 0 && p[2] == 255;
}

struct box {
    int u0, v0, u1, v1, pixels;
};

static void stretch(struct box *b, int u, int v)
{
    *b = b->pixels == 0 ? (struct box){ u, v, u, v, 1 }
                        : (struct box){ u < b->u0 ? u : b->u0, v < b->v0 ? v : b->v0, u > b->u1 ? u : b->u1,
                                        v > b->v1 ? v : b->v1, b->pixels + 1 };
}

// Where pixels are another than in the other picture.
static struct box changed(const struct frame *a, const struct frame *b)
{
    struct box box = { .pixels = 0 };
    for (int v = 0; v < HEIGHT; v++)
        for (int u = 0; u < WIDTH; u++)
            if (memcmp(a->bgr + 3 * (v * WIDTH + u), b->bgr + 3 * (v * WIDTH + u), 3) != 0)
                stretch(&box, u, v);
    return box;
}

// Also of a target in the ring, of which nothing is said otherwise.
static void what_a_judge_put_on_is_told_as_his(void **state)
{
    (void)state;
    static struct scene seen, put_on;
    struct detection target = { .kind = PIECE_MARBLE, .at = { 10, 5 }, .radius_in = 0.31, .certainty = 1 };
    target.cov = (struct cov_in2){ 1e-4, 0, 1e-4 };
    strcpy(target.colour, "target");
    for (int i = 0; i < 2; i++) {
        set(&seen, i ? "ring-7ft" : "crokinole-nca", i ? target : disc_at(6, 0));
        set(&put_on, i ? "ring-7ft" : "crokinole-nca", i ? target : disc_at(6, 0));
        put_on.table.piece[0].put_on = true;
        draw(&seen);
        draw(&put_on);
        assert_true(changed(seen.frame, put_on.frame).pixels > 100);
        frame_free(seen.frame);
        frame_free(put_on.frame);
    }
}

static void assert_beside(const struct box *b, const struct scene *s, const char *what)
{
    const struct detection *p = &s->view.piece[0];
    double r = overlay_radius_px(&s->pose, p);
    if (p->px.u + r > b->u0 && p->px.u - r < b->u1 && p->px.v + r > b->v0 && p->px.v - r < b->v1)
        fail_msg("the %s from %d %d to %d %d covers the piece at %.0f %.0f", what, b->u0, b->v0, b->u1, b->v1, p->px.u,
                 p->px.v);
}

// A picture and a table each take a corner in which no piece lies, whichever that is, and not the same.
static void pictures_and_tables_never_cover_a_piece(void **state)
{
    (void)state;
    static const struct pt_in corners[] = { { -16, 10 }, { 16, 10 }, { -14, -10 }, { 14, -10 } };
    static const struct score_table score = { .title = "Crokinole",
                                              .columns = 1,
                                              .head = { "points" },
                                              .rows = 2,
                                              .row = { { "Ann", "red", true, { "2" } },
                                                       { "Ben", "black", false, { "0" } } } };
    enum { LEAST_PIXELS = WIDTH * HEIGHT / 12, FROM_EDGE_PX = 12 };
    static struct scene bare, s;
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++) {
        struct detection p = disc_at(corners[i].x, corners[i].y);
        struct box inset = { .pixels = 0 };
        set(&bare, "crokinole-nca", p);
        assert_true(camera_project(&p.px, &bare.pose.camera, (struct pt3_in){ p.at.x, p.at.y, 0 }));
        assert_true(p.px.u > 20 && p.px.u < WIDTH - 20 && p.px.v > 20 && p.px.v < HEIGHT - 20);
        frame_free(bare.frame);
        set(&bare, "crokinole-nca", p);
        set(&s, "crokinole-nca", p);
        struct frame *strange = strange_picture();
        s.overlay.score = &score;
        draw(&bare);
        draw(&s);
        struct box table = changed(s.frame, bare.frame);
        assert_true(table.pixels > 2000);
        assert_beside(&table, &s, "table");
        memset(s.frame->bgr, 0, 3 * WIDTH * HEIGHT);
        s.overlay.inset = strange;
        draw(&s);
        for (int v = 0; v < HEIGHT; v++)
            for (int u = 0; u < WIDTH; u++)
                if (is_strange(s.frame, u, v))
                    stretch(&inset, u, v);
        assert_beside(&inset, &s, "picture");
        if (inset.pixels < LEAST_PIXELS || inset.pixels != (inset.u1 - inset.u0 + 1) * (inset.v1 - inset.v0 + 1))
            fail_msg("%d pixels from %d %d to %d %d", inset.pixels, inset.u0, inset.v0, inset.u1, inset.v1);
        assert_true(inset.u0 < FROM_EDGE_PX || inset.u1 > WIDTH - FROM_EDGE_PX);
        assert_true(inset.v0 < FROM_EDGE_PX || inset.v1 > HEIGHT - FROM_EDGE_PX);
        frame_free(strange);
        frame_free(bare.frame);
        frame_free(s.frame);
    }
}

// A marble of a few pixels is enlarged on a sheet; a disc that can be made out is not.
static void what_is_too_small_is_enlarged_beside_it(void **state)
{
    (void)state;
    struct detection marble = { .kind = PIECE_MARBLE, .at = { 10, 5 }, .radius_in = 0.3125, .certainty = 1 };
    static struct scene s, bare;
    strcpy(marble.colour, "white");
    set(&s, "ring-7ft", marble);
    assert_true(camera_project(&marble.px, &s.pose.camera, (struct pt3_in){ 10, 5, 0.3 }));
    frame_free(s.frame);
    set(&s, "ring-7ft", marble);
    s.overlay.enlarges = true;
    for (int v = -2; v <= 2; v++)
        for (int u = -2; u <= 2; u++)
            memcpy(s.frame->bgr + 3 * ((int)(marble.px.v + v) * WIDTH + (int)(marble.px.u + u)), "\377\0\377", 3);
    draw(&s);
    int strange = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        strange += is_strange(s.frame, i % WIDTH, i / WIDTH);
    assert_true(strange > 25 * 20);
    frame_free(s.frame);

    set(&s, "crokinole-nca", disc_at(6, 0));
    set(&bare, "crokinole-nca", disc_at(6, 0));
    s.overlay.enlarges = true;
    draw(&s);
    draw(&bare);
    assert_int_equal(changed(s.frame, bare.frame).pixels, 0);
    frame_free(s.frame);
    frame_free(bare.frame);
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
        cmocka_unit_test(what_a_judge_put_on_is_told_as_his),
        cmocka_unit_test(pictures_and_tables_never_cover_a_piece),
        cmocka_unit_test(what_is_too_small_is_enlarged_beside_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
