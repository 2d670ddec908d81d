// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "referee/announce/close_view.h"
#include "tests/cmocka.h"
#include "tests/calibration/view.h"

enum { WIDTH = 800, HEIGHT = 600 };

static const struct pt_in SPOT = { 7.6, 1.1 }; // painted on the board, beside the piece
static const double SPOT_IN = 0.08;

struct scene {
    struct board_pose pose;
    struct known_piece piece;
    struct frame *frame, *view;
};

// A grey board with a blue spot, seen slantwise; a disc lies there, so far outside its line.
static void set(struct scene *s, const char *board, enum piece_kind kind, double radius_in, struct pt_in at,
                double sigma_in)
{
    struct fail why = { .text = "" };
    *s = (struct scene){ .pose = { .found = true, .board = *board_builtin(board) } };
    const struct board *b = &s->pose.board;
    s->pose.camera = view_of_board(WIDTH, HEIGHT, 900, -0.05, 0.6, 0.3, b->circle_in[0] * 3.2);
    s->piece = (struct known_piece){ .id = 4, .kind = kind, .colour = "red", .rested = true };
    s->piece.lying = (struct resting_piece){
        .at = at, .cov = { sigma_in * sigma_in, 0, sigma_in * sigma_in }, .radius_in = radius_in, .certainty = 1
    };
    assert_int_equal(frame_create(&s->frame, WIDTH, HEIGHT, &why), 0);
    for (int v = 0; v < HEIGHT; v++)
        for (int u = 0; u < WIDTH; u++) {
            struct pt_in on;
            uint8_t *p = s->frame->bgr + 3 * (v * WIDTH + u);
            memset(p, 90, 3);
            if (camera_locate(&on, &s->pose.camera, (struct pt_px){ u, v }, 0) && distance_in(on, SPOT) < SPOT_IN)
                p[0] = 255;
        }
    const struct close_view wish = { s->frame, &s->pose, &s->pose.board, &s->piece };
    if (close_view_make(&s->view, &wish, &why) < 0)
        fail_msg("%s", why.text);
    assert_int_equal(s->view->width, CLOSE_VIEW_WIDTH);
    assert_int_equal(s->view->height, CLOSE_VIEW_HEIGHT);
}

static void finish(struct scene *s)
{
    frame_free(s->frame);
    frame_free(s->view);
}

static const uint8_t *pixel(const struct scene *s, struct pt_px at)
{
    int u = (int)lround(at.u), v = (int)lround(at.v);
    assert_true(u >= 0 && v >= 0 && u < CLOSE_VIEW_WIDTH && v < CLOSE_VIEW_SURFACE);
    return s->view->bgr + 3 * (v * CLOSE_VIEW_WIDTH + u);
}

static bool is_white(const uint8_t *p)
{
    return p[0] > 230 && p[1] > 230 && p[2] > 230;
}

static bool is_line(const uint8_t *p) // blue and green over red, as the board's lines are drawn
{
    return p[0] > 200 && p[1] > 180 && p[2] < 110;
}

static void the_circle_is_where_the_piece_stands_and_the_line_where_it_decides(void **state)
{
    (void)state;
    struct scene s;
    double a = 0.4, at_in = 8 - 0.625 + 0.01; // its outer edge 0.01 in beyond the 10 line
    set(&s, "crokinole-nca", PIECE_DISC, 0.625, (struct pt_in){ at_in * cos(a), at_in * sin(a) }, 0.02);
    const struct board *b = &s.pose.board;
    struct close_view_plane plane = close_view_plane(b, &s.piece);
    struct line_rule line = line_deciding(b, &s.piece.lying);
    assert_true(fabs(line.radius_in - line_of_circle(b, 1).radius_in) < 1e-9);
    for (int i = 0; i < 12; i++) { // not where the line runs over the circle
        double turn = a + PI + (i - 5.5) * 0.3;
        struct pt_in rim = { s.piece.lying.at.x + 0.625 * cos(turn), s.piece.lying.at.y + 0.625 * sin(turn) };
        struct pt_px px = close_view_at(&plane, rim);
        if (px.u < 0 || px.v < 0 || px.u > CLOSE_VIEW_WIDTH - 1 || px.v > CLOSE_VIEW_SURFACE - 60)
            continue; // the scale and the key lie there
        if (!is_white(pixel(&s, px)))
            fail_msg("the circle is not at %.1f, %.1f", px.u, px.v);
        double d = 5 / hypot(px.u - 320, px.v - 240);
        assert_false(is_white(pixel(&s, (struct pt_px){ px.u + d * (320 - px.u), px.v + d * (240 - px.v) })));
    }
    for (int i = -3; i <= 3; i += 6) { // beside the piece
        double turn = a + 0.035 * i, r = line.radius_in;
        struct pt_px px = close_view_at(&plane, (struct pt_in){ r * cos(turn), r * sin(turn) });
        if (!is_line(pixel(&s, px)))
            fail_msg("the line is not at %.1f, %.1f", px.u, px.v);
        // Along the board's radius that lies three pixels of ink farther, but the band has begun.
        struct pt_px off = close_view_at(&plane, (struct pt_in){ (r + 0.02) * cos(turn), (r + 0.02) * sin(turn) });
        assert_false(is_line(pixel(&s, off)));
    }
    finish(&s);
}

