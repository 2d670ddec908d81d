// SPDX-License-Identifier: MIT
// What compression in blocks took is told from noise, and from nothing at all.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "tests/calibration/view.h"
#include "tests/vision/board/painted.h"
#include "vision/board/compression.h"
#include "vision/source/jpeg.h"

static struct frame *grainy(struct board_pose *pose)
{
    const struct paint wood = { { 60, 70, 60 }, { 150, 190, 215 }, { 40, 40, 45 }, 2.5, 0 };
    struct camera c = view_of_board(640, 480, 620, 0, 0.4, 0.3, 42);
    struct frame *f = NULL;
    struct fail why = { .text = "" };
    *pose = (struct board_pose){ .found = true, .board = *board_builtin("crokinole-nca"), .camera = c };
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
    assert_int_equal(jpeg_encode(j, &bytes, &size, f, quality, &why), 0);
    assert_int_equal(jpeg_decode(j, &out, bytes, size, &why), 0);
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
    double before = compression_look(f, &pose).share, step = 0;
    assert_true(before >= 0 && before < 0.05);
    for (size_t i = 0; i < countof(rows); i++) {
        struct frame *hard = compressed(f, rows[i].quality);
        struct compression seen = compression_look(hard, &pose);
        double share = seen.share;
        frame_free(hard);
        if (share < rows[i].least || share > rows[i].most || share < before || seen.sigma < step)
            fail_msg("quality %d: share %.2f after %.2f", rows[i].quality, share, before);
        before = share;
        step = seen.sigma;
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
    assert_true(compression_look(hard, &pose).share < 0.3);
    frame_free(hard);
    frame_free(f);
}

static void a_board_behind_the_camera_is_not_looked_at(void **state)
{
    (void)state;
    struct board_pose pose;
    struct frame *f = grainy(&pose);
    pose.camera.pose.t_in[2] = -42;
    assert_true(compression_look(f, &pose).share <= 0);
    frame_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_harder_it_is_compressed_the_more_is_shared),
        cmocka_unit_test(what_is_painted_is_no_compression),
        cmocka_unit_test(a_board_behind_the_camera_is_not_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
