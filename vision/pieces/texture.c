// SPDX-License-Identifier: MIT
#include "vision/pieces/texture.h"

#include <math.h>

#include "calibration/algebra.h"
#include "vision/colour.h"

enum { PLACES_MAX = 64 * 64 };

// Where differences begin; with so much picture around them as the farthest pixels are apart.
struct place {
    int u, v;
};

static int lay_places(struct place out[PLACES_MAX], const struct frame *f, const struct board_pose *pose, int reach_px)
{
    const int side = (int)sqrt(PLACES_MAX);
    double radius_in = pose->board.circle_in[0];
    int n = 0;
    for (int i = 0; i < side * side; i++) {
        double x = radius_in * (2 * (i % side + 0.5) / side - 1), y = radius_in * (2 * (i / side + 0.5) / side - 1);
        struct pt_px at;
        if (x * x + y * y < radius_in * radius_in && camera_project(&at, &pose->camera, (struct pt3_in){ x, y, 0 }) &&
            at.u >= 0 && at.v >= 0 && at.u < f->width - reach_px && at.v < f->height - reach_px)
            out[n++] = (struct place){ (int)at.u, (int)at.v };
    }
    return n;
}

static double luma_at(const struct frame *f, int u, int v)
{
    const uint8_t *p = f->bgr + 3 * ((size_t)v * (size_t)f->width + (size_t)u);
    double colour[3];
    colour_from_bgr(colour, (const double[3]){ p[0], p[1], p[2] });
    return colour[0];
}

// Of pixels so far apart, along rows and columns, half the variance of their difference, which of independent ones is the variance of
// each: by its smaller squares, for marbles, lines and feet are few.
static double variance_apart(const struct frame *f, const struct place *place, int n, int apart_px)
{
    enum { OF = 4, SMALLER = 3 };
    // The mean of a normal variable's square, where the largest quarter of them is cut down to the next smaller one.
    static const double normal = 0.608;
    double square[2 * PLACES_MAX], sum = 0;
    for (int i = 0; i < n; i++) {
        double here = luma_at(f, place[i].u, place[i].v);
        square[2 * i] = pow(luma_at(f, place[i].u + apart_px, place[i].v) - here, 2);
        square[2 * i + 1] = pow(luma_at(f, place[i].u, place[i].v + apart_px) - here, 2);
    }
    double most = select_kth(square, 2 * n, 2 * n * SMALLER / OF);
    for (int i = 0; i < 2 * n; i++)
        sum += fmin(square[i], most);
    return sum / (2 * n) / normal / 2;
}

double texture_correlated_px(const struct frame *f, const struct board_pose *pose, double noise, double reach_px)
{
    static const double even = 0.1; // what is correlated less is no texture's any more
    static const int most_px = 32;
    struct place place[PLACES_MAX];
    double pixels = 1;
    int reach = (int)fmax(1, fmin(reach_px, most_px)), n = lay_places(place, f, pose, reach);
    double apart = n > 0 ? variance_apart(f, place, n, reach) - noise * noise : 0;
    for (int k = 1; k < reach && apart > 0; k++) {
        double correlation = 1 - (variance_apart(f, place, n, k) - noise * noise) / apart;
        if (correlation < even)
            break;
        pixels += 2 * PI * k * correlation;
    }
    return pixels;
}
