// SPDX-License-Identifier: MIT
#include "vision/pieces/stand_out.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/pieces/colour.h"

enum { CELLS_MOST = 700, LEAST_CELLS = 60, ROUNDS = 6, SECTORS = 24 };
enum { FACE_RAYS = 12, FACE_RINGS = 3 };   // of a face: where its colour is taken
static const double MARGIN_IN = 0.32;      // of board looked at around the piece; less than half a piece
static const double LEAST_KNOWN = 0.75;    // of the cells: else its outline may lie where nothing is known
static const double STEP_IN = 1e-3;        // of the derivatives
static const double MOST_STEP_IN = 0.08;   // a move beyond it leaves the linear range
static const double SETTLED_IN = 5e-4;     // a tenth of what the best fit is sure of
static const double MOST_DRIFT_IN = 0.45;  // farther than that it is another piece
static const double SIZE_PROBE = 0.12;     // of the radius
static const double SURE = 0.8;            // share of a cell that counts as all of it
static const double RIDGE = 4;             // cells' worth of belief that a side has its top's colour
static const double CORRELATED_CELLS = 6;  // how many cells share one error: demosaicing, compression
static const double CLEAR_BLURS = 1.25;    // beyond a neighbour the board is clean
static const double FACE_PART = 0.8;       // of the radius: the rim mixes with the board
static const double DARKEST = 0.5;         // of a board's codes in a piece's shadow
static const double SHADOW_PART = 1.0 / 3; // of a shadow at 45 degrees: 1 sigma of a place along it
static const double SURELY_SHADED = 0.9;   // of what one colour leaves: on a plain board both leave as much
static const double OTHER_LIGHT = 0.3;     // of what it lacks of light: lamps and sky have different colours
static const double DARKER_SIGMAS = 2;     // at least, and as much for its colour
// To judge a piece, what board in a shadow counts beside it: its outline is the piece's own, in part.
static const double SHADOW_SAYS = 0.05;
static const double SHADOW_COST = 4;  // sigmas: to place a piece, a cell is rather its than shadow when it fits so well
static const double LEAST_SEEN = 0.5; // of the directions: a lamp throws a shadow on less than half of an outline
static const double BESIDE_IN = 0.12; // a contact shadow reaches so far at least: a third of a disc's height
static const double LEAST_STEP = 8;   // sigmas: less may be the uneven light of a shadow

struct change {
    const struct background *empty;
    struct solid_stand stand;
    int n;
    struct background_cell cell[CELLS_MOST];
    double shade[CELLS_MOST]; // if it is board: how much of its light is left; 1: all
    double light[CELLS_MOST]; // taken for so much when it is seen beside the piece
    bool judging;             // the piece is placed, and the light beside it is told
    double top[3], side[3];   // BGR codes
};

// Where the line of sight of a place of the board's plane meets the plane of the foot.
static struct pt_in low_of(const struct solid_stand *s, struct pt_in p)
{
    double t = s->solid->base_in / s->eye.z;
    return (struct pt_in){ p.x - t * (p.x - s->eye.x), p.y - t * (p.y - s->eye.y) };
}

static void drop_neighbours(struct change *w, const struct surroundings *near)
{
    for (int k = 0; k < near->neighbours; k++) {
        struct solid_stand other;
        if (k == near->self ||
            !solid_stand_at(&other, &near->neighbour[k], near->neighbour_at[k], &near->board->camera, &near->look))
            continue;
        int n = 0;
        for (int i = 0; i < w->n; i++)
            if (solid_clearance(&other, low_of(&other, w->cell[i].low)) > CLEAR_BLURS * other.blur_in)
                w->cell[n++] = w->cell[i];
        w->n = n;
    }
}

// Board in a shadow keeps its colour, but for what the light that is left has of its own. How much is left; 1 when it is
// not darker, or no shadow makes it so.
static double shade_of(const struct background_cell *p, const double noise[3])
{
    double dot = 0, empty2 = 0, off2 = 0, noise2 = 0;
    for (int c = 0; c < 3; c++) {
        dot += (double)p->is[c] * (double)p->empty[c];
        empty2 += pow((double)p->empty[c], 2);
        noise2 += noise[c] * noise[c];
    }
    double left = dot / fmax(empty2, 1), darker = (1 - left) * sqrt(empty2);
    for (int c = 0; c < 3; c++)
        off2 += pow((double)p->is[c] - left * (double)p->empty[c], 2);
    bool shadow = darker > DARKER_SIGMAS * sqrt(noise2) && left > DARKEST &&
                  sqrt(off2) < OTHER_LIGHT * darker + DARKER_SIGMAS * sqrt(noise2);
    return shadow ? left : 1;
}

