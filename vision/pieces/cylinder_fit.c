// SPDX-License-Identifier: MIT
#include "vision/pieces/cylinder_fit.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/colour.h"
#include "vision/pieces/cylinder_model.h"

enum { CYLINDER_ROUNDS = 8 };
static const double ALL_OF_IT = 0.9995; // share of a pixel: moving the piece a little changes nothing there

// How far up a piece's side its skirt reaches (of its height), and what a pixel of it counts. To place a piece only the foot
// of its side is left out, and not quite, for its outline is symmetric with both ends only; to judge it the whole side is,
// for a shadow looks like more of it.
struct skirt {
    double from, weight;
};
static const struct skirt PLACING = { 0.2, 0.3 }, JUDGING = { 1, 0.05 };

// Towards the camera a piece shows the foot of its side, and before it the ground in its contact shadow: neither has one
// colour.
static bool in_skirt(const struct cylinder_view *s, const struct sight *l, const struct skirt *skirt,
                     const struct disc_tuning *t)
{
    double h = s->shape->height_in, reach = s->radius_in + t->shadow_contact_in;
    struct pt_in under = { l->low.x - s->at.x, l->low.y - s->at.y };
    double low2 = under.x * under.x + under.y * under.y;
    if (low2 > reach * reach)
        return false;
    struct pt_in foot = cylinder_sight_at(l, skirt->from * h);
    double low = sqrt(low2), over = sqrt(pow(foot.x - s->at.x, 2) + pow(foot.y - s->at.y, 2));
    double slant_in = h * sqrt(l->lean2);
    return low < over && over > s->radius_in && low < s->radius_in + fmin(t->shadow_contact_in, slant_in / 2);
}

// How far each pixel can tell of the solid where it stands now.
static void say_all(struct cylinder_pixels *w, const struct cylinder_view *s, const struct skirt *skirt)
{
    bool in_hole = s->shape->base_in < 0; // then the hole's floor is what a ring is seen against
    for (int i = 0; i < w->w.n; i++) {
        const struct pixel_sample *p = &w->w.sample[i];
        const double *share = w->shown[i].share;
        double shows =
            in_hole ? 1 - share[CYLINDER_GROUND] : share[CYLINDER_TOP] + share[CYLINDER_RIM] + share[CYLINDER_SIDE];
        w->says[i] = p->not_ground ? shows : 1;
        w->says[i] *= in_skirt(s, &p->sight, skirt, w->tuning) ? skirt->weight : 1;
    }
}

// The normal equations, colours projected out.
struct normal {
    double N[MODEL_NUMBERS][MODEL_NUMBERS], g[MODEL_NUMBERS], side[MODEL_NUMBERS][3][PARTS];
};

static void add_sample(struct normal *e, const struct cylinder_pixels *w, const struct cylinder_model *m,
                       const struct cylinder_view *ahead, int i)
{
    const struct shown *is = &w->shown[i];
    double r[3], J[MODEL_NUMBERS][3], weight = w->weight[i] * w->says[i], slope = w->w.sample[i].slope;
    if (!(weight > 0) || is->share[CYLINDER_TOP] > ALL_OF_IT || is->share[CYLINDER_GROUND] > ALL_OF_IT)
        return; // no border is near
    for (int c = 0; c < 3; c++)
        r[c] = w->off[i][c] / w->scatter[c];
    for (int k = 0; k < MODEL_NUMBERS; k++) {
        double moved[MODEL_CHANNELS][PARTS];
        cylinder_model_ahead(moved, w, &m->view, &ahead[k], k, i);
        for (int c = 0; c < 3; c++) {
            const double *then = moved[cylinder_channel(c)], *now = is->part[cylinder_channel(c)];
            double change = 0;
            for (int a = 0; a < is->parts; a++)
                change += (then[is->used[a]] - now[is->used[a]]) * m->colour[is->used[a]][c];
            J[k][c] = change * slope / (MODEL_STEP_IN * w->scatter[c]);
            for (int a = 0; a < is->parts; a++)
                e->side[k][c][is->used[a]] += weight * J[k][c] * slope * now[is->used[a]];
        }
        e->g[k] += weight * vec3_dot(J[k], r);
        for (int l = 0; l <= k; l++)
            e->N[k][l] += weight * vec3_dot(J[k], J[l]);
    }
}

