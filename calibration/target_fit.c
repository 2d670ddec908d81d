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
    MAX_STEPS = 40,
};
static const double LOG_SIZE_SIGMA = 0.01;  // printers are that true when they print at 100 %
static const double MOST_SIZE_SIGMAS = 4;   // beyond that it was printed to fit the page, or is another chessboard
static const double CORNER_FLOOR_PX = 0.05; // a sheet on a carpet is not flatter
static const double MOST_CORNER_PX = 1;     // a sheet that is bent or lies on something is off by more
static const double STEP[UNKNOWN] = {
    1e-6, 1e-6, 1e-5, 1e-5, 1e-5, 1e-6, 1e-6, 1e-6, 1e-3, 1e-3, 1e-5, 1e-5, 1e-6, 1e-6
};
static const double TARGET_SETTLED = 1e-9; // relative fall of the cost

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

static void retract(void *state, const double *step, const void *context)
{
    struct scene *s = state;
    double axis[3];
    (void)context;
    for (int i = 0; i < 3; i++)
        axis[i] = step[TILT] * s->camera.pose.R[i][0] + step[TILT + 1] * s->camera.pose.R[i][1];
    pose_move(&s->camera.pose, axis, step + SHIFT);
    lens_move(&s->camera.lens, step + LENS);
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

// Circle and corners, each in its own sigmas.
static void residuals(struct residual_sink *to, const void *state, void *context)
{
    const struct scene *s = state;
    const struct problem *p = context;
    for (int i = 0; i < TARGET_FIT_CIRCLE_POINTS; i++) {
        struct pt_in at;
        if (!camera_locate(&at, &s->camera, p->circle[i], 0)) {
            residual_lost(to);
            continue;
        }
        double px_per_in = camera_scale_px_per_in(&s->camera, surface_at(at));
        double off = (hypot(at.x, at.y) - p->fit->radius_in) * px_per_in / p->fit->circle_sigma_px;
        residual_add(to, &off, NULL, NULL, 0);
    }
    for (int i = 0; i < chessboard_corners(p->seen); i++) {
        struct pt_px at = { 0, 0 };
        bool seen = camera_project(&at, &s->camera, corner_at(s, p, i));
        for (int k = 0; k < 2; k++) {
            double off = k == 0 ? at.u - p->seen->corner[i].u : at.v - p->seen->corner[i].v;
            off /= p->corner_sigma_px;
            if (seen)
                residual_add(to, &off, NULL, NULL, 0);
            else
                residual_lost(to);
        }
    }
}

// What priors are about: the lens and the size.
static double number(const void *state, int parameter, const void *context)
{
    const struct scene *s = state;
    double lens[FIT_LENS_NUMBERS];
    (void)context;
    lens_numbers(lens, &s->camera.lens);
    return parameter == LOG_SIZE ? s->log_size : lens[parameter - LENS];
}

static double corners_rms_px(const struct scene *s, const struct problem *p)
{
    int corners = chessboard_corners(p->seen);
    double sum = 0;
    for (int i = 0; i < corners; i++) {
        struct pt_px at;
        if (!camera_project(&at, &s->camera, corner_at(s, p, i)))
            return INFINITY;
        sum += pow(at.u - p->seen->corner[i].u, 2) + pow(at.v - p->seen->corner[i].v, 2);
    }
    return sqrt(sum / (2 * corners));
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
        if (!camera_project(&p->circle[i], c, surface_polar(p->fit->radius_in, angle)))
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

int target_fit_solve(struct target_fit *fit, const struct chessboard *seen, struct fail *why)
{
    struct problem p = { .fit = fit, .seen = seen, .corner_sigma_px = CORNER_FLOOR_PX };
    struct fit_prior prior[UNKNOWN] = { [LOG_SIZE] = { 0, LOG_SIZE_SIGMA } };
    struct least_squares_result result = { .determined = false };
    double covariance[UNKNOWN * UNKNOWN];
    struct scene s;
    if (!begin(&s, &p))
        return rs_fail(why, RS_EINPUT, "the chessboard is not on the board's plane");
    memcpy(prior + LENS, fit->lens, sizeof fit->lens);
    const struct least_squares problem = { .state = &s,
                                           .state_size = sizeof s,
                                           .context = &p,
                                           .parameters = UNKNOWN,
                                           .groups = TARGET_FIT_CIRCLE_POINTS + 2 * chessboard_corners(seen),
                                           .group_size = 1,
                                           .residuals = residuals,
                                           .retract = retract,
                                           .number = number,
                                           .prior = prior,
                                           .difference = STEP,
                                           .sigma = 1,
                                           .per_independent = 1,
                                           .settled = TARGET_SETTLED,
                                           .most_steps = MAX_STEPS,
                                           .covariance = covariance };
    for (int round = 0; round < 2; round++) { // the second with the corners' own noise
        int rc = least_squares_solve(&result, &problem, why);
        if (rc < 0)
            return rc;
        fit->corners_px = corners_rms_px(&s, &p);
        p.corner_sigma_px = fmax(fit->corners_px, CORNER_FLOOR_PX);
    }
    fit->printed = exp(s.log_size);
    if (!(fit->corners_px < MOST_CORNER_PX))
        return rs_fail(why, RS_EINPUT,
                       "the chessboard does not lie flat on the board's plane, its corners are %.1f px off",
                       fit->corners_px);
    if (fabs(s.log_size) > MOST_SIZE_SIGMAS * LOG_SIZE_SIGMA)
        return rs_fail(why, RS_EINPUT,
                       "the chessboard's squares have not %.1f in but %.0f %% of it: print it at 100 %%",
                       fit->square_in, 100 * fit->printed);
    if (!result.determined)
        return rs_fail(why, RS_EINPUT, "the chessboard does not tell the focal length");
    fit->camera = s.camera;
    fit->f_sigma_px = s.camera.lens.f_px * sqrt(covariance[(LENS + FIT_LOG_F) * (UNKNOWN + 1)]);
    fit->camera.lens.f_sigma_px = fit->f_sigma_px;
    return 0;
}
