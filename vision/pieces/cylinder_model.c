// SPDX-License-Identifier: MIT
#include "vision/pieces/cylinder_model.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/least_squares.h"

static const double RIM_OUT = 0.46, RIM_UP = 0.85; // mean normal of an edge rounded up to 60 degrees

double *cylinder_model_number(struct cylinder_view *s, int k)
{
    double *number[MODEL_NUMBERS] = { &s->at.x, &s->at.y, &s->grow_in, &s->rounding_in, &s->blur_in };
    return number[k];
}

static void shade(struct shading *out, const struct cylinder_pixels *p, const struct cylinder_view *s,
                  const struct cylinder_shadow *shadow, const struct pixel_sample *pixel,
                  const double share[CYLINDER_PARTS])
{
    *out = (struct shading){ .rim = 0 };
    if (share[CYLINDER_GROUND] < 1) {
        struct pt_in top = cylinder_sight_at(&pixel->sight, s->shape->height_in);
        struct pt_in off = out->from_top = (struct pt_in){ top.x - s->at.x, top.y - s->at.y };
        if (share[CYLINDER_TOP] == 1) // nothing else shows
            return;
        double far = sqrt(off.x * off.x + off.y * off.y) + 1e-6;
        struct pt3_in rim = { RIM_OUT * off.x / far, RIM_OUT * off.y / far, RIM_UP };
        struct pt3_in wall = { -off.x / far, -off.y / far, 0 };
        out->rim = cylinder_light_shade(&p->light, s->at, rim);
        out->wall = share[CYLINDER_WALL] > 0 ? cylinder_light_shade(&p->light, s->at, wall) : 0;
    }
    if (share[CYLINDER_SIDE] > 0) {
        struct pt3_in side = cylinder_side_at(s, &pixel->sight);
        out->side = cylinder_light_shade(&p->light, s->at, (struct pt3_in){ side.x, side.y, 0 });
        out->side_up = side.z;
    }
    if (share[CYLINDER_GROUND] > 0) {
        double lit = cylinder_light_by_shadow(&p->light, s, shadow, pixel->sight.low);
        out->ground = lit < pixel->lit ? lit : pixel->lit;
    }
    if (share[CYLINDER_FLOOR] > 0)
        out->floor = cylinder_light_in_hole(&p->light, s, pixel->sight.low);
}

// How much of a pixel the top's colour fills.
static double top_of(const double share[CYLINDER_PARTS], const struct shading *is)
{
    return share[CYLINDER_TOP] + is->rim * share[CYLINDER_RIM] + is->side * share[CYLINDER_SIDE] +
           is->wall * share[CYLINDER_WALL];
}

static struct pt_in from_middle(const struct cylinder_pixels *p, int i)
{
    struct pt_in low = p->w.sample[i].sight.low;
    return (struct pt_in){ low.x - p->middle.x, low.y - p->middle.y };
}

static void take_parts(double part[PARTS][WINDOW_SAMPLES], const struct cylinder_pixels *p, const double *share,
                       const struct shading *is, int i)
{
    struct pt_in low = from_middle(p, i);
    double top = top_of(share, is), ground = is->ground * share[CYLINDER_GROUND], side = share[CYLINDER_SIDE];
    part[PART_TOP][i] = top;
    part[PART_GROUND][i] = ground;
    part[PART_SIDE][i] = side;
    part[PART_GROUND_X][i] = ground * low.x;
    part[PART_GROUND_Y][i] = ground * low.y;
    part[PART_TOP_X][i] = top * is->from_top.x;
    part[PART_TOP_Y][i] = top * is->from_top.y;
    part[PART_SIDE_UP][i] = side * is->side_up;
    if (p->parts == PARTS_WITHOUT_HOLE)
        return;
    part[PART_FLOOR][i] = is->floor * share[CYLINDER_FLOOR];
    part[PART_WALL][i] = share[CYLINDER_WALL];
}

void cylinder_model_look_at(struct cylinder_pixels *p, int n)
{
    p->n = n;
    p->each = (double)p->w.n / n;
    for (int i = 0; i < n; i++)
        p->slope[i] = p->w.sample[i].slope;
}

