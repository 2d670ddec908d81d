// SPDX-License-Identifier: MIT
// least_squares.h: robust nonlinear least squares: the solver of the fits of pose, lens and target.
//
// Levenberg-Marquardt (Madsen, Nielsen, Tingleff: Methods for Non-Linear Least Squares Problems, 2004) with Marquardt's
// scaling, re-weighted before each step (Holland, Welsch 1977). The state minimises
//     sum over the groups of loss(|r| / sigma) / per_independent  +  sum over the priors of (off / sigma)^2 / 2.
// Own code: MINPACK (cminpack) has no robust weights, priors, refused steps or rotations, all of which these fits need;
// Ceres is C++ of half a million lines; GSL is GPL.
//
// Numbers that enter linearly (colours, amplitudes) are parameters like others: put those that few residuals share
// first and hand in their slopes with `column`, and the solver eliminates them at no more cost than by hand
// (algebra.h, cholesky_solve). Fits of one linear system need no solver: struct normal_equations. Those of pieces to
// the picture stand on these, too: colours, which are linear, are eliminated a place (variable projection), and what
// is left is a step of two unknowns (cylinder_fit.h, sphere_fit.h).
#ifndef RINGSIDE_CALIBRATION_LEAST_SQUARES_H
#define RINGSIDE_CALIBRATION_LEAST_SQUARES_H

#include <stdbool.h>
#include <stddef.h>

#include "calibration/fail.h"

// How much a residual counts. Squares: as on Gaussian noise. Tukey: beyond its reach not at all; needs a start from
// which most residuals are within.
enum loss { LOSS_SQUARES, LOSS_TUKEY };

// The reach in sigmas of the noise at which 5 % of the efficiency on Gaussian noise is paid for robustness.
static const double TUKEY_SIGMAS = 4.685;

// Weight of a residual `off`, 1 at nought; `reach` is in the same unit, above 0.
double tukey_weight(double off, double reach);

// 1 sigma of residuals by the median of their sizes (n > 0, reordered), at least `least`.
double robust_sigma(double *sizes, int n, double least);

// The same of residuals of three channels, by the median of their lengths.
double robust_sigma_of_lengths(double *lengths, int n, double least);

// The median of n values (n > 0), which become their distances from it, reordered; *sigma as above.
double robust_centre(double *sigma, double *values, int n, double least);

// A number that may be fitted, and what is believed of it before. sigma 0: nothing is.
struct fit_prior {
    double value, sigma;
};

enum { RESIDUAL_GROUP_MAX = 2 };

// Takes the residuals of a state; the callback may ask `slopes`, and touches nothing else.
struct residual_sink {
    bool slopes; // they are wanted; else J may be NULL
    int groups;  // taken so far
    const struct least_squares *fit;
    double *residual;              // measuring: where they go
    const double *weight;          // else: of each group,
    struct normal_equations *sums; // and what they add to
};

struct least_squares {
    void *state; // in: the start; out: the result. Plain memory: copied to try a step
    size_t state_size;
    void *context; // what else the callbacks need
    int parameters;

    // `groups` times group_size (1 to RESIDUAL_GROUP_MAX) residuals; those of a group share one weight: u and v of a
    // corner. `residuals` hands each group, always in the same order, to residual_add or residual_lost.
    int groups, group_size;
    void (*residuals)(struct residual_sink *to, const void *state, void *context);
    // Moves the state by a step in the parameters; may hold it within bounds. Slopes are those at a step of nought.
    void (*retract)(void *state, const double *step, const void *context);

    // Each of the following may be NULL.

    // False refuses a step, a shorter one is tried.
    bool (*possible)(const void *next, const void *now, const void *context);
    // Before each step from `now`, whose residuals are asked next: sets what the residuals hold while steps are tried.
    void (*prepare)(const void *now, void *context);
    // What the prior of a parameter is about.
    double (*number)(const void *state, int parameter, const void *context);
    const struct fit_prior *prior; // one a parameter; NULL: nothing is believed
    const double *difference;      // one a parameter: slopes are taken by steps of this size, residuals gives none

    enum loss loss;         // its reach is TUKEY_SIGMAS
    double sigma;           // of a residual; 0: measured anew before each step (robust_sigma)
    double least_sigma;     // when measured: keeps weights finite on perfect data
    double per_independent; // how many neighbouring groups share one error; at least 1
    double settled;         // relative fall of the cost that ends the fit
    int most_steps;
    double *covariance; // out, parameters x parameters, NULL: not wanted. What is left open is very wide in it; all
                        // variances are INFINITY, and the rest 0, where no more is determined
};

struct least_squares_result {
    double sigma;    // of a residual, as above, at the end
    double rms;      // of the residuals, by weight
    int used;        // groups that count
    bool determined; // all parameters are, by residuals and priors; else what they leave open stayed as it was
};

// The callback's word: a group's residuals and, J row-major group_size x columns, their slopes by the parameters
// column[0..columns), ascending; column NULL: by all parameters.
void residual_add(struct residual_sink *to, const double *r, const double *J, const int *column, int columns);
// A group that this state cannot have (a point behind the camera): far worse than any other, without slopes.
void residual_lost(struct residual_sink *to);

// 0 whether it settled or ran out of steps: the caller judges the result. RS_ENOMEM: the state is as it was.
int least_squares_solve(struct least_squares_result *out, const struct least_squares *fit, struct fail *why);

#endif
