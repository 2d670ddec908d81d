// SPDX-License-Identifier: MIT
// Chessboards of many kinds are found to a few hundredths of a pixel, whole and cut off; other grids are not.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/calibration/held.h"
#include "tests/vision/board/shown.h"
#include "vision/board/chessboard_find.h"

enum { WIDTH = 960, HEIGHT = 540 };

static struct frame *painted(const struct camera *c, const struct chequers *p, double noise)
{
    const struct shown s = { chequers_code, p, noise };
    struct fail why = { .text = "" };
    struct frame *f = NULL;
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, &why), 0);
    shown_paint(f, c, &s);
    return f;
}

// Root mean square in u or v of the corners against the nearest true one; a corner that is none counts with its
// distance.
static double error_px(const struct chessboard *b, const struct camera *c, const struct chequers *p)
{
    double sum = 0;
    for (int i = 0; i < chessboard_corners(b); i++) {
        double nearest = INFINITY;
        for (int k = 1; k < p->rows; k++)
            for (int j = 1; j < p->columns; j++) {
                struct pt_px at = { 0, 0 };
                (void)camera_project(&at, c, (struct pt3_in){ j - p->columns / 2.0, k - p->rows / 2.0, 0 });
                nearest = fmin(nearest, hypot(at.u - b->corner[i].u, at.v - b->corner[i].v));
            }
        sum += nearest * nearest / 2;
    }
    return sqrt(sum / chessboard_corners(b));
}

static const struct {
    const char *what;
    struct chequers p;
    struct held h;
    double noise;
    int least; // corners
} shown[] = {
    { "the printed target", { 7, 9, 30, 220, 90, false }, { 0.5, 0.5, 15, 0.4, 1 }, 2, 48 },
    { "leaning by 50 degrees", { 7, 9, 30, 220, 90, false }, { 0.5, 0.5, 16, 0.87, 0.3 }, 2, 48 },
    { "a board of 10 x 7", { 10, 7, 30, 220, 90, false }, { 0.4, 0.5, 16, 0.3, 2 }, 2, 54 },
    { "in dim light", { 7, 9, 20, 60, 30, false }, { 0.5, 0.5, 15, 0.4, 4 }, 2, 48 },
    { "noisy", { 7, 9, 40, 180, 90, false }, { 0.5, 0.5, 15, 0.4, 3 }, 8, 48 },
    { "cut off at the corner", { 7, 9, 30, 220, 90, false }, { 0.1, 0.2, 13, 0.4, 2.5 }, 2, 16 },
};

static void chessboards_are_found(void **state)
{
    const struct lens l = held_lens(WIDTH, HEIGHT, 0.8 * WIDTH, -0.1, 0.02);
    (void)state;
    for (size_t i = 0; i < countof(shown); i++) {
        const struct camera c = held_camera(&l, &shown[i].h);
        struct chessboard b = { 0, 0, { { 0, 0 } } };
        struct fail why = { .text = "" };
        struct frame *f = painted(&c, &shown[i].p, shown[i].noise);
        int rc = chessboard_find(&b, f, CHESSBOARD_LARGE, &why);
        double error = rc == 1 ? error_px(&b, &c, &shown[i].p) : INFINITY;
        if (rc != 1 || chessboard_corners(&b) < shown[i].least || !(error < 0.12))
            fail_msg("%s: gave %d, %d x %d corners, %.3f px off", shown[i].what, rc, b.columns, b.rows, error);
        frame_free(f);
    }
}

static const struct {
    const char *what;
    struct chequers p;
} others[] = {
    { "tiles", { 9, 9, 60, 200, 90, true } },
    { "a plain sheet", { 7, 9, 220, 220, 90, false } },
    { "too few squares", { 4, 4, 30, 220, 90, false } },
};

static void other_grids_are_not(void **state)
{
    const struct lens l = held_lens(WIDTH, HEIGHT, 0.8 * WIDTH, -0.1, 0.02);
    const struct held h = { 0.5, 0.5, 15, 0.3, 1 };
    const struct camera c = held_camera(&l, &h);
    (void)state;
    for (size_t i = 0; i < countof(others); i++) {
        struct chessboard b;
        struct fail why = { .text = "" };
        struct frame *f = painted(&c, &others[i].p, 2);
        if (chessboard_find(&b, f, CHESSBOARD_ANY, &why) != 0)
            fail_msg("%s: taken for a chessboard of %d x %d corners", others[i].what, b.columns, b.rows);
        frame_free(f);
    }
}

// A far board on a large picture, a square being 9 pixels wide, needs the second search.
static void a_small_one_is_found_where_there_is_time(void **state)
{
    const struct chequers p = { 7, 9, 30, 220, 90, false };
    const struct lens l = held_lens(WIDTH, HEIGHT, 0.8 * WIDTH, 0, 0);
    const struct held h = { 0.6, 0.5, 84, 0.3, 1 };
    const struct camera c = held_camera(&l, &h);
    struct chessboard b;
    struct fail why = { .text = "" };
    struct frame *f = painted(&c, &p, 1);
    (void)state;
    assert_int_equal(chessboard_find(&b, f, CHESSBOARD_ANY, &why), 1);
    assert_int_equal(chessboard_corners(&b), 48);
    assert_true(error_px(&b, &c, &p) < 0.2); // fewer pixels show each corner
    frame_free(f);
}

// A strip vanishes at some of the widths that are searched, or at all; that is no failure of anything.
static void in_a_strip_there_is_none(void **state)
{
    (void)state;
    static const int heights_px[] = { 1, 16 };
    for (size_t i = 0; i < countof(heights_px); i++) {
        struct chessboard b;
        struct fail why = { .text = "" };
        struct frame *f = NULL;
        assert_int_equal(frame_create(&f, FRAME_MAX_SIDE_PX, heights_px[i], &why), 0);
        int rc = chessboard_find(&b, f, CHESSBOARD_ANY, &why);
        if (rc != 0)
            fail_msg("%d px high: gave %d, \"%s\"", f->height, rc, why.text);
        frame_free(f);
    }
}

static double search_s(int width, int height)
{
    struct chessboard b;
    struct frame *f = NULL;
    assert_int_equal(frame_create(&f, width, height, NULL), 0);
    for (size_t i = 0; i < 3 * (size_t)width * (size_t)height; i++)
        f->bgr[i] = (uint8_t)(i * i * 2654435761u >> 24);
    clock_t begun = clock();
    assert_int_equal(chessboard_find(&b, f, CHESSBOARD_ANY, NULL), 0);
    frame_free(f);
    return (double)(clock() - begun) / CLOCKS_PER_SEC;
}

// As high as a picture can be, it was searched at its full size, for 18 s.
static void a_tall_strip_takes_no_longer_than_other_pictures(void **state)
{
    (void)state;
    double usual_s = search_s(640, 480), strip_s = search_s(40, FRAME_MAX_SIDE_PX);
    if (strip_s > 10 * usual_s)
        fail_msg("%.2f s, of %.2f s for a usual picture", strip_s, usual_s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chessboards_are_found),
        cmocka_unit_test(other_grids_are_not),
        cmocka_unit_test(a_small_one_is_found_where_there_is_time),
        cmocka_unit_test(in_a_strip_there_is_none),
        cmocka_unit_test(a_tall_strip_takes_no_longer_than_other_pictures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