// The grain of a known empty board is no colour that is fitted: it is taken out where the board is seen.
static void take_grain_out(struct cylinder_pixels *p, int i)
{
    const struct pixel_sample *pixel = &p->w.sample[i];
    for (int v = 0; v < 3; v++)
        p->seen[v][i] = pixel->light[v] - p->part[cylinder_channel(v)][PART_GROUND][i] * pixel->grain[v];
}

static void show_only(struct shown *out, int part)
{
    memset(out->share, 0, sizeof out->share);
    out->share[LUMA][part] = out->share[CHROMA][part] = 1;
}

// What of each border covers a pixel. Where no border is near it shows one thing alone, as most do, and no slope is asked for.
static void place_borders(struct shown *is, const struct cylinder_pixels *p, const struct cylinder_view *s,
                          const struct sight *sight)
{
    const double reach_in = cylinder_cover_reach_in(p->chroma_blur * s->blur_in);
    if (cylinder_clearance(s, sight) - s->grow_in > reach_in) {
        show_only(is, CYLINDER_GROUND);
        return;
    }
    cylinder_borders_at(is->border, s, sight);
    if (is->border[BORDER_FLAT] < -reach_in && s->shape->hole_in <= 0) { // the others lie outside of it
        show_only(is, CYLINDER_TOP);
        return;
    }
    for (int c = 0; c < MODEL_CHANNELS; c++) {
        cylinder_covers(is->cover[c], is->border, (c == CHROMA ? p->chroma_blur : 1) * s->blur_in);
        cylinder_shares(is->share[c], is->cover[c]);
    }
}

void cylinder_model_place(struct cylinder_pixels *p, const struct cylinder_model *m)
{
    const struct cylinder_view *s = &m->view;
    const struct cylinder_shadow shadow = cylinder_shadow_of(&p->light, s);
    p->parts = s->shape->hole_in > 0 ? PARTS : PARTS_WITHOUT_HOLE;
    for (int i = 0; i < p->n; i++) {
        const struct pixel_sample *pixel = &p->w.sample[i];
        struct shown *is = &p->shown[i];
        place_borders(is, p, s, &pixel->sight);
        shade(&is->shading, p, s, &shadow, pixel, is->share[CHROMA]);
        for (int c = 0; c < MODEL_CHANNELS; c++)
            take_parts(p->part[c], p, is->share[c], &is->shading, i);
        take_grain_out(p, i);
    }
}

struct cylinder_ahead cylinder_model_ahead(const struct cylinder_pixels *p, const struct cylinder_model *m)
{
    struct cylinder_ahead out = { .rounder = m->view };
    out.rounder.rounding_in += MODEL_STEP_IN;
    for (int k = 0; k < MODEL_GROW; k++) {
        out.moved[k] = m->view;
        *cylinder_model_number(&out.moved[k], k) += MODEL_STEP_IN;
        out.shadow[k] = cylinder_shadow_of(&p->light, &out.moved[k]);
    }
    return out;
}

// How much more of each border is covered, an inch of each number more.
static void cover_slopes(double out[MODEL_CHANNELS][MODEL_NUMBERS][CYLINDER_BORDERS], const struct cylinder_pixels *p,
                         const struct cylinder_view *s, const struct cylinder_view *rounder, int borders, int i)
{
    const struct shown *is = &p->shown[i];
    double moves[CYLINDER_BORDERS][BORDER_SLOPES], rounded[CYLINDER_BORDERS];
    cylinder_border_slopes(moves, s, &p->w.sample[i].sight);
    cylinder_borders_at(rounded, rounder, &p->w.sample[i].sight);
    for (int c = 0; c < MODEL_CHANNELS; c++)
        for (int b = 0; b < borders; b++) {
            double cover = is->cover[c][b];
            double steep = -EDGE_STEEPNESS * cover * (1 - cover) / ((c == CHROMA ? p->chroma_blur : 1) * s->blur_in);
            for (int k = 0; k < BORDER_SLOPES; k++)
                out[c][k][b] = steep * moves[b][k];
            out[c][MODEL_ROUNDING][b] = steep * (rounded[b] - is->border[b]) / MODEL_STEP_IN;
            out[c][MODEL_BLUR][b] = steep * -is->border[b] / s->blur_in;
        }
}

