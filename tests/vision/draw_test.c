// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/units.h"
#include "vision/draw.h"

enum { SIDE = 64 };
static const struct ink white = { 255, 255, 255, 1 };

static struct frame *black(void)
{
    struct frame *f;
    struct fail why = { 0 };
    assert_int_equal(frame_create(&f, SIDE, SIDE, &why), 0);
    return f;
}

static int at(const struct frame *f, int x, int y)
{
    return f->bgr[3 * (y * f->width + x)];
}

// What was painted, in pixels of full ink, and where its middle is.
static double painted(const struct frame *f, struct pt_px *middle)
{
    double sum = 0, u = 0, v = 0;
    for (int y = 0; y < f->height; y++)
        for (int x = 0; x < f->width; x++) {
            sum += at(f, x, y) / 255.0;
            u += x * at(f, x, y) / 255.0;
            v += y * at(f, x, y) / 255.0;
        }
    *middle = (struct pt_px){ u / sum, v / sum };
    return sum;
}

static void a_disc_has_its_area_and_centre(void **state)
{
    (void)state;
    static const struct {
        struct pt_px centre;
        double radius;
    } rows[] = { { { 32, 32 }, 10 }, { { 30.3, 31.7 }, 10.4 }, { { 20.5, 40.25 }, 3.2 } };
    for (size_t i = 0; i < countof(rows); i++) {
        struct frame *f = black();
        struct pt_px middle;
        draw_disc(f, rows[i].centre, rows[i].radius, white);
        double area = painted(f, &middle), wanted = PI * rows[i].radius * rows[i].radius;
        if (fabs(area - wanted) > 0.02 * wanted ||
            hypot(middle.u - rows[i].centre.u, middle.v - rows[i].centre.v) > 0.03)
            fail_msg("row %zu: area %.2f for %.2f at (%.2f, %.2f)", i, area, wanted, middle.u, middle.v);
        frame_free(f);
    }
}

static void a_polygon_has_its_area_in_either_sense(void **state)
{
    (void)state;
    static const struct pt_px kite[] = { { 10, 30 }, { 30.5, 10 }, { 50, 30.2 }, { 30, 55 } };
    double area[2], wanted = 0;
    for (int i = 0; i < 4; i++)
        wanted += (kite[i].u * kite[(i + 1) % 4].v - kite[(i + 1) % 4].u * kite[i].v) / 2;
    for (int sense = 0; sense < 2; sense++) {
        struct frame *f = black();
        struct pt_px points[4], middle;
        for (int i = 0; i < 4; i++)
            points[i] = kite[sense ? 3 - i : i];
        draw_polygon(f, points, 4, white);
        area[sense] = painted(f, &middle);
        frame_free(f);
    }
    assert_true(fabs(area[0] - wanted) < 0.01 * wanted);
    assert_true(fabs(area[0] - area[1]) < 0.1);
}

static void a_line_is_as_thick_as_asked(void **state)
{
    (void)state;
    static const double pens[] = { 0.5, 1, 2, 3.5, 8 };
    static const struct pt_px slanted[] = { { -80, -40.5 }, { 140, 80.5 } }; // through the picture and far beyond
    for (size_t i = 0; i < countof(pens); i++) {
        struct frame *f = black();
        double column = 0;
        draw_line(f, slanted, 2, pens[i], white);
        for (int y = 0; y < SIDE; y++)
            for (int x = 10; x < 40; x++)
                column += at(f, x, y) / 255.0 / 30;
        double wanted = pens[i] * hypot(220, 121) / 220; // cut straight down
        if (fabs(column - wanted) > 0.05 * wanted + 0.02)
            fail_msg("pen %.1f: %.2f pixels for %.2f", pens[i], column, wanted);
        frame_free(f);
    }
}

