// SPDX-License-Identifier: MIT
#include "calibration/pose_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"

enum { MAX_STEPS = 40, MIN_POINTS = 12 };
static const double LINE_NOISE_FLOOR_PX = 0.02; // no line is seen better; keeps the weights finite on perfect points
static const double POSE_SETTLED = 1e-5;        // relative fall of the cost that ends the iteration
static const double DIFFERENCE_SIGMAS = 1e-3;   // of a parameter: linear there, far above rounding

// Of a second pose that explains the points: that of a Gaussian beyond three sigmas, where no call is close any more.
static const double NEGLIGIBLE_CHANCE = 0.0027;

// Order of the parameters: tilt about the board's x and y axes, t (3), the lens's free numbers, bleeds, free radii. A
// step of the focal length takes the distance with it: the picture hardly changes, so steps may be long.
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

// A point of the picture on the plane z = 0, in the camera's frame: the board's centre is at t, its normal is n, the
// line of sight is q = (x, y, 1), and the point lies at depth * q = t + from_centre.
struct back_projection {
    double q[3], depth, from_centre[3], radius_in;
    double n_q, w_q; // n . q and from_centre . q
};

// A point seen beside its circle, and the foot point: the nearest one of that circle.
struct foot_point {
    bool hit;
    double radius_in;            // at which the point is seen
    struct pt_px foot;           // in the picture
    struct back_projection back; // of the foot
    double slope[2], px_per_in;  // d(radius) / d(distorted coordinates, (u - cu) / f), inches; circles an inch apart
};

// What the solver's callbacks know.
struct job {
    const struct pose_fit *fit;
    struct parameter_set set;
    const struct fit_point *points;
    int n;
    struct foot_point *now; // one a point
    bool prepared;          // the next residuals are those of `now`
};

static void retract(void *state, const double *step, const void *context)
{
    struct unknowns *u = state;
    const struct parameter_set *s = &((const struct job *)context)->set;
    struct camera *c = &u->camera;
    double axis[3], lens_step[FIT_LENS_NUMBERS];
    for (int i = 0; i < 3; i++)
        axis[i] = step[TILT_X] * c->pose.R[i][0] + step[TILT_Y] * c->pose.R[i][1];
    for (int i = 0; i < FIT_LENS_NUMBERS; i++)
        lens_step[i] = s->lens[i] >= 0 ? step[s->lens[i]] : 0;
    pose_move(&c->pose, axis, step + SHIFT_X);
    c->pose.t_in[2] *= exp(lens_step[FIT_LOG_F]);
    lens_move(&c->lens, lens_step);
    for (int i = 0; i < FIT_BLEED_NUMBERS && s->bleed >= 0; i++)
        u->bleed_px[i] += step[s->bleed + i];
    for (int i = 0; i < FIT_MAX_CURVES; i++)
        if (s->radius[i] >= 0)
            u->radius_in[i] += step[s->radius[i]];
}

static bool back_project(struct back_projection *out, const struct camera *c, struct pt_px seen)
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

// By the ideal coordinates first.
static void radius_slope(double out[2], const struct camera *c, const struct back_projection *s)
{
    double ideal[2], m[3];
    for (int i = 0; i < 2; i++)
        ideal[i] = s->depth * (s->from_centre[i] - c->pose.R[i][2] * s->w_q / s->n_q) / s->radius_in;
    lens_slope(m, &c->lens, s->q[0], s->q[1]);
    double det = m[0] * m[2] - m[1] * m[1];
    out[0] = (m[2] * ideal[0] - m[1] * ideal[1]) / det;
    out[1] = (m[0] * ideal[1] - m[1] * ideal[0]) / det;
}

// d(radius - the circle's) / d(parameters).
static void radius_by_parameters(double *out, const struct parameter_set *s, const struct camera *c,
                                 const struct foot_point *now, int curve)
{
    const struct back_projection *at = &now->back;
    const struct lens *l = &c->lens;
    const double(*R)[3] = c->pose.R;
    const double *by_distorted = now->slope;
    double x = at->q[0], y = at->q[1], r2 = x * x + y * y;
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
        -(by_distorted[0] * (now->foot.u - l->centre.u) + by_distorted[1] * (now->foot.v - l->centre.v)) / l->f_px,
        by_radial, by_radial * r2, -by_distorted[0] / l->f_px, -by_distorted[1] / l->f_px
    };
    for (int i = 0; i < FIT_LENS_NUMBERS; i++)
        if (s->lens[i] >= 0)
            out[s->lens[i]] = by_lens[i];
    if (s->lens[FIT_LOG_F] >= 0)
        out[s->lens[FIT_LOG_F]] += c->pose.t_in[2] * out[SHIFT_Z];
    if (s->radius[curve] >= 0)
        out[s->radius[curve]] = -1;
}

