// SPDX-License-Identifier: MIT
#include "vision/pieces/sphere_fit.h"

#include <math.h>

#include "calibration/algebra.h"
#include "calibration/least_squares.h"

enum { SPHERE_ROUNDS = 12, GLANCE_ROUNDS = 3 };
static const double LEAST_SIGMA = 0.5; // of the scatter that was measured

void sphere_reweigh(struct sphere_window *w, const struct sphere_model *m)
{
    double sizes[SPHERE_SAMPLES];
    for (int i = 0; i < w->n; i++) {
        struct sphere_pixel at;
        double r[SPHERE_CHANNELS];
        sphere_pixel_of(&at, w, m, &w->sample[i]);
        sphere_residuals(r, w, m, &w->sample[i], &at);
        sizes[i] = w->sample[i].weight = sqrt(vec3_dot(r, r));
    }
    double reach = w->scene->tuning->tukey_sigmas * robust_sigma_of_lengths(sizes, w->n, LEAST_SIGMA);
    for (int i = 0; i < w->n; i++)
        w->sample[i].weight = tukey_weight(w->sample[i].weight, reach);
}

// What the moves and the colours of each channel have in common.
struct shared {
    double with[SPHERE_CHANNELS][SPHERE_LIT_MOVES][SPHERE_COLUMNS];
};

static void add_sample(const struct normal_equations *out, struct shared *s, const struct sphere_window *w,
                       const struct sphere_model *m, int i, const struct sphere_pixel *at)
{
    const struct sphere_sample *p = &w->sample[i];
    double weight = p->weight / w->scene->tuning->correlated_pixels, r[SPHERE_CHANNELS];
    double J[SPHERE_LIT_MOVES][SPHERE_CHANNELS];
    sphere_residuals(r, w, m, p, at);
    sphere_slopes(J, w, m, p, at, out->n);
    for (int k = 0; k < out->n; k++) {
        for (int l = 0; l <= k; l++)
            *normal_at(out, k, l) += weight * vec3_dot(J[k], J[l]);
        out->g[k] -= weight * vec3_dot(J[k], r);
        for (int c = 0; c < SPHERE_CHANNELS; c++) {
            double share = weight * J[k][c] / w->scatter[c], *with = s->with[c][k];
            for (int l = 0; l < SPHERE_COLUMNS; l++)
                with[l] -= share * at->part[l][sphere_kind_of[c]];
        }
    }
}

static bool eliminate_colours(const struct normal_equations *out, const struct shared *s, const struct sphere_window *w,
                              const struct sphere_sums *sums)
{
    for (int c = 0; c < SPHERE_CHANNELS; c++) {
        double A[SPHERE_COLUMNS][SPHERE_COLUMNS], inverse[SPHERE_COLUMNS][SPHERE_COLUMNS];
        sphere_colour_matrix(A, sums, w, c);
        if (!cholesky_invert(inverse[0], A[0], SPHERE_COLUMNS))
            return false;
        for (int k = 0; k < out->n; k++)
            for (int i = 0; i < SPHERE_COLUMNS; i++) {
                double solved = 0;
                for (int j = 0; j < SPHERE_COLUMNS; j++)
                    solved += inverse[i][j] * s->with[c][k][j];
                for (int l = 0; l <= k; l++)
                    *normal_at(out, k, l) -= solved * s->with[c][l][i];
            }
    }
    return true;
}

bool sphere_normal_add(const struct normal_equations *out, const struct sphere_window *w, struct sphere_model *m,
                       const struct sphere_size *usual)
{
    struct shared s = { { { { 0 } } } };
    struct sphere_pixel pixel[SPHERE_SAMPLES];
    struct sphere_sums sums;
    sphere_sum_up(&sums, pixel, w, m);
    if (!sphere_solve_colours(NULL, m, &sums, w))
        return false;
    for (int i = 0; i < w->n; i++)
        if (w->sample[i].weight > 0)
            add_sample(out, &s, w, m, i, &pixel[i]);
    if (!eliminate_colours(out, &s, w, &sums))
        return false;
    normal_add_prior(out, SPHERE_GROW, -log(m->radius_in / usual->radius_in), usual->sigma);
    return true;
}

double sphere_step(struct sphere_model *m, const struct sphere_window *w, const struct sphere_size *usual)
{
    double N[SPHERE_MOVES * SPHERE_MOVES], g[SPHERE_MOVES], step[SPHERE_MOVES];
    struct normal_equations sums = normal_begin(N, g, SPHERE_MOVES);
    if (!sphere_normal_add(&sums, w, m, usual) || !normal_solve(step, &sums))
        return -1;
    double length = sqrt(vec3_dot(step, step)), most = w->scene->tuning->most_step;
    double k = length > most ? most / length : 1;
    for (int move = 0; move < SPHERE_MOVES; move++)
        *m = sphere_moved(m, move, k * step[move]);
    return k * length;
}

