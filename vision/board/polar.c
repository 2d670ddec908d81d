// SPDX-License-Identifier: MIT
#include "vision/board/polar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"

enum { MAX_ANGLES = 720, SCALES = 4, GLANCE_STRIDE = 3, PROJECTED_ROWS = 4 };
static const int reach_rows[SCALES] = { 2, 4, 7, 12 }; // how far from a line its ground is looked at
static const double SUPPORT_SHARE = 0.4;               // of the median contrast: what a direction must show to count
static const double LEAST_STRENGTH = 6;    // standard errors; of 3000 rows and scales none comes there by chance
static const double GLANCE_STRENGTH = 1.5; // what 6 shows in a third of the directions, less two of its own errors
static const double LEAST_SUPPORT = 0.45;  // chance gives 0.2
static const double LEAST_SIZE = 0.1;      // of 255; less than rounding leaves in the dark
static const double LEAST_SIDE = 0.4;      // of the mean contrast: what each side of a line must show
static const double WIDEST_LINE = 0.05;    // of its circle's radius; the widest seen is 1 in on a 42 in ring
static const int LEAST_ANGLES = 60;        // directions that must be inside the picture

// sRGB codes light by a curve close to its square root; 255 stays 255.
static float linear(uint8_t code)
{
    return (float)code * (float)code / 255;
}

bool frame_light(float bgr[3], const struct frame *f, double u, double v)
{
    if (!(u >= 0 && v >= 0 && u < f->width - 1 && v < f->height - 1))
        return false;
    int x = (int)u, y = (int)v;
    float fx = (float)(u - x), fy = (float)(v - y);
    const uint8_t *p = f->bgr + 3 * ((size_t)y * (size_t)f->width + (size_t)x), *q = p + 3 * (size_t)f->width;
    for (int c = 0; c < 3; c++)
        bgr[c] = (1 - fy) * ((1 - fx) * linear(p[c]) + fx * linear(p[c + 3])) +
                 fy * ((1 - fx) * linear(q[c]) + fx * linear(q[c + 3]));
    return true;
}

// The picture of one direction's places. A few rows on, the picture of a straight line is straight to a thousandth of its
// length, distortion and all: only every PROJECTED_ROWSth place is projected, those between lie evenly between them.
static void unroll_direction(struct polar *out, const struct frame *f, const struct camera *camera, int angle)
{
    double x = cos(2 * PI * angle / out->angles), y = sin(2 * PI * angle / out->angles);
    struct pt_px from = { 0, 0 }, to = { 0, 0 };
    bool from_seen = false, to_seen = camera_project(&to, camera, (struct pt3_in){ 0, 0, 0 });
    for (int k = 0; k < out->radii; k++) {
        float *cell = out->bgr + 3 * ((size_t)k * (size_t)out->angles + (size_t)angle);
        if (k % PROJECTED_ROWS == 0) {
            double r = (k + PROJECTED_ROWS) * out->step;
            from = to;
            from_seen = to_seen;
            to_seen = camera_project(&to, camera, (struct pt3_in){ r * x, r * y, 0 });
        }
        double part = (double)(k % PROJECTED_ROWS) / PROJECTED_ROWS;
        if (!from_seen || !to_seen ||
            !frame_light(cell, f, from.u + part * (to.u - from.u), from.v + part * (to.v - from.v)))
            cell[0] = cell[1] = cell[2] = NAN;
    }
}

int polar_create(struct polar *out, const struct frame *f, const struct camera *camera, int radii, int angles,
                 double step, struct fail *why)
{
    *out = (struct polar){ .radii = radii, .angles = angles, .step = step };
    out->bgr = malloc((size_t)radii * (size_t)angles * 3 * sizeof *out->bgr);
    if (!out->bgr)
        return rs_fail(why, RS_EIO, "no memory to unroll the board");
    for (int a = 0; a < angles; a++)
        unroll_direction(out, f, camera, a);
    return 0;
}

void polar_finish(struct polar *p)
{
    free(p->bgr);
    *p = (struct polar){ 0 };
}

