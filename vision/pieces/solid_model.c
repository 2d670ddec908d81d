// SPDX-License-Identifier: MIT
#include "vision/pieces/solid_model.h"

#include <math.h>

#include "calibration/algebra.h"

static const double RIM_OUT = 0.46, RIM_UP = 0.85; // mean normal of an edge rounded up to 60 degrees
static const double RIDGE = 0.7;                   // pixels' worth of belief that sides are shaded as the light says
static const double SLOPE_RIDGE = 0.3; // and that a part has one colour, for a slope of all of it in an inch
static const double TUKEY_SIGMAS = 6;  // wood is not Gaussian: wider than the textbook's 4.685

// The light's share that falls on what a pixel shows.
struct shading {
    double rim, side, wall, ground, floor;
};

static struct shading shading_at(const struct solid_pixels *p, const struct solid_stand *s, const struct sample *pixel,
                                 const double share[SOLID_PARTS], struct pt3_in pose, struct pt_in out)
{
    struct shading is = { 0 };
    if (share[SOLID_RIM] > 0)
        is.rim = solid_light_shade(&p->light, (struct pt3_in){ RIM_OUT * out.x, RIM_OUT * out.y, RIM_UP });
    if (share[SOLID_SIDE] > 0)
        is.side = solid_light_shade(&p->light, (struct pt3_in){ pose.x, pose.y, 0 });
    if (share[SOLID_WALL] > 0)
        is.wall = solid_light_shade(&p->light, (struct pt3_in){ -out.x, -out.y, 0 });
    if (share[SOLID_GROUND] > 0)
        is.ground = fmin(pixel->lit, solid_light_beside(&p->light, s, pixel->low));
    if (share[SOLID_FLOOR] > 0)
        is.floor = solid_light_in_hole(&p->light, s, pixel->low);
    return is;
}

static void parts_of(double part[PARTS], const double share[SOLID_PARTS], const struct shading *is)
{
    part[PART_TOP] =
        share[SOLID_TOP] + is->rim * share[SOLID_RIM] + is->side * share[SOLID_SIDE] + is->wall * share[SOLID_WALL];
    part[PART_GROUND] = is->ground * share[SOLID_GROUND];
    part[PART_FLOOR] = is->floor * share[SOLID_FLOOR];
    part[PART_SIDE] = share[SOLID_SIDE];
    part[PART_WALL] = share[SOLID_WALL];
}

void solid_model_parts(double share[SOLID_PARTS], double part[CHANNELS][PARTS], const struct solid_pixels *p,
                       const struct solid_model *m, int i)
{
    const struct solid_stand *s = &m->stand;
    const struct sample *pixel = &p->w.sample[i];
    struct solid_borders borders;
    double in_chroma[SOLID_PARTS];
    solid_borders_at(&borders, s, pixel->low);
    solid_shares(share, s, &borders, s->blur_in);
    solid_shares(in_chroma, s, &borders, p->chroma_blur * s->blur_in);
    struct pt3_in pose = solid_side_at(s, pixel->low);
    struct pt_in top = solid_sight_at(s, pixel->low, s->solid->height_in), off = { top.x - s->at.x, top.y - s->at.y };
    double far = fmax(sqrt(off.x * off.x + off.y * off.y), 1e-6);
    struct shading is = shading_at(p, s, pixel, in_chroma, pose, (struct pt_in){ off.x / far, off.y / far });
    parts_of(part[LUMA], share, &is);
    parts_of(part[CHROMA], in_chroma, &is);
    for (int c = 0; c < CHANNELS; c++) {
        part[c][PART_GROUND_X] = part[c][PART_GROUND] * (pixel->low.x - p->middle.x);
        part[c][PART_GROUND_Y] = part[c][PART_GROUND] * (pixel->low.y - p->middle.y);
        part[c][PART_TOP_X] = part[c][PART_TOP] * off.x;
        part[c][PART_TOP_Y] = part[c][PART_TOP] * off.y;
        part[c][PART_SIDE_UP] = part[c][PART_SIDE] * pose.z;
    }
}