void cylinder_model_slopes(double slope[MODEL_NUMBERS][3], const struct cylinder_pixels *p,
                           const struct cylinder_model *m, const struct cylinder_ahead *ahead, int i)
{
    const struct shown *is = &p->shown[i];
    const struct shading *now = &is->shading;
    const int borders = p->parts == PARTS ? CYLINDER_BORDERS : BORDER_HOLE;
    struct pt_in low = from_middle(p, i);
    struct shading then[MODEL_GROW];
    double covers[MODEL_CHANNELS][MODEL_NUMBERS][CYLINDER_BORDERS];
    cover_slopes(covers, p, &m->view, &ahead->rounder, borders, i);
    for (int k = 0; k < MODEL_GROW; k++) // how it is shaded only a move changes
        shade(&then[k], p, &ahead->moved[k], &ahead->shadow[k], &p->w.sample[i], is->share[CHROMA]);
    for (int v = 0; v < 3; v++) {
        const double *share = is->share[cylinder_channel(v)], *cover = is->cover[cylinder_channel(v)];
        double colour[PARTS], inner[CYLINDER_BORDERS]; // what there is more of inside each border
        for (int a = 0; a < PARTS; a++)
            colour[a] = m->colour[a][v];
        double top = colour[PART_TOP] + now->from_top.x * colour[PART_TOP_X] + now->from_top.y * colour[PART_TOP_Y];
        double ground = colour[PART_GROUND] + low.x * colour[PART_GROUND_X] + low.y * colour[PART_GROUND_Y] +
                        p->w.sample[i].grain[v];
        double side = now->side * top + colour[PART_SIDE] + now->side_up * colour[PART_SIDE_UP];
        double wall = now->wall * top + colour[PART_WALL], rim = now->rim * top;
        bool flat = cover[BORDER_FLAT] > cover[BORDER_HOLE];
        inner[BORDER_OUTLINE] = side - now->ground * ground;
        inner[BORDER_TOP] = rim - side;
        inner[BORDER_FLAT] = flat ? top - rim : 0;
        inner[BORDER_HOLE] = wall - (flat ? top : rim);
        inner[BORDER_THROUGH] = now->floor * colour[PART_FLOOR] - wall;
        for (int k = 0; k < MODEL_NUMBERS; k++) {
            slope[k][v] = 0;
            for (int b = 0; b < borders; b++)
                slope[k][v] += inner[b] * covers[cylinder_channel(v)][k][b];
        }
        for (int k = 0; k < MODEL_GROW; k++) {
            const struct shading *is_then = &then[k];
            double more = share[CYLINDER_RIM] * (is_then->rim - now->rim) * top +
                          share[CYLINDER_SIDE] * ((is_then->side - now->side) * top +
                                                  (is_then->side_up - now->side_up) * colour[PART_SIDE_UP]) +
                          share[CYLINDER_GROUND] * (is_then->ground - now->ground) * ground +
                          top_of(share, now) * ((is_then->from_top.x - now->from_top.x) * colour[PART_TOP_X] +
                                                (is_then->from_top.y - now->from_top.y) * colour[PART_TOP_Y]);
            if (borders == CYLINDER_BORDERS)
                more += share[CYLINDER_WALL] * (is_then->wall - now->wall) * top +
                        share[CYLINDER_FLOOR] * (is_then->floor - now->floor) * colour[PART_FLOOR];
            slope[k][v] += more / MODEL_STEP_IN;
        }
    }
}

