// SPDX-License-Identifier: MIT
#include "vision/pieces/target_cross.h"

#include <math.h>

#include "calibration/units.h"

static const double PLACED_SIGMA_IN = 0.2; // by hand and eye, a third of a marble's width
enum { CROSS_TURNS = 90 };                 // of the cross: the end of a leg 9 in long moves by less than that
enum { SHARES = 5 };                       // of the targets, not moved yet: games begin with all and end with few

int cross_targets(const struct board *b)
{
    return b->legs > 0 ? 1 + b->legs * b->on_leg : 0;
}

// How likely a target that still stands is here, as a multiple of how likely anything is that may lie anywhere in the ring.
static double standing_here(const struct detection *p, const struct board *b, double turn_rad)
{
    double var2 = PLACED_SIGMA_IN * PLACED_SIGMA_IN, xx = p->cov.xx + var2, yy = p->cov.yy + var2, xy = p->cov.xy;
    double det = xx * yy - xy * xy, sum = 0;
    int spots = cross_targets(b);
    for (int i = 0; i < spots; i++) {
        double angle = i ? turn_rad + 2 * PI * ((i - 1) % b->legs) / b->legs : 0;
        double r = i ? b->leg_step_in * (1 + (i - 1) / b->legs) : 0; // the first one is the middle
        double x = p->at.x - r * cos(angle), y = p->at.y - r * sin(angle);
        sum += exp(-(yy * x * x - 2 * xy * x * y + xx * y * y) / det / 2);
    }
    double area = PI * b->circle_in[0] * b->circle_in[0];
    return sum / spots * area / (2 * PI * sqrt(det));
}

void cross_odds(double odds[MAX_PIECES], const struct detection_list *list, const struct board *b)
{
    double all = 0;
    for (int i = 0; i < list->count; i++)
        odds[i] = 0;
    for (int turn = 0; turn < CROSS_TURNS && b->legs > 0; turn++) {
        double standing[MAX_PIECES];
        for (int i = 0; i < list->count; i++)
            standing[i] = standing_here(&list->piece[i], b, 2 * PI / b->legs * turn / CROSS_TURNS);
        for (int k = 0; k < SHARES; k++) {
            double share = (k + 0.5) / SHARES, product = 1;
            for (int i = 0; i < list->count; i++)
                product *= 1 - share + share * standing[i];
            all += product;
            for (int i = 0; i < list->count; i++) // the same when that piece came to rest anywhere
                odds[i] += product / (1 - share + share * standing[i]);
        }
    }
    for (int i = 0; i < list->count; i++)
        odds[i] = all > 0 ? odds[i] / all : 1;
}
