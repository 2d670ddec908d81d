// SPDX-License-Identifier: MIT
#include "vision/pieces/sphere_light.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/least_squares.h"

enum { LIGHT_MARBLES = 10, LIGHT_DIRECTIONS = 12, LIGHT_LENGTHS = 4, LIGHT_HALVINGS = 4, REFINED_GUESSES = 4 };
enum { THINNED_SAMPLES = 60, LIT_FIT_STEPS = 2, SHINE_ROUNDS = 6 };
static const double LIGHT_TURN = 2 * PI / LIGHT_DIRECTIONS;
static const double LENGTH_STEP = 1.6; // between the lengths tried first

struct sphere_light sphere_light_unknown(const struct marble_tuning *tuning)
{
    struct sphere_light l = { .shine = { 0, 0, tuning->usual_shine } };
    for (int c = 0; c < SPHERE_CHANNELS; c++) {
        l.contact[c] = c == 0 ? tuning->usual_shade : 0;
        l.contact_sigma[c] = c == 0 ? tuning->usual_shade_sigma : tuning->least_shade_sigma;
    }
    return l;
}

// A marble that the light is measured by.
struct lit_marble {
    struct sphere_window window, thinned;
    struct sphere_model model;
    bool used; // the rest: for one step of all together
    double own[SPHERE_MOVES], back[3][SPHERE_MOVES];
};

// What is being searched for, and how well it explains the picture.
struct light_search {
    struct lit_marble *marble;
    int count;
    struct sphere_scene lit;
    struct sphere_light unknown;
    struct sphere_size usual;
    bool rough;  // on a part of the pixels
    bool placed; // the marbles stand where they do under the best light; none is tried elsewhere any more
    double least;
    struct sphere_light best;
};

static double misfit_from(struct sphere_model *fitted, struct pt_in start, const struct light_search *s,
                          const struct lit_marble *m)
{
    const struct sphere_window *w = s->rough ? &m->thinned : &m->window;
    struct sphere_evidence e;
    *fitted = m->model;
    fitted->at = start;
    for (int step = s->placed; step < LIT_FIT_STEPS; step++) // placed ones have little to go
        if (sphere_step(fitted, w, &s->usual) < 0)
            return INFINITY;
    return sphere_suit_colours(&e, fitted, w) ? e.misfit[0] + e.misfit[1] + e.misfit[2] : INFINITY;
}

// How badly the marble is explained under this light, its place and size as they would be under it: without knowing of the
// shadow, the fit has taken a part of it for the marble, or all of it.
static double misfit_under(struct sphere_model *fitted, const struct light_search *s, struct lit_marble *m)
{
    struct pt_in at = m->model.at;
    const struct sphere_light *l = &s->lit.light;
    struct pt_in before = { at.x - s->usual.radius_in * l->x, at.y - s->usual.radius_in * l->y };
    struct sphere_model other;
    sphere_window_light(s->rough ? &m->thinned : &m->window, &s->lit);
    double here = misfit_from(fitted, at, s, m);
    double there = sphere_casts_shadow(l) && !s->placed ? misfit_from(&other, before, s, m) : INFINITY;
    if (there < here)
        *fitted = other;
    return fmin(here, there);
}

// The sum over the marbles; past `most` it is no longer of interest.
static double misfit_of_all(const struct light_search *s, double most)
{
    double sum = 0;
    struct sphere_model fitted;
    for (int i = 0; i < s->count && sum < most; i++)
        sum += misfit_under(&fitted, s, &s->marble[i]);
    return sum;
}

static void try_light(struct light_search *s, double angle_rad, double length)
{
    struct sphere_light *l = &s->lit.light;
    l->x = length * cos(angle_rad);
    l->y = length * sin(angle_rad);
    memcpy(l->shade, s->unknown.contact, sizeof l->shade);
    memcpy(l->shade_sigma, s->unknown.contact_sigma, sizeof l->shade_sigma);
    double now = misfit_of_all(s, s->least);
    if (!(now < s->least))
        return;
    s->least = now;
    s->best = *l;
}

// How well shadows in a direction, of the length that suits best, explain the picture.
struct light_guess {
    double angle_rad, length, misfit;
};

static int likeliest_first(const void *a, const void *b)
{
    const struct light_guess *p = a, *q = b;
    return (p->misfit > q->misfit) - (p->misfit < q->misfit);
}

