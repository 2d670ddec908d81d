// SPDX-License-Identifier: MIT
#include "vision/follow/gate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "vision/opencv_c/opencv_c.h"

static const double PIECE_ACROSS_PX = 4.5; // of a piece's diameter in the reduced picture: enough to see it, no more
static const double BEYOND_SURFACE_IN = 3; // of the ditch and its rail that still belong to the board
static const double FLOOR_SEEN = 2;        // rings' radii around a ring: knocked-out marbles roll that far
static const int CHANGE_MIN = 14;          // 8-bit steps: compression alone changes a plain surface by less
static const double CHANGE_NOISE = 5;      // a change is so many times the noise
static const double NOISE_RISE = 1.05;     // a frame; so one frame in which everything moves is not taken for noise
static const double NOISE_START = 2;       // 8-bit steps
enum { NOISE_EVERY = 7, OUTLINE = 180 };   // every 7th pixel is sampled; corners of the outline looked at

static void whole_picture(struct gate *g)
{
    for (int y = 0; y < g->height; y++) {
        g->from[y] = 0;
        g->to[y] = g->width;
    }
}

// One side of the outline: each row it passes is widened to it.
static void widen(struct gate *g, struct pt_px a, struct pt_px b)
{
    int steps = 1 + (int)(2 * fmax(fabs(b.u - a.u), fabs(b.v - a.v)));
    for (int i = 0; i <= steps; i++) {
        double u = a.u + (b.u - a.u) * i / steps, v = a.v + (b.v - a.v) * i / steps;
        int y = (int)lround(fmin(fmax(v, 0), g->height - 1));
        int x = (int)lround(fmin(fmax(u, 0), g->width - 1));
        g->from[y] = x < g->from[y] ? x : g->from[y];
        g->to[y] = x + 1 > g->to[y] ? x + 1 : g->to[y];
    }
}

static bool outline(struct pt_px *out, const struct gate *g, const struct found_board *on, double radius_in)
{
    for (int i = 0; i <= OUTLINE; i++) {
        double a = 2 * PI * i / OUTLINE;
        struct pt3_in at = { radius_in * cos(a), radius_in * sin(a), 0 };
        if (!camera_project(&out[i], &on->camera, at))
            return false;
        out[i].u = (out[i].u + 0.5) / g->step - 0.5;
        out[i].v = (out[i].v + 0.5) / g->step - 0.5;
    }
    return true;
}

void gate_aim(struct gate *g, const struct found_board *on)
{
    struct pt_px corner[OUTLINE + 1];
    bool floor = on->board.surface_radius_in <= 0;
    double radius = floor ? FLOOR_SEEN * on->board.circle_in[0] : on->board.surface_radius_in + BEYOND_SURFACE_IN;
    whole_picture(g);
    if (outline(corner, g, on, radius)) {
        for (int y = 0; y < g->height; y++) {
            g->from[y] = g->width;
            g->to[y] = 0;
        }
        for (int i = 0; i < OUTLINE; i++)
            widen(g, corner[i], corner[i + 1]);
    }
    g->looked_at = 0;
    for (int y = 0; y < g->height; y++)
        g->looked_at += g->to[y] > g->from[y] ? g->to[y] - g->from[y] : 0;
}

static double reduction(const struct found_board *on)
{
    double scale = camera_scale_px_per_in(&on->camera, (struct pt3_in){ 0, 0, 0 });
    return fmax(1, floor(2 * on->board.piece_radius_in * scale / PIECE_ACROSS_PX));
}

