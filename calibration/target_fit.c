// SPDX-License-Identifier: MIT
#include "calibration/target_fit.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"

// Order of the unknowns: tilt about the board's x and y axes, t (3), the lens, the target's place, turn and size.
enum {
    TILT = 0,
    SHIFT = 2,
    LENS = 5,
    PLACE = LENS + FIT_LENS_NUMBERS,
    TURN = PLACE + 2,
    LOG_SIZE,
    UNKNOWN,
    RESIDUALS_MAX = TARGET_FIT_CIRCLE_POINTS + 2 * CHESSBOARD_MAX_CORNERS + FIT_LENS_NUMBERS + 1,
    MAX_STEPS = 40,
};
static const double LOG_SIZE_SIGMA = 0.01;  // printers are that true when they print at 100 %
static const double MOST_SIZE_SIGMAS = 4;   // beyond that it was printed to fit the page, or is another chessboard
static const double CORNER_FLOOR_PX = 0.05; // a sheet on a carpet is not flatter
static const double MOST_CORNER_PX = 1;     // a sheet that is bent or lies on something is off by more
static const double LOST = 1e4;             // stands for a point that this camera cannot see
static const double STEP[UNKNOWN] = {
    1e-6, 1e-6, 1e-5, 1e-5, 1e-5, 1e-6, 1e-6, 1e-6, 1e-3, 1e-3, 1e-5, 1e-5, 1e-6, 1e-6
};
static const double SETTLED = 1e-9; // relative fall of the cost
static const double DAMPING_START = 1e-4, DAMPING_MOST = 1e8;

struct scene {
    struct camera camera;
    struct pt_in at; // the target's middle
    double turn_rad, log_size;
};

struct problem {
    const struct target_fit *fit;
    const struct chessboard *seen;
    bool mirrored; // the corners' rows run the other way round
    struct pt_px circle[TARGET_FIT_CIRCLE_POINTS];
    double corner_sigma_px;
};

static void nudge(struct scene *s, const double step[UNKNOWN])
{
    double axis[3], turn[3][3], R[3][3];
    struct lens *l = &s->camera.lens;
    for (int i = 0; i < 3; i++)
        axis[i] = step[TILT] * s->camera.pose.R[i][0] + step[TILT + 1] * s->camera.pose.R[i][1];
    rotation_from_axis(turn, axis);
    mat3_multiply(R, (const double(*)[3])turn, (const double(*)[3])s->camera.pose.R);
    memcpy(s->camera.pose.R, R, sizeof R);
    for (int i = 0; i < 3; i++)
        s->camera.pose.t_in[i] += step[SHIFT + i];
    l->f_px *= exp(step[LENS + FIT_LOG_F]);
    l->k1 += step[LENS + FIT_K1];
    l->k2 += step[LENS + FIT_K2];
    l->centre.u += step[LENS + FIT_CENTRE_U];
    l->centre.v += step[LENS + FIT_CENTRE_V];
    s->at.x += step[PLACE];
    s->at.y += step[PLACE + 1];
    s->turn_rad += step[TURN];
    s->log_size += step[LOG_SIZE];
}

static struct pt3_in corner_at(const struct scene *s, const struct problem *p, int i)
{
    struct pt_in at = chessboard_place(p->seen, i);
    double size = p->fit->square_in * exp(s->log_size), c = size * cos(s->turn_rad), d = size * sin(s->turn_rad);
    double y = p->mirrored ? -at.y : at.y;
    return (struct pt3_in){ s->at.x + c * at.x - d * y, s->at.y + d * at.x + c * y, 0 };
}

// In sigmas; gives back how many.
static int residuals_of(double *out, const struct scene *s, const struct problem *p)
{
    const struct lens *l = &s->camera.lens;
    const double now[FIT_LENS_NUMBERS] = { log(l->f_px), l->k1, l->k2, l->centre.u, l->centre.v };
    int n = 0;
    for (int i = 0; i < TARGET_FIT_CIRCLE_POINTS; i++) {
        struct pt_in at;
        double off = LOST;
        if (camera_locate(&at, &s->camera, p->circle[i], 0))
            off = (hypot(at.x, at.y) - p->fit->radius_in) *
                  camera_scale_px_per_in(&s->camera, (struct pt3_in){ at.x, at.y, 0 });
        out[n++] = off / p->fit->circle_sigma_px;
    }
    for (int i = 0; i < chessboard_corners(p->seen); i++) {
        struct pt_px at = { LOST, LOST };
        (void)camera_project(&at, &s->camera, corner_at(s, p, i));
        out[n++] = (at.u - p->seen->corner[i].u) / p->corner_sigma_px;
        out[n++] = (at.v - p->seen->corner[i].v) / p->corner_sigma_px;
    }
    for (int i = 0; i < FIT_LENS_NUMBERS; i++)
        out[n++] = (now[i] - p->fit->lens[i].value) / p->fit->lens[i].sigma;
    out[n++] = s->log_size / LOG_SIZE_SIGMA;
    return n;
}

static double cost_of(const struct scene *s, const struct problem *p)
{
    double r[RESIDUALS_MAX], cost = 0;
    int n = residuals_of(r, s, p);
    for (int i = 0; i < n; i++)
        cost += r[i] * r[i];
    return cost;
}