// `noise`: the variance of a pixel's misfit. What is believed of growth, rounding and blur before they are seen counts too.
static void normal_equations(struct normal *e, const struct cylinder_pixels *w, const struct cylinder_model *m,
                             double noise)
{
    const struct cylinder_view *s = &m->view;
    struct cylinder_view ahead[MODEL_NUMBERS];
    memset(e, 0, sizeof *e);
    for (int k = 0; k < MODEL_NUMBERS; k++) {
        ahead[k] = m->view;
        *cylinder_model_number(&ahead[k], k) += MODEL_STEP_IN;
    }
    for (int i = 0; i < w->w.n; i++)
        add_sample(e, w, m, ahead, i);
    for (int k = 0; k < MODEL_NUMBERS; k++)
        for (int c = 0; c < 3; c++) {
            double through[PARTS]; // the colours' own step
            for (int a = 0; a < PARTS; a++) {
                const double *row = &w->inverse[cylinder_channel(c)][a * PARTS];
                through[a] = 0;
                for (int b = 0; b < PARTS; b++)
                    through[a] += row[b] * e->side[k][c][b];
            }
            for (int l = 0; l <= k; l++)
                for (int a = 0; a < PARTS; a++)
                    e->N[k][l] -= e->side[l][c][a] * through[a];
        }
    double grow = noise / pow(w->grow_sigma_in, 2), rounding = noise / pow(w->rounding_sigma_in, 2);
    double blur = noise / pow(w->tuning->fit_blur_share * w->blur_in, 2);
    e->N[MODEL_GROW][MODEL_GROW] += grow;
    e->N[MODEL_ROUNDING][MODEL_ROUNDING] += rounding;
    e->N[MODEL_BLUR][MODEL_BLUR] += blur;
    e->g[MODEL_GROW] -= grow * s->grow_in;
    e->g[MODEL_ROUNDING] -= rounding * (s->rounding_in - w->rounding_in);
    e->g[MODEL_BLUR] -= blur * (s->blur_in - w->blur_in);
}

// Scatter of the ground's colours, each channel by itself; noise and grain together.
static void measure_scatter(struct cylinder_pixels *w)
{
    double off[3][WINDOW_SAMPLES];
    int n = 0;
    for (int i = 0; i < w->w.n; i++) {
        if (w->shown[i].share[CYLINDER_GROUND] < 0.95 || w->w.sample[i].not_ground)
            continue;
        for (int c = 0; c < 3; c++)
            off[c][n] = fabs(w->off[i][c]);
        n++;
    }
    for (int c = 0; c < 3; c++)
        w->scatter[c] = n > 20 ? fmax(MAD_TO_SIGMA * median_of(off[c], n), w->tuning->fit_least_scatter)
                               : 2 * w->tuning->fit_least_scatter;
}

static double explained_by(struct cylinder_pixels *w, struct cylinder_model m, double radius_in, double ground)
{
    double weights;
    m.view.radius_in = radius_in;
    cylinder_model_place(w, &m);
    return cylinder_model_paint(&m, w) ? 1 - cylinder_model_misfit(w, &weights) / fmax(ground, 1e-9) : 0;
}

// Share of the outline's directions in which the colour steps from the ground's to the piece's as the model says: the slope
// of the pixels' light on the model's, along the line between both colours, over the pixels of each direction.
static double outline_support(const struct cylinder_pixels *w, const struct cylinder_model *m)
{
    double sums[OUTLINE_SECTORS][7] = { { 0 } }, axis[3], full = 0;
    int seen = 0, stepped = 0;
    for (int c = 0; c < 3; c++) {
        double step = m->colour[PART_TOP][c] - m->colour[PART_GROUND][c];
        axis[c] = step / (w->scatter[c] * w->scatter[c]);
        full += axis[c] * step;
    }
    for (int i = 0; i < w->w.n; i++) {
        const struct pixel_sample *p = &w->w.sample[i];
        double top = w->shown[i].share[CYLINDER_TOP] + w->shown[i].share[CYLINDER_RIM], is = 0, says = 0;
        if (top + w->shown[i].share[CYLINDER_GROUND] < 0.8 || (p->not_ground && top < 0.8))
            continue;
        for (int c = 0; c < 3; c++) {
            is += axis[c] * (p->light[c] - m->colour[PART_GROUND][c]) / full;
            says += axis[c] * (p->light[c] - w->off[i][c] / p->slope - m->colour[PART_GROUND][c]) / full;
        }
        double angle = atan2(p->sight.low.y - m->view.at.y, p->sight.low.x - m->view.at.x) / (2 * PI) + 0.5;
        double *s = sums[(int)(angle * OUTLINE_SECTORS) % OUTLINE_SECTORS],
               term[7] = { 1, says, is, says * says, says * is, top, top * top };
        for (int k = 0; k < 7; k++)
            s[k] += term[k];
    }
    for (int k = 0; k < OUTLINE_SECTORS; k++) {
        const double *s = sums[k];
        double spread = s[0] * s[3] - s[1] * s[1];
        double covers = s[0] * s[6] - s[5] * s[5], n2 = s[0] * s[0]; // does the piece begin in it, and would that show?
        if (!(spread > w->tuning->fit_least_step * n2) || !(covers > w->tuning->fit_least_border * n2))
            continue;
        seen++;
        stepped += s[0] * s[4] - s[1] * s[2] > 0.5 * spread;
    }
    return seen ? (double)stepped / seen : 0;
}

