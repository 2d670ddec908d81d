// SPDX-License-Identifier: MIT
// Pictures painted through a known camera and then blurred, dimmed, covered: the inspection must say by how much.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/calibration/view.h"
#include "tests/vision/board/painted.h"
#include "vision/board/clarity.h"
#include "vision/source/jpeg.h"

static const struct paint plain = { { 60, 70, 60 }, { 150, 190, 215 }, { 40, 40, 45 }, 1, 0 };

// Gaussian, of light, as a lens does it: in rows, then in columns.
static void blur(struct frame *f, double sigma_px)
{
    int n = f->width * f->height * 3, reach = (int)ceil(3 * sigma_px);
    double *from = malloc(sizeof *from * (size_t)n), *to = malloc(sizeof *to * (size_t)n);
    assert_true(from && to);
    for (int i = 0; i < n; i++)
        from[i] = (double)f->bgr[i] * f->bgr[i];
    for (int pass = 0; pass < 2; pass++) {
        int stride = pass ? 3 * f->width : 3;
        for (int i = 0; i < n; i++) {
            double sum = 0, weight = 0;
            for (int k = -reach; k <= reach; k++)
                if (i + k * stride >= 0 && i + k * stride < n) {
                    double w = exp(-0.5 * k * k / (sigma_px * sigma_px));
                    sum += w * from[i + k * stride];
                    weight += w;
                }
            to[i] = sum / weight;
        }
        memcpy(from, to, sizeof *from * (size_t)n);
    }
    for (int i = 0; i < n; i++)
        f->bgr[i] = (uint8_t)(sqrt(from[i]) + 0.5);
    free(from);
    free(to);
}

static struct frame *painted(struct board_pose *pose, const struct camera *c, const struct paint *paint)
{
    struct frame *f = NULL;
    struct fail why = { .text = "" };
    *pose = (struct board_pose){
        .found = true, .board = *board_builtin("crokinole-nca"), .camera = *c, .fit = { .camera = *c }
    };
    assert_int_equal(frame_create(&f, c->lens.width, c->lens.height, &why), 0);
    paint_board(f, c, &pose->board, paint);
    return f;
}

static void measure(struct clarity *out, const struct frame *f, const struct board_pose *pose)
{
    assert_int_equal(clarity_measure(out, f, pose, &tuning_defaults.board, NULL), 0);
}

static void blur_is_measured(void **state)
{
    (void)state;
    // What pixels and the painting add to the lens's blur: a pixel's box and the sampling between pixels.
    const double pixels_px = 0.5, blurs_px[] = { 1, 1.5, 2, 3 }, tilts[] = { 0.1, 0.7 };
    for (size_t t = 0; t < countof(tilts); t++)
        for (size_t i = 0; i < countof(blurs_px); i++) {
            struct camera c = view_of_board(640, 480, 620, 0, tilts[t], 0.3, 42);
            struct board_pose pose;
            struct clarity is;
            struct frame *f = painted(&pose, &c, &plain);
            blur(f, blurs_px[i]);
            measure(&is, f, &pose);
            double wanted = hypot(blurs_px[i], pixels_px);
            if (fabs(is.blur_px - wanted) > 0.2 * wanted)
                fail_msg("tilt %.1f: blur of %.2f px measured as %.2f", tilts[t], wanted, is.blur_px);
            frame_free(f);
        }
}

// As cameras and JPEG send it: what differs from luma, of two by two pixels one, read between them.
static void halve_colour(struct frame *f)
{
    const int w = f->width / 2, h = f->height / 2, row = 3 * f->width;
    double *half = calloc((size_t)(3 * w * h), sizeof *half);
    assert_non_null(half);
    for (int i = 0; i < 12 * w * h; i += 3) {
        uint8_t *p = f->bgr + i;
        double luma = 0.114 * p[0] + 0.587 * p[1] + 0.299 * p[2];
        for (int c = 0; c < 3; c++)
            half[3 * (i / row / 2 * w + i % row / 6) + c] += (p[c] - luma) / 4;
    }
    for (int v = 0; v < 2 * h; v++)
        for (int u = 0; u < 2 * w; u++) {
            uint8_t *p = f->bgr + v * row + 3 * u;
            double luma = 0.114 * p[0] + 0.587 * p[1] + 0.299 * p[2];
            double x = fmin(fmax((u - 0.5) / 2, 0), w - 1.001), y = fmin(fmax((v - 0.5) / 2, 0), h - 1.001);
            const double *at = half + 3 * ((int)y * w + (int)x), fx = x - (int)x, fy = y - (int)y;
            for (int c = 0; c < 3; c++) {
                double above = (1 - fx) * at[c] + fx * at[c + 3],
                       below = (1 - fx) * at[3 * w + c] + fx * at[3 * w + c + 3];
                p[c] = (uint8_t)fmin(fmax(luma + (1 - fy) * above + fy * below + 0.5, 0), 255);
            }
        }
    free(half);
}

