// SPDX-License-Identifier: MIT
#include "calibration/pose_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"

enum { MAX_STEPS = 40, MIN_POINTS = 12 };
static const double TUKEY_SIGMAS = 4.685;     // 95 % efficiency on Gaussian noise
static const double NOISE_FLOOR_PX = 0.02;    // no line is seen better; keeps the weights finite on perfect points
static const double LOST_RESIDUAL_PX = 1e3;   // stands for a point whose line of sight misses the plane
static const double SETTLED = 1e-5;           // relative fall of the cost that ends the iteration
static const double DIFFERENCE_SIGMAS = 1e-3; // of a parameter: linear there, far above rounding

// Order of the parameters: tilt about the board's x and y axes, t (3), the lens's free numbers, bleeds, free radii. A step
// of the focal length takes the distance with it: the picture hardly changes, so steps may be long.
enum { TILT_X, TILT_Y, SHIFT_X, SHIFT_Y, SHIFT_Z, POSE_PARAMETERS };

struct parameter_set {
    int n;
    int lens[FIT_LENS_NUMBERS]; // index or -1
    int bleed;                  // index of the first or -1
    int radius[FIT_MAX_CURVES]; // index or -1
};

static struct parameter_set parameters_of(const struct pose_fit *fit)
{
    struct parameter_set s = { .n = POSE_PARAMETERS };
    for (int i = 0; i < FIT_LENS_NUMBERS; i++)
        s.lens[i] = fit->lens[i].sigma > 0 ? s.n++ : -1;
    s.bleed = fit->bleed_sigma_px > 0 ? s.n : -1;
    s.n += fit->bleed_sigma_px > 0 ? FIT_BLEED_NUMBERS : 0;
    for (int i = 0; i < FIT_MAX_CURVES; i++)
        s.radius[i] = i < fit->curves && fit->free_radius[i] ? s.n++ : -1;
    return s;
}

// What a fit may move.
struct unknowns {
    struct camera camera;
    double radius_in[FIT_MAX_CURVES], bleed_px[FIT_BLEED_NUMBERS];
};

static struct unknowns unknowns_of(const struct pose_fit *fit)
{
    struct unknowns u = { .camera = fit->camera };
    memcpy(u.radius_in, fit->radius_in, sizeof u.radius_in);
    memcpy(u.bleed_px, fit->bleed_px, sizeof u.bleed_px);
    return u;
}

static double lens_number(const struct lens *l, enum fit_lens which)
{
    const double value[FIT_LENS_NUMBERS] = { log(l->f_px), l->k1, l->k2, l->centre.u, l->centre.v };
    return value[which];
}

static void nudge_lens(struct lens *l, const struct parameter_set *s, const double *step)
{
    double *const number[FIT_LENS_NUMBERS] = { NULL, &l->k1, &l->k2, &l->centre.u, &l->centre.v };
    if (s->lens[FIT_LOG_F] >= 0)
        l->f_px *= exp(step[s->lens[FIT_LOG_F]]);
    for (int i = FIT_K1; i < FIT_LENS_NUMBERS; i++)
        if (s->lens[i] >= 0)
            *number[i] += step[s->lens[i]];
}

static void nudge(struct unknowns *u, const struct parameter_set *s, const double *step)
{
    struct camera *c = &u->camera;
    double axis[3], turn[3][3], R[3][3];
    for (int i = 0; i < 3; i++)
        axis[i] = step[TILT_X] * c->pose.R[i][0] + step[TILT_Y] * c->pose.R[i][1];
    rotation_from_axis(turn, axis);
    mat3_multiply(R, (const double(*)[3])turn, (const double(*)[3])c->pose.R);
    memcpy(c->pose.R, R, sizeof R);
    for (int i = 0; i < 3; i++)
        c->pose.t_in[i] += step[SHIFT_X + i];
    if (s->lens[FIT_LOG_F] >= 0)
        c->pose.t_in[2] *= exp(step[s->lens[FIT_LOG_F]]);
    nudge_lens(&c->lens, s, step);
    for (int i = 0; i < FIT_BLEED_NUMBERS; i++)
        if (s->bleed >= 0)
            u->bleed_px[i] += step[s->bleed + i];
    for (int i = 0; i < FIT_MAX_CURVES; i++)
        if (s->radius[i] >= 0)
            u->radius_in[i] += step[s->radius[i]];
}

