// SPDX-License-Identifier: MIT
#include "vision/pieces/sphere_model.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/colour.h"
#include "vision/pieces/cylinder.h"
#include "vision/pieces/px_box.h"

static const double EVEN_BEYOND = 12; // widths of the logistic curve: from there on its sixth digit is that of 0 or 1
static const double LEAST_INWARDS =
    0.077; // in slopes: at the very rim, which faces sideways, brightness changes without bounds
static const double UNKNOWN = 1e-9; // information about a colour that may be any

bool sphere_casts_shadow(const struct sphere_light *l)
{
    return l->x != 0 || l->y != 0;
}

void sphere_window_light(struct sphere_window *w, const struct sphere_scene *s)
{
    const struct sphere_light *l = &s->light;
    double aside = hypot(l->x, l->y), length = hypot(aside, 1);
    w->scene = s;
    w->shadows = aside > 0;
    w->penumbra = s->tuning->penumbra * aside;
    w->lamp[0] = -l->x / length;
    w->lamp[1] = -l->y / length;
    w->lamp[2] = 1 / length;
}

struct sphere_model sphere_at(struct pt_in at, double radius_in, const struct sphere_light *l)
{
    struct sphere_model m = { .at = at, .radius_in = radius_in };
    memcpy(m.shine, l->shine, sizeof m.shine);
    return m;
}

struct sphere_model sphere_moved(const struct sphere_model *m, int move, double step)
{
    struct sphere_model out = *m;
    if (move == SPHERE_X)
        out.at.x += step * m->radius_in;
    else if (move == SPHERE_Y)
        out.at.y += step * m->radius_in;
    else if (move == SPHERE_GROW)
        out.radius_in *= 1 + step;
    else
        out.shine[move - SPHERE_SHINE] += step;
    return out;
}

// The vector from the sphere's centre to where the line through `foot` along `way` (of unit length) passes nearest to it;
// returns its length.
static double nearest_pass(double off[3], const struct sphere_model *m, struct pt_in foot, const double way[3])
{
    double x = foot.x - m->at.x, y = foot.y - m->at.y, z = -m->radius_in;
    double t = x * way[0] + y * way[1] + z * way[2];
    off[0] = x - t * way[0];
    off[1] = y - t * way[1];
    off[2] = z - t * way[2];
    return sqrt(vec3_dot(off, off));
}

// The share of a pixel that lies on the near side of a border, which it is so far beyond, in a picture of such a blur.
static double covered(double beyond_in, double blur_in)
{
    double z = EDGE_STEEPNESS * beyond_in / blur_in;
    return fabs(z) > EVEN_BEYOND ? z < 0 : 1 / (1 + exp(z));
}

static double shadow_blur_in(const struct sphere_window *w, double radius_in, int kind)
{
    double soft_in = radius_in * w->penumbra;
    return sqrt(w->blur_in[kind] * w->blur_in[kind] + soft_in * soft_in);
}

