// SPDX-License-Identifier: MIT
#include "vision/board/concentric.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/peaks.h"

enum {
    TILT_STEPS = 7, // 0, 10 .. 60 degrees
    MAX_NORMALS = 128,
    VOTES_ACROSS = 128, // cells of the vote along the picture's longer side
    PEAKS_PER_NORMAL = 2,
    SHARPEN_ROUNDS = 24,
    RADIUS_BINS = 1024,
};
static const double TILT_STEP_RAD = PI / 18;

// A plane with normal n (unit, towards the camera) at distance 1, with its own axes.
struct plane_view {
    struct lens lens;
    double R[3][3]; // third column: n
};

static bool to_plane(double at[2], const struct plane_view *p, double u, double v)
{
    double x = (u - p->lens.centre.u) / p->lens.f_px, y = (v - p->lens.centre.v) / p->lens.f_px;
    double depth = -(p->R[0][2] * x + p->R[1][2] * y + p->R[2][2]);
    if (!(depth > 0.05)) // within 3 degrees of the horizon everything is infinitely far
        return false;
    at[0] = (p->R[0][0] * x + p->R[1][0] * y + p->R[2][0]) / depth;
    at[1] = (p->R[0][1] * x + p->R[1][1] * y + p->R[2][1]) / depth;
    return true;
}

// The edge's place on the plane and its normal there (unit).
static bool edge_on_plane(double at[2], double normal[2], const struct plane_view *p, const struct edge *e)
{
    double ahead[2], step = 0.5;
    if (!to_plane(at, p, e->u, e->v) || !to_plane(ahead, p, e->u - step * e->dv, e->v + step * e->du))
        return false;
    double tx = ahead[0] - at[0], ty = ahead[1] - at[1], length = sqrt(tx * tx + ty * ty);
    if (!(length > 0))
        return false;
    normal[0] = ty / length;
    normal[1] = -tx / length;
    return true;
}

struct ballot {
    int width, height;
    double cell_px, margin_px;
    uint16_t *votes, *smooth;
};

static double cells_to_border(double from, double step, int cells)
{
    return step > 0 ? (cells - from) / step : step < 0 ? -from / step : INFINITY;
}

// One vote in each cell from (x, y) on until the ray leaves the ballot. In fixed point: this is the innermost loop of
// the search.
static void cast_ray(struct ballot *b, double x, double y, double du, double dv)
{
    const double one = 65536, rounding = 0.01; // cells; what 200 steps of fixed point may be off
    double border = fmin(cells_to_border(x, du, b->width), cells_to_border(y, dv, b->height));
    int steps = (int)(border - rounding);
    int32_t u = (int32_t)(x * one), v = (int32_t)(y * one), step_u = (int32_t)(du * one), step_v = (int32_t)(dv * one);
    for (int k = 0; k < steps; k++) {
        u += step_u;
        v += step_v;
        b->votes[(v >> 16) * b->width + (u >> 16)]++;
    }
}

static void view_of(struct plane_view *p, const struct concentric *g, const struct lens *lens)
{
    const double n[3] = { sin(g->tilt_rad) * cos(g->azimuth_rad), sin(g->tilt_rad) * sin(g->azimuth_rad),
                          -cos(g->tilt_rad) };
    p->lens = *lens;
    rotation_with_normal(p->R, n);
}

