// SPDX-License-Identifier: MIT
#include "vision/board/circle_pattern.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/board/oriented.h"

enum { SCALES = 4, GLANCE_STRIDE = 3 };
static const int reach_rows[SCALES] = { 2, 4, 7, 12 }; // how far from a line its ground is looked at

struct row_ridge {
    double contrast[3], size, support, strength;
};

// By how much a row differs from the row so far inside, and from the one so far outside, in each direction.
struct row_profile {
    double inner[3][PATTERN_ANGLES], outer[3][PATTERN_ANGLES];
    int n;
};

// Every `stride`th direction that can be seen.
static void read_row(struct row_profile *out, const struct rectified *p, int row, int reach, int stride)
{
    out->n = 0;
    int angles = p->raster.width;
    for (int a = 0; a < angles; a += stride) {
        for (int c = 0; c < 3; c++) {
            const float *here = p->plane[c] + row * angles + a;
            out->inner[c][out->n] = (double)(here[0] - here[-reach * angles]);
            out->outer[c][out->n] = (double)(here[0] - here[reach * angles]);
        }
        out->n += !isnan(out->inner[0][out->n]) && !isnan(out->outer[0][out->n]);
    }
}

static double median_projected(const struct row_profile *r, const double side[3][PATTERN_ANGLES], const double unit[3])
{
    double along[PATTERN_ANGLES];
    for (int i = 0; i < r->n; i++)
        along[i] = side[0][i] * unit[0] + side[1][i] * unit[1] + side[2][i] * unit[2];
    return median_of(along, r->n);
}

// How much of the row's directions show the contrast, and how far it stands above its own scatter.
static void weigh_row(struct row_ridge *out, const struct row_profile *r, const double unit[3],
                      const struct board_tuning *t)
{
    double scatter[PATTERN_ANGLES];
    int shown = 0;
    for (int i = 0; i < r->n; i++) {
        double along = 0;
        for (int c = 0; c < 3; c++)
            along += (r->inner[c][i] + r->outer[c][i]) / 2 * unit[c];
        shown += along > t->shown_share * out->size;
        scatter[i] = fabs(along - out->size);
    }
    out->support = (double)shown / r->n;
    out->strength = out->size * sqrt(r->n) / (sqrt(PI / 2) * MAD_TO_SIGMA * fmax(median_of(scatter, r->n), 0.05));
}

// The contrast of one row at one scale over every `stride`th direction.
static bool contrast_of_row(struct row_ridge *out, double unit[3], const struct row_profile *r, int stride,
                            const struct board_tuning *t)
{
    double mean[PATTERN_ANGLES], squares = 0;
    if (r->n * stride < t->circle_angles_least)
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
    return out->size > t->circle_size_least;
}

// The ridge of one row at one scale, over all directions that can be seen. Most rows are bare wood, and a glance at
// some of the directions shows that.
static bool ridge_of_row(struct row_ridge *out, const struct rectified *p, int row, int reach,
                         const struct board_tuning *t)
{
    struct row_profile r;
    double unit[3];
    read_row(&r, p, row, reach, GLANCE_STRIDE);
    if (!contrast_of_row(out, unit, &r, GLANCE_STRIDE, t))
        return false;
    weigh_row(out, &r, unit, t);
    if (!(out->strength > t->circle_glance_strength))
        return false;
    read_row(&r, p, row, reach, 1);
    if (!contrast_of_row(out, unit, &r, 1, t))
        return false;
    // A line stands out from the ground on both its sides; the edge between two grounds only from one.
    double least = fmin(median_projected(&r, (const double(*)[PATTERN_ANGLES])r.inner, unit),
                        median_projected(&r, (const double(*)[PATTERN_ANGLES])r.outer, unit));
    if (least < t->circle_side_least * out->size)
        return false;
    weigh_row(out, &r, unit, t);
    return true;
}

static double median_along(const struct rectified *p, int row, const double contrast[3])
{
    double along[PATTERN_ANGLES];
    int n = 0;
    for (int i = row * p->raster.width; i < (row + 1) * p->raster.width; i++) {
        along[n] = (double)p->plane[0][i] * contrast[0] + (double)p->plane[1][i] * contrast[1] +
                   (double)p->plane[2][i] * contrast[2];
        n += !isnan(along[n]);
    }
    return n ? median_of(along, n) : 0;
}

// Full width at half of the height above the lower flank's, rows.
static double half_width_rows(const struct rectified *p, int row, int reach, const double contrast[3])
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

int painted_circles(struct painted_circle *out, int most, const struct rectified *view, const struct board_tuning *t,
                    struct fail *why)
{
    const double step = view->raster.step_in;
    const size_t cells = raster_cells(&view->raster), across = (size_t)view->raster.width;
    int n = 0;
    if (view->raster.width > PATTERN_ANGLES)
        return rs_fail(why, RS_EINTERNAL, "circles in %d directions", view->raster.width);
    struct rectified smooth = { .raster = view->raster, .plane[0] = calloc(3 * cells, sizeof(float)) };
    if (!smooth.plane[0])
        return rs_fail(why, RS_ENOMEM, "no memory to look for circles");
    for (int c = 0; c < 3; c++) { // means of three neighbouring rows: the coarse pose lets a line waver by about one
        const float *in = view->plane[c];
        smooth.plane[c] = smooth.plane[0] + (size_t)c * cells;
        for (size_t i = across; i + across < cells; i++)
            smooth.plane[c][i] = (in[i - across] + in[i] + in[i + across]) / 3;
    }
    for (int s = 0; s < SCALES; s++)
        for (int reach = reach_rows[s], row = 2 * reach + 2; row < view->raster.height - reach - 2; row++) {
            struct row_ridge r;
            if (!ridge_of_row(&r, &smooth, row, reach, t) || r.strength < t->circle_strength_least ||
                r.support < t->circle_support_least)
                continue;
            struct painted_circle c = { .radius = row * step, .support = r.support, .strength = r.strength };
            memcpy(c.contrast, r.contrast, sizeof c.contrast);
            c.width = half_width_rows(view, row, reach, c.contrast) * step;
            if (c.width > fmax(t->line_widest * c.radius, 4 * step))
                continue;
            int same = 0; // the strongest of those that lie together is kept
            while (same < n && fabs(out[same].radius - c.radius) >= 3 * step)
                same++;
            if (same == n && n == most) { // there is no more room: the weakest makes it
                same = 0;
                for (int i = 1; i < n; i++)
                    same = out[i].strength < out[same].strength ? i : same;
            }
            if (same == n || c.strength > out[same].strength)
                out[same] = c;
            n += same == n;
        }
    rectified_free(&smooth);
    qsort(out, (size_t)n, sizeof *out, stronger_first);
    return n;
}

