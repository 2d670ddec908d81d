// SPDX-License-Identifier: MIT
#include "vision/pieces/marble_fit.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/pieces/ball.h"

enum { ROUNDS = 12 };
enum { MOVE_X, MOVE_Y, GROW, MOVES };
static const double MARGIN_IN = 0.4;   // of carpet looked at around the marble: more than its own radius
static const double TUKEY_SIGMAS = 8;  // highlights and swirls are many: wider than the textbook's 4.685
static const double USUAL_COLOUR = 80; // 8-bit steps: how far colours of marbles and carpets lie apart
static const double SIZE_SIGMA = 0.1;  // shooters are up to 1/4 larger than targets, sets differ by 1/32 in
static const double MOST_DRIFT = 1.1;  // of the radius: farther than that it is another marble
static const double MOST_STEP = 0.25;  // of the radius: a move beyond it leaves the linear range
static const double SETTLED = 3e-4;    // of the radius
static const double PROBE = 3e-3;      // of the radius: for the derivatives

static void reweigh(struct ball_window *w, const struct ball_model *m)
{
    double sizes[BALL_SAMPLES];
    for (int i = 0; i < w->n; i++) {
        double r[BALL_CHANNELS];
        ball_residuals(r, w, m, &w->sample[i]);
        sizes[i] = w->sample[i].weight = sqrt(vec3_dot(r, r));
    }
    double scale = fmax(median_of(sizes, w->n) / 1.54, 0.5); // median length of a normal 3-vector
    for (int i = 0; i < w->n; i++) {
        double x = w->sample[i].weight / (TUKEY_SIGMAS * scale);
        w->sample[i].weight = x < 1 ? (1 - x * x) * (1 - x * x) : 0;
    }
}

static struct ball_model moved(const struct ball_model *m, int which, double step)
{
    struct ball_model out = *m;
    if (which == MOVE_X)
        out.at.x += step * m->radius_in;
    else if (which == MOVE_Y)
        out.at.y += step * m->radius_in;
    else
        out.radius_in *= 1 + step;
    return out;
}

// J^T J and J^T r of place and size, in radii and shares of it, colours held.
static void normal_equations(double N[MOVES * MOVES], double g[MOVES], const struct ball_window *w,
                             const struct ball_model *m)
{
    struct ball_model ahead[MOVES];
    memset(N, 0, sizeof *N * MOVES * MOVES);
    memset(g, 0, sizeof *g * MOVES);
    for (int k = 0; k < MOVES; k++)
        ahead[k] = moved(m, k, PROBE);
    for (int i = 0; i < w->n; i++) {
        double weight = w->sample[i].weight / BALL_CORRELATED_PIXELS, r[BALL_CHANNELS], J[MOVES][BALL_CHANNELS];
        if (weight == 0)
            continue;
        ball_residuals(r, w, m, &w->sample[i]);
        for (int k = 0; k < MOVES; k++) {
            ball_residuals(J[k], w, &ahead[k], &w->sample[i]);
            for (int c = 0; c < BALL_CHANNELS; c++)
                J[k][c] = (J[k][c] - r[c]) / PROBE;
        }
        for (int k = 0; k < MOVES; k++) {
            g[k] -= weight * vec3_dot(J[k], r);
            for (int l = 0; l < MOVES; l++)
                N[k * MOVES + l] += weight * vec3_dot(J[k], J[l]);
        }
    }
}

// One Gauss-Newton step; returns its length in radii. The normal matrix is left in N.
static double step_once(struct ball_model *m, const struct ball_window *w, double N[MOVES * MOVES],
                        double usual_radius_in)
{
    double g[MOVES], F[MOVES * MOVES], step[MOVES];
    normal_equations(N, g, w, m);
    N[GROW * MOVES + GROW] += 1 / (SIZE_SIGMA * SIZE_SIGMA);
    g[GROW] -= log(m->radius_in / usual_radius_in) / (SIZE_SIGMA * SIZE_SIGMA);
    memcpy(F, N, sizeof F);
    if (!cholesky_solve(step, F, g, MOVES))
        return 0;
    double length = hypot(hypot(step[0], step[1]), step[2]), k = length > MOST_STEP ? MOST_STEP / length : 1;
    for (int i = 0; i < MOVES; i++)
        *m = moved(m, i, k * step[i]);
    return k * length;
}

