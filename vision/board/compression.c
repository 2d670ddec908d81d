// SPDX-License-Identifier: MIT
#include "vision/board/compression.h"

#include <math.h>
#include <stdlib.h>

#include "calibration/algebra.h"

enum { BLOCK_PX = 8, CODES = 256, AROUND = 64 };
static const double FLAT_SHARE = 0.8;        // of the steps between neighbours: the others are edges, not errors
static const double ROUNDING = 1.0 / 12;     // variance of what a whole number leaves off: no pixel has less
static const uint8_t WHITE = 250, BLACK = 4; // beyond, a sensor is full or empty and shows no error
static const long LEAST_ACROSS = 1000;       // fewer tell nothing

// How often neighbours differ by so many codes, within blocks and across their borders.
struct steps {
    long count[2][CODES];
};

struct window {
    int left, top, right, bottom; // pixels, inclusive
};

// The part of the picture in which the board's outermost line runs.
static bool window_of(struct window *w, const struct frame *f, const struct board_pose *pose)
{
    double r = pose->board.circle_in[0];
    *w = (struct window){ f->width, f->height, 0, 0 };
    for (int k = 0; k < AROUND; k++) {
        double angle = 2 * PI * k / AROUND;
        struct pt_px at;
        if (!camera_project(&at, &pose->camera, (struct pt3_in){ r * cos(angle), r * sin(angle), 0 }))
            return false;
        w->left = (int)fmin(w->left, fmax(at.u, 0));
        w->top = (int)fmin(w->top, fmax(at.v, 0));
        w->right = (int)fmax(w->right, fmin(at.u, f->width - 2));
        w->bottom = (int)fmax(w->bottom, fmin(at.v, f->height - 2));
    }
    return true;
}

static int luma_at(const struct frame *f, int u, int v)
{
    const uint8_t *bgr = f->bgr + 3 * ((size_t)v * (size_t)f->width + (size_t)u);
    return (29 * bgr[0] + 150 * bgr[1] + 77 * bgr[2]) >> 8;
}

static void count_step(struct steps *s, int here, int beyond, bool border)
{
    if (here > BLACK && here < WHITE && beyond > BLACK && beyond < WHITE)
        s->count[border][abs(beyond - here)]++;
}

static void count_steps(struct steps *s, const struct frame *f, const struct window *w)
{
    for (int v = w->top; v <= w->bottom; v++)
        for (int u = w->left; u <= w->right; u++) {
            int here = luma_at(f, u, v);
            count_step(s, here, luma_at(f, u + 1, v), (u + 1) % BLOCK_PX == 0);
            count_step(s, here, luma_at(f, u, v + 1), (v + 1) % BLOCK_PX == 0);
        }
}

// Mean square of the smaller steps.
static double flat_square(const long count[CODES])
{
    long all = 0, taken = 0;
    double sum = 0;
    for (int d = 0; d < CODES; d++)
        all += count[d];
    long most = (long)(FLAT_SHARE * (double)all);
    for (int d = 0; d < CODES && taken < most; d++) {
        long n = count[d] < most - taken ? count[d] : most - taken;
        sum += (double)n * d * d;
        taken += n;
    }
    return taken ? sum / (double)taken : 0;
}

struct compression compression_look(const struct frame *f, const struct board_pose *pose)
{
    struct steps s = { { { 0 } } };
    struct window w;
    long across = 0;
    if (!window_of(&w, f, pose))
        return (struct compression){ 0, 0 };
    count_steps(&s, f, &w);
    for (int d = 0; d < CODES; d++)
        across += s.count[1][d];
    if (across < LEAST_ACROSS)
        return (struct compression){ 0, 0 };
    // A step is the difference of two errors: twice the variance of one.
    double fresh = flat_square(s.count[0]) / 2, shared = fmax(flat_square(s.count[1]) / 2 - fresh, 0);
    double smoothed = fmax(ROUNDING - fresh, 0); // away with all the rest
    return (struct compression){ (shared + smoothed) / (shared + smoothed + fresh), sqrt(shared) };
}
