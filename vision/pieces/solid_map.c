// SPDX-License-Identifier: MIT
#include "vision/pieces/solid_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/units.h"

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

// The pixels among which a solid is seen; false where the camera does not see it.
static bool box_of(struct px_box *out, const struct solid *s, const struct camera *c)
{
    enum { DIRECTIONS = 16 };
    bool seen = true;
    *out = px_box_empty();
    for (int k = 0; k < 2 * DIRECTIONS && seen; k++) {
        double a = 2 * PI * k / DIRECTIONS, z = k < DIRECTIONS ? 0 : s->shape.height_in;
        struct pt3_in rim = { s->at.x + s->shape.radius_in * cos(a), s->at.y + s->shape.radius_in * sin(a), z };
        seen = px_box_take(out, c, rim);
    }
    return seen;
}

static int held(double px, int most)
{
    return (int)fmin(fmax(px, 0), most);
}

static void lay(struct solid_map *m, int i, const struct camera *c, double beside_px)
{
    struct solid *s = &m->solid[i];
    struct cylinder_view view;
    double px_per_in = camera_scale_px_per_in(c, (struct pt3_in){ s->at.x, s->at.y, s->shape.height_in / 2 });
    if (!box_of(&s->box, s, c) || !cylinder_view_at(&view, &s->shape, s->at, c, &(struct edge_prior){ .blur_px = 1 })) {
        s->box = px_box_empty();
        return;
    }
    s->box.low = (struct pt_px){ s->box.low.u - beside_px, s->box.low.v - beside_px };
    s->box.high = (struct pt_px){ s->box.high.u + beside_px + 1, s->box.high.v + beside_px + 1 };
    int to_u = held(s->box.high.u, m->width), to_v = held(s->box.high.v, m->height);
    for (int v = held(s->box.low.v, m->height); v < to_v; v++)
        for (int u = held(s->box.low.u, m->width); u < to_u; u++) {
            struct pt_in low;
            if (!camera_locate(&low, c, (struct pt_px){ u, v }, 0))
                continue;
            struct sight sight = cylinder_sight(&view, low);
            if (cylinder_clearance(&view, &sight) * px_per_in < beside_px)
                m->number[(size_t)v * (size_t)m->width + (size_t)u] = (uint8_t)(i + 1);
        }
}

void solid_map_add(struct solid_map *m, const struct cylinder *shape, struct pt_in at, const struct camera *c,
                   double beside_px)
{
    if (m->count == countof(m->solid))
        return;
    m->solid[m->count] = (struct solid){ .at = at, .shape = *shape };
    lay(m, m->count++, c, beside_px);
}

void solid_map_keep(struct solid_map *m, int count, const struct camera *c, double beside_px)
{
    memcpy(m->before, m->solid, sizeof *m->solid * (size_t)m->count);
    m->count_before = m->count;
    m->count = count < m->count ? count : m->count;
    memset(m->number, 0, (size_t)m->width * (size_t)m->height);
    for (int i = 0; i < m->count; i++)
        lay(m, i, c, beside_px);
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
