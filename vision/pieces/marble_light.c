// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/pieces/ball_step.h"

enum { LIGHT_MARBLES = 10, LIGHT_DIRECTIONS = 12, LIGHT_LENGTHS = 4, LIGHT_HALVINGS = 4, CLOSER_LOOKS = 4 };
static const double LIGHT_TURN = 2 * PI / LIGHT_DIRECTIONS;
static const double SHADOW_REACH_IN = 1.3; // from where the marble stands to the end of a shadow twice its height
static const double LEAST_SHADOW_GAIN =
    10; // log of the odds: a direction, a length, a shade; 800 pixels (Schwarz 1978)
static const double USUAL_SHADE[BALL_CHANNELS] = { -30, 0, 0 }, USUAL_SHADE_SIGMA[BALL_CHANNELS] = { 20, 6, 6 };
static const double LEAST_SHADE_SIGMA = 6; // 8-bit steps: carpet is not even
static const double LONGEST_SHADOW = 2;    // inches per inch of height: a lamp 27 degrees high
static const double LENGTH_STEP = 1.6;     // between the lengths tried first
enum { SETTLING_STEPS = 2, SHINE_ROUNDS = 6 };
static const double SIZE_SIGMA = 0.02; // targets are 5/8 in, and most marbles are targets
// Under a sky alone the underside is darker, less so over a bright carpet.
static const double USUAL_SHINE[3] = { 0, 0, 0.4 };
static const double SHINE_SIGMA = 0.3; // of a ball's mean brightness
static const double SIDE_SIGMA = 0.05; // ... from where no lamp is
static const double SURE_SHADE = 2;    // sigma of its luma: what is no darker for one marble in forty is no shadow

struct light marble_light_unknown(void)
{
    struct light l = { .x = 0 };
    memcpy(l.shine, USUAL_SHINE, sizeof l.shine);
    memcpy(l.contact, USUAL_SHADE, sizeof l.contact);
    memcpy(l.contact_sigma, USUAL_SHADE_SIGMA, sizeof l.contact_sigma);
    return l;
}

// A marble that the light is measured by.
struct lit_marble {
    struct ball_window window, thinned;
    struct ball_model model;
    bool used; // the rest: for one step of all together
    double own[BALL_MOVES], back[3][BALL_MOVES];
};

// What is being searched for, and how well it explains the picture.
struct light_search {
    struct lit_marble *marble;
    int count;
    struct marble_scene lit;
    struct ball_size usual;
    bool rough;   // on a part of the pixels
    bool settled; // the marbles stand as they do under the best light: none is sought elsewhere any more
    double least;
    struct light best;
};

// How well shadows in a direction, of the length that suits best, explain the picture.
struct rough_look {
    double angle_rad, length, surprise;
};

static void open_windows(struct light_search *s, const struct marble_fit *marbles, int n)
{
    for (int i = 0; i < n && s->count < LIGHT_MARBLES; i++) {
        struct lit_marble *m = &s->marble[s->count];
        m->model = ball_at(marbles[i].at, marbles[i].radius_in, &s->lit.light);
        if (!ball_window_open(&m->window, &s->lit, &m->model, SHADOW_REACH_IN, NULL, 0))
            continue;
        ball_window_thin(&m->thinned, &m->window);
        s->count++;
    }
}

static double surprise_from(struct ball_model *settled, struct pt_in start, const struct light_search *s,
                            const struct lit_marble *m)
{
    const struct ball_window *w = s->rough ? &m->thinned : &m->window;
    *settled = m->model;
    settled->at = start;
    for (int step = 0; step < SETTLING_STEPS; step++)
        if (ball_step(settled, w, &s->usual) < 0)
            return INFINITY;
    return ball_least_surprise(settled, w);
}

// How badly the marble is explained under this light, its place and size as they would be under it: without knowing of the
// shadow, the fit has taken a part of it for the marble, or all of it.
static double surprise_under(struct ball_model *settled, const struct light_search *s, struct lit_marble *m)
{
    struct pt_in at = m->model.at;
    const struct light *l = &s->lit.light;
    struct pt_in before = { at.x - s->usual.radius_in * l->x, at.y - s->usual.radius_in * l->y };
    struct ball_model other;
    ball_window_light(s->rough ? &m->thinned : &m->window, &s->lit);
    double here = surprise_from(settled, at, s, m);
    double there = ball_casts_shadow(l) && !s->settled ? surprise_from(&other, before, s, m) : INFINITY;
    if (there < here)
        *settled = other;
    return fmin(here, there);
}

static double surprise_of_all(struct light_search *s)
{
    double sum = 0;
    struct ball_model settled;
    for (int i = 0; i < s->count; i++)
        sum += surprise_under(&settled, s, &s->marble[i]);
    return sum;
}