// Brightness follows where the surface faces, to first order: under any light a dull ball has little more (Ramamoorthi,
// Hanrahan 2001). The sky that the sphere hides is the form factor of a sphere.
void sphere_pixel_of(struct sphere_pixel *out, const struct sphere_window *w, const struct sphere_model *m,
                     const struct sphere_sample *p)
{
    double x = p->floor.x - m->at.x, y = p->floor.y - m->at.y, r = m->radius_in;
    bool shaded = w->shadows && !m->bare;
    out->pass_in = nearest_pass(out->off, m, p->floor, p->sight);
    out->lamp_pass_in = 0;
    memset(out->lamp_off, 0, sizeof out->lamp_off); // slopes take it times 0, which of a leftover NaN is not 0
    if (shaded)
        out->lamp_pass_in = nearest_pass(out->lamp_off, m, p->floor, w->lamp);
    double beyond = out->pass_in / r, inside = fmin(beyond, 1), scale = 1 / fmax(out->pass_in, r), brightness = 1;
    out->inwards = sqrt(1 - inside * inside);
    for (int i = 0; i < 3; i++) {
        out->facing[i] = scale * out->off[i] + out->inwards * p->sight[i];
        brightness += m->shine[i] * out->facing[i];
    }
    double far2 = 1 + (x * x + y * y) / (r * r);
    out->sky = m->bare ? 0 : 1 / (far2 * sqrt(far2));
    for (int kind = 0; kind < SPHERE_KINDS; kind++) {
        double ball = m->bare ? 0 : covered(out->pass_in - r, w->blur_in[kind]), bare = 1 - ball;
        double shadow = shaded ? covered(out->lamp_pass_in - r, shadow_blur_in(w, r, kind)) : 0;
        out->part[SPHERE_TOP][kind] = ball * brightness;
        out->part[SPHERE_TOP_X][kind] = ball * scale * out->off[0];
        out->part[SPHERE_TOP_Y][kind] = ball * scale * out->off[1];
        out->part[SPHERE_TOP_RIM][kind] = ball * (inside * inside - 0.5);
        out->part[SPHERE_GROUND][kind] = bare;
        out->part[SPHERE_GROUND_X][kind] = bare * x;
        out->part[SPHERE_GROUND_Y][kind] = bare * y;
        out->part[SPHERE_CONTACT][kind] = bare * out->sky;
        out->part[SPHERE_SHADOW][kind] = bare * shadow;
        out->ball[kind] = ball;
        out->shadow[kind] = shadow;
    }
}

// What the pixel shows, the ring's line and other marbles' shadows taken off as far as it shows the
// floor, where they lie.
static double seen_at(const struct sphere_sample *p, const struct sphere_pixel *at, int channel)
{
    return p->colour[channel] - at->part[SPHERE_GROUND][sphere_kind_of[channel]] * p->off[channel];
}

void sphere_residuals(double out[SPHERE_CHANNELS], const struct sphere_window *w, const struct sphere_model *m,
                      const struct sphere_sample *p, const struct sphere_pixel *at)
{
    for (int c = 0; c < SPHERE_CHANNELS; c++) {
        double left = seen_at(p, at, c);
        for (int k = 0; k < SPHERE_COLUMNS; k++)
            left -= at->part[k][sphere_kind_of[c]] * m->colour[c][k];
        out[c] = left / w->scatter[c];
    }
}

// What the slopes of a pixel for all moves share. The centre goes by a radius along one axis (up: the radius grows by as
// much); what passes it nearest then moves the other way, but for its part along the line, which changes nothing.
struct slope_parts {
    bool met;               // the line of sight meets the sphere
    double inside, scale;   // radii from the middle, at most 1; 1 / inches of the vector to the rim
    double pass, lamp_pass; // nearest passes' change with a move along them
    double inwards;         // how fast the surface turns away, nearing the rim
    double x, y, sky;       // of the floor's place in radii, and of the sky there
    double edge[SPHERE_KINDS], shadow[SPHERE_KINDS], softer[SPHERE_KINDS]; // of the shares covered
};

static struct slope_parts slope_parts_of(const struct sphere_window *w, const struct sphere_model *m,
                                         const struct sphere_sample *p, const struct sphere_pixel *at)
{
    double r = m->radius_in;
    struct slope_parts s = { .met = at->pass_in < r, .inside = 1, .scale = 1 / r };
    if (s.met)
        s.inside = at->pass_in / r;
    else
        s.scale = 1 / at->pass_in;
    s.pass = at->pass_in > 0 ? -r / at->pass_in : 0;
    s.inwards = !s.met ? 0 : -s.inside / (at->inwards > LEAST_INWARDS ? at->inwards : LEAST_INWARDS);
    s.x = (p->floor.x - m->at.x) / r;
    s.y = (p->floor.y - m->at.y) / r;
    s.sky = 3 * at->sky / (1 + s.x * s.x + s.y * s.y);
    for (int kind = 0; kind < SPHERE_KINDS; kind++) {
        double shadow = at->shadow[kind];
        s.edge[kind] = -EDGE_STEEPNESS * at->ball[kind] * (1 - at->ball[kind]) / w->blur_in[kind];
        if (shadow == 0 || shadow == 1)
            continue;
        double blur = shadow_blur_in(w, r, kind), soft = r * w->penumbra / blur;
        s.lamp_pass = -r / at->lamp_pass_in;
        s.shadow[kind] = -EDGE_STEEPNESS * shadow * (1 - shadow) / blur;
        s.softer[kind] = soft * soft * (at->lamp_pass_in - r);
    }
    return s;
}

