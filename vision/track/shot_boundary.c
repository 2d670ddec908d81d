// SPDX-License-Identifier: MIT
#include "vision/track/shot_boundary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/picture_trouble.h"

enum {
    LONG_SIDE = 128, // small pixels: a face or a board is still dozens across, noise and compression average away
    BLOCK_SIDE = 8,  // small pixels a side
    BLOCK_AREA = BLOCK_SIDE * BLOCK_SIDE,
    SAMPLES_SIDE = 4 // a side of a small pixel: as good as all it covers, and quick; less where it covers no more
};

void shot_boundary_begin(struct shot_boundary *s, const struct track_tuning *tuning)
{
    *s = (struct shot_boundary){ .tuning = tuning };
}

void shot_boundary_finish(struct shot_boundary *s)
{
    small_picture_finish(&s->now);
    small_picture_finish(&s->before);
    small_picture_finish(&s->last_sure);
    frame_free(s->first);
    *s = (struct shot_boundary){ 0 };
}

void small_picture_finish(struct small_picture *p)
{
    free(p->luma);
    *p = (struct small_picture){ 0 };
}

static int reduce(struct small_picture *out, int width, int height, struct frame *f, struct fail *why)
{
    struct picture seen;
    int rc = frame_picture(&seen, f, f->width > f->height ? f->width / width : f->height / height, why);
    if (rc < 0)
        return rc;
    float share = 1 / (float)(width * height);
    int across = (seen.width + width - 1) / width, side = across < SAMPLES_SIDE ? across : SAMPLES_SIDE;
    size_t column[LONG_SIDE * SAMPLES_SIDE] = { 0 }; // where each sample's bytes begin in its row
    memset(out->histogram, 0, sizeof out->histogram);
    for (int i = 0; i < width * side; i++)
        column[i] = 3 * (size_t)((i / side + (i % side + 0.5) / side) * seen.width / width);
    for (int y = 0; y < height; y++) {
        const uint8_t *row[SAMPLES_SIDE];
        for (int j = 0; j < side; j++)
            row[j] = seen.bgr + 3 * (size_t)((y + (j + 0.5) / side) * seen.height / height) * (size_t)seen.width;
        for (int x = 0; x < width; x++) {
            int b = 0, g = 0, r = 0;
            for (int j = 0; j < side; j++)
                for (int i = 0; i < side; i++) {
                    const uint8_t *bgr = row[j] + column[x * side + i];
                    b += bgr[0];
                    g += bgr[1];
                    r += bgr[2];
                }
            b /= side * side;
            g /= side * side;
            r /= side * side;
            out->luma[y * width + x] = (uint8_t)((b + 2 * g + r) / 4);
            out->histogram[b / 64 * 16 + g / 64 * 4 + r / 64] += share;
        }
    }
    return 0;
}

// A block of a picture, less its mean.
struct block {
    int x, y; // of its corner
    int code[BLOCK_AREA];
    double power; // sum of squares
};

// False when it has too little texture to be recognised.
static bool take_block(struct block *out, const uint8_t *picture, int width, double texture_least)
{
    int sum = 0, square = 0;
    for (int i = 0; i < BLOCK_AREA; i++) {
        out->code[i] = picture[(out->y + i / BLOCK_SIDE) * width + out->x + i % BLOCK_SIDE];
        sum += out->code[i];
    }
    for (int i = 0; i < BLOCK_AREA; i++) {
        out->code[i] = (BLOCK_AREA * out->code[i] - sum) / BLOCK_AREA;
        square += out->code[i] * out->code[i];
    }
    out->power = square;
    return square > BLOCK_AREA * texture_least * texture_least;
}

static double correlation(const struct block *block, const uint8_t *picture, int width, int x, int y)
{
    int sum = 0, square = 0, product = 0;
    for (int i = 0; i < BLOCK_AREA; i++) {
        int other = picture[(y + i / BLOCK_SIDE) * width + x + i % BLOCK_SIDE];
        sum += other;
        square += other * other;
        product += block->code[i] * other;
    }
    double variance = square - (double)sum * sum / BLOCK_AREA;
    return variance > 0 ? product / sqrt(variance * block->power) : 0;
}

// Block matching within reach of where the block was, the nearest places first: most match there.
static bool is_matched(const struct block *block, const uint8_t *picture, const struct shot_boundary *s)
{
    int most = (int)(s->tuning->block_reach * LONG_SIDE), x = block->x, y = block->y;
    for (int reach = 0; reach <= most; reach++)
        for (int v = y - reach; v <= y + reach; v++) {
            int step = v == y - reach || v == y + reach || reach == 0 ? 1 : 2 * reach;
            for (int u = x - reach; u <= x + reach; u += step)
                if (u >= 0 && v >= 0 && u <= s->width - BLOCK_SIDE && v <= s->height - BLOCK_SIDE &&
                    correlation(block, picture, s->width, u, v) >= s->tuning->block_alike)
                    return true;
        }
    return false;
}

// 0..1: share of the textured blocks of two pictures that have no match in the other.
static double unmatched(const struct shot_boundary *s, const uint8_t *a, const uint8_t *b)
{
    double texture_least = fmax(s->tuning->block_texture_least, s->tuning->block_texture_noises * s->noise);
    int asked = 0, alone = 0;
    for (int side = 0; side < 2; side++)
        for (int y = 0; y <= s->height - BLOCK_SIDE; y += BLOCK_SIDE)
            for (int x = 0; x <= s->width - BLOCK_SIDE; x += BLOCK_SIDE) {
                struct block block = { .x = x, .y = y };
                if (!take_block(&block, side == 0 ? a : b, s->width, texture_least))
                    continue;
                asked++;
                alone += !is_matched(&block, side == 0 ? b : a, s);
            }
    return asked > 0 ? (double)alone / asked : 0;
}