// Where the edges say that the centre of their circles is seen, if the plane has that normal: each votes along its own
// normal on the plane. `out`: PEAKS_PER_NORMAL places.
static void vote(struct concentric *out, struct ballot *b, const struct edge_list *edges, const struct lens *lens,
                 const struct concentric *normal, const struct board_tuning *t)
{
    struct plane_view p;
    view_of(&p, normal, lens);
    memset(b->votes, 0, sizeof *b->votes * (size_t)(b->width * b->height));
    int voters = (int)fmin(edges->count, t->coarse_voters);
    for (int i = 0; i < voters; i++) { // along the picture of each edge's normal, both ways
        const struct edge *e = &edges->edge[(long)i * edges->count / voters];
        double at[2], across[2], ahead[3];
        if (!edge_on_plane(at, across, &p, e))
            continue;
        for (int k = 0; k < 3; k++)
            ahead[k] = p.R[k][0] * (at[0] + 1e-3 * across[0]) + p.R[k][1] * (at[1] + 1e-3 * across[1]) - p.R[k][2];
        double du = p.lens.centre.u + p.lens.f_px * ahead[0] / ahead[2] - e->u;
        double dv = p.lens.centre.v + p.lens.f_px * ahead[1] / ahead[2] - e->v, length = sqrt(du * du + dv * dv);
        if (!(ahead[2] > 1e-6) || !(length > 0))
            continue;
        double x = (e->u + b->margin_px) / b->cell_px, y = (e->v + b->margin_px) / b->cell_px;
        cast_ray(b, x, y, du / length, dv / length);
        cast_ray(b, x, y, -du / length, -dv / length);
    }
    for (int y = 1; y < b->height - 1; y++) // summed over three by three: at most nine times twice the voters
        for (int x = 1; x < b->width - 1; x++) {
            const uint16_t *v = &b->votes[y * b->width + x], *up = v - b->width, *down = v + b->width;
            b->smooth[y * b->width + x] =
                (uint16_t)(up[-1] + up[0] + up[1] + v[-1] + v[0] + v[1] + down[-1] + down[0] + down[1]);
        }
    for (int k = 0; k < PEAKS_PER_NORMAL; k++) {
        int best = 0, reach = VOTES_ACROSS / 16;
        for (int i = 1; i < b->width * b->height; i++)
            if (b->smooth[i] > b->smooth[best])
                best = i;
        int x = best % b->width, y = best / b->width;
        out[k] = *normal;
        out[k].u = (x + 0.5) * b->cell_px - b->margin_px;
        out[k].v = (y + 0.5) * b->cell_px - b->margin_px;
        out[k].score = b->smooth[best];
        int left = x > reach ? x - reach : 0, right = x + reach < b->width ? x + reach : b->width - 1;
        for (int row = y > reach ? y - reach : 0; row <= y + reach && row < b->height; row++)
            memset(&b->smooth[row * b->width + left], 0, sizeof *b->smooth * (size_t)(right - left + 1));
    }
}

// How full the circles around the guess are: the sum over radii of (edges there)^2 / (pixels of that circle).
static double fullness(const struct concentric *g, const struct edge_list *edges, int voters, const struct lens *lens,
                       double bin_px, const struct board_tuning *t)
{
    struct plane_view p;
    double centre[2], bins[RADIUS_BINS] = { 0 }, score = 0;
    view_of(&p, g, lens);
    if (!to_plane(centre, &p, g->u, g->v))
        return 0;
    // Pixels that a unit of the plane covers at the centre, so that a bin is about bin_px wide there.
    double depth = -1 / (p.R[0][2] * (g->u - lens->centre.u) / p.lens.f_px +
                         p.R[1][2] * (g->v - lens->centre.v) / p.lens.f_px + p.R[2][2]);
    double px_per_unit = p.lens.f_px / depth * sqrt(fabs(cos(g->tilt_rad)));
    voters = voters < edges->count ? voters : edges->count;
    for (int i = 0; i < voters; i++) {
        double at[2], normal[2];
        if (!edge_on_plane(at, normal, &p, &edges->edge[(long)i * edges->count / voters]))
            continue;
        double x = at[0] - centre[0], y = at[1] - centre[1], r = sqrt(x * x + y * y);
        if (fabs(x * normal[0] + y * normal[1]) < t->aligned_cos * r)
            continue;
        double bin = r * px_per_unit / bin_px;
        int k = (int)bin;
        if (k + 1 >= RADIUS_BINS)
            continue;
        bins[k] += 1 - (bin - k);
        bins[k + 1] += bin - k;
    }
    for (int k = 8; k < RADIUS_BINS; k++) // smaller circles are pegs, knots and letters
        score += bins[k] * bins[k] / (2 * PI * k * bin_px / edges->reduction);
    return score;
}