static void begin_light(struct change *w)
{
    for (int i = 0; i < w->n; i++)
        w->light[i] = w->shade[i] = shade_of(&w->cell[i], background_noise(w->empty));
}

// How far the cell can tell of a piece that covers all but `bare` of it.
static double says(const struct change *w, int i, double bare)
{
    return w->judging && w->shade[i] < 1 && !(w->light[i] < 1) ? 1 - bare * (1 - SHADOW_SAYS) : 1;
}

static bool gather(struct change *w, const struct surroundings *near)
{
    const struct solid *s = w->stand.solid;
    struct pt_in foot = background_sight(&w->stand.eye, w->stand.at, s->base_in);
    struct pt_in top = background_sight(&w->stand.eye, w->stand.at, s->base_in + s->height_in);
    struct pt_in middle = { (foot.x + top.x) / 2, (foot.y + top.y) / 2 };
    double reach = s->radius_in + MARGIN_IN + hypot(top.x - foot.x, top.y - foot.y) / 2;
    int all;
    w->n = background_cells(w->cell, CELLS_MOST, &all, w->empty, middle, reach);
    if (w->n < LEAST_KNOWN * all)
        return false;
    drop_neighbours(w, near);
    begin_light(w);
    return w->n >= LEAST_CELLS;
}

// Shares of the cell that show the top, the side, the board.
static void shares_at(double share[3], const struct solid_stand *s, struct pt_in p)
{
    double part[SOLID_PARTS];
    solid_shares_at(part, s, low_of(s, p));
    share[0] = part[SOLID_TOP] + part[SOLID_RIM];
    share[1] = part[SOLID_SIDE] + part[SOLID_WALL];
    share[2] = part[SOLID_GROUND] + part[SOLID_FLOOR];
}

static double board_code(const struct change *w, int i, int c)
{
    return w->light[i] * (double)w->cell[i].empty[c];
}

// The colours that suit the place best.
static void solve_colours(struct change *w)
{
    double A[3] = { RIDGE, -RIDGE, RIDGE }, b[2][3] = { { 0 } };
    for (int i = 0; i < w->n; i++) {
        double share[3];
        shares_at(share, &w->stand, w->cell[i].low);
        double weight = says(w, i, share[2]);
        A[0] += weight * share[0] * share[0];
        A[1] += weight * share[0] * share[1];
        A[2] += weight * share[1] * share[1];
        for (int c = 0; c < 3; c++) {
            double seen = weight * ((double)w->cell[i].is[c] - share[2] * board_code(w, i, c));
            b[0][c] += share[0] * seen;
            b[1][c] += share[1] * seen;
        }
    }
    double det = fmax(A[0] * A[2] - A[1] * A[1], 1e-9);
    for (int c = 0; c < 3; c++) {
        w->top[c] = (A[2] * b[0][c] - A[1] * b[1][c]) / det;
        w->side[c] = (A[0] * b[1][c] - A[1] * b[0][c]) / det;
    }
}

enum { RESIDUALS = 4 }; // three channels; that a shadow must be believed in

static double dot(const double a[RESIDUALS], const double b[RESIDUALS])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// In sigmas of the noise.
static void residual_of(double out[RESIDUALS], const struct change *w, int i, const double share[3])
{
    const double *noise = background_noise(w->empty);
    const struct background_cell *p = &w->cell[i];
    for (int c = 0; c < 3; c++)
        out[c] = ((double)p->is[c] - share[0] * w->top[c] - share[1] * w->side[c] - share[2] * board_code(w, i, c)) /
                 noise[c];
    out[3] = !w->judging && w->shade[i] < 1 ? SHADOW_COST * share[2] : 0;
}

static double misfit(const struct change *w)
{
    double sum = 0;
    for (int i = 0; i < w->n; i++) {
        double share[3], r[RESIDUALS];
        shares_at(share, &w->stand, w->cell[i].low);
        residual_of(r, w, i, share);
        sum += says(w, i, share[2]) * dot(r, r);
    }
    return sum;
}

