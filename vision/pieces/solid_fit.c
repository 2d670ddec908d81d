// SPDX-License-Identifier: MIT
#include "vision/pieces/solid_fit.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/pieces/colour.h"
#include "vision/pieces/solid_model.h"

enum { GLANCE_SAMPLES = 350, ROUNDS = 8, SECTORS = 24 };
enum { GROW = 2, ROUNDING, BLUR, NUMBERS };
static const double CHROMA_BLUR_PX = 1.4; // beyond luma's: mosaic sensors, and JPEG and video halve its resolution
static const double GLANCE_BLUR_PX = 1.5; // sharper edges would be found from nearby only
static const double SHADOW_IN = 0.12;     // how far a contact shadow reaches: a third of a disc's height
static const double GROW_BLURS = 0.15;    // 1 sigma of what gamma, sharpening and a maker's tolerance do to an outline
static const double BLUR_SHARE = 0.15;    // 1 sigma of what focus differs from where the lines show it
static const double LEAST_BLUR = 0.5, MOST_BLUR = 2; // times what the lines show
static const double SIZE_SIGMA_IN = 0.1;             // pieces are a sixth larger or smaller at most
static const double LEAST_SCATTER = 2.0;             // 8-bit steps: noise and JPEG at their best
static const double WELL_INSIDE = 0.98;              // share of a pixel
static const double ALL_OF_IT = 0.9995;           // share of a pixel: moving the piece a little changes nothing there
static const double LEAST_BORDER_VARIANCE = 0.05; // of the share covered: half a sector of a border has 0.25
static const double LEAST_STEP_VARIANCE =
    0.01;                                 // of the step that the model sees there: less where the ground lies in shadow
static const double OTHER_COLOUR = 18;    // 8-bit steps; noise and grain stay below
static const double MOST_STEP_IN = 0.08;  // a move beyond it leaves the linear range
static const double MOST_ROUNDING = 0.45; // of the height
static const double STEP_IN = 1e-3;       // of the derivatives
static const double SETTLED_IN = 5e-4;    // a tenth of what the best fit is sure of
static const double GLANCE_SETTLED_IN = 5e-3; // enough to know what is there
static const double MOST_DRIFT_IN = 0.45;     // farther than that it is another piece
static const double SIZE_PROBE = 0.12;        // of the radius
static const double CORRELATED_PIXELS = 6;    // how many pixels share one error: demosaicing, JPEG, grain

// How far up a piece's side its skirt reaches (of its height), and what a pixel of it counts. To place a piece only the foot
// of its side is left out, and not quite, for its outline is symmetric with both ends only; to judge it the whole side is,
// for a shadow looks like more of it.
struct skirt {
    double from, weight;
};
static const struct skirt PLACING = { 0.2, 0.3 }, JUDGING = { 1, 0.05 };

static double length(double x, double y)
{
    return sqrt(x * x + y * y);
}

static double *model_number(struct solid_model *m, int k)
{
    double *number[NUMBERS] = { &m->stand.at.x, &m->stand.at.y, &m->stand.grow_in, &m->stand.rounding_in,
                                &m->stand.blur_in };
    return number[k];
}

// Towards the camera a piece shows the foot of its side, and before it the ground in its contact shadow: neither has one
// colour.
static bool in_skirt(const struct solid_model *m, const struct sample *p, const struct skirt *skirt)
{
    const struct solid_stand *s = &m->stand;
    double h = s->solid->height_in, reach = s->radius_in + SHADOW_IN;
    struct pt_in under = { p->low.x - s->at.x, p->low.y - s->at.y };
    if (under.x * under.x + under.y * under.y > reach * reach)
        return false;
    struct pt_in high = solid_sight_at(s, p->low, h), foot = solid_sight_at(s, p->low, skirt->from * h);
    double low = length(under.x, under.y), over = length(foot.x - s->at.x, foot.y - s->at.y);
    double slant_in = length(high.x - p->low.x, high.y - p->low.y);
    return low < over && over > s->radius_in && low < s->radius_in + fmin(SHADOW_IN, slant_in / 2);
}

