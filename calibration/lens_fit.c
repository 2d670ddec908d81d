// SPDX-License-Identifier: MIT
#include "calibration/lens_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"

enum { L = FIT_LENS_NUMBERS, P = 6, MAX_STEPS = 60 }; // numbers of the lens, of a pose
static const double TUKEY_SIGMAS = 4.685;             // 95 % efficiency on Gaussian noise
static const double NOISE_FLOOR_PX = 0.01;  // no corner is seen better; keeps the weights finite on perfect ones
static const double SETTLED = 1e-7;         // relative fall of the cost that ends the iteration
static const double LOST_RESIDUAL_PX = 1e4; // stands for a corner that the lens cannot show
static const double DAMPING_START = 1e-3, DAMPING_MOST = 1e8;

// What is believed of any lens before it is seen: a telephoto (f of five picture widths) and a fisheye half a width long are
// two sigma off, sensors sit within a few hundredths of their width beside the axis.
static const double START_F = 0.9, LOG_F_SIGMA = 0.7; // of the picture's longer side; of its logarithm
static const double K1_SIGMA = 0.5, K2_SIGMA = 0.5;
static const double CENTRE_SIGMA = 0.05; // of the picture's longer side
// A start outside is an accident of noise: views that are all straight on tell nothing.
static const double START_F_LEAST = 0.3, START_F_MOST = 6; // of the longer side

struct problem {
    const struct chessboard *views;
    int n;
    double prior[L], sigma[L];
    double noise_px;
    double *weight, *scratch; // one a corner of all views
};

struct state {
    struct lens lens;
    struct pose pose[LENS_FIT_MAX_VIEWS];
};

// Normal equations of one view: its part of the lens's, of its pose's, and what joins them.
struct block {
    double A[L * L], B[L][P], C[P * P], a[L], c[P];
};

static double *lens_numbers(double out[L], const struct lens *l)
{
    const double value[L] = { log(l->f_px), l->k1, l->k2, l->centre.u, l->centre.v };
    return memcpy(out, value, sizeof value);
}

static void nudge_lens(struct lens *l, const double step[L])
{
    l->f_px *= exp(step[FIT_LOG_F]);
    l->k1 += step[FIT_K1];
    l->k2 += step[FIT_K2];
    l->centre.u += step[FIT_CENTRE_U];
    l->centre.v += step[FIT_CENTRE_V];
}

static void nudge_pose(struct pose *p, const double step[P])
{
    double turn[3][3], R[3][3];
    rotation_from_axis(turn, step);
    mat3_multiply(R, (const double(*)[3])turn, (const double(*)[3])p->R);
    memcpy(p->R, R, sizeof R);
    for (int i = 0; i < 3; i++)
        p->t_in[i] += step[3 + i];
}

static bool residual_of(double out[2], const struct lens *l, const struct pose *p, const struct chessboard *b, int i)
{
    struct pt_in at = chessboard_place(b, i);
    const struct camera c = { *l, *p };
    struct pt_px seen;
    if (!camera_project(&seen, &c, (struct pt3_in){ at.x, at.y, 0 })) {
        out[0] = out[1] = LOST_RESIDUAL_PX;
        return false;
    }
    out[0] = b->corner[i].u - seen.u;
    out[1] = b->corner[i].v - seen.v;
    return true;
}

// d(u, v) / d(lens, pose) at corner i. Only where the corner can be seen.
static void jacobian_of(double J[2][L + P], const struct lens *l, const struct pose *p, const struct chessboard *b,
                        int i)
{
    struct pt_in at = chessboard_place(b, i);
    double turned[3], m[3];
    for (int k = 0; k < 3; k++)
        turned[k] = p->R[k][0] * at.x + p->R[k][1] * at.y;
    double depth = turned[2] + p->t_in[2], x = (turned[0] + p->t_in[0]) / depth, y = (turned[1] + p->t_in[1]) / depth;
    double r2 = x * x + y * y, f = l->f_px;
    struct pt_px seen = lens_distort(l, x, y);
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
        memcpy(J[k], by_lens[k], sizeof by_lens[k]);
        memcpy(J[k] + L, by_pose, sizeof by_pose);
    }
}

static void add_equation(struct block *to, const double J[L + P], double residual, double weight)
{
    for (int i = 0; i < L; i++) {
        to->a[i] += weight * J[i] * residual;
        for (int k = 0; k < L; k++)
            to->A[i * L + k] += weight * J[i] * J[k];
        for (int k = 0; k < P; k++)
            to->B[i][k] += weight * J[i] * J[L + k];
    }
    for (int i = 0; i < P; i++) {
        to->c[i] += weight * J[L + i] * residual;
        for (int k = 0; k < P; k++)
            to->C[i * P + k] += weight * J[L + i] * J[L + k];
    }
}