// How the geometry of a pixel changes with a move.
struct pixel_slope {
    double brightness, x, y, rim; // of the sphere's surface
    double sky;
    double ball[SPHERE_KINDS], shadow[SPHERE_KINDS]; // covered shares
};

static struct pixel_slope slope_of(const struct slope_parts *s, const struct sphere_model *m,
                                   const struct sphere_sample *p, const struct sphere_pixel *at, int move)
{
    double r = m->radius_in, grow = move == SPHERE_GROW, pass = s->pass * at->off[move], rim[3];
    double to_rim = pass / r - s->inside * grow, stretch = s->met ? grow : pass * s->scale;
    struct pixel_slope out = { .rim = s->met ? 2 * s->inside * to_rim : 0 };
    for (int i = 0; i < 3; i++) {
        rim[i] = s->scale * (r * (p->sight[move] * p->sight[i] - (i == move)) - stretch * at->off[i]);
        out.brightness += m->shine[i] * (rim[i] + s->inwards * to_rim * p->sight[i]);
    }
    out.x = rim[0];
    out.y = rim[1];
    out.sky = s->sky * (grow > 0 ? s->x * s->x + s->y * s->y : move == SPHERE_X ? s->x : s->y);
    for (int kind = 0; kind < SPHERE_KINDS; kind++) {
        out.ball[kind] = s->edge[kind] * (pass - grow * r);
        out.shadow[kind] = s->shadow[kind] * (s->lamp_pass * at->lamp_off[move] - grow * (r + s->softer[kind]));
    }
    return out;
}

void sphere_slopes(double out[SPHERE_LIT_MOVES][SPHERE_CHANNELS], const struct sphere_window *w,
                   const struct sphere_model *m, const struct sphere_sample *p, const struct sphere_pixel *at,
                   int moves)
{
    const struct slope_parts parts = slope_parts_of(w, m, p, at);
    double step[SPHERE_CHANNELS]; // from the floor up to the sphere
    for (int c = 0; c < SPHERE_CHANNELS; c++) {
        int kind = sphere_kind_of[c];
        double ball = at->ball[kind], top = 0, ground = 0;
        for (int k = SPHERE_TOP; k < SPHERE_GROUND; k++)
            top += at->part[k][kind] * m->colour[c][k];
        for (int k = SPHERE_GROUND; k < SPHERE_COLUMNS; k++)
            ground += at->part[k][kind] * m->colour[c][k];
        step[c] = (ball > 0 ? top / ball : 0) - (ball < 1 ? ground / (1 - ball) : 0) - p->off[c];
    }
    for (int move = 0; move < SPHERE_MOVES; move++) {
        struct pixel_slope s = slope_of(&parts, m, p, at, move);
        for (int c = 0; c < SPHERE_CHANNELS; c++) {
            int kind = sphere_kind_of[c];
            const double *of = m->colour[c];
            double top = s.brightness * of[SPHERE_TOP] + s.x * of[SPHERE_TOP_X] + s.y * of[SPHERE_TOP_Y] +
                         s.rim * of[SPHERE_TOP_RIM];
            double ground = s.sky * of[SPHERE_CONTACT] + s.shadow[kind] * of[SPHERE_SHADOW];
            if (move != SPHERE_GROW)
                ground -= m->radius_in * of[SPHERE_GROUND_X + move];
            out[move][c] =
                -(s.ball[kind] * step[c] + at->ball[kind] * top + (1 - at->ball[kind]) * ground) / w->scatter[c];
        }
    }
    for (int move = SPHERE_SHINE; move < moves; move++)
        for (int c = 0; c < SPHERE_CHANNELS; c++)
            out[move][c] = -at->ball[sphere_kind_of[c]] * at->facing[move - SPHERE_SHINE] * m->colour[c][SPHERE_TOP] /
                           w->scatter[c];
}

