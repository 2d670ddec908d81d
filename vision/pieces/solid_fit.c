// SPDX-License-Identifier: MIT
#include "vision/pieces/solid_fit.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"

enum { GLANCE_SAMPLES = 350, CLASSES = SOLID_PARTS + 2, ROUNDS = 8, SECTORS = 24, NUMBERS = 3 };
enum { GROUND_X = SOLID_PARTS, GROUND_Y };
static const double SHADOW_IN = 0.12;    // how far a contact shadow reaches: a third of a disc's height
static const double GROW_BLURS = 0.33;   // 1 sigma of what gamma, sharpening and a maker's tolerance do to an outline
static const double LEAST_SCATTER = 2.0; // 8-bit steps: noise and JPEG at their best
static const double WELL_INSIDE = 0.98;  // share of a pixel
static const double ALL_OF_IT = 0.9995;  // share of a pixel: moving the piece a little changes nothing there
static const double OTHER_COLOUR = 18;   // 8-bit steps; noise and grain stay below
static const double RIDGE = 4;           // pixels' worth of belief that what is hardly seen has its neighbour's colour
static const double TUKEY_SIGMAS = 6;    // wood is not Gaussian: wider than the textbook's 4.685
static const double MOST_STEP_IN = 0.08; // a move beyond it leaves the linear range
static const double STEP_IN = 1e-3;      // of the derivatives
static const double SETTLED_IN = 5e-4;   // a tenth of what the best fit is sure of
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

struct model {
    struct solid_stand stand;
    double colour[CLASSES][3];
};

struct fitting {
    struct window w;
    struct pt_in middle;          // of the window: the ground's slope is counted from here
    double weight[SOLID_SAMPLES]; // how far a pixel is believed: Tukey's
    double says[SOLID_SAMPLES];   // how far it can tell of this solid at this place
    double share[SOLID_SAMPLES][CLASSES];
    double scatter[3];
    double inverse[CLASSES * CLASSES]; // of the colours' normal matrix
};

static double *model_number(struct model *m, int k)
{
    return k == 0 ? &m->stand.at.x : k == 1 ? &m->stand.at.y : &m->stand.grow_in;
}

static void shares_at(double share[CLASSES], const struct fitting *w, const struct model *m, const struct sample *p)
{
    solid_shares(share, &m->stand, p->low);
    share[GROUND_X] = share[SOLID_GROUND] * (p->low.x - w->middle.x);
    share[GROUND_Y] = share[SOLID_GROUND] * (p->low.y - w->middle.y);
}

// Towards the camera a piece shows the foot of its side, and before it the ground in its contact shadow: neither has one
// colour.
static bool in_skirt(const struct model *m, const struct sample *p, const struct skirt *skirt)
{
    const struct solid_stand *s = &m->stand;
    double h = s->solid->height_in, reach = s->radius_in + SHADOW_IN;
    struct pt_in under = { p->low.x - s->at.x, p->low.y - s->at.y };
    if (under.x * under.x + under.y * under.y > reach * reach)
        return false;
    struct pt_in high = solid_sight_at(s, p->low, h), foot = solid_sight_at(s, p->low, skirt->from * h);
    double low = hypot(under.x, under.y), over = hypot(foot.x - s->at.x, foot.y - s->at.y);
    double slant_in = hypot(high.x - p->low.x, high.y - p->low.y);
    return low < over && over > s->radius_in && low < s->radius_in + fmin(SHADOW_IN, slant_in / 2);
}

static void share_all(struct fitting *w, const struct model *m)
{
    for (int i = 0; i < w->w.n; i++)
        shares_at(w->share[i], w, m, &w->w.sample[i]);
}

