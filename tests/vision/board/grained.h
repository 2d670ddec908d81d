// SPDX-License-Identifier: MIT
// grained.h: a dark crokinole board with grain, lines and a numeral's spot, discs on it, under a light, through a
// camera: each frame with noise of its own.
#ifndef RINGSIDE_TESTS_VISION_BOARD_GRAINED_H
#define RINGSIDE_TESTS_VISION_BOARD_GRAINED_H

#include <math.h>
#include <stdbool.h>

#include "tests/calibration/view.h"
#include "tests/vision/board/painted.h"
#include "vision/detection.h"

enum { GRAINED_WIDTH = 640, GRAINED_HEIGHT = 480, GRAINED_DISCS = 6 };

struct grained {
    struct camera camera;
    struct board board;
    double gain, slope; // of the light: in the middle, and how much more of it falls on the right edge
    double grain;       // of the board's light
    bool spot;          // a round spot of paint, as large as a disc
    int discs;
    struct pt_in at[GRAINED_DISCS];
    double disc[3]; // B G R
    uint32_t seed;  // of the noise
};

static const struct pt_in GRAINED_SPOT = { 6, 6.5 };

static inline struct grained grained_stage(double tilt_rad)
{
    return (struct grained){ .camera = view_of_board(GRAINED_WIDTH, GRAINED_HEIGHT, 560, -0.04, tilt_rad, 0.35, 36),
                             .board = *board_builtin("crokinole-nca"),
                             .gain = 1,
                             .grain = 0.24,
                             .disc = { 38, 36, 34 },
                             .seed = 5 };
}

static inline struct board_pose grained_found(const struct grained *g)
{
    return (struct board_pose){
        .found = true, .board = g->board, .camera = g->camera, .fit = { .camera = g->camera }, .line_sigma_in = 0.002
    };
}

// Light of the board at a place, B G R: bands that wind along x, and flecks.
static inline void grained_board_at(double bgr[3], const struct grained *g, struct pt_in at)
{
    static const struct paint paint = { { 30, 30, 32 }, { 74, 52, 46 }, { 110, 120, 125 }, 0, 0 };
    uint32_t fleck = (uint32_t)((int)floor(at.x * 5) * 7919 + (int)floor(at.y * 9) * 104729) * 2654435761u;
    double band = sin(9 * at.y + 1.3 * sin(0.9 * at.x)), speck = (double)(fleck >> 24) / 127.5 - 1;
    const double *code = paint_at(&g->board, &paint, at);
    bool spot = g->spot && hypot(at.x - GRAINED_SPOT.x, at.y - GRAINED_SPOT.y) < g->board.piece_radius_in;
    for (int c = 0; c < 3; c++)
        bgr[c] = (spot ? 150 + 20 * c : code[c]) * (1 + g->grain * (band + speck) / 2);
}

// The line of sight from above down: a disc's top and side, else the board. False where it meets neither.
static inline bool grained_light(double bgr[3], const struct grained *g, struct pt_px seen)
{
    enum { LAYERS = 6 };
    struct pt_in at, foot;
    if (!camera_locate(&foot, &g->camera, seen, 0))
        return false;
    grained_board_at(bgr, g, foot);
    bool near = false;
    for (int i = 0; i < g->discs; i++)
        near |= hypot(foot.x - g->at[i].x, foot.y - g->at[i].y) < 2 * g->board.piece_radius_in;
    for (int k = 0; near && k <= LAYERS; k++) {
        if (!camera_locate(&at, &g->camera, seen, g->board.piece_height_in * (LAYERS - k) / LAYERS))
            continue;
        for (int i = 0; i < g->discs; i++)
            if (hypot(at.x - g->at[i].x, at.y - g->at[i].y) < g->board.piece_radius_in) {
                for (int c = 0; c < 3; c++)
                    bgr[c] = g->disc[c] * (k == 0 ? 1 : 0.7);
                return true;
            }
    }
    return true;
}

// The caller frees it.
static inline struct frame *grained_frame(const struct grained *g, double t_s)
{
    enum { SIDE = 2 };
    struct frame *f;
    uint32_t seed = g->seed + (uint32_t)(1000 * t_s);
    assert_int_equal(frame_create(&f, GRAINED_WIDTH, GRAINED_HEIGHT, NULL), 0);
    f->t_s = t_s;
    for (int v = 0; v < f->height; v++)
        for (int u = 0; u < f->width; u++) {
            double sum[3] = { 0 }, light = g->gain * (1 + g->slope * (2.0 * u / f->width - 1));
            for (int k = 0; k < SIDE * SIDE; k++) {
                double bgr[3] = { 0 };
                struct pt_px seen = { u + (k % SIDE + 0.5) / SIDE - 0.5, v + (k / SIDE + 0.5) / SIDE - 0.5 };
                grained_light(bgr, g, seen);
                for (int c = 0; c < 3; c++)
                    sum[c] += bgr[c] / (SIDE * SIDE);
            }
            for (int c = 0; c < 3; c++)
                f->bgr[3 * ((size_t)v * (size_t)f->width + (size_t)u) + (size_t)c] =
                    (uint8_t)fmax(0, fmin(255, light * sum[c] + 2 * painted_noise(&seed) + 0.5));
        }
    return f;
}

#endif