// Share of the top's pixels, well inside its rim, that are not of its one colour.
static double unevenness(const struct cylinder_pixels *w, const struct cylinder_model *m)
{
    double most = 0;
    int inside = 0, other = 0;
    for (int i = 0; i < w->w.n; i++)
        most = fmax(most, w->shown[i].share[CYLINDER_TOP]); // a ring's top is narrow: no pixel may be all of it
    for (int i = 0; i < w->w.n; i++) {
        double off2 = 0;
        if (w->shown[i].share[CYLINDER_TOP] < w->tuning->fit_well_inside * most)
            continue;
        for (int c = 0; c < 3; c++) {
            const double *part = w->shown[i].part[cylinder_channel(c)];
            double slope = part[PART_TOP_X] * m->colour[PART_TOP_X][c] + part[PART_TOP_Y] * m->colour[PART_TOP_Y][c];
            off2 += pow(w->off[i][c] + slope * w->w.sample[i].slope, 2);
        }
        inside++;
        other += off2 > w->tuning->fit_other_colour * w->tuning->fit_other_colour;
    }
    return inside ? (double)other / inside : 1;
}

static void report(struct cylinder_fit *fit, struct cylinder_pixels *w, struct cylinder_model *m)
{
    fit->at = m->view.at;
    fit->grow_in = m->view.grow_in;
    colour_from_light(fit->top, m->colour[PART_TOP]);
    colour_from_light(fit->ground, m->colour[PART_GROUND]);
    colour_from_light(fit->floor, m->colour[PART_FLOOR]);
    double contrast2 = 0;
    measure_scatter(w);
    for (int c = 0; c < 3; c++)
        contrast2 += pow((fit->top[c] - fit->ground[c]) / w->scatter[c], 2);
    fit->contrast = sqrt(contrast2);
    say_all(w, &m->view, &JUDGING);
    // What is painted beside a piece, or a finger beside it, must not drown what the piece explains: such pixels are left
    // out. Those on the piece itself count against it. A ring has no place where its shading does not show; its two circles
    // speak for it.
    double all = 0, kept = 0;
    cylinder_model_weigh(w);
    for (int i = 0; i < w->w.n; i++) {
        const double *shown = w->shown[i].share;
        double covered = w->says[i] * (shown[CYLINDER_TOP] + shown[CYLINDER_RIM] + shown[CYLINDER_SIDE]);
        bool border =
            fabs(cylinder_clearance(&m->view, &w->w.sample[i].sight)) < w->tuning->fit_size_probe * m->view.radius_in;
        w->weight[i] = border || w->weight[i] > 0; // a wrong size shows at the border
        all += covered;
        kept += covered * w->weight[i];
    }
    double share = m->view.shape->hole_in > 0 ? 1 : kept / fmax(all, 1e-9);
    // The misfit of the ground alone: the same pixels, no piece.
    double sum[3] = { 0 }, squares[3] = { 0 }, weights = 0, ground = 0, radius_in = m->view.radius_in;
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
        ground += squares[c] - sum[c] * sum[c] / fmax(weights, 1e-9);
    fit->larger = explained_by(w, *m, radius_in * (1 + w->tuning->fit_size_probe), ground);
    fit->smaller = explained_by(w, *m, radius_in * (1 - w->tuning->fit_size_probe), ground);
    fit->explained = explained_by(w, *m, radius_in, ground) * share;
    fit->larger = fit->larger * share - fit->explained;
    fit->smaller = fit->smaller * share - fit->explained;
    cylinder_model_compare(w, m); // with the colours that all pixels gave
    fit->support = outline_support(w, m);
    fit->uneven = unevenness(w, m);
}