static void a_line_goes_through_its_points_and_no_farther(void **state)
{
    (void)state;
    static const struct pt_px square[] = { { 10, 10 }, { 50, 10 }, { 50, 50 }, { 10, 50 } };
    struct frame *f = black();
    draw_line(f, square, 4, 2, white);
    assert_int_equal(at(f, 50, 30), 255);
    assert_int_equal(at(f, 10, 30), 0);
    frame_free(f);
}

static void alpha_mixes(void **state)
{
    (void)state;
    struct frame *f = black();
    draw_disc(f, (struct pt_px){ 32, 32 }, 9, (struct ink){ 200, 100, 50, 0.5 });
    const uint8_t *p = f->bgr + 3 * (32 * SIDE + 32);
    assert_in_range(p[0], 99, 101);
    assert_in_range(p[1], 49, 51);
    assert_in_range(p[2], 24, 26);
    frame_free(f);
}

static void text_is_on_a_ground_inside_the_picture(void **state)
{
    (void)state;
    static const struct {
        struct pt_px at;
        enum draw_side side;
    } rows[] = { { { 32, 32 }, DRAW_CENTRED }, { { -500, 900 }, DRAW_LEFT_OF }, { { 63, 0 }, DRAW_RIGHT_OF } };
    for (size_t i = 0; i < countof(rows); i++) {
        struct frame *f;
        struct fail why = { 0 };
        double w, h;
        int ground = 0, light = 0;
        assert_int_equal(frame_create(&f, 300, 80, &why), 0);
        memset(f->bgr, 128, (size_t)300 * 80 * 3);
        assert_int_equal(draw_text(f, rows[i].at, rows[i].side, 12, white, "target 4 OUT", &why), 0);
        assert_int_equal(draw_text_size(&w, &h, 12, "target 4 OUT", &why), 0);
        for (int k = 0; k < 300 * 80; k++) {
            ground += f->bgr[3 * k] != 128;
            light += f->bgr[3 * k] > 180;
        }
        if (abs(ground - (int)(w * h)) > w * h / 50 || light < w * h / 30 || light > w * h / 3)
            fail_msg("row %zu: %d pixels of ground for %g, %d of letters", i, ground, w * h, light);
        frame_free(f);
    }
}

// Nothing a caller can say makes it write beside the picture: the sanitizers watch.
static void absurd_places_do_no_harm(void **state)
{
    (void)state;
    static const double odd[] = { -1e300, -100, -0.5, 0, 63.5, 64, 1e5, 1e9, NAN, INFINITY };
    struct frame *f = black();
    struct fail why = { 0 };
    for (size_t i = 0; i < countof(odd); i++)
        for (size_t k = 0; k < countof(odd); k++) {
            struct pt_px p[3] = { { odd[i], odd[k] }, { 20, 20 }, { odd[k], 5 } };
            draw_line(f, p, 3, 3, white);
            draw_line(f, p, 1, 3, white);
            draw_polygon(f, p, 3, white);
            draw_disc(f, p[0], 5, white);
            draw_disc(f, p[1], odd[i], white);
            assert_int_equal(
                draw_text(f, p[0], DRAW_CENTRED, 10, white, "a text longer than the picture is wide", &why), 0);
        }
    assert_int_equal(draw_text(f, (struct pt_px){ 1, 1 }, DRAW_CENTRED, NAN, white, "a", &why), RS_EINPUT);
    assert_int_equal(draw_text(f, (struct pt_px){ 1, 1 }, DRAW_CENTRED, 12, white, "\xe2\x82\xac \n %s", &why), 0);
    frame_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disc_has_its_area_and_centre),
        cmocka_unit_test(a_polygon_has_its_area_in_either_sense),
        cmocka_unit_test(a_line_is_as_thick_as_asked),
        cmocka_unit_test(a_line_goes_through_its_points_and_no_farther),
        cmocka_unit_test(alpha_mixes),
        cmocka_unit_test(text_is_on_a_ground_inside_the_picture),
        cmocka_unit_test(absurd_places_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
