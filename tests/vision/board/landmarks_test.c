// SPDX-License-Identifier: MIT
// Painted things whose circles fit a board's or a ring's: what must be taken for one, and what must not, and with which
// word.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/calibration/view.h"
#include "tests/sanitized.h"
#include "tests/vision/board/painted.h"
#include "vision/board/find.h"
#include "vision/board/candidate_refine.h"
#include "vision/board/lens_prior.h"

enum { WIDTH = 960, HEIGHT = 720 };
static const struct paint DARK_LINES = { { 60, 70, 80 }, { 150, 190, 215 }, { 40, 40, 45 }, 2, 0 };
static const struct paint CARPET = { { 90, 100, 95 }, { 90, 100, 95 }, { 30, 30, 30 }, 4, 0 };

// Straight lines like the painted ones, evenly spaced.
struct spokes {
    int count;
    double from_in, to_in;
};

static void rule_spokes(struct frame *f, const struct camera *c, const struct spokes *s, const struct paint *p)
{
    const double half_in = 0.06, apart_rad = 2 * PI / s->count;
    for (int v = 0; v < f->height; v++)
        for (int u = 0; u < f->width; u++) {
            struct pt_in at;
            if (!camera_locate(&at, c, (struct pt_px){ u, v }, 0))
                continue;
            double r = hypot(at.x, at.y), off = remainder(atan2(at.y, at.x), apart_rad) * r;
            if (fabs(off) < half_in && r > s->from_in && r < s->to_in)
                for (int i = 0; i < 3; i++)
                    f->bgr[3 * (v * f->width + u) + i] = (uint8_t)p->line[i];
        }
}

struct row {
    const char *what;
    const char *wanted;                  // the board that is asked for
    int circles;                         // painted, outermost first
    double circle_in[BOARD_MAX_CIRCLES]; //
    bool quadrants, hole;
    double background_in; // where the ground begins; 0: none
    const struct paint *paint;
    struct spokes spokes; // besides, count 0: none
    double lamp_in;       // radius at which the lamp over the middle gives half of its light; 0: the light is even
    double mat_in;        // radius of a mat of the ground's colour but another weave; 0: none
    double tilt_rad, far_in;
    const char *refusal; // a word of it; NULL: must be found
};

static void lay_mat(struct frame *f, const struct camera *c, double radius_in)
{
    const double weave = 12;
    uint32_t seed = 7;
    for (int v = 0; v < f->height; v++)
        for (int u = 0; u < f->width; u++) {
            struct pt_in at;
            double off = weave * painted_noise(&seed);
            if (!camera_locate(&at, c, (struct pt_px){ u, v }, 0) || hypot(at.x, at.y) > radius_in)
                continue;
            uint8_t *pixel = f->bgr + 3 * (v * f->width + u);
            for (int i = 0; i < 3; i++)
                pixel[i] = (uint8_t)fmin(fmax(pixel[i] + off, 0), 255);
        }
}

static void light_middle(struct frame *f, const struct camera *c, double half_in)
{
    for (int v = 0; v < f->height; v++)
        for (int u = 0; u < f->width; u++) {
            struct pt_in at;
            bool ground = camera_locate(&at, c, (struct pt_px){ u, v }, 0);
            double r2 = ground ? at.x * at.x + at.y * at.y : INFINITY;
            for (int i = 0; i < 3; i++) {
                uint8_t *light = f->bgr + 3 * (v * f->width + u) + i;
                *light = (uint8_t)(*light / (1 + r2 / (half_in * half_in)));
            }
        }
}

static void look(const struct row *row)
{
    struct board b = *board_builtin(row->wanted);
    struct camera c = view_of_board(WIDTH, HEIGHT, 800, -0.02, row->tilt_rad, 0.35, row->far_in);
    struct frame *f = NULL;
    struct board_pose found;
    struct fail why = { .text = "" };
    b.circles = row->circles;
    memcpy(b.circle_in, row->circle_in, sizeof b.circle_in);
    b.quadrant_lines = row->quadrants;
    b.surface_radius_in = row->background_in;
    b.line_width_in = b.kind == BOARD_RING ? 0.8 : 0.1;
    if (!row->hole)
        b.hole_radius_in = 0;
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, &why), 0);
    paint_board(f, &c, &b, row->paint);
    if (row->spokes.count)
        rule_spokes(f, &c, &row->spokes, row->paint);
    if (row->mat_in > 0)
        lay_mat(f, &c, row->mat_in);
    if (row->lamp_in > 0)
        light_middle(f, &c, row->lamp_in);
    assert_int_equal(board_find(&found, f, board_builtin(row->wanted), NULL, &tuning_defaults, &why), 0);
    frame_free(f);
    if (found.found != !row->refusal)
        fail_msg("%s: %s", row->what, found.found ? "taken for a board" : why.text);
    if (row->refusal && !strstr(why.text, row->refusal))
        fail_msg("%s: refused, but with \"%s\"", row->what, why.text);
}

