// SPDX-License-Identifier: MIT
#include "vision/pieces/hole.h"

#include <math.h>

#include "calibration/algebra.h"
#include "vision/colour.h"
#include "vision/pieces/side_classifier.h"

enum { DITCH_SAMPLES = 1440 };
static const double FROM_IN = 0.4, STEP_IN = 0.1; // beyond the surface's edge; ditches are 1 1/2 in wide and more
enum { RINGS = 12, TURNS = DITCH_SAMPLES / RINGS };

// What colour the ditch around the surface has. Makers paint or line the centre hole as they do the ditch.
struct ditch {
    int n;
    double lab[DITCH_SAMPLES][3]; // of places all around its floor: hands, discs and an outer wall among them
};

// Whether the line of sight to a place under the surface's plane passes the surface.
static bool hidden(const struct board_pose *pose, struct pt3_in at)
{
    struct pt3_in eye = camera_position(&pose->camera);
    double share = eye.z / (eye.z - at.z);
    return hypot(eye.x + share * (at.x - eye.x), eye.y + share * (at.y - eye.y)) < pose->board.surface_radius_in;
}

static void ditch_sample(struct ditch *out, const struct frame *f, const struct board_pose *pose)
{
    const struct board *b = &pose->board;
    out->n = 0;
    if (b->surface_radius_in <= 0)
        return;
    for (int i = 0; i < DITCH_SAMPLES; i++) {
        double r = b->surface_radius_in + FROM_IN + STEP_IN * (i / TURNS), turn = 2 * PI * (i % TURNS) / TURNS;
        struct pt3_in at = { r * cos(turn), r * sin(turn), -b->ditch_depth_in };
        double colour[3];
        struct pt_px seen;
        if (!hidden(pose, at) && camera_project(&seen, &pose->camera, at) && colour_at(colour, f, seen.u, seen.v))
            colour_to_lab(out->lab[out->n++], colour);
    }
}

static double ditch_share_of(const struct ditch *d, const double lab[3], double reach)
{
    int alike = 0;
    for (int i = 0; i < d->n; i++)
        alike += colour_paint_distance(d->lab[i], lab) < reach;
    return (double)alike / fmax(d->n, 1);
}

static bool ditch_middle(double lab[3], const struct ditch *d)
{
    for (int c = 0; c < 3 && d->n; c++) {
        double values[DITCH_SAMPLES];
        for (int i = 0; i < d->n; i++)
            values[i] = d->lab[i][c];
        lab[c] = median_of(values, d->n);
    }
    return d->n > 0;
}

// Colour distance from the side of one of the pieces, and that side's lightness: medians over its pieces.
static double distance_to_side(double side_lab[3], const struct detection_list *list, int of, const double lab[3],
                               const struct disc_tuning *t)
{
    double values[3][MAX_PIECES];
    int n = 0;
    for (int i = 0; i < list->count; i++)
        if (colour_paint_distance(list->piece[i].lab, list->piece[of].lab) < t->hole_same_side_lab) {
            for (int c = 0; c < 3; c++)
                values[c][n] = list->piece[i].lab[c];
            n++;
        }
    for (int c = 0; c < 3; c++)
        side_lab[c] = median_of(values[c], n);
    return colour_paint_distance(lab, side_lab);
}

static double apart(const double a[3], const double b[3])
{
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

// Black in a dark hole: lightness must agree too, no pixel may show the wall or the rim's shadow, and the ditch may not be
// just as black, or much nearer to it than the side is.
static bool like_a_dark_side(const double lab[3], const double side[3], const struct cylinder_fit *fit,
                             const struct ditch *ditch, const struct disc_tuning *t)
{
    double floor[3], off = apart(lab, side);
    bool ditch_too = ditch_middle(floor, ditch) && apart(lab, floor) < fmax(off / 2, t->hole_very_same_lab);
    bool same_hue = hypot(lab[1] - side[1], lab[2] - side[2]) < t->hole_very_same_lab; // wood around a floor tints it
    return off < t->hole_dark_same_lab && same_hue && fit->uneven < t->hole_dark_uneven &&
           fit->explained > t->hole_dark_explained && !ditch_too;
}

// A hole is often painted as the ditch is: then a side of that paint cannot be told from its floor.
static bool like_the_ditch(const double lab[3], const struct ditch *ditch, const struct disc_tuning *t)
{
    return ditch_share_of(ditch, lab, t->hole_same_side_lab) > t->hole_ditch_paint;
}

static bool like_a_side(const struct detection_list *others, const struct cylinder_fit *fit, const struct ditch *ditch,
                        const struct disc_tuning *t)
{
    double lab[3], side[3];
    colour_to_lab(lab, fit->top);
    for (int i = 0; i < others->count; i++) {
        double distance = distance_to_side(side, others, i, lab, t);
        bool deep = side[0] < t->hole_dark_l && hypot(side[1], side[2]) < t->hole_pale_chroma;
        bool even = fit->uneven < t->hole_most_uneven || distance < t->hole_very_same_lab;
        if (deep ? like_a_dark_side(lab, side, fit, ditch, t)
                 : distance < t->hole_same_side_lab && lab[0] > t->hole_least_light * side[0] && even &&
                       !like_the_ditch(lab, ditch, t))
            return true;
    }
    return false;
}

// A ring shows the floor of the hole through it, an empty hole shows nothing but floor.
static bool is_hollow(const struct cylinder *s, const struct cylinder_fit *fit, const struct disc_tuning *t)
{
    double top[3], floor[3];
    colour_to_lab(top, fit->top);
    colour_to_lab(floor, fit->floor);
    return s->hole_in > 0 &&
           colour_paint_distance(top, floor) > 2 * t->hole_same_side_lab; // another paint, whatever the light
}

bool hole_holds_piece(struct cylinder_fit *fit, struct cylinder *shape, const struct edge_prior *look,
                      const struct frame *f, const struct board_pose *pose, const struct detection_list *others,
                      const struct disc_tuning *t)
{
    const struct board *b = &pose->board;
    if (b->hole_radius_in <= 0)
        return false;
    struct surroundings alone = { .board = pose, .self = -1, .look = *look, .tuning = t };
    *shape = cylinder_of_piece(b, -b->hole_depth_in);
    *fit = (struct cylinder_fit){ .at = { 0, 0 } };
    struct ditch ditch;
    ditch_sample(&ditch, f, pose);
    double play_in = fmax(b->hole_radius_in - b->piece_radius_in, 0);
    return cylinder_fit_run(fit, f, shape, &alone, FIT_FINE) && fit->explained > t->hole_least_explained &&
           hypot(fit->at.x, fit->at.y) < play_in + t->hole_most_off_in + 3 * sqrt(fit->cov.xx + fit->cov.yy) &&
           (is_hollow(shape, fit, t) || like_a_side(others, fit, &ditch, t));
}