// Every direction and length roughly, the likeliest directions again on all pixels, then ever closer around the best of them,
// and the marbles with it.
static void search_light(struct light_search *s)
{
    struct light_guess guess[LIGHT_DIRECTIONS];
    s->rough = true;
    for (int d = 0; d < LIGHT_DIRECTIONS; d++) {
        s->least = INFINITY;
        s->best.x = s->best.y = 0;
        for (int k = 0; k < LIGHT_LENGTHS; k++)
            try_light(s, d * LIGHT_TURN, s->lit.tuning->longest_shadow / pow(LENGTH_STEP, k));
        double length = hypot(s->best.x, s->best.y);
        guess[d] = (struct light_guess){ d * LIGHT_TURN, length, s->least };
    }
    qsort(guess, LIGHT_DIRECTIONS, sizeof *guess, likeliest_first);
    s->rough = false;
    s->least = INFINITY;
    for (int i = 0; i < REFINED_GUESSES; i++)
        try_light(s, guess[i].angle_rad, guess[i].length);
    double turn = LIGHT_TURN, stretch = LENGTH_STEP;
    for (int halving = 0; halving < LIGHT_HALVINGS && s->least < INFINITY; halving++) {
        double angle = atan2(s->best.y, s->best.x), length = hypot(s->best.x, s->best.y);
        turn /= 2;
        stretch = sqrt(stretch);
        s->lit.light = s->best;
        s->least = 0;
        for (int i = 0; i < s->count; i++) {
            struct sphere_model fitted;
            double now = misfit_under(&fitted, s, &s->marble[i]);
            if (isinf(now))
                continue;
            s->marble[i].model = fitted;
            s->least += now;
        }
        s->placed = true;
        try_light(s, angle - turn, length);
        try_light(s, angle + turn, length);
        angle = atan2(s->best.y, s->best.x);
        try_light(s, angle, length * stretch);
        try_light(s, angle, length / stretch);
    }
}

// How dark the marbles' shadows are, each by itself, and how much that differs between them.
static void measure_shade(struct light_search *s)
{
    struct sphere_light *l = &s->best;
    double shade[SPHERE_CHANNELS][LIGHT_MARBLES], contact[SPHERE_CHANNELS][LIGHT_MARBLES];
    double least_sigma = s->lit.tuning->least_shade_sigma;
    int n = 0;
    s->lit.light = *l;
    for (int i = 0; i < s->count; i++) {
        struct sphere_model fitted;
        if (isinf(misfit_under(&fitted, s, &s->marble[i])))
            continue;
        s->marble[i].model = fitted;
        for (int c = 0; c < SPHERE_CHANNELS; c++) {
            shade[c][n] = fitted.colour[c][SPHERE_SHADOW];
            contact[c][n] = fitted.colour[c][SPHERE_CONTACT];
        }
        n++;
    }
    for (int c = 0; c < SPHERE_CHANNELS && n > 0; c++) {
        l->shade[c] = robust_centre(&l->shade_sigma[c], shade[c], n, least_sigma);
        l->contact[c] = robust_centre(&l->contact_sigma[c], contact[c], n, least_sigma);
    }
}

// A - B C^-1 B^T and a - B C^-1 c of a marble's normal equations, C those of its own place and size, added to the shine's.
// The marble's step is own - back * (step of the shine).
static bool add_marble(const struct normal_equations *sums, struct lit_marble *m, const struct sphere_size *usual)
{
    double N[SPHERE_LIT_MOVES][SPHERE_LIT_MOVES], g[SPHERE_LIT_MOVES];
    double C[SPHERE_MOVES][SPHERE_MOVES], inverse[SPHERE_MOVES][SPHERE_MOVES];
    struct normal_equations all = normal_begin(N[0], g, SPHERE_LIT_MOVES);
    if (!sphere_normal_add(&all, &m->window, &m->model, usual))
        return false;
    for (int i = 0; i < SPHERE_MOVES; i++)
        memcpy(C[i], N[i], sizeof C[i]);
    if (!cholesky_invert(inverse[0], C[0], SPHERE_MOVES))
        return false;
    for (int k = 0; k < SPHERE_MOVES; k++) {
        m->own[k] = vec3_dot(inverse[k], g);
        for (int i = 0; i < 3; i++)
            m->back[i][k] = vec3_dot(inverse[k], N[SPHERE_SHINE + i]);
    }
    for (int i = 0; i < 3; i++) {
        const double *B = N[SPHERE_SHINE + i];
        sums->g[i] += g[SPHERE_SHINE + i] - vec3_dot(B, m->own);
        for (int k = 0; k <= i; k++)
            *normal_at(sums, i, k) += B[SPHERE_SHINE + k] - vec3_dot(B, m->back[k]);
    }
    return true;
}

