// SPDX-License-Identifier: MIT
#include "vision/rectify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SQUARE_ANCHOR = 8, POLAR_ANCHOR = 4 }; // cells between projected ones: along both sides; along the radius

struct raster raster_square(double half_in, double per_in, double height_in)
{
    int side = (int)ceil(2 * half_in * per_in);
    return (
        struct raster){ .width = side, .height = side, .height_in = height_in, .per_in = per_in, .half_in = half_in };
}

struct raster raster_polar(int radii, int angles, double step_in)
{
    return (struct raster){ .width = angles, .height = radii, .polar = true, .step_in = step_in };
}

size_t raster_cells(const struct raster *r)
{
    return (size_t)r->width * (size_t)r->height;
}

// `way`: the column's direction.
static struct pt_in polar_place(const struct raster *r, struct pt_in way, double row)
{
    double radius_in = (r->first + row) * r->step_in;
    struct pt_in p = { radius_in * way.x, radius_in * way.y };
    double s = hypot(r->shift.x, r->shift.y);
    if (!(s > 0))
        return p;
    double ex = r->shift.x / s, ey = r->shift.y / s, unit = r->shifted_in;
    double along = ex * p.x + ey * p.y, w = 1 + s * along / unit;
    double across = (ex * p.y - ey * p.x) * sqrt(1 - s * s) / w;
    along = (along + s * unit) / w;
    return (struct pt_in){ ex * along - ey * across, ey * along + ex * across };
}

static struct pt_in direction(const struct raster *r, double column)
{
    double angle = 2 * PI * column / r->width;
    return (struct pt_in){ cos(angle), sin(angle) };
}

struct pt_in raster_place(const struct raster *r, double x, double y)
{
    if (r->polar)
        return polar_place(r, direction(r, x), y);
    return (struct pt_in){ (x + 0.5) / r->per_in - r->half_in, (y + 0.5) / r->per_in - r->half_in };
}

static struct map_px between(struct map_px a, struct map_px b, float part)
{
    return (struct map_px){ a.u + part * (b.u - a.u), a.v + part * (b.v - a.v) };
}

// A row of places that are projected, `across` cells apart; NAN what cannot be seen.
static void project_row(struct map_px *out, int anchors, int across, const struct pt_in *way, const struct raster *r,
                        const struct camera *c, int y)
{
    for (int i = 0; i < anchors; i++) {
        struct pt_in at = r->polar ? polar_place(r, way[i], y) : raster_place(r, i * across, y);
        struct pt_px seen;
        if (!camera_project(&seen, c, (struct pt3_in){ at.x, at.y, r->height_in }))
            seen = (struct pt_px){ NAN, NAN };
        out[i] = (struct map_px){ (float)seen.u, (float)seen.v };
    }
}

int rectify_map(struct map_px *map, const struct raster *r, const struct camera *c, struct fail *why)
{
    int across = r->polar ? 1 : SQUARE_ANCHOR, down = r->polar ? POLAR_ANCHOR : SQUARE_ANCHOR;
    int anchors = (r->width + across - 1) / across + 1; // of a row; the last may lie beyond its end
    struct map_px *row = malloc(2 * (size_t)anchors * sizeof *row);
    struct pt_in *way = malloc((size_t)anchors * sizeof *way);
    if (!row || !way) {
        free(row);
        free(way);
        return rs_fail(why, RS_ENOMEM, "no memory to lay out the board");
    }
    struct map_px *next = row + anchors;
    for (int i = 0; i < anchors && r->polar; i++)
        way[i] = direction(r, i);
    // Anchors lie at the same radii whichever is the first one wanted.
    int before = r->first % down;
    project_row(next, anchors, across, way, r, c, -before);
    for (int y = -before; y < r->height; y++) {
        float part = (float)((y + before) % down) / (float)down;
        if ((y + before) % down == 0) {
            memcpy(row, next, (size_t)anchors * sizeof *row);
            project_row(next, anchors, across, way, r, c, y + down);
        }
        for (int x = 0; x < r->width && y >= 0; x++, map++) {
            int i = x / across;
            *map = between(row[i], next[i], part);
            if (across > 1)
                *map = between(*map, between(row[i + 1], next[i + 1], part), (float)(x % across) / (float)across);
        }
    }
    free(row);
    free(way);
    return 0;
}

// What each code counts: a table a kind, for a table is four times as fast as squares.
#define CODE(i) (float)(i)
#define LIGHT(i) ((float)(i) * (float)(i) / 255)
#define FOUR(of, i) of(i), of((i) + 1), of((i) + 2), of((i) + 3)
#define SIXTEEN(of, i) FOUR(of, i), FOUR(of, (i) + 4), FOUR(of, (i) + 8), FOUR(of, (i) + 12)
#define SIXTY_FOUR(of, i) SIXTEEN(of, i), SIXTEEN(of, (i) + 16), SIXTEEN(of, (i) + 32), SIXTEEN(of, (i) + 48)
#define ALL(of) SIXTY_FOUR(of, 0), SIXTY_FOUR(of, 64), SIXTY_FOUR(of, 128), SIXTY_FOUR(of, 192)
static const float counts[][256] = { [SAMPLE_CODES] = { ALL(CODE) }, [SAMPLE_LIGHT] = { ALL(LIGHT) } };

static inline bool sample(float bgr[3], const struct frame *f, double u, double v, const float count[256])
{
    if (!frame_shows(f, u, v))
        return false;
    int x = (int)u, y = (int)v;
    float fx = (float)(u - x), fy = (float)(v - y);
    float w[4] = { (1 - fy) * (1 - fx), (1 - fy) * fx, fy * (1 - fx), fy * fx };
    const uint8_t *p = f->bgr + 3 * ((size_t)y * (size_t)f->width + (size_t)x), *q = p + 3 * (size_t)f->width;
    for (int c = 0; c < 3; c++)
        bgr[c] = w[0] * count[p[c]] + w[1] * count[p[c + 3]] + w[2] * count[q[c]] + w[3] * count[q[c + 3]];
    return true;
}

bool frame_sample(float bgr[3], const struct frame *f, double u, double v, enum sample_as as)
{
    return sample(bgr, f, u, v, counts[as]);
}

void rectify_sample(float *const out[3], size_t stride, const struct frame *f, const struct map_px *map, size_t n,
                    enum sample_as as)
{
    for (size_t i = 0; i < n; i++) {
        float bgr[3] = { NAN, NAN, NAN };
        sample(bgr, f, (double)map[i].u, (double)map[i].v, counts[as]);
        for (int c = 0; c < 3; c++)
            out[c][i * stride] = bgr[c];
    }
}

int rectify(struct rectified *out, const struct raster *r, const struct frame *f, const struct camera *c,
            enum sample_as as, struct fail *why)
{
    size_t n = raster_cells(r);
    struct map_px *map = malloc(n * sizeof *map);
    *out = (struct rectified){ .raster = *r, .plane[0] = malloc(3 * n * sizeof(float)) };
    int rc = map && out->plane[0] ? rectify_map(map, r, c, why)
                                  : rs_fail(why, RS_ENOMEM, "no memory to lay out %d x %d cells", r->width, r->height);
    if (rc == 0) {
        out->plane[1] = out->plane[0] + n;
        out->plane[2] = out->plane[1] + n;
        rectify_sample(out->plane, 1, f, map, n, as);
    } else {
        rectified_free(out);
    }
    free(map);
    return rc;
}

void rectified_free(struct rectified *v)
{
    free(v->plane[0]);
    *v = (struct rectified){ 0 };
}