// A point of the picture on the plane z = 0, in the camera's frame: the board's centre is at t, its normal is n, the
// line of sight is q = (x, y, 1), and the point lies at depth * q = t + from_centre.
struct sight {
    double q[3], depth, from_centre[3], radius_in;
    double n_q, w_q; // n . q and from_centre . q
};

static bool take_sight(struct sight *out, const struct camera *c, struct pt_px seen)
{
    const double *t = c->pose.t_in, n[3] = { c->pose.R[0][2], c->pose.R[1][2], c->pose.R[2][2] };
    out->q[2] = 1;
    if (!lens_undistort(&out->q[0], &out->q[1], &c->lens, seen))
        return false;
    out->n_q = vec3_dot(n, out->q);
    out->depth = vec3_dot(n, t) / out->n_q;
    if (!(out->depth > 0) || !isfinite(out->depth))
        return false;
    for (int i = 0; i < 3; i++)
        out->from_centre[i] = out->depth * out->q[i] - t[i];
    out->w_q = vec3_dot(out->from_centre, out->q);
    out->radius_in = sqrt(vec3_dot(out->from_centre, out->from_centre));
    return out->radius_in > 0;
}

// d(radius) / d(x, y) of the ideal coordinates, inches.
static void radius_by_ideal(double out[2], const struct sight *s, const struct camera *c)
{
    for (int i = 0; i < 2; i++)
        out[i] = s->depth * (s->from_centre[i] - c->pose.R[i][2] * s->w_q / s->n_q) / s->radius_in;
}

// The same by the distorted coordinates, (u - cu) / f.
static void radius_by_distorted(double out[2], const struct lens *l, const struct sight *s, const double by_ideal[2])
{
    double m[3];
    lens_slope(m, l, s->q[0], s->q[1]);
    double det = m[0] * m[2] - m[1] * m[1];
    out[0] = (m[2] * by_ideal[0] - m[1] * by_ideal[1]) / det;
    out[1] = (m[0] * by_ideal[1] - m[1] * by_ideal[0]) / det;
}

// d(radius - the circle's) / d(parameters).
static void radius_by_parameters(double *out, const struct parameter_set *s, const struct camera *c,
                                 const struct sight *at, const struct fit_point *p)
{
    const struct lens *l = &c->lens;
    const double(*R)[3] = c->pose.R;
    double by_ideal[2], by_distorted[2], x = at->q[0], y = at->q[1], r2 = x * x + y * y;
    radius_by_ideal(by_ideal, at, c);
    radius_by_distorted(by_distorted, l, at, by_ideal);
    memset(out, 0, sizeof *out * (size_t)s->n);
    // A tilt about the board's x axis moves the normal by -y axis, one about y by the x axis; the depth follows.
    double across = at->w_q / (at->n_q * at->radius_in);
    for (int i = 0; i < 3; i++) {
        out[TILT_X] += R[i][1] * at->from_centre[i] * across;
        out[TILT_Y] -= R[i][0] * at->from_centre[i] * across;
        out[SHIFT_X + i] = R[i][2] * across - at->from_centre[i] / at->radius_in;
    }
    double by_radial = -(by_distorted[0] * x + by_distorted[1] * y) * r2; // what k1 adds has to be taken off the ideal
    const double by_lens[FIT_LENS_NUMBERS] = {
        -(by_distorted[0] * (p->at.u - l->centre.u) + by_distorted[1] * (p->at.v - l->centre.v)) / l->f_px, by_radial,
        by_radial * r2, -by_distorted[0] / l->f_px, -by_distorted[1] / l->f_px
    };
    for (int i = 0; i < FIT_LENS_NUMBERS; i++)
        if (s->lens[i] >= 0)
            out[s->lens[i]] = by_lens[i];
    if (s->lens[FIT_LOG_F] >= 0)
        out[s->lens[FIT_LOG_F]] += c->pose.t_in[2] * out[SHIFT_Z];
    if (s->radius[p->curve] >= 0)
        out[s->radius[p->curve]] = -1;
}

// How much each bleed counts where the point lies: 1, and the direction from the centre on the board.
static void bleed_shares(double out[FIT_BLEED_NUMBERS], const struct camera *c, const struct sight *s)
{
    out[FIT_BLEED_ALL] = 1;
    out[FIT_BLEED_X] = out[FIT_BLEED_Y] = 0;
    for (int i = 0; i < 3; i++) {
        out[FIT_BLEED_X] += c->pose.R[i][0] * s->from_centre[i] / s->radius_in;
        out[FIT_BLEED_Y] += c->pose.R[i][1] * s->from_centre[i] / s->radius_in;
    }
}