static void normal_equations(double A[UNKNOWN * UNKNOWN], double b[UNKNOWN], const struct scene *s,
                             const struct problem *p)
{
    static const double none[UNKNOWN];
    double here[RESIDUALS_MAX], J[UNKNOWN][RESIDUALS_MAX], step[UNKNOWN];
    int n = residuals_of(here, s, p);
    for (int k = 0; k < UNKNOWN; k++) {
        struct scene ahead = *s;
        memcpy(step, none, sizeof step);
        step[k] = STEP[k];
        nudge(&ahead, step);
        residuals_of(J[k], &ahead, p);
        for (int i = 0; i < n; i++)
            J[k][i] = (J[k][i] - here[i]) / STEP[k];
    }
    for (int k = 0; k < UNKNOWN; k++) {
        b[k] = 0;
        for (int i = 0; i < n; i++)
            b[k] -= J[k][i] * here[i];
        for (int j = 0; j < UNKNOWN; j++) {
            A[k * UNKNOWN + j] = 0;
            for (int i = 0; i < n; i++)
                A[k * UNKNOWN + j] += J[k][i] * J[j][i];
        }
    }
}

// False when the cost no longer falls.
static bool improve(struct scene *s, const struct problem *p, double *damping)
{
    double A[UNKNOWN * UNKNOWN], damped[UNKNOWN * UNKNOWN], b[UNKNOWN], step[UNKNOWN], before = cost_of(s, p);
    normal_equations(A, b, s, p);
    for (; *damping < DAMPING_MOST; *damping *= 10) {
        struct scene next = *s;
        memcpy(damped, A, sizeof A);
        for (int i = 0; i < UNKNOWN; i++)
            damped[i * UNKNOWN + i] *= 1 + *damping;
        if (!cholesky_solve(step, damped, b, UNKNOWN))
            continue;
        nudge(&next, step);
        double after = cost_of(&next, p);
        if (!(after < before))
            continue;
        *s = next;
        *damping /= 10;
        return before - after > SETTLED * before;
    }
    return false;
}

static double corners_rms_px(const struct scene *s, const struct problem *p)
{
    double r[RESIDUALS_MAX], sum = 0;
    int corners = chessboard_corners(p->seen);
    residuals_of(r, s, p);
    for (int i = 0; i < 2 * corners; i++)
        sum += r[TARGET_FIT_CIRCLE_POINTS + i] * r[TARGET_FIT_CIRCLE_POINTS + i] / (2 * corners);
    return p->corner_sigma_px * sqrt(sum);
}

// Where the circle alone puts the target.
static bool begin(struct scene *s, struct problem *p)
{
    const struct camera *c = &p->fit->camera;
    const struct chessboard *b = p->seen;
    int n = chessboard_corners(b), last = n - 1;
    struct pt_in origin, along, across;
    *s = (struct scene){ .camera = *c };
    for (int i = 0; i < TARGET_FIT_CIRCLE_POINTS; i++) {
        double angle = 2 * PI * i / TARGET_FIT_CIRCLE_POINTS;
        const struct pt3_in at = { p->fit->radius_in * cos(angle), p->fit->radius_in * sin(angle), 0 };
        if (!camera_project(&p->circle[i], c, at))
            return false;
    }
    if (!camera_locate(&origin, c, b->corner[0], 0) || !camera_locate(&along, c, b->corner[b->columns - 1], 0) ||
        !camera_locate(&across, c, b->corner[last - b->columns + 1], 0))
        return false;
    double x = along.x - origin.x, y = along.y - origin.y;
    p->mirrored = x * (across.y - origin.y) - y * (across.x - origin.x) < 0;
    s->turn_rad = atan2(y, x);
    s->at = (struct pt_in){ (along.x + across.x) / 2, (along.y + across.y) / 2 };
    return true;
}

static int take(struct target_fit *fit, const struct scene *s, const struct problem *p, struct fail *why)
{
    double A[UNKNOWN * UNKNOWN], b[UNKNOWN], covariance[UNKNOWN * UNKNOWN];
    fit->corners_px = corners_rms_px(s, p);
    fit->printed = exp(s->log_size);
    if (!(fit->corners_px < MOST_CORNER_PX))
        return rs_fail(why, RS_EINPUT,
                       "the chessboard does not lie flat on the board's plane, its corners are %.1f px off",
                       fit->corners_px);
    if (fabs(s->log_size) > MOST_SIZE_SIGMAS * LOG_SIZE_SIGMA)
        return rs_fail(why, RS_EINPUT,
                       "the chessboard's squares have not %.1f in but %.0f %% of it: print it at 100 %%",
                       fit->square_in, 100 * fit->printed);
    normal_equations(A, b, s, p);
    if (!cholesky_invert(covariance, A, UNKNOWN))
        return rs_fail(why, RS_EINPUT, "the chessboard does not tell the focal length");
    fit->camera = s->camera;
    fit->f_sigma_px = s->camera.lens.f_px * sqrt(covariance[(LENS + FIT_LOG_F) * (UNKNOWN + 1)]);
    fit->camera.lens.f_sigma_px = fit->f_sigma_px;
    return 0;
}

int target_fit_solve(struct target_fit *fit, const struct chessboard *seen, struct fail *why)
{
    struct problem p = { .fit = fit, .seen = seen, .corner_sigma_px = CORNER_FLOOR_PX };
    struct scene s;
    if (!begin(&s, &p))
        return rs_fail(why, RS_EINPUT, "the chessboard is not on the board's plane");
    for (int round = 0; round < 2; round++) { // the second with the corners' own noise
        double damping = DAMPING_START;
        for (int i = 0; i < MAX_STEPS && improve(&s, &p, &damping); i++)
            continue;
        p.corner_sigma_px = fmax(corners_rms_px(&s, &p), CORNER_FLOOR_PX);
    }
    return take(fit, &s, &p, why);
}
