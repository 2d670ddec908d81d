// SPDX-License-Identifier: MIT
#include "vision/pieces/ball.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/pieces/colour.h"
#include "vision/pieces/px_box.h"

enum { LEAST_SAMPLES = 40, LEAST_GROUND = 16 };
static const int kind_of[BALL_CHANNELS] = { BALL_LUMA, BALL_CHROMA, BALL_CHROMA };
static const double LUMA_BLUR_PX = 1.1, CHROMA_BLUR_PX = 1.8; // sigma of edges; colour is kept at half the resolution
static const double PENUMBRA = 0.25;       // the shadow's border is softer: lamps and windows are wide
static const double MAD_TO_SIGMA = 1.4826; // Gaussian
static const double USUAL_TINT = 4;        // 8-bit steps from the middle to the rim, of colour
static const double USUAL_SLOPE = 12;      // 8-bit steps per inch of carpet
static const double NEIGHBOUR_CLEAR = 1.5; // sigma of the blur of a neighbour's rim

bool ball_casts_shadow(const struct light *l)
{
    return l->x != 0 || l->y != 0;
}

// The vector from the ball's centre to where the line through `foot` along `way` passes nearest to it.
static void nearest_pass(double out[3], const struct ball_model *m, struct pt_in foot, const double way[3])
{
    const double to[3] = { foot.x - m->at.x, foot.y - m->at.y, -m->radius_in };
    double t = vec3_dot(to, way) / vec3_dot(way, way);
    for (int i = 0; i < 3; i++)
        out[i] = to[i] - t * way[i];
}

// Share of a pixel on the near side of a border, blurred: the logistic curve closest to a Gaussian's integral.
static double covered(double beyond_in, double blur_in)
{
    return 1 / (1 + exp(1.702 * beyond_in / blur_in));
}

static double shadow_at(const struct ball_model *m, const struct light *l, struct pt_in floor, double blur_in)
{
    const double to_lamp[3] = { -l->x, -l->y, 1 };
    double off[3], soft_in = PENUMBRA * m->radius_in * hypot(l->x, l->y);
    nearest_pass(off, m, floor, to_lamp);
    return covered(sqrt(vec3_dot(off, off)) - m->radius_in, hypot(blur_in, soft_in));
}

// Under an even sky: how much of it the ball hides from a place of the floor (the form factor of a sphere).
static double skylight_kept_off(const struct ball_model *m, struct pt_in floor)
{
    double off = hypot(floor.x - m->at.x, floor.y - m->at.y) / m->radius_in, far2 = 1 + off * off;
    return 1 / (far2 * sqrt(far2));
}

void ball_columns(double out[BALL_COLUMNS], const struct ball_window *w, const struct ball_model *m,
                  const struct ball_sample *p, int kind)
{
    const double sight[3] = { p->ahead.x - p->floor.x, p->ahead.y - p->floor.y, 1 };
    double off[3], blur_in = w->blur_in[kind];
    nearest_pass(off, m, p->floor, sight);
    double beyond = sqrt(vec3_dot(off, off)) / m->radius_in, inside = fmin(beyond, 1);
    double ball = m->bare ? 0 : covered((beyond - 1) * m->radius_in, blur_in), bare = 1 - ball;
    double scale = beyond > 1 ? 1 / beyond : 1;
    out[BALL_TOP] = ball;
    out[BALL_TOP_X] = ball * off[0] / m->radius_in * scale;
    out[BALL_TOP_Y] = ball * off[1] / m->radius_in * scale;
    out[BALL_TOP_RIM] = ball * (inside * inside - 0.5);
    out[BALL_GROUND] = bare;
    out[BALL_GROUND_X] = bare * (p->floor.x - m->at.x);
    out[BALL_GROUND_Y] = bare * (p->floor.y - m->at.y);
    out[BALL_CONTACT] = m->bare ? 0 : bare * skylight_kept_off(m, p->floor);
    out[BALL_SHADOW] = w->shadows && !m->bare ? bare * shadow_at(m, &w->scene->light, p->floor, blur_in) : 0;
}

// What the pixel shows less what hides nothing: the line and foreign shadows lie on the floor alone.
static double seen_at(const struct ball_sample *p, const double column[BALL_COLUMNS], int channel)
{
    return p->colour[channel] - column[BALL_GROUND] * p->off[channel];
}

// What is believed of a column's colour before anything is seen.
struct belief {
    double value, information; // 1 / variance
};