// The same without the piece, over what can tell of it.
static double empty_misfit(const struct change *w)
{
    const double bare[3] = { 0, 0, 1 };
    double sum = 0;
    for (int i = 0; i < w->n; i++) {
        double share[3], r[RESIDUALS];
        shares_at(share, &w->stand, w->cell[i].low);
        residual_of(r, w, i, bare); // in a shadow where one is told: that is no sign of a piece
        sum += says(w, i, share[2]) * dot(r, r);
    }
    return sum;
}

// Normal equations of a small move: N = xx, xy, yy.
static void normal_equations(double N[3], double g[2], const struct change *w)
{
    memset(N, 0, 3 * sizeof *N);
    memset(g, 0, 2 * sizeof *g);
    for (int i = 0; i < w->n; i++) {
        double share[3], r[RESIDUALS], J[2][RESIDUALS];
        shares_at(share, &w->stand, w->cell[i].low);
        residual_of(r, w, i, share);
        double weight = says(w, i, share[2]);
        for (int k = 0; k < 2; k++) {
            struct solid_stand ahead = w->stand;
            double moved[3], then[RESIDUALS];
            *(k == 0 ? &ahead.at.x : &ahead.at.y) += STEP_IN;
            shares_at(moved, &ahead, w->cell[i].low);
            residual_of(then, w, i, moved);
            for (int c = 0; c < RESIDUALS; c++)
                J[k][c] = (r[c] - then[c]) / STEP_IN;
            g[k] += weight * dot(J[k], r);
        }
        N[0] += weight * dot(J[0], J[0]);
        N[1] += weight * dot(J[0], J[1]);
        N[2] += weight * dot(J[1], J[1]);
    }
}

// To the place that suits the change best. False when it wanders off.
static bool place(struct cov_in2 *cov, struct change *w)
{
    struct pt_in from = w->stand.at;
    double N[3], g[2];
    for (int round = 0; round < ROUNDS; round++) {
        solve_colours(w);
        normal_equations(N, g, w);
        double det = N[0] * N[2] - N[1] * N[1];
        if (!(det > 0))
            return false;
        double x = (N[2] * g[0] - N[1] * g[1]) / det, y = (N[0] * g[1] - N[1] * g[0]) / det;
        double length = hypot(x, y), share = length > MOST_STEP_IN ? MOST_STEP_IN / length : 1;
        w->stand.at.x += share * x;
        w->stand.at.y += share * y;
        if (hypot(w->stand.at.x - from.x, w->stand.at.y - from.y) > MOST_DRIFT_IN)
            return false;
        double noise = fmax(misfit(w) / (3 * w->n), 1) * CORRELATED_CELLS;
        *cov = (struct cov_in2){ noise * N[2] / det, -noise * N[1] / det, noise * N[0] / det };
        if (share * length < SETTLED_IN)
            break;
    }
    solve_colours(w);
    return true;
}

static double explained_by(struct change w, double radius_in, double empty)
{
    w.stand.radius_in = radius_in;
    solve_colours(&w);
    return 1 - misfit(&w) / fmax(empty, 1e-9);
}

// Means inside and outside of the outline, of the picture and of the empty board.
struct sides_of_rim {
    double is[2][3], empty[2][3];
    int n[2];
};

static void mean_sides(struct sides_of_rim *out, const struct change *w)
{
    *out = (struct sides_of_rim){ .n = { 0 } };
    for (int i = 0; i < w->n; i++) {
        double share[3];
        shares_at(share, &w->stand, w->cell[i].low);
        if (share[0] < SURE && share[2] < SURE)
            continue;
        int k = share[2] >= SURE;
        out->n[k]++;
        for (int c = 0; c < 3; c++) {
            out->is[k][c] += (double)w->cell[i].is[c];
            out->empty[k][c] += (double)w->cell[i].empty[c];
        }
    }
    for (int k = 0; k < 2; k++)
        for (int c = 0; c < 3 && out->n[k] > 0; c++) {
            out->is[k][c] /= out->n[k];
            out->empty[k][c] /= out->n[k];
        }
}

