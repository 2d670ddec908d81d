// SPDX-License-Identifier: MIT
#include "vision/pieces/ball.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/pieces/colour.h"
#include "vision/pieces/px_box.h"

enum { LEAST_SAMPLES = 40, LEAST_GROUND = 16 };
static const double SUBSAMPLED_PX = 1.4;   // cameras and JPEG keep every other pixel's colour: its blur beside luma's
static const double SURELY = 12;           // the logistic curve is even in its sixth digit
static const double PENUMBRA = 0.25;       // the shadow's border is softer: lamps and windows are wide
static const double USUAL_TINT = 4;        // 8-bit steps from the middle to the rim, of colour
static const double USUAL_SLOPE = 12;      // 8-bit steps per inch of carpet
static const double NEIGHBOUR_CLEAR = 1.5; // sigma of the blur of a neighbour's rim

bool ball_casts_shadow(const struct light *l)
{
    return l->x != 0 || l->y != 0;
}

void ball_window_light(struct ball_window *w, const struct marble_scene *s)
{
    const struct light *l = &s->light;
    double aside = sqrt(l->x * l->x + l->y * l->y), length = sqrt(aside * aside + 1);
    w->scene = s;
    w->shadows = aside > 0;
    w->penumbra = PENUMBRA * aside;
    w->lamp[0] = -l->x / length;
    w->lamp[1] = -l->y / length;
    w->lamp[2] = 1 / length;
}

struct ball_model ball_at(struct pt_in at, double radius_in, const struct light *l)
{
    struct ball_model m = { .at = at, .radius_in = radius_in };
    memcpy(m.shine, l->shine, sizeof m.shine);
    return m;
}

// The vector from the ball's centre to where the line through `foot` along `way` (of unit length) passes nearest to it;
// returns its length.
static double nearest_pass(double out[3], const struct ball_model *m, struct pt_in foot, const double way[3])
{
    double x = foot.x - m->at.x, y = foot.y - m->at.y, z = -m->radius_in;
    double t = x * way[0] + y * way[1] + z * way[2];
    out[0] = x - t * way[0];
    out[1] = y - t * way[1];
    out[2] = z - t * way[2];
    return sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
}

// Share of a pixel on the near side of a border, blurred: the logistic curve closest to a Gaussian's integral.
static double covered(double beyond_in, double blur_in)
{
    double sigmas = 1.702 * beyond_in / blur_in;
    return fabs(sigmas) > SURELY ? sigmas < 0 : 1 / (1 + exp(sigmas));
}

// How far beyond the border of the ball's shadow a place of the floor is, and how soft the border.
struct shadow_border {
    double beyond_in, soft_in;
};

static struct shadow_border shadow_border(const struct ball_model *m, const struct ball_window *w, struct pt_in floor)
{
    double off[3], beyond_in = nearest_pass(off, m, floor, w->lamp) - m->radius_in;
    return (struct shadow_border){ beyond_in, m->radius_in * w->penumbra };
}

static double shadow_at(const struct shadow_border *s, double blur_in)
{
    return covered(s->beyond_in, sqrt(blur_in * blur_in + s->soft_in * s->soft_in));
}

// Under an even sky: how much of it the ball hides from a place of the floor (the form factor of a sphere).
static double skylight_kept_off(const struct ball_model *m, struct pt_in floor)
{
    double x = (floor.x - m->at.x) / m->radius_in, y = (floor.y - m->at.y) / m->radius_in, far2 = 1 + x * x + y * y;
    return 1 / (far2 * sqrt(far2));
}

// Where the line of sight meets the ball, or passes it nearest.
struct meeting {
    double beyond;     // distance from the ball's centre in the picture, radii
    double x, y;       // the same along the board's axes, at most on the rim
    double brightness; // there, as a share of the mean
};

