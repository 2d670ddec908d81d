// SPDX-License-Identifier: MIT
#include "vision/pieces/taw.h"

#include <math.h>

#include "calibration/algebra.h"
#include "vision/pieces/setup.h"
#include "vision/pieces/sides.h"

static const double TAW_SIZES = 0.41; // log of the largest taw's size over the smallest's, 3/4 in over 1/2 in
static const double COLOURS = 1e4;    // CIE L*a*b*, a* by b*: where marbles' colours lie
static const double SAME_COLOUR = 5, LIT_COLOUR = 12; // CIE L*a*b*: within one set of marbles, by light and swirls
static const double MISREAD_SIZE = 0.02;              // of the targets
static const double OTHER_COLOUR = 0.001;             // of the targets of one colour: put in for one that was lost
static const double NO_TAW = 0.3;                     // of the moments at which a picture is taken
static const double RAYLEIGH_MEDIAN = 1.18;           // sigma: half of a plane's normal distribution lies nearer
static const double ALIKE = 0.2; // of the taws: of the targets' one colour; players want to tell them apart
enum { LEAST_MARBLES = 3 };      // with fewer nothing is usual

// Log of the odds that a taw has this size rather than a target.
static double odds_by_size(const struct size_seen *s)
{
    double off = log(s->ratio) / s->sigma;
    double target = exp(-off * off / 2) / (s->sigma * sqrt(2 * PI));
    return -log((1 - MISREAD_SIZE) * target * TAW_SIZES + MISREAD_SIZE);
}

// How likely a target's colour is to lie so far from the usual one, as a multiple of how likely any colour is, when the
// targets are all of one.
static double one_colour(double off_lab, double sigma_lab)
{
    double density = exp(-off_lab * off_lab / (2 * sigma_lab * sigma_lab)) / (2 * PI * sigma_lab * sigma_lab);
    return (1 - OTHER_COLOUR) * density * COLOURS + OTHER_COLOUR;
}

// Whether the targets are of one colour: against many, which may be any. A taw among them changes little.
static double sure_of_one_colour(const double *off_lab, int n, double sigma_lab)
{
    double odds = 0;
    for (int i = 0; i < n; i++)
        odds += log(one_colour(off_lab[i], sigma_lab));
    return 1 / (1 + exp(-odds));
}

static void usual_colour(double lab[3], const struct detection_list *list)
{
    double values[MAX_PIECES];
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < list->count; i++)
            values[i] = list->piece[i].lab[c];
        lab[c] = median_of(values, list->count);
    }
}

// More marbles than there are targets: one of them is the taw, or no marble at all, and then it has no role.
static double no_taw_among(int marbles, const struct board *b)
{
    int targets = setup_targets(b);
    return targets > 0 && marbles > targets ? 0 : NO_TAW;
}

void taw_find(struct detection_list *list, const struct size_seen *size, const struct board *b)
{
    double usual[3], off[MAX_PIECES], sorted[MAX_PIECES], odds[MAX_PIECES], placed[MAX_PIECES];
    int n = list->count;
    double none = no_taw_among(n, b), all = none;
    for (int i = 0; i < n; i++) {
        list->piece[i].taw = false;
        list->piece[i].taw_certainty = 0.5;
    }
    if (n < LEAST_MARBLES)
        return;
    usual_colour(usual, list);
    for (int i = 0; i < n; i++)
        off[i] = sorted[i] = sides_distance(list->piece[i].lab, usual);
    double sigma = fmax(SAME_COLOUR, fmin(median_of(sorted, n) / RAYLEIGH_MEDIAN, LIT_COLOUR));
    double one = sure_of_one_colour(off, n, sigma);
    setup_odds(placed, list, b);
    for (int i = 0; i < n; i++) {
        double target = one * one_colour(off[i], sigma) + 1 - one;
        double taw = one * (ALIKE * one_colour(off[i], sigma) + 1 - ALIKE) + 1 - one;
        odds[i] = (1 - none) / n * placed[i] * exp(odds_by_size(&size[i])) * taw / target;
        all += odds[i];
    }
    for (int i = 0; i < n; i++) {
        double taw = odds[i] / all;
        list->piece[i].taw = taw > 0.5;
        list->piece[i].taw_certainty = fmax(taw, 1 - taw);
    }
}
