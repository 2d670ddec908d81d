// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/near.h"
#include "vision/rectify.h"

static struct camera slanted(double tilt_rad)
{
    struct camera c = { .lens = { .width = 640, .height = 360, .f_px = 600, .centre = { 319.5, 179.5 }, .k1 = -0.1 } };
    c.pose.R[0][0] = 1;
    c.pose.R[1][1] = -cos(tilt_rad);
    c.pose.R[1][2] = -sin(tilt_rad);
    c.pose.R[2][1] = sin(tilt_rad);
    c.pose.R[2][2] = -cos(tilt_rad);
    c.pose.t_in[2] = 40;
    return c;
}

// Blue rises to the right, green downwards, red is all the same.
static struct frame *ramps(void)
{
    struct frame *f;
    struct fail why;
    assert_int_equal(frame_create(&f, 101, 51, &why), 0);
    for (int i = 0; i < 101 * 51; i++) {
        f->bgr[3 * i] = (uint8_t)(2 * (i % 101));
        f->bgr[3 * i + 1] = (uint8_t)(4 * (i / 101));
        f->bgr[3 * i + 2] = 200;
    }
    return f;
}

static void between_pixels_codes_are_even_and_light_is_mixed(void **state)
{
    (void)state;
    struct frame *f = ramps();
    float bgr[3];
    assert_true(frame_sample(bgr, f, 30.25, 10.5, SAMPLE_CODES));
    assert_near((double)bgr[0], 60.5, 1e-4);
    assert_near((double)bgr[1], 42, 1e-4);
    assert_near((double)bgr[2], 200, 1e-4);
    f->bgr[0] = 0;
    f->bgr[3] = 255;
    assert_true(frame_sample(bgr, f, 0.5, 0, SAMPLE_LIGHT));
    assert_near((double)bgr[0], 127.5, 1e-3); // half of the light
    assert_near((double)bgr[2], 200 * 200 / 255.0, 1e-3);
    assert_false(frame_sample(bgr, f, -0.01, 5, SAMPLE_CODES));
    assert_false(frame_sample(bgr, f, 100, 5, SAMPLE_CODES));
    assert_false(frame_sample(bgr, f, NAN, 5, SAMPLE_CODES));
    frame_free(f);
}

static void what_the_picture_does_not_show_is_nan(void **state)
{
    (void)state;
    struct frame *f = ramps();
    const struct map_px map[3] = { { 2.5f, 2 }, { NAN, NAN }, { 200, 2 } };
    float v[9], *const out[3] = { v, v + 1, v + 2 };
    rectify_sample(out, 3, f, map, 3, SAMPLE_CODES);
    assert_near((double)v[0], 5, 1e-4);
    assert_near((double)v[1], 8, 1e-4);
    assert_true(isnan(v[3]) && isnan(v[5]) && isnan(v[6]));
    frame_free(f);
}

// Cells between those that are projected lie where the camera sees them, too.
static void a_map_follows_the_camera(void **state)
{
    (void)state;
    const struct raster rasters[] = { raster_square(13, 16, 0.5), raster_polar(220, 240, 1.0 / 16) };
    struct camera c = slanted(PI / 3);
    struct fail why;
    for (size_t k = 0; k < countof(rasters); k++) {
        const struct raster *r = &rasters[k];
        struct map_px *map = malloc(raster_cells(r) * sizeof *map);
        assert_non_null(map);
        assert_int_equal(rectify_map(map, r, &c, &why), 0);
        for (int y = 0; y < r->height; y++)
            for (int x = 0; x < r->width; x++) {
                struct pt_in at = raster_place(r, x, y);
                struct pt_px seen;
                assert_true(camera_project(&seen, &c, (struct pt3_in){ at.x, at.y, r->height_in }));
                assert_near((double)map[y * r->width + x].u, seen.u, 0.05);
                assert_near((double)map[y * r->width + x].v, seen.v, 0.05);
            }
        free(map);
    }
}

// Straight above, a square raster is the picture itself, turned by the y axes.
static void a_view_from_above_is_the_picture(void **state)
{
    (void)state;
    struct frame *f = ramps();
    struct camera c = { .lens = { .width = 101, .height = 51, .f_px = 100, .centre = { 50, 25 } } };
    c.pose.R[0][0] = 1;
    c.pose.R[1][1] = c.pose.R[2][2] = -1;
    c.pose.t_in[2] = 10; // ten pixels an inch
    struct raster r = raster_square(4, 10, 0);
    struct rectified v;
    struct fail why;
    assert_int_equal(rectify(&v, &r, f, &c, SAMPLE_CODES, &why), 0);
    assert_int_equal(r.width, 80);
    for (int y = 0; y < r.height; y++)
        for (int x = 0; x < r.width; x++) {
            double u = 50 + 10 * raster_place(&r, x, y).x, down = 25 - 10 * raster_place(&r, x, y).y;
            float blue = v.plane[0][y * r.width + x];
            if (u >= 0 && down >= 0 && u < 100 && down < 50)
                assert_near((double)blue, 2 * u, 0.01);
            else
                assert_true(isnan(blue));
        }
    rectified_free(&v);
    frame_free(f);
}

static void a_moved_centre_keeps_its_circle(void **state)
{
    (void)state;
    struct raster r = raster_polar(21, 36, 0.5);
    r.shift = (struct pt_in){ 0.1, -0.05 };
    r.shifted_in = 5;
    struct pt_in centre = raster_place(&r, 0, 0);
    assert_near(centre.x, 0.5, 1e-9);
    assert_near(centre.y, -0.25, 1e-9);
    for (int a = 0; a < 36; a++) {
        struct pt_in at = raster_place(&r, a, 10);
        assert_near(hypot(at.x, at.y), 5, 1e-9);
    }
}

// Cell by cell, wherever the rows lie between those that are projected.
static void radii_from_one_on_are_those_of_the_whole(void **state)
{
    (void)state;
    struct raster whole = raster_polar(41, 36, 0.25), part = raster_polar(0, 36, 0.25);
    struct camera c = slanted(PI / 3);
    struct map_px *all = malloc(raster_cells(&whole) * sizeof *all),
                  *some = malloc(raster_cells(&whole) * sizeof *some);
    struct fail why;
    assert_non_null(all);
    assert_non_null(some);
    assert_int_equal(rectify_map(all, &whole, &c, &why), 0);
    for (part.first = 0; part.first < 9; part.first++) {
        part.height = whole.height - part.first;
        assert_int_equal(rectify_map(some, &part, &c, &why), 0);
        assert_memory_equal(some, all + part.first * whole.width, raster_cells(&part) * sizeof *some);
        assert_near(raster_place(&part, 0, 2).x, (part.first + 2) * 0.25, 1e-12);
    }
    free(some);
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(between_pixels_codes_are_even_and_light_is_mixed),
        cmocka_unit_test(what_the_picture_does_not_show_is_nan),
        cmocka_unit_test(a_map_follows_the_camera),
        cmocka_unit_test(a_view_from_above_is_the_picture),
        cmocka_unit_test(a_moved_centre_keeps_its_circle),
        cmocka_unit_test(radii_from_one_on_are_those_of_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
