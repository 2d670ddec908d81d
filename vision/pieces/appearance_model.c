// SPDX-License-Identifier: MIT
#include "vision/pieces/appearance_model.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/colour.h"
#include "vision/pieces/side_classifier.h"

enum { FACE_PIXELS = 400, FACE_SECTORS = 24 };

static bool window_at(struct pixel_window *w, struct cylinder_view *stand, const struct frame *f,
                      const struct cylinder *shape, struct pt_in at, const struct surroundings *near)
{
    return cylinder_view_at(stand, shape, at, &near->board->camera, &near->look) &&
           cylinder_window_fill(w, f, stand, near, FACE_PIXELS);
}

static double face_share(const struct cylinder_view *stand, const struct sight *sight)
{
    double share[CYLINDER_PARTS];
    cylinder_shares_at(share, stand, sight);
    return share[CYLINDER_TOP];
}

// The share beyond which a pixel is one of the face.
static double face_from(const struct pixel_window *w, const struct cylinder_view *stand,
                        const struct appearance_tuning *t)
{
    double most = 0;
    if (stand->shape->hole_in <= 0)
        return t->all_face;
    for (int i = 0; i < w->n; i++)
        most = fmax(most, face_share(stand, &w->sample[i].sight));
    return t->ring_face * most;
}

// A piece in the ditch, seen from across, covers what one on the surface's edge would.
static bool around(const struct cylinder_view *stand, const struct board *b, const struct sight *sight,
                   const struct appearance_tuning *t)
{
    double clearance = cylinder_clearance(stand, sight);
    bool beyond_edge = b->surface_radius_in > 0 && hypot(sight->low.x, sight->low.y) > b->surface_radius_in;
    return clearance > t->beyond_in && clearance < t->around_in && !beyond_edge;
}

static void add_to(double list[3][APPEARANCE_SAMPLES], int *n, const double colour[3])
{
    double lab[3];
    if (*n == APPEARANCE_SAMPLES)
        return;
    colour_to_lab(lab, colour);
    for (int c = 0; c < 3; c++)
        list[c][*n] = lab[c];
    ++*n;
}

void appearance_add(struct appearance_samples *s, struct pt_in at, const struct surroundings *near)
{
    struct pixel_window w;
    struct cylinder_view stand;
    if (!window_at(&w, &stand, s->f, s->shape, at, near))
        return;
    double from = face_from(&w, &stand, s->tuning);
    for (int i = 0; i < w.n; i++)
        if (face_share(&stand, &w.sample[i].sight) > from)
            add_to(s->lab, &s->n, w.sample[i].colour);
        else if (around(&stand, &near->board->board, &w.sample[i].sight, s->tuning))
            add_to(s->ground, &s->grounds, w.sample[i].colour);
}

// median_of reorders what it is given.
static double middle_of(const double *values, int n)
{
    double copy[APPEARANCE_SAMPLES];
    memcpy(copy, values, (size_t)n * sizeof *copy);
    return median_of(copy, n);
}

// A pixel has the paint when it is no farther from it than the pieces' own pixels allow, and nearer than to the surface's.
bool appearance_learn(struct appearance_model *out, const struct appearance_samples *s)
{
    double off[APPEARANCE_SAMPLES], ground[3];
    if (s->n < s->tuning->least_face_pixels || s->grounds < s->tuning->least_face_pixels)
        return false;
    out->tuning = s->tuning;
    for (int c = 0; c < 3; c++) {
        out->lab[c] = middle_of(s->lab[c], s->n);
        ground[c] = middle_of(s->ground[c], s->grounds);
    }
    for (int i = 0; i < s->n; i++)
        off[i] = colour_paint_distance((double[3]){ s->lab[0][i], s->lab[1][i], s->lab[2][i] }, out->lab);
    double spread = fmax(select_kth(off, s->n, (int)(s->tuning->most_of * (s->n - 1))), s->tuning->least_spread);
    out->reach = fmin(s->tuning->spreads * spread, colour_paint_distance(out->lab, ground) / 2);
    return true;
}

struct sector {
    int face, face_has, around, around_has;
};

bool appearance_compare(struct appearance_match *out, const struct appearance_model *paint, const struct frame *f,
                        const struct cylinder *shape, struct pt_in at, const struct surroundings *near)
{
    struct sector sector[FACE_SECTORS] = { { 0 } };
    struct pixel_window w;
    struct cylinder_view stand;
    int face = 0, has = 0, seen = 0, steps = 0;
    if (!window_at(&w, &stand, f, shape, at, near))
        return false;
    double from = face_from(&w, &stand, paint->tuning);
    for (int i = 0; i < w.n; i++) {
        const struct pixel_sample *p = &w.sample[i];
        bool is_face = face_share(&stand, &p->sight) > from;
        double lab[3];
        if (!is_face && !around(&stand, &near->board->board, &p->sight, paint->tuning))
            continue;
        colour_to_lab(lab, p->colour);
        bool has_it = colour_paint_distance(lab, paint->lab) < paint->reach;
        struct pt_in high = cylinder_sight_at(&p->sight, shape->height_in); // the face lies there
        double turn = atan2(high.y - at.y, high.x - at.x) / (2 * PI) + 0.5;
        struct sector *s = &sector[(int)(turn * FACE_SECTORS) % FACE_SECTORS];
        *(is_face ? &s->face : &s->around) += 1;
        *(is_face ? &s->face_has : &s->around_has) += has_it;
    }
    for (int k = 0; k < FACE_SECTORS; k++) {
        const struct sector *s = &sector[k];
        face += s->face;
        has += s->face_has;
        if (!s->face || !s->around)
            continue;
        seen++;
        steps += 2 * s->face_has > s->face && 2 * s->around_has < s->around;
    }
    *out = (struct appearance_match){ (double)has / fmax(face, 1), (double)steps / fmax(seen, 1),
                                      (double)seen / FACE_SECTORS };
    return true;
}
