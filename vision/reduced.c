// SPDX-License-Identifier: MIT
#include "vision/reduced.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "vision/opencv_c/opencv_c.h"

int frame_reduced(struct frame **out, const struct frame *f, double reduction, struct fail *why)
{
    struct frame *small;
    int rc = frame_create(&small, (int)lround(f->width / reduction), (int)lround(f->height / reduction), why);
    if (rc < 0)
        return rc;
    rc = cv_resize_area_u8(small->bgr, small->width, small->height, f->bgr, f->width, f->height, 3, why);
    if (rc < 0) {
        frame_free(small);
        return rc;
    }
    small->t_s = f->t_s;
    small->number = f->number;
    *out = small;
    return 0;
}

// A pixel of the whole picture, along one of its axes, and how much of a reduced pixel it makes.
struct share {
    int at;
    float part;
};

// Those of one reduced pixel after the other, the i-th's from begins[i] on. As OpenCV reckons them, to the last bit.
struct axis {
    int *begins;
    struct share *share;
};

static void axis_fill(struct axis *out, int whole, int reduced, int from, int to)
{
    static const double nothing = 1e-3; // of a pixel
    double scale = 1 / ((double)reduced / whole);
    int n = 0;
    for (int i = from; i < to; i++) {
        double begins = i * scale, ends = begins + scale, width = fmin(scale, whole - begins);
        int last = (int)fmin(floor(ends), whole - 1), first = (int)fmin(ceil(begins), last);
        out->begins[i - from] = n;
        if (first - begins > nothing)
            out->share[n++] = (struct share){ first - 1, (float)((first - begins) / width) };
        for (int k = first; k < last; k++)
            out->share[n++] = (struct share){ k, (float)(1 / width) };
        if (ends - last > nothing)
            out->share[n++] = (struct share){ last, (float)(fmin(fmin(ends - last, 1), width) / width) };
    }
    out->begins[to - from] = n;
}

enum {
    CHANNELS = 3,
    AT_ONCE = 4
}; // a fourth number is reckoned with the three, and overwritten by the next pixel's first

// One row, reduced along itself. `code`: room for the row's numbers and one more; `sum`: for the reduced and one more.
static void reduce_row(float *restrict sum, float *restrict code, const uint8_t *bgr, const struct axis *across, int n)
{
    const struct share *share = across->share;
    const int first = share[0].at, last = share[across->begins[n] - 1].at;
    for (int i = CHANNELS * first; i < CHANNELS * (last + 1); i++)
        code[i] = bgr[i];
    for (int i = 0; i < n; i++) {
        float mean[AT_ONCE] = { 0 };
        for (int k = across->begins[i]; k < across->begins[i + 1]; k++)
            for (int c = 0; c < AT_ONCE; c++)
                mean[c] += share[k].part * code[CHANNELS * share[k].at + c];
        memcpy(&sum[CHANNELS * i], mean, sizeof mean);
    }
}

// Rounded to even, as the processor does, without a call: so large a number is added that no fraction is left.
static void round_row(uint8_t *restrict bgr, const float *restrict sum, int n)
{
    static const float whole_bits = 12582912; // 1.5 * 2^23
    for (int i = 0; i < n; i++)
        bgr[i] = (uint8_t)(int)((sum[i] + whole_bits) - whole_bits);
}

static void reduce_part(struct frame *small, const struct frame *f, const struct px_range *part,
                        const struct axis *across, const struct axis *down, float *room)
{
    const int columns = part->to_u - part->from_u, numbers = CHANNELS * columns;
    float *code = room, *row = code + CHANNELS * f->width + AT_ONCE, *sum = row + numbers + AT_ONCE;
    int reduced = -1; // the row of the whole picture that `row` is of
    code[CHANNELS * f->width] = 0;
    for (int y = part->from_v; y < part->to_v; y++) {
        for (int k = down->begins[y - part->from_v]; k < down->begins[y - part->from_v + 1]; k++) {
            const struct share *s = &down->share[k];
            bool begins = k == down->begins[y - part->from_v];
            if (s->at != reduced) // two reduced rows may share it
                reduce_row(row, code, f->bgr + CHANNELS * (size_t)s->at * (size_t)f->width, across, columns);
            reduced = s->at;
            for (int i = 0; i < numbers; i++)
                sum[i] = (begins ? 0 : sum[i]) + s->part * row[i];
        }
        round_row(small->bgr + CHANNELS * ((size_t)y * (size_t)small->width + (size_t)part->from_u), sum, numbers);
    }
}

int frame_reduced_part(struct frame **out, const struct frame *f, double reduction, const struct px_range *part,
                       struct fail *why)
{
    struct frame *small;
    int rc = frame_create(&small, (int)lround(f->width / reduction), (int)lround(f->height / reduction), why);
    if (rc < 0)
        return rc;
    const int columns = part->to_u - part->from_u, rows = part->to_v - part->from_v;
    // A reduced pixel shares at most two of its own with its neighbours.
    const size_t each_across = (size_t)(f->width / small->width + 3),
                 each_down = (size_t)(f->height / small->height + 3);
    const size_t numbers = CHANNELS * (size_t)(f->width + 2 * columns) + 3 * AT_ONCE;
    struct axis across = { malloc((size_t)(columns + 1) * sizeof(int)),
                           calloc((size_t)columns * each_across, sizeof(struct share)) };
    struct axis down = { malloc((size_t)(rows + 1) * sizeof(int)),
                         calloc((size_t)rows * each_down, sizeof(struct share)) };
    float *room = malloc(numbers * sizeof *room);
    if (across.begins && across.share && down.begins && down.share && room) {
        axis_fill(&across, f->width, small->width, part->from_u, part->to_u);
        axis_fill(&down, f->height, small->height, part->from_v, part->to_v);
        reduce_part(small, f, part, &across, &down, room);
        small->t_s = f->t_s;
        small->number = f->number;
        *out = small;
    } else {
        rc = rs_fail(why, RS_ENOMEM, "no memory for a smaller copy of %d x %d pixels", f->width, f->height);
        frame_free(small);
    }
    free(across.begins);
    free(across.share);
    free(down.begins);
    free(down.share);
    free(room);
    return rc;
}

int frame_part(struct frame **out, const struct frame *f, int left, int top, int width, int height, struct fail *why)
{
    struct frame *part;
    int rc = frame_create(&part, width, height, why);
    if (rc < 0)
        return rc;
    for (int y = 0; y < height; y++)
        memcpy(part->bgr + 3 * (size_t)y * (size_t)width,
               f->bgr + 3 * ((size_t)(top + y) * (size_t)f->width + (size_t)left), 3 * (size_t)width);
    part->t_s = f->t_s;
    part->number = f->number;
    *out = part;
    return 0;
}

struct lens lens_reduced(const struct lens *l, double reduction)
{
    struct lens small = *l;
    small.width = (int)lround(l->width / reduction);
    small.height = (int)lround(l->height / reduction);
    small.f_px /= reduction;
    small.f_sigma_px /= reduction;
    small.centre = pixel_reduced(l->centre, reduction);
    return small;
}
