// SPDX-License-Identifier: MIT
#include "calibration/pose_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"

enum { MAX_STEPS = 40, MIN_POINTS = 12 };
static const double TUKEY_SIGMAS = 4.685;   // 95 % efficiency on Gaussian noise
static const double MAD_TO_SIGMA = 1.4826;  // Gaussian
static const double NOISE_FLOOR_PX = 0.02;  // no line is seen better; keeps the weights finite on perfect points
static const double LOST_RESIDUAL_PX = 1e3; // stands for a point whose line of sight misses the plane
static const double SETTLED = 1e-7;         // relative fall of the cost that ends the iteration

// Order of the parameters: tilt about the board's x and y axes, t (3), log f, k1, free radii.
struct parameter_set {
    int n;
    int log_f, k1;              // index or -1
    int radius[FIT_MAX_CURVES]; // index or -1
};

static struct parameter_set parameters_of(const struct pose_fit *fit)
{
    struct parameter_set s = { .n = 5, .log_f = -1, .k1 = -1 };
    if (fit->log_f.sigma > 0)
        s.log_f = s.n++;
    if (fit->k1.sigma > 0)
        s.k1 = s.n++;
    for (int i = 0; i < FIT_MAX_CURVES; i++)
        s.radius[i] = i < fit->curves && fit->free_radius[i] ? s.n++ : -1;
    return s;
}

static void nudge(struct camera *c, double radius_in[FIT_MAX_CURVES], const struct parameter_set *s, const double *step)
{
    double axis[3], turn[3][3], R[3][3];
    for (int i = 0; i < 3; i++)
        axis[i] = step[0] * c->pose.R[i][0] + step[1] * c->pose.R[i][1];
    rotation_from_axis(turn, axis);
    mat3_multiply(R, (const double(*)[3])turn, (const double(*)[3])c->pose.R);
    memcpy(c->pose.R, R, sizeof R);
    for (int i = 0; i < 3; i++)
        c->pose.t_in[i] += step[2 + i];
    if (s->log_f >= 0)
        c->lens.f_px *= exp(step[s->log_f]);
    if (s->k1 >= 0)
        c->lens.k1 += step[s->k1];
    for (int i = 0; i < FIT_MAX_CURVES; i++)
        if (s->radius[i] >= 0)
            radius_in[i] += step[s->radius[i]];
}

// How far the point lies off its circle, in board inches; px_per_in turns it into pixels.
static double off_circle_in(const struct camera *c, const double *radius_in, const struct fit_point *p)
{
    struct pt_in at;
    if (!camera_locate(&at, c, p->at, 0))
        return LOST_RESIDUAL_PX;
    return hypot(at.x, at.y) - radius_in[p->curve];
}

// Pixels that one inch along the radius covers in the picture.
static double radial_px_per_in(const struct camera *c, const struct fit_point *p)
{
    struct pt_in at;
    double J[2][2];
    if (!camera_locate(&at, c, p->at, 0) || !camera_jacobian(J, c, (struct pt3_in){ at.x, at.y, 0 }))
        return 0;
    double r = hypot(at.x, at.y);
    if (!(r > 0))
        return 0;
    double det = fabs(J[0][0] * J[1][1] - J[0][1] * J[1][0]);
    // The line's picture runs along J * tangent; its distance to the neighbouring circle is area over that length.
    double tu = (-J[0][0] * at.y + J[0][1] * at.x) / r, tv = (-J[1][0] * at.y + J[1][1] * at.x) / r;
    double along = hypot(tu, tv);
    return along > 0 ? det / along : 0;
}

static double tukey_weight(double residual, double scale)
{
    double x = residual / (TUKEY_SIGMAS * scale);
    return fabs(x) < 1 ? (1 - x * x) * (1 - x * x) : 0;
}

struct workspace {
    double *residual_px, *px_per_in, *weight, *scratch;
};

static void measure(const struct camera *c, const double *radius_in, const struct fit_point *points, int n,
                    struct workspace *w)
{
    for (int i = 0; i < n; i++)
        w->residual_px[i] = off_circle_in(c, radius_in, &points[i]) * w->px_per_in[i];
}

static double robust_scale(struct workspace *w, int n)
{
    for (int i = 0; i < n; i++)
        w->scratch[i] = fabs(w->residual_px[i]);
    return fmax(MAD_TO_SIGMA * median_of(w->scratch, n), NOISE_FLOOR_PX);
}

