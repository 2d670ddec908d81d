// SPDX-License-Identifier: MIT
#include "vision/board/edges.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/bilinear.h"
#include "vision/opencv_c/opencv_c.h"

// What changes across each pixel, of the channel in which it changes most: for steps the gradient, for lines the
// strongest curvature.
struct gradient {
    int width;
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
static void curvature_at(struct gradient *g, const uint8_t *bgr, int x, int y)
{
    size_t at = (size_t)y * (size_t)g->width + (size_t)x;
    long row = 3L * g->width;
    const uint8_t *p = bgr + 3 * at;
    for (int c = 0; c < 3; c++, p++) {
        float uu = (float)(p[3] - 2 * p[0] + p[-3]), vv = (float)(p[row] - 2 * p[0] + p[-row]);
        float uv = (float)(p[row + 3] - p[row - 3] - p[3 - row] + p[-row - 3]) / 4;
        float mean = (uu + vv) / 2, spread = sqrtf((uu - vv) * (uu - vv) / 4 + uv * uv);
        float curvature = mean < 0 ? mean - spread : mean + spread;
        if (fabsf(curvature) <= g->size[at])
            continue;
        float nu = uv, nv = curvature - uu;
        if (fabsf(curvature - vv) > fabsf(nv)) {
            nu = curvature - vv;
            nv = uv;
        }
        float length = sqrtf(nu * nu + nv * nv);
        nu = length > 0 ? nu / length : 1;
        nv = length > 0 ? nv / length : 0;
        float slope = nu * (float)(p[3] - p[-3]) / 2 + nv * (float)(p[row] - p[-row]) / 2;
        g->size[at] = fabsf(curvature);
        g->du[at] = nu * fabsf(curvature);
        g->dv[at] = nv * fabsf(curvature);
        g->shift[at] = -slope / curvature;
    }
}

// True when (x, y) is the crest of a step or a line across its own direction: for a step where it is steepest.
static bool crest(struct edge *out, const struct gradient *g, enum edge_kind kind, int x, int y, double reduction,
                  const struct board_tuning *t)
{
    size_t at = (size_t)y * (size_t)g->width + (size_t)x;
    float size = g->size[at], shift = g->shift[at];
    if (size < t->edge_weakest)
        return false;
    float du = g->du[at] / size, dv = g->dv[at] / size;
    if (kind == EDGE_STEP) {
        float before = bilinear_f32(g->size, 1, g->width, (float)x - du, (float)y - dv);
        float after = bilinear_f32(g->size, 1, g->width, (float)x + du, (float)y + dv);
        float curvature = before - 2 * size + after;
        if (before > size || after >= size)
            return false;
        shift = curvature < 0 ? 0.5f * (before - after) / curvature : 0;
    } else if (fabsf(shift) > t->edge_crest_reach_px) {
        return false;
    }
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

static int tile_of(const struct edge *e, double tile_px, int across)
{
    return (int)((double)e->v / tile_px) * across + (int)((double)e->u / tile_px);
}

// Leaves those that are among the `most` strongest: sorting all takes longer than finding them.
static void keep_strongest(struct edge_list *list, int most, double *room)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++)
        room[i] = (double)list->edge[i].strength;
    double least = select_kth(room, list->count, list->count - most);
    for (int i = 0; i < list->count; i++)
        if ((double)list->edge[i].strength >= least)
            list->edge[kept++] = list->edge[i];
    list->count = kept;
}

