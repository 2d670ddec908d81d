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

// How informative each pixel is of the solid where it stands now.
static void say_all(struct cylinder_pixels *w, const struct cylinder_view *s, const struct skirt *skirt)
{
    bool in_hole = s->shape->base_in < 0; // then the hole's floor is what a ring is seen against
    for (int i = 0; i < w->n; i++) {
        const struct pixel_sample *p = &w->w.sample[i];
        const double *share = w->shown[i].share[LUMA];
        double shows =
            in_hole ? 1 - share[CYLINDER_GROUND] : share[CYLINDER_TOP] + share[CYLINDER_RIM] + share[CYLINDER_SIDE];
        w->says[i] = p->not_ground ? shows : 1;
        w->says[i] *= w->each * (in_skirt(s, &p->sight, skirt, w->tuning) ? skirt->weight : 1);
    }
}

// One step's normal equations, colours projected out.
struct gauss_newton {
    double N[MODEL_NUMBERS * MODEL_NUMBERS], g[MODEL_NUMBERS], noise, moved;
};

// What of the pixels at borders goes into them, in rows.
struct border_rows {
    int n;
    double slope[MODEL_NUMBERS][3][WINDOW_SAMPLES], counts[WINDOW_SAMPLES];
    double part[MODEL_CHANNELS][PARTS][WINDOW_SAMPLES];
    double off[3][WINDOW_SAMPLES];
};

static void take_borders(struct border_rows *rows, const struct cylinder_pixels *w, const struct cylinder_model *m)
{
    const struct cylinder_ahead ahead = cylinder_model_ahead(w, m);
    int n = 0;
    for (int i = 0; i < w->n; i++) {
        const double *share = w->shown[i].share[LUMA], weight = w->weight[i] * w->says[i];
        double J[MODEL_NUMBERS][3];
        if (!(weight > 0) || share[CYLINDER_TOP] > ALL_OF_IT || share[CYLINDER_GROUND] > ALL_OF_IT)
            continue; // no border is near
        cylinder_model_slopes(J, w, m, &ahead, i);
        for (int c = 0; c < 3; c++) {
            for (int k = 0; k < MODEL_NUMBERS; k++)
                rows->slope[k][c][n] = J[k][c] * w->slope[i] / w->scatter[c];
            rows->off[c][n] = weight * w->off[c][i] / w->scatter[c];
        }
        rows->counts[n] = weight;
        for (int c = 0; c < MODEL_CHANNELS; c++)
            for (int a = 0; a < w->parts; a++)
                rows->part[c][a][n] = weight * w->slope[i] * w->part[c][a][i];
        n++;
    }
    rows->n = n;
}

// gn->noise is the variance of a pixel's residual. What is believed of growth, rounding and blur before they are seen counts too.
static struct normal_equations normal_equations(struct gauss_newton *gn, const struct cylinder_pixels *w,
                                                const struct cylinder_model *m)
{
    const struct cylinder_view *s = &m->view;
    struct normal_equations e = normal_begin(gn->N, gn->g, MODEL_NUMBERS);
    struct border_rows rows;
    double weighted[WINDOW_SAMPLES], side[MODEL_NUMBERS][3][PARTS] = { { { 0 } } };
    take_borders(&rows, w, m);
    for (int k = 0; k < MODEL_NUMBERS; k++)
        for (int c = 0; c < 3; c++) {
            const double *slope = rows.slope[k][c];
            for (int i = 0; i < rows.n; i++)
                weighted[i] = slope[i] * rows.counts[i];
            e.g[k] += cylinder_dot(slope, rows.off[c], rows.n);
            for (int l = 0; l <= k; l++)
                *normal_at(&e, k, l) += cylinder_dot(weighted, rows.slope[l][c], rows.n);
            for (int a = 0; a < w->parts; a++)
                side[k][c][a] = cylinder_dot(slope, rows.part[cylinder_channel(c)][a], rows.n);
        }
    for (int k = 0; k < MODEL_NUMBERS; k++)
        for (int c = 0; c < 3; c++) {
            double through[PARTS]; // the colours' own step
            for (int a = 0; a < PARTS; a++) {
                const double *row = &w->inverse[cylinder_channel(c)][a * PARTS];
                through[a] = 0;
                for (int b = 0; b < PARTS; b++)
                    through[a] += row[b] * side[k][c][b];
            }
            for (int l = 0; l <= k; l++)
                for (int a = 0; a < PARTS; a++)
                    *normal_at(&e, k, l) -= side[l][c][a] * through[a];
        }
    const double unit = sqrt(gn->noise); // the equations are those of pixels of variance 1
    normal_add_prior(&e, MODEL_GROW, -s->grow_in, w->grow_sigma_in / unit);
    normal_add_prior(&e, MODEL_ROUNDING, w->rounding_in - s->rounding_in, w->rounding_sigma_in / unit);
    normal_add_prior(&e, MODEL_BLUR, w->blur_in - s->blur_in, w->tuning->fit_blur_share * w->blur_in / unit);
    return e;
}