// How far each pixel can tell of the solid where it stands now.
static void say_all(struct fitting *w, const struct model *m, const struct skirt *skirt)
{
    bool in_hole = m->stand.solid->base_in < 0; // then the hole's floor is what a ring is seen against
    for (int i = 0; i < w->w.n; i++) {
        const struct sample *p = &w->w.sample[i];
        double shows = in_hole ? 1 - w->share[i][SOLID_GROUND] : w->share[i][SOLID_TOP] + w->share[i][SOLID_SIDE];
        w->says[i] = p->not_ground ? shows : 1;
        w->says[i] *= in_skirt(m, p, skirt) ? skirt->weight : 1;
    }
}

static void residual_of(double out[3], const struct fitting *w, const struct model *m, int i)
{
    for (int c = 0; c < 3; c++) {
        double is = 0;
        for (int k = 0; k < CLASSES; k++)
            is += w->share[i][k] * m->colour[k][c];
        out[c] = (w->w.sample[i].colour[c] - is) / w->scatter[c];
    }
}

static void believe_alike(double A[CLASSES * CLASSES], int a, int b)
{
    A[a * CLASSES + a] += RIDGE;
    A[b * CLASSES + b] += RIDGE;
    A[a * CLASSES + b] -= RIDGE;
    A[b * CLASSES + a] -= RIDGE;
}

// The colours that suit the place best, from the shares as they are. False when the pixels do not determine them.
static bool solve_colours(struct model *m, struct fitting *w)
{
    double A[CLASSES * CLASSES] = { 0 }, b[3][CLASSES] = { { 0 } };
    for (int i = 0; i < w->w.n; i++) {
        const double *share = w->share[i];
        double weight = w->weight[i] * w->says[i];
        for (int k = 0; k < CLASSES; k++) {
            for (int l = 0; l <= k; l++)
                A[k * CLASSES + l] += weight * share[k] * share[l];
            for (int c = 0; c < 3; c++)
                b[c][k] += weight * share[k] * w->w.sample[i].colour[c];
        }
    }
    for (int k = 0; k < CLASSES; k++)
        for (int l = k + 1; l < CLASSES; l++)
            A[k * CLASSES + l] = A[l * CLASSES + k];
    believe_alike(A, SOLID_SIDE, SOLID_TOP);
    believe_alike(A, SOLID_WALL, SOLID_TOP);
    believe_alike(A, SOLID_FLOOR, SOLID_GROUND);
    for (int k = 0; k < CLASSES; k++)
        A[k * CLASSES + k] += 1e-6;
    if (!cholesky_invert(w->inverse, A, CLASSES))
        return false;
    for (int k = 0; k < CLASSES; k++)
        for (int c = 0; c < 3; c++) {
            m->colour[k][c] = 0;
            for (int l = 0; l < CLASSES; l++)
                m->colour[k][c] += w->inverse[k * CLASSES + l] * b[c][l];
        }
    return true;
}

// Weighted sum of squares of the model, and of the pixels' number.
static double misfit(const struct fitting *w, const struct model *m, double *weights)
{
    double sum = 0;
    *weights = 0;
    for (int i = 0; i < w->w.n; i++) {
        double r[3], weight = w->weight[i] * w->says[i];
        residual_of(r, w, m, i);
        sum += weight * vec3_dot(r, r);
        *weights += weight;
    }
    return sum;
}

static void reweigh(struct fitting *w, const struct model *m)
{
    double sizes[SOLID_SAMPLES];
    for (int i = 0; i < w->w.n; i++) {
        double r[3];
        residual_of(r, w, m, i);
        w->weight[i] = sizes[i] = sqrt(vec3_dot(r, r));
    }
    double scale = fmax(median_of(sizes, w->w.n) / 1.54, 0.5); // median length of a normal 3-vector
    for (int i = 0; i < w->w.n; i++) {
        double x = w->weight[i] / (TUKEY_SIGMAS * scale);
        w->weight[i] = x < 1 ? (1 - x * x) * (1 - x * x) : 0;
    }
}