static void view_block(struct block *out, const struct state *s, const struct problem *p, int view,
                       const double *weight)
{
    const struct chessboard *b = &p->views[view];
    double J[2][L + P], r[2];
    memset(out, 0, sizeof *out);
    for (int i = 0; i < chessboard_corners(b); i++) {
        if (!(weight[i] > 0) || !residual_of(r, &s->lens, &s->pose[view], b, i))
            continue;
        jacobian_of(J, &s->lens, &s->pose[view], b, i);
        add_equation(out, J[0], r[0], weight[i]);
        add_equation(out, J[1], r[1], weight[i]);
    }
}

// W = C^-1 B^T and w = C^-1 c, with C damped: how the pose follows the lens.
static bool eliminate(double W[P][L], double w[P], const struct block *v, double damping)
{
    double C[P * P], inverse[P * P];
    memcpy(C, v->C, sizeof C);
    for (int i = 0; i < P; i++)
        C[i * P + i] *= 1 + damping;
    if (!cholesky_invert(inverse, C, P))
        return false;
    for (int i = 0; i < P; i++) {
        w[i] = 0;
        for (int k = 0; k < P; k++)
            w[i] += inverse[i * P + k] * v->c[k];
        for (int j = 0; j < L; j++) {
            W[i][j] = 0;
            for (int k = 0; k < P; k++)
                W[i][j] += inverse[i * P + k] * v->B[j][k];
        }
    }
    return true;
}

// What the view says of the lens alone: S and g of S step = g. False when too few of its corners count.
static bool reduce(double S[L * L], double g[L], const struct block *v, double damping)
{
    double W[P][L], w[P];
    if (!eliminate(W, w, v, damping))
        return false;
    for (int i = 0; i < L; i++) {
        g[i] = v->a[i];
        for (int k = 0; k < P; k++)
            g[i] -= v->B[i][k] * w[k];
        for (int j = 0; j < L; j++) {
            S[i * L + j] = v->A[i * L + j];
            for (int k = 0; k < P; k++)
                S[i * L + j] -= v->B[i][k] * W[k][j];
        }
    }
    return true;
}

static void add_prior(double S[L * L], double g[L], const struct problem *p, const struct lens *l)
{
    double now[L];
    lens_numbers(now, l);
    for (int i = 0; i < L; i++) {
        double weight = pow(p->noise_px / p->sigma[i], 2);
        S[i * L + i] += weight;
        g[i] += weight * (p->prior[i] - now[i]);
    }
}

static double cost_of(const struct state *s, const struct problem *p)
{
    double cost = 0, r[2], now[L];
    const double *weight = p->weight;
    for (int v = 0; v < p->n; weight += chessboard_corners(&p->views[v++]))
        for (int i = 0; i < chessboard_corners(&p->views[v]); i++) {
            residual_of(r, &s->lens, &s->pose[v], &p->views[v], i);
            cost += weight[i] * (r[0] * r[0] + r[1] * r[1]);
        }
    lens_numbers(now, &s->lens);
    for (int i = 0; i < L; i++)
        cost += pow(p->noise_px * (p->prior[i] - now[i]) / p->sigma[i], 2);
    return cost;
}

static bool try_step(struct state *out, const struct state *s, const struct problem *p, const struct block *blocks,
                     double damping)
{
    double S[L * L] = { 0 }, g[L] = { 0 }, part[L * L], of[L], step[L], W[P][L], w[P];
    for (int v = 0; v < p->n; v++) {
        if (!reduce(part, of, &blocks[v], damping))
            continue;
        for (int i = 0; i < L; i++)
            g[i] += of[i];
        for (int i = 0; i < L * L; i++)
            S[i] += part[i];
    }
    add_prior(S, g, p, &s->lens);
    for (int i = 0; i < L; i++)
        S[i * L + i] *= 1 + damping;
    if (!cholesky_solve(step, S, g, L))
        return false;
    *out = *s;
    nudge_lens(&out->lens, step);
    for (int v = 0; v < p->n; v++) {
        if (!eliminate(W, w, &blocks[v], damping))
            continue;
        for (int i = 0; i < P; i++)
            for (int k = 0; k < L; k++)
                w[i] -= W[i][k] * step[k];
        nudge_pose(&out->pose[v], w);
    }
    return true;
}

