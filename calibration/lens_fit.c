// SPDX-License-Identifier: MIT
#include "calibration/lens_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/least_squares.h"

// Parameters: of each view's pose, then of the lens, so that the solver eliminates pose by pose.
enum { L = FIT_LENS_NUMBERS, P = 6, MAX_STEPS = 60 };
static const double CORNER_NOISE_FLOOR_PX = 0.01; // no corner is seen better; keeps the weights finite on perfect ones
static const double LENS_SETTLED = 1e-7;          // relative fall of the cost that ends the iteration

// What is believed of any lens before it is seen: a telephoto (f of five picture widths) and a fisheye half a width
// long are two sigma off, sensors sit within a few hundredths of their width beside the axis.
static const double START_F = 0.9, LOG_F_SIGMA = 0.7; // of the picture's longer side; of its logarithm
static const double K1_SIGMA = 0.5, K2_SIGMA = 0.5;
static const double CENTRE_SIGMA = 0.05; // of the picture's longer side
// A start outside is an accident of noise: views that are all straight on determine nothing.
static const double START_F_LEAST = 0.3, START_F_MOST = 6; // of the longer side

struct state {
    struct lens lens;
    struct pose pose[LENS_FIT_MAX_VIEWS];
};

struct job {
    const struct chessboard *views;
    int n;
};

static void retract(void *state, const double *step, const void *context)
{
    struct state *s = state;
    int n = ((const struct job *)context)->n;
    for (int v = 0; v < n; v++)
        pose_move(&s->pose[v], step + v * P, step + v * P + 3);
    lens_move(&s->lens, step + n * P);
}

static double number(const void *state, int parameter, const void *context)
{
    double lens[L];
    lens_numbers(lens, &((const struct state *)state)->lens);
    return lens[parameter - P * ((const struct job *)context)->n];
}

// How far corner i is predicted from where it is seen, u and v, and d(u, v) / d(pose, lens). False: no lens shows it.
static bool see_corner(double r[2], double J[2][P + L], const struct lens *l, const struct pose *p,
                       const struct chessboard *b, int i)
{
    struct pt_in at = chessboard_place(b, i);
    const struct camera c = { *l, *p };
    struct pt_px seen;
    if (!camera_project(&seen, &c, surface_at(at)))
        return false;
    r[0] = seen.u - b->corner[i].u;
    r[1] = seen.v - b->corner[i].v;
    double turned[3], m[3];
    for (int k = 0; k < 3; k++)
        turned[k] = p->R[k][0] * at.x + p->R[k][1] * at.y;
    double depth = turned[2] + p->t_in[2], x = (turned[0] + p->t_in[0]) / depth, y = (turned[1] + p->t_in[1]) / depth;
    double r2 = x * x + y * y, f = l->f_px;
    lens_slope(m, l, x, y);
    const double by_lens[2][L] = { { seen.u - l->centre.u, f * x * r2, f * x * r2 * r2, 1, 0 },
                                   { seen.v - l->centre.v, f * y * r2, f * y * r2 * r2, 0, 1 } };
    const double by_ideal[2][2] = { { f * m[0], f * m[1] }, { f * m[1], f * m[2] } };
    for (int k = 0; k < 2; k++) {
        double gx = by_ideal[k][0] / depth, gy = by_ideal[k][1] / depth, gz = -x * gx - y * gy;
        const double by_pose[P] = { gz * turned[1] - gy * turned[2],
                                    gx * turned[2] - gz * turned[0],
                                    gy * turned[0] - gx * turned[1],
                                    gx,
                                    gy,
                                    gz };
        memcpy(J[k], by_pose, sizeof by_pose);
        memcpy(J[k] + P, by_lens[k], sizeof by_lens[k]);
    }
    return true;
}

static void residuals(struct residual_sink *to, const void *state, void *context)
{
    const struct state *s = state;
    const struct job *job = context;
    for (int v = 0; v < job->n; v++) {
        const struct chessboard *b = &job->views[v];
        int column[P + L];
        for (int k = 0; k < P + L; k++)
            column[k] = k < P ? v * P + k : (job->n - 1) * P + k;
        for (int i = 0; i < chessboard_corners(b); i++) {
            double r[2], J[2][P + L];
            if (see_corner(r, J, &s->lens, &s->pose[v], b, i))
                residual_add(to, r, J[0], column, P + L);
            else
                residual_lost(to);
        }
    }
}