// Brightness follows where the surface faces, to first order: under any light a dull ball has little more (Ramamoorthi,
// Hanrahan 2001).
static struct meeting meet(const struct ball_model *m, const struct ball_sample *p)
{
    double off[3], brightness = 1, beyond = nearest_pass(off, m, p->floor, p->sight) / m->radius_in;
    double scale = (beyond > 1 ? 1 / beyond : 1) / m->radius_in, towards = beyond < 1 ? sqrt(1 - beyond * beyond) : 0;
    for (int i = 0; i < 3; i++)
        brightness += m->shine[i] * (scale * off[i] + towards * p->sight[i]);
    return (struct meeting){ beyond, scale * off[0], scale * off[1], brightness };
}

void ball_columns(struct ball_mix *out, const struct ball_window *w, const struct ball_model *m,
                  const struct ball_sample *p)
{
    struct meeting at = meet(m, p);
    double sky = m->bare ? 0 : skylight_kept_off(m, p->floor), inside = at.beyond < 1 ? at.beyond : 1;
    bool shaded = w->shadows && !m->bare;
    struct shadow_border border = { 0, 0 };
    if (shaded)
        border = shadow_border(m, w, p->floor);
    for (int kind = 0; kind < BALL_KINDS; kind++) {
        double blur_in = w->blur_in[kind];
        double ball = m->bare ? 0 : covered((at.beyond - 1) * m->radius_in, blur_in), bare = 1 - ball;
        out->part[kind][BALL_TOP] = ball * at.brightness;
        out->part[kind][BALL_TOP_X] = ball * at.x;
        out->part[kind][BALL_TOP_Y] = ball * at.y;
        out->part[kind][BALL_TOP_RIM] = ball * (inside * inside - 0.5);
        out->part[kind][BALL_GROUND] = bare;
        out->part[kind][BALL_GROUND_X] = bare * (p->floor.x - m->at.x);
        out->part[kind][BALL_GROUND_Y] = bare * (p->floor.y - m->at.y);
        out->part[kind][BALL_CONTACT] = bare * sky;
        out->part[kind][BALL_SHADOW] = shaded ? bare * shadow_at(&border, blur_in) : 0;
    }
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
        return (struct belief){ l->contact[channel], 1 / pow(l->contact_sigma[channel], 2) };
    case BALL_SHADOW:
        if (!w->shadows) // nothing shows it: any firm belief keeps it at nought
            return (struct belief){ 0, 1 };
        return (struct belief){ l->shade[channel], 1 / pow(l->shade_sigma[channel], 2) };
    default:
        return (struct belief){ 0, 1e-9 }; // any colour
    }
}

void ball_mix_all(struct ball_mix out[BALL_SAMPLES], const struct ball_window *w, const struct ball_model *m)
{
    for (int i = 0; i < w->n; i++)
        if (w->sample[i].weight > 0)
            ball_columns(&out[i], w, m, &w->sample[i]);
}

void ball_sum_up(struct ball_sums *out, const struct ball_window *w, const struct ball_mix mix[BALL_SAMPLES])
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < w->n; i++) {
        const struct ball_sample *p = &w->sample[i];
        if (p->weight == 0)
            continue;
        for (int kind = 0; kind < BALL_KINDS; kind++)
            for (int k = 0; k < BALL_COLUMNS; k++)
                for (int l = 0; l <= k; l++)
                    out->squares[kind][k][l] += p->weight * mix[i].part[kind][k] * mix[i].part[kind][l];
        for (int c = 0; c < BALL_CHANNELS; c++) {
            const double *of = mix[i].part[ball_kind_of[c]];
            double seen = p->weight * seen_at(p, of, c);
            for (int k = 0; k < BALL_COLUMNS; k++)
                out->products[c][k] += of[k] * seen;
        }
    }
}

static double information_of(const struct ball_window *w, int channel)
{
    return 1 / (w->scatter[channel] * w->scatter[channel] * BALL_CORRELATED_PIXELS);
}

void ball_colour_matrix(double A[BALL_COLUMNS * BALL_COLUMNS], const struct ball_sums *sums,
                        const struct ball_window *w, int channel)
{
    const double(*squares)[BALL_COLUMNS] = sums->squares[ball_kind_of[channel]];
    for (int k = 0; k < BALL_COLUMNS; k++) {
        for (int l = 0; l <= k; l++)
            A[k * BALL_COLUMNS + l] = A[l * BALL_COLUMNS + k] = information_of(w, channel) * squares[k][l];
        A[k * BALL_COLUMNS + k] += belief_of(w, k, channel).information;
    }
}