// The normal equations, colours projected out.
struct normal {
    double N[NUMBERS * NUMBERS], g[NUMBERS], side[NUMBERS][3][CLASSES];
};

static void add_sample(struct normal *e, const struct fitting *w, const struct model *m, const struct model *ahead,
                       int i)
{
    double r[3], J[NUMBERS][3], weight = w->weight[i] * w->says[i];
    if (!(weight > 0) || w->share[i][SOLID_TOP] > ALL_OF_IT || w->share[i][SOLID_GROUND] > ALL_OF_IT)
        return; // no border is near
    residual_of(r, w, m, i);
    for (int k = 0; k < NUMBERS; k++) {
        double moved[CLASSES];
        shares_at(moved, w, &ahead[k], &w->w.sample[i]);
        for (int c = 0; c < 3; c++) {
            J[k][c] = 0;
            for (int l = 0; l < CLASSES; l++)
                J[k][c] += (moved[l] - w->share[i][l]) * m->colour[l][c];
            J[k][c] /= STEP_IN * w->scatter[c];
            for (int l = 0; l < CLASSES; l++)
                e->side[k][c][l] += weight * J[k][c] * w->share[i][l];
        }
        e->g[k] += weight * vec3_dot(J[k], r);
        for (int l = 0; l <= k; l++)
            e->N[k * NUMBERS + l] += weight * vec3_dot(J[k], J[l]);
    }
}

static double projected(const struct normal *e, const struct fitting *w, int k, int l)
{
    double sum = 0;
    for (int c = 0; c < 3; c++)
        for (int a = 0; a < CLASSES; a++)
            for (int b = 0; b < CLASSES; b++)
                sum += e->side[k][c][a] * w->inverse[a * CLASSES + b] * e->side[l][c][b];
    return sum;
}

static void normal_equations(struct normal *e, const struct fitting *w, const struct model *m)
{
    struct model ahead[NUMBERS];
    memset(e, 0, sizeof *e);
    for (int k = 0; k < NUMBERS; k++) {
        ahead[k] = *m;
        *model_number(&ahead[k], k) += STEP_IN;
    }
    for (int i = 0; i < w->w.n; i++)
        add_sample(e, w, m, ahead, i);
    for (int k = 0; k < NUMBERS; k++)
        for (int l = 0; l <= k; l++)
            e->N[l * NUMBERS + k] = e->N[k * NUMBERS + l] -= projected(e, w, k, l);
}

// What is believed of the growth before it is seen, in units of the normal matrix.
static double belief(const struct model *m, double noise)
{
    return noise / pow(GROW_BLURS * m->stand.blur_in, 2);
}

// One Gauss-Newton step; returns how far the place moved.
static double step_on(struct model *m, const struct normal *e, double noise)
{
    double F[NUMBERS * NUMBERS], step[NUMBERS];
    memcpy(F, e->N, sizeof F);
    memcpy(step, e->g, sizeof step);
    F[NUMBERS * NUMBERS - 1] += belief(m, noise);
    step[NUMBERS - 1] -= belief(m, noise) * m->stand.grow_in;
    if (!cholesky_solve(step, F, step, NUMBERS))
        return 0;
    double length = hypot(step[0], step[1]), share = length > MOST_STEP_IN ? MOST_STEP_IN / length : 1;
    for (int k = 0; k < NUMBERS; k++)
        *model_number(m, k) += share * step[k];
    return share * length;
}

// Scatter of the ground's colours, each channel by itself; noise and grain together.
static void measure_scatter(struct fitting *w, const struct model *m)
{
    double off[3][SOLID_SAMPLES];
    int n = 0;
    for (int i = 0; i < w->w.n; i++) {
        double r[3];
        if (w->share[i][SOLID_GROUND] < 0.95 || w->w.sample[i].not_ground)
            continue;
        residual_of(r, w, m, i);
        for (int c = 0; c < 3; c++)
            off[c][n] = fabs(r[c]) * w->scatter[c];
        n++;
    }
    for (int c = 0; c < 3; c++)
        w->scatter[c] = n > 20 ? fmax(1.4826 * median_of(off[c], n), LEAST_SCATTER) : 2 * LEAST_SCATTER;
}

