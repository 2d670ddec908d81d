// SPDX-License-Identifier: MIT
#include "vision/track/view_anchor.h"

#include <math.h>
#include <stdlib.h>

#include "calibration/algebra.h"
#include "vision/pieces/px_box.h"

enum { TILES = 5, TILE_SAMPLES = 1600 }; // tiles each way

int view_anchor_take(struct view_anchor *a, const struct frame *f, const struct board_pose *pose,
                     const struct track_tuning *t, struct fail *why)
{
    struct px_box box = px_box_empty();
    struct px_range part = { 0, 0, 0, 0 };
    if (px_box_take_circle(&box, &pose->camera, (struct pt3_in){ 0, 0, 0 },
                           t->anchor_around * pose->board.circle_in[0]))
        part = px_box_range(&box, 0, f->width, f->height);
    size_t n = (size_t)(part.to_u - part.from_u) * (size_t)(part.to_v - part.from_v);
    if (n > a->capacity) {
        uint8_t *luma = realloc(a->luma, n);
        if (!luma)
            return rs_fail(why, RS_ENOMEM, "no memory to keep the view of the board");
        a->luma = luma;
        a->capacity = n;
    }
    a->part = part;
    a->width = f->width;
    a->height = f->height;
    a->t_s = f->t_s;
    uint8_t *out = a->luma;
    for (int v = part.from_v; v < part.to_v; v++)
        for (int u = part.from_u; u < part.to_u; u++)
            *out++ = frame_luma_at(f, u, v);
    return 0;
}

void view_anchor_finish(struct view_anchor *a)
{
    free(a->luma);
    *a = (struct view_anchor){ .luma = NULL };
}

struct tile {
    int count;
    double gradient_u[TILE_SAMPLES], gradient_v[TILE_SAMPLES], change[TILE_SAMPLES], left[TILE_SAMPLES];
    double now_u[TILE_SAMPLES], now_v[TILE_SAMPLES]; // the frame's gradient
    bool kept[TILE_SAMPLES];
};

// What the tile shows, about TILE_SAMPLES pixels of it.
static void sample_tile(struct tile *out, const struct view_anchor *a, const struct frame *f, struct px_range tile)
{
    const int width = a->part.to_u - a->part.from_u;
    double pixels = (double)(tile.to_u - tile.from_u) * (tile.to_v - tile.from_v);
    const int step = (int)ceil(fmax(1, sqrt(pixels / TILE_SAMPLES)));
    out->count = 0;
    for (int v = tile.from_v; v < tile.to_v; v += step)
        for (int u = tile.from_u; u < tile.to_u && out->count < TILE_SAMPLES; u += step) {
            const uint8_t *was = a->luma + (size_t)v * (size_t)width + (size_t)u;
            int i = out->count++, at_u = a->part.from_u + u, at_v = a->part.from_v + v;
            out->gradient_u[i] = (was[1] - was[-1]) / 2.0;
            out->gradient_v[i] = (was[width] - was[-width]) / 2.0;
            out->now_u[i] = (frame_luma_at(f, at_u + 1, at_v) - frame_luma_at(f, at_u - 1, at_v)) / 2.0;
            out->now_v[i] = (frame_luma_at(f, at_u, at_v + 1) - frame_luma_at(f, at_u, at_v - 1)) / 2.0;
            out->change[i] = frame_luma_at(f, at_u, at_v) - was[0];
            out->kept[i] = true;
        }
}

// The shift along u and v and the offset of brightness by the pixels that are kept, and their covariance for noise of 1
// code. False where they show no movement.
static bool solve_tile(double x[3], double inverse[3 * 3], const struct tile *t)
{
    double N[3 * 3], g[3];
    struct normal_equations sums = normal_begin(N, g, 3);
    for (int i = 0; i < t->count; i++)
        if (t->kept[i])
            normal_add(&sums, (const double[3]){ -t->gradient_u[i], -t->gradient_v[i], 1 }, t->change[i], 1);
    if (!normal_invert(inverse, &sums))
        return false;
    for (int k = 0; k < 3; k++)
        x[k] = vec3_dot(&inverse[k * 3], g);
    return true;
}

