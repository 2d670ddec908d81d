// SPDX-License-Identifier: MIT
#include "vision/board/turn.h"

#include <math.h>
#include <stdlib.h>

#include "calibration/algebra.h"
#include "vision/board/polar.h"

enum { LEAST_ANGLES = 720, MOST_ANGLES = 2880, ROWS_BETWEEN = 50, MOST_ROWS = 256 };
static const double MOST_STEP_PX = 2; // between directions: thin lines of a large picture would be stepped over
static const double CLEAR_OF_CIRCLES_IN = 0.35; // the circles' own paint and blur
static const int FLANKS = 144;                  // of a turn, 2.5 degrees, to the ground beside a line
static const double LEAST_STRENGTH = 6;         // robust standard deviations of the quarter's profile
static const double MOST_RIVAL = 0.5;   // of the strongest: the hours of a dial and the wires of a target are all alike
static const double MOST_INWARDS = 0.5; // of the strongest: a cross runs on through the inner circles

// Median over the radii of how much this direction differs from its flanks.
static double spoke(const struct polar *p, int first, int last, int angle)
{
    double v[MOST_ROWS];
    int n = 0, flank = p->angles / FLANKS;
    for (int row = first; row < last && n < MOST_ROWS; row++) {
        double size = 0;
        for (int c = 0; c < 3; c++) {
            const float *at = p->bgr + (size_t)row * (size_t)p->angles * 3;
            float here = at[3 * angle + c];
            float left = at[3 * ((angle + p->angles - flank) % p->angles) + c],
                  right = at[3 * ((angle + flank) % p->angles) + c];
            size += here - (left + right) / 2; // summed with its sign: paint differs the same way in every channel
        }
        v[n] = size;
        n += !isnan(size);
    }
    return n ? median_of(v, n) : 0;
}

// The four quarters together: a median of four, so that a disc on one line does not matter.
static double folded(const double *spokes, int quarter, int k)
{
    double four[4];
    for (int i = 0; i < 4; i++)
        four[i] = fabs(spokes[k + i * quarter]);
    return select_kth(four, 4, 1);
}

// Other lines at other turns, and no chance of the grain: then these are not four alone.
static bool has_rival(const double *profile, int quarter, int best, double chance)
{
    int beside = 2 * 4 * quarter / FLANKS; // where the line itself is taken for another one's flank
    for (int k = 0; k < quarter; k++) {
        int off = abs(k - best);
        if (off > beside && quarter - off > beside && profile[k] > fmax(MOST_RIVAL * profile[best], chance))
            return true;
    }
    return false;
}

// Where in the quarter the four lines lie; -1 when there are no four, or more than four.
static double strongest(const double *spokes, int quarter)
{
    double profile[MOST_ANGLES / 4] = { 0 }, scratch[MOST_ANGLES / 4];
    int best = 0;
    for (int k = 0; k < quarter; k++) {
        profile[k] = scratch[k] = folded(spokes, quarter, k);
        if (profile[k] > profile[best])
            best = k;
    }
    double chance = LEAST_STRENGTH * fmax(median_of(scratch, quarter), 0.2);
    if (profile[best] < chance || has_rival(profile, quarter, best, chance))
        return -1;
    double before = profile[(best + quarter - 1) % quarter], after = profile[(best + 1) % quarter];
    double bend = before - 2 * profile[best] + after;
    double at = best + (bend < 0 ? 0.5 * (before - after) / bend : 0);
    return at < 0 ? at + quarter : at; // the quarters are alike
}

// The four directions at `angle` within the second circle, as folded() takes those outside it.
static double inwards(const struct polar *p, const struct board *b, double step_in, int angle)
{
    double four[4], inner_in = b->circles > 2 ? b->circle_in[2] : 0;
    int first = (int)ceil((inner_in + CLEAR_OF_CIRCLES_IN) / step_in);
    int last = (int)floor((b->circle_in[1] - CLEAR_OF_CIRCLES_IN) / step_in);
    for (int i = 0; i < 4; i++)
        four[i] = fabs(spoke(p, first, last, (angle + i * p->angles / 4) % p->angles));
    return select_kth(four, 4, 1);
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

void turn_found(struct board_pose *found, double angle_rad)
{
    found->fit.camera = found->camera;
    pose_fit_turn(&found->fit, angle_rad);
    found->camera = found->fit.camera;
    board_turn(&found->board, angle_rad);
}

// A multiple of 4 that its quarters share.
static int angles_for(const struct board_pose *found)
{
    double scale = camera_scale_px_per_in(&found->camera, (struct pt3_in){ 0, 0, 0 });
    double wanted = 2 * PI * found->board.circle_in[0] * scale / MOST_STEP_PX;
    return 4 * (int)(fmax(LEAST_ANGLES, fmin(MOST_ANGLES, wanted)) / 4);
}

int turn_board(struct board_pose *found, const struct frame *f, struct fail *why)
{
    const struct board *b = &found->board;
    found->turn_seen = false;
    if (!b->quadrant_lines || b->circles < 2)
        return 0;
    struct polar p;
    double step_in = (b->circle_in[0] - b->circle_in[1]) / ROWS_BETWEEN, spokes[MOST_ANGLES];
    int angles = angles_for(found);
    int first = (int)ceil((b->circle_in[1] + CLEAR_OF_CIRCLES_IN) / step_in);
    int last = (int)floor((b->circle_in[0] - CLEAR_OF_CIRCLES_IN) / step_in);
    if (!(step_in > 0) || last <= first) // a fit gone astray, or circles too close to see anything between
        return 0;
    int rc = polar_create(&p, f, &found->camera, last + 1, angles, step_in, why);
    if (rc < 0)
        return rc;
    for (int a = 0; a < angles; a++)
        spokes[a] = spoke(&p, first, last, a);
    double at = strongest(spokes, angles / 4);
    int nearest = ((int)lround(at) + angles) % angles;
    bool crossed =
        at >= 0 && inwards(&p, b, step_in, nearest) > MOST_INWARDS * folded(spokes, angles / 4, nearest % (angles / 4));
    polar_finish(&p);
    if (at < 0 || crossed)
        return 0;
    double angle_rad = 2 * PI * at / angles;
    turn_found(found, angle_rad > PI / 4 ? angle_rad - PI / 2 : angle_rad);
    found->turn_seen = true;
    return 0;
}
