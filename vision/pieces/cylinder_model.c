// SPDX-License-Identifier: MIT
#include "vision/pieces/cylinder_model.h"

#include <math.h>

#include "calibration/algebra.h"
#include "calibration/least_squares.h"

static const double RIM_OUT = 0.46, RIM_UP = 0.85; // mean normal of an edge rounded up to 60 degrees

double *cylinder_model_number(struct cylinder_view *s, int k)
{
    double *number[MODEL_NUMBERS] = { &s->at.x, &s->at.y, &s->grow_in, &s->rounding_in, &s->blur_in };
    return number[k];
}

static void shade(struct shading *out, const struct cylinder_pixels *p, const struct cylinder_view *s,
                  const struct pixel_sample *pixel, const double share[CYLINDER_PARTS])
{
    *out = (struct shading){ .rim = 0 };
    if (share[CYLINDER_GROUND] < 1) {
        struct pt_in top = cylinder_sight_at(&pixel->sight, s->shape->height_in);
        struct pt_in off = out->from_top = (struct pt_in){ top.x - s->at.x, top.y - s->at.y };
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
    if (share[CYLINDER_GROUND] > 0)
        out->ground = fmin(pixel->lit, cylinder_light_beside(&p->light, s, pixel->sight.low));
    if (share[CYLINDER_FLOOR] > 0)
        out->floor = cylinder_light_in_hole(&p->light, s, pixel->sight.low);
}

static void parts_of(double part[PARTS], const double share[CYLINDER_PARTS], const struct shading *is,
                     struct pt_in from_middle)
{
    part[PART_TOP] = share[CYLINDER_TOP] + is->rim * share[CYLINDER_RIM] + is->side * share[CYLINDER_SIDE] +
                     is->wall * share[CYLINDER_WALL];
    part[PART_GROUND] = is->ground * share[CYLINDER_GROUND];
    part[PART_FLOOR] = is->floor * share[CYLINDER_FLOOR];
    part[PART_SIDE] = share[CYLINDER_SIDE];
    part[PART_WALL] = share[CYLINDER_WALL];
    part[PART_GROUND_X] = part[PART_GROUND] * from_middle.x;
    part[PART_GROUND_Y] = part[PART_GROUND] * from_middle.y;
    part[PART_TOP_X] = part[PART_TOP] * is->from_top.x;
    part[PART_TOP_Y] = part[PART_TOP] * is->from_top.y;
    part[PART_SIDE_UP] = part[PART_SIDE] * is->side_up;
}

static struct pt_in from_middle(const struct cylinder_pixels *p, int i)
{
    struct pt_in low = p->w.sample[i].sight.low;
    return (struct pt_in){ low.x - p->middle.x, low.y - p->middle.y };
}

void cylinder_model_place(struct cylinder_pixels *p, const struct cylinder_model *m)
{
    const struct cylinder_view *s = &m->view;
    for (int i = 0; i < p->w.n; i++) {
        const struct pixel_sample *pixel = &p->w.sample[i];
        struct shown *is = &p->shown[i];
        double in_chroma[CYLINDER_PARTS];
        cylinder_borders_at(is->border, s, &pixel->sight);
        cylinder_covers(is->cover[LUMA], is->border, s->blur_in);
        cylinder_covers(is->cover[CHROMA], is->border, p->chroma_blur * s->blur_in);
        cylinder_shares(is->share, is->cover[LUMA]);
        cylinder_shares(in_chroma, is->cover[CHROMA]);
        shade(&is->shading, p, s, pixel, in_chroma);
        parts_of(is->part[LUMA], is->share, &is->shading, from_middle(p, i));
        parts_of(is->part[CHROMA], in_chroma, &is->shading, from_middle(p, i));
        is->parts = 0;
        for (int k = 0; k < PARTS; k++)
            if (is->part[CHROMA][k] != 0 || is->part[LUMA][k] != 0)
                is->used[is->parts++] = k;
    }
}

void cylinder_model_ahead(double part[MODEL_CHANNELS][PARTS], const struct cylinder_pixels *w,
                          const struct cylinder_view *now, const struct cylinder_view *ahead, int k, int i)
{
    const struct shown *is = &w->shown[i];
    double border[CYLINDER_BORDERS], share[MODEL_CHANNELS][CYLINDER_PARTS];
    struct shading shading = is->shading;
    if (k != MODEL_BLUR)
        cylinder_borders_at(border, ahead, &w->w.sample[i].sight);
    for (int c = 0; c < MODEL_CHANNELS; c++) {
        double cover[CYLINDER_BORDERS];
        for (int b = 0; b < CYLINDER_BORDERS; b++) {
            double by = k == MODEL_BLUR ? -is->border[b] * MODEL_STEP_IN / ahead->blur_in : border[b] - is->border[b];
            cover[b] = cylinder_cover_moved(is->cover[c][b], by, (c == CHROMA ? w->chroma_blur : 1) * now->blur_in);
        }
        cylinder_shares(share[c], cover);
    }
    if (k < MODEL_GROW) // how it is shaded only a move changes
        shade(&shading, w, ahead, &w->w.sample[i], share[CHROMA]);
    for (int c = 0; c < MODEL_CHANNELS; c++)
        parts_of(part[c], share[c], &shading, from_middle(w, i));
}

static bool paint_channel(struct cylinder_model *m, struct cylinder_pixels *p, int channel)
{
    double A[PARTS][PARTS] = { { 0 } }, b[3][PARTS] = { { 0 } }, *inverse = p->inverse[channel];
    int from = channel == LUMA ? 0 : 1, to = channel == LUMA ? 1 : 3;
    for (int i = 0; i < p->w.n; i++) {
        const struct shown *is = &p->shown[i];
        double slope = p->w.sample[i].slope, weight = p->weight[i] * p->says[i] * slope * slope;
        for (int a = 0; a < is->parts && weight > 0; a++) {
            int k = is->used[a];
            double weighted = weight * is->part[channel][k];
            for (int c = 0; c <= a; c++)
                A[k][is->used[c]] += weighted * is->part[channel][is->used[c]];
            for (int v = from; v < to; v++)
                b[v][k] += weighted * p->w.sample[i].light[v];
        }
    }
    // What is believed of the colours before any pixel is seen: the floor has the ground's, sides are shaded by the light.
    double shaded = p->tuning->fit_shading_belief;
    A[PART_FLOOR][PART_FLOOR] += shaded;
    A[PART_GROUND][PART_GROUND] += shaded;
    A[PART_FLOOR][PART_GROUND] -= shaded;
    A[PART_SIDE][PART_SIDE] += shaded;
    A[PART_WALL][PART_WALL] += shaded;
    for (int k = 0; k < PARTS; k++)
        A[k][k] += k >= PART_TOP_X ? p->tuning->fit_slope_belief : 1e-6;
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
    if (!paint_channel(m, p, LUMA) || !paint_channel(m, p, CHROMA))
        return false;
    cylinder_model_compare(p, m);
    return true;
}

void cylinder_model_compare(struct cylinder_pixels *p, const struct cylinder_model *m)
{
    for (int i = 0; i < p->w.n; i++) {
        const struct pixel_sample *pixel = &p->w.sample[i];
        const struct shown *shown = &p->shown[i];
        for (int v = 0; v < 3; v++) {
            double is = 0;
            for (int a = 0; a < shown->parts; a++)
                is += shown->part[cylinder_channel(v)][shown->used[a]] * m->colour[shown->used[a]][v];
            p->off[i][v] = (pixel->light[v] - is) * pixel->slope;
        }
    }
}

// What the model leaves of pixel i, in units of the ground's scatter: its square.
static double misfit_at(const struct cylinder_pixels *p, int i)
{
    double sum = 0;
    for (int c = 0; c < 3; c++)
        sum += p->off[i][c] * p->off[i][c] / (p->scatter[c] * p->scatter[c]);
    return sum;
}

double cylinder_model_misfit(const struct cylinder_pixels *p, double *weights)
{
    double sum = 0;
    *weights = 0;
    for (int i = 0; i < p->w.n; i++) {
        double weight = p->weight[i] * p->says[i];
        sum += weight * misfit_at(p, i);
        *weights += weight;
    }
    return sum;
}

void cylinder_model_weigh(struct cylinder_pixels *p)
{
    double sizes[WINDOW_SAMPLES];
    for (int i = 0; i < p->w.n; i++)
        p->weight[i] = sizes[i] = sqrt(misfit_at(p, i));
    double scale = fmax(median_of(sizes, p->w.n) / 1.54, 0.5); // median length of a normal 3-vector
    for (int i = 0; i < p->w.n; i++)
        p->weight[i] = tukey_weight(p->weight[i], p->tuning->fit_reach_sigmas * scale);
}