bool ball_solve_colours(struct ball_model *m, const struct ball_sums *sums, const struct ball_window *w)
{
    for (int c = 0; c < BALL_CHANNELS; c++) {
        double A[BALL_COLUMNS * BALL_COLUMNS], b[BALL_COLUMNS];
        ball_colour_matrix(A, sums, w, c);
        for (int k = 0; k < BALL_COLUMNS; k++) {
            struct belief known = belief_of(w, k, c);
            b[k] = information_of(w, c) * sums->products[c][k] + known.information * known.value;
        }
        if (!cholesky_solve(m->colour[c], A, b, BALL_COLUMNS))
            return false;
    }
    return true;
}

bool ball_suit_colours(struct ball_model *m, const struct ball_window *w)
{
    struct ball_mix mix[BALL_SAMPLES];
    struct ball_sums sums;
    ball_mix_all(mix, w, m);
    ball_sum_up(&sums, w, mix);
    return ball_solve_colours(m, &sums, w);
}

void ball_residuals(double out[BALL_CHANNELS], const struct ball_window *w, const struct ball_model *m,
                    const struct ball_sample *p, const struct ball_mix *mix)
{
    for (int c = 0; c < BALL_CHANNELS; c++) {
        const double *of = mix->part[ball_kind_of[c]];
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
    struct ball_model m = { .at = o->at, .radius_in = o->radius_in };
    double pass[3];
    if (nearest_pass(pass, &m, p->floor, p->sight) < o->radius_in + NEIGHBOUR_CLEAR * w->blur_in[BALL_LUMA])
        return true;
    if (!w->shadows)
        return false;
    struct shadow_border border = shadow_border(&m, w, p->floor);
    for (int c = 0; c < BALL_CHANNELS; c++)
        off[c] += o->shadow[c] * shadow_at(&border, w->blur_in[ball_kind_of[c]]);
    return false;
}

static bool take_sample(struct ball_sample *p, const struct ball_window *w, struct pt_px at,
                        const struct marble_fit *others, int n)
{
    const struct marble_scene *s = w->scene;
    const struct camera *c = &s->pose->camera;
    struct pt_in ahead;
    if (!camera_locate(&p->floor, c, at, 0) || !camera_locate(&ahead, c, at, 1) ||
        !colour_at(p->colour, s->frame, at.u, at.v))
        return false;
    double x = ahead.x - p->floor.x, y = ahead.y - p->floor.y, length = sqrt(x * x + y * y + 1);
    p->sight[0] = x / length;
    p->sight[1] = y / length;
    p->sight[2] = 1 / length;
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
        if (!px_box_take(box, &s->pose->camera, at))
            return false;
    }
    return true;
}

static bool fill_window(struct ball_window *w, const struct marble_scene *s, const struct ball_model *m,
                        double reach_in, const struct marble_fit *others, int n)
{
    struct px_box box;
    double scale = camera_scale_px_per_in(&s->pose->camera, (struct pt3_in){ m->at.x, m->at.y, 0 });
    if (!(scale > 0) || !picture_box(&box, s, m, reach_in))
        return false;
    ball_window_light(w, s);
    w->n = 0;
    w->blur_in[BALL_LUMA] = s->blur_px / scale;
    w->blur_in[BALL_CHROMA] = hypot(s->blur_px, SUBSAMPLED_PX) / scale;
    double stride = px_box_stride(&box, BALL_SAMPLES);
    for (double v = ceil(box.low.v); v <= box.high.v; v += stride)
        for (double u = ceil(box.low.u); u <= box.high.u && w->n < BALL_SAMPLES; u += stride)
            w->n += take_sample(&w->sample[w->n], w, (struct pt_px){ u, v }, others, n);
    return w->n >= LEAST_SAMPLES;
}