// Scatter of the ground's colours, each channel by itself; noise and grain together.
static void measure_scatter(struct cylinder_pixels *w)
{
    enum { LEAST_SAMPLES = 20 };           // of bare ground: of fewer the scatter is not known
    static const double all_ground = 0.95; // of a pixel
    double off[3][WINDOW_SAMPLES];
    int n = 0;
    for (int i = 0; i < w->n; i++) {
        if (w->shown[i].share[LUMA][CYLINDER_GROUND] < all_ground || w->w.sample[i].not_ground)
            continue;
        for (int c = 0; c < 3; c++)
            off[c][n] = fabs(w->off[c][i]);
        n++;
    }
    for (int c = 0; c < 3; c++)
        w->scatter[c] = n > LEAST_SAMPLES ? fmax(MAD_TO_SIGMA * median_of(off[c], n), w->tuning->fit_least_scatter)
                                          : 2 * w->tuning->fit_least_scatter;
}

// What the model, in the colours that suit it best, explains of the pixels beyond ground of one colour.
static double explained(struct cylinder_pixels *w, struct cylinder_model m, double ground)
{
    double weights;
    return cylinder_model_paint(&m, w) ? 1 - cylinder_model_misfit(w, &weights) / fmax(ground, 1e-9) : 0;
}

static double explained_by(struct cylinder_pixels *w, struct cylinder_model m, double radius_in, double ground)
{
    m.view.radius_in = radius_in;
    cylinder_model_place(w, &m);
    return explained(w, m, ground);
}

// Share of the outline's directions in which the colour steps from the ground's to the piece's as the model says: the slope
// of the pixels' light on the model's, along the line between both colours, over the pixels of each direction.
static double outline_support(const struct cylinder_pixels *w, const struct cylinder_model *m)
{
    // Of a direction's pixels: their number, the sums of where on that line they should be and are, of squares and product of both,
    // of the face's share of them and its square.
    enum { NUMBER, SAYS, IS, SAYS2, SAYS_IS, FACE, FACE2, SUMS };
    static const double two_colours = 0.8;   // of a pixel: the rest may be the side
    static const double stepped_least = 0.5; // of the model's step
    double sums[OUTLINE_SECTORS][SUMS] = { { 0 } }, axis[3], full = 0;
    int seen = 0, stepped = 0;
    for (int c = 0; c < 3; c++) {
        double step = m->colour[PART_TOP][c] - m->colour[PART_GROUND][c];
        axis[c] = step / (w->scatter[c] * w->scatter[c]);
        full += axis[c] * step;
    }
    for (int i = 0; i < w->n; i++) {
        const struct pixel_sample *p = &w->w.sample[i];
        double top = w->shown[i].share[LUMA][CYLINDER_TOP] + w->shown[i].share[LUMA][CYLINDER_RIM], is = 0, says = 0;
        if (top + w->shown[i].share[LUMA][CYLINDER_GROUND] < two_colours || (p->not_ground && top < two_colours))
            continue;
        for (int c = 0; c < 3; c++) {
            is += axis[c] * (w->seen[c][i] - m->colour[PART_GROUND][c]) / full;
            says += axis[c] * (w->seen[c][i] - w->off[c][i] / p->slope - m->colour[PART_GROUND][c]) / full;
        }
        double angle = atan2(p->sight.low.y - m->view.at.y, p->sight.low.x - m->view.at.x) / (2 * PI) + 0.5;
        double *s = sums[(int)(angle * OUTLINE_SECTORS) % OUTLINE_SECTORS],
               term[SUMS] = { 1, says, is, says * says, says * is, top, top * top };
        for (int k = 0; k < SUMS; k++)
            s[k] += term[k];
    }
    for (int k = 0; k < OUTLINE_SECTORS; k++) {
        const double *s = sums[k];
        double spread = s[NUMBER] * s[SAYS2] - s[SAYS] * s[SAYS], n2 = s[NUMBER] * s[NUMBER];
        double covers = s[NUMBER] * s[FACE2] - s[FACE] * s[FACE]; // does the piece begin in it, and would that show?
        if (!(spread > w->tuning->fit_least_step * n2) || !(covers > w->tuning->fit_least_border * n2))
            continue;
        seen++;
        stepped += s[NUMBER] * s[SAYS_IS] - s[SAYS] * s[IS] > stepped_least * spread;
    }
    return seen ? (double)stepped / seen : 0;
}

