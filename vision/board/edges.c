// SPDX-License-Identifier: MIT
#include "vision/board/edges.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/opencv_c/opencv_c.h"

static const double BLUR_PX = 1.0;       // of the reduced picture: below it the noise of single pixels makes edges
static const float WEAKEST_STRENGTH = 1; // luma steps per pixel; less is rounding

static const float CREST_REACH_PX = 0.6f; // a line's crest lies within its own pixel, give or take the noise

// What changes across each pixel: for steps the gradient, for lines the strongest bend; of the channel where it is largest.
struct gradient {
    int width, height;
    float *du, *dv, *size;
    float *shift; // lines: from the pixel's centre to the crest, along (du, dv) / size
};

static void gradient_at(struct gradient *g, const uint8_t *bgr, int x, int y)
{
    size_t at = (size_t)y * (size_t)g->width + (size_t)x, row = 3 * (size_t)g->width;
    const uint8_t *p = bgr + 3 * at;
    float best = -1;
    for (int c = 0; c < 3; c++) {
        float gu = (float)(p[3 + c] - p[c - 3]) / 2, gv = (float)(p[row + (size_t)c] - *(p + c - row)) / 2;
        float size = gu * gu + gv * gv;
        if (size > best) {
            best = size;
            g->du[at] = gu;
            g->dv[at] = gv;
        }
    }
    g->size[at] = sqrtf(best);
}

// The eigenvector of the second derivatives with the larger eigenvalue, scaled by it; the crest is where the first
// derivative along it vanishes.
static void bend_at(struct gradient *g, const uint8_t *bgr, int x, int y)
{
    size_t at = (size_t)y * (size_t)g->width + (size_t)x;
    long row = 3L * g->width;
    const uint8_t *p = bgr + 3 * at;
    for (int c = 0; c < 3; c++, p++) {
        float uu = (float)(p[3] - 2 * p[0] + p[-3]), vv = (float)(p[row] - 2 * p[0] + p[-row]);
        float uv = (float)(p[row + 3] - p[row - 3] - p[3 - row] + p[-row - 3]) / 4;
        float mean = (uu + vv) / 2, spread = sqrtf((uu - vv) * (uu - vv) / 4 + uv * uv);
        float bend = mean < 0 ? mean - spread : mean + spread;
        if (fabsf(bend) <= g->size[at])
            continue;
        float nu = uv, nv = bend - uu;
        if (fabsf(bend - vv) > fabsf(nv)) {
            nu = bend - vv;
            nv = uv;
        }
        float length = sqrtf(nu * nu + nv * nv);
        nu = length > 0 ? nu / length : 1;
        nv = length > 0 ? nv / length : 0;
        float slope = nu * (float)(p[3] - p[-3]) / 2 + nv * (float)(p[row] - p[-row]) / 2;
        g->size[at] = fabsf(bend);
        g->du[at] = nu * fabsf(bend);
        g->dv[at] = nv * fabsf(bend);
        g->shift[at] = -slope / bend;
    }
}

static int gradient_create(struct gradient *g, enum edge_kind kind, const uint8_t *bgr, int width, int height,
                           struct fail *why)
{
    size_t n = (size_t)width * (size_t)height;
    *g = (struct gradient){ .width = width, .height = height };
    g->du = calloc(4 * n, sizeof *g->du);
    if (!g->du)
        return rs_fail(why, RS_EIO, "no memory for the edges of %d x %d pixels", width, height);
    g->dv = g->du + n;
    g->size = g->dv + n;
    g->shift = g->size + n;
    for (int y = 1; y < height - 1; y++)
        for (int x = 1; x < width - 1; x++)
            if (kind == EDGE_STEP)
                gradient_at(g, bgr, x, y);
            else
                bend_at(g, bgr, x, y);
    return 0;
}

static float size_between(const struct gradient *g, float x, float y)
{
    int ix = (int)x, iy = (int)y;
    float fx = x - (float)ix, fy = y - (float)iy;
    const float *p = g->size + (size_t)iy * (size_t)g->width + (size_t)ix, *q = p + g->width;
    return (1 - fy) * ((1 - fx) * p[0] + fx * p[1]) + fy * ((1 - fx) * q[0] + fx * q[1]);
}

// Where along its own direction a step is steepest, in pixels from (x, y); false when that is not this pixel.
static bool steepest(float *shift, const struct gradient *g, int x, int y, float du, float dv)
{
    float size = g->size[(size_t)y * (size_t)g->width + (size_t)x];
    float before = size_between(g, (float)x - du, (float)y - dv), after = size_between(g, (float)x + du, (float)y + dv);
    if (before > size || after >= size)
        return false;
    float bend = before - 2 * size + after;
    *shift = bend < 0 ? 0.5f * (before - after) / bend : 0;
    return true;
}