static void boards_are_told_by_their_furniture(void **state)
{
    (void)state;
    const struct row rows[] = {
        { .what = "quadrant lines and a hole",
          .circles = 3,
          .circle_in = { 12, 8, 4 },
          .quadrants = true,
          .hole = true },
        { .what = "three bare circles",
          .circles = 3,
          .circle_in = { 12, 8, 4 },
          .refusal = "quadrant lines, pegs, hole" },
        { .what = "three circles and a hole",
          .circles = 3,
          .circle_in = { 12, 8, 4 },
          .hole = true,
          .refusal = "quadrant lines, pegs not seen" },
        { .what = "a cross through all circles",
          .circles = 3,
          .circle_in = { 12, 8, 4 },
          .hole = true,
          .spokes = { 4, 0, 12 },
          .refusal = "quadrant lines" },
        { .what = "twelve hours",
          .circles = 3,
          .circle_in = { 12, 8, 4 },
          .hole = true,
          .spokes = { 12, 8, 12 },
          .refusal = "quadrant lines" },
        { .what = "a target of six rings",
          .circles = 6,
          .circle_in = { 12, 10, 8, 6, 4, 2 },
          .quadrants = true,
          .hole = true,
          .refusal = "circles" },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        struct row row = rows[i];
        row.wanted = "crokinole-nca";
        row.background_in = 13;
        row.paint = &DARK_LINES;
        row.tilt_rad = 0.4;
        row.far_in = 36;
        look(&row);
    }
}

static void a_ring_lies_alone_on_one_ground(void **state)
{
    (void)state;
    const struct row rows[] = {
        { .what = "a ring", .circles = 1, .circle_in = { 42 }, .far_in = 130 },
        { .what = "a ring under one lamp", .circles = 1, .circle_in = { 42 }, .lamp_in = 50, .far_in = 130 },
        { .what = "a table's dark edge under one lamp",
          .circles = 1,
          .circle_in = { 42 },
          .background_in = 42.9,
          .paint = &DARK_LINES,
          .lamp_in = 50,
          .far_in = 130,
          .refusal = "grounds" },
        { .what = "a second ring outside", .circles = 2, .circle_in = { 60, 42 }, .far_in = 190, .refusal = "circle" },
        { .what = "a small ring far within",
          .circles = 2,
          .circle_in = { 42, 12 },
          .far_in = 130,
          .refusal = "circle" },
        { .what = "a table's dark edge",
          .circles = 1,
          .circle_in = { 42 },
          .background_in = 42.9,
          .paint = &DARK_LINES,
          .far_in = 130,
          .refusal = "grounds" },
        { .what = "a mat of the carpet's colour",
          .circles = 1,
          .circle_in = { 42 },
          .mat_in = 42,
          .far_in = 130,
          .refusal = "grounds" },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        struct row row = rows[i];
        row.wanted = "ring-7ft";
        row.paint = row.paint ? row.paint : &CARPET;
        for (int tilt = 0; tilt < (SANITIZED ? 1 : 3); tilt++) {
            row.tilt_rad = 0.1 + 0.35 * tilt;
            look(&row);
        }
    }
}

static void no_camera_sees_more_than_there_is(void **state)
{
    (void)state;
    struct lens l = { .width = WIDTH, .height = HEIGHT, .f_px = 0.36 * WIDTH };
    assert_true(lens_prior_allows(&l)); // the widest of a phone's three
    l.f_px = 0.12 * WIDTH;
    assert_false(lens_prior_allows(&l));
}

// Places near the horizon lie farther away than an int can say.
static void edges_at_the_horizon_are_left_out(void **state)
{
    (void)state;
    enum { EDGES = 400 };
    struct camera c = view_of_board(WIDTH, HEIGHT, 800, 0, 1.2, 0, 40), before = c;
    struct edge edge[EDGES];
    float v = (float)(c.lens.centre.v - 800 / tan(1.2));
    for (int i = 0; i < EDGES / 2; i++)
        v = nextafterf(v, 0);
    for (int i = 0; i < EDGES; i++, v = nextafterf(v, HEIGHT))
        edge[i] = (struct edge){ .u = (float)c.lens.centre.u, .v = v, .dv = 1, .strength = 100 };
    const struct edge_list list = { edge, EDGES, 1 };
    assert_int_equal(candidate_refine(&c, &list, false, &tuning_defaults.board, NULL), 0);
    assert_memory_equal(&c, &before, sizeof c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boards_are_told_by_their_furniture),
        cmocka_unit_test(a_ring_lies_alone_on_one_ground),
        cmocka_unit_test(no_camera_sees_more_than_there_is),
        cmocka_unit_test(edges_at_the_horizon_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