static bool paint_channel(struct cylinder_model *m, struct cylinder_pixels *p, int channel,
                          const double weight[WINDOW_SAMPLES])
{
    double A[PARTS][PARTS] = { { 0 } }, b[3][PARTS] = { { 0 } }, *inverse = p->inverse[channel];
    double weighted[WINDOW_SAMPLES];
    int from = channel == LUMA ? 0 : 1, to = channel == LUMA ? 1 : 3;
    for (int k = 0; k < p->parts; k++) {
        const double *part = p->part[channel][k];
        for (int i = 0; i < p->n; i++)
            weighted[i] = weight[i] * part[i];
        for (int l = 0; l <= k; l++)
            A[k][l] = cylinder_dot(weighted, p->part[channel][l], p->n);
        for (int v = from; v < to; v++)
            b[v][k] = cylinder_dot(weighted, p->seen[v], p->n);
    }
    // What is believed of the colours before any pixel is seen: the floor has the ground's, sides are shaded by the light.
    double shaded = p->tuning->fit_shading_belief, even = p->tuning->fit_slope_belief;
    const double belief[PARTS] = {
        [PART_TOP] = 1e-6,          [PART_GROUND] = shaded + 1e-6, [PART_SIDE] = shaded + 1e-6,
        [PART_GROUND_X] = 1e-6,     [PART_GROUND_Y] = 1e-6,        [PART_TOP_X] = even,
        [PART_TOP_Y] = even,        [PART_SIDE_UP] = even,         [PART_FLOOR] = shaded + 1e-6,
        [PART_WALL] = shaded + 1e-6
    };
    A[PART_FLOOR][PART_GROUND] -= shaded;
    for (int k = 0; k < PARTS; k++)
        A[k][k] += belief[k];
    if (!cholesky_invert(inverse, &A[0][0], PARTS))
        return false;
    for (int k = 0; k < PARTS; k++)
        for (int v = from; v < to; v++) {
            m->colour[k][v] = 0;
            for (int l = 0; l < PARTS; l++)
                m->colour[k][v] += inverse[k * PARTS + l] * b[v][l];
        }
    return true;
}

bool cylinder_model_paint(struct cylinder_model *m, struct cylinder_pixels *p)
{
    double weight[WINDOW_SAMPLES];
    for (int i = 0; i < p->n; i++)
        weight[i] = p->weight[i] * p->says[i] * p->slope[i] * p->slope[i];
    if (!paint_channel(m, p, LUMA, weight) || !paint_channel(m, p, CHROMA, weight))
        return false;
    cylinder_model_compare(p, m);
    return true;
}

static inline void compare_parts(double *restrict off, const double part[PARTS][WINDOW_SAMPLES],
                                 const struct cylinder_pixels *p, const struct cylinder_model *m, int v, int parts)
{
    for (int i = 0; i < p->n; i++) {
        double is = 0;
        for (int a = 0; a < parts; a++)
            is += part[a][i] * m->colour[a][v];
        off[i] = (p->seen[v][i] - is) * p->slope[i];
    }
}

void cylinder_model_compare(struct cylinder_pixels *p, const struct cylinder_model *m)
{
    for (int v = 0; v < 3; v++) {
        const double(*part)[WINDOW_SAMPLES] = (const double(*)[WINDOW_SAMPLES])p->part[cylinder_channel(v)];
        if (p->parts == PARTS) // constants, so that the loop is one over pixels
            compare_parts(p->off[v], part, p, m, v, PARTS);
        else
            compare_parts(p->off[v], part, p, m, v, PARTS_WITHOUT_HOLE);
    }
}

// What the model leaves of pixel i, in units of the ground's scatter: its square.
static double misfit_at(const struct cylinder_pixels *p, int i)
{
    double sum = 0;
    for (int c = 0; c < 3; c++)
        sum += p->off[c][i] * p->off[c][i] / (p->scatter[c] * p->scatter[c]);
    return sum;
}

double cylinder_model_misfit(const struct cylinder_pixels *p, double *weights)
{
    double sum = 0;
    *weights = 0;
    for (int i = 0; i < p->n; i++) {
        double weight = p->weight[i] * p->says[i];
        sum += weight * misfit_at(p, i);
        *weights += weight;
    }
    return sum;
}

void cylinder_model_weigh(struct cylinder_pixels *p)
{
    double sizes[WINDOW_SAMPLES];
    for (int i = 0; i < p->n; i++)
        p->weight[i] = sizes[i] = sqrt(misfit_at(p, i));
    double reach = p->tuning->fit_reach_sigmas * robust_sigma_of_lengths(sizes, p->n, 0.5);
    for (int i = 0; i < p->n; i++)
        p->weight[i] = tukey_weight(p->weight[i], reach);
}
