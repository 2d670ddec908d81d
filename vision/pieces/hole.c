// SPDX-License-Identifier: MIT
#include "vision/pieces/hole.h"

#include <math.h>

#include "calibration/algebra.h"
#include "vision/colour.h"
#include "vision/pieces/side_classifier.h"

enum { DITCH_RINGS = 12, DITCH_TURNS = 120, DITCH_SAMPLES = DITCH_RINGS * DITCH_TURNS };

// What colour the ditch around the surface has. Makers paint or line the centre hole as they do the ditch.
struct ditch {
    int n;
    double lab[DITCH_SAMPLES][3]; // of places all around its floor: hands, discs and an outer wall among them
};

static void ditch_sample(struct ditch *out, const struct frame *f, const struct board_pose *pose,
                         const struct disc_tuning *t)
{
    const struct board *b = &pose->board;
    struct pt3_in eye = camera_position(&pose->camera);
    out->n = 0;
    if (b->surface_radius_in <= 0)
        return;
    for (int i = 0; i < DITCH_SAMPLES; i++) {
        double r = b->surface_radius_in + t->hole_ditch_from_in + t->hole_ditch_step_in * (i / DITCH_TURNS),
               turn = 2 * PI * (i % DITCH_TURNS) / DITCH_TURNS;
        struct pt3_in at = { r * cos(turn), r * sin(turn), -b->ditch_depth_in };
        double colour[3], share = eye.z / (eye.z - at.z); // where the line of sight passes the surface's plane
        struct pt_px seen;
        if (hypot(eye.x + share * (at.x - eye.x), eye.y + share * (at.y - eye.y)) < b->surface_radius_in)
            continue; // the surface hides it
        if (camera_project(&seen, &pose->camera, at) && colour_at(colour, f, seen.u, seen.v))
            colour_to_lab(out->lab[out->n++], colour);
    }
}

// Black in a dark hole: lightness must agree too, no pixel may show the wall or the rim's shadow, and the ditch may not be
// just as black, or much nearer to it than the side is.
static bool like_a_dark_side(const double lab[3], const double side[3], const struct cylinder_fit *fit,
                             const struct ditch *ditch, const struct disc_tuning *t)
{
    double floor[3], values[DITCH_SAMPLES], off = colour_lab_distance(lab, side);
    for (int c = 0; c < 3 && ditch->n; c++) {
        for (int i = 0; i < ditch->n; i++)
            values[i] = ditch->lab[i][c];
        floor[c] = median_of(values, ditch->n);
    }
    bool ditch_too = ditch->n && colour_lab_distance(lab, floor) < fmax(off / 2, t->hole_very_same_lab);
    bool same_hue = hypot(lab[1] - side[1], lab[2] - side[2]) < t->hole_very_same_lab; // wood around a floor tints it
    return off < t->hole_dark_same_lab && same_hue && fit->uneven < t->hole_dark_uneven &&
           fit->explained > t->hole_dark_explained && !ditch_too;
}

static bool like_a_side(const struct detection_list *others, const struct cylinder_fit *fit, const struct ditch *ditch,
                        double most_uneven, const struct disc_tuning *t)
{
    double lab[3], side[3];
    int painted = 0;
    colour_to_lab(lab, fit->top);
    for (int i = 0; i < ditch->n; i++)
        painted += colour_paint_distance(ditch->lab[i], lab) < t->hole_same_side_lab;
    // A hole is often painted as the ditch is: then a side of that paint cannot be told from its floor.
    bool like_ditch = painted / fmax(ditch->n, 1) > t->hole_ditch_paint;
    for (int i = 0; i < others->count; i++) {
        double values[3][MAX_PIECES]; // of the pieces of this one's side, whose medians are the side's colour
        int n = 0;
        for (int k = 0; k < others->count; k++)
            if (colour_paint_distance(others->piece[k].lab, others->piece[i].lab) < t->hole_same_side_lab) {
                for (int c = 0; c < 3; c++)
                    values[c][n] = others->piece[k].lab[c];
                n++;
            }
        for (int c = 0; c < 3; c++)
            side[c] = median_of(values[c], n);
        double distance = colour_paint_distance(lab, side);
        bool deep = side[0] < t->hole_dark_l && hypot(side[1], side[2]) < t->hole_pale_chroma;
        bool even = fit->uneven < most_uneven || distance < t->hole_very_same_lab;
        if (deep ? like_a_dark_side(lab, side, fit, ditch, t)
                 : distance < t->hole_same_side_lab && lab[0] > t->hole_least_light * side[0] && even && !like_ditch)
            return true;
    }
    return false;
}

bool hole_holds_piece(struct cylinder_fit *fit, const struct frame *f, const struct surroundings *near,
                      const struct detection_list *others, double most_uneven)
{
    const struct board_pose *pose = near->board;
    const struct disc_tuning *t = near->tuning;
    const struct board *b = &pose->board;
    if (b->hole_radius_in <= 0)
        return false;
    struct cylinder shape = cylinder_of_piece(b, -b->hole_depth_in);
    *fit = (struct cylinder_fit){ .at = { 0, 0 } };
    struct ditch ditch;
    ditch_sample(&ditch, f, pose, t);
    double play_in = fmax(b->hole_radius_in - b->piece_radius_in, 0), top[3], floor[3];
    if (!cylinder_fit_run(fit, f, &shape, near, FIT_PLACE) || !(fit->explained > t->hole_least_explained) ||
        !(hypot(fit->at.x, fit->at.y) < play_in + t->hole_most_off_in + 3 * sqrt(fit->cov.xx + fit->cov.yy)))
        return false;
    // A ring shows the floor of the hole through it, another paint whatever the light; an empty hole nothing but floor.
    colour_to_lab(top, fit->top);
    colour_to_lab(floor, fit->floor);
    bool hollow = shape.hole_in > 0 && colour_paint_distance(top, floor) > 2 * t->hole_same_side_lab;
    return hollow || like_a_side(others, fit, &ditch, most_uneven, t);
}