static double step_across(double mean[2][3], const double noise[3])
{
    double sum = 0;
    for (int c = 0; c < 3; c++)
        sum += pow((mean[0][c] - mean[1][c]) / noise[c], 2);
    return sqrt(sum);
}

static int sector_of(const struct change *w, int i)
{
    struct pt_in low = low_of(&w->stand, w->cell[i].low);
    double angle = atan2(low.y - w->stand.at.y, low.x - w->stand.at.x) / (2 * PI) + 0.5;
    return (int)(angle * SECTORS) % SECTORS;
}

// In each direction the light that the board has close to the piece.
static void light_beside(struct change *w)
{
    double left[SECTORS] = { 0 }, beyond[CELLS_MOST], clear_in = CLEAR_BLURS * w->stand.blur_in;
    int all[SECTORS] = { 0 }, dark[SECTORS] = { 0 };
    for (int i = 0; i < w->n; i++) {
        int k = sector_of(w, i);
        beyond[i] = solid_clearance(&w->stand, low_of(&w->stand, w->cell[i].low));
        if (beyond[i] < clear_in || beyond[i] > clear_in + BESIDE_IN)
            continue;
        all[k]++;
        dark[k] += w->shade[i] < 1;
        left[k] += w->shade[i] < 1 ? w->shade[i] : 0;
    }
    for (int i = 0; i < w->n; i++) {
        int k = sector_of(w, i);
        w->light[i] = 1;
        if (beyond[i] > clear_in && beyond[i] < clear_in + BESIDE_IN)
            w->light[i] = w->shade[i];
        else if (beyond[i] <= clear_in && 2 * dark[k] > all[k])
            w->light[i] = left[k] / dark[k];
    }
}

// Of each direction, the slope of how much of the step from the board as it is lit there to the piece a cell has, on how much
// of it the piece covers.
struct rim {
    double sum[SECTORS][5]; // 1, covered, step, covered squared, their product
    double step[SECTORS];   // size of the step, sigmas
};

static void add_to_rim(struct rim *rim, const struct change *w, int i)
{
    const double *noise = background_noise(w->empty);
    double share[3], along = 0, full = 0;
    int k = sector_of(w, i);
    shares_at(share, &w->stand, w->cell[i].low);
    for (int c = 0; c < 3; c++) {
        double axis = (w->top[c] - board_code(w, i, c)) / (noise[c] * noise[c]);
        along += axis * ((double)w->cell[i].is[c] - board_code(w, i, c));
        full += axis * (w->top[c] - board_code(w, i, c));
    }
    double solid = 1 - share[2], part = along / fmax(full, 1);
    double term[5] = { 1, solid, part, solid * solid, solid * part };
    for (int m = 0; m < 5; m++)
        rim->sum[k][m] += term[m];
    rim->step[k] += sqrt(full);
}

// Share of the directions in which the picture changes at the outline; 0 when too few could show it, for where a shadow is
// as dark as the piece there is nothing to see.
static double outline_support(const struct change *w)
{
    struct rim rim = { { { 0 } }, { 0 } };
    double reach_in = CLEAR_BLURS * w->stand.blur_in + BESIDE_IN;
    int seen = 0, stepped = 0;
    for (int i = 0; i < w->n; i++)
        if (solid_clearance(&w->stand, low_of(&w->stand, w->cell[i].low)) < reach_in)
            add_to_rim(&rim, w, i);
    for (int k = 0; k < SECTORS; k++) {
        const double *s = rim.sum[k];
        double spread = s[0] * s[3] - s[1] * s[1];
        if (!(spread > 0.05 * s[0] * s[0]) || rim.step[k] < LEAST_STEP * s[0])
            continue;
        seen++;
        stepped += s[0] * s[4] - s[1] * s[2] > 0.5 * spread;
    }
    return seen >= LEAST_SEEN * SECTORS ? (double)stepped / seen : 0;
}