// Slopes are those at the circle, where the point would be seen but for its noise: slopes at the point itself go with
// the noise, and the sum of many draws the fit to where an inch is more pixels.
static bool find_foot_point(struct foot_point *out, const struct unknowns *u, const struct fit_point *p)
{
    const struct camera *c = &u->camera;
    struct back_projection seen;
    double at[3];
    if (!back_project(&seen, c, p->at))
        return false;
    out->radius_in = seen.radius_in;
    for (int i = 0; i < 3; i++)
        at[i] = c->pose.t_in[i] + seen.from_centre[i] * u->radius_in[p->curve] / seen.radius_in;
    if (!(at[2] > 0))
        return false;
    out->foot = lens_distort(&c->lens, at[0] / at[2], at[1] / at[2]);
    if (!back_project(&out->back, c, out->foot))
        return false;
    radius_slope(out->slope, c, &out->back);
    out->px_per_in = c->lens.f_px / hypot(out->slope[0], out->slope[1]);
    return isfinite(out->px_per_in);
}

static void job_prepare(const void *state, void *context)
{
    struct job *job = context;
    for (int i = 0; i < job->n; i++)
        job->now[i].hit = find_foot_point(&job->now[i], state, &job->points[i]);
    job->prepared = true;
}

// How far each point is seen off its circle, along the radius, in pixels.
static void job_residuals(struct residual_sink *to, const void *state, void *context)
{
    const struct unknowns *u = state;
    struct job *job = context;
    const struct parameter_set *set = &job->set;
    bool there = !to->slopes && !job->prepared; // where a step leads, not where it starts
    job->prepared = false;
    for (int i = 0; i < job->n; i++) {
        const struct fit_point *p = &job->points[i];
        struct foot_point s = job->now[i];
        double J[FIT_MAX_PARAMETERS], share[FIT_BLEED_NUMBERS] = { 1, 0, 0 }, bled_px = 0;
        if (!s.hit || (there && !find_foot_point(&s, u, p))) {
            residual_lost(to);
            continue;
        }
        for (int k = 0; k < 3; k++) { // each bleed counts by the direction from the centre on the board
            share[FIT_BLEED_X] += u->camera.pose.R[k][0] * s.back.from_centre[k] / s.back.radius_in;
            share[FIT_BLEED_Y] += u->camera.pose.R[k][1] * s.back.from_centre[k] / s.back.radius_in;
        }
        for (int k = 0; k < FIT_BLEED_NUMBERS; k++)
            bled_px += share[k] * u->bleed_px[k];
        double r = (s.radius_in - u->radius_in[p->curve]) * s.px_per_in - job->fit->bleeds[p->curve] * bled_px;
        if (to->slopes) {
            radius_by_parameters(J, set, &u->camera, &s, p->curve);
            for (int k = 0; k < set->n; k++)
                J[k] *= s.px_per_in;
            for (int k = 0; k < FIT_BLEED_NUMBERS && set->bleed >= 0; k++)
                J[set->bleed + k] = -job->fit->bleeds[p->curve] * share[k];
        }
        residual_add(to, &r, J, NULL, set->n);
    }
}

// From beneath circles look as from above: a step too long would carry the camera through the board.
static bool job_possible(const void *next, const void *now, const void *context)
{
    const struct camera *a = &((const struct unknowns *)now)->camera, *b = &((const struct unknowns *)next)->camera;
    (void)context;
    return camera_check(b, NULL) == 0 && (camera_position(a).z > 0) == (camera_position(b).z > 0);
}

// What priors are about: the lens's numbers and the bleeds.
static double job_number(const void *state, int parameter, const void *context)
{
    const struct unknowns *u = state;
    const struct parameter_set *set = &((const struct job *)context)->set;
    double lens[FIT_LENS_NUMBERS];
    lens_numbers(lens, &u->camera.lens);
    for (int i = 0; i < FIT_LENS_NUMBERS; i++)
        if (set->lens[i] == parameter)
            return lens[i];
    return u->bleed_px[parameter - set->bleed];
}

