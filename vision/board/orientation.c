// SPDX-License-Identifier: MIT
#include "vision/board/orientation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/rectify.h"

enum { LEAST_TURNS = 720, MOST_TURNS = 2880, ROWS_BETWEEN = 50, SPOKE_ROWS = 256 };

// How much this direction differs from its flanks: the median over the radii from `first` to last - 1 steps.
static double spoke(const struct rectified *p, int first, int last, int angle, const struct board_tuning *t)
{
    double v[SPOKE_ROWS];
    int n = 0, angles = p->raster.width, flank = (int)(angles / t->spoke_flanks);
    int left = (angle + angles - flank) % angles, right = (angle + flank) % angles;
    for (int row = first - p->raster.first; row < last - p->raster.first && n < SPOKE_ROWS; row++) {
        float size = 0;
        for (int c = 0; c < 3; c++) { // summed with its sign: paint differs the same way in every channel
            const float *at = p->plane[c] + (size_t)row * (size_t)angles;
            size += at[angle] - (at[left] + at[right]) / 2;
        }
        v[n] = (double)size;
        n += !isnan(v[n]);
    }
    return n ? median_of(v, n) : 0;
}

// The four quarters together: the second least of them, so that a disc on one line does not matter. Each is read at its
// best within so many directions, because lines drawn by hand are no four exact quarters, and a pose is good to a
// pixel.
static double folded(const double *spokes, int quarter, int k, int within)
{
    double four[4] = { 0 };
    for (int i = 0; i < 4; i++)
        for (int aside = -within; aside <= within; aside++)
            four[i] = fmax(four[i], fabs(spokes[(k + aside + (i + 4) * quarter) % (4 * quarter)]));
    return select_kth(four, 4, 1);
}

// Do four lines, and no more, stand out of a quarter's profile at `best`?
static bool four_alone(const double *profile, int quarter, int best, const struct board_tuning *t)
{
    double scratch[MOST_TURNS / 4];
    int beside = (int)(2 * 4 * quarter / t->spoke_flanks); // where the line itself is taken for another one's flank
    memcpy(scratch, profile, sizeof *profile * (size_t)quarter);
    double chance = t->spoke_strength_least * fmax(median_of(scratch, quarter), 0.2);
    bool alone = profile[best] >= chance;
    // Other lines at other turns, and no chance of the grain: these are not four alone.
    for (int k = 0; k < quarter && alone; k++) {
        int off = abs(k - best);
        alone =
            off <= beside || quarter - off <= beside || profile[k] <= fmax(t->spoke_rival_most * profile[best], chance);
    }
    return alone;
}

// Where in the quarter the four lines lie; -1 when there are no four, or more than four.
static double strongest(const double *spokes, int quarter, const struct board_tuning *t)
{
    double exact[MOST_TURNS / 4] = { 0 }, near[MOST_TURNS / 4] = { 0 };
    int best = 0;
    for (int k = 0; k < quarter; k++) {
        exact[k] = folded(spokes, quarter, k, 0);
        near[k] = folded(spokes, quarter, k, 1);
        if (exact[k] > exact[best])
            best = k;
    }
    if (!four_alone(exact, quarter, best, t) && !four_alone(near, quarter, best, t))
        return -1;
    double before = exact[(best + quarter - 1) % quarter], after = exact[(best + 1) % quarter];
    double curvature = before - 2 * exact[best] + after;
    double at = best + (curvature < 0 ? 0.5 * (before - after) / curvature : 0);
    return at < 0 ? at + quarter : at; // the quarters are alike
}

void board_pose_turn(struct board_pose *found, double angle_rad)
{
    found->fit.camera = found->camera;
    pose_fit_turn(&found->fit, angle_rad);
    found->camera = found->fit.camera;
    board_turn(&found->board, angle_rad);
}

int board_orient(struct board_pose *found, const struct frame *f, const struct board_tuning *t, struct fail *why)
{
    const struct board *b = &found->board;
    found->turn_seen = false;
    if (!b->quadrant_lines || b->circles < 2)
        return 0;
    double step_in = (b->circle_in[0] - b->circle_in[1]) / ROWS_BETWEEN, spokes[MOST_TURNS];
    double scale = camera_middle_px_per_in(&found->camera);
    int quarter =
        (int)fmax(LEAST_TURNS, fmin(MOST_TURNS, 2 * PI * b->circle_in[0] * scale / t->spoke_step_most_px)) / 4;
    double first_row = ceil((b->circle_in[1] + t->spoke_clear_in) / step_in);
    double last_row = floor((b->circle_in[0] - t->spoke_clear_in) / step_in);
    const double most_rows = 8192; // from the centre outwards: the two circles are a 160th of the radius apart
    // A fit gone astray, or circles too close to see anything between.
    if (!(step_in > 0 && first_row >= 0 && first_row < last_row && last_row < most_rows))
        return 0;
    int first = (int)first_row, last = (int)last_row;
    struct rectified view;
    // Lines that go on within the second circle are no quadrant lines: looked at are both spaces between circles.
    double inner_in = (b->circles > 2 ? b->circle_in[2] : 0) + t->spoke_clear_in;
    struct raster raster = raster_polar(last + 1, 4 * quarter, step_in);
    raster.first = (int)fmin(first, ceil(inner_in / step_in));
    raster.height -= raster.first;
    int rc = rectify(&view, &raster, f, &found->camera, SAMPLE_LIGHT, why);
    if (rc < 0)
        return rc;
    for (int a = 0; a < 4 * quarter; a++)
        spokes[a] = spoke(&view, first, last, a, t);
    double at = strongest(spokes, quarter, t), outwards = 0, inwards = 0;
    if (at >= 0) {
        int nearest = (int)lround(at) % quarter;
        outwards = folded(spokes, quarter, nearest, 0);
        last = (int)floor((b->circle_in[1] - t->spoke_clear_in) / step_in);
        for (int a = 0; a < 4 * quarter; a++)
            spokes[a] = spoke(&view, raster.first, last, a, t);
        inwards = folded(spokes, quarter, nearest, 1); // nearer to the centre a pose that is a pixel off turns more
    }
    rectified_free(&view);
    if (at < 0 || inwards > t->spoke_inwards_most * outwards)
        return 0;
    double angle_rad = PI / 2 * at / quarter;
    board_pose_turn(found, angle_rad > PI / 4 ? angle_rad - PI / 2 : angle_rad);
    found->turn_seen = true;
    return 0;
}