// How far each pixel can tell of the solid where it stands now.
static void say_all(struct solid_pixels *w, const struct solid_model *m, const struct skirt *skirt)
{
    bool in_hole = m->stand.solid->base_in < 0; // then the hole's floor is what a ring is seen against
    for (int i = 0; i < w->w.n; i++) {
        const struct sample *p = &w->w.sample[i];
        double shows = in_hole ? 1 - w->share[i][SOLID_GROUND]
                               : w->share[i][SOLID_TOP] + w->share[i][SOLID_RIM] + w->share[i][SOLID_SIDE];
        w->says[i] = p->not_ground ? shows : 1;
        w->says[i] *= in_skirt(m, p, skirt) ? skirt->weight : 1;
    }
}

// The normal equations, colours projected out.
struct normal {
    double N[NUMBERS * NUMBERS], g[NUMBERS], side[NUMBERS][3][PARTS];
};

static void add_sample(struct normal *e, const struct solid_pixels *w, const struct solid_model *m,
                       const struct solid_model *ahead, int i)
{
    double r[3], J[NUMBERS][3], weight = w->weight[i] * w->says[i];
    if (!(weight > 0) || w->share[i][SOLID_TOP] > ALL_OF_IT || w->share[i][SOLID_GROUND] > ALL_OF_IT)
        return; // no border is near
    solid_model_residual(r, w, m, i);
    for (int k = 0; k < w->numbers; k++) {
        double share[SOLID_PARTS], moved[CHANNELS][PARTS], slope = w->w.sample[i].slope;
        solid_model_parts(share, moved, w, &ahead[k], i);
        for (int c = 0; c < 3; c++) {
            J[k][c] = 0;
            for (int l = 0; l < PARTS; l++)
                J[k][c] += (moved[solid_channel(c)][l] - w->part[i][solid_channel(c)][l]) * m->colour[l][c];
            J[k][c] *= slope / (STEP_IN * w->scatter[c]);
            for (int l = 0; l < PARTS; l++)
                e->side[k][c][l] += weight * J[k][c] * slope * w->part[i][solid_channel(c)][l];
        }
        e->g[k] += weight * vec3_dot(J[k], r);
        for (int l = 0; l <= k; l++)
            e->N[k * NUMBERS + l] += weight * vec3_dot(J[k], J[l]);
    }
}

static double projected(const struct normal *e, const struct solid_pixels *w, int k, int l)
{
    double sum = 0;
    for (int c = 0; c < 3; c++)
        for (int a = 0; a < PARTS; a++)
            for (int b = 0; b < PARTS; b++)
                sum += e->side[k][c][a] * w->inverse[solid_channel(c)][a * PARTS + b] * e->side[l][c][b];
    return sum;
}

static void normal_equations(struct normal *e, const struct solid_pixels *w, const struct solid_model *m)
{
    struct solid_model ahead[NUMBERS];
    memset(e, 0, sizeof *e);
    for (int k = 0; k < NUMBERS; k++) {
        ahead[k] = *m;
        *model_number(&ahead[k], k) += STEP_IN;
    }
    for (int i = 0; i < w->w.n; i++)
        add_sample(e, w, m, ahead, i);
    for (int k = 0; k < w->numbers; k++)
        for (int l = 0; l <= k; l++)
            e->N[l * NUMBERS + k] = e->N[k * NUMBERS + l] -= projected(e, w, k, l);
}

// What is believed of growth, rounding and blur before they are seen: adds it to the normal equations.
static void believe(double N[NUMBERS * NUMBERS], double g[NUMBERS], const struct solid_pixels *w,
                    const struct solid_model *m, double noise)
{
    double grow = noise / pow(w->grow_sigma_in, 2), rounding = noise / pow(w->rounding_sigma_in, 2);
    double blur = noise / pow(BLUR_SHARE * w->blur_in, 2);
    N[GROW * NUMBERS + GROW] += grow;
    N[ROUNDING * NUMBERS + ROUNDING] += rounding;
    N[BLUR * NUMBERS + BLUR] += blur;
    g[GROW] -= grow * m->stand.grow_in;
    g[ROUNDING] -= rounding * (m->stand.rounding_in - w->rounding_in);
    g[BLUR] -= blur * (m->stand.blur_in - w->blur_in);
}