int pose_fit_solve(struct pose_fit *fit, const struct fit_point *points, int n, struct fail *why)
{
    struct job job = { .fit = fit, .set = parameters_of(fit), .points = points, .n = n };
    const struct parameter_set *s = &job.set;
    struct unknowns u = unknowns_of(fit);
    struct fit_prior prior[FIT_MAX_PARAMETERS] = { { 0, 0 } };
    struct least_squares_result result;
    if (!(fit->points_per_independent >= 1))
        return rs_fail(why, RS_EINTERNAL, "points_per_independent is %g, below 1", fit->points_per_independent);
    const int least = 2 * s->n > MIN_POINTS ? 2 * s->n : MIN_POINTS;
    if (n < least)
        return rs_fail(
            why, RS_EINPUT,
            "its lines are hardly to be seen, at %d places where %d are needed: more light, or bring the camera nearer",
            n, least);
    job.now = malloc(sizeof *job.now * (size_t)n);
    if (!job.now)
        return rs_fail(why, RS_ENOMEM, "no memory for a fit to %d points", n);
    for (int i = 0; i < FIT_LENS_NUMBERS; i++)
        if (s->lens[i] >= 0)
            prior[s->lens[i]] = fit->lens[i];
    for (int i = 0; i < FIT_BLEED_NUMBERS && s->bleed >= 0; i++)
        prior[s->bleed + i].sigma = fit->bleed_sigma_px;
    const struct least_squares problem = { .state = &u,
                                           .state_size = sizeof u,
                                           .context = &job,
                                           .parameters = s->n,
                                           .groups = n,
                                           .group_size = 1,
                                           .residuals = job_residuals,
                                           .retract = retract,
                                           .possible = job_possible,
                                           .prepare = job_prepare,
                                           .number = job_number,
                                           .prior = prior,
                                           .loss = LOSS_TUKEY,
                                           .least_sigma = LINE_NOISE_FLOOR_PX,
                                           .per_independent = fit->points_per_independent,
                                           .settled = POSE_SETTLED,
                                           .most_steps = MAX_STEPS,
                                           .covariance = fit->covariance };
    int rc = least_squares_solve(&result, &problem, why);
    free(job.now);
    if (rc < 0)
        return rc;
    fit->rms_px = result.rms;
    fit->noise_px = result.sigma;
    fit->used = result.used;
    fit->parameters = s->n;
    // `determined` is not asked: a circle of which no point counts leaves its own radius open, never the pose.
    if (fit->used < MIN_POINTS || !isfinite(fit->covariance[0]) || camera_check(&u.camera, NULL) < 0)
        return rs_fail(why, RS_EINPUT, "the lines do not fit one board: %d of %d points agree", fit->used, n);
    fit->camera = u.camera;
    memcpy(fit->bleed_px, u.bleed_px, sizeof u.bleed_px);
    memcpy(fit->radius_in, u.radius_in, sizeof u.radius_in);
    return 0;
}

double pose_fit_cost(const struct pose_fit *fit, double sigma_px)
{
    double sum = fit->used / fit->points_per_independent * pow(fit->rms_px / sigma_px, 2), lens[FIT_LENS_NUMBERS];
    lens_numbers(lens, &fit->camera.lens);
    for (int i = 0; i < FIT_LENS_NUMBERS; i++)
        sum += fit->lens[i].sigma > 0 ? pow((lens[i] - fit->lens[i].value) / fit->lens[i].sigma, 2) : 0;
    for (int i = 0; i < FIT_BLEED_NUMBERS; i++)
        sum += fit->bleed_sigma_px > 0 ? pow(fit->bleed_px[i] / fit->bleed_sigma_px, 2) : 0;
    return sum / 2;
}

void pose_fit_keep_likelier(struct pose_fit *fit, const struct pose_fit *other, double sigma_px)
{
    const struct pt3_in middle = { 0, 0, 0 };
    struct pose_fit less = *other;
    double more_cost = pose_fit_cost(other, sigma_px) - pose_fit_cost(fit, sigma_px);
    if (more_cost < 0) {
        less = *fit;
        *fit = *other;
    }
    double odds = exp(-fabs(more_cost)), chance = odds / (1 + odds);
    // A Gaussian's that is as unlikely so far off.
    double sigmas = chance > NEGLIGIBLE_CHANCE ? 1 / sqrt(-2 * log(chance)) : 0;
    struct pt_px seen;
    struct pt_in at = { 0, 0 };
    bool known = camera_project(&seen, &less.camera, middle) && camera_locate(&at, &fit->camera, seen, 0);
    fit->other_pose_in = known ? (struct pt_in){ sigmas * at.x, sigmas * at.y } : (struct pt_in){ 0, 0 };
}

// 1 sigma by which what is seen at `at` lies elsewhere under the other pose. Both see the circle where it is, so that
// no place moves across it: the middle moves most, and the circle's points along it alone.
static struct pt_in other_pose_step(const struct pose_fit *fit, struct pt_in at)
{
    struct pt_in step = fit->other_pose_in;
    if (step.x == 0 && step.y == 0)
        return step;
    double across = (step.x * at.x + step.y * at.y) / (fit->radius_in[0] * fit->radius_in[0]);
    return (struct pt_in){ step.x - across * at.x, step.y - across * at.y };
}