// The weights follow the residuals; gives back how many corners count.
static int reweigh(struct problem *p, const struct state *s, bool robust)
{
    int n = 0, used = 0;
    double r[2];
    for (int v = 0; v < p->n; v++)
        for (int i = 0; i < chessboard_corners(&p->views[v]); i++, n++) {
            residual_of(r, &s->lens, &s->pose[v], &p->views[v], i);
            p->weight[n] = hypot(r[0], r[1]);
            p->scratch[2 * n] = fabs(r[0]);
            p->scratch[2 * n + 1] = fabs(r[1]);
        }
    p->noise_px = fmax(MAD_TO_SIGMA * median_of(p->scratch, 2 * n), NOISE_FLOOR_PX);
    for (int i = 0; i < n; i++) {
        double x = p->weight[i] / (TUKEY_SIGMAS * p->noise_px);
        p->weight[i] = !robust ? 1 : x < 1 ? (1 - x * x) * (1 - x * x) : 0;
        used += p->weight[i] > 0;
    }
    return used;
}

static void all_blocks(struct block *blocks, const struct state *s, const struct problem *p)
{
    const double *weight = p->weight;
    for (int v = 0; v < p->n; weight += chessboard_corners(&p->views[v++]))
        view_block(&blocks[v], s, p, v, weight);
}

// False when the cost no longer falls.
static bool improve(struct state *s, const struct problem *p, const struct block *blocks, double *damping)
{
    struct state next;
    double before = cost_of(s, p);
    for (; *damping < DAMPING_MOST; *damping *= 10) {
        double after = try_step(&next, s, p, blocks, *damping) ? cost_of(&next, p) : INFINITY;
        if (!(after < before))
            continue;
        *s = next;
        *damping /= 10;
        return before - after > SETTLED * before;
    }
    return false;
}

// As cholesky_solve with each column of the symmetric part: S^-1 part.
static void inverse_times(double out[L * L], const double inverse[L * L], const double part[L * L])
{
    for (int i = 0; i < L; i++)
        for (int j = 0; j < L; j++) {
            out[i * L + j] = 0;
            for (int k = 0; k < L; k++)
                out[i * L + j] += inverse[i * L + k] * part[k * L + j];
        }
}

// How the views pull at the lens, against how much they would by noise alone: each pull g has the covariance noise^2 * part,
// less what the fit gave way to it.
static double disagreement_of(const double inverse[L * L], const struct block *blocks, int n, double noise_px)
{
    double seen = 0, wanted = 0, part[L * L], g[L], share[L * L];
    for (int v = 0; v < n; v++) {
        if (!reduce(part, g, &blocks[v], 0))
            continue;
        inverse_times(share, inverse, part);
        for (int i = 0; i < L; i++) {
            wanted += share[i * L + i];
            for (int k = 0; k < L; k++) {
                seen += g[i] * inverse[i * L + k] * g[k];
                wanted -= share[i * L + k] * share[k * L + i];
            }
        }
    }
    return wanted > 0 ? fmax(seen / (wanted * noise_px * noise_px), 1) : 1;
}

static bool covariance_of(struct lens_fit *out, const struct problem *p, const struct block *blocks)
{
    double S[L * L] = { 0 }, part[L * L], g[L] = { 0 }, of[L];
    for (int v = 0; v < p->n; v++) {
        if (!reduce(part, of, &blocks[v], 0))
            continue;
        for (int i = 0; i < L * L; i++)
            S[i] += part[i];
    }
    add_prior(S, g, p, &out->lens);
    if (!cholesky_invert(out->covariance, S, L))
        return false;
    out->disagreement = disagreement_of(out->covariance, blocks, p->n, p->noise_px);
    for (int i = 0; i < L * L; i++)
        out->covariance[i] *= p->noise_px * p->noise_px * out->disagreement;
    return true;
}