// Misfit of the ground alone: the same pixels, no piece.
static double ground_misfit(const struct fitting *w)
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

static double explained_by(struct fitting *w, struct model m, double radius_in, double ground)
{
    double weights;
    m.stand.radius_in = radius_in;
    share_all(w, &m);
    if (!solve_colours(&m, w))
        return 0;
    return 1 - misfit(w, &m, &weights) / fmax(ground, 1e-9);
}

// Share of the outline's directions in which the colour steps from the ground's to the piece's: the slope of how much of
// that step a pixel has on how much of it is covered, over the pixels of each direction.
static double outline_support(const struct fitting *w, const struct model *m)
{
    double sums[SECTORS][5] = { { 0 } }, axis[3], full = 0;
    int seen = 0, stepped = 0;
    for (int c = 0; c < 3; c++) {
        double step = m->colour[SOLID_TOP][c] - m->colour[SOLID_GROUND][c];
        axis[c] = step / (w->scatter[c] * w->scatter[c]);
        full += axis[c] * step;
    }
    for (int i = 0; i < w->w.n; i++) {
        const struct sample *p = &w->w.sample[i];
        double top = w->share[i][SOLID_TOP], along = 0;
        if (top + w->share[i][SOLID_GROUND] < 0.8 || (p->not_ground && top < 0.8))
            continue;
        for (int c = 0; c < 3; c++)
            along += axis[c] * (p->colour[c] - m->colour[SOLID_GROUND][c]) / full;
        double angle = atan2(p->low.y - m->stand.at.y, p->low.x - m->stand.at.x) / (2 * PI) + 0.5;
        double *s = sums[(int)(angle * SECTORS) % SECTORS], term[5] = { 1, top, along, top * top, top * along };
        for (int k = 0; k < 5; k++)
            s[k] += term[k];
    }
    for (int k = 0; k < SECTORS; k++) {
        const double *s = sums[k];
        double spread = s[0] * s[3] - s[1] * s[1];
        if (!(spread > 0.05 * s[0] * s[0]))
            continue;
        seen++;
        stepped += s[0] * s[4] - s[1] * s[2] > 0.5 * spread;
    }
    return seen ? (double)stepped / seen : 0;
}

// Share of the top's pixels, well inside its rim, that are not as the model says.
static double unevenness(const struct fitting *w, const struct model *m)
{
    double most = 0;
    int inside = 0, other = 0;
    for (int i = 0; i < w->w.n; i++)
        most = fmax(most, w->share[i][SOLID_TOP]); // a ring's top is narrow: no pixel may be all of it
    for (int i = 0; i < w->w.n; i++) {
        double r[3], off2 = 0;
        if (w->share[i][SOLID_TOP] < WELL_INSIDE * most)
            continue;
        residual_of(r, w, m, i);
        for (int c = 0; c < 3; c++)
            off2 += pow(r[c] * w->scatter[c], 2);
        inside++;
        other += off2 > OTHER_COLOUR * OTHER_COLOUR;
    }
    return inside ? (double)other / inside : 1;
}

// How much the pixels scatter beyond the ground's own scatter, pixels that share their errors counted.
static double noise_of(const struct fitting *w, const struct model *m)
{
    double weights, squares = misfit(w, m, &weights);
    return fmax(squares / fmax(3 * weights - 2, 1), 0.25) * CORRELATED_PIXELS;
}