// The same pixels without a marble: carpet alone.
static double bare_surprise(const struct ball_window *w, const struct ball_model *m)
{
    struct ball_model bare = *m;
    bare.bare = true;
    return ball_solve_colours(&bare, w) ? ball_surprise(w, &bare) : 0;
}

// What the ball costs before it is seen: its four colours may be anything within what is usual (Schwarz 1978).
static double cost_of_colours(const struct ball_window *w, const struct ball_model *m)
{
    double cost = 0, ball = 0;
    for (int i = 0; i < w->n; i++) {
        double column[BALL_COLUMNS];
        ball_columns(column, w, m, &w->sample[i], BALL_LUMA);
        ball += column[BALL_TOP];
    }
    for (int c = 0; c < BALL_CHANNELS; c++) {
        double known = sqrt(ball / BALL_CORRELATED_PIXELS) / w->scatter[c];
        cost += log(fmax(USUAL_COLOUR * known, 1)) + 3 * log(fmax(BALL_USUAL_SHADING * known / sqrt(6), 1));
    }
    return cost;
}

static bool report(struct marble_fit *fit, struct ball_window *w, struct ball_model *m, const double N[MOVES * MOVES])
{
    double inverse[MOVES * MOVES], factor[MOVES * MOVES], r2 = m->radius_in * m->radius_in;
    memcpy(factor, N, sizeof factor);
    fit->at = m->at;
    fit->radius_in = m->radius_in;
    fit->cov = (struct cov_in2){ r2, 0, r2 };
    if (cholesky_invert(inverse, factor, MOVES))
        fit->cov = (struct cov_in2){ r2 * inverse[0], r2 * inverse[1], r2 * inverse[MOVES + 1] };
    for (int i = 0; i < w->n; i++) // what explains the picture is judged on all its pixels
        w->sample[i].weight = 1;
    if (!ball_solve_colours(m, w))
        return false;
    for (int c = 0; c < BALL_CHANNELS; c++) {
        fit->top[c] = m->colour[c][BALL_TOP];
        fit->shadow[c] = m->colour[c][BALL_SHADOW];
    }
    double with = ball_surprise(w, m), without = bare_surprise(w, m);
    fit->gain = without - with - cost_of_colours(w, m);
    fit->explained = without > 0 ? 1 - with / without : 0;
    return true;
}

bool marble_fit_run(struct marble_fit *fit, const struct marble_scene *scene, const struct marble_fit *others, int n)
{
    struct ball_window w = { .scatter = { 2 * BALL_LEAST_SCATTER, 2 * BALL_LEAST_SCATTER, 2 * BALL_LEAST_SCATTER } };
    struct ball_model m = { .at = fit->at, .radius_in = fit->radius_in };
    double N[MOVES * MOVES] = { 0 }, usual_in = fit->radius_in;
    if (!ball_window_fill(&w, scene, &m, m.radius_in + MARGIN_IN, others, n) || !ball_solve_colours(&m, &w))
        return false;
    ball_measure_scatter(&w, &m);
    for (int round = 0; round < ROUNDS; round++) {
        if (round > 1)
            reweigh(&w, &m);
        double moved_by = step_once(&m, &w, N, usual_in);
        if (!ball_solve_colours(&m, &w) || hypot(m.at.x - fit->at.x, m.at.y - fit->at.y) > MOST_DRIFT * usual_in)
            return false;
        if (round > 2 && moved_by < SETTLED)
            break;
    }
    return report(fit, &w, &m, N);
}