static struct belief belief_of(const struct ball_window *w, int column, int channel)
{
    const struct light *l = &w->scene->light;
    switch (column) {
    case BALL_TOP_X:
    case BALL_TOP_Y:
    case BALL_TOP_RIM:
        return (struct belief){ 0, 1 / pow(channel == 0 ? BALL_USUAL_SHADING : USUAL_TINT, 2) };
    case BALL_GROUND_X:
    case BALL_GROUND_Y:
        return (struct belief){ 0, 1 / (USUAL_SLOPE * USUAL_SLOPE) };
    case BALL_CONTACT:
        return (struct belief){ 0, 1 / (BALL_USUAL_SHADOW * BALL_USUAL_SHADOW) };
    case BALL_SHADOW:
        if (!w->shadows) // nothing shows it: any firm belief keeps it at nought
            return (struct belief){ 0, 1 };
        return (struct belief){ l->shade[channel], 1 / pow(l->shade_sigma[channel], 2) };
    default:
        return (struct belief){ 0, 1e-9 }; // any colour
    }
}

struct sums {
    double squares[BALL_COLUMNS * BALL_COLUMNS], products[BALL_CHANNELS][BALL_COLUMNS];
};

static void sum_up(struct sums *out, const struct ball_window *w, const struct ball_model *m, int kind)
{
    for (int i = 0; i < w->n; i++) {
        const struct ball_sample *p = &w->sample[i];
        double column[BALL_COLUMNS];
        if (p->weight == 0)
            continue;
        ball_columns(column, w, m, p, kind);
        for (int k = 0; k < BALL_COLUMNS; k++) {
            for (int l = 0; l <= k; l++)
                out->squares[k * BALL_COLUMNS + l] += p->weight * column[k] * column[l];
            for (int c = 0; c < BALL_CHANNELS; c++)
                if (kind_of[c] == kind)
                    out->products[c][k] += p->weight * column[k] * seen_at(p, column, c);
        }
    }
}

static bool solve_channel(struct ball_model *m, const struct ball_window *w, const struct sums *sums, int c)
{
    double A[BALL_COLUMNS * BALL_COLUMNS], b[BALL_COLUMNS];
    double information = 1 / (w->scatter[c] * w->scatter[c] * BALL_CORRELATED_PIXELS);
    for (int k = 0; k < BALL_COLUMNS; k++) {
        for (int l = 0; l <= k; l++)
            A[k * BALL_COLUMNS + l] = A[l * BALL_COLUMNS + k] = information * sums->squares[k * BALL_COLUMNS + l];
        struct belief known = belief_of(w, k, c);
        A[k * BALL_COLUMNS + k] += known.information;
        b[k] = information * sums->products[c][k] + known.information * known.value;
    }
    return cholesky_solve(m->colour[c], A, b, BALL_COLUMNS);
}

bool ball_solve_colours(struct ball_model *m, const struct ball_window *w)
{
    for (int kind = 0; kind < BALL_KINDS; kind++) {
        struct sums sums = { { 0 }, { { 0 } } };
        sum_up(&sums, w, m, kind);
        for (int c = 0; c < BALL_CHANNELS; c++)
            if (kind_of[c] == kind && !solve_channel(m, w, &sums, c))
                return false;
    }
    return true;
}

void ball_residuals(double out[BALL_CHANNELS], const struct ball_window *w, const struct ball_model *m,
                    const struct ball_sample *p)
{
    double column[BALL_KINDS][BALL_COLUMNS];
    for (int kind = 0; kind < BALL_KINDS; kind++)
        ball_columns(column[kind], w, m, p, kind);
    for (int c = 0; c < BALL_CHANNELS; c++) {
        const double *of = column[kind_of[c]];
        double is = 0;
        for (int k = 0; k < BALL_COLUMNS; k++)
            is += of[k] * m->colour[c][k];
        out[c] = (seen_at(p, of, c) - is) / w->scatter[c];
    }
}

// Is the pixel on another marble, or how its shadow darkens the floor there.
static bool on_other(double off[BALL_CHANNELS], const struct ball_window *w, const struct ball_sample *p,
                     const struct marble_fit *o)
{
    const double sight[3] = { p->ahead.x - p->floor.x, p->ahead.y - p->floor.y, 1 };
    struct ball_model m = { .at = o->at, .radius_in = o->radius_in };
    double pass[3];
    nearest_pass(pass, &m, p->floor, sight);
    if (sqrt(vec3_dot(pass, pass)) < o->radius_in + NEIGHBOUR_CLEAR * w->blur_in[BALL_LUMA])
        return true;
    for (int c = 0; c < BALL_CHANNELS && w->shadows; c++)
        off[c] += o->shadow[c] * shadow_at(&m, &w->scene->light, p->floor, w->blur_in[kind_of[c]]);
    return false;
}