// How far the point is seen off its circle, along the radius.
static double residual_px(const struct pose_fit *fit, const struct unknowns *u, const struct fit_point *p,
                          const struct sight *s, double px_per_in)
{
    double share[FIT_BLEED_NUMBERS], bled_px = 0;
    bleed_shares(share, &u->camera, s);
    for (int i = 0; i < FIT_BLEED_NUMBERS; i++)
        bled_px += share[i] * u->bleed_px[i];
    return (s->radius_in - u->radius_in[p->curve]) * px_per_in - fit->bleeds[p->curve] * bled_px;
}

// Pixels between neighbouring circles an inch apart: one over the length of the radius's gradient in the picture.
static double radial_px_per_in(const struct camera *c, const struct sight *s)
{
    double by_ideal[2], by_distorted[2];
    radius_by_ideal(by_ideal, s, c);
    radius_by_distorted(by_distorted, &c->lens, s, by_ideal);
    double size = sqrt(by_distorted[0] * by_distorted[0] + by_distorted[1] * by_distorted[1]);
    return size > 0 && isfinite(size) ? c->lens.f_px / size : 0;
}

static double tukey_weight(double residual, double scale)
{
    double x = residual / (TUKEY_SIGMAS * scale);
    return fabs(x) < 1 ? (1 - x * x) * (1 - x * x) : 0;
}

struct workspace {
    double *residual_px, *px_per_in, *weight, *scratch;
};

static void measure(const struct pose_fit *fit, const struct unknowns *u, const struct fit_point *points, int n,
                    struct workspace *w)
{
    for (int i = 0; i < n; i++) {
        struct sight s;
        bool hit = take_sight(&s, &u->camera, points[i].at);
        w->residual_px[i] = hit ? residual_px(fit, u, &points[i], &s, w->px_per_in[i]) : LOST_RESIDUAL_PX;
    }
}

static double robust_scale(struct workspace *w, int n)
{
    for (int i = 0; i < n; i++)
        w->scratch[i] = fabs(w->residual_px[i]);
    return fmax(MAD_TO_SIGMA * median_of(w->scratch, n), NOISE_FLOOR_PX);
}

// Tukey's rho for the points, squares for the priors; in units of the noise.
static double cost_of(const struct pose_fit *fit, const struct unknowns *u, const struct workspace *w, int n,
                      double scale)
{
    const double most = TUKEY_SIGMAS * TUKEY_SIGMAS / 6;
    double cost = 0;
    for (int i = 0; i < n; i++) {
        double x = w->residual_px[i] / (TUKEY_SIGMAS * scale), rest = 1 - x * x;
        cost += fabs(x) < 1 ? most * (1 - rest * rest * rest) : most;
    }
    cost /= fit->points_per_independent;
    for (int i = 0; i < FIT_LENS_NUMBERS; i++)
        if (fit->lens[i].sigma > 0)
            cost += 0.5 * pow((lens_number(&u->camera.lens, i) - fit->lens[i].value) / fit->lens[i].sigma, 2);
    for (int i = 0; i < FIT_BLEED_NUMBERS; i++)
        if (fit->bleed_sigma_px > 0)
            cost += 0.5 * pow(u->bleed_px[i] / fit->bleed_sigma_px, 2);
    return cost;
}

static void add_prior(double *A, double *b, const struct parameter_set *s, int at, double value,
                      const struct fit_prior *prior)
{
    double variance = prior->sigma * prior->sigma;
    if (at < 0)
        return;
    A[at * s->n + at] += 1 / variance;
    b[at] -= (value - prior->value) / variance;
}

static void add_priors(double *A, double *b, const struct pose_fit *fit, const struct parameter_set *s)
{
    for (int i = 0; i < FIT_LENS_NUMBERS; i++)
        add_prior(A, b, s, s->lens[i], lens_number(&fit->camera.lens, i), &fit->lens[i]);
    for (int i = 0; i < FIT_BLEED_NUMBERS && s->bleed >= 0; i++)
        add_prior(A, b, s, s->bleed + i, fit->bleed_px[i], &(struct fit_prior){ 0, fit->bleed_sigma_px });
}

