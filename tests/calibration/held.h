// SPDX-License-Identifier: MIT
// held.h: chessboards for tests as a person holds them before a camera: where, how far, how tilted, with noise on the
// corners.
#ifndef RINGSIDE_TESTS_CALIBRATION_HELD_H
#define RINGSIDE_TESTS_CALIBRATION_HELD_H

#include <math.h>
#include <stdint.h>

#include "calibration/algebra.h"
#include "calibration/chessboard.h"
#include "calibration/lens_fit.h"

struct held {
    double u, v;                 // where its middle is seen: 0 left or top .. 1
    double squares_away;         // distance
    double tilt_rad, toward_rad; // how far it leans, and to which side of the picture
};

// What a user is asked for: the middle and all corners of the picture, leaning to all sides.
static const struct held held_well[] = {
    { 0.50, 0.50, 14, 0.0, 0.0 },  { 0.25, 0.28, 15, 0.6, 0.7 },  { 0.75, 0.28, 15, 0.5, 2.4 },
    { 0.25, 0.72, 15, 0.6, -0.8 }, { 0.75, 0.72, 15, 0.6, 3.9 },  { 0.50, 0.28, 13, 0.7, 1.6 },
    { 0.50, 0.72, 13, 0.5, -1.6 }, { 0.28, 0.50, 13, 0.7, 0.0 },  { 0.72, 0.50, 13, 0.6, 3.1 },
    { 0.50, 0.50, 20, 0.8, 0.4 },  { 0.20, 0.25, 18, 0.3, 3.0 },  { 0.80, 0.25, 18, 0.4, -2.2 },
    { 0.20, 0.75, 18, 0.4, 1.2 },  { 0.80, 0.75, 18, 0.5, -0.4 },
};

static inline struct lens held_lens(int width, int height, double f_px, double k1, double k2)
{
    return (struct lens){ .width = width,
                          .height = height,
                          .f_px = f_px,
                          .centre = { width / 2.0 + 0.006 * width, height / 2.0 - 0.004 * width },
                          .k1 = k1,
                          .k2 = k2 };
}

// The camera before which it is held; board frame in squares.
static inline struct camera held_camera(const struct lens *l, const struct held *h)
{
    const double axis[3] = { -sin(h->toward_rad) * h->tilt_rad, cos(h->toward_rad) * h->tilt_rad, 0 };
    const double facing[3][3] = { { 1, 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 } };
    struct camera c = { .lens = *l };
    double turn[3][3], x = 0, y = 0;
    rotation_from_axis(turn, axis);
    mat3_multiply(c.pose.R, (const double(*)[3])turn, facing);
    (void)lens_undistort(&x, &y, l, (struct pt_px){ h->u * (l->width - 1), h->v * (l->height - 1) });
    c.pose.t_in[0] = x * h->squares_away;
    c.pose.t_in[1] = y * h->squares_away;
    c.pose.t_in[2] = h->squares_away;
    return c;
}

static inline double held_noise(uint32_t *seed)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        *seed = *seed * 1664525u + 1013904223u;
        sum += (*seed >> 8) / (double)(1 << 24);
    }
    return sum;
}

// The corners of a board of columns x rows that bulges towards its middle by `bulge` squares.
static inline void held_see(struct chessboard *out, const struct camera *c, int columns, int rows, double noise_px,
                            double bulge, uint32_t *seed)
{
    *out = (struct chessboard){ .columns = columns, .rows = rows };
    for (int i = 0; i < columns * rows; i++) {
        struct pt_in at = chessboard_place(out, i);
        double height = bulge * (1 - pow(2 * at.x / columns, 2));
        (void)camera_project(&out->corner[i], c, (struct pt3_in){ at.x, at.y, height });
        out->corner[i].u += noise_px * held_noise(seed);
        out->corner[i].v += noise_px * held_noise(seed);
    }
}

#endif
