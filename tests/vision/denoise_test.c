// SPDX-License-Identifier: MIT
// A sensor's noise is told from what a picture shows, and taken from it until as much is left as was asked for.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "calibration/units.h"
#include "samples/scene/noise.h"
#include "tests/near.h"
#include "vision/denoise.h"

enum { WIDTH = 320, HEIGHT = 240 };

// Light from one side, a bright thing with straight edges on it, and of each channel so much noise.
static struct frame *noisy(double noise, double from, double to)
{
    struct frame *f = NULL;
    struct fail why = { .text = "" };
    struct chance chance = { 7 };
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, &why), 0);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int c = 0; c < 3; c++) {
                double light = from + (to - from) * x / WIDTH + (x > 100 && x < 200 && y > 50 && y < 150 ? 60 : 0);
                double code = light + noise * chance_normal(&chance);
                f->bgr[3 * (y * WIDTH + x) + c] = (uint8_t)lround(fmin(fmax(code, 0), 255));
            }
    return f;
}

// Luma is a mean of three channels, each with noise of its own; blue and red less luma are such sums too.
static double of_luma(double noise)
{
    return noise * sqrt(0.114 * 0.114 + 0.587 * 0.587 + 0.299 * 0.299);
}

static double of_blue(double noise)
{
    return noise * sqrt(0.886 * 0.886 + 0.587 * 0.587 + 0.299 * 0.299);
}

static double luma_noise(const struct frame *f)
{
    double noise[3];
    picture_noise(noise, f);
    return noise[0];
}

static void noise_is_told_from_edges_and_shading(void **state)
{
    (void)state;
    static const double noise[] = { 3, 6, 10, 20 };
    struct frame *still = noisy(0, 60, 140);
    assert_true(luma_noise(still) < 0.3);
    frame_free(still);
    for (size_t i = 0; i < countof(noise); i++) {
        struct frame *f = noisy(noise[i], 60, 140);
        double seen[3];
        picture_noise(seen, f);
        assert_near(seen[0], of_luma(noise[i]), 0.06 * of_luma(noise[i]));
        assert_near(seen[1], of_blue(noise[i]), 0.06 * of_blue(noise[i]));
        frame_free(f);
    }
}

// A film's black bars are no quiet picture, nor is what a lamp has burnt out.
static void what_is_black_or_burnt_tells_nothing(void **state)
{
    (void)state;
    struct frame *f = noisy(10, 60, 140);
    memset(f->bgr, 0, (size_t)3 * WIDTH * HEIGHT / 3);
    memset(f->bgr + (size_t)2 * WIDTH * HEIGHT, 255, (size_t)3 * WIDTH * HEIGHT / 3);
    assert_near(luma_noise(f), of_luma(10), 0.5);
    frame_free(f);
    f = noisy(0, 60, 140);
    memset(f->bgr, 0, (size_t)3 * WIDTH * HEIGHT);
    assert_true(luma_noise(f) == 0); // and nothing but black is no noise
    frame_free(f);
}

static double luma_sigma(const struct frame *f)
{
    double sum = 0, square = 0;
    int n = 0;
    for (int y = 10; y < 40; y++) // beside what is bright
        for (int x = 10; x < 90; x++, n++) {
            double luma = frame_luma_at(f, x, y);
            sum += luma;
            square += luma * luma;
        }
    return sqrt(square / n - (sum / n) * (sum / n));
}

static void as_much_is_left_as_was_asked_for(void **state)
{
    (void)state;
    static const double times[] = { 1.2, 1.5, 2, 3.5 };
    struct fail why = { .text = "" };
    struct frame *f = noisy(10, 100, 100);
    for (size_t i = 0; i < countof(times); i++) {
        struct frame *quiet = NULL;
        double left = of_luma(10) / times[i], blur_px = denoise_blur_px(of_luma(10), left, 4);
        assert_int_equal(frame_denoised(&quiet, f, blur_px, &why), 0);
        assert_near(luma_sigma(quiet), left, 0.1 * left);
        frame_free(quiet);
    }
    frame_free(f);
    assert_true(denoise_blur_px(2, 2.5, 4) == 0);
    assert_true(denoise_blur_px(100, 2, 1.5) == 1.5); // no more than was allowed
    assert_true(denoise_blur_px(100, 2, 0) == 0);
    assert_true(denoise_blur_px(1000, 2, 50) == DENOISE_MOST_PX);
}

static void a_quiet_copy_is_the_same_moment(void **state)
{
    (void)state;
    struct fail why = { .text = "" };
    struct frame *f = noisy(10, 60, 140), *quiet = NULL;
    struct notes *sheet = (struct notes *)&why; // anything that is not NULL: it is borrowed and not looked at
    f->t_s = 3.5;
    f->number = 42;
    f->notes = sheet;
    assert_int_equal(frame_denoised(&quiet, f, 1, &why), 0);
    assert_true(quiet->t_s == 3.5 && quiet->number == 42 && quiet->notes == sheet);
    frame_free(quiet);
    quiet = NULL;
    assert_int_equal(frame_denoised(&quiet, f, NAN, &why), RS_EINPUT);
    assert_null(quiet);
    frame_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_is_told_from_edges_and_shading),
        cmocka_unit_test(what_is_black_or_burnt_tells_nothing),
        cmocka_unit_test(as_much_is_left_as_was_asked_for),
        cmocka_unit_test(a_quiet_copy_is_the_same_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
