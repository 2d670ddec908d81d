// SPDX-License-Identifier: MIT
// How many pixels share one error: white noise none, what is blurred as many as the blur says, and noise on top of that
// takes nothing off.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "samples/scene/noise.h"
#include "tests/calibration/view.h"
#include "tests/near.h"
#include "vision/pieces/texture.h"

enum { WIDTH = 640, HEIGHT = 480, REACH_PX = 20 };

// White noise of 1 sigma 12 in luma, blurred, on light from one side; grey, with noise of its own on top.
static struct frame *carpet(double blur_px, double noise)
{
    struct frame *f = NULL;
    struct fail why = { .text = "" };
    struct chance chance = { 11 };
    const size_t n = (size_t)WIDTH * HEIGHT;
    float *texture = malloc(2 * n * sizeof *texture), *soft = texture + n;
    assert_non_null(texture);
    for (size_t i = 0; i < n; i++)
        texture[i] = (float)chance_normal(&chance);
    int reach = (int)(4 * blur_px);
    double squares = 0;
    for (int axis = 0; axis < 2; axis++) { // a Gaussian along rows, then along columns
        for (int i = 0; i < (int)n; i++) {
            double sum = 0;
            for (int k = -reach; k <= reach; k++) {
                int x = i % WIDTH + (axis ? 0 : k), y = i / WIDTH + (axis ? k : 0);
                double weight = blur_px > 0 ? exp(-k * k / (2 * blur_px * blur_px)) : 1;
                sum += weight * (double)texture[(y + HEIGHT) % HEIGHT * WIDTH + (x + WIDTH) % WIDTH];
            }
            soft[i] = (float)sum;
        }
        for (size_t i = 0; i < n; i++)
            texture[i] = soft[i];
    }
    for (size_t i = 0; i < n; i++)
        squares += (double)(texture[i] * texture[i]) / (double)n;
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, &why), 0);
    for (int i = 0; i < (int)n; i++) {
        double code = 100 + 60.0 * (i % WIDTH) / WIDTH + 12 * (double)texture[i] / sqrt(squares);
        code += noise * chance_normal(&chance);
        for (int c = 0; c < 3; c++)
            f->bgr[3 * i + c] = (uint8_t)lround(fmin(fmax(code, 0), 255));
    }
    free(texture);
    return f;
}

static double correlated_px(double blur_px, double noise, double seen_noise)
{
    struct board_pose pose = { .found = true,
                               .board = *board_builtin("ring-7ft"),
                               .camera = view_of_board(WIDTH, HEIGHT, 700, 0, 0.2, 0.4, 130) };
    struct frame *f = carpet(blur_px, noise);
    double pixels = texture_correlated_px(f, &pose, seen_noise, REACH_PX);
    frame_free(f);
    return pixels;
}

static void what_is_blurred_hangs_together(void **state)
{
    (void)state;
    static const double blur_px[] = { 1, 1.5, 2, 3 };
    double none = correlated_px(0, 0, 0);
    assert_true(none < 1.5);
    for (size_t i = 0; i < countof(blur_px); i++) {
        // The autocorrelation of a Gaussian of so many pixels is one of root 2 times as many.
        double expected = 4 * PI * blur_px[i] * blur_px[i], pixels = correlated_px(blur_px[i], 0, 0);
        if (!(pixels > 0.7 * expected && pixels < 1.2 * expected))
            fail_msg("blur of %.1f px: %.1f pixels, not %.1f", blur_px[i], pixels, expected);
    }
}

static void noise_on_top_is_left_out(void **state)
{
    (void)state;
    double clean = correlated_px(2, 0, 0);
    assert_near(correlated_px(2, 8, 8), clean, 0.2 * clean);
    assert_true(correlated_px(2, 8, 0) < 0.8 * clean);
}

static void nothing_seen_hangs_together_with_nothing(void **state)
{
    (void)state;
    struct board_pose pose = { .found = true,
                               .board = *board_builtin("ring-7ft"),
                               .camera = view_of_board(WIDTH, HEIGHT, 700, 0, 0.2, 0.4, 130) };
    struct frame *f = carpet(1, 0);
    assert_true(texture_correlated_px(f, &pose, 100, REACH_PX) == 1); // all of it is noise
    pose.camera.lens.centre.u += 100000;
    assert_true(texture_correlated_px(f, &pose, 0, REACH_PX) == 1);
    frame_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_blurred_hangs_together),
        cmocka_unit_test(noise_on_top_is_left_out),
        cmocka_unit_test(nothing_seen_hangs_together_with_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