static void colour_is_sent_softer_than_the_picture_is(void **state)
{
    (void)state;
    const struct paint red_on_wood = { { 60, 70, 60 }, { 80, 120, 150 }, { 60, 85, 226 }, 1, 0 }; // both of luma 124
    const double pixels_px = 0.5, blurs_px[] = { 0.7, 1, 1.5 };
    for (size_t i = 0; i < countof(blurs_px); i++) {
        struct camera c = view_of_board(640, 480, 620, 0, 0.4, 0.3, 42);
        struct board_pose pose;
        struct clarity is;
        struct frame *f = painted(&pose, &c, &red_on_wood);
        blur(f, blurs_px[i]);
        halve_colour(f);
        measure(&is, f, &pose);
        double wanted = hypot(blurs_px[i], pixels_px);
        frame_free(f);
        if (fabs(is.blur_px - wanted) > 0.15 * wanted)
            fail_msg("blur of %.2f px measured as %.2f", wanted, is.blur_px);
    }
}

static void a_whole_board_is_seen_whole_and_on_its_lines(void **state)
{
    (void)state;
    struct camera c = view_of_board(640, 480, 620, 0, 0.4, 0.3, 42);
    struct board_pose pose;
    struct clarity is;
    struct frame *f = painted(&pose, &c, &plain);
    measure(&is, f, &pose);
    frame_free(f);
    assert_int_equal(is.lines, 3);
    assert_true(is.seen > 0.95 && is.outside == 0);
    for (int i = 0; i < is.lines; i++)
        assert_true(is.line[i].noise_px > 0 && is.line[i].noise_px < 0.15);
    assert_true(is.clipped == 0 && is.dark == 0);
    assert_true(fabs(is.brightness - (0.114 * 150 + 0.587 * 190 + 0.299 * 215)) < 3); // the wood's luma
}

static void what_is_covered_is_not_seen(void **state)
{
    (void)state;
    struct camera c = view_of_board(640, 480, 620, 0, 0.4, 0.3, 42);
    struct paint half = plain;
    struct board_pose pose;
    struct clarity is;
    half.covered_rad = PI / 2;
    struct frame *f = painted(&pose, &c, &half);
    measure(&is, f, &pose);
    frame_free(f);
    assert_true(fabs(is.seen - 0.75) < 0.05);
    assert_true(is.outside == 0);
}

static void what_lies_outside_is_counted(void **state)
{
    (void)state;
    struct camera c = view_of_board(640, 480, 620, 0, 0, 0, 42);
    struct board_pose pose;
    struct clarity is;
    c.pose.t_in[1] = 42 * 240 / 620.0; // the picture's lower edge runs through the centre: each line is cut in half
    struct frame *f = painted(&pose, &c, &plain);
    measure(&is, f, &pose);
    frame_free(f);
    assert_true(fabs(is.outside - 0.5) < 0.02);
    assert_true(is.seen < 0.52);
}

static void light_is_judged(void **state)
{
    (void)state;
    struct camera c = view_of_board(640, 480, 620, 0, 0.4, 0.3, 42);
    const struct paint white = { { 60, 70, 60 }, { 255, 255, 255 }, { 40, 40, 45 }, 0, 0 };
    const struct paint black = { { 60, 70, 60 }, { 9, 9, 9 }, { 90, 90, 90 }, 0, 0 };
    struct board_pose pose;
    struct clarity is;
    struct frame *f = painted(&pose, &c, &white);
    measure(&is, f, &pose);
    frame_free(f);
    assert_true(is.clipped > 0.9 && is.dark == 0);
    f = painted(&pose, &c, &black);
    measure(&is, f, &pose);
    frame_free(f);
    assert_true(is.dark > 0.9 && is.clipped == 0 && is.brightness < 16);
}

