// SPDX-License-Identifier: MIT
#include "vision/track/gate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "vision/opencv_c/opencv_c.h"

static const double PIECE_ACROSS_PX = 4;   // of a piece's diameter in the reduced picture: enough to see it, no more
static const double BEYOND_SURFACE_IN = 3; // of the ditch and its rail that still belong to the board
static const double FLOOR_SEEN = 2;        // rings' radii around a ring: knocked-out marbles roll that far
static const int CHANGE_MIN = 14;          // 8-bit steps: compression alone changes a plain surface by less
static const double CHANGE_NOISE = 3;      // a change is so many times the noise: five sigma when it is Gaussian
static const double NOISE_RISE = 1.02;     // a frame; so some frames in which everything moves are not taken for noise
static const double LEARNS_S = 0.5, NOISE_LEARNS = 1.2; // but at first nothing is known of it
static const int CARRIED_STEPS = 2;                     // changes: edges that are carried over are blurred by it
static const double NOISE_START = 2;                    // 8-bit steps
static const double QUARTER_OF_PIECE =
    PI / 16; // of its width squared: half of it shows when it moves by half its width
enum {
    NOISE_EVERY = 7,
    OUTLINE = 180,
    BLOCK = 16,
    COMPANY = 3
}; // every 7th pixel; corners of an outline; pixels compared at once; neighbours of a pixel, itself included

static void whole_picture(const struct gate *g, struct quiet *q)
{
    for (int y = 0; y < g->height; y++) {
        q->from[y] = 0;
        q->to[y] = g->width;
    }
}

// One side of the outline: each row it passes is widened to it.
static void widen(const struct gate *g, struct quiet *q, struct pt_px a, struct pt_px b)
{
    int steps = 1 + (int)(2 * fmax(fabs(b.u - a.u), fabs(b.v - a.v)));
    for (int i = 0; i <= steps; i++) {
        double u = a.u + (b.u - a.u) * i / steps, v = a.v + (b.v - a.v) * i / steps;
        int y = (int)lround(fmin(fmax(v, 0), g->height - 1));
        int x = (int)lround(fmin(fmax(u, 0), g->width - 1));
        q->from[y] = x < q->from[y] ? x : q->from[y];
        q->to[y] = x + 1 > q->to[y] ? x + 1 : q->to[y];
    }
}

static bool outline(struct pt_px *out, const struct gate *g, const struct board_pose *pose, double radius_in)
{
    for (int i = 0; i <= OUTLINE; i++) {
        double a = 2 * PI * i / OUTLINE;
        struct pt3_in at = { radius_in * cos(a), radius_in * sin(a), 0 };
        if (!camera_project(&out[i], &pose->camera, at))
            return false;
        out[i].u = (out[i].u + 0.5) / g->step - 0.5;
        out[i].v = (out[i].v + 0.5) / g->step - 0.5;
    }
    return true;
}

static void aim_quiet(const struct gate *g, struct quiet *q, const struct board_pose *pose, double radius_in)
{
    struct pt_px corner[OUTLINE + 1];
    whole_picture(g, q);
    if (!outline(corner, g, pose, radius_in))
        return;
    for (int y = 0; y < g->height; y++) {
        q->from[y] = g->width;
        q->to[y] = 0;
    }
    for (int i = 0; i < OUTLINE; i++)
        widen(g, q, corner[i], corner[i + 1]);
}

void gate_aim(struct gate *g, const struct board_pose *pose)
{
    const struct board *b = &pose->board;
    bool floor = b->surface_radius_in <= 0;
    double whole = floor ? FLOOR_SEEN * b->circle_in[0] : b->surface_radius_in + BEYOND_SURFACE_IN;
    aim_quiet(g, &g->quiet[QUIET_WHOLE], pose, whole);
    aim_quiet(g, &g->quiet[QUIET_FIELD], pose, floor ? whole : b->circle_in[0] - b->piece_radius_in);
    g->looked_at = 0;
    for (int y = 0; y < g->height; y++)
        g->looked_at += g->to[y] > g->from[y] ? g->to[y] - g->from[y] : 0;
}

static double across_px(const struct board_pose *pose)
{
    return 2 * pose->board.piece_radius_in * camera_scale_px_per_in(&pose->camera, (struct pt3_in){ 0, 0, 0 });
}