static void measure_scatter(struct ball_window *w, const struct ball_model *m)
{
    double off[BALL_CHANNELS][BALL_SAMPLES];
    int n = 0;
    for (int i = 0; i < w->n; i++) {
        struct ball_mix mix;
        double r[BALL_CHANNELS];
        ball_columns(&mix, w, m, &w->sample[i]);
        if (mix.part[BALL_CHROMA][BALL_GROUND] < 0.95 || mix.part[BALL_CHROMA][BALL_SHADOW] > 0.05)
            continue;
        ball_residuals(r, w, m, &w->sample[i], &mix);
        for (int c = 0; c < BALL_CHANNELS; c++)
            off[c][n] = fabs(r[c]) * w->scatter[c];
        n++;
    }
    // A carpet is as rough here as elsewhere: where it looks smoother, a JPEG has taken its texture off, wrong by as much.
    for (int c = 0; c < BALL_CHANNELS; c++) {
        double scatter = n > LEAST_GROUND ? MAD_TO_SIGMA * median_of(off[c], n) : 2 * BALL_LEAST_SCATTER;
        w->scatter[c] = fmax(scatter, fmax(w->scene->carpet[c], BALL_LEAST_SCATTER));
    }
}

bool ball_window_open(struct ball_window *w, const struct marble_scene *s, struct ball_model *m, double reach_in,
                      const struct marble_fit *others, int n)
{
    for (int c = 0; c < BALL_CHANNELS; c++)
        w->scatter[c] = 2 * BALL_LEAST_SCATTER;
    if (!fill_window(w, s, m, reach_in, others, n) || !ball_suit_colours(m, w))
        return false;
    measure_scatter(w, m);
    return true;
}

void ball_window_thin(struct ball_window *out, const struct ball_window *w)
{
    *out = *w;
    double step = fmax(1, (double)w->n / BALL_COARSE_SAMPLES);
    for (out->n = 0; out->n < BALL_COARSE_SAMPLES && out->n * step < w->n; out->n++)
        out->sample[out->n] = w->sample[(int)(out->n * step)];
}

static void surprise_of_sample(double out[BALL_CHANNELS], const struct ball_window *w, const struct ball_model *m,
                               const struct ball_sample *p, const struct ball_mix *mix)
{
    double r[BALL_CHANNELS];
    ball_residuals(r, w, m, p, mix);
    for (int c = 0; c < BALL_CHANNELS; c++)
        out[c] += r[c] * r[c] / BALL_CORRELATED_PIXELS / 2;
}

static void surprise_of_colours(double out[BALL_CHANNELS], const struct ball_window *w, const struct ball_model *m)
{
    for (int c = 0; c < BALL_CHANNELS; c++)
        for (int k = 0; k < BALL_COLUMNS; k++) {
            struct belief known = belief_of(w, k, c);
            bool absent = (k == BALL_SHADOW && (m->bare || !w->shadows)) || (k == BALL_CONTACT && m->bare);
            out[c] += absent ? 0 : pow(m->colour[c][k] - known.value, 2) * known.information / 2;
        }
}

void ball_surprises(double out[BALL_CHANNELS], const struct ball_window *w, const struct ball_model *m)
{
    for (int c = 0; c < BALL_CHANNELS; c++)
        out[c] = 0;
    for (int i = 0; i < w->n; i++) {
        struct ball_mix mix;
        ball_columns(&mix, w, m, &w->sample[i]);
        surprise_of_sample(out, w, m, &w->sample[i], &mix);
    }
    surprise_of_colours(out, w, m);
}

double ball_least_surprise(struct ball_model *m, const struct ball_window *w)
{
    struct ball_mix mix[BALL_SAMPLES];
    struct ball_sums sums;
    double of[BALL_CHANNELS] = { 0 };
    ball_mix_all(mix, w, m);
    ball_sum_up(&sums, w, mix);
    if (!ball_solve_colours(m, &sums, w))
        return INFINITY;
    for (int i = 0; i < w->n; i++)
        if (w->sample[i].weight > 0)
            surprise_of_sample(of, w, m, &w->sample[i], &mix[i]);
    surprise_of_colours(of, w, m);
    return of[0] + of[1] + of[2];
}