// How much likelier the ball is than bare carpet. Before it is seen its four colours may be anything within what is usual,
// which costs it (Schwarz 1978). All pixels weigh alike.
static bool judge(struct sphere_fit *fit, const struct sphere_window *w, struct sphere_model *m)
{
    const struct marble_tuning *t = w->scene->tuning;
    struct sphere_evidence with, without;
    struct sphere_model bare = *m;
    bare.bare = true;
    if (!sphere_suit_colours(&with, m, w) || !sphere_suit_colours(&without, &bare, w))
        return false;
    double left = 0, said = 0;
    fit->gain = 0;
    for (int c = 0; c < SPHERE_CHANNELS; c++) {
        double known = sqrt(with.ball / t->correlated_pixels) / w->scatter[c];
        double cost = log(fmax(t->usual_colour * known, 1)) + 3 * log(fmax(t->usual_shading * known / sqrt(6), 1));
        double gain = without.misfit[c] - with.misfit[c] - cost;
        fit->gain += gain;
        if (c == 0)
            fit->luma_gain = gain;
        double noise = w->n / t->correlated_pixels * pow(w->scene->noise[c] / w->scatter[c], 2) / 2;
        left += fmax(with.misfit[c] - noise, 0); // noise is to be explained by nothing
        said += without.misfit[c] - with.misfit[c];
    }
    fit->explained = said > 0 ? said / (said + left) : 0;
    return true;
}

bool sphere_fit_run(struct sphere_fit *fit, const struct sphere_scene *scene, const struct sphere_model *others, int n)
{
    const struct marble_tuning *t = scene->tuning;
    const struct sphere_size usual = { fit->radius_in, fit->size_sigma };
    struct sphere_window w;
    struct sphere_model m = sphere_at(fit->at, fit->radius_in, &scene->light);
    if (!sphere_window_open(&w, scene, &m, m.radius_in + t->margin_in, others, n))
        return false;
    for (int round = 0; round < SPHERE_ROUNDS; round++) {
        struct sphere_model suited = m;
        // Nothing that is likelier bare carpet after the first rounds becomes a ball later.
        if (round == GLANCE_ROUNDS - 1 && !(judge(fit, &w, &suited) && fit->gain > 0))
            return false;
        if (round > 1)
            sphere_reweigh(&w, &m);
        double moved_by = sphere_step(&m, &w, &usual);
        if (moved_by < 0 || hypot(m.at.x - fit->at.x, m.at.y - fit->at.y) > t->most_drift * usual.radius_in)
            return false;
        if (round > 2 && moved_by < t->settled_radii)
            break;
    }
    double N[SPHERE_MOVES * SPHERE_MOVES], g[SPHERE_MOVES], cov[SPHERE_MOVES][SPHERE_MOVES];
    // Where many pixels share what they are off by, a place is known by fewer errors than it was fitted to. What they do to its size
    // they do to all marbles' alike, which are compared with each other.
    double shared = fmax(scene->texture_px / t->correlated_pixels, 1), r2 = shared * m.radius_in * m.radius_in;
    struct normal_equations sums = normal_begin(N, g, SPHERE_MOVES);
    if (!sphere_normal_add(&sums, &w, &m, &usual) || !normal_invert(cov[0], &sums))
        return false;
    fit->at = m.at;
    fit->radius_in = m.radius_in;
    fit->cov =
        (struct cov_in2){ r2 * cov[SPHERE_X][SPHERE_X], r2 * cov[SPHERE_X][SPHERE_Y], r2 * cov[SPHERE_Y][SPHERE_Y] };
    fit->size_sigma = sqrt(cov[SPHERE_GROW][SPHERE_GROW]);
    for (int i = 0; i < w.n; i++) // what explains the picture is judged on all its pixels
        w.sample[i].weight = 1;
    if (!judge(fit, &w, &m))
        return false;
    for (int c = 0; c < SPHERE_CHANNELS; c++) {
        fit->carpet[c] = w.ground_seen ? w.scatter[c] : 0;
        fit->top[c] = m.colour[c][SPHERE_TOP];
        fit->shadow[c] = m.colour[c][SPHERE_SHADOW];
        fit->ground[c] = m.colour[c][SPHERE_GROUND];
    }
    return true;
}