static void report_precision(struct solid_fit *fit, const struct normal *e, const struct model *m, double noise)
{
    double inverse[NUMBERS * NUMBERS], factor[NUMBERS * NUMBERS];
    fit->cov = (struct cov_in2){ 1, 0, 1 };
    memcpy(factor, e->N, sizeof factor);
    factor[NUMBERS * NUMBERS - 1] += belief(m, noise);
    if (cholesky_invert(inverse, factor, NUMBERS))
        fit->cov = (struct cov_in2){ noise * inverse[0], noise * inverse[1], noise * inverse[NUMBERS + 1] };
}

// What is painted beside a piece, or a finger beside it, must not drown what the piece explains: such pixels are left out.
// Those on the piece itself count against it: returns the share of it that is as the model says. A ring has no place where
// its shading does not show; its two circles speak for it.
static double keep_inliers(struct fitting *w, const struct model *m)
{
    double all = 0, kept = 0;
    reweigh(w, m);
    for (int i = 0; i < w->w.n; i++) {
        double solid = w->says[i] * (w->share[i][SOLID_TOP] + w->share[i][SOLID_SIDE]);
        bool border = fabs(solid_clearance(&m->stand, w->w.sample[i].low)) < SIZE_PROBE * m->stand.radius_in;
        w->weight[i] = border || w->weight[i] > 0; // a wrong size shows at the border
        all += solid;
        kept += solid * w->weight[i];
    }
    return m->stand.solid->hole_in > 0 ? 1 : kept / fmax(all, 1e-9);
}

static void report(struct solid_fit *fit, struct fitting *w, struct model *m)
{
    fit->at = m->stand.at;
    fit->grow_in = m->stand.grow_in;
    memcpy(fit->top, m->colour[SOLID_TOP], sizeof fit->top);
    memcpy(fit->ground, m->colour[SOLID_GROUND], sizeof fit->ground);
    memcpy(fit->floor, m->colour[SOLID_FLOOR], sizeof fit->floor);
    double contrast2 = 0;
    for (int c = 0; c < 3; c++)
        contrast2 += pow((m->colour[SOLID_TOP][c] - m->colour[SOLID_GROUND][c]) / w->scatter[c], 2);
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

static bool start(struct fitting *w, struct model *m, const struct solid_fit *fit, const struct frame *f,
                  const struct solid *s, const struct surroundings *near, int most)
{
    if (!solid_stand_at(&m->stand, s, fit->at, &near->board->camera) ||
        !solid_window_fill(&w->w, f, &m->stand, near, most))
        return false;
    w->middle = fit->at;
    for (int i = 0; i < w->w.n; i++)
        w->weight[i] = 1;
    for (int c = 0; c < 3; c++)
        w->scatter[c] = 2 * LEAST_SCATTER;
    share_all(w, m);
    say_all(w, m, &PLACING);
    if (!solve_colours(m, w))
        return false;
    measure_scatter(w, m);
    return true;
}

bool solid_fit_run(struct solid_fit *fit, const struct frame *f, const struct solid *s, const struct surroundings *near,
                   enum solid_care care)
{
    struct fitting w;
    struct model m;
    struct normal e;
    struct pt_in from = fit->at;
    double noise = 1;
    if (!start(&w, &m, fit, f, s, near, care == SOLID_GLANCE ? GLANCE_SAMPLES : SOLID_SAMPLES))
        return false;
    for (int round = 0; round < ROUNDS; round++) {
        if (round > 0)
            reweigh(&w, &m);
        noise = noise_of(&w, &m);
        normal_equations(&e, &w, &m);
        double moved = step_on(&m, &e, noise);
        share_all(&w, &m);
        say_all(&w, &m, &PLACING);
        if (!solve_colours(&m, &w) || hypot(m.stand.at.x - from.x, m.stand.at.y - from.y) > MOST_DRIFT_IN)
            return false;
        if (round > 1 && moved < (care == SOLID_CARE ? SETTLED_IN : GLANCE_SETTLED_IN))
            break;
    }
    report_precision(fit, &e, &m, noise);
    report(fit, &w, &m);
    return true;
}
