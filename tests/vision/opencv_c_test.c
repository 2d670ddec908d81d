// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/units.h"
#include "vision/opencv_c/opencv_c.h"

static void shrinking_averages_the_area(void **state)
{
    (void)state;
    const uint8_t in[4 * 2] = { 10, 20, 100, 104, 30, 40, 108, 112 };
    uint8_t out[2] = { 0 };
    struct fail why = { 0 };
    assert_int_equal(cv_resize_area_u8(out, 2, 1, in, 4, 2, 1, &why), 0);
    assert_int_equal(out[0], 25);
    assert_int_equal(out[1], 106);
}

static void channels_do_not_mix(void **state)
{
    (void)state;
    uint8_t in[6 * 6 * 3], out[2 * 3 * 3];
    struct fail why = { 0 };
    for (int i = 0; i < 6 * 6; i++)
        memcpy(in + 3 * i, (const uint8_t[]){ 7, 80, 200 }, 3);
    assert_int_equal(cv_resize_area_u8(out, 2, 3, in, 6, 6, 3, &why), 0);
    for (int i = 0; i < 2 * 3; i++)
        assert_memory_equal(out + 3 * i, ((const uint8_t[]){ 7, 80, 200 }), 3);
}

// A single bright pixel becomes the bell of its sigma: the neighbour at distance d has exp(-d2 / (2 sigma2)) of it.
static void blur_is_a_bell_of_its_sigma(void **state)
{
    (void)state;
    enum { N = 21, MID = N / 2 };
    uint8_t in[N * N], out[N * N];
    struct fail why = { 0 };
    memset(in, 0, sizeof in);
    for (int y = 0; y < N; y++)
        in[y * N + MID] = 255; // a line: larger numbers than a point gives
    assert_int_equal(cv_gaussian_blur_u8(out, in, N, N, 1, 2.0, &why), 0);
    for (int d = 0; d <= 4; d++) {
        double wanted = 255 * exp(-d * d / 8.0) / (2.0 * sqrt(2 * PI));
        assert_true(fabs(out[MID * N + MID + d] - wanted) < 1.5);
        assert_int_equal(out[MID * N + MID + d], out[MID * N + MID - d]);
    }
}

static void blur_works_in_place(void **state)
{
    (void)state;
    uint8_t a[16 * 9 * 3], b[16 * 9 * 3];
    struct fail why = { 0 };
    for (size_t i = 0; i < sizeof a; i++)
        a[i] = (uint8_t)(i * 37);
    assert_int_equal(cv_gaussian_blur_u8(b, a, 16, 9, 3, 1.0, &why), 0);
    assert_int_equal(cv_gaussian_blur_u8(a, a, 16, 9, 3, 1.0, &why), 0);
    assert_memory_equal(a, b, sizeof a);
}

static void wrong_pictures_are_refused_in_words(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int w, h, iw, ih, ch;
        bool no_in, no_out;
    } rows[] = {
        { "no width", 0, 4, 4, 4, 1, false, false },
        { "negative height", 4, -1, 4, 4, 1, false, false },
        { "source of no height", 4, 4, 4, 0, 1, false, false },
        { "absurd width", 1 << 20, 4, 4, 4, 1, false, false },
        { "no channel", 4, 4, 4, 4, 0, false, false },
        { "five channels", 4, 4, 4, 4, 5, false, false },
        { "no source", 4, 4, 4, 4, 1, true, false },
        { "no target", 4, 4, 4, 4, 1, false, true },
    };
    uint8_t in[64] = { 0 }, out[64] = { 0 };
    for (size_t i = 0; i < countof(rows); i++) {
        struct fail why = { 0 };
        int rc = cv_resize_area_u8(rows[i].no_out ? NULL : out, rows[i].w, rows[i].h, rows[i].no_in ? NULL : in,
                                   rows[i].iw, rows[i].ih, rows[i].ch, &why);
        if (rc != RS_EINPUT || !strstr(why.text, "resize"))
            fail_msg("%s: got %d '%s'", rows[i].name, rc, why.text);
    }
}

