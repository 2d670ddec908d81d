// SPDX-License-Identifier: MIT
#include "calibration/chessboard.h"

#include <math.h>

#include "calibration/algebra.h"

enum { UNKNOWN = 8 }; // entries of a homography, its last one being 1

// Of the map's determinant, board and picture each scaled to about 1: what is flatter is seen edge on to 0.1 degrees.
static const double LEAST_AREA = 2e-3;

int chessboard_corners(const struct chessboard *b)
{
    return b->columns * b->rows;
}

struct pt_in chessboard_place(const struct chessboard *b, int i)
{
    return (struct pt_in){ i % b->columns - (b->columns - 1) / 2.0, i / b->columns - (b->rows - 1) / 2.0 };
}

bool chessboard_homography(double H[3][3], const struct chessboard *b)
{
    double N[UNKNOWN * UNKNOWN], g[UNKNOWN], h[UNKNOWN];
    struct normal_equations sums = normal_begin(N, g, UNKNOWN);
    double size = fmax(b->columns, b->rows);
    int n = chessboard_corners(b);
    struct pt_px middle;
    double spread = centroid_px(&middle, b->corner, n); // in units of these the equations are well conditioned
    if (!(spread > 0))
        return false;
    for (int i = 0; i < n; i++) {
        struct pt_in at = chessboard_place(b, i);
        double x = at.x / size, y = at.y / size;
        double u = (b->corner[i].u - middle.u) / spread, v = (b->corner[i].v - middle.v) / spread;
        normal_add(&sums, (const double[UNKNOWN]){ x, y, 1, 0, 0, 0, -u * x, -u * y }, u, 1);
        normal_add(&sums, (const double[UNKNOWN]){ 0, 0, 0, x, y, 1, -v * x, -v * y }, v, 1);
    }
    if (!normal_solve(h, &sums))
        return false;
    double det = h[0] * (h[4] - h[5] * h[7]) - h[1] * (h[3] - h[5] * h[6]) + h[2] * (h[3] * h[7] - h[4] * h[6]);
    if (!(fabs(det) > LEAST_AREA))
        return false;
    for (int k = 0; k < 3; k++) { // out of the normalised units again
        double per = k < 2 ? 1 / size : 1, last = k < 2 ? h[6 + k] : 1;
        H[0][k] = per * (spread * h[k] + middle.u * last);
        H[1][k] = per * (spread * h[3 + k] + middle.v * last);
        H[2][k] = per * last;
    }
    return true;
}

double chessboard_least_side_px(const struct chessboard *b)
{
    double least = INFINITY;
    for (int i = 0; i < chessboard_corners(b); i++) {
        if (i % b->columns > 0)
            least = fmin(least, distance_px(b->corner[i], b->corner[i - 1]));
        if (i >= b->columns)
            least = fmin(least, distance_px(b->corner[i], b->corner[i - b->columns]));
    }
    return least;
}

double chessboard_moved_px(const struct chessboard *a, const struct chessboard *b)
{
    double moved[CHESSBOARD_MAX_CORNERS];
    int n = chessboard_corners(b);
    for (int i = 0; i < n; i++) {
        moved[i] = INFINITY;
        for (int k = 0; k < chessboard_corners(a); k++)
            moved[i] = fmin(moved[i], distance_px(a->corner[k], b->corner[i]));
    }
    return median_of(moved, n);
}
