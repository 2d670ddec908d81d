// SPDX-License-Identifier: MIT
#include "vision/pieces/taw.h"

#include <math.h>

#include "calibration/algebra.h"
#include "vision/colour.h"
#include "vision/pieces/target_cross.h"

static const double RAYLEIGH_MEDIAN = 1.18; // sigma: half of a plane's normal distribution lies nearer

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
    cross_odds(placed, list, b);
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