// True when (x, y) is the crest of a step or a line across its own direction.
static bool crest(struct edge *out, const struct gradient *g, enum edge_kind kind, int x, int y, double reduction)
{
    size_t at = (size_t)y * (size_t)g->width + (size_t)x;
    float size = g->size[at];
    if (size < WEAKEST_STRENGTH)
        return false;
    float du = g->du[at] / size, dv = g->dv[at] / size;
    float shift = g->shift[at];
    if (kind == EDGE_STEP ? !steepest(&shift, g, x, y, du, dv) : fabsf(shift) > CREST_REACH_PX)
        return false;
    float k = (float)reduction; // the centre of a reduced pixel is the mean of those it covers
    out->u = ((float)x + shift * du + 0.5f) * k - 0.5f;
    out->v = ((float)y + shift * dv + 0.5f) * k - 0.5f;
    out->du = du;
    out->dv = dv;
    out->strength = size;
    return true;
}

static int stronger_first(const void *a, const void *b)
{
    const struct edge *p = a, *q = b;
    if (p->strength != q->strength)
        return p->strength < q->strength ? 1 : -1;
    if (p->v != q->v) // any fixed order: the same picture gives the same board
        return p->v < q->v ? -1 : 1;
    return (p->u > q->u) - (p->u < q->u);
}

// The strength that only `most` edges have or exceed.
static int least_strength(double *out, const struct edge_list *list, int most, struct fail *why)
{
    double *strengths = malloc((size_t)list->count * sizeof *strengths);
    if (!strengths)
        return rs_fail(why, RS_EIO, "no memory for %d edges", list->count);
    for (int i = 0; i < list->count; i++)
        strengths[i] = list->edge[i].strength;
    *out = select_kth(strengths, list->count, list->count - most);
    free(strengths);
    return 0;
}

// Leaves the strongest `most`, in their order. The weaker ones go first: sorting all takes longer than finding them.
static int keep_strongest(struct edge_list *list, int most, struct fail *why)
{
    if (list->count > most) {
        double least = 0;
        int rc = least_strength(&least, list, most, why), kept = 0;
        if (rc < 0)
            return rc;
        for (int i = 0; i < list->count; i++)
            if (list->edge[i].strength >= least)
                list->edge[kept++] = list->edge[i];
        list->count = kept;
    }
    qsort(list->edge, (size_t)list->count, sizeof *list->edge, stronger_first);
    if (list->count > most)
        list->count = most;
    return 0;
}

static int collect(struct edge_list *out, const struct gradient *g, enum edge_kind kind, int most, struct fail *why)
{
    size_t room = (size_t)g->width * (size_t)g->height;
    out->edge = malloc(room * sizeof *out->edge);
    if (!out->edge)
        return rs_fail(why, RS_EIO, "no memory for the edges of %d x %d pixels", g->width, g->height);
    for (int y = 2; y < g->height - 2; y++)
        for (int x = 2; x < g->width - 2 && (size_t)out->count < room; x++)
            out->count += crest(&out->edge[out->count], g, kind, x, y, out->reduction);
    return keep_strongest(out, most, why);
}

static int find_kind(struct edge_list *out, enum edge_kind kind, const uint8_t *small, int width, int height, int most,
                     struct fail *why)
{
    struct gradient g = { 0 };
    int rc = gradient_create(&g, kind, small, width, height, why);
    if (rc == 0)
        rc = collect(out, &g, kind, most, why);
    free(g.du);
    return rc;
}

int edges_find(struct edge_list out[EDGE_KINDS], const struct frame *f, int width_px, int most, struct fail *why)
{
    double reduction = f->width > width_px ? (double)f->width / width_px : 1;
    int width = (int)lround(f->width / reduction), height = (int)lround(f->height / reduction);
    for (int k = 0; k < EDGE_KINDS; k++)
        out[k] = (struct edge_list){ .reduction = reduction };
    if (width < 8 || height < 8)
        return 0;
    uint8_t *small = malloc((size_t)width * (size_t)height * 3);
    if (!small)
        return rs_fail(why, RS_EIO, "no memory for a reduced picture of %d x %d pixels", width, height);
    int rc = cv_resize_area_u8(small, width, height, f->bgr, f->width, f->height, 3, why);
    if (rc == 0)
        rc = cv_gaussian_blur_u8(small, small, width, height, 3, BLUR_PX, why);
    for (int k = 0; k < EDGE_KINDS && rc == 0; k++)
        rc = find_kind(&out[k], k, small, width, height, most, why);
    free(small);
    for (int k = 0; k < EDGE_KINDS && rc < 0; k++)
        edges_finish(&out[k]);
    return rc;
}

void edges_finish(struct edge_list *list)
{
    free(list->edge);
    *list = (struct edge_list){ 0 };
}
