// SPDX-License-Identifier: MIT
#include "vision/board/candidate_refine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/pose_fit.h"
#include "vision/board/lens_prior.h"

enum { REFINE_VOTERS = 1500, REFINE_BINS = 1024, REFINE_CIRCLES = 6, REFINE_ROUNDS = 4 };

struct voter {
    struct pt_px at;
    double radius_px; // distance from the centre on the board, in pixels at the centre's scale
};

struct ring {
    double radius_px;
    double full;
};

// The fullest circles, no two within `apart_px`. `share`: how many of the picture's edges vote.
static int fullest(struct ring *out, const struct voter *v, int n, double reduction, double apart_px, double share,
                   const struct board_tuning *t)
{
    double bins[REFINE_BINS], bin_px = t->refine_bin_px * reduction;
    int found = 0, least = (int)(t->refine_radius_least_px / t->refine_bin_px);
    memset(bins, 0, sizeof bins);
    for (int i = 0; i < n; i++) {
        double bin = v[i].radius_px / bin_px;
        if (!(bin < REFINE_BINS - 1)) // near the horizon a place is farther away than an int can say
            continue;
        int k = (int)bin;
        bins[k] += (1 - (bin - k)) / share;
        bins[k + 1] += (bin - k) / share;
    }
    while (found < REFINE_CIRCLES) {
        struct ring best = { 0, 0 };
        int at = 0;
        for (int k = least; k < REFINE_BINS; k++) {
            double full = bins[k] / (2 * PI * k * t->refine_bin_px);
            if (full * bins[k] > best.full * bins[at]) {
                best = (struct ring){ k * bin_px, full };
                at = k;
            }
        }
        if (best.full < t->refine_full_least)
            break;
        out[found++] = best;
        for (int k = 0; k < REFINE_BINS; k++)
            if (fabs(k * bin_px - best.radius_px) < apart_px)
                bins[k] = 0;
    }
    return found;
}

int candidate_refine(struct camera *c, const struct edge_list *edges, bool known_lens, const struct board_tuning *t,
                     struct fail *why)
{
    struct voter voters[REFINE_VOTERS];
    struct fit_point points[REFINE_VOTERS];
    int taken = edges->count < REFINE_VOTERS ? edges->count : REFINE_VOTERS;
    double reach_px = t->refine_reach_px * edges->reduction,
           share = fmin(1, (double)REFINE_VOTERS / fmax(edges->count, 1));
    for (int round = 0; round < REFINE_ROUNDS; round++, reach_px *= t->refine_reach_shrink) {
        struct ring rings[REFINE_CIRCLES];
        struct fail refused;
        double scale = camera_scale_px_per_in(c, (struct pt3_in){ 0, 0, 0 });
        int n = 0;
        for (int i = 0; i < taken; i++) { // the edges that run around the candidate's centre
            const struct edge *e = &edges->edge[(long)i * edges->count / taken];
            struct pt_px seen = { e->u, e->v }, along = { e->u - 0.5 * e->dv, e->v + 0.5 * e->du };
            struct pt_in at, ahead;
            if (!camera_locate(&at, c, seen, 0) || !camera_locate(&ahead, c, along, 0))
                continue;
            double tx = ahead.x - at.x, ty = ahead.y - at.y, r = sqrt(at.x * at.x + at.y * at.y);
            if (!(fabs(at.x * ty - at.y * tx) < t->aligned_cos * r * sqrt(tx * tx + ty * ty)))
                voters[n++] = (struct voter){ seen, r * scale };
        }
        int count = fullest(rings, voters, n, edges->reduction, 2 * reach_px, share, t);
        if (count < 1)
            return 0;
        struct pose_fit fit = { .camera = *c,
                                .curves = count,
                                .points_per_independent = t->refine_edges_per_independent };
        for (int k = 0; k < count; k++) {
            fit.radius_in[k] = rings[k].radius_px / scale;
            fit.free_radius[k] = k > 0;
        }
        if (!known_lens)
            lens_priors(fit.lens, &c->lens);
        int near = 0; // a circle
        for (int i = 0; i < n; i++) {
            int nearest = 0;
            for (int k = 1; k < count; k++)
                if (fabs(voters[i].radius_px - rings[k].radius_px) <
                    fabs(voters[i].radius_px - rings[nearest].radius_px))
                    nearest = k;
            if (fabs(voters[i].radius_px - rings[nearest].radius_px) < reach_px)
                points[near++] = (struct fit_point){ nearest, voters[i].at };
        }
        int rc = pose_fit_solve(&fit, points, near, &refused);
        if (rc == RS_ENOMEM)
            return rs_fail(why, rc, "%s", refused.text);
        if (rc < 0)
            return 0;
        *c = fit.camera;
    }
    return 0;
}
