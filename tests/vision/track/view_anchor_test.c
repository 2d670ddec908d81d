// SPDX-License-Identifier: MIT
// A picture of a board is told to have moved by as much as it has; what changes on it is no movement, and what shows
// nothing tells none.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "calibration/board.h"
#include "tests/calibration/view.h"
#include "vision/board/find.h"
#include "vision/source/source.h"
#include "vision/track/view_anchor.h"

enum { WIDTH = 640, HEIGHT = 480 };

// A cloth and a board of soft waves of 9 to 23 pixels; flat where nothing is to be seen.
static uint8_t shade_at(double u, double v, bool flat)
{
    double waves = sin(u * 0.31 + v * 0.12) + sin(u * -0.14 + v * 0.37) + sin(u * 0.52 - v * 0.21 + 1) +
                   sin(u * 0.27 + v * 0.55 + 2);
    return (uint8_t)lround(120 + (flat ? 0 : 14 * waves));
}

struct change {
    double moved_u, moved_v; // pixels
    int brighter;            // 8-bit steps
    double hidden;           // share of the columns
    bool flat, fine;
};

static struct frame *picture(const struct change *c, uint32_t *seed)
{
    struct frame *f;
    struct fail why;
    const double finer = c->fine ? 2.7 : 1;
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, &why), 0);
    for (int v = 0; v < HEIGHT; v++)
        for (int u = 0; u < WIDTH; u++) {
            *seed = *seed * 1664525u + 1013904223u;
            int noise = (int)(*seed >> 30) - 1; // -1 .. 2
            bool hidden = u < c->hidden * WIDTH;
            int code = hidden ? 40 + (int)(*seed >> 26)
                              : shade_at(finer * (u - c->moved_u), finer * (v - c->moved_v), c->flat) + c->brighter;
            memset(f->bgr + 3 * ((size_t)v * WIDTH + (size_t)u), code + noise, 3);
        }
    return f;
}

static struct board_pose board_on_the_cloth(void)
{
    struct board_pose pose = { .found = true, .board = *board_builtin("crokinole-nca") };
    pose.camera = view_of_board(WIDTH, HEIGHT, 700, 0, 0.6, 0.2, 45);
    return pose;
}

// Both frames are freed. NAN: it cannot be told.
static double shift_between(struct frame *before, struct frame *after)
{
    const struct board_pose pose = board_on_the_cloth();
    struct view_anchor anchor = { .luma = NULL };
    struct fail why;
    double shift_px = -1;
    assert_false(view_anchor_shift(&shift_px, &anchor, before, &tuning_defaults.track)); // nothing is taken
    assert_int_equal(view_anchor_take(&anchor, before, &pose, &tuning_defaults.track, &why), 0);
    bool told = view_anchor_shift(&shift_px, &anchor, after, &tuning_defaults.track);
    assert_true(told || shift_px == -1);
    view_anchor_finish(&anchor);
    frame_free(before);
    frame_free(after);
    return told ? shift_px : NAN;
}

static void a_movement_is_told_as_large_as_it_is(void **state)
{
    (void)state;
    static const struct {
        struct change change;
        double shift_px; // NAN: cannot be told
    } rows[] = {
        { { 0 }, 0 },
        { { .moved_u = 0.1 }, 0.1 },
        { { .moved_u = 0.3, .moved_v = -0.4 }, 0.5 },
        { { .brighter = 12 }, 0 },
        { { .hidden = 0.4 }, 0 },
        { { .moved_v = 0.3, .hidden = 0.4 }, 0.3 },
        { { .hidden = 0.9 }, NAN },
        { { .flat = true }, NAN },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        uint32_t seed = 7;
        const struct change none = { .flat = rows[i].change.flat };
        struct frame *before = picture(&none, &seed), *after = picture(&rows[i].change, &seed);
        double shift_px = shift_between(before, after), expected_px = rows[i].shift_px;
        if (isfinite(shift_px) != isfinite(expected_px) || fabs(shift_px - expected_px) > 0.05)
            fail_msg("row %zu: %.3f px instead of %.3f", i, shift_px, expected_px);
    }
}

// Several pixels: no tile tells, or it is told as more than nothing. Fine texture, by whose gradients a movement below
// a pixel would be surely told, looks alike on average some pixels on.
static void a_knock_is_no_stillness(void **state)
{
    (void)state;
    for (int k = 0; k < 24; k++) {
        const int px = 1 + k % 12;
        const bool fine = k >= 12;
        uint32_t seed = 11;
        struct frame *before = picture(&(struct change){ .fine = fine }, &seed),
                     *after = picture(&(struct change){ .fine = fine, .moved_u = px, .moved_v = px / 2.0 }, &seed);
        double shift_px = shift_between(before, after);
        if (shift_px < 0.5)
            fail_msg("%d px are told as %.3f%s", px, shift_px, fine ? " of fine texture" : "");
    }
}