void solid_model_place(struct solid_pixels *p, const struct solid_model *m)
{
    for (int i = 0; i < p->w.n; i++)
        solid_model_parts(p->share[i], p->part[i], p, m, i);
}

void solid_model_residual(double out[3], const struct solid_pixels *p, const struct solid_model *m, int i)
{
    const struct sample *pixel = &p->w.sample[i];
    for (int v = 0; v < 3; v++) {
        const double *part = p->part[i][solid_channel(v)];
        double is = 0;
        for (int k = 0; k < PARTS; k++)
            is += part[k] * m->colour[k][v];
        out[v] = (pixel->light[v] - is) * pixel->slope / p->scatter[v];
    }
}

// What is believed of the colours before any pixel is seen.
static void believe(double A[PARTS * PARTS])
{
    A[PART_FLOOR * PARTS + PART_FLOOR] += RIDGE; // the floor has the ground's colour
    A[PART_GROUND * PARTS + PART_GROUND] += RIDGE;
    A[PART_FLOOR * PARTS + PART_GROUND] -= RIDGE;
    A[PART_GROUND * PARTS + PART_FLOOR] -= RIDGE;
    A[PART_SIDE * PARTS + PART_SIDE] += RIDGE;
    A[PART_WALL * PARTS + PART_WALL] += RIDGE;
    for (int k = 0; k < PARTS; k++)
        A[k * PARTS + k] += k >= PART_TOP_X ? SLOPE_RIDGE : 1e-6;
}

static bool paint_channel(struct solid_model *m, struct solid_pixels *p, int channel)
{
    double A[PARTS * PARTS] = { 0 }, b[3][PARTS] = { { 0 } }, *inverse = p->inverse[channel];
    int from = channel == LUMA ? 0 : 1, to = channel == LUMA ? 1 : 3;
    for (int i = 0; i < p->w.n; i++) {
        const double *part = p->part[i][channel], slope = p->w.sample[i].slope;
        double weight = p->weight[i] * p->says[i] * slope * slope;
        for (int k = 0; k < PARTS && weight > 0; k++) {
            for (int l = 0; l <= k; l++)
                A[k * PARTS + l] += weight * part[k] * part[l];
            for (int v = from; v < to; v++)
                b[v][k] += weight * part[k] * p->w.sample[i].light[v];
        }
    }
    for (int k = 0; k < PARTS; k++)
        for (int l = k + 1; l < PARTS; l++)
            A[k * PARTS + l] = A[l * PARTS + k];
    believe(A);
    if (!cholesky_invert(inverse, A, PARTS))
        return false;
    for (int k = 0; k < PARTS; k++)
        for (int v = from; v < to; v++) {
            m->colour[k][v] = 0;
            for (int l = 0; l < PARTS; l++)
                m->colour[k][v] += inverse[k * PARTS + l] * b[v][l];
        }
    return true;
}

bool solid_model_paint(struct solid_model *m, struct solid_pixels *p)
{
    return paint_channel(m, p, LUMA) && paint_channel(m, p, CHROMA);
}

double solid_model_misfit(const struct solid_pixels *p, const struct solid_model *m, double *weights)
{
    double sum = 0;
    *weights = 0;
    for (int i = 0; i < p->w.n; i++) {
        double r[3], weight = p->weight[i] * p->says[i];
        solid_model_residual(r, p, m, i);
        sum += weight * vec3_dot(r, r);
        *weights += weight;
    }
    return sum;
}

void solid_model_weigh(struct solid_pixels *p, const struct solid_model *m)
{
    double sizes[SOLID_SAMPLES];
    for (int i = 0; i < p->w.n; i++) {
        double r[3];
        solid_model_residual(r, p, m, i);
        p->weight[i] = sizes[i] = sqrt(vec3_dot(r, r));
    }
    double scale = fmax(median_of(sizes, p->w.n) / 1.54, 0.5); // median length of a normal 3-vector
    for (int i = 0; i < p->w.n; i++) {
        double x = p->weight[i] / (TUKEY_SIGMAS * scale);
        p->weight[i] = x < 1 ? (1 - x * x) * (1 - x * x) : 0;
    }
}
