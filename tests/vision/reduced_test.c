// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/near.h"
#include "vision/reduced.h"

static void pixels_are_means_and_time_is_kept(void **state)
{
    (void)state;
    struct frame *f, *small;
    struct fail why;
    assert_int_equal(frame_create(&f, 8, 4, &why), 0);
    for (int i = 0; i < 8 * 4 * 3; i++)
        f->bgr[i] = (uint8_t)(i / 3 % 8 < 4 ? 40 : 80);
    f->bgr[0] = 0;
    f->t_s = 1.5;
    f->number = 7;
    assert_int_equal(frame_reduced(&small, f, 2, &why), 0);
    assert_int_equal(small->width, 4);
    assert_int_equal(small->height, 2);
    assert_int_equal(small->bgr[0], 30);
    assert_int_equal(small->bgr[3 * 3], 80);
    assert_near(small->t_s, 1.5, 0);
    assert_int_equal(small->number, 7);
    assert_int_equal(frame_reduced(&small, small, 100, &why), RS_EINPUT);
    frame_free(small);
    frame_free(f);
}

static void a_part_is_as_the_whole_copy_and_the_rest_black(void **state)
{
    (void)state;
    enum { WIDTH = 61, HEIGHT = 47 };
    const double reductions[] = { 1, 1.37, 2.6, 4.1 };
    struct frame *f, *whole, *part;
    struct fail why;
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, &why), 0);
    for (int i = 0; i < WIDTH * HEIGHT * 3; i++)
        f->bgr[i] = (uint8_t)(i * 7919 % 251);
    for (size_t k = 0; k < sizeof reductions / sizeof *reductions; k++) {
        assert_int_equal(frame_reduced(&whole, f, reductions[k], &why), 0);
        const struct px_range range = { 2, whole->width, 0, whole->height - 3 };
        assert_int_equal(frame_reduced_part(&part, f, reductions[k], &range, &why), 0);
        assert_int_equal(part->width, whole->width);
        assert_int_equal(part->height, whole->height);
        for (int y = 0; y < whole->height; y++)
            for (int x = 0; x < whole->width; x++)
                for (int c = 0; c < 3; c++) {
                    bool within = x >= range.from_u && y < range.to_v;
                    int i = 3 * (y * whole->width + x) + c;
                    assert_int_equal(part->bgr[i], within ? whole->bgr[i] : 0);
                }
        frame_free(whole);
        frame_free(part);
    }
    assert_int_equal(frame_reduced_part(&part, f, 1000, &(struct px_range){ 0, 1, 0, 1 }, &why), RS_EINPUT);
    frame_free(f);
}

// What the whole lens sees at a pixel's centre, the reduced one sees at the middle of the pixel that covers it.
static void the_lens_goes_with_the_copy(void **state)
{
    (void)state;
    const struct lens l = {
        .width = 1920, .height = 1080, .f_px = 1500, .centre = { 959.5, 539.5 }, .k1 = -0.05, .f_sigma_px = 3
    };
    struct lens small = lens_reduced(&l, 2);
    struct pt_px whole = lens_distort(&l, 0.2, -0.1), half = lens_distort(&small, 0.2, -0.1);
    assert_int_equal(small.width, 960);
    assert_near(small.f_sigma_px, 1.5, 1e-9);
    assert_near(half.u, (whole.u + 0.5) / 2 - 0.5, 1e-9);
    assert_near(half.v, (whole.v + 0.5) / 2 - 0.5, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_are_means_and_time_is_kept),
        cmocka_unit_test(a_part_is_as_the_whole_copy_and_the_rest_black),
        cmocka_unit_test(the_lens_goes_with_the_copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