static void try_light(struct light_search *s, double angle_rad, double length)
{
    struct light *l = &s->lit.light;
    l->x = length * cos(angle_rad);
    l->y = length * sin(angle_rad);
    memcpy(l->shade, USUAL_SHADE, sizeof l->shade);
    memcpy(l->shade_sigma, USUAL_SHADE_SIGMA, sizeof l->shade_sigma);
    double now = surprise_of_all(s);
    if (!(now < s->least))
        return;
    s->least = now;
    s->best = *l;
}

// The marbles as they stand under the best light so far.
static void settle_marbles(struct light_search *s)
{
    s->lit.light = s->best;
    s->least = 0;
    for (int i = 0; i < s->count; i++) {
        struct ball_model settled;
        double now = surprise_under(&settled, s, &s->marble[i]);
        if (isinf(now))
            continue;
        s->marble[i].model = settled;
        s->least += now;
    }
}

// Ever closer around the best, and the marbles with it.
static void search_around(struct light_search *s, double turn, double stretch)
{
    for (int halving = 0; halving < LIGHT_HALVINGS; halving++) {
        double angle = atan2(s->best.y, s->best.x), length = hypot(s->best.x, s->best.y);
        turn /= 2;
        stretch = sqrt(stretch);
        settle_marbles(s);
        s->settled = true;
        try_light(s, angle - turn, length);
        try_light(s, angle + turn, length);
        angle = atan2(s->best.y, s->best.x);
        try_light(s, angle, length * stretch);
        try_light(s, angle, length / stretch);
    }
}

static int likeliest_first(const void *a, const void *b)
{
    const struct rough_look *p = a, *q = b;
    return (p->surprise > q->surprise) - (p->surprise < q->surprise);
}

// Every direction and length roughly.
static void look_around(struct rough_look look[LIGHT_DIRECTIONS], struct light_search *s)
{
    s->rough = true;
    for (int d = 0; d < LIGHT_DIRECTIONS; d++) {
        s->least = INFINITY;
        s->best.x = s->best.y = 0;
        for (int k = 0; k < LIGHT_LENGTHS; k++)
            try_light(s, d * LIGHT_TURN, LONGEST_SHADOW / pow(LENGTH_STEP, k));
        double length = hypot(s->best.x, s->best.y);
        look[d] = (struct rough_look){ d * LIGHT_TURN, length, s->least };
    }
    s->rough = false;
    qsort(look, LIGHT_DIRECTIONS, sizeof *look, likeliest_first);
}

static void search_light(struct light_search *s)
{
    struct rough_look look[LIGHT_DIRECTIONS];
    look_around(look, s);
    s->least = INFINITY;
    for (int i = 0; i < CLOSER_LOOKS; i++)
        try_light(s, look[i].angle_rad, look[i].length);
    if (s->least < INFINITY)
        search_around(s, LIGHT_TURN, LENGTH_STEP);
}

static void summarise(double *usual, double *sigma, double *values, int n)
{
    *usual = median_of(values, n);
    for (int i = 0; i < n; i++)
        values[i] = fabs(values[i] - *usual);
    *sigma = fmax(MAD_TO_SIGMA * median_of(values, n), LEAST_SHADE_SIGMA);
}

// How dark the marbles' shadows are, each by itself, and how much that differs between them.
static void measure_shade(struct light_search *s)
{
    struct light *l = &s->best;
    double shade[BALL_CHANNELS][LIGHT_MARBLES], contact[BALL_CHANNELS][LIGHT_MARBLES];
    int n = 0;
    s->lit.light = *l;
    for (int i = 0; i < s->count; i++) {
        struct ball_model settled;
        if (isinf(surprise_under(&settled, s, &s->marble[i])))
            continue;
        s->marble[i].model = settled;
        for (int c = 0; c < BALL_CHANNELS; c++) {
            shade[c][n] = settled.colour[c][BALL_SHADOW];
            contact[c][n] = settled.colour[c][BALL_CONTACT];
        }
        n++;
    }
    for (int c = 0; c < BALL_CHANNELS && n > 0; c++) {
        summarise(&l->shade[c], &l->shade_sigma[c], shade[c], n);
        summarise(&l->contact[c], &l->contact_sigma[c], contact[c], n);
    }
}

// One marble's equations after its own place and size are eliminated, added up over the marbles.
struct shine_sums {
    double N[3 * 3], g[3];
};

