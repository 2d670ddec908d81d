// SPDX-License-Identifier: MIT
#include "vision/pieces/solid_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/units.h"
#include "vision/frame.h"

int solid_map_create(struct solid_map *out, int width, int height, struct fail *why)
{
    *out = (struct solid_map){ .width = width, .height = height, .count_before = -1 };
    out->number = calloc((size_t)width * (size_t)height, 1);
    return out->number ? 0 : rs_fail(why, RS_ENOMEM, "no memory for a map of %d x %d pixels", width, height);
}

void solid_map_free(struct solid_map *m)
{
    free(m->number);
    m->number = NULL;
}

static int held(double px, int most)
{
    return (int)fmin(fmax(px, 0), most);
}

static struct px_range range_of(const struct px_box *b, const struct solid_map *m)
{
    return (struct px_range){ held(b->low.u, m->width), held(b->high.u, m->width), held(b->low.v, m->height),
                              held(b->high.v, m->height) };
}

// How a solid is seen, and how far beside it still counts.
struct outline {
    const struct camera *camera;
    struct cylinder_view view;
    double beside_in;
};

static bool is_within(const struct outline *o, int u, int v)
{
    struct pt_in low;
    if (!camera_locate(&low, o->camera, (struct pt_px){ u, v }, 0))
        return false;
    struct sight sight = cylinder_sight(&o->view, low);
    return cylinder_clearance(&o->view, &sight) < o->beside_in;
}

// The pixels of a row within the outline: from the first to before `to`; there are none where both are equal.
struct run {
    int first, to;
};

// The outline is convex, so that a row has one run; its ends are looked for from those of the row before. To ask each pixel of the box
// would cost five times as much.
static struct run run_of(const struct outline *o, const struct px_range *r, int v, struct run before)
{
    const bool known = before.first < before.to;
    int first = known ? before.first : r->from_u, to = known ? before.to : r->from_u;
    while (first > r->from_u && is_within(o, first - 1, v))
        first--;
    while (first < r->to_u && !is_within(o, first, v))
        first++;
    if (first == r->to_u) // none, or at a slant all of it lies before the other's
        return known ? run_of(o, r, v, (struct run){ 0, 0 }) : (struct run){ first, first };
    if (to <= first)
        to = first + 1;
    while (to > first + 1 && !is_within(o, to - 1, v))
        to--;
    while (to < r->to_u && is_within(o, to, v))
        to++;
    return (struct run){ first, to };
}

// Lays the i-th solid where no later one lies.
static void lay_within(struct solid_map *m, int i, const struct px_range *r, const struct camera *c, double beside_px)
{
    const struct solid *s = &m->solid[i];
    struct outline o = { .camera = c };
    struct run run = { 0, 0 };
    if (r->from_u >= r->to_u || r->from_v >= r->to_v ||
        !cylinder_view_at(&o.view, &s->shape, s->at, c, &(struct edge_prior){ .blur_px = 1 }))
        return;
    o.beside_in = beside_px / camera_scale_px_per_in(c, (struct pt3_in){ s->at.x, s->at.y, s->shape.height_in / 2 });
    for (int v = r->from_v; v < r->to_v; v++) {
        run = run_of(&o, r, v, run);
        uint8_t *number = &m->number[(size_t)v * (size_t)m->width];
        for (int u = run.first; u < run.to; u++)
            number[u] = number[u] > i ? number[u] : (uint8_t)(i + 1);
    }
}

static void lay(struct solid_map *m, int i, const struct camera *c, double beside_px)
{
    struct solid *s = &m->solid[i];
    const struct pt3_in top = { s->at.x, s->at.y, s->shape.height_in };
    s->box = px_box_empty();
    if (!px_box_take_circle(&s->box, c, surface_at(s->at), s->shape.radius_in) ||
        !px_box_take_circle(&s->box, c, top, s->shape.radius_in)) {
        s->box = px_box_empty();
        return;
    }
    s->box.low = (struct pt_px){ s->box.low.u - beside_px, s->box.low.v - beside_px };
    s->box.high = (struct pt_px){ s->box.high.u + beside_px + 1, s->box.high.v + beside_px + 1 };
    struct px_range all = range_of(&s->box, m);
    lay_within(m, i, &all, c, beside_px);
}

void solid_map_add(struct solid_map *m, const struct cylinder *shape, struct pt_in at, const struct camera *c,
                   double beside_px)
{
    if (m->count == countof(m->solid))
        return;
    m->solid[m->count] = (struct solid){ .at = at, .shape = *shape };
    lay(m, m->count++, c, beside_px);
}

// Takes away the pixels of solids behind the first so many, and lays these where the others hid them.
static void uncover(struct solid_map *m, int count, const struct px_range *r, const struct camera *c, double beside_px)
{
    for (int v = r->from_v; v < r->to_v; v++)
        for (int u = r->from_u; u < r->to_u; u++) {
            uint8_t *number = &m->number[(size_t)v * (size_t)m->width + (size_t)u];
            *number = *number > count ? 0 : *number;
        }
    for (int i = 0; i < count; i++) {
        struct px_range own = range_of(&m->solid[i].box, m);
        struct px_range both = { own.from_u > r->from_u ? own.from_u : r->from_u,
                                 own.to_u < r->to_u ? own.to_u : r->to_u,
                                 own.from_v > r->from_v ? own.from_v : r->from_v,
                                 own.to_v < r->to_v ? own.to_v : r->to_v };
        lay_within(m, i, &both, c, beside_px);
    }
}

void solid_map_keep(struct solid_map *m, int count, const struct camera *c, double beside_px)
{
    memcpy(m->before, m->solid, sizeof *m->solid * (size_t)m->count);
    m->count_before = m->count;
    m->count = count < m->count ? count : m->count;
    for (int i = m->count; i < m->count_before; i++) {
        struct px_range gone = range_of(&m->before[i].box, m);
        uncover(m, m->count, &gone, c, beside_px);
    }
}

// Of the solids from the i-th on the first that may show in the box.
static int next_within(const struct solid *s, int count, int i, const struct px_box *box)
{
    while (i < count && (s[i].box.high.u < box->low.u || s[i].box.low.u > box->high.u || s[i].box.high.v < box->low.v ||
                         s[i].box.low.v > box->high.v))
        i++;
    return i;
}

bool solid_map_as_before(const struct solid_map *m, const struct px_box *box)
{
    bool same = m->count_before >= 0;
    int i = next_within(m->solid, m->count, 0, box), k = next_within(m->before, m->count_before, 0, box);
    while (same && i < m->count && k < m->count_before) { // in their order, for the later one covers the earlier
        const struct solid *now = &m->solid[i], *then = &m->before[k];
        same = now->at.x == then->at.x && now->at.y == then->at.y && now->shape.radius_in == then->shape.radius_in;
        i = next_within(m->solid, m->count, i + 1, box);
        k = next_within(m->before, m->count_before, k + 1, box);
    }
    return same && i >= m->count && k >= m->count_before;
}
