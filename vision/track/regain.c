// SPDX-License-Identifier: MIT
#include "vision/track/regain.h"

#include <math.h>

#include "calibration/algebra.h"
#include "vision/track/match.h"

static const double SAME_PLACE_IN = 0.3;    // the new view and the old one measure a place so differently at most
static const double LEAST_MOVED_IN = 0.1;   // on average: less is measuring
static const double LEAST_RADIUS_IN = 1.5;  // nearer to the middle a piece says little of the turn
static const double MOST_TURN_RAD = PI / 4; // of a camera that was knocked and not taken elsewhere
enum { LEAST_PAIRS = 3 };                   // and half of the pieces: that a free turn is believed to

double regain_least_turn(const struct camera *now, const struct camera *before, bool quarters)
{
    double M[2][2] = { { 0 } };
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            for (int j = 0; j < 3; j++)
                M[i][k] += before->pose.R[j][i] * now->pose.R[j][k];
    double turn = atan2(M[0][1] - M[1][0], M[0][0] + M[1][1]);
    return quarters ? round(turn / (PI / 2)) * (PI / 2) : turn;
}

static struct pt_in turned(struct pt_in p, double turn_rad)
{
    double c = cos(turn_rad), s = sin(turn_rad);
    return (struct pt_in){ c * p.x + s * p.y, c * p.y - s * p.x };
}

static double mean_radius_in(const struct kept *kept, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += hypot(kept[k].piece.at.x, kept[k].piece.at.y) / n;
    return sum;
}

// How many kept pieces an alike one lies at after that turn. *mean_rad: by how much they are still turned, on average.
static int pairs_at(double *mean_rad, const struct kept *kept, int n, const struct detection_list *seen,
                    double turn_rad)
{
    double sine = 0, cosine = 0;
    int pairs = 0;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < seen->count; i++) {
            struct pt_in was = kept[k].piece.at, is = turned(seen->piece[i].at, turn_rad);
            if (hypot(is.x - was.x, is.y - was.y) > SAME_PLACE_IN || !match_alike(&kept[k].piece, &seen->piece[i]))
                continue;
            pairs++;
            sine += was.x * is.y - was.y * is.x;
            cosine += was.x * is.x + was.y * is.y;
            break;
        }
    *mean_rad = pairs > 0 ? atan2(sine, cosine) : 0;
    return pairs;
}

static double best_quarter(const struct kept *kept, int n, const struct detection_list *seen)
{
    double best = 0, unused;
    int most = pairs_at(&unused, kept, n, seen, 0);
    for (int q = 1; q < 4; q++) {
        int pairs = pairs_at(&unused, kept, n, seen, q * PI / 2);
        if (pairs > most) {
            most = pairs;
            best = q * PI / 2;
        }
    }
    return best;
}

// The turn that would bring the seen piece to where the kept one lay; false when none would.
static bool turn_between(double *turn_rad, const struct detection *was, const struct detection *is)
{
    double r = hypot(was->at.x, was->at.y);
    if (r < LEAST_RADIUS_IN || fabs(r - hypot(is->at.x, is->at.y)) > SAME_PLACE_IN || !match_alike(was, is))
        return false;
    *turn_rad = remainder(atan2(is->at.y, is->at.x) - atan2(was->at.y, was->at.x), 2 * PI);
    return fabs(*turn_rad) < MOST_TURN_RAD;
}

static double best_turn(const struct kept *kept, int n, const struct detection_list *seen)
{
    double best = 0, rest;
    int most = pairs_at(&rest, kept, n, seen, 0);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < seen->count; i++) {
            double turn, unused;
            if (!turn_between(&turn, &kept[k].piece, &seen->piece[i]))
                continue;
            int pairs = pairs_at(&unused, kept, n, seen, turn);
            if (pairs > most || (pairs == most && fabs(turn) < fabs(best))) {
                most = pairs;
                best = turn;
            }
        }
    pairs_at(&rest, kept, n, seen, best);
    bool believed = most >= LEAST_PAIRS && 2 * most >= n;
    return believed && fabs(best + rest) * mean_radius_in(kept, n) > LEAST_MOVED_IN ? best + rest : 0;
}

double regain_turn_of_pieces(const struct kept *kept, int n, const struct detection_list *seen, bool quarters)
{
    return quarters ? best_quarter(kept, n, seen) : best_turn(kept, n, seen);
}

void regain_turn_pieces(struct detection_list *seen, double turn_rad)
{
    double c = cos(turn_rad), s = sin(turn_rad);
    for (int i = 0; i < seen->count; i++) {
        struct detection *p = &seen->piece[i];
        struct cov_in2 v = p->cov;
        p->at = turned(p->at, turn_rad);
        p->cov.xx = c * c * v.xx + 2 * c * s * v.xy + s * s * v.yy;
        p->cov.yy = s * s * v.xx - 2 * c * s * v.xy + c * c * v.yy;
        p->cov.xy = c * s * (v.yy - v.xx) + (c * c - s * s) * v.xy;
    }
}
