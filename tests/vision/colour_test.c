// SPDX-License-Identifier: MIT
// Codes, light and CIE L*a*b* of one colour, there and back; a mixture is told from another colour.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calibration/units.h"
#include "tests/near.h"
#include "vision/colour.h"

static void light_of_a_colour_and_back_is_the_colour(void **state)
{
    (void)state;
    static const double labs[][3] = { { 50, 20, -30 }, { 4, 1, -1 }, { 97, -8, 60 } };
    for (size_t i = 0; i < countof(labs); i++) {
        double light[3], lab[3];
        colour_lab_to_xyz(light, labs[i]);
        colour_xyz_to_lab(lab, light);
        for (int c = 0; c < 3; c++)
            assert_near(lab[c], labs[i][c], 1e-6);
    }
}

static void linear_light_and_back(void **state)
{
    (void)state;
    double colour[3] = { 120, -35, 48 }, light[3], again[3], more[3];
    colour_to_light(light, colour);
    colour_from_light(again, light);
    for (int c = 0; c < 3; c++)
        assert_near(again[c], colour[c], 1e-9);
    colour_to_light(more, (double[3]){ 121, 0, 0 });
    colour_to_light(light, (double[3]){ 120, 0, 0 });
    assert_near(colour_slope(120.5) * (more[0] - light[0]), 1, 1e-3);
}

// As tables of sRGB have them (IEC 61966-2-1, D65).
static void light_by_the_table_is_light(void **state)
{
    (void)state;
    double table[LIGHT_CODES];
    colour_light_table(table);
    for (int i = 0; i <= 1000; i++) {
        double code[3] = { 255 * i / 1000.0, 255 * (i * 7 % 1001) / 1000.0, 255 * (i * 13 % 1001) / 1000.0 };
        double colour[3], exact[3], near[3];
        colour_from_bgr(colour, code);
        colour_to_light(exact, colour);
        colour_to_light_by(near, colour, table);
        for (int c = 0; c < 3; c++)
            assert_near(near[c], exact[c], 0.002);
    }
}

static void known_colours_are_where_cie_has_them(void **state)
{
    (void)state;
    static const struct {
        double bgr[3], lab[3];
    } rows[] = {
        { { 255, 255, 255 }, { 100, 0, 0 } },
        { { 0, 0, 0 }, { 0, 0, 0 } },
        { { 0, 0, 255 }, { 53.24, 80.09, 67.20 } },
        { { 255, 0, 0 }, { 32.30, 79.19, -107.86 } },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        double lab[3], colour[3], again[3], shown[3];
        colour_bgr_to_lab(lab, rows[i].bgr);
        colour_from_bgr(colour, rows[i].bgr);
        colour_to_bgr(again, colour);
        colour_lab_to_bgr(shown, lab);
        for (int c = 0; c < 3; c++) {
            assert_near(shown[c], rows[i].bgr[c], 0.5);
            assert_near(lab[c], rows[i].lab[c], 0.03);
            assert_near(again[c], rows[i].bgr[c], 1e-9);
        }
    }
}

static void a_mixture_is_told_from_another_colour(void **state)
{
    (void)state;
    static const double wood[3] = { 80, 5, 25 }, red[3] = { 40, 55, 35 };
    double part;
    assert_near(colour_off_mixture(&part, (double[3]){ 70, 17.5, 27.5 }, wood, red), 0, 1e-9);
    assert_near(part, 0.25, 1e-9);
    assert_true(colour_off_mixture(&part, (double[3]){ 40, 5, -40 }, wood, red) > 40);
    assert_near(colour_off_mixture(&part, red, wood, wood), colour_lab_distance(red, wood), 1e-9);
}

static void a_picture_is_told_as_its_pixels_are(void **state)
{
    (void)state;
    enum { WIDTH = 301, HEIGHT = 3, ROW = 3 * WIDTH + 5, STRIDE = 4 };
    static uint8_t bgr[HEIGHT * ROW];
    static float lab[HEIGHT * WIDTH * STRIDE];
    for (int i = 0; i < HEIGHT * ROW; i++)
        bgr[i] = (uint8_t)(i < 60 ? i / 6 : i * 7919 % 251); // dark ones too
    colour_bgr8_to_lab(lab, STRIDE, bgr, WIDTH, HEIGHT, ROW);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const uint8_t *p = bgr + y * ROW + 3 * x;
            const float *is = lab + STRIDE * (y * WIDTH + x);
            double want[3];
            colour_bgr_to_lab(want, (double[3]){ p[0], p[1], p[2] });
            for (int c = 0; c < 3; c++)
                assert_near((double)is[c], want[c], 1e-3);
            assert_true(is[3] == 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(light_of_a_colour_and_back_is_the_colour),
        cmocka_unit_test(linear_light_and_back),
        cmocka_unit_test(light_by_the_table_is_light),
        cmocka_unit_test(known_colours_are_where_cie_has_them),
        cmocka_unit_test(a_mixture_is_told_from_another_colour),
        cmocka_unit_test(a_picture_is_told_as_its_pixels_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