// A - B C^-1 B^T and a - B C^-1 c of the normal equations, C those of the marble's own moves. The marble's step is
// own - back * (step of the shine).
static bool eliminate_moves(struct shine_sums *sums, double own[BALL_MOVES], double back[3][BALL_MOVES],
                            const struct ball_normal *normal)
{
    double C[BALL_MOVES * BALL_MOVES], B[3][BALL_MOVES];
    for (int i = 0; i < BALL_MOVES; i++)
        for (int k = 0; k < BALL_MOVES; k++)
            C[i * BALL_MOVES + k] = normal->N[i * BALL_LIT_MOVES + k];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < BALL_MOVES; k++)
            B[i][k] = normal->N[(SHINE_X + i) * BALL_LIT_MOVES + k];
    double factor[BALL_MOVES * BALL_MOVES];
    memcpy(factor, C, sizeof C);
    if (!cholesky_solve(own, factor, normal->g, BALL_MOVES))
        return false;
    for (int i = 0; i < 3; i++) {
        memcpy(factor, C, sizeof C);
        if (!cholesky_solve(back[i], factor, B[i], BALL_MOVES))
            return false;
    }
    for (int i = 0; i < 3; i++) {
        sums->g[i] += normal->g[SHINE_X + i] - vec3_dot(B[i], own);
        for (int k = 0; k < 3; k++)
            sums->N[3 * i + k] += normal->N[(SHINE_X + i) * BALL_LIT_MOVES + SHINE_X + k] - vec3_dot(B[i], back[k]);
    }
    return true;
}

// Gauss-Newton of the light's shine and of all the marbles' places and sizes at once.
static void step_together(double shine[3], struct lit_marble *marble, int n, const struct shine_sums *believed,
                          const struct ball_size *usual)
{
    struct shine_sums sums = *believed;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            sums.g[i] += sums.N[3 * i + k] * (USUAL_SHINE[k] - shine[k]);
    for (int i = 0; i < n; i++) {
        struct lit_marble *m = &marble[i];
        struct ball_normal normal;
        memcpy(m->model.shine, shine, sizeof m->model.shine);
        m->used = ball_normal_take(&normal, &m->window, &m->model, usual, BALL_LIT_MOVES) &&
                  eliminate_moves(&sums, m->own, m->back, &normal);
    }
    double step[3];
    if (!cholesky_solve(step, sums.N, sums.g, 3))
        return;
    for (int i = 0; i < 3; i++)
        shine[i] += step[i];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < BALL_MOVES && marble[i].used; k++) {
            double move = marble[i].own[k];
            for (int l = 0; l < 3; l++)
                move -= marble[i].back[l][k] * step[l];
            marble[i].model = ball_moved(&marble[i].model, k, fmax(-BALL_MOST_STEP, fmin(move, BALL_MOST_STEP)));
        }
}

// Before anything is seen: the sky lights balls from above, the lamp from where shadows point to, nothing else much.
static struct shine_sums belief_in_shine(const struct light *l)
{
    struct shine_sums out = { .N = { 0 } };
    double lamp[3] = { -l->x, -l->y, 1 }, cov[9], length2 = vec3_dot(lamp, lamp);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            cov[3 * i + k] = (ball_casts_shadow(l) ? SHINE_SIGMA * SHINE_SIGMA * lamp[i] * lamp[k] / length2 : 0) +
                             (i != k   ? 0
                              : i == 2 ? SHINE_SIGMA * SHINE_SIGMA
                                       : SIDE_SIGMA * SIDE_SIGMA);
    if (!cholesky_invert(out.N, cov, 3))
        abort();
    return out;
}

static void measure_shine(struct light_search *s)
{
    struct shine_sums believed = belief_in_shine(&s->lit.light);
    double *shine = s->lit.light.shine;
    for (int round = 0; round < SHINE_ROUNDS; round++) {
        for (int i = 0; i < s->count && round > 1; i++)
            ball_reweigh(&s->marble[i].window, &s->marble[i].model);
        step_together(shine, s->marble, s->count, &believed, &s->usual);
    }
}

struct light marble_light(const struct marble_scene *scene, const struct marble_fit *marbles, int n)
{
    const struct light dark = marble_light_unknown();
    struct light_search s = { .lit = *scene, .usual = { scene->pose->board.piece_radius_in, SIZE_SIGMA } };
    s.marble = malloc(sizeof *s.marble * LIGHT_MARBLES);
    if (!s.marble)
        abort();
    s.lit.light = dark;
    open_windows(&s, marbles, n);
    double unlit = surprise_of_all(&s);
    search_light(&s);
    bool found = s.least < unlit - LEAST_SHADOW_GAIN;
    if (found)
        measure_shade(&s);
    s.lit.light = found && s.best.shade[0] < -SURE_SHADE * s.best.shade_sigma[0] / sqrt(s.count) ? s.best : dark;
    for (int i = 0; i < s.count; i++)
        ball_window_light(&s.marble[i].window, &s.lit);
    measure_shine(&s);
    free(s.marble);
    return s.lit.light;
}
