// SPDX-License-Identifier: MIT
#include "vision/pieces/solid_fit.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/pieces/colour.h"
#include "vision/pieces/px_box.h"

enum { MAX_SAMPLES = 1500, GLANCE_SAMPLES = 350, CLASSES = 5, ROUNDS = 10, SECTORS = 24 };
enum { TOP, SIDE, GROUND, GROUND_X, GROUND_Y };
static const double MARGIN_IN = 0.32;     // of ground looked at around the piece; less than half a piece
static const double BLUR_PX = 1.2;        // sigma of a picture's edges, as for the board's lines
static const double LINE_CLEAR_PX = 1.5;  // a line's blur
static const double ROUNDING_IN = 0.0625; // radius of a disc's or ring's edges, by feel of what is sold
static const double SHADOW_IN = 0.12;     // how far a contact shadow reaches: a third of a disc's height
static const double SKIRT_WEIGHT = 0.05;
static const double LEAST_SCATTER = 2.0; // 8-bit steps: noise and JPEG at their best
static const double SMALL_BLUR = 0.2;    // of the radius
static const double WELL_INSIDE = 0.98;  // share of a pixel
static const double OTHER_COLOUR = 18;   // 8-bit steps; noise and grain stay below
static const double RIDGE = 4;           // pixels' worth of belief that the side has the top's colour
static const double TUKEY_SIGMAS = 6;    // wood is not Gaussian: wider than the textbook's 4.685
static const double MOST_STEP_IN = 0.08; // a move beyond it leaves the linear range
static const double SETTLED_IN = 1e-4;
static const double MOST_DRIFT_IN = 0.45;  // farther than that it is another piece
static const double SIZE_PROBE = 0.12;     // of the radius
static const double CORRELATED_PIXELS = 6; // how many pixels share one error: demosaicing, JPEG, grain
enum { LEAST_SAMPLES = 60 };

struct sample {
    struct pt_in low, high; // where its line of sight meets the planes of the foot and of the top
    double colour[3];
    bool not_ground; // a line, peg, hole, neighbour or the ditch: tells nothing unless the piece covers it
    double weight;
};

struct window {
    const struct solid *solid;
    int n;
    struct sample sample[MAX_SAMPLES];
    double blur_in;
    double scatter[3];
};

struct model {
    struct pt_in at;
    double radius_in;
    double colour[CLASSES][3];
};

struct solid solid_of_piece(const struct board *b, double base_in)
{
    struct solid s = { b->piece, b->piece_radius_in, b->piece_height_in, b->piece_hole_radius_in, base_in };
    double cut_in = ROUNDING_IN * (1 - sqrt(0.5));
    s.radius_in -= cut_in;
    s.height_in -= cut_in;
    if (s.hole_in > 0)
        s.hole_in += cut_in;
    return s;
}

static double segment_distance(struct pt_in c, struct pt_in a, struct pt_in b)
{
    double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    double t = length2 > 0 ? ((c.x - a.x) * dx + (c.y - a.y) * dy) / length2 : 0;
    t = fmax(0, fmin(1, t));
    return hypot(a.x + t * dx - c.x, a.y + t * dy - c.y);
}

// Share of a pixel on the near side of a border, blurred: the logistic curve closest to a Gaussian's integral.
static double covered(double beyond_in, double blur_in)
{
    return 1 / (1 + exp(1.702 * beyond_in / blur_in));
}

static void shares_at(double share[CLASSES], const struct window *w, const struct model *m, const struct sample *p)
{
    const struct solid *s = w->solid;
    double top, all, through = 0;
    double over = hypot(p->high.x - m->at.x, p->high.y - m->at.y);
    all = covered(segment_distance(m->at, p->low, p->high) - m->radius_in, w->blur_in);
    top = covered(over - m->radius_in, w->blur_in);
    if (s->hole_in > 0) {
        double under = hypot(p->low.x - m->at.x, p->low.y - m->at.y);
        top -= covered(over - s->hole_in, w->blur_in);
        through = covered(fmax(over, under) - s->hole_in, w->blur_in);
    }
    share[TOP] = fmax(top, 0);
    share[SIDE] = fmax(all - top - through, 0);
    share[GROUND] = 1 - share[TOP] - share[SIDE];
    share[GROUND_X] = share[GROUND] * (p->low.x - m->at.x);
    share[GROUND_Y] = share[GROUND] * (p->low.y - m->at.y);
}