// One Gauss-Newton step; returns how far the place moved.
static double step_on(struct solid_model *m, const struct solid_pixels *w, const struct normal *e, double noise)
{
    double N[NUMBERS * NUMBERS], step[NUMBERS];
    memcpy(N, e->N, sizeof N);
    memcpy(step, e->g, sizeof step);
    believe(N, step, w, m, noise);
    if (!cholesky_solve(step, N, step, NUMBERS))
        return 0;
    double far = length(step[0], step[1]), share = far > MOST_STEP_IN ? MOST_STEP_IN / far : 1;
    for (int k = 0; k < NUMBERS; k++)
        *model_number(m, k) += share * step[k];
    m->stand.rounding_in = fmax(0, fmin(MOST_ROUNDING * m->stand.solid->height_in, m->stand.rounding_in));
    m->stand.blur_in = fmax(LEAST_BLUR * w->blur_in, fmin(MOST_BLUR * w->blur_in, m->stand.blur_in));
    return share * far;
}

// Scatter of the ground's colours, each channel by itself; noise and grain together.
static void measure_scatter(struct solid_pixels *w, const struct solid_model *m)
{
    double off[3][SOLID_SAMPLES];
    int n = 0;
    for (int i = 0; i < w->w.n; i++) {
        double r[3];
        if (w->share[i][SOLID_GROUND] < 0.95 || w->w.sample[i].not_ground)
            continue;
        solid_model_residual(r, w, m, i);
        for (int c = 0; c < 3; c++)
            off[c][n] = fabs(r[c]) * w->scatter[c];
        n++;
    }
    for (int c = 0; c < 3; c++)
        w->scatter[c] = n > 20 ? fmax(MAD_TO_SIGMA * median_of(off[c], n), LEAST_SCATTER) : 2 * LEAST_SCATTER;
}

// Misfit of the ground alone: the same pixels, no piece.
static double ground_misfit(const struct solid_pixels *w)
{
    double sum[3] = { 0 }, squares[3] = { 0 }, weights = 0, total = 0;
    for (int i = 0; i < w->w.n; i++) {
        double weight = w->weight[i] * w->says[i];
        weights += weight;
        for (int c = 0; c < 3; c++) {
            double x = w->w.sample[i].colour[c] / w->scatter[c];
            sum[c] += weight * x;
            squares[c] += weight * x * x;
        }
    }
    for (int c = 0; c < 3; c++)
        total += squares[c] - sum[c] * sum[c] / fmax(weights, 1e-9);
    return total;
}

static double explained_by(struct solid_pixels *w, struct solid_model m, double radius_in, double ground)
{
    double weights;
    m.stand.radius_in = radius_in;
    solid_model_place(w, &m);
    if (!solid_model_paint(&m, w))
        return 0;
    return 1 - solid_model_misfit(w, &m, &weights) / fmax(ground, 1e-9);
}

// Share of the outline's directions in which the colour steps from the ground's to the piece's as the model says: the slope
// of the pixels' light on the model's, along the line between both colours, over the pixels of each direction.
static double outline_support(const struct solid_pixels *w, const struct solid_model *m)
{
    double sums[SECTORS][7] = { { 0 } }, axis[3], full = 0;
    int seen = 0, stepped = 0;
    for (int c = 0; c < 3; c++) {
        double step = m->colour[PART_TOP][c] - m->colour[PART_GROUND][c];
        axis[c] = step / (w->scatter[c] * w->scatter[c]);
        full += axis[c] * step;
    }
    for (int i = 0; i < w->w.n; i++) {
        const struct sample *p = &w->w.sample[i];
        double top = w->share[i][SOLID_TOP] + w->share[i][SOLID_RIM], is = 0, says = 0, r[3];
        if (top + w->share[i][SOLID_GROUND] < 0.8 || (p->not_ground && top < 0.8))
            continue;
        solid_model_residual(r, w, m, i);
        for (int c = 0; c < 3; c++) {
            is += axis[c] * (p->light[c] - m->colour[PART_GROUND][c]) / full;
            says += axis[c] * (p->light[c] - r[c] * w->scatter[c] / p->slope - m->colour[PART_GROUND][c]) / full;
        }
        double angle = atan2(p->low.y - m->stand.at.y, p->low.x - m->stand.at.x) / (2 * PI) + 0.5;
        double *s = sums[(int)(angle * SECTORS) % SECTORS],
               term[7] = { 1, says, is, says * says, says * is, top, top * top };
        for (int k = 0; k < 7; k++)
            s[k] += term[k];
    }
    for (int k = 0; k < SECTORS; k++) {
        const double *s = sums[k];
        double spread = s[0] * s[3] - s[1] * s[1];
        double covers = s[0] * s[6] - s[5] * s[5], n2 = s[0] * s[0]; // does the piece begin in it, and would that show?
        if (!(spread > LEAST_STEP_VARIANCE * n2) || !(covers > LEAST_BORDER_VARIANCE * n2))
            continue;
        seen++;
        stepped += s[0] * s[4] - s[1] * s[2] > 0.5 * spread;
    }
    return seen ? (double)stepped / seen : 0;
}

