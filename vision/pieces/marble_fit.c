// SPDX-License-Identifier: MIT
#include "vision/pieces/marble_fit.h"

#include <math.h>

#include "calibration/algebra.h"
#include "vision/pieces/ball_step.h"

enum { ROUNDS = 12, GLANCE_ROUNDS = 3 };
static const double MARGIN_IN = 0.4;   // of carpet looked at around the marble: more than its own radius
static const double USUAL_COLOUR = 80; // 8-bit steps: how far colours of marbles and carpets lie apart
static const double MOST_DRIFT = 1.6;  // of the radius: farther than that it is another marble
static const double SETTLED = 2e-3;    // of the radius: less than a thousandth of an inch

// The same pixels without a marble: carpet alone.
static bool bare_surprises(double out[BALL_CHANNELS], const struct ball_window *w, const struct ball_model *m)
{
    struct ball_model bare = *m;
    bare.bare = true;
    if (!ball_suit_colours(&bare, w))
        return false;
    ball_surprises(out, w, &bare);
    return true;
}

// What the ball costs before it is seen: its four colours may be anything within what is usual (Schwarz 1978).
static void costs_of_colours(double cost[BALL_CHANNELS], const struct ball_window *w, const struct ball_model *m)
{
    double ball = 0;
    for (int i = 0; i < w->n; i++) {
        struct ball_mix mix;
        ball_columns(&mix, w, m, &w->sample[i]);
        ball += 1 - mix.part[BALL_LUMA][BALL_GROUND];
    }
    for (int c = 0; c < BALL_CHANNELS; c++) {
        double known = sqrt(ball / BALL_CORRELATED_PIXELS) / w->scatter[c];
        cost[c] = log(fmax(USUAL_COLOUR * known, 1)) + 3 * log(fmax(BALL_USUAL_SHADING * known / sqrt(6), 1));
    }
}

// How much likelier the ball is than bare carpet.
static bool judge(struct marble_fit *fit, const struct ball_window *w, const struct ball_model *m)
{
    double with[BALL_CHANNELS], without[BALL_CHANNELS], cost[BALL_CHANNELS], left = 0, all = 0;
    if (!bare_surprises(without, w, m))
        return false;
    ball_surprises(with, w, m);
    costs_of_colours(cost, w, m);
    fit->gain = 0;
    for (int c = 0; c < BALL_CHANNELS; c++) {
        fit->gain += without[c] - with[c] - cost[c];
        left += with[c];
        all += without[c];
    }
    fit->luma_gain = without[0] - with[0] - cost[0];
    fit->explained = all > 0 ? 1 - left / all : 0;
    return true;
}

static bool report(struct marble_fit *fit, struct ball_window *w, struct ball_model *m, const struct ball_size *usual)
{
    struct ball_normal normal;
    double inverse[BALL_MOVES * BALL_MOVES], r2 = m->radius_in * m->radius_in;
    if (!ball_normal_take(&normal, w, m, usual, BALL_MOVES) || !cholesky_invert(inverse, normal.N, BALL_MOVES))
        return false;
    fit->at = m->at;
    fit->radius_in = m->radius_in;
    fit->cov = (struct cov_in2){ r2 * inverse[0], r2 * inverse[1], r2 * inverse[BALL_MOVES + 1] };
    fit->size_sigma = sqrt(inverse[GROW * BALL_MOVES + GROW]);
    for (int i = 0; i < w->n; i++) // what explains the picture is judged on all its pixels
        w->sample[i].weight = 1;
    if (!ball_suit_colours(m, w))
        return false;
    for (int c = 0; c < BALL_CHANNELS; c++) {
        fit->carpet[c] = w->scatter[c];
        fit->top[c] = m->colour[c][BALL_TOP];
        fit->shadow[c] = m->colour[c][BALL_SHADOW];
    }
    return judge(fit, w, m);
}

// After the first rounds, whose pixels all weigh alike: nothing that is likelier bare carpet becomes a ball later.
static bool may_be_ball(struct marble_fit *fit, const struct ball_window *w, const struct ball_model *m)
{
    struct ball_model suited = *m;
    return ball_suit_colours(&suited, w) && judge(fit, w, &suited) && fit->gain > 0;
}

bool marble_fit_run(struct marble_fit *fit, const struct marble_scene *scene, const struct marble_fit *others, int n)
{
    struct ball_window w;
    struct ball_model m = ball_at(fit->at, fit->radius_in, &scene->light);
    const struct ball_size usual = { fit->radius_in, fit->size_sigma };
    if (!ball_window_open(&w, scene, &m, m.radius_in + MARGIN_IN, others, n))
        return false;
    for (int round = 0; round < ROUNDS; round++) {
        if (round == GLANCE_ROUNDS - 1 && !may_be_ball(fit, &w, &m))
            return false;
        if (round > 1)
            ball_reweigh(&w, &m);
        double moved_by = ball_step(&m, &w, &usual);
        if (moved_by < 0 || hypot(m.at.x - fit->at.x, m.at.y - fit->at.y) > MOST_DRIFT * usual.radius_in)
            return false;
        if (round > 2 && moved_by < SETTLED)
            break;
    }
    return report(fit, &w, &m, &usual);
}