// Towards the camera a piece shows its side, and before it the ground in its contact shadow: neither has one colour. There
// the outline is told by the top's rim, not by where shadow ends.
static bool in_skirt(const struct model *m, const struct sample *p)
{
    double over = hypot(p->high.x - m->at.x, p->high.y - m->at.y),
           under = hypot(p->low.x - m->at.x, p->low.y - m->at.y);
    double slant_in = hypot(p->high.x - p->low.x, p->high.y - p->low.y);
    return under < over && over > m->radius_in && under < m->radius_in + fmin(SHADOW_IN, slant_in / 2);
}

static double weight_of(const struct model *m, const struct sample *p, const double share[CLASSES])
{
    double weight = p->not_ground ? p->weight * (1 - share[GROUND]) : p->weight;
    return in_skirt(m, p) ? SKIRT_WEIGHT * weight : weight;
}

// The colours that suit the place best. False when the pixels do not determine them.
static bool solve_colours(struct model *m, const struct window *w)
{
    double A[CLASSES * CLASSES] = { 0 }, b[3][CLASSES] = { { 0 } };
    for (int i = 0; i < w->n; i++) {
        double share[CLASSES];
        shares_at(share, w, m, &w->sample[i]);
        double weight = weight_of(m, &w->sample[i], share);
        for (int k = 0; k < CLASSES; k++) {
            for (int l = 0; l < CLASSES; l++)
                A[k * CLASSES + l] += weight * share[k] * share[l];
            for (int c = 0; c < 3; c++)
                b[c][k] += weight * share[k] * w->sample[i].colour[c];
        }
    }
    A[SIDE * CLASSES + SIDE] += RIDGE;
    A[TOP * CLASSES + TOP] += RIDGE;
    A[SIDE * CLASSES + TOP] -= RIDGE;
    A[TOP * CLASSES + SIDE] -= RIDGE;
    for (int k = 0; k < CLASSES; k++)
        A[k * CLASSES + k] += 1e-6;
    for (int c = 0; c < 3; c++) {
        double factor[CLASSES * CLASSES], x[CLASSES];
        memcpy(factor, A, sizeof A);
        if (!cholesky_solve(x, factor, b[c], CLASSES))
            return false;
        for (int k = 0; k < CLASSES; k++)
            m->colour[k][c] = x[k];
    }
    return true;
}

static void residual_at(double out[3], const struct window *w, const struct model *m, const struct sample *p,
                        const double share[CLASSES])
{
    for (int c = 0; c < 3; c++) {
        double is = 0;
        for (int k = 0; k < CLASSES; k++)
            is += share[k] * m->colour[k][c];
        out[c] = (p->colour[c] - is) / w->scatter[c];
    }
}

// Weighted sum of squares of the model, and of the pixels' number.
static double misfit(const struct window *w, const struct model *m, double *weights)
{
    double sum = 0;
    *weights = 0;
    for (int i = 0; i < w->n; i++) {
        double share[CLASSES], r[3];
        shares_at(share, w, m, &w->sample[i]);
        double weight = weight_of(m, &w->sample[i], share);
        residual_at(r, w, m, &w->sample[i], share);
        sum += weight * vec3_dot(r, r);
        *weights += weight;
    }
    return sum;
}

static void reweigh(struct window *w, const struct model *m)
{
    double sizes[MAX_SAMPLES];
    for (int i = 0; i < w->n; i++) {
        double share[CLASSES], r[3];
        shares_at(share, w, m, &w->sample[i]);
        residual_at(r, w, m, &w->sample[i], share);
        sizes[i] = sqrt(vec3_dot(r, r));
        w->sample[i].weight = sizes[i];
    }
    double scale = fmax(median_of(sizes, w->n) / 1.54, 0.5); // median length of a normal 3-vector
    for (int i = 0; i < w->n; i++) {
        double x = w->sample[i].weight / (TUKEY_SIGMAS * scale);
        w->sample[i].weight = x < 1 ? (1 - x * x) * (1 - x * x) : 0;
    }
}