// Normal equations J^T W J and J^T W r in units of the noise, priors included.
static void normal_equations(double *A, double *b, const struct pose_fit *fit, const struct parameter_set *s,
                             const struct fit_point *points, int n, const struct workspace *w)
{
    int m = s->n;
    memset(A, 0, sizeof *A * (size_t)(m * m));
    memset(b, 0, sizeof *b * (size_t)m);
    for (int i = 0; i < n; i++) {
        double scale_px = fit->noise_px, J[FIT_MAX_PARAMETERS];
        double weight = w->weight[i] / (scale_px * scale_px * fit->points_per_independent);
        struct sight at;
        if (weight == 0 || !take_sight(&at, &fit->camera, points[i].at))
            continue;
        radius_by_parameters(J, s, &fit->camera, &at, &points[i]);
        if (s->bleed >= 0)
            bleed_shares(J + s->bleed, &fit->camera, &at);
        for (int k = 0; k < FIT_BLEED_NUMBERS && s->bleed >= 0; k++)
            J[s->bleed + k] *= -fit->bleeds[points[i].curve] / w->px_per_in[i];
        weight *= w->px_per_in[i];
        for (int k = 0; k < m; k++) {
            b[k] -= weight * J[k] * w->residual_px[i];
            for (int l = 0; l <= k; l++)
                A[k * m + l] += weight * w->px_per_in[i] * J[k] * J[l];
        }
    }
    for (int k = 0; k < m; k++)
        for (int l = 0; l < k; l++)
            A[l * m + k] = A[k * m + l];
    add_priors(A, b, fit, s);
}

static void reweigh(struct pose_fit *fit, const struct fit_point *points, int n, struct workspace *w)
{
    struct unknowns now = unknowns_of(fit);
    for (int i = 0; i < n; i++) {
        struct sight at;
        bool hit = take_sight(&at, &fit->camera, points[i].at);
        w->px_per_in[i] = hit ? radial_px_per_in(&fit->camera, &at) : 0;
        w->residual_px[i] = hit ? residual_px(fit, &now, &points[i], &at, w->px_per_in[i]) : LOST_RESIDUAL_PX;
    }
    fit->noise_px = robust_scale(w, n);
    for (int i = 0; i < n; i++)
        w->weight[i] = tukey_weight(w->residual_px[i], fit->noise_px);
}

// From beneath circles look as from above: a step too long would carry the camera through the board.
static bool same_side(const struct unknowns *a, const struct unknowns *b)
{
    return (camera_position(&a->camera).z > 0) == (camera_position(&b->camera).z > 0);
}

