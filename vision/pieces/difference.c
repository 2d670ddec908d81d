// SPDX-License-Identifier: MIT
#include "vision/pieces/difference.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/colour.h"
#include "vision/peaks.h"
#include "vision/pieces/cylinder_model.h"

enum { CELLS_MOST = 700, DIFFERENCE_ROUNDS = 6 };
enum { FACE_RAYS = 12, FACE_RINGS = 3 }; // of a face: where its colour is taken

struct change {
    const struct disc_tuning *tuning;
    const struct background *empty;
    struct cylinder_view stand;
    int n;
    struct background_cell cell[CELLS_MOST];
    struct sight sight[CELLS_MOST]; // of the cells
    double shade[CELLS_MOST];       // if it is board: how much of its light is left; 1: all
    double light[CELLS_MOST];       // taken for so much when it is seen beside the piece
    bool judging;                   // the piece is placed, and the light beside it is told
    double top[3], side[3];         // BGR codes
};

// Board in a shadow keeps its colour, but for what the light that is left has of its own. How much is left; 1 when it is
// not darker, or no shadow makes it so.
static double shade_of(const struct background_cell *p, const double noise[3], const struct disc_tuning *t)
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
    bool shadow = darker > t->shadow_least_sigmas * sqrt(noise2) && left > t->shadow_darkest &&
                  sqrt(off2) < t->shadow_other_light * darker + t->shadow_least_sigmas * sqrt(noise2);
    return shadow ? left : 1;
}

// How far the cell can tell of a piece that covers all but `bare` of it.
static double says(const struct change *w, int i, double bare)
{
    return w->judging && w->shade[i] < 1 && !(w->light[i] < 1) ? 1 - bare * (1 - w->tuning->shadow_counts) : 1;
}

static bool gather(struct change *w, const struct surroundings *near)
{
    const struct cylinder *s = w->stand.shape;
    struct pt_in foot = background_sight(&w->stand.eye, w->stand.at, s->base_in);
    struct pt_in top = background_sight(&w->stand.eye, w->stand.at, s->base_in + s->height_in);
    struct pt_in middle = { (foot.x + top.x) / 2, (foot.y + top.y) / 2 };
    double reach = s->radius_in + w->tuning->window_margin_in + hypot(top.x - foot.x, top.y - foot.y) / 2;
    int all;
    w->n = background_cells(w->cell, CELLS_MOST, &all, w->empty, middle, reach);
    if (w->n < w->tuning->known_least_seen * all)
        return false;
    const struct pt3_in eye = w->stand.eye;
    double to_foot = s->base_in / eye.z;
    for (int i = 0; i < w->n; i++) {
        struct pt_in p = w->cell[i].low, low = { p.x - to_foot * (p.x - eye.x), p.y - to_foot * (p.y - eye.y) };
        w->sight[i] = cylinder_sight(&w->stand, low);
    }
    for (int k = 0; k < near->neighbours; k++) {
        struct cylinder_view other;
        if (k == near->self ||
            !cylinder_view_at(&other, &near->neighbour[k], near->neighbour_at[k], &near->board->camera, &near->look))
            continue;
        int n = 0;
        for (int i = 0; i < w->n; i++) {
            if (cylinder_clearance(&other, &w->sight[i]) <= w->tuning->window_clear_blurs * other.blur_in)
                continue;
            w->sight[n] = w->sight[i];
            w->cell[n++] = w->cell[i];
        }
        w->n = n;
    }
    for (int i = 0; i < w->n; i++)
        w->light[i] = w->shade[i] = shade_of(&w->cell[i], background_noise(w->empty), w->tuning);
    return w->n >= w->tuning->window_least_samples;
}

// Shares of the cell that show the top, the side, the board.
static void shares_at(double share[3], const struct cylinder_view *s, const struct sight *l)
{
    double part[CYLINDER_PARTS];
    cylinder_shares_at(part, s, l);
    share[0] = part[CYLINDER_TOP] + part[CYLINDER_RIM];
    share[1] = part[CYLINDER_SIDE] + part[CYLINDER_WALL];
    share[2] = part[CYLINDER_GROUND] + part[CYLINDER_FLOOR];
}

static double board_code(const struct change *w, int i, int c)
{
    return w->light[i] * (double)w->cell[i].empty[c];
}