// 0..1: of the pixels.
static double changed(const struct shot_boundary *s, const uint8_t *a, const uint8_t *b)
{
    double step = fmax(s->tuning->boundary_step, s->tuning->boundary_noises * s->noise);
    int n = s->width * s->height, differ = 0;
    for (int i = 0; i < n; i++)
        differ += abs(a[i] - b[i]) > step;
    return (double)differ / n;
}

// 0..1: how much of two pictures is of other colours.
static double recoloured(const struct small_picture *a, const struct small_picture *b)
{
    double common = 0;
    for (int i = 0; i < BOUNDARY_BINS; i++)
        common += (double)fminf(a->histogram[i], b->histogram[i]);
    return 1 - common;
}

bool shot_boundary_differs(const struct shot_boundary *s, const struct small_picture *picture)
{
    const struct track_tuning *t = s->tuning;
    if (changed(s, s->now.luma, picture->luma) <= t->boundary_changed_share)
        return false;
    double alone = unmatched(s, s->now.luma, picture->luma);
    return alone > t->boundary_unmatched_share ||
           (alone > t->boundary_recoloured_unmatched && recoloured(&s->now, picture) > t->boundary_recoloured_share);
}

static int small_picture_room(struct small_picture *p, const struct shot_boundary *s, struct fail *why)
{
    if (!p->luma)
        p->luma = malloc((size_t)s->width * (size_t)s->height);
    return p->luma ? 0 : rs_fail(why, RS_ENOMEM, "no memory for a picture of %d x %d pixels", s->width, s->height);
}

int shot_boundary_keep(struct small_picture *out, const struct shot_boundary *s, struct fail *why)
{
    int rc = small_picture_room(out, s, why);
    if (rc < 0)
        return rc;
    memcpy(out->luma, s->now.luma, (size_t)s->width * (size_t)s->height);
    memcpy(out->histogram, s->now.histogram, sizeof out->histogram);
    return 0;
}

static int first_look(struct shot_boundary *s, struct frame *f, struct fail *why)
{
    double step = fmax(1, (double)(f->width > f->height ? f->width : f->height) / LONG_SIDE);
    s->width = (int)fmax(1, f->width / step);
    s->height = (int)fmax(1, f->height / step);
    s->still_since_s = f->t_s;
    frame_prefer(f, (int)step);
    int rc = small_picture_room(&s->now, s, why);
    return rc < 0 ? rc : reduce(&s->now, s->width, s->height, f, why);
}

// A quarter of the pixels differs by less than this share of sigma. Even of a picture that moves that much is plain.
static const double QUARTILE_SIGMAS = 0.319;

static void follow_noise(struct shot_boundary *s, const struct small_picture *before)
{
    enum { STEPS = 256 };
    long histogram[STEPS] = { 0 };
    int n = s->width * s->height;
    for (int i = 0; i < n; i++)
        histogram[abs(s->now.luma[i] - before->luma[i])]++;
    s->noise = fmin(histogram_quantile(histogram, STEPS, n, 0.25) / QUARTILE_SIGMAS,
                    s->tuning->boundary_noise_rise * s->noise + 1);
}

int shot_boundary_look(enum shot_boundary_verdict *out, struct shot_boundary *s, struct frame *f, struct fail *why)
{
    *out = BOUNDARY_NONE;
    if (!s->now.luma)
        return first_look(s, f, why);
    // The frame before is kept where it is wanted when this one turns out to be another view.
    struct small_picture *before = s->suspected ? &s->before : &s->last_sure;
    int rc = shot_boundary_keep(before, s, why);
    if (rc == 0)
        rc = reduce(&s->now, s->width, s->height, f, why);
    if (rc < 0)
        return rc;
    if (changed(s, s->now.luma, before->luma) > s->tuning->view_still_share)
        s->still_since_s = f->t_s;
    if (!s->suspected) {
        frame_free(s->first);
        s->first = NULL;
        s->suspected = shot_boundary_differs(s, before);
        s->suspected_s = f->t_s;
        rc = s->suspected ? frame_keep(&s->first, f, why) : 0;
    }
    follow_noise(s, before);
    if (rc < 0 || !s->suspected)
        return rc;
    // A flash ends with the view that it began with.
    s->suspected = f->t_s == s->suspected_s || shot_boundary_differs(s, &s->last_sure);
    if (!s->suspected)
        return 0;
    bool sure = f->t_s - s->suspected_s >= s->tuning->flash_longest_s;
    *out = sure ? BOUNDARY_CUT : BOUNDARY_SUSPECTED;
    s->suspected = !sure;
    return 0;
}

int shot_boundary_end(struct observation *out, const struct shot_boundary *s, struct frame *f, double t_s,
                      struct fail *why)
{
    enum picture_trouble trouble = PICTURE_FINE;
    int rc = picture_trouble_of(&trouble, f, s->tuning, why);
    bool covered = trouble == PICTURE_BLACK || trouble == PICTURE_COVERED;
    *out = (struct observation){ OBS_CAMERA, t_s, .camera = { .what = covered ? CAMERA_COVERED : CAMERA_CUT } };
    return rc;
}