// How the views pull at the lens, against how much they would by noise alone: each pull g has the covariance of what
// the view says of the lens, less what the fit gave way to it. `covariance` is the lens's.
static double variance_inflation_of(const double covariance[L * L], const struct state *s, const struct job *job,
                                    double noise_px)
{
    double seen = 0, wanted = 0;
    for (int v = 0; v < job->n; v++) {
        const struct chessboard *b = &job->views[v];
        double N[(P + L) * (P + L)], g[P + L], share[L][L];
        struct normal_equations view = normal_begin(N, g, P + L);
        for (int i = 0; i < chessboard_corners(b); i++) {
            double r[2], J[2][P + L];
            if (!see_corner(r, J, &s->lens, &s->pose[v], b, i))
                continue;
            double weight = tukey_weight(hypot(r[0], r[1]), TUKEY_SIGMAS * noise_px) / (noise_px * noise_px);
            normal_add(&view, J[0], r[0], weight);
            normal_add(&view, J[1], r[1], weight);
        }
        if (!normal_eliminate(&view, P)) // too few of its corners count
            continue;
        for (int i = 0; i < L; i++)
            for (int j = 0; j < L; j++) {
                share[i][j] = 0;
                for (int k = 0; k < L; k++)
                    share[i][j] += covariance[i * L + k] * *normal_at(&view, P + k, P + j);
            }
        seen += quadratic_form(g + P, covariance, g + P, L);
        for (int i = 0; i < L; i++) {
            wanted += share[i][i];
            for (int k = 0; k < L; k++)
                wanted -= share[i][k] * share[k][i];
        }
    }
    return wanted > 0 ? fmax(seen / wanted, 1) : 1;
}

bool lens_fit_start_pose(struct pose *out, const double H[3][3], const struct lens *lens)
{
    double axis[3][3], length = 0; // the board's x and y axes and its middle, to a common scale
    for (int k = 0; k < 3; k++) {
        axis[k][0] = (H[0][k] - lens->centre.u * H[2][k]) / lens->f_px;
        axis[k][1] = (H[1][k] - lens->centre.v * H[2][k]) / lens->f_px;
        axis[k][2] = H[2][k];
        length += k < 2 ? sqrt(vec3_dot(axis[k], axis[k])) / 2 : 0;
    }
    double n[3], y[3];
    if (!(length > 0) || !isfinite(length))
        return false;
    vec3_normalise(axis[0]);
    vec3_cross(n, axis[0], axis[1]);
    vec3_normalise(n);
    vec3_cross(y, n, axis[0]);
    for (int i = 0; i < 3; i++) {
        out->R[i][0] = axis[0][i];
        out->R[i][1] = y[i];
        out->R[i][2] = n[i];
        out->t_in[i] = axis[2][i] / length;
    }
    return true;
}

// Zhang's constraints with the principal point in the middle: the images of the board's axes are square to each other
// and equally long, which is linear in 1 / f^2. 0 when the views do not say.
static double start_f_px(const double (*H)[3][3], int n, const struct lens *middle)
{
    double top = 0, bottom = 0;
    for (int v = 0; v < n; v++) {
        double h[2][3];
        for (int k = 0; k < 2; k++) {
            h[k][0] = H[v][0][k] - middle->centre.u * H[v][2][k];
            h[k][1] = H[v][1][k] - middle->centre.v * H[v][2][k];
            h[k][2] = H[v][2][k] * middle->f_px;
        }
        double scale = 1 / (vec3_dot(h[0], h[0]) + vec3_dot(h[1], h[1]));
        double flat[2] = { h[0][0] * h[1][0] + h[0][1] * h[1][1],
                           h[0][0] * h[0][0] + h[0][1] * h[0][1] - h[1][0] * h[1][0] - h[1][1] * h[1][1] };
        double deep[2] = { h[0][2] * h[1][2], h[0][2] * h[0][2] - h[1][2] * h[1][2] };
        for (int k = 0; k < 2; k++) { // flat / f^2 + deep / middle->f^2 = 0
            top += -flat[k] * deep[k] * scale * scale;
            bottom += flat[k] * flat[k] * scale * scale;
        }
    }
    return top > 0 && bottom > 0 ? middle->f_px / sqrt(top / bottom) : 0;
}