// Tukey's rho for the points, squares for the priors; in units of the noise.
static double cost_of(const struct pose_fit *fit, const struct camera *c, const struct workspace *w, int n,
                      double scale)
{
    const double most = TUKEY_SIGMAS * TUKEY_SIGMAS / 6;
    double cost = 0;
    for (int i = 0; i < n; i++) {
        double x = w->residual_px[i] / (TUKEY_SIGMAS * scale), rest = 1 - x * x;
        cost += fabs(x) < 1 ? most * (1 - rest * rest * rest) : most;
    }
    cost /= fit->points_per_independent;
    if (fit->log_f.sigma > 0)
        cost += 0.5 * pow((log(c->lens.f_px) - fit->log_f.value) / fit->log_f.sigma, 2);
    if (fit->k1.sigma > 0)
        cost += 0.5 * pow((c->lens.k1 - fit->k1.value) / fit->k1.sigma, 2);
    return cost;
}

static double difference_step(const struct parameter_set *s, int k, const struct camera *c)
{
    if (k < 2 || k == s->log_f || k == s->k1)
        return 1e-6;
    return 1e-6 * c->pose.t_in[2];
}

// Normal equations J^T W J and J^T W r in units of the noise, priors included.
static void normal_equations(double *A, double *b, const struct pose_fit *fit, const struct camera *c,
                             const double *radius_in, const struct parameter_set *s, const struct fit_point *points,
                             int n, const struct workspace *w, double scale)
{
    int m = s->n;
    struct camera ahead[FIT_MAX_PARAMETERS];
    double ahead_radius[FIT_MAX_PARAMETERS][FIT_MAX_CURVES], h[FIT_MAX_PARAMETERS];
    for (int k = 0; k < m; k++) {
        double step[FIT_MAX_PARAMETERS] = { 0 };
        h[k] = step[k] = difference_step(s, k, c);
        ahead[k] = *c;
        memcpy(ahead_radius[k], radius_in, sizeof ahead_radius[k]);
        nudge(&ahead[k], ahead_radius[k], s, step);
    }
    memset(A, 0, sizeof *A * (size_t)(m * m));
    memset(b, 0, sizeof *b * (size_t)m);
    for (int i = 0; i < n; i++) {
        double weight = w->weight[i] / (scale * scale * fit->points_per_independent), J[FIT_MAX_PARAMETERS];
        if (weight == 0)
            continue;
        for (int k = 0; k < m; k++)
            J[k] = (off_circle_in(&ahead[k], ahead_radius[k], &points[i]) * w->px_per_in[i] - w->residual_px[i]) / h[k];
        for (int k = 0; k < m; k++) {
            b[k] -= weight * J[k] * w->residual_px[i];
            for (int l = 0; l <= k; l++)
                A[k * m + l] += weight * J[k] * J[l];
        }
    }
    for (int k = 0; k < m; k++)
        for (int l = 0; l < k; l++)
            A[l * m + k] = A[k * m + l];
    if (s->log_f >= 0) {
        A[s->log_f * m + s->log_f] += 1 / pow(fit->log_f.sigma, 2);
        b[s->log_f] -= (log(c->lens.f_px) - fit->log_f.value) / pow(fit->log_f.sigma, 2);
    }
    if (s->k1 >= 0) {
        A[s->k1 * m + s->k1] += 1 / pow(fit->k1.sigma, 2);
        b[s->k1] -= (c->lens.k1 - fit->k1.value) / pow(fit->k1.sigma, 2);
    }
}

static void reweigh(struct pose_fit *fit, const struct fit_point *points, int n, struct workspace *w)
{
    for (int i = 0; i < n; i++)
        w->px_per_in[i] = radial_px_per_in(&fit->camera, &points[i]);
    measure(&fit->camera, fit->radius_in, points, n, w);
    fit->noise_px = robust_scale(w, n);
    for (int i = 0; i < n; i++)
        w->weight[i] = tukey_weight(w->residual_px[i], fit->noise_px);
}

// One damped step. True when the cost fell; *damping is what to try next.
static bool step_once(struct pose_fit *fit, const struct parameter_set *s, const struct fit_point *points, int n,
                      struct workspace *w, double *damping, double *fall)
{
    double A[FIT_MAX_PARAMETERS * FIT_MAX_PARAMETERS], b[FIT_MAX_PARAMETERS], scale = fit->noise_px;
    double before = cost_of(fit, &fit->camera, w, n, scale);
    normal_equations(A, b, fit, &fit->camera, fit->radius_in, s, points, n, w, scale);
    for (int tries = 0; tries < 8; tries++, *damping *= 10) {
        double D[FIT_MAX_PARAMETERS * FIT_MAX_PARAMETERS], step[FIT_MAX_PARAMETERS];
        memcpy(D, A, sizeof A);
        for (int k = 0; k < s->n; k++)
            D[k * s->n + k] *= 1 + *damping;
        if (!cholesky_solve(step, D, b, s->n))
            continue;
        struct camera c = fit->camera;
        double radius_in[FIT_MAX_CURVES];
        memcpy(radius_in, fit->radius_in, sizeof radius_in);
        nudge(&c, radius_in, s, step);
        measure(&c, radius_in, points, n, w);
        double after = cost_of(fit, &c, w, n, scale);
        if (!(after < before) || camera_check(&c, NULL) < 0)
            continue;
        fit->camera = c;
        memcpy(fit->radius_in, radius_in, sizeof radius_in);
        *damping = fmax(*damping / 10, 1e-9);
        *fall = (before - after) / (before + 1e-12);
        return true;
    }
    return false;
}