// A board that slides on a table before a camera that stands: the table says nothing of it.
static void a_board_that_slides_does_not_stand_still(void **state)
{
    (void)state;
    const struct board_pose pose = board_on_the_cloth();
    const double surface_in = pose.board.surface_radius_in;
    for (int px = 1; px <= 16; px *= 2) {
        uint32_t seed = 5;
        struct frame *before = picture(&(struct change){ 0 }, &seed), *after = picture(&(struct change){ 0 }, &seed),
                     *moved = picture(&(struct change){ .moved_u = px }, &seed);
        for (int v = 0; v < HEIGHT; v++)
            for (int u = 0; u < WIDTH; u++) {
                struct pt_in at;
                size_t i = 3 * ((size_t)v * WIDTH + (size_t)u);
                if (camera_locate(&at, &pose.camera, (struct pt_px){ u, v }, 0) && hypot(at.x, at.y) < surface_in)
                    memcpy(after->bgr + i, moved->bgr + i, 3);
            }
        frame_free(moved);
        double shift_px = shift_between(before, after);
        if (shift_px < 0.5)
            fail_msg("%d px of the board are told as %.3f", px, shift_px);
    }
}

// Wood and a wall without much texture look alike some pixels on.
static void a_knock_before_a_plain_board_is_none_either(void **state)
{
    (void)state;
    static const int knocks[][2] = { { 0, 10 }, { 18, 0 }, { -30, 0 }, { 20, 20 }, { 35, 0 }, { 45, 0 }, { 50, 20 } };
    struct fail why;
    struct source *s;
    struct frame *f, *after;
    struct board_pose pose;
    struct view_anchor anchor = { .luma = NULL };
    struct track_tuning tuning = tuning_defaults.track;
    tuning.anchor_tiles_least = 0.1; // even where a few tiles are asked to tell
    assert_int_equal(photo_open(&s, "samples/pictures/table_01.jpg", &why), 0);
    assert_true(source_next(&f, s, &why) >= 0);
    source_close(s);
    assert_int_equal(board_find(&pose, f, board_builtin("crokinole-nca"), NULL, &tuning_defaults, &why), 0);
    assert_true(pose.found);
    assert_int_equal(view_anchor_take(&anchor, f, &pose, &tuning, &why), 0);
    assert_int_equal(frame_create(&after, f->width, f->height, &why), 0);
    double shift_px = INFINITY;
    assert_true(view_anchor_shift(&shift_px, &anchor, f, &tuning) && shift_px < 0.01);
    for (size_t i = 0; i < countof(knocks); i++) {
        for (int v = 0; v < f->height; v++)
            for (int u = 0; u < f->width; u++) {
                int from_u = u - knocks[i][0], from_v = v - knocks[i][1];
                from_u = from_u < 0 ? 0 : from_u >= f->width ? f->width - 1 : from_u;
                from_v = from_v < 0 ? 0 : from_v >= f->height ? f->height - 1 : from_v;
                memcpy(after->bgr + 3 * ((size_t)v * (size_t)f->width + (size_t)u),
                       f->bgr + 3 * ((size_t)from_v * (size_t)f->width + (size_t)from_u), 3);
            }
        shift_px = INFINITY;
        view_anchor_shift(&shift_px, &anchor, after, &tuning);
        if (shift_px < 0.5)
            fail_msg("%d, %d px are told as %.3f", knocks[i][0], knocks[i][1], shift_px);
    }
    view_anchor_finish(&anchor);
    frame_free(after);
    frame_free(f);
}

// A board that lies outside of the frame has no view, and a frame of another size is not compared.
static void what_is_not_there_is_not_compared(void **state)
{
    (void)state;
    struct board_pose pose = board_on_the_cloth();
    struct view_anchor anchor = { .luma = NULL };
    struct fail why;
    uint32_t seed = 3;
    double shift_px = -1;
    struct frame *f = picture(&(struct change){ 0 }, &seed), *other;
    assert_int_equal(view_anchor_take(&anchor, f, &pose, &tuning_defaults.track, &why), 0);
    for (int k = 1; k <= 4; k += 3) { // half as large, and twice
        assert_int_equal(frame_create(&other, WIDTH * k / 2, HEIGHT * k / 2, &why), 0);
        for (int v = 0; v < other->height; v++)
            for (int u = 0; u < other->width; u++)
                memset(other->bgr + 3 * ((size_t)v * (size_t)other->width + (size_t)u), shade_at(u, v, false), 3);
        assert_false(view_anchor_shift(&shift_px, &anchor, other, &tuning_defaults.track));
        frame_free(other);
    }
    pose.camera.lens.centre.u += 100 * WIDTH;
    assert_int_equal(view_anchor_take(&anchor, f, &pose, &tuning_defaults.track, &why), 0);
    assert_false(view_anchor_shift(&shift_px, &anchor, f, &tuning_defaults.track));
    view_anchor_finish(&anchor);
    frame_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_movement_is_told_as_large_as_it_is),
        cmocka_unit_test(a_knock_is_no_stillness),
        cmocka_unit_test(a_board_that_slides_does_not_stand_still),
        cmocka_unit_test(a_knock_before_a_plain_board_is_none_either),
        cmocka_unit_test(what_is_not_there_is_not_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