// Of a sorted list, keeps the strongest of each tile of the reduced picture, at most `most` in all. Each tile has the
// same quota, at least one.
static int keep_of_each_tile(struct edge_list *list, int most, const struct picture *small, double tile_px,
                             struct fail *why)
{
    const int across = (int)(small->width / tile_px) + 1, tiles = across * ((int)(small->height / tile_px) + 1);
    const double full_px = tile_px * list->reduction;
    int *in_tile = calloc((size_t)tiles, sizeof *in_tile), *taken = calloc((size_t)tiles, sizeof *taken), kept = 0;
    int share = 0, with_more = tiles, rest = most;
    int rc = in_tile && taken ? 0 : rs_fail(why, RS_ENOMEM, "no memory for the edges of %d tiles", tiles);
    for (int i = 0; i < list->count && rc == 0; i++)
        in_tile[tile_of(&list->edge[i], full_px, across)]++;
    while (rc == 0 && with_more > 0 && rest >= with_more) { // the others share what tiles with few edges leave over
        share += rest / with_more;
        rest = most;
        with_more = 0;
        for (int k = 0; k < tiles; k++) {
            rest -= in_tile[k] < share ? in_tile[k] : share;
            with_more += in_tile[k] > share;
        }
    }
    for (int i = 0; i < list->count && rc == 0; i++)
        if (taken[tile_of(&list->edge[i], full_px, across)]++ < (share > 0 ? share : 1))
            list->edge[kept++] = list->edge[i];
    list->count = kept;
    free(in_tile);
    free(taken);
    return rc;
}

// The edges of one kind, strongest first.
static int find_kind(struct edge_list *out, enum edge_kind kind, enum edge_choice choice, const struct picture *small,
                     const struct board_tuning *t, struct fail *why)
{
    const int width = small->width, height = small->height;
    size_t n = (size_t)width * (size_t)height;
    int most = (int)t->edges_most;
    float *of_pixels = calloc(4 * n, sizeof *of_pixels);
    double *room = malloc(n * sizeof *room);
    struct gradient g = { width, of_pixels, of_pixels + n, of_pixels + 2 * n, of_pixels + 3 * n };
    out->edge = malloc(n * sizeof *out->edge);
    int rc = of_pixels && room && out->edge
                 ? 0
                 : rs_fail(why, RS_ENOMEM, "no memory for the edges of %d x %d pixels", width, height);
    for (int y = 1; y < height - 1 && rc == 0; y++)
        for (int x = 1; x < width - 1; x++)
            if (kind == EDGE_STEP)
                gradient_at(&g, small->bgr, x, y);
            else
                curvature_at(&g, small->bgr, x, y);
    for (int y = 2; y < height - 2 && rc == 0; y++)
        for (int x = 2; x < width - 2; x++)
            out->count += crest(&out->edge[out->count], &g, kind, x, y, out->reduction, t);
    if (rc == 0 && out->count > most && choice == EDGES_STRONGEST)
        keep_strongest(out, most, room);
    if (rc == 0)
        qsort(out->edge, (size_t)out->count, sizeof *out->edge, stronger_first);
    if (rc == 0 && out->count > most && choice == EDGES_SPREAD)
        rc = keep_of_each_tile(out, most, small, t->edge_tile_px, why);
    out->count = out->count < most ? out->count : most;
    free(room);
    free(of_pixels);
    return rc;
}

int edges_find(struct edge_list out[EDGE_KINDS], const struct frame *f, enum edge_choice choice,
               const struct board_tuning *t, struct fail *why)
{
    double reduction = fmax(f->width / t->edge_width_px, 1);
    int width = (int)lround(f->width / reduction), height = (int)lround(f->height / reduction);
    for (int k = 0; k < EDGE_KINDS; k++)
        out[k] = (struct edge_list){ .reduction = reduction };
    if (width < 8 || height < 8)
        return 0;
    uint8_t *small = malloc((size_t)width * (size_t)height * 3);
    if (!small)
        return rs_fail(why, RS_ENOMEM, "no memory for a reduced picture of %d x %d pixels", width, height);
    const struct picture reduced = { small, width, height };
    int rc = cv_resize_area_u8(small, width, height, f->bgr, f->width, f->height, 3, why);
    if (rc == 0)
        rc = cv_gaussian_blur_u8(small, small, width, height, 3, t->edge_blur_px, why);
    for (int k = 0; k < EDGE_KINDS && rc == 0; k++)
        rc = find_kind(&out[k], (enum edge_kind)k, choice, &reduced, t, why);
    free(small);
    if (rc < 0)
        edges_finish(out);
    return rc;
}

void edges_finish(struct edge_list edges[EDGE_KINDS])
{
    for (int k = 0; k < EDGE_KINDS; k++) {
        free(edges[k].edge);
        edges[k] = (struct edge_list){ 0 };
    }
}