// What compression in blocks took is told from noise, and from nothing at all.
static struct frame *grainy(struct board_pose *pose)
{
    const struct paint wood = { { 60, 70, 60 }, { 150, 190, 215 }, { 40, 40, 45 }, 2.5, 0 };
    struct camera c = view_of_board(640, 480, 620, 0, 0.4, 0.3, 42);
    struct frame *f = NULL;
    struct fail why = { .text = "" };
    *pose = (struct board_pose){
        .found = true, .board = *board_builtin("crokinole-nca"), .camera = c, .fit = { .camera = c }
    };
    assert_int_equal(frame_create(&f, c.lens.width, c.lens.height, &why), 0);
    paint_board(f, &c, &pose->board, &wood);
    return f;
}

static struct frame *compressed(const struct frame *f, int quality)
{
    struct jpeg *j = NULL;
    struct frame *out = NULL;
    struct fail why = { .text = "" };
    uint8_t *bytes = NULL;
    size_t size = 0;
    assert_int_equal(jpeg_create(&j, &why), 0);
    assert_int_equal(jpeg_encode(&bytes, &size, j, f, quality, &why), 0);
    assert_int_equal(jpeg_decode(&out, j, bytes, size, &why), 0);
    jpeg_bytes_free(bytes);
    jpeg_free(j);
    return out;
}

static void the_harder_it_is_compressed_the_more_is_shared(void **state)
{
    (void)state;
    static const struct {
        int quality;
        double least, most;
    } rows[] = { { 98, 0, 0.2 }, { 50, 0.4, 1 }, { 20, 0.8, 1 }, { 5, 0.9, 1 } };
    struct board_pose pose;
    struct frame *f = grainy(&pose);
    struct clarity seen;
    measure(&seen, f, &pose);
    double before = seen.in_blocks, step = 0;
    assert_true(before >= 0 && before < 0.05);
    for (size_t i = 0; i < countof(rows); i++) {
        struct frame *hard = compressed(f, rows[i].quality);
        measure(&seen, hard, &pose);
        double share = seen.in_blocks;
        frame_free(hard);
        if (share < rows[i].least || share > rows[i].most || share < before || seen.block_step < step)
            fail_msg("quality %d: share %.2f after %.2f", rows[i].quality, share, before);
        before = share;
        step = seen.block_step;
    }
    frame_free(f);
}

// A line of wood, blurred or not, steps as often across a block's border as within: it is no compression.
static void what_is_painted_is_no_compression(void **state)
{
    (void)state;
    struct board_pose pose;
    struct frame *f = grainy(&pose);
    struct frame *hard = compressed(f, 20);
    int row = 3 * f->width;
    for (int v = 0; v + 3 < f->height; v++) // cut, so that the blocks begin elsewhere
        memmove(hard->bgr + (size_t)v * (size_t)row, hard->bgr + (size_t)(v + 3) * (size_t)row + 9, (size_t)row - 9);
    struct clarity seen;
    measure(&seen, hard, &pose);
    assert_true(seen.in_blocks < 0.3);
    frame_free(hard);
    frame_free(f);
}

static void a_board_behind_the_camera_is_not_looked_at(void **state)
{
    (void)state;
    struct board_pose pose;
    struct frame *f = grainy(&pose);
    pose.camera.pose.t_in[2] = -42;
    struct clarity seen;
    measure(&seen, f, &pose);
    assert_true(seen.in_blocks <= 0);
    frame_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blur_is_measured),
        cmocka_unit_test(colour_is_sent_softer_than_the_picture_is),
        cmocka_unit_test(a_whole_board_is_seen_whole_and_on_its_lines),
        cmocka_unit_test(what_is_covered_is_not_seen),
        cmocka_unit_test(what_lies_outside_is_counted),
        cmocka_unit_test(light_is_judged),
        cmocka_unit_test(the_harder_it_is_compressed_the_more_is_shared),
        cmocka_unit_test(what_is_painted_is_no_compression),
        cmocka_unit_test(a_board_behind_the_camera_is_not_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