// The colours that suit the place best.
static void solve_colours(struct change *w)
{
    double A[3] = { w->tuning->known_side_belief, -w->tuning->known_side_belief, w->tuning->known_side_belief },
           b[2][3] = { { 0 } };
    for (int i = 0; i < w->n; i++) {
        double share[3];
        shares_at(share, &w->stand, &w->sight[i]);
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
    out[3] = !w->judging && w->shade[i] < 1 ? w->tuning->shadow_cost_sigmas * share[2] : 0;
}

// Of the piece's picture, or of the board's without it, over what can tell of the piece.
static double misfit(const struct change *w, bool with_piece)
{
    const double bare[3] = { 0, 0, 1 };
    double sum = 0;
    for (int i = 0; i < w->n; i++) {
        double share[3], r[RESIDUALS];
        shares_at(share, &w->stand, &w->sight[i]);
        residual_of(r, w, i,
                    with_piece ? share : bare); // bare in a shadow where one is told: that is no sign of a piece
        sum += says(w, i, share[2]) * dot(r, r);
    }
    return sum;
}

// What the cells say of a small move.
static void add_cells(const struct normal_equations *sums, const struct change *w)
{
    for (int i = 0; i < w->n; i++) {
        double share[3], r[RESIDUALS], then[2][RESIDUALS];
        shares_at(share, &w->stand, &w->sight[i]);
        residual_of(r, w, i, share);
        for (int k = 0; k < 2; k++) {
            struct cylinder_view ahead = w->stand;
            double moved[3];
            *(k == 0 ? &ahead.at.x : &ahead.at.y) += MODEL_STEP_IN;
            shares_at(moved, &ahead, &w->sight[i]);
            residual_of(then[k], w, i, moved);
        }
        for (int c = 0; c < RESIDUALS; c++) {
            const double slope[2] = { (r[c] - then[0][c]) / MODEL_STEP_IN, (r[c] - then[1][c]) / MODEL_STEP_IN };
            normal_add(sums, slope, r[c], says(w, i, share[2]));
        }
    }
}

// To the place that suits the change best. False when it wanders off.
static bool place(struct cov_in2 *cov, struct change *w)
{
    struct pt_in from = w->stand.at;
    double N[4], g[2], inverse[4];
    for (int round = 0; round < DIFFERENCE_ROUNDS; round++) {
        solve_colours(w);
        struct normal_equations sums = normal_begin(N, g, 2);
        add_cells(&sums, w);
        if (!normal_invert(inverse, &sums))
            return false;
        double x = inverse[0] * g[0] + inverse[1] * g[1], y = inverse[2] * g[0] + inverse[3] * g[1];
        double length = hypot(x, y),
               share = length > w->tuning->fit_most_step_in ? w->tuning->fit_most_step_in / length : 1;
        w->stand.at.x += share * x;
        w->stand.at.y += share * y;
        if (hypot(w->stand.at.x - from.x, w->stand.at.y - from.y) > w->tuning->fit_most_drift_in)
            return false;
        double noise = fmax(misfit(w, true) / (3 * w->n), 1) * w->tuning->fit_shared_pixels;
        *cov = (struct cov_in2){ noise * inverse[0], noise * inverse[1], noise * inverse[3] };
        if (share * length < w->tuning->fit_settled_in)
            break;
    }
    solve_colours(w);
    return true;
}

static double explained_by(struct change w, double radius_in, double empty)
{
    w.stand.radius_in = radius_in;
    solve_colours(&w);
    return 1 - misfit(&w, true) / fmax(empty, 1e-9);
}

// Means inside and outside of the outline, of the picture and of the empty board; and how many cells that is, those of the face that may
// be board in a shadow.
struct sides_of_rim {
    double is[2][3], empty[2][3];
    int n[2], dark;
};

static void mean_sides(struct sides_of_rim *out, const struct change *w)
{
    *out = (struct sides_of_rim){ .n = { 0 } };
    for (int i = 0; i < w->n; i++) {
        double share[3];
        shares_at(share, &w->stand, &w->sight[i]);
        if (share[0] < w->tuning->known_sure_share && share[2] < w->tuning->known_sure_share)
            continue;
        int k = share[2] >= w->tuning->known_sure_share;
        out->n[k]++;
        out->dark += k == 0 && w->shade[i] < 1;
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

// How far two colours are apart, in sigmas of the noise.
static double step_between(const double a[3], const double b[3], const double noise[3])
{
    double sum = 0;
    for (int c = 0; c < 3; c++)
        sum += pow((a[c] - b[c]) / noise[c], 2);
    return sqrt(sum);
}

static int sector_of(const struct change *w, int i)
{
    struct pt_in low = w->sight[i].low;
    double angle = atan2(low.y - w->stand.at.y, low.x - w->stand.at.x) / (2 * PI) + 0.5;
    return (int)(angle * OUTLINE_SECTORS) % OUTLINE_SECTORS;
}

// In each direction the light that the board has close to the piece.
static void light_beside(struct change *w)
{
    double left[OUTLINE_SECTORS] = { 0 }, beyond[CELLS_MOST],
           clear_in = w->tuning->window_clear_blurs * w->stand.blur_in;
    int all[OUTLINE_SECTORS] = { 0 }, dark[OUTLINE_SECTORS] = { 0 };
    for (int i = 0; i < w->n; i++) {
        int k = sector_of(w, i);
        beyond[i] = cylinder_clearance(&w->stand, &w->sight[i]);
        if (beyond[i] < clear_in || beyond[i] > clear_in + w->tuning->shadow_contact_in)
            continue;
        all[k]++;
        dark[k] += w->shade[i] < 1;
        left[k] += w->shade[i] < 1 ? w->shade[i] : 0;
    }
    for (int i = 0; i < w->n; i++) {
        int k = sector_of(w, i);
        w->light[i] = 1;
        if (beyond[i] > clear_in && beyond[i] < clear_in + w->tuning->shadow_contact_in)
            w->light[i] = w->shade[i];
        else if (beyond[i] <= clear_in && 2 * dark[k] > all[k])
            w->light[i] = left[k] / dark[k];
    }
}

// Of each direction, the slope of how much of the step from the board as it is lit there to the piece a cell has, on how much
// of it the piece covers.
struct rim {
    double sum[OUTLINE_SECTORS][5]; // 1, covered, step, covered squared, their product
    double step[OUTLINE_SECTORS];   // size of the step, sigmas
};

// Share of the directions in which the picture changes at the outline; 0 when too few could show it, for where a shadow is
// as dark as the piece there is nothing to see.
static double outline_support(const struct change *w)
{
    struct rim rim = { { { 0 } }, { 0 } };
    const double *noise = background_noise(w->empty);
    double reach_in = w->tuning->window_clear_blurs * w->stand.blur_in + w->tuning->shadow_contact_in;
    int seen = 0, stepped = 0;
    for (int i = 0; i < w->n; i++) {
        double share[3], along = 0, full = 0;
        if (cylinder_clearance(&w->stand, &w->sight[i]) >= reach_in)
            continue;
        shares_at(share, &w->stand, &w->sight[i]);
        for (int c = 0; c < 3; c++) {
            double axis = (w->top[c] - board_code(w, i, c)) / (noise[c] * noise[c]);
            along += axis * ((double)w->cell[i].is[c] - board_code(w, i, c));
            full += axis * (w->top[c] - board_code(w, i, c));
        }
        int k = sector_of(w, i);
        double covered = 1 - share[2], part = along / fmax(full, 1);
        double term[5] = { 1, covered, part, covered * covered, covered * part };
        for (int m = 0; m < 5; m++)
            rim.sum[k][m] += term[m];
        rim.step[k] += sqrt(full);
    }
    for (int k = 0; k < OUTLINE_SECTORS; k++) {
        const double *s = rim.sum[k];
        double spread = s[0] * s[3] - s[1] * s[1];
        if (!(spread > w->tuning->fit_least_border * s[0] * s[0]) ||
            rim.step[k] < w->tuning->known_least_step_sigmas * s[0])
            continue;
        seen++;
        stepped += s[0] * s[4] - s[1] * s[2] > 0.5 * spread;
    }
    return seen >= w->tuning->known_least_directions * OUTLINE_SECTORS ? (double)stepped / seen : 0;
}

// In a shadow the board's grain and lines are seen on; a piece hides them. *uneven is what one colour leaves, as a variance
// in units of the noise's.
static bool is_shadow(double *uneven, const struct change *w)
{
    double plain = 0,
           shaded = 0; // the squares that one colour of the face leaves, and those that one shade of the board does
    for (int c = 0; c < 3; c++) {
        double n = 0, is = 0, is2 = 0, both = 0, empty2 = 0, noise = background_noise(w->empty)[c];
        for (int i = 0; i < w->n; i++) {
            double share[3], x = (double)w->cell[i].is[c], e = (double)w->cell[i].empty[c];
            shares_at(share, &w->stand, &w->sight[i]);
            if (share[0] < w->tuning->known_sure_share)
                continue;
            n++;
            is += x;
            is2 += x * x;
            both += x * e;
            empty2 += e * e;
        }
        plain += n > 0 ? (is2 - is * is / n) / (noise * noise) : 0;
        shaded += n > 0 ? (is2 - both * both / fmax(empty2, 1)) / (noise * noise) : 0;
    }
    *uneven = plain / (3 * w->n);
    return shaded < w->tuning->shadow_sure_share * plain;
}

static bool report(struct cylinder_fit *fit, struct change *w)
{
    const double *noise = background_noise(w->empty);
    struct sides_of_rim sides;
    mean_sides(&sides, w);
    if (is_shadow(&fit->uneven, w) || sides.n[0] == 0 || sides.n[1] == 0 ||
        step_between(sides.is[0], sides.is[1], noise) < step_between(sides.empty[0], sides.empty[1], noise))
        return false;
    w->judging = true;
    light_beside(w);
    solve_colours(w);
    double radius_in = w->stand.radius_in, empty = misfit(w, false);
    fit->at = w->stand.at;
    // A piece that is as dark as its own shadow may stand anywhere along it.
    double doubt_in = 2 * sides.dark < sides.n[0] ? 0 : w->tuning->shadow_place_share * w->stand.shape->height_in;
    fit->cov.xx += doubt_in * doubt_in;
    fit->cov.yy += doubt_in * doubt_in;
    fit->contrast = step_between(w->top, sides.empty[0], noise);
    fit->explained = explained_by(*w, radius_in, empty);
    fit->larger = explained_by(*w, radius_in * (1 + w->tuning->fit_size_probe), empty) - fit->explained;
    fit->smaller = explained_by(*w, radius_in * (1 - w->tuning->fit_size_probe), empty) - fit->explained;
    fit->support = outline_support(w);
    return true;
}

bool difference_fit(struct cylinder_fit *fit, const struct frame *f, const struct background *empty,
                    const struct cylinder *s, const struct surroundings *near)
{
    struct change w = { .empty = empty, .tuning = near->tuning };
    if (!cylinder_view_at(&w.stand, s, fit->at, &near->board->camera, &near->look) || !gather(&w, near) ||
        !place(&fit->cov, &w) || !report(fit, &w))
        return false;
    // The mean colour of its face in the frame's own light.
    double sum[3] = { 0 }, inner = s->hole_in / s->radius_in;
    int n = 0;
    for (int k = 0; k < FACE_RAYS * FACE_RINGS; k++) {
        double part = inner + (near->tuning->known_face_part - inner) * (k % FACE_RINGS + 1) / FACE_RINGS;
        double angle = 2 * PI * k / (FACE_RAYS * FACE_RINGS), r = part * s->radius_in, colour[3];
        struct pt3_in at = { fit->at.x + r * cos(angle), fit->at.y + r * sin(angle), s->base_in + s->height_in };
        struct pt_px p;
        if (!camera_project(&p, &near->board->camera, at) || !colour_at(colour, f, p.u, p.v))
            continue;
        n++;
        for (int c = 0; c < 3; c++)
            sum[c] += colour[c];
    }
    for (int c = 0; c < 3; c++)
        fit->top[c] = n > 0 ? sum[c] / n : 0;
    return true;
}

enum { PLACES_MOST = 2000 };

// Share of a ring of the solid's face, or around it, that does not look like the empty board.
static double changed_share(const struct background *empty, const struct cylinder *s, struct pt_in at,
                            const struct pt3_in *eye, double from, double to)
{
    int changed = 0, all = FACE_RAYS * FACE_RINGS;
    for (int k = 0; k < all; k++) {
        double part = from + (to - from) * (k % FACE_RINGS + 1) / FACE_RINGS, angle = 2 * PI * k / all;
        struct pt_in p = { at.x + part * s->radius_in * cos(angle), at.y + part * s->radius_in * sin(angle) };
        changed += background_shows(empty, background_sight(eye, p, s->base_in + s->height_in)) != BACKGROUND_BARE;
    }
    return (double)changed / all;
}

double difference_share(const struct background *empty, const struct cylinder *s, struct pt_in at,
                        const struct board_pose *pose, const struct disc_tuning *t)
{
    struct pt3_in eye = camera_position(&pose->camera);
    return changed_share(empty, s, at, &eye, s->hole_in / s->radius_in, t->known_face_part);
}

int difference_hypotheses(struct pt_in *at, int n, int most, const struct background *empty, const struct cylinder *s,
                          double apart_in, const struct board_pose *pose, const struct disc_tuning *t)
{
    struct peak place[PLACES_MOST];
    struct pt3_in eye = camera_position(&pose->camera);
    double limit = pose->board.surface_radius_in, step = t->known_raster_radii * s->radius_in;
    int places = 0;
    // A raster of places all over the board whose face has changed.
    for (double x = -limit; x <= limit; x += step)
        for (double y = -limit; y <= limit && places < PLACES_MOST; y += step) {
            struct pt_in here = { x, y };
            bool fresh = hypot(x, y) <= limit && background_may_hold(empty, background_sight(&eye, here, s->height_in));
            for (int k = 0; k < n && fresh; k++)
                fresh = hypot(at[k].x - x, at[k].y - y) >= apart_in;
            if (!fresh)
                continue;
            double face = difference_share(empty, s, here, pose, t);
            if (face <= t->known_whole_share)
                continue;
            // How much more of the face has changed than of what is around it.
            double alone = face - changed_share(empty, s, here, &eye, 1, t->known_around_radii);
            if (alone > t->known_least_alone)
                place[places++] = (struct peak){ here, alone };
        }
    places = peaks_suppress(place, places, apart_in, most - n);
    for (int i = 0; i < places; i++)
        at[n++] = place[i].at;
    return n;
}
