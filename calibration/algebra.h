// SPDX-License-Identifier: MIT
// algebra.h: the linear algebra that the fits are written in: 3-vectors, rotations, small symmetric systems.
//
// Everything works on the caller's memory; matrices are row-major.
#ifndef RINGSIDE_CALIBRATION_ALGEBRA_H
#define RINGSIDE_CALIBRATION_ALGEBRA_H

#include <stdbool.h>
#include <string.h>

#include "calibration/units.h"

// Between two places of the picture.
double distance_px(struct pt_px a, struct pt_px b);

// The mean of n places of a picture, and how far they lie from it on the mean.
double centroid_px(struct pt_px *out, const struct pt_px *points, int n);

// The place on the playing surface at this radius and angle (counter-clockwise from +x).
struct pt3_in surface_polar(double radius_in, double angle_rad);

// The probability whose logarithmic odds are these.
double logistic(double log_odds);

double vec3_dot(const double a[3], const double b[3]);
double vec3_distance(const double a[3], const double b[3]);
void vec3_cross(double out[3], const double a[3], const double b[3]);
void vec3_normalise(double a[3]); // unchanged when its length is 0

// x and y of what stays where it is, when their axes are turned counter-clockwise by the angle of this cosine and sine.
void turn_axes(double *x, double *y, double cosine, double sine);

// Rodrigues: the rotation about `axis` by its length in radians.
void rotation_from_axis(double R[3][3], const double axis_rad[3]);
void mat3_multiply(double out[3][3], const double a[3][3], const double b[3][3]); // out may not be a or b

// A rotation whose third column is the unit vector n (a board's normal seen from the camera); the turn about n is the
// one that leaves the board's x axis as near to the picture's u axis as can be.
void rotation_with_normal(double R[3][3], const double n[3]);

// Solves A x = b for a symmetric positive definite A (n x n; of it only the lower triangle is read, and holds its
// Cholesky factor afterwards); x may be b. False when A is not positive definite. Zeros that lead a row cost nothing:
// unknowns that are joined to few others come first, then they are eliminated on the way.
bool cholesky_solve(double *x, double *A, const double *b, int n);

// The inverse of such an A, whole. False when it is not positive definite.
bool cholesky_invert(double *inverse, double *A, int n);

// The normal equations N x = g of linear least squares, in the caller's memory; of N the lower triangle. Also those of
// one step of a nonlinear fit of your own, where least_squares.h does not serve. What begins them and adds to them
// stands here, so that a fit of a few unknowns, which adds hundreds of thousands of equations a picture, has no loop of
// unknown length.
struct normal_equations {
    int n;
    double *N, *g; // n x n, n
};

// Sets both to nothing.
static inline struct normal_equations normal_begin(double *N, double *g, int n)
{
    memset(N, 0, sizeof *N * (size_t)n * (size_t)n);
    memset(g, 0, sizeof *g * (size_t)n);
    return (struct normal_equations){ n, N, g };
}

// An element of N, whichever of i and j is larger.
double *normal_at(const struct normal_equations *e, int i, int j);

// Adds the equation row . x = is; its weight is one over its variance.
static inline void normal_add(const struct normal_equations *e, const double *row, double is, double weight)
{
    for (int i = 0; i < e->n; i++) {
        double part = weight * row[i], *N = e->N + (size_t)i * (size_t)e->n;
        e->g[i] += part * is;
        for (int j = 0; j <= i; j++)
            N[j] += part * row[j];
    }
}

// Two neighbours of a row, which a processor reckons with at once. No compiler finds that out of sums by itself, for
// their order would not be the one that is written.
typedef double neighbours __attribute__((vector_size(2 * sizeof(double))));

static inline neighbours neighbours_of(const double *row)
{
    neighbours out;
    memcpy(&out, row, sizeof out);
    return out;
}

// Adds n equations of five unknowns at most, in rows as long as `stride`: the k-th unknown's numbers are the k-th row.
__attribute__((always_inline)) static inline void normal_add_rows(const struct normal_equations *e, const double *rows,
                                                                  int stride, const double *is, const double *weight,
                                                                  int n)
{
    enum { MOST = 5 };
    neighbours N[MOST][MOST] = { { { 0 } } }, g[MOST] = { { 0 } }, row[MOST];
    for (int i = 0; i + 1 < n; i += 2)
        for (int k = 0; k < e->n; k++) {
            row[k] = neighbours_of(rows + (long)k * stride + i);
            neighbours part = neighbours_of(weight + i) * row[k];
            g[k] += part * neighbours_of(is + i);
            for (int j = 0; j <= k; j++)
                N[k][j] += part * row[j];
        }
    for (int k = 0; k < e->n; k++) {
        e->g[k] += g[k][0] + g[k][1];
        for (int j = 0; j <= k; j++)
            e->N[k * e->n + j] += N[k][j][0] + N[k][j][1];
    }
    double last[MOST];
    for (int k = 0; k < e->n && n % 2; k++)
        last[k] = rows[(long)k * stride + n - 1];
    if (n % 2)
        normal_add(e, last, is[n - 1], weight[n - 1]);
}

// Adds what is believed of one unknown: x[k] = is within sigma.
void normal_add_prior(const struct normal_equations *e, int k, double is, double sigma);

// Rids the equations of the first m unknowns, whose rows are spoilt: rows and elements from m on are then what the
// equations say of the others alone (Schur complement). False when they leave one of the m open.
bool normal_eliminate(const struct normal_equations *e, int m);

// Solution, and the inverse of N: the covariance of x. Both spoil N. False when something is left open.
bool normal_solve(double *x, const struct normal_equations *e);
bool normal_invert(double *inverse, const struct normal_equations *e);

// x^T M y of a whole n x n matrix.
double quadratic_form(const double *x, const double *M, const double *y, int n);

// Standard deviation of the covariance along the unit direction (x, y), inches.
double cov_along(const struct cov_in2 *c, double x, double y);

// Square root of the mean of the two variances: one number for "how well is this place known", inches.
double cov_sigma(const struct cov_in2 *c);

// The k-th smallest of n values; the array is reordered. NAN-free input, n > 0, 0 <= k < n.
double select_kth(double *values, int n, int k);

// 1 sigma of a normal distribution over the median of its absolute deviations from its median.
static const double MAD_TO_SIGMA = 1.4826;

// Median of n values (n > 0), the array is reordered.
double median_of(double *values, int n);

// Of `all` values counted in bins the first bin up to which that share of them lies; the last one where it never does.
int histogram_quantile(const long *bin, int bins, long all, double share);

#endif