// The mean colour of its face in the frame's own light.
static void look_at_face(struct solid_fit *fit, const struct frame *f, const struct solid *s,
                         const struct camera *camera)
{
    double sum[3] = { 0 }, inner = s->hole_in / s->radius_in;
    int n = 0;
    for (int k = 0; k < FACE_RAYS * FACE_RINGS; k++) {
        double part = inner + (FACE_PART - inner) * (k % FACE_RINGS + 1) / FACE_RINGS,
               angle = 2 * PI * k / (FACE_RAYS * FACE_RINGS);
        double r = part * s->radius_in, colour[3];
        struct pt3_in at = { fit->at.x + r * cos(angle), fit->at.y + r * sin(angle), s->base_in + s->height_in };
        struct pt_px p;
        if (!camera_project(&p, camera, at) || !colour_at(colour, f, p.u, p.v))
            continue;
        n++;
        for (int c = 0; c < 3; c++)
            sum[c] += colour[c];
    }
    for (int c = 0; c < 3; c++)
        fit->top[c] = n > 0 ? sum[c] / n : 0;
}

// A piece that is as dark as its own shadow may stand anywhere along it.
static void doubt_shadow(struct cov_in2 *cov, const struct change *w)
{
    int face = 0, dark = 0;
    for (int i = 0; i < w->n; i++) {
        double share[3];
        shares_at(share, &w->stand, w->cell[i].low);
        face += share[0] > SURE;
        dark += share[0] > SURE && w->shade[i] < 1;
    }
    if (2 * dark < face)
        return;
    double sigma_in = SHADOW_PART * w->stand.solid->height_in;
    cov->xx += sigma_in * sigma_in;
    cov->yy += sigma_in * sigma_in;
}

// Of each channel, the squares that one colour of the face leaves, and those that one shade of the board leaves.
static void face_misfits(double *plain, double *shaded, const struct change *w, int c)
{
    double n = 0, is = 0, is2 = 0, both = 0, empty2 = 0;
    for (int i = 0; i < w->n; i++) {
        double share[3], x = (double)w->cell[i].is[c], e = (double)w->cell[i].empty[c];
        shares_at(share, &w->stand, w->cell[i].low);
        if (share[0] < SURE)
            continue;
        n++;
        is += x;
        is2 += x * x;
        both += x * e;
        empty2 += e * e;
    }
    double noise = background_noise(w->empty)[c];
    *plain += n > 0 ? (is2 - is * is / n) / (noise * noise) : 0;
    *shaded += n > 0 ? (is2 - both * both / fmax(empty2, 1)) / (noise * noise) : 0;
}

// In a shadow the board's grain and lines are seen on; a piece hides them. *uneven is what one colour leaves, as a variance
// in units of the noise's.
static bool is_shadow(double *uneven, const struct change *w)
{
    double plain = 0, shaded = 0;
    for (int c = 0; c < 3; c++)
        face_misfits(&plain, &shaded, w, c);
    *uneven = plain / (3 * w->n);
    return shaded < SURELY_SHADED * plain;
}

static double contrast_of(const struct change *w, const double board[3])
{
    double sum = 0;
    for (int c = 0; c < 3; c++)
        sum += pow((w->top[c] - board[c]) / background_noise(w->empty)[c], 2);
    return sqrt(sum);
}

static bool report(struct solid_fit *fit, struct change *w)
{
    const double *noise = background_noise(w->empty);
    struct sides_of_rim sides;
    mean_sides(&sides, w);
    if (is_shadow(&fit->uneven, w) || sides.n[0] == 0 || sides.n[1] == 0 ||
        step_across(sides.is, noise) < step_across(sides.empty, noise))
        return false;
    w->judging = true;
    light_beside(w);
    solve_colours(w);
    double radius_in = w->stand.radius_in, empty = empty_misfit(w);
    fit->at = w->stand.at;
    doubt_shadow(&fit->cov, w);
    fit->contrast = contrast_of(w, sides.empty[0]);
    fit->explained = explained_by(*w, radius_in, empty);
    fit->larger = explained_by(*w, radius_in * (1 + SIZE_PROBE), empty) - fit->explained;
    fit->smaller = explained_by(*w, radius_in * (1 - SIZE_PROBE), empty) - fit->explained;
    fit->support = outline_support(w);
    return true;
}

bool stand_out_fit(struct solid_fit *fit, const struct frame *f, const struct background *empty, const struct solid *s,
                   const struct surroundings *near)
{
    struct change w = { .empty = empty };
    if (!solid_stand_at(&w.stand, s, fit->at, &near->board->camera, &near->look) || !gather(&w, near) ||
        !place(&fit->cov, &w) || !report(fit, &w))
        return false;
    look_at_face(fit, f, s, &near->board->camera);
    return true;
}