int gate_create(struct gate *g, const struct frame *f, const struct found_board *on, struct fail *why)
{
    *g = (struct gate){ .full_width = f->width, .full_height = f->height, .noise = NOISE_START };
    double step = reduction(on);
    g->width = (int)ceil(f->width / step);
    g->height = (int)ceil(f->height / step);
    g->step = (double)f->width / g->width;
    size_t n = (size_t)g->width * (size_t)g->height, rows = (size_t)g->height;
    uint8_t **picture[] = { &g->now, &g->before, &g->anchor, &g->clean };
    bool all = true;
    for (size_t i = 0; i < countof(picture); i++)
        all &= (*picture[i] = calloc(n, 3)) != NULL;
    g->mask = calloc(n, 1);
    g->from = calloc(rows, sizeof *g->from);
    g->to = calloc(rows, sizeof *g->to);
    if (!all || !g->mask || !g->from || !g->to) {
        gate_finish(g);
        return rs_fail(why, RS_EIO, "no memory to compare frames of %d x %d pixels", f->width, f->height);
    }
    gate_aim(g, on);
    return 0;
}

void gate_finish(struct gate *g)
{
    free(g->now);
    free(g->before);
    free(g->anchor);
    free(g->clean);
    free(g->mask);
    free(g->from);
    free(g->to);
    *g = (struct gate){ 0 };
}

// The median difference between two frames: what moves covers less than half of the board. It cannot rise quickly.
static void measure_noise(struct gate *g)
{
    long histogram[256] = { 0 }, n = 0;
    for (int y = 0; y < g->height; y += 2)
        for (int x = g->from[y]; x < g->to[y]; x += NOISE_EVERY, n++) {
            size_t at = 3 * ((size_t)y * (size_t)g->width + (size_t)x);
            histogram[gate_difference(g->now + at, g->before + at)]++;
        }
    long below = 0;
    int median = 0;
    while (median < 255 && (below += histogram[median]) * 2 < n)
        median++;
    g->noise = fmin(fmax(median, 0.5), g->noise * NOISE_RISE);
    g->step_of_changes = (int)fmax(CHANGE_MIN, CHANGE_NOISE * g->noise);
}

// Fills the mask; how many pixels differ from the quiet's first frame.
static long compare(struct gate *g)
{
    long unquiet = 0;
    g->changed = g->moved = 0;
    for (int y = 0; y < g->height; y++) {
        uint8_t *mask = g->mask + (size_t)y * (size_t)g->width;
        memset(mask, 0, (size_t)g->width);
        for (int x = g->from[y]; x < g->to[y]; x++) {
            size_t at = 3 * ((size_t)y * (size_t)g->width + (size_t)x);
            const uint8_t *p = g->now + at;
            bool changed = gate_difference(p, g->clean + at) > g->step_of_changes;
            bool moved = gate_difference(p, g->before + at) > g->step_of_changes;
            mask[x] = (uint8_t)((changed ? CHANGED : 0) | (moved ? MOVED : 0));
            g->changed += changed;
            g->moved += moved;
            unquiet += gate_difference(p, g->anchor + at) > g->step_of_changes;
        }
    }
    return unquiet;
}

static size_t bytes(const struct gate *g)
{
    return (size_t)g->width * (size_t)g->height * 3;
}

int gate_look(struct gate *g, const struct frame *f, struct fail *why)
{
    uint8_t *spare = g->before;
    g->before = g->now;
    g->now = spare;
    int rc = cv_resize_area_u8(g->now, g->width, g->height, f->bgr, f->width, f->height, 3, why);
    if (rc < 0)
        return rc;
    g->t_s = f->t_s;
    if (!g->any_before) {
        memcpy(g->before, g->now, bytes(g));
        memcpy(g->anchor, g->now, bytes(g));
        g->any_before = true;
        g->quiet_since_s = f->t_s;
        gate_keep_clean(g);
    }
    measure_noise(g);
    // A quarter of a piece: less than a piece that moves by half its size changes, more than stray noise.
    if (compare(g) > PI / 16 * PIECE_ACROSS_PX * PIECE_ACROSS_PX) {
        memcpy(g->anchor, g->now, bytes(g));
        g->quiet_since_s = f->t_s;
    }
    return 0;
}

void gate_keep_clean(struct gate *g)
{
    memcpy(g->clean, g->now, bytes(g));
    memset(g->mask, 0, (size_t)g->width * (size_t)g->height);
    g->changed = 0;
}
