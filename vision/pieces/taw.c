// SPDX-License-Identifier: MIT
#include "vision/pieces/taw.h"

#include <math.h>

#include "calibration/algebra.h"
#include "vision/colour.h"

static const double RAYLEIGH_MEDIAN = 1.18; // sigma: half of a plane's normal distribution lies nearer
static const double PLACED_SIGMA_IN = 0.2;  // by hand and eye, a third of a marble's width
enum { CROSS_TURNS = 90 };                  // of the cross: the end of a leg 9 in long moves by less than that
enum { SHARES = 5 };                        // of the targets, not moved yet: games begin with all and end with few

// How many targets the board is set up with; 0 when that is not known.
static int cross_targets(const struct board *b)
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

void taw_cross_odds(double odds[MAX_PIECES], const struct detection_list *list, const struct board *b)
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

// How likely a target's colour is to lie so far from the usual one, as a multiple of how likely any colour is, when the
// targets are all of one.
static double one_colour(double off_lab, double sigma_lab, const struct marble_tuning *t)
{
    double density = exp(-off_lab * off_lab / (2 * sigma_lab * sigma_lab)) / (2 * PI * sigma_lab * sigma_lab);
    return (1 - t->other_target) * density * t->colours_lab2 + t->other_target;
}

void taw_find(struct detection_list *list, const struct size_seen *size, const struct board *b,
              const struct marble_tuning *t)
{
    double usual[3], off[MAX_PIECES], sorted[MAX_PIECES], odds[MAX_PIECES], placed[MAX_PIECES], of_one = 0;
    int n = list->count, targets = cross_targets(b);
    for (int i = 0; i < n; i++) {
        list->piece[i].taw = false;
        list->piece[i].certainty = 0.5;
    }
    if (n < t->least_marbles)
        return;
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < n; i++)
            sorted[i] = list->piece[i].lab[c];
        usual[c] = median_of(sorted, n);
    }
    for (int i = 0; i < n; i++)
        off[i] = sorted[i] = colour_paint_distance(list->piece[i].lab, usual);
    double sigma = fmax(t->same_colour_lab, fmin(median_of(sorted, n) / RAYLEIGH_MEDIAN, t->lit_colour_lab));
    // Whether the targets are of one colour: against many, which may be any. A taw among them changes little.
    for (int i = 0; i < n; i++)
        of_one += log(one_colour(off[i], sigma, t));
    double one = logistic(of_one);
    // More marbles than there are targets: one of them is the taw, or no marble at all, and then it has no role.
    double none = targets > 0 && n > targets ? 0 : t->no_taw, all = none;
    taw_cross_odds(placed, list, b);
    for (int i = 0; i < n; i++) {
        double alike = one_colour(off[i], sigma, t), target = one * alike + 1 - one;
        double taw = one * (t->taw_alike * alike + 1 - t->taw_alike) + 1 - one;
        double off_size = log(size[i].ratio) / size[i].sigma;
        double target_size = exp(-off_size * off_size / 2) / (size[i].sigma * sqrt(2 * PI));
        double by_size = -log((1 - t->misread_size) * target_size * t->taw_sizes_log + t->misread_size);
        odds[i] = (1 - none) / n * placed[i] * exp(by_size) * taw / target;
        all += odds[i];
    }
    for (int i = 0; i < n; i++) {
        double taw = odds[i] / all;
        list->piece[i].taw = taw > 0.5;
        list->piece[i].certainty = fmax(taw, 1 - taw);
    }
}
