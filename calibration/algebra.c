// SPDX-License-Identifier: MIT
#include "calibration/algebra.h"

#include <math.h>

double distance_px(struct pt_px a, struct pt_px b)
{
    return hypot(a.u - b.u, a.v - b.v);
}

double centroid_px(struct pt_px *out, const struct pt_px *points, int n)
{
    double spread = 0;
    *out = (struct pt_px){ 0, 0 };
    for (int i = 0; i < n; i++) {
        out->u += points[i].u / n;
        out->v += points[i].v / n;
    }
    for (int i = 0; i < n; i++)
        spread += distance_px(points[i], *out) / n;
    return spread;
}

struct pt3_in surface_polar(double radius_in, double angle_rad)
{
    return (struct pt3_in){ radius_in * cos(angle_rad), radius_in * sin(angle_rad), 0 };
}

double logistic(double log_odds)
{
    return 1 / (1 + exp(-log_odds));
}

double vec3_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double vec3_distance(const double a[3], const double b[3])
{
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

void vec3_cross(double out[3], const double a[3], const double b[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

void vec3_normalise(double a[3])
{
    double length = sqrt(vec3_dot(a, a));
    if (!(length > 0))
        return;
    for (int i = 0; i < 3; i++)
        a[i] /= length;
}

void turn_axes(double *x, double *y, double cosine, double sine)
{
    double before = *x;
    *x = cosine * before + sine * *y;
    *y = cosine * *y - sine * before;
}

void rotation_from_axis(double R[3][3], const double axis_rad[3])
{
    double angle = sqrt(vec3_dot(axis_rad, axis_rad));
    // sin(a)/a and (1 - cos(a))/a^2, by their series where the quotient loses digits
    double s = angle > 1e-4 ? sin(angle) / angle : 1 - angle * angle / 6;
    double c = angle > 1e-4 ? (1 - cos(angle)) / (angle * angle) : 0.5 - angle * angle / 24;
    const double *w = axis_rad;
    const double K[3][3] = { { 0, -w[2], w[1] }, { w[2], 0, -w[0] }, { -w[1], w[0], 0 } };
    double K2[3][3];
    mat3_multiply(K2, K, K);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            R[i][j] = (i == j) + s * K[i][j] + c * K2[i][j];
}

void mat3_multiply(double out[3][3], const double a[3][3], const double b[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}

void rotation_with_normal(double R[3][3], const double n[3])
{
    // The picture's u axis made square to n; where n lies along u (a board seen edge on) the v axis serves instead.
    double x[3] = { 1 - n[0] * n[0], -n[0] * n[1], -n[0] * n[2] }, y[3];
    if (vec3_dot(x, x) < 1e-6) {
        const double v_axis[3] = { 0, 1, 0 };
        vec3_cross(x, v_axis, n);
    }
    vec3_normalise(x);
    vec3_cross(y, n, x);
    for (int i = 0; i < 3; i++) {
        R[i][0] = x[i];
        R[i][1] = y[i];
        R[i][2] = n[i];
    }
}

// Row by row, so that what is left of a row's first element is never touched.
static bool cholesky_factor(double *A, int n)
{
    for (int i = 0; i < n; i++) {
        double *row = A + (size_t)i * (size_t)n;
        int first = 0;
        while (first < i && row[first] == 0)
            first++;
        for (int j = first; j <= i; j++) {
            const double *other = A + (size_t)j * (size_t)n;
            double sum = row[j];
            for (int k = first; k < j; k++)
                sum -= row[k] * other[k];
            if (j == i && (!(sum > 0) || !isfinite(sum)))
                return false;
            row[j] = j < i ? sum / other[j] : sqrt(sum);
        }
    }
    return true;
}

static void cholesky_substitute(double *x, const double *L, const double *b, int n)
{
    for (int i = 0; i < n; i++) {
        const double *row = L + (size_t)i * (size_t)n;
        double sum = b[i];
        for (int k = 0; k < i; k++)
            sum -= row[k] * x[k];
        x[i] = sum / row[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *row = L + (size_t)i * (size_t)n;
        x[i] /= row[i];
        for (int k = 0; k < i; k++)
            x[k] -= row[k] * x[i];
    }
}

bool cholesky_solve(double *x, double *A, const double *b, int n)
{
    if (!cholesky_factor(A, n))
        return false;
    cholesky_substitute(x, A, b, n);
    return true;
}

bool cholesky_invert(double *inverse, double *A, int n)
{
    if (!cholesky_factor(A, n))
        return false;
    for (int j = 0; j < n; j++) {
        double *row = inverse + (size_t)j * (size_t)n; // symmetric: a row is a column
        for (int i = 0; i < n; i++)
            row[i] = i == j;
        cholesky_substitute(row, A, row, n);
    }
    return true;
}

double *normal_at(const struct normal_equations *e, int i, int j)
{
    return e->N + (size_t)(i > j ? i : j) * (size_t)e->n + (i > j ? j : i);
}

void normal_add_prior(const struct normal_equations *e, int k, double is, double sigma)
{
    double information = 1 / (sigma * sigma);
    *normal_at(e, k, k) += information;
    e->g[k] += information * is;
}

bool normal_eliminate(const struct normal_equations *e, int m)
{
    for (int k = 0; k < m; k++) {
        double pivot = *normal_at(e, k, k);
        if (!(pivot > 0) || !isfinite(pivot))
            return false;
        for (int i = k + 1; i < e->n; i++) {
            double share = *normal_at(e, i, k) / pivot;
            e->g[i] -= share * e->g[k];
            for (int j = k + 1; j <= i; j++)
                *normal_at(e, i, j) -= share * *normal_at(e, j, k);
        }
    }
    return true;
}

bool normal_solve(double *x, const struct normal_equations *e)
{
    return cholesky_solve(x, e->N, e->g, e->n);
}

bool normal_invert(double *inverse, const struct normal_equations *e)
{
    return cholesky_invert(inverse, e->N, e->n);
}

double quadratic_form(const double *x, const double *M, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += x[i] * M[(size_t)i * (size_t)n + (size_t)j] * y[j];
    return sum;
}

double cov_along(const struct cov_in2 *c, double x, double y)
{
    double variance = c->xx * x * x + 2 * c->xy * x * y + c->yy * y * y;
    return variance > 0 ? sqrt(variance) : 0;
}

double cov_sigma(const struct cov_in2 *c)
{
    double variance = (c->xx + c->yy) / 2;
    return variance > 0 ? sqrt(variance) : 0;
}

// Quickselect. Which of two numbers is larger no processor guesses, so that the partition (Lomuto's) moves each number
// whatever it is and has no branch. Where nothing is below the pivot a second one gathers what is equal to it, for
// there may be many; what is no number is not below either, and leaves with the pivot.
//
// A pivot near the k-th leaves little to do: of many numbers it is the one that is the k-th, as it were, of a few.
double select_kth(double *values, int n, int k)
{
    enum { MANY = 500, EVERY = 16 };
    int low = 0, high = n;
    while (high - low > 1) {
        int middle = low + (high - low - 1) / 2, below = low;
        if (high - low > MANY) {
            int few = 0;
            for (int i = low; i < high; i += EVERY) {
                double here = values[i];
                values[i] = values[low + few];
                values[low + few++] = here;
            }
            middle = low + (k - low) / EVERY;
            select_kth(values + low, few, (k - low) / EVERY);
        }
        double pivot = values[middle];
        values[middle] = values[high - 1];
        for (int i = low; i < high - 1; i++) {
            double here = values[i];
            values[i] = values[below];
            values[below] = here;
            below += here < pivot;
        }
        values[high - 1] = values[below];
        values[below] = pivot;
        if (k < below) {
            high = below;
            continue;
        }
        int beyond = below + 1;
        for (int i = beyond; i < high && below == low; i++) {
            double here = values[i];
            values[i] = values[beyond];
            values[beyond] = here;
            beyond += here <= pivot;
        }
        if (k < beyond)
            break;
        low = beyond;
    }
    return values[k];
}

double median_of(double *values, int n)
{
    double upper = select_kth(values, n, n / 2);
    if (n % 2)
        return upper;
    double lower = values[0]; // what is no larger stands before it now
    for (int i = 1; i < n / 2; i++)
        lower = values[i] > lower ? values[i] : lower;
    return (upper + lower) / 2;
}

int histogram_quantile(const long *bin, int bins, long all, double share)
{
    long passed = 0;
    int i = 0;
    while (i < bins - 1 && (double)(passed += bin[i]) < share * (double)all)
        i++;
    return i;
}
