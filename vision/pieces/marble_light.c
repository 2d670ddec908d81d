// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>

#include "calibration/algebra.h"
#include "vision/pieces/ball.h"

enum { LIGHT_MARBLES = 12, LIGHT_DIRECTIONS = 16, LIGHT_LENGTHS = 4, LIGHT_HALVINGS = 3 };
static const double MAD_TO_SIGMA = 1.4826; // Gaussian
static const double SHADOW_REACH_IN = 1.3; // from where the marble stands to the end of a shadow twice its height
static const double LEAST_SHADOW_GAIN = 4; // per marble: three colours and a direction, as a log of the odds
static const double LEAST_SHADE_SIGMA = 6; // 8-bit steps: carpet is not even
static const double LONGEST_SHADOW = 2;    // inches per inch of height: a lamp 27 degrees high
static const double LENGTH_STEP = 1.6;     // between the lengths tried first
static const double SURE_SHADE = 2;        // sigma of its luma: what is no darker for one marble in forty is no shadow

// How badly all the marbles are explained under this light, places and sizes held.
static double surprise_under(struct ball_window *w, int windows, const struct marble_scene *lit,
                             const struct marble_fit *marbles)
{
    double sum = 0;
    for (int i = 0; i < windows; i++) {
        struct ball_model m = { .at = marbles[i].at, .radius_in = marbles[i].radius_in };
        w[i].scene = lit;
        w[i].shadows = ball_casts_shadow(&lit->light);
        if (ball_solve_colours(&m, &w[i]))
            sum += ball_surprise(&w[i], &m);
    }
    return sum;
}

static int open_windows(struct ball_window *w, struct marble_fit *used, const struct marble_scene *dark,
                        const struct marble_fit *marbles, int n)
{
    int windows = 0;
    for (int i = 0; i < n && windows < LIGHT_MARBLES; i++) {
        struct ball_model m = { .at = marbles[i].at, .radius_in = marbles[i].radius_in };
        struct ball_window *one = &w[windows];
        for (int c = 0; c < BALL_CHANNELS; c++)
            one->scatter[c] = 2 * BALL_LEAST_SCATTER;
        if (!ball_window_fill(one, dark, &m, SHADOW_REACH_IN, NULL, 0) || !ball_solve_colours(&m, one))
            continue;
        ball_measure_scatter(one, &m);
        used[windows++] = marbles[i];
    }
    return windows;
}

static struct light light_towards(double angle_rad, double length)
{
    struct light l = { .x = length * cos(angle_rad), .y = length * sin(angle_rad) };
    for (int c = 0; c < BALL_CHANNELS; c++)
        l.shade_sigma[c] = BALL_USUAL_SHADOW;
    return l;
}

// What is being searched for, and how well it explains the picture.
struct light_search {
    struct ball_window *window;
    const struct marble_fit *marble;
    int count;
    struct marble_scene lit;
    double angle_rad, length, least;
    bool found;
};

static void try_light(struct light_search *s, double angle_rad, double length)
{
    s->lit.light = light_towards(angle_rad, length);
    double now = surprise_under(s->window, s->count, &s->lit, s->marble);
    if (!(now < s->least))
        return;
    s->least = now;
    s->angle_rad = angle_rad;
    s->length = length;
    s->found = true;
}

// Every direction and length roughly, then ever closer around the best.
static void search_light(struct light_search *s)
{
    double turn = 2 * PI / LIGHT_DIRECTIONS, stretch = LENGTH_STEP;
    for (int d = 0; d < LIGHT_DIRECTIONS; d++)
        for (int k = 0; k < LIGHT_LENGTHS; k++)
            try_light(s, d * turn, LONGEST_SHADOW / pow(stretch, k));
    for (int halving = 0; halving < LIGHT_HALVINGS && s->found; halving++) {
        double angle = s->angle_rad, length = s->length;
        turn /= 2;
        stretch = sqrt(stretch);
        try_light(s, angle - turn, length);
        try_light(s, angle + turn, length);
        try_light(s, s->angle_rad, length * stretch);
        try_light(s, s->angle_rad, length / stretch);
    }
}

// How dark the marbles' shadows are, each by itself, and how much that differs between them.
static void measure_shade(struct light *l, struct ball_window *w, const struct marble_fit *marbles, int windows)
{
    struct marble_scene lit = *w->scene;
    double shade[BALL_CHANNELS][LIGHT_MARBLES], off[LIGHT_MARBLES];
    int n = 0;
    lit.light = *l;
    for (int i = 0; i < windows; i++) {
        struct ball_model m = { .at = marbles[i].at, .radius_in = marbles[i].radius_in };
        w[i].scene = &lit;
        w[i].shadows = true;
        if (!ball_solve_colours(&m, &w[i]))
            continue;
        for (int c = 0; c < BALL_CHANNELS; c++)
            shade[c][n] = m.colour[c][BALL_SHADOW];
        n++;
    }
    for (int c = 0; c < BALL_CHANNELS && n > 0; c++) {
        l->shade[c] = median_of(shade[c], n);
        for (int i = 0; i < n; i++)
            off[i] = fabs(shade[c][i] - l->shade[c]);
        l->shade_sigma[c] = fmax(MAD_TO_SIGMA * median_of(off, n), LEAST_SHADE_SIGMA);
    }
}

struct light marble_light(const struct marble_scene *scene, const struct marble_fit *marbles, int n)
{
    struct light_search s = { .lit = *scene };
    struct light best = { .x = 0 };
    struct marble_fit used[LIGHT_MARBLES];
    s.window = malloc(sizeof *s.window * LIGHT_MARBLES);
    if (!s.window)
        abort();
    s.lit.light = best;
    s.marble = used;
    s.count = open_windows(s.window, used, &s.lit, marbles, n);
    s.least = surprise_under(s.window, s.count, &s.lit, used) - LEAST_SHADOW_GAIN * s.count;
    search_light(&s);
    if (s.found) {
        best = light_towards(s.angle_rad, s.length);
        measure_shade(&best, s.window, used, s.count);
        if (!(best.shade[0] < -SURE_SHADE * best.shade_sigma[0]))
            best = (struct light){ .x = 0 };
    }
    free(s.window);
    return best;
}