static void the_surface_is_where_it_is(void **state)
{
    (void)state;
    struct scene s;
    double at_in = 8 - 0.625 + 0.01;
    set(&s, "crokinole-nca", PIECE_DISC, 0.625, (struct pt_in){ at_in, 0.2 }, 0.001);
    struct close_view_plane plane = close_view_plane(&s.pose.board, &s.piece);
    struct pt_px wanted = close_view_at(&plane, SPOT);
    double u = 0, v = 0, n = 0;
    for (int y = 0; y < CLOSE_VIEW_SURFACE; y++)
        for (int x = 0; x < CLOSE_VIEW_WIDTH; x++) {
            const uint8_t *p = s.view->bgr + 3 * (y * CLOSE_VIEW_WIDTH + x);
            double blue = p[0] > 140 && p[1] < 110 && p[2] < 110 ? p[0] - 90 : 0; // no ink is
            u += blue * x, v += blue * y, n += blue;
        }
    assert_true(n > 0);
    // A pixel of the camera's is a good ten of the enlarged.
    if (hypot(u / n - wanted.u, v / n - wanted.v) > 2)
        fail_msg("the spot is seen at %.1f, %.1f instead of %.1f, %.1f", u / n, v / n, wanted.u, wanted.v);
    finish(&s);
}

// Pixels that are not grey in a column beside the piece: the line with its band.
static int band_px(double sigma_in)
{
    struct scene s;
    double at_in = 8 - 0.625 + 0.01;
    int n = 0;
    set(&s, "crokinole-nca", PIECE_DISC, 0.625, (struct pt_in){ -at_in, 0 }, sigma_in);
    for (int v = 0; v < CLOSE_VIEW_SURFACE - 60; v++) {
        const uint8_t *p = s.view->bgr + 3 * (v * CLOSE_VIEW_WIDTH + 40);
        n += abs(p[0] - p[2]) > 20;
    }
    finish(&s);
    return n;
}

static void the_band_is_two_sigma_to_each_side(void **state)
{
    (void)state;
    double per_in = CLOSE_VIEW_SURFACE / (3 * 0.625), wanted_px = 4 * 0.04 * per_in;
    int wide = band_px(0.04), narrow = band_px(0.02);
    // The line is no radius of that column, so that the band is up to a twentieth higher there; its edges have a pen of
    // a pixel.
    if (wide < wanted_px || wide > 1.06 * wanted_px + 3 || abs(wide - 2 * narrow) > 5)
        fail_msg("bands of %d and %d px, wanted %.0f", wide, narrow, wanted_px);
}

static void a_marble_is_judged_by_its_middle_and_a_hole_by_its_rim(void **state)
{
    (void)state;
    struct scene s;
    set(&s, "ring-7ft", PIECE_MARBLE, 0.3125, (struct pt_in){ 0, -41.99 }, 0.02);
    struct line_rule line = line_deciding(&s.pose.board, &s.piece.lying);
    assert_int_equal(line.by, BY_CENTRE);
    struct close_view_plane plane = close_view_plane(&s.pose.board, &s.piece);
    const uint8_t *p = pixel(&s, close_view_at(&plane, s.piece.lying.at));
    assert_true(p[2] > 240 && p[0] < 20); // the point that decides
    finish(&s);
    set(&s, "crokinole-nca", PIECE_DISC, 0.625, (struct pt_in){ 0, 0 }, 0.02);
    s.piece.lying.plane = IN_HOLE;
    assert_true(fabs(line_deciding(&s.pose.board, &s.piece.lying).radius_in - s.pose.board.hole_radius_in) < 1e-9);
    finish(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_circle_is_where_the_piece_stands_and_the_line_where_it_decides),
        cmocka_unit_test(the_surface_is_where_it_is),
        cmocka_unit_test(the_band_is_two_sigma_to_each_side),
        cmocka_unit_test(a_marble_is_judged_by_its_middle_and_a_hole_by_its_rim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