// One Gauss-Newton step of the place, colours held. Returns its length; the normal matrix is left in N.
static double move_place(struct model *m, const struct window *w, double N[4])
{
    const double h = 1e-3;
    double g[2] = { 0 }, F[4], step[2];
    struct model ahead[2] = { *m, *m };
    ahead[0].at.x += h;
    ahead[1].at.y += h;
    memset(N, 0, 4 * sizeof *N);
    for (int i = 0; i < w->n; i++) {
        double share[CLASSES], r[3], J[2][3];
        shares_at(share, w, m, &w->sample[i]);
        double weight = weight_of(m, &w->sample[i], share);
        residual_at(r, w, m, &w->sample[i], share);
        for (int k = 0; k < 2; k++) {
            double moved[CLASSES], there[3];
            shares_at(moved, w, &ahead[k], &w->sample[i]);
            moved[GROUND_X] = moved[GROUND] * (w->sample[i].low.x - m->at.x); // the slope stays where it is
            moved[GROUND_Y] = moved[GROUND] * (w->sample[i].low.y - m->at.y);
            residual_at(there, w, m, &w->sample[i], moved);
            for (int c = 0; c < 3; c++)
                J[k][c] = (there[c] - r[c]) / h;
            g[k] -= weight * vec3_dot(J[k], r);
        }
        N[0] += weight * vec3_dot(J[0], J[0]);
        N[1] += weight * vec3_dot(J[0], J[1]);
        N[3] += weight * vec3_dot(J[1], J[1]);
    }
    N[2] = N[1];
    memcpy(F, N, sizeof F);
    if (!cholesky_solve(step, F, g, 2))
        return 0;
    double length = hypot(step[0], step[1]), k = length > MOST_STEP_IN ? MOST_STEP_IN / length : 1;
    m->at.x += k * step[0];
    m->at.y += k * step[1];
    return k * length;
}

static bool near_peg(const struct board *b, struct pt_in p, double clear_in)
{
    // Where on their circle the pegs stand is not known: all of the circle is left out, it is a line anyway.
    double r = hypot(p.x, p.y);
    return b->pegs > 0 && fabs(r - b->circle_in[b->circles - 1]) < b->peg_radius_in + clear_in;
}

static bool on_paint(const struct found_board *on, struct pt_in p, double clear_in)
{
    const struct board *b = &on->board;
    double r = hypot(p.x, p.y), half = b->line_width_in / 2;
    for (int i = 0; i < b->circles; i++) {
        double middle = b->circle_in[i] + (b->edge == CIRCLE_LINE_INSIDE ? half : 0);
        if (fabs(r - middle) < half + clear_in)
            return true;
    }
    bool between = b->circles > 1 && r < b->circle_in[0] && r > b->circle_in[1];
    if (b->quadrant_lines && between && fmin(fabs(p.x), fabs(p.y)) < half + clear_in)
        return true;
    if (b->surface_radius_in > 0 && r > b->surface_radius_in - clear_in)
        return true;
    return r < b->hole_radius_in + clear_in || near_peg(b, p, clear_in);
}

static bool under_neighbour(const struct surroundings *near, const struct sample *p, double clear_in)
{
    for (int i = 0; i < near->neighbours; i++)
        if (segment_distance(near->neighbour_at[i], p->low, p->high) < near->neighbour[i].radius_in + clear_in)
            return true;
    return false;
}

// The picture's box around the piece and its margin.
static bool picture_box(struct px_box *box, const struct camera *c, const struct solid *s, struct pt_in at)
{
    double reach = s->radius_in + MARGIN_IN;
    *box = px_box_empty();
    for (int k = 0; k < 16; k++) {
        double z = s->base_in + (k % 2 ? s->height_in : 0), angle = k * PI / 8;
        if (!px_box_take(box, c, (struct pt3_in){ at.x + reach * cos(angle), at.y + reach * sin(angle), z }))
            return false;
    }
    return true;
}