// How the place of a fixed pixel, now seen at `at`, moves with each parameter. False when it cannot be seen.
static bool place_jacobian(double J[2][FIT_MAX_PARAMETERS], const struct pose_fit *fit, struct pt_in at,
                           double height_in)
{
    const struct job job = { .set = parameters_of(fit) };
    int n = job.set.n;
    struct pt_px seen;
    if (!camera_project(&seen, &fit->camera, (struct pt3_in){ at.x, at.y, height_in }))
        return false;
    for (int k = 0; k < n; k++) {
        struct unknowns ahead = unknowns_of(fit);
        double step[FIT_MAX_PARAMETERS] = { 0 };
        struct pt_in moved = at;
        step[k] = DIFFERENCE_SIGMAS * sqrt(fit->covariance[k * (n + 1)]);
        retract(&ahead, step, &job);
        bool hit = step[k] > 0 && camera_locate(&moved, &ahead.camera, seen, height_in);
        J[0][k] = hit ? (moved.x - at.x) / step[k] : 0;
        J[1][k] = hit ? (moved.y - at.y) / step[k] : 0;
    }
    return true;
}

struct cov_in2 pose_fit_place_cov(const struct pose_fit *fit, struct pt_in at, double height_in)
{
    int n = fit->parameters;
    double J[2][FIT_MAX_PARAMETERS];
    if (!place_jacobian(J, fit, at, height_in))
        return (struct cov_in2){ UNSEEN_SIGMA_IN * UNSEEN_SIGMA_IN, 0, UNSEEN_SIGMA_IN * UNSEEN_SIGMA_IN };
    struct pt_in step = other_pose_step(fit, at);
    return (struct cov_in2){ quadratic_form(J[0], fit->covariance, J[0], n) + step.x * step.x,
                             quadratic_form(J[0], fit->covariance, J[1], n) + step.x * step.y,
                             quadratic_form(J[1], fit->covariance, J[1], n) + step.y * step.y };
}

double pose_fit_across_sigma_in(const struct pose_fit *fit, double radius_in)
{
    enum { PLACES = 8 };
    double sum = 0;
    for (int i = 0; i < PLACES; i++) {
        double x = cos(2 * PI * i / PLACES), y = sin(2 * PI * i / PLACES);
        struct cov_in2 cov = pose_fit_place_cov(fit, (struct pt_in){ radius_in * x, radius_in * y }, 0);
        double across = cov_along(&cov, x, y);
        sum += across * across / PLACES;
    }
    return sqrt(sum);
}

double pose_fit_line_sigma_in(const struct pose_fit *fit, int curve, double angle_rad)
{
    struct parameter_set s = parameters_of(fit);
    double J[2][FIT_MAX_PARAMETERS], across[FIT_MAX_PARAMETERS], x = cos(angle_rad), y = sin(angle_rad);
    struct pt_in at = { fit->radius_in[curve] * x, fit->radius_in[curve] * y };
    if (!place_jacobian(J, fit, at, 0))
        return UNSEEN_SIGMA_IN;
    for (int k = 0; k < s.n; k++)
        across[k] = J[0][k] * x + J[1][k] * y - (k == s.radius[curve]);
    return sqrt(fmax(quadratic_form(across, fit->covariance, across, s.n), 0));
}

// The rows and columns of two parameters that belong to the board's x and y axes.
static void turn_covariance(struct pose_fit *fit, int x, int y, double cosine, double sine)
{
    int n = fit->parameters;
    double *cov = fit->covariance;
    for (int k = 0; k < n; k++)
        turn_axes(&cov[x * n + k], &cov[y * n + k], cosine, sine);
    for (int k = 0; k < n; k++)
        turn_axes(&cov[k * n + x], &cov[k * n + y], cosine, sine);
}

void pose_fit_turn(struct pose_fit *fit, double angle_rad)
{
    double cosine = cos(angle_rad), sine = sin(angle_rad);
    struct parameter_set s = parameters_of(fit);
    camera_turn(&fit->camera, angle_rad);
    turn_covariance(fit, TILT_X, TILT_Y, cosine, sine);
    turn_axes(&fit->bleed_px[FIT_BLEED_X], &fit->bleed_px[FIT_BLEED_Y], cosine, sine);
    turn_axes(&fit->other_pose_in.x, &fit->other_pose_in.y, cosine, sine);
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
    return at < 0 ? 0 : fit->camera.lens.f_px * sqrt(fit->covariance[at * (s.n + 1)]);
}
