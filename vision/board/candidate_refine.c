// SPDX-License-Identifier: MIT
#include "vision/board/candidate_refine.h"

#include <math.h>

#include "calibration/pose_fit.h"
#include "vision/board/lens_prior.h"
#include "vision/peaks.h"

enum { REFINE_VOTERS = 1500, REFINE_BINS = 1024, REFINE_CIRCLES = 6, REFINE_ROUNDS = 4 };

struct voter {
    struct pt_px at;
    double radius_in; // distance from the centre on the board
};

// The radii of the fullest circles, no two within `apart_in`. `share`: how many of the picture's edges vote.
static int fullest(double radius_in[REFINE_CIRCLES], const struct voter *v, int n, double bin_in, double apart_in,
                   double share, const struct board_tuning *t)
{
    double bins[REFINE_BINS] = { 0 };
    struct peak circle[REFINE_BINS];
    int circles = 0, found = 0;
    for (int i = 0; i < n; i++) {
        double bin = v[i].radius_in / bin_in;
        if (!(bin < REFINE_BINS - 1)) // near the horizon a place is farther away than an int can say
            continue;
        int k = (int)bin;
        bins[k] += (1 - (bin - k)) / share;
        bins[k + 1] += (bin - k) / share;
    }
    // How full a circle is, share of its pixels, times how much there is of it.
    for (int k = (int)(t->refine_radius_least_px / t->refine_bin_px); k < REFINE_BINS; k++)
        if (bins[k] > 0)
            circle[circles++] = (struct peak){ { k * bin_in, 0 }, bins[k] * bins[k] / (2 * PI * k * t->refine_bin_px) };
    circles = peaks_suppress(circle, circles, apart_in, REFINE_CIRCLES);
    for (; found < circles; found++) {
        double least = t->refine_full_least, k = circle[found].at.x / bin_in;
        if (circle[found].score < least * least * 2 * PI * k * t->refine_bin_px)
            break;
        radius_in[found] = circle[found].at.x;
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
        double radius_in[REFINE_CIRCLES];
        struct fail refused;
        double scale = camera_middle_px_per_in(c), reach_in = reach_px / scale;
        int n = 0;
        for (int i = 0; i < taken; i++) { // the edges that run around the candidate's centre
            const struct edge *e = &edges->edge[(long)i * edges->count / taken];
            struct pt_px seen = { e->u, e->v }, along = { e->u - 0.5 * e->dv, e->v + 0.5 * e->du };
            struct pt_in at, ahead;
            if (!camera_locate(&at, c, seen, 0) || !camera_locate(&ahead, c, along, 0))
                continue;
            double tx = ahead.x - at.x, ty = ahead.y - at.y, r = sqrt(at.x * at.x + at.y * at.y);
            if (!(fabs(at.x * ty - at.y * tx) < t->aligned_cos * r * sqrt(tx * tx + ty * ty)))
                voters[n++] = (struct voter){ seen, r };
        }
        int count = fullest(radius_in, voters, n, t->refine_bin_px * edges->reduction / scale, 2 * reach_in, share, t);
        if (count < 1)
            return 0;
        struct pose_fit fit = { .camera = *c,
                                .curves = count,
                                .points_per_independent = t->refine_edges_per_independent };
        for (int k = 0; k < count; k++) {
            fit.radius_in[k] = radius_in[k];
            fit.free_radius[k] = k > 0;
        }
        if (!known_lens)
            lens_priors(fit.lens, &c->lens);
        int near = 0; // a circle
        for (int i = 0; i < n; i++) {
            int nearest = 0;
            for (int k = 1; k < count; k++)
                if (fabs(voters[i].radius_in - radius_in[k]) < fabs(voters[i].radius_in - radius_in[nearest]))
                    nearest = k;
            if (fabs(voters[i].radius_in - radius_in[nearest]) < reach_in)
                points[near++] = (struct fit_point){ nearest, voters[i].at };
        }
        int rc = pose_fit_solve(&fit, points, near, &refused);
        if (rc < 0)
            return rc == RS_EINPUT ? 0 : rs_fail(why, rc, "%s", refused.text);
        *c = fit.camera;
    }
    return 0;
}