static double rms_of(const struct state *s, const struct problem *p)
{
    double sum = 0, r[2];
    int used = 0;
    const double *weight = p->weight;
    for (int v = 0; v < p->n; v++)
        for (int i = 0; i < chessboard_corners(&p->views[v]); i++, weight++) {
            residual_of(r, &s->lens, &s->pose[v], &p->views[v], i);
            sum += *weight > 0 ? (r[0] * r[0] + r[1] * r[1]) / 2 : 0;
            used += *weight > 0;
        }
    return used > 0 ? sqrt(sum / used) : 0;
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

// Zhang's constraints with the principal point in the middle: the images of the board's axes are square to each other and
// equally long, which is linear in 1 / f^2. 0 when the views do not say.
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

static int begin(struct state *s, struct problem *p, int width, int height, struct fail *why)
{
    double H[LENS_FIT_MAX_VIEWS][3][3], longer = width > height ? width : height;
    s->lens = (struct lens){
        .width = width, .height = height, .f_px = START_F * longer, .centre = { (width - 1) / 2.0, (height - 1) / 2.0 }
    };
    const double sigma[L] = { LOG_F_SIGMA, K1_SIGMA, K2_SIGMA, CENTRE_SIGMA * longer, CENTRE_SIGMA * longer };
    lens_numbers(p->prior, &s->lens);
    memcpy(p->sigma, sigma, sizeof sigma);
    for (int v = 0; v < p->n; v++)
        if (!chessboard_homography(H[v], &p->views[v]))
            return rs_fail(why, RS_EINPUT, "the corners of a view lie on one line");
    double f_px = start_f_px((const double(*)[3][3])H, p->n, &s->lens);
    if (f_px > START_F_LEAST * longer && f_px < START_F_MOST * longer)
        s->lens.f_px = f_px;
    for (int v = 0; v < p->n; v++)
        if (!lens_fit_start_pose(&s->pose[v], (const double(*)[3])H[v], &s->lens))
            return rs_fail(why, RS_EINPUT, "a view cannot be one of a flat board");
    return 0;
}

// First all corners count alike, or a lens that bends much would have the views at the picture's edge thrown out before it is
// known; then by Tukey's weight.
static void settle(struct state *s, struct problem *p, struct block *blocks, bool robust)
{
    double damping = DAMPING_START;
    for (int i = 0; i < MAX_STEPS; i++) {
        if (robust || i == 0)
            reweigh(p, s, robust);
        all_blocks(blocks, s, p);
        if (!improve(s, p, blocks, &damping))
            break;
    }
}

static int run(struct lens_fit *out, struct state *s, struct problem *p, struct block *blocks, struct fail *why)
{
    settle(s, p, blocks, false);
    settle(s, p, blocks, true);
    out->used = reweigh(p, s, true);
    all_blocks(blocks, s, p);
    out->lens = s->lens;
    memcpy(out->pose, s->pose, sizeof s->pose);
    out->rms_px = rms_of(s, p);
    bool settled = 2 * out->used > out->corners && covariance_of(out, p, blocks);
    out->lens.f_sigma_px = out->lens.f_px * lens_fit_sigma(out, FIT_LOG_F);
    return settled ? 0
                   : rs_fail(why, RS_EINPUT, "no lens explains these views: %d of %d corners agree", out->used,
                             out->corners);
}

int lens_fit_solve(struct lens_fit *out, const struct chessboard *views, int n, int width, int height, struct fail *why)
{
    struct state s = { .lens = { .f_px = 0 } };
    struct problem p = { .views = views, .n = n };
    *out = (struct lens_fit){ .disagreement = 1 };
    if (n < LENS_FIT_MIN_VIEWS || n > LENS_FIT_MAX_VIEWS)
        return rs_fail(why, RS_EINPUT, "%d views of a chessboard; it takes %d to %d", n, LENS_FIT_MIN_VIEWS,
                       LENS_FIT_MAX_VIEWS);
    int rc = begin(&s, &p, width, height, why);
    if (rc < 0)
        return rc;
    for (int v = 0; v < n; v++)
        out->corners += chessboard_corners(&views[v]);
    struct block *blocks = malloc(sizeof *blocks * (size_t)n);
    p.weight = malloc(sizeof *p.weight * 3 * (size_t)out->corners);
    if (!blocks || !p.weight)
        abort();
    p.scratch = p.weight + out->corners;
    rc = run(out, &s, &p, blocks, why);
    free(p.weight);
    free(blocks);
    return rc;
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
    double x, y, square = 0;
    if (!lens_undistort(&x, &y, l, (struct pt_px){ l->centre.u + across, l->centre.v + down }))
        return INFINITY;
    double r2 = x * x + y * y, radial = 1 + r2 * (l->k1 + r2 * l->k2);
    const double J[FIT_CENTRE_U] = { 1, r2 / radial, r2 * r2 / radial };
    for (int i = 0; i < FIT_CENTRE_U; i++)
        for (int k = 0; k < FIT_CENTRE_U; k++)
            square += J[i] * fit->covariance[i * L + k] * J[k];
    return sqrt(fmax(square, 0));
}