static bool take_sample(struct ball_sample *p, const struct ball_window *w, struct pt_px at,
                        const struct marble_fit *others, int n)
{
    const struct marble_scene *s = w->scene;
    const struct camera *c = &s->on->camera;
    if (!camera_locate(&p->floor, c, at, 0) || !camera_locate(&p->ahead, c, at, 1) ||
        !colour_at(p->colour, s->frame, at.u, at.v))
        return false;
    line_look_at(p->off, s->line, p->floor);
    for (int i = 0; i < n; i++)
        if (on_other(p->off, w, p, &others[i]))
            return false;
    p->weight = 1;
    return true;
}

// The picture's box around the marble, where its shadow falls, and a margin.
static bool picture_box(struct px_box *box, const struct marble_scene *s, const struct ball_model *m, double reach)
{
    *box = px_box_empty();
    for (int k = 0; k < 24; k++) {
        double angle = k * PI / 12, shade = k % 3 == 2 ? m->radius_in : 0;
        struct pt3_in at = { m->at.x + shade * s->light.x + reach * cos(angle),
                             m->at.y + shade * s->light.y + reach * sin(angle), k % 3 == 1 ? 2 * m->radius_in : 0 };
        if (!px_box_take(box, &s->on->camera, at))
            return false;
    }
    return true;
}

bool ball_window_fill(struct ball_window *w, const struct marble_scene *s, const struct ball_model *m, double reach_in,
                      const struct marble_fit *others, int n)
{
    struct px_box box;
    double scale = camera_scale_px_per_in(&s->on->camera, (struct pt3_in){ m->at.x, m->at.y, 0 });
    if (!(scale > 0) || !picture_box(&box, s, m, reach_in))
        return false;
    w->scene = s;
    w->n = 0;
    w->shadows = ball_casts_shadow(&s->light);
    w->blur_in[BALL_LUMA] = LUMA_BLUR_PX / scale;
    w->blur_in[BALL_CHROMA] = CHROMA_BLUR_PX / scale;
    double stride = px_box_stride(&box, BALL_SAMPLES);
    for (double v = ceil(box.low.v); v <= box.high.v; v += stride)
        for (double u = ceil(box.low.u); u <= box.high.u && w->n < BALL_SAMPLES; u += stride)
            w->n += take_sample(&w->sample[w->n], w, (struct pt_px){ u, v }, others, n);
    return w->n >= LEAST_SAMPLES;
}

void ball_measure_scatter(struct ball_window *w, const struct ball_model *m)
{
    double off[BALL_CHANNELS][BALL_SAMPLES];
    int n = 0;
    for (int i = 0; i < w->n; i++) {
        double column[BALL_COLUMNS], r[BALL_CHANNELS];
        ball_columns(column, w, m, &w->sample[i], BALL_CHROMA);
        if (column[BALL_GROUND] < 0.95 || column[BALL_SHADOW] > 0.05)
            continue;
        ball_residuals(r, w, m, &w->sample[i]);
        for (int c = 0; c < BALL_CHANNELS; c++)
            off[c][n] = fabs(r[c]) * w->scatter[c];
        n++;
    }
    for (int c = 0; c < BALL_CHANNELS; c++)
        w->scatter[c] =
            n > LEAST_GROUND ? fmax(MAD_TO_SIGMA * median_of(off[c], n), BALL_LEAST_SCATTER) : 2 * BALL_LEAST_SCATTER;
}

double ball_surprise(const struct ball_window *w, const struct ball_model *m)
{
    double sum = 0;
    for (int i = 0; i < w->n; i++) {
        double r[BALL_CHANNELS];
        ball_residuals(r, w, m, &w->sample[i]);
        sum += vec3_dot(r, r) / BALL_CORRELATED_PIXELS;
    }
    for (int c = 0; c < BALL_CHANNELS; c++)
        for (int k = 0; k < BALL_COLUMNS; k++) {
            struct belief known = belief_of(w, k, c);
            bool absent = (k == BALL_SHADOW && (m->bare || !w->shadows)) || (k == BALL_CONTACT && m->bare);
            sum += absent ? 0 : pow(m->colour[c][k] - known.value, 2) * known.information;
        }
    return sum / 2;
}