static void wrong_sigmas_are_refused(void **state)
{
    (void)state;
    static const double wrong[] = { 0, -1, NAN, INFINITY, 1e6 };
    uint8_t a[16] = { 0 };
    for (size_t i = 0; i < countof(wrong); i++) {
        struct fail why = { 0 };
        assert_int_equal(cv_gaussian_blur_u8(a, a, 4, 4, 1, wrong[i], &why), RS_EINPUT);
        assert_non_null(strstr(why.text, "sigma"));
    }
}

static void patches_hang_together_by_corners_and_depth_is_from_the_nearest_hole(void **state)
{
    (void)state;
    const uint8_t mask[4 * 6] = {
        1, 1, 0, 0, 9, 9, //
        0, 0, 1, 0, 9, 9, //
        0, 0, 0, 0, 9, 9, //
        1, 0, 0, 0, 9, 9,
    };
    int32_t label[4 * 6];
    float far[4 * 6];
    int count = 0;
    struct fail why = { 0 };
    assert_int_equal(cv_components_u8(label, &count, mask, 6, 4, &why), 0);
    assert_int_equal(count, 3);
    assert_int_equal(label[0], label[8]);
    assert_int_not_equal(label[0], label[4]);
    assert_int_equal(label[3], 0);
    assert_int_equal(cv_distance_u8(far, mask, 6, 4, &why), 0);
    assert_true(fabsf(far[5] - 2) < 1e-6f); // the picture's border is no hole
    assert_true(fabsf(far[0] - 1) < 1e-6f);
    assert_true(fabsf(far[3]) < 1e-6f);
    assert_int_equal(cv_components_u8(NULL, &count, mask, 6, 4, &why), RS_EINPUT);
    assert_int_equal(cv_distance_u8(far, mask, 0, 4, &why), RS_EINPUT);
}

static void text_fits_the_size_that_was_told(void **state)
{
    (void)state;
    uint8_t out[60 * 200];
    struct fail why = { 0 };
    int w, h, below, left = 200, right = -1, top = 60, bottom = -1;
    assert_int_equal(cv_text_size(&w, &h, &below, "OUTg", 1.0, 2, &why), 0);
    assert_in_range(w, 40, 150);
    memset(out, 0, sizeof out);
    assert_int_equal(cv_text_u8(out, 200, 60, 10, 40, "OUTg", 1.0, 2, &why), 0);
    for (int i = 0; i < 60 * 200; i++)
        if (out[i] > 128) {
            left = i % 200 < left ? i % 200 : left;
            right = i % 200 > right ? i % 200 : right;
            top = i / 200 < top ? i / 200 : top;
            bottom = i / 200 > bottom ? i / 200 : bottom;
        }
    assert_in_range(left, 8, 16);
    assert_in_range(right, 10 + w - 8, 10 + w);
    assert_in_range(top, 40 - h - 2, 40 - h + 4);
    assert_in_range(bottom, 41, 40 + below + 2); // the g hangs below the line
}

static void wrong_texts_are_refused(void **state)
{
    (void)state;
    uint8_t out[64];
    int w, h, below;
    struct fail why = { 0 };
    assert_int_equal(cv_text_size(&w, &h, &below, NULL, 1, 1, &why), RS_EINPUT);
    assert_int_equal(cv_text_size(&w, &h, &below, "a", NAN, 1, &why), RS_EINPUT);
    assert_int_equal(cv_text_size(&w, &h, &below, "a", 1, 0, &why), RS_EINPUT);
    assert_int_equal(cv_text_u8(NULL, 8, 8, 0, 0, "a", 1, 1, &why), RS_EINPUT);
    assert_int_equal(cv_text_u8(out, 8, 8, 0, 0, "a", 1, 100000, &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "text"));
}

static void corners_are_only_looked_for_in_pictures(void **state)
{
    (void)state;
    uint8_t grey[64 * 64] = { 0 };
    double corner[8] = { 30, 30, 40, 40 };
    int columns = 9, rows = 9;
    struct fail why = { 0 };
    assert_int_equal(cv_chessboard_u8(corner, 4, &columns, &rows, grey, 64, 64, &why), 0);
    assert_true(columns == 0 && rows == 0);
    assert_int_equal(cv_chessboard_u8(corner, 4, &columns, &rows, NULL, 64, 64, &why), RS_EINPUT);
    assert_int_equal(cv_corners_refine_u8(corner, 2, 40, grey, 64, 64, &why), RS_EINPUT);
    corner[0] = -5; // outside
    assert_int_equal(cv_corners_refine_u8(corner, 2, 4, grey, 64, 64, &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "outside"));
}