static bool take_memory(struct gate *g)
{
    size_t n = (size_t)g->width * (size_t)g->height, rows = (size_t)g->height;
    uint8_t **picture[] = { &g->now, &g->before, &g->clean };
    bool all = (g->mask = calloc(n, 1)) != NULL;
    for (size_t i = 0; i < countof(picture); i++)
        all &= (*picture[i] = calloc(n, 3)) != NULL;
    for (int i = 0; i < QUIETS; i++) {
        struct quiet *q = &g->quiet[i];
        all &= (q->from = calloc(rows, sizeof *q->from)) != NULL;
        all &= (q->to = calloc(rows, sizeof *q->to)) != NULL;
        all &= (q->anchor = calloc(n, 3)) != NULL;
    }
    g->from = g->quiet[QUIET_WHOLE].from;
    g->to = g->quiet[QUIET_WHOLE].to;
    return all;
}

int gate_create(struct gate *g, const struct frame *f, const struct board_pose *pose, struct fail *why)
{
    *g = (struct gate){ .full_width = f->width, .full_height = f->height, .noise = NOISE_START };
    double step = fmax(1, round(across_px(pose) / PIECE_ACROSS_PX)); // whole: so it is done in half the time
    g->width = (int)ceil(f->width / step);
    g->height = (int)ceil(f->height / step);
    g->step = (double)f->width / g->width;
    g->piece_px = across_px(pose) / g->step;
    if (!take_memory(g)) {
        gate_finish(g);
        return rs_fail(why, RS_EIO, "no memory to compare frames of %d x %d pixels", f->width, f->height);
    }
    gate_aim(g, pose);
    return 0;
}

void gate_finish(struct gate *g)
{
    free(g->now);
    free(g->before);
    free(g->clean);
    free(g->mask);
    for (int i = 0; i < QUIETS; i++) {
        free(g->quiet[i].from);
        free(g->quiet[i].to);
        free(g->quiet[i].anchor);
    }
    *g = (struct gate){ 0 };
}

// What moves covers less than a tenth of the board, so the difference that nine tenths of the pixels stay below is noise.
static int nine_tenths(const struct gate *g, const uint8_t *other)
{
    long histogram[256] = { 0 }, n = 0;
    for (int y = 0; y < g->height; y += 2)
        for (int x = g->from[y]; x < g->to[y]; x += NOISE_EVERY, n++) {
            size_t at = 3 * ((size_t)y * (size_t)g->width + (size_t)x);
            histogram[gate_difference(g->now + at, other + at)]++;
        }
    long above = n;
    int most = 0;
    while (most < 255 && (above -= histogram[most]) * 10 > n)
        most++;
    return most;
}

// Compressed footage freezes its noise for some frames and then shows another: so the clean frame is asked as well.
static void measure_noise(struct gate *g)
{
    int most = nine_tenths(g, g->before), clean = nine_tenths(g, g->clean);
    double rise = g->t_s - g->first_s < LEARNS_S ? NOISE_LEARNS : NOISE_RISE;
    g->noise = fmin(fmax(1, most > clean ? most : clean), g->noise * rise);
    g->step_of_changes = (int)fmax(CHANGE_MIN, CHANGE_NOISE * g->noise);
}

// A block of pixels at once, in a form that compilers turn into vector instructions: nearly all of a picture is alike
// from frame to frame, and only where a block differs its pixels are looked at one by one.
static bool block_differs(const uint8_t *a, const uint8_t *b, int step)
{
    uint8_t most = 0;
    for (int i = 0; i < 3 * BLOCK; i++) {
        uint8_t d = (uint8_t)(a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]);
        most = d > most ? d : most;
    }
    return most > step;
}

// Sets `bit` of the n pixels' mask where they differ; how many do.
static long mark_row(uint8_t *mask, const uint8_t *a, const uint8_t *b, int n, int step, int bit)
{
    long count = 0;
    for (int x = 0; x < n;) {
        int end = x + BLOCK < n ? x + BLOCK : n;
        if (end - x == BLOCK && !block_differs(a + 3 * x, b + 3 * x, step)) {
            x = end;
            continue;
        }
        for (; x < end; x++)
            if (gate_difference(a + 3 * x, b + 3 * x) > step) {
                mask[x] |= (uint8_t)bit;
                count++;
            }
    }
    return count;
}

// How many pixels of that part of the picture differ from `other`.
static long mark(struct gate *g, const int *from, const int *to, const uint8_t *other, int bit)
{
    long count = 0;
    for (int y = 0; y < g->height; y++) {
        if (to[y] <= from[y])
            continue;
        size_t at = (size_t)y * (size_t)g->width + (size_t)from[y];
        count += mark_row(g->mask + at, g->now + 3 * at, other + 3 * at, to[y] - from[y], g->step_of_changes, bit);
    }
    return count;
}