static bool fill_window(struct window *w, const struct frame *f, const struct solid *s, struct pt_in at,
                        const struct surroundings *near, enum solid_care care)
{
    const struct camera *c = &near->board->camera;
    struct px_box box;
    double scale = camera_scale_px_per_in(c, (struct pt3_in){ at.x, at.y, s->base_in });
    if (!(scale > 0) || !picture_box(&box, c, s, at))
        return false;
    w->solid = s;
    w->n = 0;
    w->blur_in = BLUR_PX / scale;
    int most = care == SOLID_CARE ? MAX_SAMPLES : GLANCE_SAMPLES;
    double stride = px_box_stride(&box, most), clear = LINE_CLEAR_PX / scale;
    for (double v = ceil(box.low.v); v <= box.high.v; v += stride)
        for (double u = ceil(box.low.u); u <= box.high.u && w->n < MAX_SAMPLES; u += stride) {
            struct sample *p = &w->sample[w->n];
            struct pt_px seen = { u, v };
            if (!camera_locate(&p->low, c, seen, s->base_in) ||
                !camera_locate(&p->high, c, seen, s->base_in + s->height_in) ||
                segment_distance(at, p->low, p->high) > s->radius_in + MARGIN_IN || !colour_at(p->colour, f, u, v))
                continue;
            p->not_ground = on_paint(near->board, p->low, clear);
            p->weight = under_neighbour(near, p, clear) ? 0 : 1;
            if (p->weight > 0)
                w->n++;
        }
    return w->n >= LEAST_SAMPLES;
}

// Scatter of the ground's colours, each channel by itself; noise and grain together.
static void measure_scatter(struct window *w, const struct model *m)
{
    double off[3][MAX_SAMPLES];
    int n = 0;
    for (int i = 0; i < w->n; i++) {
        double share[CLASSES], r[3];
        shares_at(share, w, m, &w->sample[i]);
        if (share[GROUND] < 0.95 || w->sample[i].not_ground)
            continue;
        residual_at(r, w, m, &w->sample[i], share);
        for (int c = 0; c < 3; c++)
            off[c][n] = fabs(r[c]) * w->scatter[c];
        n++;
    }
    for (int c = 0; c < 3; c++)
        w->scatter[c] = n > 20 ? fmax(1.4826 * median_of(off[c], n), LEAST_SCATTER) : 2 * LEAST_SCATTER;
}

// Misfit of the ground alone: the same pixels, no piece.
static double ground_misfit(const struct window *w, const struct model *m)
{
    double sum[3] = { 0 }, squares[3] = { 0 }, weights = 0, total = 0;
    for (int i = 0; i < w->n; i++) {
        double share[CLASSES];
        shares_at(share, w, m, &w->sample[i]);
        double weight = weight_of(m, &w->sample[i], share);
        weights += weight;
        for (int c = 0; c < 3; c++) {
            double x = w->sample[i].colour[c] / w->scatter[c];
            sum[c] += weight * x;
            squares[c] += weight * x * x;
        }
    }
    for (int c = 0; c < 3; c++)
        total += squares[c] - sum[c] * sum[c] / fmax(weights, 1e-9);
    return total;
}

static double explained_by(const struct window *w, struct model m, double radius_in)
{
    double weights;
    m.radius_in = radius_in;
    if (!solve_colours(&m, w))
        return 0;
    return 1 - misfit(w, &m, &weights) / fmax(ground_misfit(w, &m), 1e-9);
}

// Share of the outline's directions in which the colour steps from the ground's to the piece's, pixels at the border
// alone. Directions whose outside is no ground count by their inside.
static double outline_support(const struct window *w, const struct model *m)
{
    double inside[SECTORS] = { 0 }, outside[SECTORS] = { 0 }, axis[3];
    int in[SECTORS] = { 0 }, out[SECTORS] = { 0 }, seen = 0, stepped = 0;
    for (int c = 0; c < 3; c++)
        axis[c] = (m->colour[TOP][c] - m->colour[GROUND][c]) / (w->scatter[c] * w->scatter[c]);
    double full = 0;
    bool small = w->blur_in > SMALL_BLUR * m->radius_in; // then few pixels are all inside
    for (int c = 0; c < 3; c++)
        full += axis[c] * (m->colour[TOP][c] - m->colour[GROUND][c]);
    for (int i = 0; i < w->n; i++) {
        const struct sample *p = &w->sample[i];
        double share[CLASSES], along = 0;
        shares_at(share, w, m, p);
        for (int c = 0; c < 3; c++)
            along += axis[c] * (p->colour[c] - m->colour[GROUND][c]);
        int k = (int)((atan2(p->high.y - m->at.y, p->high.x - m->at.x) / (2 * PI) + 0.5) * SECTORS) % SECTORS;
        double r = hypot(p->high.x - m->at.x, p->high.y - m->at.y);
        if (share[TOP] > (small ? 0.6 : 0.8) && r > (small ? 0.3 : 0.55) * m->radius_in) {
            inside[k] += along / full;
            in[k]++;
        } else if (share[GROUND] > 0.8 && !p->not_ground && r < m->radius_in + MARGIN_IN) {
            outside[k] += along / full;
            out[k]++;
        }
    }
    for (int k = 0; k < SECTORS; k++) {
        if (!in[k] || !out[k])
            continue;
        seen++;
        stepped += inside[k] / in[k] - outside[k] / out[k] > 0.5;
    }
    return seen ? (double)stepped / seen : 0;
}

