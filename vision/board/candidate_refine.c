// SPDX-License-Identifier: MIT
#include "vision/board/candidate_refine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/pose_fit.h"
#include "vision/board/lens_prior.h"

enum { VOTERS = 1500, BINS = 1024, CIRCLES = 6, ROUNDS = 4 };
static const double BIN_PX = 1.5;       // reduced pixels: an edge and its blur
static const double FIRST_REACH_PX = 8; // reduced pixels: what the coarse search may be off at a circle's far side
static const double REACH_SHRINK = 0.6;
static const double ALIGNED_COS = 0.97;         // as in the coarse search: within 14 degrees
static const double LEAST_RADIUS_PX = 12;       // reduced pixels: smaller ones are pegs, knots and letters
static const double LEAST_FULL = 0.15;          // of a circle's length; chance gives a few hundredths
static const double EDGES_PER_INDEPENDENT = 40; // wood's edges lie along the grain, a rail's along another circle

struct voter {
    struct pt_px at;
    double radius_px; // distance from the centre on the board, in pixels at the centre's scale
};

struct ring {
    double radius_px;
    double full;
};

// The edges that run around the candidate's centre.
static int gather(struct voter *out, const struct edge_list *edges, const struct camera *c)
{
    double scale = camera_scale_px_per_in(c, (struct pt3_in){ 0, 0, 0 });
    int voters = edges->count < VOTERS ? edges->count : VOTERS, n = 0;
    for (int i = 0; i < voters; i++) {
        const struct edge *e = &edges->edge[(long)i * edges->count / voters];
        struct pt_px seen = { e->u, e->v }, along = { e->u - 0.5 * e->dv, e->v + 0.5 * e->du };
        struct pt_in at, ahead;
        if (!camera_locate(&at, c, seen, 0) || !camera_locate(&ahead, c, along, 0))
            continue;
        double tx = ahead.x - at.x, ty = ahead.y - at.y, r = sqrt(at.x * at.x + at.y * at.y);
        if (fabs(at.x * ty - at.y * tx) < ALIGNED_COS * r * sqrt(tx * tx + ty * ty))
            continue;
        out[n++] = (struct voter){ seen, r * scale };
    }
    return n;
}

static void fill_bins(double *bins, const struct voter *v, int n, double bin_px, double share)
{
    memset(bins, 0, sizeof *bins * BINS);
    for (int i = 0; i < n; i++) {
        double bin = v[i].radius_px / bin_px;
        if (!(bin < BINS - 1)) // near the horizon a place is farther away than an int can say
            continue;
        int k = (int)bin;
        bins[k] += (1 - (bin - k)) / share;
        bins[k + 1] += (bin - k) / share;
    }
}

// The fullest circles, no two within `apart_px`. `share`: how many of the picture's edges vote.
static int fullest(struct ring *out, const struct voter *v, int n, double reduction, double apart_px, double share)
{
    double bins[BINS], bin_px = BIN_PX * reduction;
    int found = 0, least = (int)(LEAST_RADIUS_PX / BIN_PX);
    fill_bins(bins, v, n, bin_px, share);
    while (found < CIRCLES) {
        struct ring best = { 0, 0 };
        int at = 0;
        for (int k = least; k < BINS; k++) {
            double full = bins[k] / (2 * PI * k * BIN_PX);
            if (full * bins[k] > best.full * bins[at]) {
                best = (struct ring){ k * bin_px, full };
                at = k;
            }
        }
        if (best.full < LEAST_FULL)
            break;
        out[found++] = best;
        for (int k = 0; k < BINS; k++)
            if (fabs(k * bin_px - best.radius_px) < apart_px)
                bins[k] = 0;
    }
    return found;
}

static int assign(struct fit_point *out, const struct voter *v, int n, const struct ring *ring, int rings,
                  double reach_px)
{
    int points = 0;
    for (int i = 0; i < n; i++) {
        int nearest = 0;
        for (int k = 1; k < rings; k++)
            if (fabs(v[i].radius_px - ring[k].radius_px) < fabs(v[i].radius_px - ring[nearest].radius_px))
                nearest = k;
        if (fabs(v[i].radius_px - ring[nearest].radius_px) < reach_px)
            out[points++] = (struct fit_point){ nearest, v[i].at };
    }
    return points;
}

static struct pose_fit fit_of(const struct camera *c, const struct ring *ring, int rings, bool known_lens)
{
    struct pose_fit fit = { .camera = *c, .curves = rings, .points_per_independent = EDGES_PER_INDEPENDENT };
    double scale = camera_scale_px_per_in(c, (struct pt3_in){ 0, 0, 0 });
    for (int k = 0; k < rings; k++) {
        fit.radius_in[k] = ring[k].radius_px / scale;
        fit.free_radius[k] = k > 0;
    }
    if (!known_lens)
        lens_priors(fit.lens, &c->lens);
    return fit;
}

void candidate_refine(struct camera *c, const struct edge_list *edges, bool known_lens)
{
    struct voter voters[VOTERS];
    struct fit_point points[VOTERS];
    double reach_px = FIRST_REACH_PX * edges->reduction, share = fmin(1, (double)VOTERS / fmax(edges->count, 1));
    for (int round = 0; round < ROUNDS; round++, reach_px *= REACH_SHRINK) {
        struct ring rings[CIRCLES];
        struct fail unused;
        int n = gather(voters, edges, c);
        int count = fullest(rings, voters, n, edges->reduction, 2 * reach_px, share);
        if (count < 1)
            return;
        struct pose_fit fit = fit_of(c, rings, count, known_lens);
        int used = assign(points, voters, n, rings, count, reach_px);
        if (pose_fit_solve(&fit, points, used, &unused) < 0)
            return;
        *c = fit.camera;
    }
}