static size_t bytes(const struct gate *g)
{
    return (size_t)g->width * (size_t)g->height * 3;
}

// True when more than `most` of the pixels with that bit have company: noise is scattered, things are not.
static bool any_thing(const struct gate *g, const struct quiet *q, int bit, double most)
{
    long n = 0;
    for (int y = 1; y + 1 < g->height; y++)
        for (int x = q->from[y] > 0 ? q->from[y] : 1; x < q->to[y] && x + 1 < g->width; x++) {
            const uint8_t *m = g->mask + (size_t)y * (size_t)g->width + (size_t)x;
            if (!(*m & bit))
                continue;
            int beside = 0;
            for (int k = 0; k < 9; k++)
                beside += (m[(k / 3 - 1) * g->width + k % 3 - 1] & bit) != 0;
            n += beside > COMPANY;
            if ((double)n > most)
                return true;
        }
    return false;
}

static void keep_quiet(struct gate *g, int which, bool begin)
{
    struct quiet *q = &g->quiet[which];
    double most = QUARTER_OF_PIECE * g->piece_px * g->piece_px;
    int bit = UNQUIET << which;
    if (!begin && ((double)mark(g, q->from, q->to, q->anchor, bit) <= most || !any_thing(g, q, bit, most)))
        return;
    memcpy(q->anchor, g->now, bytes(g));
    q->since_s = g->t_s;
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
    bool first = !g->any_before;
    if (first) {
        g->first_s = f->t_s;
        memcpy(g->before, g->now, bytes(g));
        g->any_before = true;
        gate_keep_clean(g);
    }
    measure_noise(g);
    memset(g->mask, 0, (size_t)g->width * (size_t)g->height);
    g->changed = mark(g, g->from, g->to, g->clean, CHANGED);
    g->moved = mark(g, g->from, g->to, g->before, MOVED);
    for (int i = 0; i < QUIETS; i++)
        keep_quiet(g, i, first);
    return 0;
}

void gate_keep_clean(struct gate *g)
{
    memcpy(g->clean, g->now, bytes(g));
    memset(g->mask, 0, (size_t)g->width * (size_t)g->height);
    g->changed = 0;
}

// The colour of the old clean frame at the place of the board that is seen at (x, y) now.
static bool carried_at(uint8_t bgr[3], const struct gate *g, const struct gate *old, const struct camera *from,
                       const struct camera *to, int x, int y)
{
    struct pt_px now = { (x + 0.5) * g->step - 0.5, (y + 0.5) * g->step - 0.5 }, was;
    struct pt_in at;
    if (!camera_locate(&at, to, now, 0) || !camera_project(&was, from, (struct pt3_in){ at.x, at.y, 0 }))
        return false;
    double u = (was.u + 0.5) / old->step - 0.5, v = (was.v + 0.5) / old->step - 0.5;
    if (!(u >= 0 && v >= 0 && u < old->width - 1 && v < old->height - 1))
        return false;
    double fu = u - floor(u), fv = v - floor(v);
    const uint8_t *p = old->clean + 3 * ((size_t)v * (size_t)old->width + (size_t)u), *q = p + 3 * (size_t)old->width;
    for (int c = 0; c < 3; c++)
        bgr[c] = (uint8_t)lround((1 - fv) * ((1 - fu) * p[c] + fu * p[c + 3]) + fv * ((1 - fu) * q[c] + fu * q[c + 3]));
    return true;
}

int gate_carry_clean(struct gate *g, const struct gate *old, const struct camera *from, const struct camera *to,
                     struct fail *why)
{
    uint8_t *carried = malloc(bytes(g)), *replaced = g->clean, bgr[3];
    if (!carried)
        return rs_fail(why, RS_EIO, "no memory for a clean frame of %d x %d pixels", g->width, g->height);
    memcpy(carried, g->now, bytes(g));
    for (int y = 0; y < g->height; y++)
        for (int x = g->from[y]; x < g->to[y]; x++) {
            uint8_t *at = carried + 3 * ((size_t)y * (size_t)g->width + (size_t)x);
            if (carried_at(bgr, g, old, from, to, x, y) &&
                gate_difference(at, bgr) > CARRIED_STEPS * g->step_of_changes)
                memcpy(at, bgr, sizeof bgr);
        }
    g->clean = carried;
    free(replaced);
    memset(g->mask, 0, (size_t)g->width * (size_t)g->height);
    g->changed = mark(g, g->from, g->to, g->clean, CHANGED);
    return 0;
}