static int begin(struct state *s, struct fit_prior prior[L], const struct chessboard *views, int n, int width,
                 int height, struct fail *why)
{
    double H[LENS_FIT_MAX_VIEWS][3][3], longer = width > height ? width : height, usual[L];
    const double sigma[L] = { LOG_F_SIGMA, K1_SIGMA, K2_SIGMA, CENTRE_SIGMA * longer, CENTRE_SIGMA * longer };
    s->lens = (struct lens){
        .width = width, .height = height, .f_px = START_F * longer, .centre = { (width - 1) / 2.0, (height - 1) / 2.0 }
    };
    lens_numbers(usual, &s->lens);
    for (int k = 0; k < L; k++)
        prior[k] = (struct fit_prior){ usual[k], sigma[k] };
    for (int v = 0; v < n; v++)
        if (!chessboard_homography(H[v], &views[v]))
            return rs_fail(why, RS_EINPUT, "the corners of a view lie on one line");
    double f_px = start_f_px((const double(*)[3][3])H, n, &s->lens);
    if (f_px > START_F_LEAST * longer && f_px < START_F_MOST * longer)
        s->lens.f_px = f_px;
    for (int v = 0; v < n; v++)
        if (!lens_fit_start_pose(&s->pose[v], (const double(*)[3])H[v], &s->lens))
            return rs_fail(why, RS_EINPUT, "a view cannot be one of a flat board");
    return 0;
}

int lens_fit_solve(struct lens_fit *out, const struct chessboard *views, int n, int width, int height, struct fail *why)
{
    struct state s = { .lens = { .f_px = 0 } };
    struct job job = { views, n };
    struct fit_prior prior[P * LENS_FIT_MAX_VIEWS + L] = { { 0, 0 } };
    struct least_squares_result result = { .used = 0 };
    int parameters = P * n + L;
    *out = (struct lens_fit){ .variance_inflation = 1 };
    if (n < LENS_FIT_MIN_VIEWS || n > LENS_FIT_MAX_VIEWS)
        return rs_fail(why, RS_EINPUT, "%d views of a chessboard; it takes %d to %d", n, LENS_FIT_MIN_VIEWS,
                       LENS_FIT_MAX_VIEWS);
    int rc = begin(&s, prior + P * n, views, n, width, height, why);
    if (rc < 0)
        return rc;
    for (int v = 0; v < n; v++)
        out->corners += chessboard_corners(&views[v]);
    double *covariance = malloc(sizeof *covariance * (size_t)parameters * (size_t)parameters);
    if (!covariance)
        return rs_fail(why, RS_ENOMEM, "no memory for a fit to %d views", n);
    struct least_squares fit = { .state = &s,
                                 .state_size = sizeof s,
                                 .context = &job,
                                 .parameters = parameters,
                                 .groups = out->corners,
                                 .group_size = 2,
                                 .residuals = residuals,
                                 .retract = retract,
                                 .number = number,
                                 .prior = prior,
                                 .loss = LOSS_SQUARES,
                                 .least_sigma = CORNER_NOISE_FLOOR_PX,
                                 .per_independent = 1,
                                 .settled = LENS_SETTLED,
                                 .most_steps = MAX_STEPS,
                                 .covariance = covariance };
    // First all corners count alike, or a lens that bends much would have the views at the picture's edge thrown out
    // before it is known; then by Tukey's weight.
    rc = least_squares_solve(&result, &fit, why);
    fit.loss = LOSS_TUKEY;
    if (rc == 0)
        rc = least_squares_solve(&result, &fit, why);
    for (int i = 0; i < L * L && rc == 0; i++)
        out->covariance[i] = covariance[(P * n + i / L) * parameters + P * n + i % L];
    free(covariance);
    if (rc < 0)
        return rc;
    out->lens = s.lens;
    memcpy(out->pose, s.pose, sizeof s.pose);
    out->used = result.used;
    out->rms_px = result.rms;
    out->variance_inflation = variance_inflation_of(out->covariance, &s, &job, result.sigma);
    for (int i = 0; i < L * L; i++)
        out->covariance[i] *= out->variance_inflation;
    out->lens.f_sigma_px = out->lens.f_px * lens_fit_sigma(out, FIT_LOG_F);
    // `determined` is not asked: a wrong view leaves its own pose open, never the lens.
    if (2 * out->used > out->corners && isfinite(out->covariance[0]))
        return 0;
    return rs_fail(why, RS_EINPUT, "no lens explains these views: %d of %d corners agree", out->used, out->corners);
}

double lens_fit_sigma(const struct lens_fit *fit, enum fit_lens which)
{
    return sqrt(fmax(fit->covariance[which * L + which], 0));
}

double lens_fit_corner_sigma(const struct lens_fit *fit)
{
    const struct lens *l = &fit->lens;
    double across = fmax(l->centre.u, l->width - 1 - l->centre.u),
           down = fmax(l->centre.v, l->height - 1 - l->centre.v);
    double x, y;
    if (!lens_undistort(&x, &y, l, (struct pt_px){ l->centre.u + across, l->centre.v + down }))
        return INFINITY;
    double r2 = x * x + y * y, radial = 1 + r2 * (l->k1 + r2 * l->k2);
    const double J[L] = { 1, r2 / radial, r2 * r2 / radial };
    return sqrt(fmax(quadratic_form(J, fit->covariance, J, L), 0));
}