// Gauss-Newton of the light's shine and of all the marbles' places and sizes at once. `believed`: what is, of the shine.
static void step_together(struct light_search *s, double believed[3][3])
{
    double N[3 * 3], g[3], *shine = s->lit.light.shine, step[3], most = s->lit.tuning->most_step;
    struct normal_equations sums = normal_begin(N, g, 3);
    memcpy(N, believed, sizeof N);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            g[i] += believed[i][k] * (s->unknown.shine[k] - shine[k]);
    for (int i = 0; i < s->count; i++) {
        struct lit_marble *m = &s->marble[i];
        memcpy(m->model.shine, shine, sizeof m->model.shine);
        m->used = add_marble(&sums, m, &s->usual);
    }
    if (!normal_solve(step, &sums))
        return;
    for (int i = 0; i < 3; i++)
        shine[i] += step[i];
    for (int i = 0; i < s->count; i++) {
        struct lit_marble *m = &s->marble[i];
        for (int k = 0; k < SPHERE_MOVES && m->used; k++) {
            double move = m->own[k];
            for (int l = 0; l < 3; l++)
                move -= m->back[l][k] * step[l];
            m->model = sphere_moved(&m->model, k, fmax(-most, fmin(move, most)));
        }
    }
}

// Before anything is seen: the sky lights balls from above, the lamp from where shadows point to, nothing else much.
static void measure_shine(struct light_search *s)
{
    const struct marble_tuning *t = s->lit.tuning;
    const struct sphere_light *l = &s->lit.light;
    double lamp[3] = { -l->x, -l->y, 1 }, cov[3][3], believed[3][3], length2 = vec3_dot(lamp, lamp);
    double shine2 = t->shine_sigma * t->shine_sigma, side2 = t->side_shine_sigma * t->side_shine_sigma;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            cov[i][k] = sphere_casts_shadow(l) ? shine2 * lamp[i] * lamp[k] / length2 : 0;
            if (i == k)
                cov[i][k] += i == 2 ? shine2 : side2;
        }
    if (!cholesky_invert(believed[0], cov[0], 3))
        return; // a prior without width allows nothing else: the light stays the usual one
    for (int round = 0; round < SHINE_ROUNDS; round++) {
        for (int i = 0; i < s->count && round > 1; i++)
            sphere_reweigh(&s->marble[i].window, &s->marble[i].model);
        step_together(s, believed);
    }
}

int sphere_light_measure(struct sphere_light *out, const struct sphere_scene *scene, const struct sphere_fit *marbles,
                         int n, struct fail *why)
{
    const struct marble_tuning *t = scene->tuning;
    struct light_search s = { .lit = *scene,
                              .unknown = sphere_light_unknown(t),
                              .usual = { scene->pose->board.piece_radius_in, t->light_size_sigma },
                              .marble = malloc(sizeof *s.marble * LIGHT_MARBLES) };
    if (!s.marble)
        return rs_fail(why, RS_ENOMEM, "no memory for the light of the marbles");
    s.lit.light = s.unknown;
    for (int i = 0; i < n && s.count < LIGHT_MARBLES; i++) {
        struct lit_marble *m = &s.marble[s.count];
        m->model = sphere_at(marbles[i].at, marbles[i].radius_in, &s.lit.light);
        if (!sphere_window_open(&m->window, &s.lit, &m->model, t->shadow_reach_in, NULL, 0))
            continue;
        sphere_window_thin(&m->thinned, &m->window, THINNED_SAMPLES);
        s.count++;
    }
    double unlit = misfit_of_all(&s, INFINITY);
    search_light(&s);
    bool found = s.least < unlit - t->least_shadow_gain;
    if (found)
        measure_shade(&s);
    // What is no darker for one marble in forty is no shadow.
    found = found && s.best.shade[0] < -t->sure_shade * s.best.shade_sigma[0] / sqrt(s.count);
    s.lit.light = found ? s.best : s.unknown;
    for (int i = 0; i < s.count; i++)
        sphere_window_light(&s.marble[i].window, &s.lit);
    measure_shine(&s);
    *out = s.lit.light;
    free(s.marble);
    return 0;
}