// One damped step. True when the cost fell; *damping is what to try next.
static bool step_once(struct pose_fit *fit, const struct parameter_set *s, const struct fit_point *points, int n,
                      struct workspace *w, double *damping, double *fall)
{
    double A[FIT_MAX_PARAMETERS * FIT_MAX_PARAMETERS], b[FIT_MAX_PARAMETERS], scale = fit->noise_px;
    struct unknowns now = unknowns_of(fit);
    double before = cost_of(fit, &now, w, n, scale);
    normal_equations(A, b, fit, s, points, n, w);
    for (int tries = 0; tries < 8; tries++, *damping *= 10) {
        double D[FIT_MAX_PARAMETERS * FIT_MAX_PARAMETERS], step[FIT_MAX_PARAMETERS];
        memcpy(D, A, sizeof A);
        for (int k = 0; k < s->n; k++)
            D[k * s->n + k] *= 1 + *damping;
        if (!cholesky_solve(step, D, b, s->n))
            continue;
        struct unknowns next = now;
        nudge(&next, s, step);
        measure(fit, &next, points, n, w);
        double after = cost_of(fit, &next, w, n, scale);
        if (!(after < before) || camera_check(&next.camera, NULL) < 0 || !same_side(&now, &next))
            continue;
        fit->camera = next.camera;
        memcpy(fit->bleed_px, next.bleed_px, sizeof next.bleed_px);
        memcpy(fit->radius_in, next.radius_in, sizeof next.radius_in);
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
    normal_equations(A, b, fit, s, points, n, w);
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

// How the place of a fixed pixel, now seen at `at`, moves with each parameter. False when it cannot be seen.
static bool place_jacobian(double J[2][FIT_MAX_PARAMETERS], const struct pose_fit *fit, const struct parameter_set *s,
                           struct pt_in at, double height_in)
{
    struct pt_px seen;
    if (!camera_project(&seen, &fit->camera, (struct pt3_in){ at.x, at.y, height_in }))
        return false;
    for (int k = 0; k < s->n; k++) {
        struct unknowns ahead = unknowns_of(fit);
        double step[FIT_MAX_PARAMETERS] = { 0 };
        struct pt_in moved = at;
        step[k] = DIFFERENCE_SIGMAS * sqrt(fit->covariance[k * s->n + k]);
        nudge(&ahead, s, step);
        bool hit = step[k] > 0 && camera_locate(&moved, &ahead.camera, seen, height_in);
        J[0][k] = hit ? (moved.x - at.x) / step[k] : 0;
        J[1][k] = hit ? (moved.y - at.y) / step[k] : 0;
    }
    return true;
}

struct cov_in2 pose_fit_place_cov(const struct pose_fit *fit, struct pt_in at, double height_in)
{
    struct parameter_set s = parameters_of(fit);
    struct cov_in2 out = { 0, 0, 0 };
    double J[2][FIT_MAX_PARAMETERS];
    if (!place_jacobian(J, fit, &s, at, height_in))
        return out;
    for (int k = 0; k < s.n; k++)
        for (int l = 0; l < s.n; l++) {
            double c = fit->covariance[k * s.n + l];
            out.xx += J[0][k] * c * J[0][l];
            out.xy += J[0][k] * c * J[1][l];
            out.yy += J[1][k] * c * J[1][l];
        }
    return out;
}

double pose_fit_line_sigma_in(const struct pose_fit *fit, int curve, double angle_rad)
{
    struct parameter_set s = parameters_of(fit);
    double J[2][FIT_MAX_PARAMETERS], across[FIT_MAX_PARAMETERS], square = 0, x = cos(angle_rad), y = sin(angle_rad);
    struct pt_in at = { fit->radius_in[curve] * x, fit->radius_in[curve] * y };
    if (!place_jacobian(J, fit, &s, at, 0))
        return 0;
    for (int k = 0; k < s.n; k++)
        across[k] = J[0][k] * x + J[1][k] * y - (k == s.radius[curve]);
    for (int k = 0; k < s.n; k++)
        for (int l = 0; l < s.n; l++)
            square += across[k] * fit->covariance[k * s.n + l] * across[l];
    return sqrt(fmax(square, 0));
}

// Replaces the parts along the old axes by those along the new ones; a and b are what belongs to x and to y.
static void turn_pair(double *a, double *b, double cosine, double sine)
{
    double x = *a, y = *b;
    *a = cosine * x + sine * y;
    *b = cosine * y - sine * x;
}

// The rows and columns of two parameters that belong to the board's x and y axes.
static void turn_covariance(struct pose_fit *fit, int x, int y, double cosine, double sine)
{
    int n = fit->parameters;
    double *cov = fit->covariance;
    for (int k = 0; k < n; k++)
        turn_pair(&cov[x * n + k], &cov[y * n + k], cosine, sine);
    for (int k = 0; k < n; k++)
        turn_pair(&cov[k * n + x], &cov[k * n + y], cosine, sine);
}

void pose_fit_turn(struct pose_fit *fit, double angle_rad)
{
    double cosine = cos(angle_rad), sine = sin(angle_rad);
    struct parameter_set s = parameters_of(fit);
    for (int i = 0; i < 3; i++)
        turn_pair(&fit->camera.pose.R[i][0], &fit->camera.pose.R[i][1], cosine, sine);
    turn_covariance(fit, TILT_X, TILT_Y, cosine, sine);
    turn_pair(&fit->bleed_px[FIT_BLEED_X], &fit->bleed_px[FIT_BLEED_Y], cosine, sine);
    if (s.bleed >= 0)
        turn_covariance(fit, s.bleed + FIT_BLEED_X, s.bleed + FIT_BLEED_Y, cosine, sine);
}

void pose_fit_widen(struct pose_fit *fit, double times)
{
    for (int i = 0; i < fit->parameters * fit->parameters; i++)
        fit->covariance[i] *= times * times;
}

double pose_fit_f_sigma_px(const struct pose_fit *fit)
{
    struct parameter_set s = parameters_of(fit);
    int at = s.lens[FIT_LOG_F];
    return at < 0 ? 0 : fit->camera.lens.f_px * sqrt(fit->covariance[at * s.n + at]);
}