// Share of the top's pixels, well inside its rim, that are not of its one colour.
static double unevenness(const struct solid_pixels *w, const struct solid_model *m)
{
    double most = 0;
    int inside = 0, other = 0;
    for (int i = 0; i < w->w.n; i++)
        most = fmax(most, w->share[i][SOLID_TOP]); // a ring's top is narrow: no pixel may be all of it
    for (int i = 0; i < w->w.n; i++) {
        double r[3], off2 = 0;
        if (w->share[i][SOLID_TOP] < WELL_INSIDE * most)
            continue;
        solid_model_residual(r, w, m, i);
        for (int c = 0; c < 3; c++) {
            const double *part = w->part[i][solid_channel(c)];
            double slope = part[PART_TOP_X] * m->colour[PART_TOP_X][c] + part[PART_TOP_Y] * m->colour[PART_TOP_Y][c];
            off2 += pow(r[c] * w->scatter[c] + slope * w->w.sample[i].slope, 2);
        }
        inside++;
        other += off2 > OTHER_COLOUR * OTHER_COLOUR;
    }
    return inside ? (double)other / inside : 1;
}

// How much the pixels scatter beyond the ground's own scatter, pixels that share their errors counted.
static double noise_of(const struct solid_pixels *w, const struct solid_model *m)
{
    double weights, squares = solid_model_misfit(w, m, &weights);
    return fmax(squares / fmax(3 * weights - 2, 1), 0.25) * CORRELATED_PIXELS;
}

static void report_precision(struct solid_fit *fit, const struct normal *e, const struct solid_pixels *w,
                             const struct solid_model *m, double noise)
{
    double inverse[NUMBERS * NUMBERS], N[NUMBERS * NUMBERS], g[NUMBERS] = { 0 };
    fit->cov = (struct cov_in2){ 1, 0, 1 };
    memcpy(N, e->N, sizeof N);
    believe(N, g, w, m, noise);
    if (!cholesky_invert(inverse, N, NUMBERS))
        return;
    fit->cov = (struct cov_in2){ noise * inverse[0], noise * inverse[1], noise * inverse[NUMBERS + 1] };
}

// What is painted beside a piece, or a finger beside it, must not drown what the piece explains: such pixels are left out.
// Those on the piece itself count against it: returns the share of it that is as the model says. A ring has no place where
// its shading does not show; its two circles speak for it.
static double keep_inliers(struct solid_pixels *w, const struct solid_model *m)
{
    double all = 0, kept = 0;
    solid_model_weigh(w, m);
    for (int i = 0; i < w->w.n; i++) {
        double solid = w->says[i] * (w->share[i][SOLID_TOP] + w->share[i][SOLID_RIM] + w->share[i][SOLID_SIDE]);
        bool border = fabs(solid_clearance(&m->stand, w->w.sample[i].low)) < SIZE_PROBE * m->stand.radius_in;
        w->weight[i] = border || w->weight[i] > 0; // a wrong size shows at the border
        all += solid;
        kept += solid * w->weight[i];
    }
    return m->stand.solid->hole_in > 0 ? 1 : kept / fmax(all, 1e-9);
}

