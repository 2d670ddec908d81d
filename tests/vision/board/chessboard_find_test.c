// SPDX-License-Identifier: MIT
// Chessboards of many kinds are found to a few hundredths of a pixel, whole and cut off; other grids are not.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/calibration/held.h"
#include "tests/near.h"
#include "vision/board/chessboard_find.h"

enum { WIDTH = 960, HEIGHT = 540, SUBPIXELS = 3 };

struct pattern {
    int columns, rows; // squares
    double dark, light, ground;
    bool all_dark; // tiles with light joints in place of a chessboard
};

static double code_at(const struct pattern *p, struct pt_in at)
{
    double x = at.x + p->columns / 2.0, y = at.y + p->rows / 2.0, joint = 0.08;
    bool inside = x > 0 && y > 0 && x < p->columns && y < p->rows;
    if (!inside)
        return x > -0.7 && y > -0.7 && x < p->columns + 0.7 && y < p->rows + 0.7 ? p->light : p->ground;
    if (p->all_dark)
        return fmod(x, 1) < joint || fmod(y, 1) < joint ? p->light : p->dark;
    return ((int)x + (int)y) % 2 ? p->light : p->dark;
}

static struct frame *painted(const struct camera *c, const struct pattern *p, double noise)
{
    struct fail why = { .text = "" };
    struct frame *f = NULL;
    uint32_t seed = 11;
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, &why), 0);
    for (int v = 0; v < HEIGHT; v++)
        for (int u = 0; u < WIDTH; u++) {
            double code = noise * held_noise(&seed);
            for (int k = 0; k < SUBPIXELS * SUBPIXELS; k++) {
                struct pt_px at = { u + (k % SUBPIXELS + 0.5) / SUBPIXELS - 0.5,
                                    v + (k / SUBPIXELS + 0.5) / SUBPIXELS - 0.5 };
                struct pt_in place;
                bool hit = camera_locate(&place, c, at, 0);
                code += (hit ? code_at(p, place) : p->ground) / (SUBPIXELS * SUBPIXELS);
            }
            memset(f->bgr + 3 * ((size_t)v * WIDTH + (size_t)u), (int)fmin(fmax(code + 0.5, 0), 255), 3);
        }
    return f;
}

// Root mean square in u or v of the corners against the nearest true one; a corner that is none counts with its distance.
static double error_px(const struct chessboard *b, const struct camera *c, const struct pattern *p)
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
    struct pattern p;
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
    struct pattern p;
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
    const struct pattern p = { 7, 9, 30, 220, 90, false };
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chessboards_are_found),
        cmocka_unit_test(other_grids_are_not),
        cmocka_unit_test(a_small_one_is_found_where_there_is_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
