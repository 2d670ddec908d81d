// SPDX-License-Identifier: MIT
// A thin dark line answers in the map of its own direction and in no other as much; a step only towards its bright
// side.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/units.h"
#include "vision/board/oriented.h"

enum { WIDTH = 320, HEIGHT = 240 };

// Wood that is darker by `depth` codes within `half_px` of a straight line through the middle, whose normal points
// there; or, with no such width, on the side against the normal.
static struct frame *picture(double normal_rad, double half_px, double depth)
{
    struct frame *f;
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, NULL), 0);
    for (int v = 0; v < HEIGHT; v++)
        for (int u = 0; u < WIDTH; u++) {
            double off = (u - WIDTH / 2) * cos(normal_rad) + (v - HEIGHT / 2) * sin(normal_rad);
            double dark = half_px > 0 ? fmin(fmax(half_px + 0.5 - fabs(off), 0), 1) : fmin(fmax(0.5 - off, 0), 1);
            memset(f->bgr + 3 * (v * WIDTH + u), (int)lround(180 - depth * dark), 3);
        }
    return f;
}

static void a_line_answers_in_its_direction(void **state)
{
    (void)state;
    for (int k = 0; k < ORIENTED_LINES; k++) {
        double normal = k * PI / ORIENTED_LINES;
        struct oriented o;
        struct frame *f = picture(normal, 1, 40);
        assert_int_equal(oriented_create(&o, f, NULL, WIDTH, &tuning_defaults.oblique, NULL), 0);
        int own = oriented_line_map(cos(normal), sin(normal));
        assert_int_equal(own, k);
        double mine = oriented_at(&o, own, WIDTH / 2, HEIGHT / 2);
        assert_true(mine > 0.3);
        for (int m = 0; m < ORIENTED_LINES; m++)
            assert_true(m == own || oriented_at(&o, m, WIDTH / 2, HEIGHT / 2) < mine);
        oriented_finish(&o);
        frame_free(f);
    }
}

// Of the kind of line that is looked for alone.
static void a_pale_line_answers_where_pale_ones_are_asked_for(void **state)
{
    (void)state;
    struct oblique_tuning pale = tuning_defaults.oblique;
    pale.line_kind = LINES_PALE;
    for (int k = 0; k < 4; k++) {
        double depth = k % 2 == 0 ? 40 : -40;
        struct oriented o;
        struct frame *f = picture(0, 1, depth);
        assert_int_equal(oriented_create(&o, f, NULL, WIDTH, k < 2 ? &tuning_defaults.oblique : &pale, NULL), 0);
        double answer = oriented_at(&o, oriented_line_map(1, 0), WIDTH / 2, HEIGHT / 2);
        if (k < 2 ? depth > 0 : depth < 0)
            assert_true(answer > 0.3);
        else
            assert_true(answer <= 0.01);
        oriented_finish(&o);
        frame_free(f);
    }
}

// A line as bright as its ground, and redder, answers where red ones are asked for alone; a blue one does not.
static void a_red_line_answers_where_red_ones_are_asked_for(void **state)
{
    (void)state;
    struct oblique_tuning red = tuning_defaults.oblique;
    red.line_kind = LINES_RED;
    for (int k = 0; k < 3; k++) {
        struct oriented o;
        struct frame *f = picture(0, 1, 40);
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            int off = 180 - f->bgr[3 * i]; // of the same luma in B, G and R
            f->bgr[3 * i] = (uint8_t)(180 + (k == 2 ? off : 0));
            f->bgr[3 * i + 1] = (uint8_t)(180 - (k == 2 ? 0 : off / 2));
            f->bgr[3 * i + 2] = (uint8_t)(180 + (k == 2 ? -off * 38 / 100 : off * 98 / 100));
        }
        assert_int_equal(oriented_create(&o, f, NULL, WIDTH, k == 0 ? &tuning_defaults.oblique : &red, NULL), 0);
        double answer = oriented_at(&o, oriented_line_map(1, 0), WIDTH / 2, HEIGHT / 2);
        if (k == 1)
            assert_true(answer > 0.3);
        else
            assert_true(answer < 0.3);
        oriented_finish(&o);
        frame_free(f);
    }
}

// A line so faint, in ground whose red and green are full, that luma has no step left answers where blue is asked for.
static void a_line_in_too_much_light_answers_in_blue(void **state)
{
    (void)state;
    struct oblique_tuning blue = tuning_defaults.oblique;
    blue.line_kind = LINES_BLUE;
    for (int k = 0; k < 2; k++) {
        struct oriented o;
        struct frame *f = picture(0, 1, 4);
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            f->bgr[3 * i + 1] = f->bgr[3 * i + 2] = 255;
        assert_int_equal(oriented_create(&o, f, NULL, WIDTH, k == 0 ? &tuning_defaults.oblique : &blue, NULL), 0);
        double answer = oriented_at(&o, oriented_line_map(1, 0), WIDTH / 2, HEIGHT / 2);
        assert_true(k == 1 ? answer > 0.3 : answer < 0.1);
        oriented_finish(&o);
        frame_free(f);
    }
}