static void report(struct solid_fit *fit, struct solid_pixels *w, struct solid_model *m)
{
    fit->at = m->stand.at;
    fit->grow_in = m->stand.grow_in;
    colour_from_light(fit->top, m->colour[PART_TOP]);
    colour_from_light(fit->ground, m->colour[PART_GROUND]);
    colour_from_light(fit->floor, m->colour[PART_FLOOR]);
    double contrast2 = 0;
    measure_scatter(w, m);
    for (int c = 0; c < 3; c++)
        contrast2 += pow((fit->top[c] - fit->ground[c]) / w->scatter[c], 2);
    fit->contrast = sqrt(contrast2);
    say_all(w, m, &JUDGING);
    double share = keep_inliers(w, m);
    double radius_in = m->stand.radius_in, ground = ground_misfit(w);
    fit->larger = explained_by(w, *m, radius_in * (1 + SIZE_PROBE), ground);
    fit->smaller = explained_by(w, *m, radius_in * (1 - SIZE_PROBE), ground);
    fit->explained = explained_by(w, *m, radius_in, ground) * share;
    fit->larger = fit->larger * share - fit->explained;
    fit->smaller = fit->smaller * share - fit->explained;
    fit->support = outline_support(w, m);
    fit->uneven = unevenness(w, m);
}

static bool start(struct solid_pixels *w, struct solid_model *m, const struct solid_fit *fit, const struct frame *f,
                  const struct solid *s, const struct surroundings *near, enum solid_care care)
{
    struct solid_look look = near->look;
    int most = care == SOLID_GLANCE ? GLANCE_SAMPLES : SOLID_SAMPLES;
    if (care == SOLID_GLANCE)
        look.blur_px = fmax(look.blur_px, GLANCE_BLUR_PX);
    if (!solid_stand_at(&m->stand, s, fit->at, &near->board->camera, &look) ||
        !solid_window_fill(&w->w, f, &m->stand, near, most))
        return false;
    w->numbers = care == SOLID_GLANCE ? ROUNDING : NUMBERS;
    w->grow_sigma_in = care == SOLID_SIZE ? SIZE_SIGMA_IN : GROW_BLURS * m->stand.blur_in;
    w->middle = fit->at;
    w->blur_in = m->stand.blur_in;
    w->light = near->light;
    w->rounding_in = look.rounding_in;
    w->rounding_sigma_in = look.rounding_sigma_in;
    w->chroma_blur = length(1, CHROMA_BLUR_PX / look.blur_px);
    for (int i = 0; i < w->w.n; i++)
        w->weight[i] = 1;
    for (int c = 0; c < 3; c++)
        w->scatter[c] = 2 * LEAST_SCATTER;
    solid_model_place(w, m);
    say_all(w, m, &PLACING);
    if (!solid_model_paint(m, w))
        return false;
    measure_scatter(w, m);
    return true;
}

bool solid_fit_run(struct solid_fit *fit, const struct frame *f, const struct solid *s, const struct surroundings *near,
                   enum solid_care care)
{
    struct solid_pixels w;
    struct solid_model m;
    struct normal e;
    struct pt_in from = fit->at;
    double noise = 1;
    if (!start(&w, &m, fit, f, s, near, care))
        return false;
    for (int round = 0; round < ROUNDS; round++) {
        if (round > 0) {
            solid_model_weigh(&w, &m);
            if (!solid_model_paint(&m, &w)) // with the colours' normal matrix of these weights
                return false;
        }
        noise = noise_of(&w, &m);
        normal_equations(&e, &w, &m);
        double moved = step_on(&m, &w, &e, noise);
        solid_model_place(&w, &m);
        say_all(&w, &m, &PLACING);
        if (!solid_model_paint(&m, &w) || length(m.stand.at.x - from.x, m.stand.at.y - from.y) > MOST_DRIFT_IN)
            return false;
        if (round > 1 && moved < (care == SOLID_CARE ? SETTLED_IN : GLANCE_SETTLED_IN))
            break;
    }
    report_precision(fit, &e, &w, &m, noise);
    report(fit, &w, &m);
    return true;
}