static void a_disc_is_a_circle_to_whom_we_are_compared_with(void **state)
{
    (void)state;
    enum { SIDE = 100, RADIUS = 20 };
    static uint8_t bgr[3 * SIDE * SIDE], grey[SIDE * SIDE];
    float circle[3 * 4];
    int n = 0;
    struct fail why = { 0 };
    for (int i = 0; i < SIDE * SIDE; i++)
        memset(bgr + 3 * i, hypot(i % SIDE - 45, (double)(i / SIDE) - 55) < RADIUS ? 40 : 200, 3);
    assert_int_equal(cv_gaussian_blur_u8(bgr, bgr, SIDE, SIDE, 3, 1.5, &why), 0);
    assert_int_equal(cv_circles_u8(circle, 4, &n, grey, bgr, SIDE, SIDE, RADIUS - 4, RADIUS + 4, &why), 0);
    assert_true(n >= 1 && fabsf(circle[0] - 45) < 2 && fabsf(circle[1] - 55) < 2 && fabsf(circle[2] - RADIUS) < 2);
    assert_int_equal(cv_circles_u8(circle, 4, &n, grey, NULL, SIDE, SIDE, 1, 2, &why), RS_EINPUT);
}

static int threads(void)
{
    int n = 0;
    DIR *d = opendir("/proc/self/task");
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));)
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

// A picture large enough for OpenCV to share the work out, were it allowed to.
static void the_caller_waits_for_no_other_thread(void **state)
{
    (void)state;
    enum { SIDE = 2000 };
    struct fail why = { 0 };
    uint8_t *in = calloc(3, (size_t)SIDE * SIDE), *out = malloc((size_t)3 * SIDE * SIDE);
    assert_true(in && out);
    int before = threads();
    for (int i = 0; i < 3; i++) {
        assert_int_equal(cv_gaussian_blur_u8(out, in, SIDE, SIDE, 3, 4, &why), 0);
        assert_int_equal(cv_resize_area_u8(out, SIDE / 2, SIDE / 2, in, SIDE, SIDE, 3, &why), 0);
    }
    assert_int_equal(threads(), before);
    free(in);
    free(out);
}

// By whole pixels it is a copy; beyond the border it is repeated; and it cannot be done in place.
static void a_picture_is_moved(void **state)
{
    (void)state;
    enum { W = 9, H = 7 };
    uint8_t in[W * H], out[W * H];
    struct fail why;
    for (int i = 0; i < W * H; i++)
        in[i] = (uint8_t)(i * 37 % 251);
    assert_int_equal(cv_warp_affine_u8(out, in, W, H, 1, (const double[6]){ 2, 1, 0, -1, 0, 1 }, &why), 0);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int u = x + 2 < W ? x + 2 : W - 1, v = y > 0 ? y - 1 : 0;
            assert_int_equal(out[y * W + x], in[v * W + u]);
        }
    assert_int_equal(cv_warp_affine_u8(in, in, W, H, 1, (const double[6]){ 0, 1, 0, 0, 0, 1 }, &why), RS_EINPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_is_moved),
        cmocka_unit_test(the_caller_waits_for_no_other_thread),
        cmocka_unit_test(shrinking_averages_the_area),
        cmocka_unit_test(channels_do_not_mix),
        cmocka_unit_test(blur_is_a_bell_of_its_sigma),
        cmocka_unit_test(blur_works_in_place),
        cmocka_unit_test(wrong_pictures_are_refused_in_words),
        cmocka_unit_test(wrong_sigmas_are_refused),
        cmocka_unit_test(corners_are_only_looked_for_in_pictures),
        cmocka_unit_test(patches_hang_together_by_corners_and_depth_is_from_the_nearest_hole),
        cmocka_unit_test(text_fits_the_size_that_was_told),
        cmocka_unit_test(wrong_texts_are_refused),
        cmocka_unit_test(a_disc_is_a_circle_to_whom_we_are_compared_with),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