static bool start(struct cylinder_pixels *w, struct cylinder_model *m, const struct cylinder_fit *fit,
                  const struct frame *f, const struct cylinder *s, const struct surroundings *near,
                  enum fit_effort care)
{
    w->tuning = near->tuning;
    if (!cylinder_view_at(&m->view, s, fit->at, &near->board->camera, &near->look) ||
        !cylinder_window_fill(&w->w, f, &m->view, near, WINDOW_SAMPLES))
        return false;
    w->grow_sigma_in = care == FIT_SIZE ? w->tuning->fit_size_sigma_in : w->tuning->fit_grow_blurs * m->view.blur_in;
    w->middle = fit->at;
    w->blur_in = m->view.blur_in;
    w->light = near->light;
    w->rounding_in = near->look.rounding_in;
    w->rounding_sigma_in = near->look.rounding_sigma_in;
    w->chroma_blur = hypot(1, w->tuning->fit_chroma_blur_px / near->look.blur_px);
    for (int i = 0; i < w->w.n; i++)
        w->weight[i] = 1;
    for (int c = 0; c < 3; c++)
        w->scatter[c] = 2 * w->tuning->fit_least_scatter;
    cylinder_model_place(w, m);
    say_all(w, &m->view, &PLACING);
    if (!cylinder_model_paint(m, w))
        return false;
    measure_scatter(w);
    return true;
}

bool cylinder_fit_run(struct cylinder_fit *fit, const struct frame *f, const struct cylinder *s,
                      const struct surroundings *near, enum fit_effort care)
{
    struct cylinder_pixels w;
    struct cylinder_model m;
    struct normal e;
    const struct disc_tuning *t = near->tuning;
    struct pt_in from = fit->at;
    double noise = 1;
    if (!start(&w, &m, fit, f, s, near, care))
        return false;
    for (int round = 0; round < CYLINDER_ROUNDS; round++) {
        if (round > 0) {
            cylinder_model_weigh(&w);
            if (!cylinder_model_paint(&m, &w)) // with the colours' normal matrix of these weights
                return false;
        }
        // How much the pixels scatter beyond the ground's own scatter, pixels that share their errors counted.
        double weights, squares = cylinder_model_misfit(&w, &weights);
        noise = fmax(squares / fmax(3 * weights - 2, 1), 0.25) * t->fit_shared_pixels;
        normal_equations(&e, &w, &m, noise);
        // A Gauss-Newton step; without one the fit stays.
        struct cylinder_view *v = &m.view;
        double step[MODEL_NUMBERS] = { 0 }, N[MODEL_NUMBERS * MODEL_NUMBERS];
        memcpy(N, e.N, sizeof N);
        if (!cholesky_solve(step, N, e.g, MODEL_NUMBERS))
            memset(step, 0, sizeof step);
        double far = hypot(step[0], step[1]), moved = fmin(far, t->fit_most_step_in);
        for (int k = 0; k < MODEL_NUMBERS; k++)
            *cylinder_model_number(v, k) += far > moved ? moved / far * step[k] : step[k];
        v->rounding_in = fmax(0, fmin(t->fit_most_rounding * v->shape->height_in, v->rounding_in));
        v->blur_in = fmax(t->fit_least_blur * w.blur_in, fmin(t->fit_most_blur * w.blur_in, v->blur_in));
        cylinder_model_place(&w, &m);
        say_all(&w, &m.view, &PLACING);
        if (!cylinder_model_paint(&m, &w) || hypot(m.view.at.x - from.x, m.view.at.y - from.y) > t->fit_most_drift_in)
            return false;
        if (round > 1 && moved < (care == FIT_FINE ? t->fit_settled_in : t->fit_size_settled_in))
            break;
    }
    double inverse[MODEL_NUMBERS * MODEL_NUMBERS];
    fit->cov = (struct cov_in2){ 1, 0, 1 };
    if (cholesky_invert(inverse, &e.N[0][0], MODEL_NUMBERS))
        fit->cov = (struct cov_in2){ noise * inverse[0], noise * inverse[1], noise * inverse[MODEL_NUMBERS + 1] };
    report(fit, &w, &m);
    return true;
}
