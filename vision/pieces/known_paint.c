// SPDX-License-Identifier: MIT
#include "vision/pieces/known_paint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/pieces/colour.h"
#include "vision/pieces/sides.h"

static const double ALL_FACE = 0.98;  // share of a pixel that the top fills ...
static const double RING_FACE = 0.8;  // ... or, of a ring, whose top is narrow, of the most that it fills
static const double BEYOND_IN = 0.09; // outside of the outline: blur, gap and rounding end there
static const double AROUND_IN = 0.28; // and neighbours, lines and figures are yet few
static const double MOST_OF = 0.9;    // of a paint's pixels: a highlight or a maker's mark may take the rest
static const double LEAST_SPREAD = 3; // sides_distance: noise and the next disc's other wood
static const double SPREADS = 2;      // and it lies in other light
enum { PIXELS = 400, SECTORS = 24, LEAST_PIXELS = 30 };

static bool window_at(struct window *w, struct solid_stand *stand, const struct frame *f, const struct solid *solid,
                      struct pt_in at, const struct surroundings *near)
{
    return solid_stand_at(stand, solid, at, &near->board->camera, &near->look) &&
           solid_window_fill(w, f, stand, near, PIXELS);
}

static double face_share(const struct solid_stand *stand, struct pt_in low)
{
    double share[SOLID_PARTS];
    solid_shares_at(share, stand, low);
    return share[SOLID_TOP];
}

// The share beyond which a pixel is one of the face.
static double face_from(const struct window *w, const struct solid_stand *stand)
{
    double most = 0;
    if (stand->solid->hole_in <= 0)
        return ALL_FACE;
    for (int i = 0; i < w->n; i++)
        most = fmax(most, face_share(stand, w->sample[i].low));
    return RING_FACE * most;
}

// A piece in the ditch, seen from across, covers what one on the surface's edge would.
static bool beyond_edge(const struct board *b, struct pt_in low)
{
    return b->surface_radius_in > 0 && hypot(low.x, low.y) > b->surface_radius_in;
}

static bool around(const struct solid_stand *stand, const struct board *b, struct pt_in low)
{
    double clearance = solid_clearance(stand, low);
    return clearance > BEYOND_IN && clearance < AROUND_IN && !beyond_edge(b, low);
}

static void add_to(double list[3][KNOWN_PAINT_SAMPLES], int *n, const double colour[3])
{
    double lab[3];
    if (*n == KNOWN_PAINT_SAMPLES)
        return;
    colour_to_lab(lab, colour);
    for (int c = 0; c < 3; c++)
        list[c][*n] = lab[c];
    ++*n;
}

void known_paint_add(struct paint_sampling *s, struct pt_in at, const struct surroundings *near)
{
    struct window w;
    struct solid_stand stand;
    if (!window_at(&w, &stand, s->f, s->solid, at, near))
        return;
    double from = face_from(&w, &stand);
    for (int i = 0; i < w.n; i++)
        if (face_share(&stand, w.sample[i].low) > from)
            add_to(s->lab, &s->n, w.sample[i].colour);
        else if (around(&stand, &near->board->board, w.sample[i].low))
            add_to(s->ground, &s->grounds, w.sample[i].colour);
}

static int smaller_first(const void *a, const void *b)
{
    const double *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

// median_of reorders what it is given.
static double middle_of(const double *values, int n)
{
    double copy[KNOWN_PAINT_SAMPLES];
    memcpy(copy, values, (size_t)n * sizeof *copy);
    return median_of(copy, n);
}

// A pixel has the paint when it is no farther from it than the pieces' own pixels allow, and nearer than to the surface's.
bool known_paint_of(struct known_paint *out, const struct paint_sampling *s)
{
    double off[KNOWN_PAINT_SAMPLES], ground[3];
    if (s->n < LEAST_PIXELS || s->grounds < LEAST_PIXELS)
        return false;
    for (int c = 0; c < 3; c++) {
        out->lab[c] = middle_of(s->lab[c], s->n);
        ground[c] = middle_of(s->ground[c], s->grounds);
    }
    for (int i = 0; i < s->n; i++)
        off[i] = sides_distance((double[3]){ s->lab[0][i], s->lab[1][i], s->lab[2][i] }, out->lab);
    qsort(off, (size_t)s->n, sizeof *off, smaller_first);
    double spread = fmax(off[(int)(MOST_OF * (s->n - 1))], LEAST_SPREAD);
    out->reach = fmin(SPREADS * spread, sides_distance(out->lab, ground) / 2);
    return true;
}

struct sector {
    int face, face_has, around, around_has;
};

static void count_pixels(struct sector sector[SECTORS], const struct window *w, const struct solid_stand *stand,
                         const struct known_paint *paint, const struct board *b)
{
    double from = face_from(w, stand);
    for (int i = 0; i < w->n; i++) {
        const struct sample *p = &w->sample[i];
        bool face = face_share(stand, p->low) > from;
        double lab[3];
        if (!face && !around(stand, b, p->low))
            continue;
        colour_to_lab(lab, p->colour);
        bool has = sides_distance(lab, paint->lab) < paint->reach;
        struct pt_in high = solid_sight_at(stand, p->low, stand->solid->height_in); // the face lies there
        double turn = atan2(high.y - stand->at.y, high.x - stand->at.x) / (2 * PI) + 0.5;
        struct sector *s = &sector[(int)(turn * SECTORS) % SECTORS];
        *(face ? &s->face : &s->around) += 1;
        *(face ? &s->face_has : &s->around_has) += has;
    }
}

bool known_paint_look(struct paint_look *out, const struct known_paint *paint, const struct frame *f,
                      const struct solid *solid, struct pt_in at, const struct surroundings *near)
{
    struct sector sector[SECTORS] = { { 0 } };
    struct window w;
    struct solid_stand stand;
    int face = 0, has = 0, seen = 0, steps = 0;
    if (!window_at(&w, &stand, f, solid, at, near))
        return false;
    count_pixels(sector, &w, &stand, paint, &near->board->board);
    for (int k = 0; k < SECTORS; k++) {
        const struct sector *s = &sector[k];
        face += s->face;
        has += s->face_has;
        if (!s->face || !s->around)
            continue;
        seen++;
        steps += 2 * s->face_has > s->face && 2 * s->around_has < s->around;
    }
    *out = (struct paint_look){ (double)has / fmax(face, 1), (double)steps / fmax(seen, 1), (double)seen / SECTORS };
    return true;
}
