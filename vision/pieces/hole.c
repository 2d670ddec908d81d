// SPDX-License-Identifier: MIT
#include "vision/pieces/hole.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/colour.h"

enum { DITCH_RINGS = 12, DITCH_TURNS = 120, DITCH_SAMPLES = DITCH_RINGS * DITCH_TURNS };

// What colour the ditch around the surface has: the middle one of what is seen all around on its floor, hands, discs and an outer
// wall among them. Makers paint or line the centre hole as they do the ditch. False where none of it is seen.
static bool ditch_paint(double lab[3], const struct frame *f, const struct board_pose *pose,
                        const struct disc_tuning *t)
{
    const struct board *b = &pose->board;
    struct pt3_in eye = camera_position(&pose->camera);
    double seen_lab[3][DITCH_SAMPLES];
    int n = 0;
    for (int i = 0; i < DITCH_SAMPLES && b->surface_radius_in > 0; i++) {
        double r = b->surface_radius_in + t->hole_ditch_from_in + t->hole_ditch_step_in * (i / DITCH_TURNS),
               turn = 2 * PI * (i % DITCH_TURNS) / DITCH_TURNS;
        struct pt_in at = { r * cos(turn), r * sin(turn) }, over = camera_sight(&eye, at, -b->ditch_depth_in, 0);
        double colour[3], one[3];
        struct pt_px seen;
        if (hypot(over.x, over.y) < b->surface_radius_in)
            continue; // the surface hides it
        if (!camera_project(&seen, &pose->camera, (struct pt3_in){ at.x, at.y, -b->ditch_depth_in }) ||
            !colour_at(colour, f, seen.u, seen.v))
            continue;
        colour_to_lab(one, colour);
        for (int c = 0; c < 3; c++)
            seen_lab[c][n] = one[c];
        n++;
    }
    for (int c = 0; c < 3 && n > 0; c++)
        lab[c] = median_of(seen_lab[c], n);
    return n > 0;
}

// Sides differ in paint; each has its pieces' median colour. *distance: of that paint from the nearest side's. The only
// disc of a side may be the one in the hole: then its paint is known from where it lay before.
static void find_side(double side[3], double *distance, const double lab[3], const struct detection_list *others,
                      const struct side_colours *paints, const struct disc_tuning *t)
{
    *distance = INFINITY;
    for (int i = 0; paints && i < paints->count; i++) {
        double off = colour_paint_distance(lab, paints->colour[i].lab);
        if (off < *distance) {
            *distance = off;
            memcpy(side, paints->colour[i].lab, sizeof paints->colour[i].lab);
        }
    }
    for (int i = 0; i < others->count; i++) {
        double values[3][MAX_PIECES], middle[3];
        int n = 0;
        for (int k = 0; k < others->count; k++)
            if (colour_paint_distance(others->piece[k].lab, others->piece[i].lab) < t->hole_same_side_lab) {
                for (int c = 0; c < 3; c++)
                    values[c][n] = others->piece[k].lab[c];
                n++;
            }
        for (int c = 0; c < 3; c++)
            middle[c] = median_of(values[c], n);
        double off = colour_paint_distance(lab, middle);
        if (off < *distance) {
            *distance = off;
            memcpy(side, middle, sizeof middle);
        }
    }
}

// False where nothing can be said: a hole that is as black as the ditch, and black pieces.
static bool measure(struct hole_hypothesis *h, const struct frame *f, const struct surroundings *near,
                    const struct detection_list *others, const struct side_colours *paints, bool flat)
{
    const struct disc_tuning *t = near->tuning;
    static const double least_lab = 0.5, plain_lab = 40; // beyond these nothing is more alike, or less
    static const double plain_dark_lab = 5;              // all that is nearly black is within some ten of each other
    double lab[3], floor[3], ditch[3], side[3] = { 0 }, distance, *m = h->measure;
    colour_to_lab(lab, h->fit.top);
    colour_to_lab(floor, h->fit.floor);
    find_side(side, &distance, lab, others, paints, t);
    double from_ditch = ditch_paint(ditch, f, near->board, t) ? colour_lab_distance(lab, ditch) : INFINITY;
    bool known = isfinite(distance);
    bool deep = known && side[0] < t->hole_dark_l && hypot(side[1], side[2]) < t->hole_pale_chroma;
    m[HOLE_LOG_PAINT_OFF] = log(fmin(fmax(distance, least_lab), plain_lab));
    m[HOLE_DARKER] = known ? fmin(fmax(side[0] - lab[0], 0), plain_lab) : 0;
    m[HOLE_UNEVEN] = h->fit.uneven;
    m[HOLE_EXPLAINED] = fmax(h->fit.explained, 0);
    m[HOLE_LOG_DITCH_OFF] = log(fmin(fmax(deep ? plain_lab : from_ditch, least_lab), plain_lab));
    m[HOLE_DEEP_SIDE] = deep;
    m[HOLE_DEEP_PAINT_OFF2] = deep && !flat ? pow(fmin(distance, plain_dark_lab), 2) : 0;
    m[HOLE_HOLLOW] = h->shape.hole_in > 0 ? fmin(colour_paint_distance(lab, floor), plain_lab) : 0;
    return !deep || from_ditch >= fmax(colour_lab_distance(lab, side) / 2, t->hole_very_same_lab);
}

static double score(const double m[HOLE_MEASURES], const struct evidence_tuning *t)
{
    return logistic(t->hole_bias + t->hole_paint_off * m[HOLE_LOG_PAINT_OFF] + t->hole_darker * m[HOLE_DARKER] +
                    t->hole_uneven * m[HOLE_UNEVEN] + t->hole_explained * m[HOLE_EXPLAINED] +
                    t->hole_ditch_off * m[HOLE_LOG_DITCH_OFF] + t->hole_deep_side * m[HOLE_DEEP_SIDE] +
                    t->hole_deep_paint_off2 * m[HOLE_DEEP_PAINT_OFF2] + t->hole_hollow * m[HOLE_HOLLOW]);
}

void hole_look(struct hole_hypothesis *out, const struct frame *f, const struct surroundings *near,
               const struct detection_list *others, const struct side_colours *paints, bool flat,
               const struct evidence_tuning *t)
{
    const struct board *b = &near->board->board;
    *out = (struct hole_hypothesis){ .shape = cylinder_of_piece(b, -b->hole_depth_in) };
    if (b->hole_radius_in <= 0)
        return;
    // A piece in the hole has some play there and no more; and its rim is seen beside the hole's, wherever the outline seems to lie.
    double play_in = fmax(b->hole_radius_in - b->piece_radius_in, 0);
    struct cylinder_fit *fit = &out->fit;
    out->fitted =
        cylinder_fit_run(fit, f, &out->shape, near, FIT_SIZE) && fit->explained > near->tuning->hole_least_explained &&
        hypot(fit->at.x, fit->at.y) < play_in + near->tuning->hole_most_off_in + 3 * sqrt(fit->cov.xx + fit->cov.yy);
    if (!out->fitted)
        return;
    out->fitted = measure(out, f, near, others, paints, flat);
    out->probability = out->fitted ? score(out->measure, t) : 0;
}