// Pattern search over normal and centre, steps halved when nothing helps.
void concentric_sharpen(struct concentric *g, const struct edge_list *edges, const struct lens *lens,
                        const struct board_tuning *t)
{
    // The tilt is moved as the normal's two components: its angle and azimuth are singular straight above.
    enum { MOVE_A, MOVE_B, MOVE_U, MOVE_V, MOVES };
    double step_rad = TILT_STEP_RAD / 2, step_px = 4 * edges->reduction, bin_px = 3 * edges->reduction;
    g->score = fullness(g, edges, (int)t->coarse_sharpeners, lens, bin_px, t);
    for (int round = 0; round < SHARPEN_ROUNDS && step_px > 0.7 * edges->reduction; round++) {
        bool better = false;
        for (int k = 0; k < 2 * MOVES; k++) {
            struct concentric next = *g;
            double by[MOVES] = { 0 };
            by[k / 2] = (k % 2 ? 1 : -1) * (k / 2 < MOVE_U ? step_rad : step_px);
            double a = g->tilt_rad * cos(g->azimuth_rad) + by[MOVE_A];
            double b = g->tilt_rad * sin(g->azimuth_rad) + by[MOVE_B];
            next.u += by[MOVE_U];
            next.v += by[MOVE_V];
            next.tilt_rad = fmin(hypot(a, b), t->coarse_tilt_most_rad);
            next.azimuth_rad = atan2(b, a);
            next.score = fullness(&next, edges, (int)t->coarse_sharpeners, lens, bin_px, t);
            if (next.score > g->score) {
                *g = next;
                better = true;
            }
        }
        if (better)
            continue;
        step_rad /= 2;
        step_px /= 2;
        bin_px = fmax(bin_px * 0.7, 1.2 * edges->reduction);
        g->score = fullness(g, edges, (int)t->coarse_sharpeners, lens, bin_px, t);
    }
}

static int better_first(const void *a, const void *b)
{
    const struct concentric *p = a, *q = b;
    return (p->score < q->score) - (p->score > q->score);
}

// Guesses nearer to each other in both of these are one.
struct apart {
    double centre_px, normal_cos;
};

static bool same_circles(const void *better, const void *other, const void *context)
{
    const struct concentric *p = better, *q = other;
    const struct apart *apart = context;
    double cosine = cos(p->tilt_rad) * cos(q->tilt_rad) +
                    sin(p->tilt_rad) * sin(q->tilt_rad) * cos(p->azimuth_rad - q->azimuth_rad);
    return hypot(p->u - q->u, p->v - q->v) < apart->centre_px && cosine > apart->normal_cos;
}

int concentric_find(struct concentric *out, int most, const struct edge_list *edges, const struct lens *lens,
                    const struct board_tuning *t, struct fail *why)
{
    struct concentric guesses[MAX_NORMALS * PEAKS_PER_NORMAL];
    const double longer = lens_longer_px(lens);
    struct ballot b = { .cell_px = longer / VOTES_ACROSS, .margin_px = t->coarse_margin * longer };
    int normals = 0;
    b.width = (int)ceil((lens->width + 2 * b.margin_px) / b.cell_px);
    b.height = (int)ceil((lens->height + 2 * b.margin_px) / b.cell_px);
    b.votes = calloc(2 * (size_t)(b.width * b.height), sizeof *b.votes);
    if (!b.votes)
        return rs_fail(why, RS_ENOMEM, "no memory for the votes");
    b.smooth = b.votes + b.width * b.height;
    for (int i = 0; i < TILT_STEPS; i++) {
        double tilt_rad = i * TILT_STEP_RAD;
        int around = i == 0 ? 1 : (int)ceil(2 * PI * sin(tilt_rad) / (1.2 * TILT_STEP_RAD));
        for (int k = 0; k < around && normals < MAX_NORMALS; k++) {
            struct concentric normal = { .tilt_rad = tilt_rad, .azimuth_rad = 2 * PI * k / around };
            vote(&guesses[normals++ * PEAKS_PER_NORMAL], &b, edges, lens, &normal, t);
        }
    }
    free(b.votes);
    int count = normals * PEAKS_PER_NORMAL;
    for (int i = 0; i < count; i++)
        guesses[i].score =
            fullness(&guesses[i], edges, (int)t->coarse_rankers, lens, t->coarse_rank_bin_px * edges->reduction, t);
    const struct apart apart = { t->coarse_same_centre * lens->width, t->coarse_same_normal_cos };
    int found = peaks_suppress_by(guesses, sizeof *guesses, count, most,
                                  &(struct suppression){ better_first, same_circles, &apart });
    memcpy(out, guesses, sizeof *out * (size_t)found);
    return found;
}

void concentric_camera(struct camera *c, const struct concentric *g, const struct lens *lens)
{
    struct plane_view p;
    double centre[2] = { 0, 0 };
    view_of(&p, g, lens);
    to_plane(centre, &p, g->u, g->v);
    c->lens = p.lens;
    c->lens.k1 = c->lens.k2 = c->lens.p1 = c->lens.p2 = 0;
    memcpy(c->pose.R, p.R, sizeof p.R);
    for (int i = 0; i < 3; i++)
        c->pose.t_in[i] = p.R[i][0] * centre[0] + p.R[i][1] * centre[1] - p.R[i][2];
}