static const float *cell(const struct polar *p, int row, int angle)
{
    return p->bgr + 3 * ((size_t)row * (size_t)p->angles + (size_t)angle);
}

// Means of three neighbouring rows, a plane a channel: the coarse pose lets a line waver by about one row.
struct smoothed {
    float *plane[3];
    int angles;
};

static int smooth_rows(struct smoothed *out, const struct polar *p, struct fail *why)
{
    size_t cells = (size_t)p->radii * (size_t)p->angles;
    *out = (struct smoothed){ .plane[0] = calloc(3 * cells, sizeof(float)), .angles = p->angles };
    if (!out->plane[0])
        return rs_fail(why, RS_EIO, "no memory to look for circles");
    for (int c = 0; c < 3; c++) {
        out->plane[c] = out->plane[0] + (size_t)c * cells;
        for (int row = 1; row < p->radii - 1; row++)
            for (int a = 0; a < p->angles; a++)
                out->plane[c][row * p->angles + a] =
                    (cell(p, row - 1, a)[c] + cell(p, row, a)[c] + cell(p, row + 1, a)[c]) / 3;
    }
    return 0;
}

struct row_ridge {
    double contrast[3], size, support, strength;
};

// What a row is more than the rows on either side, one direction each.
struct row_profile {
    double inner[3][MAX_ANGLES], outer[3][MAX_ANGLES];
    int n;
};

// Every `stride`th direction that can be seen.
static void read_row(struct row_profile *out, const struct smoothed *p, int row, int reach, int stride)
{
    out->n = 0;
    for (int a = 0; a < p->angles; a += stride) {
        for (int c = 0; c < 3; c++) {
            const float *here = p->plane[c] + row * p->angles + a;
            out->inner[c][out->n] = here[0] - here[-reach * p->angles];
            out->outer[c][out->n] = here[0] - here[reach * p->angles];
        }
        out->n += !isnan(out->inner[0][out->n]) && !isnan(out->outer[0][out->n]);
    }
}

static double median_projected(const struct row_profile *r, const double side[3][MAX_ANGLES], const double unit[3])
{
    double along[MAX_ANGLES];
    for (int i = 0; i < r->n; i++)
        along[i] = side[0][i] * unit[0] + side[1][i] * unit[1] + side[2][i] * unit[2];
    return median_of(along, r->n);
}

// How much of the row's directions show the contrast, and how far it stands above its own scatter.
static void weigh_row(struct row_ridge *out, const struct row_profile *r, const double unit[3])
{
    double scatter[MAX_ANGLES];
    int shown = 0;
    for (int i = 0; i < r->n; i++) {
        double along = 0;
        for (int c = 0; c < 3; c++)
            along += (r->inner[c][i] + r->outer[c][i]) / 2 * unit[c];
        shown += along > SUPPORT_SHARE * out->size;
        scatter[i] = fabs(along - out->size);
    }
    out->support = (double)shown / r->n;
    out->strength = out->size * sqrt(r->n) / (1.2533 * MAD_TO_SIGMA * fmax(median_of(scatter, r->n), 0.05));
}

// The contrast of one row at one scale over every `stride`th direction.
static bool contrast_of_row(struct row_ridge *out, double unit[3], const struct row_profile *r, int stride)
{
    double mean[MAX_ANGLES], squares = 0;
    if (r->n * stride < LEAST_ANGLES)
        return false;
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < r->n; i++)
            mean[i] = (r->inner[c][i] + r->outer[c][i]) / 2;
        out->contrast[c] = median_of(mean, r->n);
        squares += out->contrast[c] * out->contrast[c];
    }
    out->size = sqrt(squares);
    for (int c = 0; c < 3; c++)
        unit[c] = out->contrast[c] / out->size;
    return out->size > LEAST_SIZE;
}