// Share of the top's pixels, well inside its rim, that are not of its one colour.
static double unevenness(const struct cylinder_pixels *w, const struct cylinder_model *m)
{
    double most = 0;
    int inside = 0, other = 0;
    for (int i = 0; i < w->n; i++)
        most = fmax(most, w->shown[i].share[LUMA][CYLINDER_TOP]); // a ring's top is narrow: no pixel may be all of it
    for (int i = 0; i < w->n; i++) {
        double off2 = 0;
        if (w->shown[i].share[LUMA][CYLINDER_TOP] < w->tuning->fit_well_inside * most)
            continue;
        for (int c = 0; c < 3; c++) {
            const double(*part)[WINDOW_SAMPLES] = w->part[cylinder_channel(c)];
            double slope =
                part[PART_TOP_X][i] * m->colour[PART_TOP_X][c] + part[PART_TOP_Y][i] * m->colour[PART_TOP_Y][c];
            off2 += pow(w->off[c][i] + slope * w->w.sample[i].slope, 2);
        }
        inside++;
        other += off2 > w->tuning->fit_other_colour * w->tuning->fit_other_colour;
    }
    return inside ? (double)other / inside : 1;
}

static void report(struct cylinder_fit *fit, struct cylinder_pixels *w, struct cylinder_model *m, enum fit_effort care)
{
    fit->at = m->view.at;
    fit->grow_in = m->view.grow_in;
    fit->rounding_in = m->view.rounding_in;
    fit->blur_in = m->view.blur_in;
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
    for (int i = 0; i < w->n; i++) {
        const double *shown = w->shown[i].share[LUMA];
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
    for (int i = 0; i < w->n; i++) {
        double weight = w->weight[i] * w->says[i];
        weights += weight;
        for (int c = 0; c < 3; c++) {
            const struct pixel_sample *p = &w->w.sample[i];
            double x = (p->colour[c] - p->slope * p->grain[c]) / w->scatter[c];
            sum[c] += weight * x;
            squares[c] += weight * x * x;
        }
    }
    for (int c = 0; c < 3; c++)
        ground += squares[c] - sum[c] * sum[c] / fmax(weights, 1e-9);
    fit->explained = explained(w, *m, ground) * share;
    cylinder_model_compare(w, m); // with the colours that all pixels gave
    fit->support = outline_support(w, m);
    fit->uneven = unevenness(w, m);
    if (care == FIT_PLACE || care == FIT_NEAR)
        return;
    fit->larger = explained_by(w, *m, radius_in * (1 + w->tuning->fit_size_probe), ground) * share - fit->explained;
    if (care == FIT_SIZE)
        fit->smaller =
            explained_by(w, *m, radius_in * (1 - w->tuning->fit_size_probe), ground) * share - fit->explained;
}

// Brings some pixels from all over the window to its front.
static int bring_few(struct pixel_window *w, double few)
{
    int step = (int)(w->n / few), n = 0;
    if (step < 2)
        return w->n;
    for (int i = 0; i < w->n; i += step) {
        struct pixel_sample front = w->sample[n];
        w->sample[n++] = w->sample[i];
        w->sample[i] = front;
    }
    return n;
}

// All that the pixels say of the model where it stands now.
static bool take_stock(struct cylinder_pixels *w, struct cylinder_model *m)
{
    cylinder_model_place(w, m);
    say_all(w, &m->view, &PLACING);
    return cylinder_model_paint(m, w);
}

static bool start(struct cylinder_pixels *w, struct cylinder_model *m, const struct cylinder_fit *fit,
                  const struct frame *f, const struct cylinder *s, const struct surroundings *near,
                  enum fit_effort care)
{
    w->tuning = near->tuning;
    if (!cylinder_view_at(&m->view, s, fit->at, &near->board->camera, &near->edge) ||
        !cylinder_window_fill(&w->w, f, &m->view, near, WINDOW_SAMPLES))
        return false;
    w->grow_sigma_in =
        care == FIT_SIZE ? w->tuning->fit_size_probe * s->radius_in : w->tuning->fit_grow_blurs * m->view.blur_in;
    w->middle = fit->at;
    w->blur_in = m->view.blur_in;
    w->light = near->light;
    w->rounding_in = near->edge.rounding_in;
    w->rounding_sigma_in = near->edge.rounding_sigma_in;
    w->chroma_blur = hypot(1, w->tuning->fit_chroma_blur_px / near->edge.blur_px);
    for (int i = 0; i < w->w.n; i++)
        w->weight[i] = 1;
    for (int c = 0; c < 3; c++)
        w->scatter[c] = 2 * w->tuning->fit_least_scatter;
    bool near_already = fit->blur_in > 0;
    if (near_already) {
        m->view.rounding_in = fit->rounding_in;
        m->view.blur_in = fit->blur_in;
        m->view.grow_in = fit->grow_in;
    }
    cylinder_model_look_at(w, near_already ? w->w.n : bring_few(&w->w, w->tuning->fit_few_samples));
    if (!take_stock(w, m))
        return false;
    measure_scatter(w);
    return true;
}

// One step. False when the pixels do not determine the colours.
static bool take_step(struct gauss_newton *g, struct cylinder_pixels *w, struct cylinder_model *m)
{
    const struct disc_tuning *t = w->tuning;
    struct cylinder_view *v = &m->view;
    double weights, squares = cylinder_model_misfit(w, &weights), step[MODEL_NUMBERS] = { 0 };
    // How much the pixels scatter beyond the ground's own scatter, pixels that share their errors counted.
    g->noise = fmax(squares / fmax(3 * weights - 2, 1), 0.25) * t->fit_shared_pixels;
    struct normal_equations sums = normal_equations(g, w, m), spoilt = sums;
    double N[countof(g->N)];
    spoilt.N = memcpy(N, sums.N, sizeof N); // they are wanted once more, for the covariance
    if (!normal_solve(step, &spoilt))       // then the fit stays
        memset(step, 0, sizeof step);
    double far = hypot(step[0], step[1]);
    g->moved = fmin(far, t->fit_most_step_in);
    for (int k = 0; k < MODEL_NUMBERS; k++)
        *cylinder_model_number(v, k) += far > g->moved ? g->moved / far * step[k] : step[k];
    v->rounding_in = fmax(0, v->rounding_in);
    v->blur_in = fmax(t->fit_least_blur * w->blur_in, v->blur_in);
    return take_stock(w, m);
}

struct patience {
    int rounds;
    double settled_in;
};

// Steps until they are smaller than that. `known`: the model is near, and its residuals say which pixels to trust.
static bool approach(struct gauss_newton *g, struct cylinder_pixels *w, struct cylinder_model *m,
                     struct patience patience, bool known)
{
    for (int round = 0; round < patience.rounds; round++) {
        bool weighed = known || round > 0; // with the colours' normal matrix of these weights
        if (weighed)
            cylinder_model_weigh(w);
        if ((weighed && !cylinder_model_paint(m, w)) || !take_step(g, w, m) ||
            hypot(m->view.at.x - w->middle.x, m->view.at.y - w->middle.y) > w->tuning->fit_most_drift_in)
            return false;
        if (g->moved < patience.settled_in && (known || round > 1))
            break;
    }
    return true;
}

bool cylinder_fit_run(struct cylinder_fit *fit, const struct frame *f, const struct cylinder *s,
                      const struct surroundings *near, enum fit_effort care)
{
    struct cylinder_pixels w;
    struct cylinder_model m;
    struct gauss_newton g;
    const struct disc_tuning *t = near->tuning;
    if (!start(&w, &m, fit, f, s, near, care))
        return false;
    const struct patience rough = { CYLINDER_ROUNDS, t->fit_size_settled_in };
    // What has not come to rest on few pixels will not on all of them: there is nothing.
    const struct patience judging = { 2, t->fit_size_settled_in }, placing = { CYLINDER_ROUNDS, t->fit_settled_in };
    bool near_already = fit->blur_in > 0;
    if (w.n < w.w.n) {
        if (!approach(&g, &w, &m, rough, false))
            return false;
        cylinder_model_look_at(&w, w.w.n);
        if (!take_stock(&w, &m))
            return false;
        near_already = true;
    }
    if (!approach(&g, &w, &m, care == FIT_PLACE || !near_already ? placing : judging, near_already))
        return false;
    double inverse[MODEL_NUMBERS * MODEL_NUMBERS];
    fit->cov = (struct cov_in2){ 1, 0, 1 };
    if (cholesky_invert(inverse, g.N, MODEL_NUMBERS))
        fit->cov = (struct cov_in2){ g.noise * inverse[0], g.noise * inverse[1], g.noise * inverse[MODEL_NUMBERS + 1] };
    report(fit, &w, &m, care);
    return true;
}