static void a_step_answers_towards_its_bright_side_alone(void **state)
{
    (void)state;
    for (int k = 0; k < ORIENTED_STEPS; k++) {
        double normal = k * 2 * PI / ORIENTED_STEPS;
        struct oriented o;
        struct frame *f = picture(normal, 0, 60);
        assert_int_equal(oriented_create(&o, f, NULL, WIDTH, &tuning_defaults.oblique, NULL), 0);
        int towards = oriented_step_map(cos(normal), sin(normal)), away = oriented_step_map(-cos(normal), -sin(normal));
        assert_int_equal(towards, ORIENTED_LINES + k);
        assert_true(oriented_at(&o, towards, WIDTH / 2, HEIGHT / 2) > 0.2);
        assert_true(oriented_at(&o, away, WIDTH / 2, HEIGHT / 2) < 0.05);
        oriented_finish(&o);
        frame_free(f);
    }
}

static void outside_of_the_picture_nothing_answers(void **state)
{
    (void)state;
    struct oriented o;
    struct frame *f = picture(0, 1, 40);
    assert_int_equal(oriented_create(&o, f, NULL, WIDTH, &tuning_defaults.oblique, NULL), 0);
    const double out[][2] = { { -1, 10 }, { 10, -1 }, { WIDTH, 10 }, { 10, HEIGHT }, { NAN, 10 } };
    for (size_t i = 0; i < countof(out); i++)
        assert_true(oriented_at(&o, 0, out[i][0], out[i][1]) == 0);
    assert_true(oriented_grey(&o, -5, -5) > 100); // the border is repeated
    oriented_finish(&o);
    oriented_finish(&o); // of nothing is nothing
    frame_free(f);
}

// Sums of them are kept in 16 bits (oblique.c).
static void coarse_responses_are_bounded(void **state)
{
    (void)state;
    struct oriented o;
    struct frame *f = picture(0, 1, 180);
    assert_int_equal(oriented_create(&o, f, NULL, WIDTH, &tuning_defaults.oblique, NULL), 0);
    int most = 0;
    for (int m = 0; m < ORIENTED_MAPS; m++)
        for (int y = 0; y < o.coarse_height; y++)
            for (int x = 0; x < o.coarse_width; x++) {
                int size = abs(o.coarse[m][y * o.stride + x]);
                most = size > most ? size : most;
            }
    assert_in_range(most, ORIENTED_UNIT, ORIENTED_MOST); // a line in nothing answers as much as may be
    oriented_finish(&o);
    frame_free(f);
}

// A line is straight for a pinhole; where the lens bent it, it is found as that would see it.
static void a_bent_picture_is_made_straight(void **state)
{
    (void)state;
    const struct lens bent = {
        .width = WIDTH, .height = HEIGHT, .f_px = 400, .centre = { WIDTH / 2, HEIGHT / 2 }, .k1 = -0.8
    };
    struct oriented o;
    struct frame *f = picture(0, 1, 0);
    for (int v = 0; v < HEIGHT; v++)
        for (int u = 0; u < WIDTH; u++) {
            double x = 1, y; // far from the line, where nothing is seen of it
            lens_undistort(&x, &y, &bent, (struct pt_px){ u, v });
            double dark = fmin(fmax(1.5 - fabs(x * bent.f_px - 90), 0), 1);
            memset(f->bgr + 3 * (v * WIDTH + u), (int)lround(180 - 40 * dark), 3);
        }
    assert_int_equal(oriented_create(&o, f, &bent, WIDTH, &tuning_defaults.oblique, NULL), 0);
    for (int v = 30; v < HEIGHT - 30; v += 10) {
        double on = oriented_at(&o, 0, bent.centre.u + 90, v);
        assert_true(on > 0.3);
        assert_true(oriented_at(&o, 0, bent.centre.u + 86, v) < on / 2);
    }
    oriented_finish(&o);
    frame_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_answers_in_its_direction),
        cmocka_unit_test(a_pale_line_answers_where_pale_ones_are_asked_for),
        cmocka_unit_test(a_line_in_too_much_light_answers_in_blue),
        cmocka_unit_test(a_red_line_answers_where_red_ones_are_asked_for),
        cmocka_unit_test(a_step_answers_towards_its_bright_side_alone),
        cmocka_unit_test(coarse_responses_are_bounded),
        cmocka_unit_test(a_bent_picture_is_made_straight),
        cmocka_unit_test(outside_of_the_picture_nothing_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
