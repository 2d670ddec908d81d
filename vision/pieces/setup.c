// SPDX-License-Identifier: MIT
#include "vision/pieces/setup.h"

#include <math.h>

#include "calibration/units.h"

static const double STANDING = 0.5;       // of the targets: not moved yet. Games begin with all and end with few
static const double PLACED_SIGMA_IN = 0.3; // by hand and eye, about half a marble's width
enum { TURNS = 90 }; // of the cross: the end of a leg 9 in long moves by half of the above and less

int setup_targets(const struct board *b)
{
    return b->legs > 0 ? 1 + b->legs * b->on_leg : 0;
}

static struct pt_in spot_of(const struct board *b, int i, double turn_rad)
{
    if (i == 0)
        return (struct pt_in){ 0, 0 };
    double angle = turn_rad + 2 * PI * ((i - 1) % b->legs) / b->legs, r = b->leg_step_in * (1 + (i - 1) / b->legs);
    return (struct pt_in){ r * cos(angle), r * sin(angle) };
}

// How likely a target is here, as a multiple of how likely anything is that may lie anywhere in the ring.
static double target_here(const struct piece_seen *p, const struct board *b, double turn_rad)
{
    double var2 = PLACED_SIGMA_IN * PLACED_SIGMA_IN, xx = p->cov.xx + var2, yy = p->cov.yy + var2, xy = p->cov.xy;
    double det = xx * yy - xy * xy, sum = 0;
    int spots = setup_targets(b);
    for (int i = 0; i < spots; i++) {
        struct pt_in spot = spot_of(b, i, turn_rad);
        double x = p->at.x - spot.x, y = p->at.y - spot.y;
        sum += exp(-(yy * x * x - 2 * xy * x * y + xx * y * y) / det / 2);
    }
    double area = PI * b->circle_in[0] * b->circle_in[0];
    return 1 - STANDING + STANDING * sum / spots * area / (2 * PI * sqrt(det));
}

void setup_odds(double odds[MAX_PIECES], const struct piece_list *list, const struct board *b)
{
    double all = 0;
    for (int i = 0; i < list->count; i++)
        odds[i] = 0;
    for (int turn = 0; turn < TURNS && b->legs > 0; turn++) {
        double here[MAX_PIECES], product = 1;
        for (int i = 0; i < list->count; i++) {
            here[i] = target_here(&list->piece[i], b, 2 * PI / b->legs * turn / TURNS);
            product *= here[i];
        }
        all += product;
        for (int i = 0; i < list->count; i++)
            odds[i] += product / here[i];
    }
    for (int i = 0; i < list->count; i++)
        odds[i] = all > 0 ? odds[i] / all : 1;
}
