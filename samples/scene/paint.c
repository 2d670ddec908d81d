// SPDX-License-Identifier: MIT
#include "samples/scene/paint.h"

#include "samples/scene/look.h"
#include "samples/scene/noise.h"
#include "samples/scene/stuff.h"

static const double BEVEL_IN = 0.04; // broken edge of a disc that is sharp by its outline
static const double DULL_RAD = 0.12; // width of a reflection in varnish that only just shows what stands on it

static bool on_line(const struct scene *s, double x, double y)
{
    const struct board *b = s->board;
    double r = hypot(x, y), half = 0.5 * s->line_width_in;
    for (int i = 0; i < b->circles; i++)
        if (fabs(r - b->circle_in[i]) < half)
            return true;
    if (!b->quadrant_lines || r > b->circle_in[0] || r < b->circle_in[1])
        return false;
    double c = cos(s->quadrant_rad), d = sin(s->quadrant_rad);
    return fabs(c * x + d * y) < half || fabs(c * y - d * x) < half;
}

static struct vec carpet_colour(const struct scene *s, double x, double y)
{
    struct vec carpet = stuff_colour(&s->table, x, y);
    if (!s->board)
        return carpet;
    double fringe = 0.03 * (noise_smooth(x * 9, y * 9, 5) - 0.5); // the pile breaks the tape's edge a little
    double r = hypot(x, y) + fringe, inner = s->board->circle_in[0];
    if (r < inner || r > inner + s->line_width_in)
        return carpet;
    return vec_mix(vec_scale(s->line_colour, 0.92 + 0.16 * noise_smooth(x * 3, y * 3, 6)), carpet, 0.06);
}

static struct vec wood_of_piece(const struct solid *o, double x, double y)
{
    struct stuff m = { WOOD, o->colour, vec_scale(o->colour, 0.62), 0.22, o->seed * 0.7, 1, o->seed };
    return stuff_colour(&m, x, y);
}

static struct vec swirl(const struct solid *o, struct vec n)
{
    double turn = atan2(n.y, n.x) + 2.5 * n.z + o->seed;
    double band = sin(2 * turn + 3 * noise_layers(n.x * 2 + 9, n.y * 2 + 9 + n.z, 2, o->seed));
    return vec_mix(o->colour, o->second, ramp(0.25, 0.7, band));
}

static struct vec solid_colour(const struct solid *o, const struct hit *h)
{
    double x = h->at.x - o->at.x, y = h->at.y - o->at.y;
    if (o->look == LOOK_WOOD)
        return wood_of_piece(o, x, y + h->at.z);
    return o->look == LOOK_SWIRL ? swirl(o, h->normal) : look_colour(o, x, y);
}

// Leans the normal of a top face outwards near its edge; a plate is a bowl with a flat rim.
static struct vec lean(const struct solid *o, const struct hit *h)
{
    struct vec out = { h->at.x - o->at.x, h->at.y - o->at.y, 0 };
    double r = vec_length(out);
    if (o->shape == SHAPE_MARBLE || h->normal.z < 0.5 || r < 1e-9)
        return h->normal;
    out = vec_scale(out, 1 / r);
    double share = o->edge_in > 0 ? 0 : ramp(o->radius_in - BEVEL_IN, o->radius_in, r);
    if (o->hole_in > 0)
        share -= ramp(o->hole_in + BEVEL_IN, o->hole_in, r);
    if (o->look == LOOK_PLATE || o->look == LOOK_DISH) {
        double s = r / o->radius_in;
        share -= 0.6 * ramp(0.58, 0.62, s) * ramp(0.72, 0.66, s) - 0.5 * ramp(0.96, 0.99, s);
    }
    return vec_unit(vec_along(h->normal, out, share));
}

static struct paint paint_stuff(const struct stuff *m, const struct hit *h)
{
    // Walls show the stuff as if it were folded down.
    struct paint p = { stuff_colour(m, h->at.x + 0.7 * h->at.z, h->at.y + 0.5 * h->at.z), h->normal, m->gloss, 0.06,
                       false };
    if (m->weave == CARPET || m->weave == LINEN || m->weave == CHECKED)
        p.gloss = 0;
    return p;
}

static struct paint paint_surface(const struct scene *s, const struct hit *h)
{
    struct paint p = paint_stuff(&s->surface, h);
    if (h->normal.z > 0.5 && on_line(s, h->at.x, h->at.y))
        p.colour = vec_mix(s->line_colour, p.colour, 0.08);
    double wave = 0.004; // varnish is never quite flat
    p.normal.x += wave * (noise_smooth(h->at.x * 0.8, h->at.y * 0.8, 77) - 0.5);
    p.normal.y += wave * (noise_smooth(h->at.x * 0.8, h->at.y * 0.8, 78) - 0.5);
    p.normal = vec_unit(p.normal);
    if (s->polish > 0 && h->normal.z > 0.5) {
        p.mirror = true;
        p.gloss = 1;
        p.rough = DULL_RAD * (1 - s->polish);
    }
    return p;
}

static struct paint paint_limb(const struct limb *l, const struct hit *h)
{
    struct paint p = { l->colour, h->normal, l->cloth ? 0 : 0.35, 0.35, false };
    double fold = noise_layers(h->at.x * 0.9, h->at.y * 0.9 + h->at.z, 3, l->cloth ? 31 : 32);
    p.colour = vec_scale(p.colour, l->cloth ? 0.6 + 0.8 * fold : 0.9 + 0.2 * fold);
    return p;
}

static struct paint paint_solid(const struct solid *o, const struct hit *h)
{
    struct paint p = { solid_colour(o, h), lean(o, h), 0, 0, false };
    look_gloss(&p.gloss, &p.rough, o);
    return p;
}

struct paint paint_at(const struct scene *s, const struct hit *h)
{
    struct paint p = { { 0, 0, 0 }, h->normal, 0, 0.1, false };
    switch (h->part) {
    case PART_NOTHING:
        break;
    case PART_TABLE:
        p = paint_stuff(&s->table, h);
        if (s->ground == GROUND_CARPET)
            p.colour = carpet_colour(s, h->at.x, h->at.y);
        break;
    case PART_SURFACE:
        return paint_surface(s, h);
    case PART_HOLE:
        p = paint_stuff(&s->surface, h);
        p.colour = vec_scale(p.colour, 0.45);
        break;
    case PART_DITCH:
        return paint_stuff(&s->ditch, h);
    case PART_RAIL:
        return paint_stuff(&s->rail_stuff, h);
    case PART_SOLID:
        return paint_solid(&s->solid[h->index], h);
    case PART_LIMB:
        return paint_limb(&s->limb[h->index], h);
    }
    return p;
}
