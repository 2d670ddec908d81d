// SPDX-License-Identifier: MIT
#include "vision/board/turn.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/board/polar.h"

enum { ANGLES = 720, QUARTER = ANGLES / 4, MOST_ROWS = 256 };
static const double CLEAR_OF_CIRCLES_IN = 0.35; // the circles' own paint and blur
static const int FLANK = 5;                     // angle steps (2.5 degrees) to the ground beside a line
static const double LEAST_STRENGTH = 6;         // robust standard deviations of the quarter's profile

// Median over the radii of how much this direction differs from its flanks.
static double spoke(const struct polar *p, int first, int last, int angle)
{
    double v[MOST_ROWS];
    int n = 0;
    for (int row = first; row < last && n < MOST_ROWS; row++) {
        double size = 0;
        for (int c = 0; c < 3; c++) {
            const float *at = p->bgr + (size_t)row * ANGLES * 3;
            float here = at[3 * angle + c];
            float left = at[3 * ((angle + ANGLES - FLANK) % ANGLES) + c],
                  right = at[3 * ((angle + FLANK) % ANGLES) + c];
            size += here - (left + right) / 2; // summed with its sign: paint differs the same way in every channel
        }
        v[n] = size;
        n += !isnan(size);
    }
    return n ? median_of(v, n) : 0;
}

// The four quarters together: a median of four, so that a disc on one line does not matter.
static double folded(const double *spokes, int k)
{
    double four[4];
    for (int i = 0; i < 4; i++)
        four[i] = fabs(spokes[k + i * QUARTER]);
    return select_kth(four, 4, 1);
}

static double strongest(double *strength, const double *spokes)
{
    double profile[QUARTER], scratch[QUARTER];
    int best = 0;
    for (int k = 0; k < QUARTER; k++) {
        profile[k] = scratch[k] = folded(spokes, k);
        if (profile[k] > profile[best])
            best = k;
    }
    double usual = median_of(scratch, QUARTER);
    *strength = profile[best] / fmax(usual, 0.2);
    double before = profile[(best + QUARTER - 1) % QUARTER], after = profile[(best + 1) % QUARTER];
    double bend = before - 2 * profile[best] + after;
    return best + (bend < 0 ? 0.5 * (before - after) / bend : 0);
}

void turn_camera(struct camera *c, double angle_rad)
{
    double cosine = cos(angle_rad), sine = sin(angle_rad);
    for (int i = 0; i < 3; i++) {
        double x = c->pose.R[i][0], y = c->pose.R[i][1];
        c->pose.R[i][0] = cosine * x + sine * y;
        c->pose.R[i][1] = cosine * y - sine * x;
    }
}

void turn_found(struct found_board *found, double angle_rad)
{
    found->fit.camera = found->camera;
    pose_fit_turn(&found->fit, angle_rad);
    found->camera = found->fit.camera;
}

int turn_board(struct found_board *found, const struct frame *f, struct fail *why)
{
    const struct board *b = &found->board;
    found->turn_seen = false;
    if (!b->quadrant_lines || b->circles < 2)
        return 0;
    struct polar p;
    double step_in = (b->circle_in[0] - b->circle_in[1]) / 100, spokes[ANGLES], strength;
    int first = (int)ceil((b->circle_in[1] + CLEAR_OF_CIRCLES_IN) / step_in);
    int last = (int)floor((b->circle_in[0] - CLEAR_OF_CIRCLES_IN) / step_in);
    int rc = polar_create(&p, f, &found->camera, last + 1, ANGLES, step_in, why);
    if (rc < 0)
        return rc;
    for (int a = 0; a < ANGLES; a++)
        spokes[a] = spoke(&p, first, last, a);
    polar_finish(&p);
    double at = strongest(&strength, spokes);
    if (strength < LEAST_STRENGTH)
        return 0;
    double angle_rad = 2 * PI * at / ANGLES;
    turn_found(found, angle_rad > PI / 4 ? angle_rad - PI / 2 : angle_rad);
    found->turn_seen = true;
    return 0;
}