void sphere_sum_up(struct sphere_sums *out, struct sphere_pixel pixel[SPHERE_SAMPLES], const struct sphere_window *w,
                   const struct sphere_model *m)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < w->n; i++) {
        const struct sphere_sample *p = &w->sample[i];
        if (p->weight == 0)
            continue;
        sphere_pixel_of(&pixel[i], w, m, p);
        double(*part)[SPHERE_KINDS] = pixel[i].part;
        for (int k = 0; k < SPHERE_COLUMNS; k++) {
            double luma = p->weight * part[k][SPHERE_LUMA], chroma = p->weight * part[k][SPHERE_CHROMA];
            for (int l = 0; l <= k; l++) {
                out->squares[k][l][SPHERE_LUMA] += luma * part[l][SPHERE_LUMA];
                out->squares[k][l][SPHERE_CHROMA] += chroma * part[l][SPHERE_CHROMA];
            }
        }
        for (int c = 0; c < SPHERE_CHANNELS; c++) {
            double seen = seen_at(p, &pixel[i], c), weighed = p->weight * seen;
            for (int k = 0; k < SPHERE_COLUMNS; k++)
                out->products[c][k] += part[k][sphere_kind_of[c]] * weighed;
            out->seen2[c] += weighed * seen;
        }
        out->ball += p->weight * pixel[i].ball[SPHERE_LUMA];
    }
}

// What is believed of a column's colour before anything is seen.
struct belief {
    double value, information; // 1 / variance
};

static struct belief belief_of(const struct sphere_window *w, int column, int channel)
{
    const struct sphere_light *l = &w->scene->light;
    const struct marble_tuning *t = w->scene->tuning;
    double value = 0, sigma = 0;
    if (column == SPHERE_TOP || column == SPHERE_GROUND)
        return (struct belief){ 0, UNKNOWN };
    if (column < SPHERE_GROUND) {
        sigma = channel == 0 ? t->usual_shading : t->usual_tint;
    } else if (column < SPHERE_CONTACT) {
        sigma = t->usual_slope;
    } else if (column == SPHERE_CONTACT) {
        value = l->contact[channel];
        sigma = l->contact_sigma[channel];
    } else { // without shadows nothing shows it: any firm belief keeps it at nought
        value = w->shadows ? l->shade[channel] : 0;
        sigma = w->shadows ? l->shade_sigma[channel] : 1;
    }
    return (struct belief){ value, 1 / (sigma * sigma) };
}

static double information_of(const struct sphere_window *w, int channel)
{
    return 1 / (w->scatter[channel] * w->scatter[channel] * w->scene->tuning->correlated_pixels);
}

void sphere_colour_matrix(double A[SPHERE_COLUMNS][SPHERE_COLUMNS], const struct sphere_sums *sums,
                          const struct sphere_window *w, int channel)
{
    double information = information_of(w, channel);
    for (int k = 0; k < SPHERE_COLUMNS; k++) {
        for (int l = 0; l <= k; l++)
            A[k][l] = A[l][k] = information * sums->squares[k][l][sphere_kind_of[channel]];
        A[k][k] += belief_of(w, k, channel).information;
    }
}