// Share of the top's pixels, well inside its rim, that are not of its colour.
static double unevenness(const struct window *w, const struct model *m)
{
    int inside = 0, other = 0;
    for (int i = 0; i < w->n; i++) {
        double share[CLASSES], off2 = 0;
        shares_at(share, w, m, &w->sample[i]);
        if (share[TOP] < WELL_INSIDE)
            continue;
        for (int c = 0; c < 3; c++)
            off2 += pow(w->sample[i].colour[c] - m->colour[TOP][c], 2);
        inside++;
        other += off2 > OTHER_COLOUR * OTHER_COLOUR;
    }
    return inside ? (double)other / inside : 1;
}

static void report(struct solid_fit *fit, const struct window *w, const struct model *m, const double N[4])
{
    double inverse[4], factor[4], weights, squares = misfit(w, m, &weights);
    double variance = fmax(squares / fmax(3 * weights - 2, 1), 0.25) * CORRELATED_PIXELS;
    memcpy(factor, N, sizeof factor);
    fit->at = m->at;
    fit->cov = (struct cov_in2){ 1, 0, 1 };
    if (cholesky_invert(inverse, factor, 2))
        fit->cov = (struct cov_in2){ variance * inverse[0], variance * inverse[1], variance * inverse[3] };
    memcpy(fit->top, m->colour[TOP], sizeof fit->top);
    memcpy(fit->ground, m->colour[GROUND], sizeof fit->ground);
    double contrast2 = 0;
    for (int c = 0; c < 3; c++)
        contrast2 += pow((fit->top[c] - fit->ground[c]) / w->scatter[c], 2);
    fit->contrast = sqrt(contrast2);
    fit->explained = explained_by(w, *m, m->radius_in);
    fit->larger = explained_by(w, *m, m->radius_in * (1 + SIZE_PROBE)) - fit->explained;
    fit->smaller = explained_by(w, *m, m->radius_in * (1 - SIZE_PROBE)) - fit->explained;
    fit->support = outline_support(w, m);
    fit->uneven = unevenness(w, m);
}

bool solid_fit_run(struct solid_fit *fit, const struct frame *f, const struct solid *s, const struct surroundings *near,
                   enum solid_care care)
{
    struct window w = { .scatter = { 2 * LEAST_SCATTER, 2 * LEAST_SCATTER, 2 * LEAST_SCATTER } };
    struct model m = { .at = fit->at, .radius_in = s->radius_in };
    double N[4] = { 0 };
    if (!fill_window(&w, f, s, fit->at, near, care) || !solve_colours(&m, &w))
        return false;
    measure_scatter(&w, &m);
    for (int round = 0; round < ROUNDS; round++) {
        if (round > 1)
            reweigh(&w, &m);
        double moved = move_place(&m, &w, N);
        if (!solve_colours(&m, &w) || hypot(m.at.x - fit->at.x, m.at.y - fit->at.y) > MOST_DRIFT_IN)
            return false;
        if (round > 2 && moved < SETTLED_IN)
            break;
    }
    for (int i = 0; i < w.n; i++) // what explains the picture is judged on all its pixels
        w.sample[i].weight = 1;
    report(fit, &w, &m, N);
    return true;
}