static void summarise(struct pose_fit *fit, const struct parameter_set *s, const struct fit_point *points, int n,
                      struct workspace *w)
{
    double A[FIT_MAX_PARAMETERS * FIT_MAX_PARAMETERS], b[FIT_MAX_PARAMETERS], squares = 0, total = 0;
    fit->used = 0;
    for (int i = 0; i < n; i++) {
        squares += w->weight[i] * w->residual_px[i] * w->residual_px[i];
        total += w->weight[i];
        fit->used += w->weight[i] > 0;
    }
    fit->rms_px = total > 0 ? sqrt(squares / total) : 0;
    fit->parameters = s->n;
    normal_equations(A, b, fit, &fit->camera, fit->radius_in, s, points, n, w, fit->noise_px);
    if (!cholesky_invert(fit->covariance, A, s->n))
        memset(fit->covariance, 0, sizeof fit->covariance);
}

static int run(struct pose_fit *fit, const struct parameter_set *s, const struct fit_point *points, int n,
               struct workspace *w, struct fail *why)
{
    struct camera start = fit->camera;
    double damping = 1e-3;
    for (int i = 0; i < MAX_STEPS; i++) {
        double fall = 0;
        reweigh(fit, points, n, w);
        if (!step_once(fit, s, points, n, w, &damping, &fall) || fall < SETTLED)
            break;
    }
    reweigh(fit, points, n, w);
    summarise(fit, s, points, n, w);
    if (fit->used >= MIN_POINTS && camera_check(&fit->camera, NULL) == 0)
        return 0;
    fit->camera = start;
    return rs_fail(why, RS_EINPUT, "the lines do not fit one board: %d of %d points agree", fit->used, n);
}

int pose_fit_solve(struct pose_fit *fit, const struct fit_point *points, int n, struct fail *why)
{
    struct parameter_set s = parameters_of(fit);
    if (!(fit->points_per_independent >= 1))
        return rs_fail(why, RS_EINTERNAL, "points_per_independent is %g, below 1", fit->points_per_independent);
    if (n < MIN_POINTS || n < 2 * s.n)
        return rs_fail(why, RS_EINPUT, "only %d points on the lines; at least %d are needed", n, MIN_POINTS);
    double *memory = malloc(sizeof *memory * 4 * (size_t)n);
    if (!memory)
        abort();
    struct workspace w = { memory, memory + n, memory + 2 * n, memory + 3 * n };
    int rc = run(fit, &s, points, n, &w, why);
    free(memory);
    return rc;
}

struct cov_in2 pose_fit_place_cov(const struct pose_fit *fit, struct pt_in at, double height_in)
{
    struct parameter_set s = parameters_of(fit);
    struct pt_px seen;
    struct cov_in2 out = { 0, 0, 0 };
    double J[2][FIT_MAX_PARAMETERS];
    if (!camera_project(&seen, &fit->camera, (struct pt3_in){ at.x, at.y, height_in }))
        return out;
    for (int k = 0; k < s.n; k++) {
        struct camera ahead = fit->camera;
        double radius_in[FIT_MAX_CURVES] = { 0 }, step[FIT_MAX_PARAMETERS] = { 0 };
        struct pt_in moved = at;
        step[k] = difference_step(&s, k, &fit->camera);
        nudge(&ahead, radius_in, &s, step);
        camera_locate(&moved, &ahead, seen, height_in);
        J[0][k] = (moved.x - at.x) / step[k];
        J[1][k] = (moved.y - at.y) / step[k];
    }
    for (int k = 0; k < s.n; k++)
        for (int l = 0; l < s.n; l++) {
            double c = fit->covariance[k * s.n + l];
            out.xx += J[0][k] * c * J[0][l];
            out.xy += J[0][k] * c * J[1][l];
            out.yy += J[1][k] * c * J[1][l];
        }
    return out;
}

double pose_fit_f_sigma_px(const struct pose_fit *fit)
{
    struct parameter_set s = parameters_of(fit);
    if (s.log_f < 0)
        return 0;
    return fit->camera.lens.f_px * sqrt(fit->covariance[s.log_f * s.n + s.log_f]);
}