static double worth(const struct painted_circle *c, const struct board_tuning *t)
{
    return c->support * fmin(1, c->strength / t->pattern_full_strength);
}

static bool same_paint(const struct painted_circle *a, const struct painted_circle *b, const struct board_tuning *t)
{
    const double *x = a->contrast, *y = b->contrast;
    return vec3_dot(x, y) > t->pattern_same_paint_cos * sqrt(vec3_dot(x, x) * vec3_dot(y, y));
}

static double best_partner(struct painted_circle *out, const struct painted_circle *seen, int n,
                           const struct painted_circle *outer, double expected, const struct board_tuning *t)
{
    double best = 0;
    *out = (struct painted_circle){ .radius = expected };
    memcpy(out->contrast, outer->contrast, sizeof out->contrast);
    out->width = outer->width;
    for (int i = 0; i < n; i++) {
        double off = log(seen[i].radius / expected);
        if (fabs(off) > t->pattern_ratio_reach || !same_paint(&seen[i], outer, t))
            continue;
        double score = worth(&seen[i], t) * exp(-0.5 * pow(off / t->pattern_ratio_sigma, 2));
        if (score > best) {
            best = score;
            *out = seen[i];
        }
    }
    return best;
}

static bool plain(const struct painted_circle *c, const struct board_tuning *t)
{
    return c->support > t->shown_least && c->strength > t->pattern_full_strength;
}

int pattern_match(struct pattern *out, int most, const struct painted_circle *seen, int n, const struct board *board,
                  const struct board_tuning *t)
{
    int found = 0;
    for (int i = 0; i < n; i++) {
        struct pattern p = { .circle[0] = seen[i], .score = worth(&seen[i], t) };
        int circles = 1, extra = 0;
        for (int k = 1; k < board->circles; k++) {
            double expected = seen[i].radius * board->circle_in[k] / board->circle_in[0];
            double score = best_partner(&p.circle[k], seen, n, &seen[i], expected, t);
            circles += score > 0;
            p.score += score;
        }
        for (int j = 0; j < n; j++) { // plain circles within the outermost one, well outside the hole
            double times = seen[j].radius / seen[i].radius;
            bool known = false;
            for (int k = 0; k < board->circles; k++)
                known |= fabs(log(seen[j].radius / p.circle[k].radius)) < t->pattern_same_circle;
            extra += !known && times < 1 && times > t->innermost && plain(&seen[j], t);
        }
        if (circles < t->pattern_circles_least * board->circles || extra > t->extra_circles_most)
            continue;
        int at = found;
        while (at > 0 && out[at - 1].score < p.score)
            at--;
        if (at >= most)
            continue;
        found += found < most;
        memmove(&out[at + 1], &out[at], sizeof *out * (size_t)(found - at - 1));
        out[at] = p;
    }
    return found;
}

void pattern_measure(struct pattern *out, const struct line_view *view, const struct board *board,
                     const struct oblique_tuning *oblique)
{
    static const double of_kind[LINE_KINDS][3] = {
        // B G R
        [LINES_DARK] = { -1, -1, -1 },
        [LINES_PALE] = { 1, 1, 1 },
        [LINES_RED] = { 0, -0.454, 0.891 }, // of the same luma, of length 1
        [LINES_BLUE] = { -1, 0, 0 },
    };
    const double *towards = of_kind[(int)oblique->line_kind];
    *out = (struct pattern){ .score = 0 };
    for (int k = 0; k < board->circles; k++) {
        struct predicted_line line = { .radius_in = board->circle_in[k],
                                       .width_in = board->line_width_in,
                                       .window_px = oblique->groove_window_px };
        line_profile_along(&line, towards, view->tuning);
        double stands_out = line_profile_contrast(view, &line);
        out->circle[k] = (struct painted_circle){ .radius = line.radius_in, .width = line.width_in };
        for (int c = 0; c < 3; c++)
            out->circle[k].contrast[c] = stands_out * towards[c];
    }
}

double pattern_distractor_radius(const struct painted_circle *seen, int n, const struct board_tuning *t)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n && plain(&seen[i], t); k++) {
            double times = seen[k].radius / seen[i].radius;
            bool apart = times < t->companion_apart || times > 1 / t->companion_apart;
            if (apart && times < t->companion_reach && times > 1 / t->companion_reach && plain(&seen[k], t) &&
                same_paint(&seen[k], &seen[i], t))
                most = fmax(most, seen[i].radius + seen[i].width / 2);
        }
    return most;
}
