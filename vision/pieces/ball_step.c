// SPDX-License-Identifier: MIT
#include "vision/pieces/ball_step.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"

static const double PROBE = 3e-3;     // of the radius, or of the shine: for the derivatives
static const double TUKEY_SIGMAS = 8; // highlights and swirls are many: wider than the textbook's 4.685

// What the moves and the colours of each channel have in common.
struct shared {
    double with[BALL_CHANNELS][BALL_LIT_MOVES][BALL_COLUMNS];
};

struct ball_model ball_moved(const struct ball_model *m, int which, double step)
{
    struct ball_model out = *m;
    if (which == MOVE_X)
        out.at.x += step * m->radius_in;
    else if (which == MOVE_Y)
        out.at.y += step * m->radius_in;
    else if (which == GROW)
        out.radius_in *= 1 + step;
    else
        out.shine[which - SHINE_X] += step;
    return out;
}

void ball_reweigh(struct ball_window *w, const struct ball_model *m)
{
    double sizes[BALL_SAMPLES];
    for (int i = 0; i < w->n; i++) {
        struct ball_mix mix;
        double r[BALL_CHANNELS];
        ball_columns(&mix, w, m, &w->sample[i]);
        ball_residuals(r, w, m, &w->sample[i], &mix);
        sizes[i] = w->sample[i].weight = sqrt(vec3_dot(r, r));
    }
    double scale = fmax(median_of(sizes, w->n) / 1.54, 0.5); // median length of a normal 3-vector
    for (int i = 0; i < w->n; i++) {
        double x = w->sample[i].weight / (TUKEY_SIGMAS * scale);
        w->sample[i].weight = x < 1 ? (1 - x * x) * (1 - x * x) : 0;
    }
}

static void add_sample(struct ball_normal *out, struct shared *s, const struct ball_window *w,
                       const struct ball_model *m, const struct ball_model *ahead, int i, const struct ball_mix *here)
{
    const struct ball_sample *p = &w->sample[i];
    double weight = p->weight / BALL_CORRELATED_PIXELS, r[BALL_CHANNELS], J[BALL_LIT_MOVES][BALL_CHANNELS];
    struct ball_mix there;
    ball_residuals(r, w, m, p, here);
    for (int k = 0; k < out->moves; k++) {
        ball_columns(&there, w, &ahead[k], p);
        ball_residuals(J[k], w, &ahead[k], p, &there);
        for (int c = 0; c < BALL_CHANNELS; c++)
            J[k][c] = (J[k][c] - r[c]) / PROBE;
        for (int l = 0; l <= k; l++)
            out->N[k * out->moves + l] += weight * vec3_dot(J[k], J[l]);
        out->g[k] -= weight * vec3_dot(J[k], r);
        for (int c = 0; c < BALL_CHANNELS; c++)
            for (int l = 0; l < BALL_COLUMNS; l++)
                s->with[c][k][l] -= weight * J[k][c] * here->part[ball_kind_of[c]][l] / w->scatter[c];
    }
}

static bool eliminate_colours(struct ball_normal *out, const struct shared *s, const struct ball_window *w,
                              const struct ball_sums *sums)
{
    double A[BALL_COLUMNS * BALL_COLUMNS], solved[BALL_COLUMNS], factor[BALL_COLUMNS * BALL_COLUMNS];
    for (int c = 0; c < BALL_CHANNELS; c++) {
        ball_colour_matrix(A, sums, w, c);
        for (int k = 0; k < out->moves; k++) {
            memcpy(factor, A, sizeof factor);
            if (!cholesky_solve(solved, factor, s->with[c][k], BALL_COLUMNS))
                return false;
            for (int l = 0; l <= k; l++)
                for (int i = 0; i < BALL_COLUMNS; i++)
                    out->N[k * out->moves + l] -= solved[i] * s->with[c][l][i];
        }
    }
    return true;
}

bool ball_normal_take(struct ball_normal *out, const struct ball_window *w, struct ball_model *m,
                      const struct ball_size *usual, int moves)
{
    struct shared s = { { { { 0 } } } };
    struct ball_model ahead[BALL_LIT_MOVES];
    struct ball_mix mix[BALL_SAMPLES];
    struct ball_sums sums;
    *out = (struct ball_normal){ .moves = moves };
    ball_mix_all(mix, w, m);
    ball_sum_up(&sums, w, mix);
    if (!ball_solve_colours(m, &sums, w))
        return false;
    for (int k = 0; k < moves; k++)
        ahead[k] = ball_moved(m, k, PROBE);
    for (int i = 0; i < w->n; i++)
        if (w->sample[i].weight > 0)
            add_sample(out, &s, w, m, ahead, i, &mix[i]);
    if (!eliminate_colours(out, &s, w, &sums))
        return false;
    out->N[GROW * moves + GROW] += 1 / (usual->sigma * usual->sigma);
    out->g[GROW] -= log(m->radius_in / usual->radius_in) / (usual->sigma * usual->sigma);
    for (int k = 0; k < moves; k++)
        for (int l = 0; l < k; l++)
            out->N[l * moves + k] = out->N[k * moves + l];
    return true;
}

double ball_step(struct ball_model *m, const struct ball_window *w, const struct ball_size *usual)
{
    struct ball_normal normal;
    double step[BALL_MOVES];
    if (!ball_normal_take(&normal, w, m, usual, BALL_MOVES) || !cholesky_solve(step, normal.N, normal.g, BALL_MOVES))
        return -1;
    double length = sqrt(vec3_dot(step, step)), k = length > BALL_MOST_STEP ? BALL_MOST_STEP / length : 1;
    for (int i = 0; i < BALL_MOVES; i++)
        *m = ball_moved(m, i, k * step[i]);
    return k * length;
}