// A look at a few directions: most rows are bare wood, and that shows in a third of them.
static bool worth_a_look(const struct smoothed *p, int row, int reach)
{
    struct row_profile r;
    struct row_ridge ridge;
    double unit[3];
    read_row(&r, p, row, reach, GLANCE_STRIDE);
    if (!contrast_of_row(&ridge, unit, &r, GLANCE_STRIDE))
        return false;
    weigh_row(&ridge, &r, unit);
    return ridge.strength > GLANCE_STRENGTH;
}

// Ridge of one row at one scale over all directions that can be seen.
static bool ridge_of_row(struct row_ridge *out, const struct smoothed *p, int row, int reach)
{
    struct row_profile r;
    double unit[3];
    if (!worth_a_look(p, row, reach))
        return false;
    read_row(&r, p, row, reach, 1);
    if (!contrast_of_row(out, unit, &r, 1))
        return false;
    // A line stands out from the ground on both its sides; the edge between two grounds only from one.
    double least = fmin(median_projected(&r, (const double(*)[MAX_ANGLES])r.inner, unit),
                        median_projected(&r, (const double(*)[MAX_ANGLES])r.outer, unit));
    if (least < LEAST_SIDE * out->size)
        return false;
    weigh_row(out, &r, unit);
    return true;
}

static double median_along(const struct polar *p, int row, const double contrast[3])
{
    double along[MAX_ANGLES];
    int n = 0;
    for (int a = 0; a < p->angles; a++) {
        const float *bgr = cell(p, row, a);
        along[n] = bgr[0] * contrast[0] + bgr[1] * contrast[1] + bgr[2] * contrast[2];
        n += !isnan(along[n]);
    }
    return n ? median_of(along, n) : 0;
}

// Full width at half of the height above the lower flank's, rows.
static double half_width_rows(const struct polar *p, int row, int reach, const double contrast[3])
{
    double top = median_along(p, row, contrast);
    double ground = fmax(median_along(p, row - reach, contrast), median_along(p, row + reach, contrast));
    double half = (top + ground) / 2;
    int inner = row, outer = row;
    while (inner > row - reach && median_along(p, inner, contrast) > half)
        inner--;
    while (outer < row + reach && median_along(p, outer, contrast) > half)
        outer++;
    return outer - inner - 1;
}

static int stronger_first(const void *a, const void *b)
{
    const struct painted_circle *p = a, *q = b;
    return (p->strength < q->strength) - (p->strength > q->strength);
}

static int keep(struct painted_circle *out, int n, int most, const struct painted_circle *c, double near)
{
    for (int i = 0; i < n; i++)
        if (fabs(out[i].radius - c->radius) < near) {
            if (c->strength > out[i].strength)
                out[i] = *c;
            return n;
        }
    if (n < most)
        out[n++] = *c;
    return n;
}

static int circles_at_scale(struct painted_circle *out, int n, int most, const struct polar *p,
                            const struct smoothed *smooth, int reach)
{
    for (int row = 2 * reach + 2; row < p->radii - reach - 2; row++) {
        struct row_ridge r;
        if (!ridge_of_row(&r, smooth, row, reach) || r.strength < LEAST_STRENGTH || r.support < LEAST_SUPPORT)
            continue;
        struct painted_circle c = { .radius = row * p->step, .support = r.support, .strength = r.strength };
        memcpy(c.contrast, r.contrast, sizeof c.contrast);
        c.width = half_width_rows(p, row, reach, c.contrast) * p->step;
        if (c.width <= fmax(WIDEST_LINE * c.radius, 4 * p->step))
            n = keep(out, n, most, &c, 3 * p->step);
    }
    return n;
}

int polar_circles(struct painted_circle *out, int most, const struct polar *p, struct fail *why)
{
    struct smoothed smooth;
    int n = 0;
    if (p->angles > MAX_ANGLES)
        return 0;
    int rc = smooth_rows(&smooth, p, why);
    if (rc < 0)
        return rc;
    for (int s = 0; s < SCALES; s++)
        n = circles_at_scale(out, n, most, p, &smooth, reach_rows[s]);
    free(smooth.plane[0]);
    qsort(out, (size_t)n, sizeof *out, stronger_first);
    return n;
}