// Correlation of the kept pixels' gradients, less their mean: a slope of light is alike wherever it is seen.
static double gradients_alike(const struct tile *t)
{
    double mean[4] = { 0 }, was2 = 0, now2 = 0, both = 0;
    int n = 0;
    for (int i = 0; i < t->count; i++)
        if (t->kept[i]) {
            const double g[4] = { t->gradient_u[i], t->gradient_v[i], t->now_u[i], t->now_v[i] };
            for (int k = 0; k < 4; k++)
                mean[k] += g[k];
            n++;
        }
    for (int i = 0; i < t->count; i++)
        if (t->kept[i]) {
            double was_u = t->gradient_u[i] - mean[0] / n, was_v = t->gradient_v[i] - mean[1] / n;
            double now_u = t->now_u[i] - mean[2] / n, now_v = t->now_v[i] - mean[3] / n;
            was2 += was_u * was_u + was_v * was_v;
            now2 += now_u * now_u + now_v * now_v;
            both += was_u * now_u + was_v * now_v;
        }
    return was2 * now2 > 0 ? both / sqrt(was2 * now2) : 0;
}

// How far one tile has moved. False where most of it has changed, or it has too little texture to tell.
static bool tile_shift(double *shift_px, struct tile *tile, const struct track_tuning *t)
{
    enum { ROUNDS = 3 };
    double x[3], inverse[3 * 3], sorted[TILE_SAMPLES], sigma = 0;
    int kept = tile->count;
    for (int i = 0; i < tile->count; i++)
        sorted[i] = tile->change[i];
    double usual = tile->count > 0 ? median_of(sorted, tile->count) : 0;
    for (int i = 0; i < tile->count; i++)
        tile->kept[i] = fabs(tile->change[i] - usual) < t->anchor_changed;
    for (int round = 0; round < ROUNDS; round++) {
        if (!solve_tile(x, inverse, tile))
            return false;
        for (int i = 0; i < tile->count; i++) {
            tile->left[i] = tile->change[i] + x[0] * tile->gradient_u[i] + x[1] * tile->gradient_v[i] - x[2];
            sorted[i] = fabs(tile->left[i]);
        }
        sigma = fmax(MAD_TO_SIGMA * median_of(sorted, tile->count), t->anchor_noise);
        kept = 0;
        for (int i = 0; i < tile->count; i++)
            kept += tile->kept[i] = fabs(tile->left[i]) < t->anchor_reach_sigmas * sigma;
    }
    double sigma_px = sigma * sqrt(t->anchor_shared_pixels * fmax(inverse[0], inverse[4]));
    if (kept < t->anchor_kept_least * tile->count || !(sigma_px < t->anchor_most_sigma_px) ||
        gradients_alike(tile) < t->anchor_alike_least)
        return false;
    *shift_px = hypot(x[0], x[1]);
    return true;
}

bool view_anchor_shift(double *shift_px, const struct view_anchor *a, const struct frame *f,
                       const struct track_tuning *t)
{
    const int width = a->part.to_u - a->part.from_u, height = a->part.to_v - a->part.from_v;
    double shift[TILES * TILES];
    int n = 0;
    if (!a->luma || width < 2 * TILES || height < 2 * TILES || a->width != f->width || a->height != f->height)
        return false;
    for (int k = 0; k < TILES * TILES; k++) {
        int u = k % TILES, v = k / TILES;
        struct px_range where = { 1 + u * (width - 2) / TILES, 1 + (u + 1) * (width - 2) / TILES,
                                  1 + v * (height - 2) / TILES, 1 + (v + 1) * (height - 2) / TILES };
        struct tile tile;
        sample_tile(&tile, a, f, where);
        n += tile_shift(&shift[n], &tile, t);
    }
    if (n < t->anchor_tiles_least * TILES * TILES)
        return false;
    *shift_px = select_kth(shift, n, 3 * n / 4);
    return true;
}