// The sum of squares that is left: of what is seen, less twice what it has in common with the model, and the model's own.
static double misfit_of(const struct sphere_model *m, const struct sphere_sums *sums, const struct sphere_window *w,
                        int c)
{
    const double *colour = m->colour[c];
    double left = sums->seen2[c], beliefs = 0;
    for (int k = 0; k < SPHERE_COLUMNS; k++) {
        bool absent = (k == SPHERE_SHADOW && (m->bare || !w->shadows)) || (k == SPHERE_CONTACT && m->bare);
        struct belief known = belief_of(w, k, c);
        double off = colour[k] - known.value;
        beliefs += absent ? 0 : off * off * known.information;
        left += colour[k] * (sums->squares[k][k][sphere_kind_of[c]] * colour[k] - 2 * sums->products[c][k]);
        for (int l = 0; l < k; l++)
            left += 2 * colour[k] * sums->squares[k][l][sphere_kind_of[c]] * colour[l];
    }
    return (left * information_of(w, c) + beliefs) / 2;
}

bool sphere_solve_colours(struct sphere_evidence *out, struct sphere_model *m, const struct sphere_sums *sums,
                          const struct sphere_window *w)
{
    for (int c = 0; c < SPHERE_CHANNELS; c++) {
        double A[SPHERE_COLUMNS][SPHERE_COLUMNS], b[SPHERE_COLUMNS];
        sphere_colour_matrix(A, sums, w, c);
        for (int k = 0; k < SPHERE_COLUMNS; k++) {
            struct belief known = belief_of(w, k, c);
            b[k] = information_of(w, c) * sums->products[c][k] + known.information * known.value;
        }
        if (!cholesky_solve(m->colour[c], A[0], b, SPHERE_COLUMNS))
            return false;
        if (out)
            out->misfit[c] = misfit_of(m, sums, w, c);
    }
    if (out)
        out->ball = sums->ball;
    return true;
}

bool sphere_suit_colours(struct sphere_evidence *out, struct sphere_model *m, const struct sphere_window *w)
{
    struct sphere_pixel pixel[SPHERE_SAMPLES];
    struct sphere_sums sums;
    sphere_sum_up(&sums, pixel, w, m);
    return sphere_solve_colours(out, m, &sums, w);
}

static bool take_sample(struct sphere_sample *p, const struct sphere_window *w, struct pt_px at,
                        const struct sphere_model *others, int n)
{
    const struct sphere_scene *s = w->scene;
    const struct camera *c = &s->pose->camera;
    struct pt_in ahead;
    if (!camera_locate(&p->floor, c, at, 0) || !camera_locate(&ahead, c, at, 1) ||
        !colour_at(p->colour, s->frame, at.u, at.v))
        return false;
    p->sight[0] = ahead.x - p->floor.x;
    p->sight[1] = ahead.y - p->floor.y;
    p->sight[2] = 1;
    vec3_normalise(p->sight);
    line_appearance_at(p->off, s->line, p->floor);
    for (int i = 0; i < n; i++) {
        const struct sphere_model *o = &others[i];
        double pass[3], r = o->radius_in;
        if (nearest_pass(pass, o, p->floor, p->sight) < r + s->tuning->neighbour_clear * w->blur_in[SPHERE_LUMA])
            return false; // the pixel is on that marble
        double beyond_in = w->shadows ? nearest_pass(pass, o, p->floor, w->lamp) - r : INFINITY;
        for (int k = 0; k < SPHERE_CHANNELS; k++) // how its shadow darkens the floor there
            p->off[k] += o->colour[k][SPHERE_SHADOW] * covered(beyond_in, shadow_blur_in(w, r, sphere_kind_of[k]));
    }
    p->weight = 1;
    return true;
}

