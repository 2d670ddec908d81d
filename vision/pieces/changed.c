// SPDX-License-Identifier: MIT
#include "vision/pieces/changed.h"

#include <math.h>
#include <stdlib.h>

enum { RAYS = 12, RINGS = 3, PLACES_MOST = 2000 };
static const double FACE_PART = 0.8;    // of the radius: the rim mixes with the board
static const double RASTER_RADII = 0.3; // fits find home from there
static const double AROUND = 1.5;       // radii: half a piece's width around it
static const double LEAST_ALONE = 0.3;  // of the ring around it: neighbours and shadow cover less than the rest

// Share of a ring of the solid's face, or around it, that does not look like the empty board.
static double changed_share(const struct background *empty, const struct solid *s, struct pt_in at,
                            const struct pt3_in *eye, double from, double to)
{
    int changed = 0, all = RAYS * RINGS;
    for (int k = 0; k < all; k++) {
        double part = from + (to - from) * (k % RINGS + 1) / RINGS, angle = 2 * PI * k / all;
        struct pt_in p = { at.x + part * s->radius_in * cos(angle), at.y + part * s->radius_in * sin(angle) };
        changed += background_shows(empty, background_sight(eye, p, s->base_in + s->height_in)) != SURFACE_BARE;
    }
    return (double)changed / all;
}

double changed_face(const struct background *empty, const struct solid *s, struct pt_in at,
                    const struct board_pose *pose)
{
    struct pt3_in eye = camera_position(&pose->camera);
    return changed_share(empty, s, at, &eye, s->hole_in / s->radius_in, FACE_PART);
}

struct place_alone {
    struct pt_in at;
    double alone; // how much more of the face has changed than of what is around it
};

static int most_alone_first(const void *a, const void *b)
{
    const struct place_alone *p = a, *q = b;
    return (p->alone < q->alone) - (p->alone > q->alone);
}

// A raster of places all over the board whose face has changed.
static int changed_places(struct place_alone *out, int most, const struct background *empty, const struct solid *s,
                          const struct board_pose *pose)
{
    struct pt3_in eye = camera_position(&pose->camera);
    double limit = pose->board.surface_radius_in, step = RASTER_RADII * s->radius_in;
    int n = 0;
    for (double x = -limit; x <= limit; x += step)
        for (double y = -limit; y <= limit && n < most; y += step) {
            struct pt_in at = { x, y };
            if (hypot(x, y) > limit || !background_may_hold(empty, background_sight(&eye, at, s->height_in)))
                continue;
            double face = changed_face(empty, s, at, pose);
            if (face > CHANGED_ALL)
                out[n++] = (struct place_alone){ at, face - changed_share(empty, s, at, &eye, 1, AROUND) };
        }
    if (n > 0)
        qsort(out, (size_t)n, sizeof *out, most_alone_first);
    return n;
}

int changed_add(struct pt_in *at, int n, int most, const struct background *empty, const struct solid *s,
                double apart_in, const struct board_pose *pose)
{
    struct place_alone place[PLACES_MOST];
    int places = changed_places(place, PLACES_MOST, empty, s, pose);
    for (int i = 0; i < places && n < most && place[i].alone > LEAST_ALONE; i++) {
        bool apart = true;
        for (int k = 0; k < n && apart; k++)
            apart = hypot(at[k].x - place[i].at.x, at[k].y - place[i].at.y) > apart_in;
        if (apart)
            at[n++] = place[i].at;
    }
    return n;
}