// The scatter of struct sphere_window, from the scatter of single pixels: the error that they share
// stays, of the noise that each has by itself the mean of correlated_pixels is left.
static double of_shared_error(const struct sphere_window *w, int channel, double scatter)
{
    double noise2 = pow(w->scene->noise[channel], 2), shared2 = fmax(scatter * scatter - noise2, 0);
    return sqrt(shared2 + noise2 / w->scene->tuning->correlated_pixels);
}

static void measure_scatter(struct sphere_window *w, const struct sphere_model *m)
{
    static const double all_ground = 0.95, no_shadow = 0.05; // of a pixel
    double off[SPHERE_CHANNELS][SPHERE_SAMPLES];
    int n = 0;
    for (int i = 0; i < w->n; i++) {
        struct sphere_pixel at;
        double r[SPHERE_CHANNELS];
        sphere_pixel_of(&at, w, m, &w->sample[i]);
        if (at.part[SPHERE_GROUND][SPHERE_CHROMA] < all_ground || at.part[SPHERE_SHADOW][SPHERE_CHROMA] > no_shadow)
            continue;
        sphere_residuals(r, w, m, &w->sample[i], &at);
        for (int c = 0; c < SPHERE_CHANNELS; c++)
            off[c][n] = fabs(r[c]) * w->scatter[c];
        n++;
    }
    // A carpet is as rough here as elsewhere: where it looks smoother, a JPEG has taken its texture off, wrong by as much.
    double least = w->scene->tuning->least_scatter;
    w->ground_seen = n > w->scene->tuning->least_ground;
    for (int c = 0; c < SPHERE_CHANNELS; c++) {
        double scatter = w->ground_seen ? of_shared_error(w, c, MAD_TO_SIGMA * median_of(off[c], n)) : 2 * least;
        w->scatter[c] = fmax(scatter, fmax(w->scene->carpet[c], least));
    }
}

bool sphere_window_open(struct sphere_window *w, const struct sphere_scene *s, struct sphere_model *m, double reach_in,
                        const struct sphere_model *others, int n)
{
    enum { PLACES = 24 };
    struct px_box box = px_box_empty();
    double scale = camera_scale_px_per_in(&s->pose->camera, surface_at(m->at));
    if (!(scale > 0))
        return false;
    // In turn: on the floor around it, as high as it is, around where its shadow falls.
    for (int k = 0; k < PLACES; k++) {
        double angle = 2 * PI * k / PLACES, shade = k % 3 == 2 ? m->radius_in : 0;
        struct pt3_in at = { m->at.x + shade * s->light.x + reach_in * cos(angle),
                             m->at.y + shade * s->light.y + reach_in * sin(angle), k % 3 == 1 ? 2 * m->radius_in : 0 };
        if (!px_box_take(&box, &s->pose->camera, at))
            return false;
    }
    sphere_window_light(w, s);
    w->n = 0;
    w->blur_in[SPHERE_LUMA] = s->blur_px / scale;
    w->blur_in[SPHERE_CHROMA] = hypot(s->blur_px, s->tuning->subsampled_px) / scale;
    for (int c = 0; c < SPHERE_CHANNELS; c++)
        w->scatter[c] = 2 * s->tuning->least_scatter;
    double stride = px_box_stride(&box, SPHERE_SAMPLES);
    for (double v = ceil(box.low.v); v <= box.high.v; v += stride)
        for (double u = ceil(box.low.u); u <= box.high.u && w->n < SPHERE_SAMPLES; u += stride)
            w->n += take_sample(&w->sample[w->n], w, (struct pt_px){ u, v }, others, n);
    if (w->n < s->tuning->least_samples || !sphere_suit_colours(NULL, m, w))
        return false;
    measure_scatter(w, m);
    return true;
}

void sphere_window_thin(struct sphere_window *out, const struct sphere_window *w, int most)
{
    *out = *w;
    double step = fmax(1, (double)w->n / most);
    for (out->n = 0; out->n < most && out->n * step < w->n; out->n++)
        out->sample[out->n] = w->sample[(int)(out->n * step)];
}
