// SPDX-License-Identifier: MIT
#include "samples/scene/shade.h"

#include "samples/scene/paint.h"

static const double FAR_IN = 2000;
static const double SKY_REACH_IN = 7;    // what is further off takes no light of the sky away
static const double GLASS_SHADOW = 0.45; // share of the light that a glass marble lets through
static const double GLASS_INDEX = 1.5;

// Share of the light that arrives from `to`.
static double open_way(const struct scene *s, struct vec from, struct vec along, double limit_in)
{
    struct ray r = { from, along };
    struct hit h = trace_first(s, &r, limit_in);
    if (h.part == PART_NOTHING)
        return 1;
    return h.part == PART_SOLID && s->solid[h.index].look == LOOK_GLASS ? GLASS_SHADOW : 0;
}

static struct vec by_chance(struct chance *c)
{
    double z = chance_between(c, -1, 1), turn = chance_between(c, 0, 2 * PI), flat = sqrt(1 - z * z);
    return (struct vec){ flat * cos(turn), flat * sin(turn), z };
}

static struct vec lamp_light(const struct scene *s, const struct lamp *l, struct vec at, struct vec normal,
                             struct chance *c)
{
    if (l->colour.x + l->colour.y + l->colour.z <= 0)
        return (struct vec){ 0, 0, 0 };
    struct vec to = vec_sub(vec_along(l->at, by_chance(c), l->radius_in), at);
    double far_in = vec_length(to), usual = vec_length(l->at);
    struct vec along = vec_scale(to, 1 / far_in);
    double facing = vec_dot(normal, along);
    if (facing <= 0)
        return (struct vec){ 0, 0, 0 };
    double share = facing * (usual * usual) / (far_in * far_in) * open_way(s, at, along, far_in);
    return vec_scale(l->colour, share);
}

static struct vec sky_light(const struct scene *s, struct vec at, struct vec normal, struct chance *c)
{
    struct vec along = vec_add(normal, vec_scale(by_chance(c), 0.999));
    along = vec_unit(along);
    double open = along.z < 0 ? 0.25 : open_way(s, at, along, SKY_REACH_IN);
    return vec_scale(s->sky, 0.3 + 0.7 * open);
}

// What a mirror would show in that direction: the room, and the lamps as soft spots.
static struct vec room(const struct scene *s, struct vec from, struct vec along, double rough)
{
    struct vec light = vec_scale(s->sky, 0.5 + 0.5 * fmax(0, along.z));
    const struct lamp *lamps[2] = { &s->key, &s->second };
    for (int i = 0; i < 2; i++) {
        struct vec to = vec_sub(lamps[i]->at, from);
        double far_in = vec_length(to), size = lamps[i]->radius_in / far_in;
        double off = vec_dot(to, along) / far_in, spread = size * size + rough * rough;
        double lobe = exp(-(1 - off) * 2 / spread) / (spread * 40);
        light = vec_add(light, vec_scale(lamps[i]->colour, fmin(lobe, 30)));
    }
    return light;
}

static double fresnel(double facing)
{
    double f = 1 - fmin(1, fmax(0, facing));
    return 0.04 + 0.96 * f * f * f * f * f;
}

static struct vec mirror(struct vec along, struct vec normal)
{
    return vec_along(along, normal, -2 * vec_dot(along, normal));
}

static struct vec off_surface(const struct hit *h)
{
    return vec_along(h->at, h->normal, 1e-4);
}

static struct vec matt_light(const struct scene *s, const struct hit *h, const struct paint *p, struct chance *c)
{
    struct vec at = off_surface(h);
    struct vec light = vec_add(lamp_light(s, &s->key, at, p->normal, c), sky_light(s, at, h->normal, c));
    light = vec_add(light, lamp_light(s, &s->second, at, p->normal, c));
    return vec_times(light, p->colour);
}

// A lean of the mirror by chance, so that several rays blur what stands in it the more the higher that is. Lamps and
// sky come smooth from the room; what is met mirrors nothing in its turn.
static struct vec mirror_image(const struct scene *s, const struct ray *r, const struct hit *h, const struct paint *p,
                               struct chance *c)
{
    double lean = p->rough / 2; // the reflection turns by twice as much
    struct vec slope = { lean * chance_normal(c), lean * chance_normal(c), 0 };
    struct ray on = { off_surface(h), mirror(r->along, vec_unit(vec_add(p->normal, slope))) };
    on.along.z = fabs(on.along.z); // what one ripple throws into the wood the next one throws out of it
    struct hit seen = trace_first(s, &on, FAR_IN);
    if (seen.part == PART_NOTHING)
        return room(s, on.from, mirror(r->along, p->normal), p->rough);
    struct paint of = paint_at(s, &seen);
    return matt_light(s, &seen, &of, c);
}

static struct vec shade_paint(const struct scene *s, const struct ray *r, const struct hit *h, const struct paint *p,
                              struct chance *c)
{
    struct vec out = matt_light(s, h, p, c);
    if (p->gloss <= 0)
        return out;
    double share = p->gloss * fresnel(-vec_dot(r->along, p->normal));
    struct vec mirrored =
        p->mirror ? mirror_image(s, r, h, p, c) : room(s, off_surface(h), mirror(r->along, p->normal), p->rough);
    return vec_add(out, vec_scale(mirrored, share));
}

static struct vec bend(struct vec along, struct vec normal, double ratio)
{
    double facing = -vec_dot(along, normal), k = 1 - ratio * ratio * (1 - facing * facing);
    return k < 0 ? mirror(along, normal)
                 : vec_unit(vec_along(vec_scale(along, ratio), normal, ratio * facing - sqrt(k)));
}

// Through the ball: bent going in and coming out, then whatever lies there, tinted by the way through the glass.
static struct vec shade_glass(const struct scene *s, const struct ray *r, const struct hit *h)
{
    const struct solid *o = &s->solid[h->index];
    struct vec centre = { o->at.x, o->at.y, o->at.z + o->radius_in };
    struct vec inner = bend(r->along, h->normal, 1 / GLASS_INDEX);
    double through = -2 * vec_dot(vec_sub(h->at, centre), inner);
    struct vec leave = vec_along(h->at, inner, through), n = vec_scale(vec_sub(leave, centre), -1 / o->radius_in);
    struct ray on = { vec_along(leave, n, -1e-4), bend(inner, n, GLASS_INDEX) };
    struct hit behind = trace_first(s, &on, FAR_IN);
    struct vec light = s->sky;
    if (behind.part != PART_NOTHING && !(behind.part == PART_SOLID && s->solid[behind.index].look == LOOK_GLASS)) {
        struct paint p = paint_at(s, &behind);
        light = vec_times(p.colour, vec_add(vec_scale(s->sky, 0.6), vec_scale(s->key.colour, 0.55)));
    }
    double depth = through / (2 * o->radius_in);
    struct vec tint = vec_mix((struct vec){ 1, 1, 1 }, o->colour, 0.6 + 0.35 * depth);
    // The ribbon inside, seen where the ray passes near the middle.
    struct vec middle = vec_along(h->at, inner, through / 2), off = vec_sub(middle, centre);
    double ribbon = ramp(0.35, 0.15, fabs(off.x * cos(o->seed) + off.y * sin(o->seed)) / o->radius_in);
    light =
        vec_mix(vec_times(light, tint), vec_scale(o->second, 0.8 * (s->sky.x + 0.5 * s->key.colour.x)), 0.7 * ribbon);
    struct vec back = mirror(r->along, h->normal);
    return vec_add(light, vec_scale(room(s, h->at, back, 0.05), fresnel(-vec_dot(r->along, h->normal))));
}

struct vec shade_ray(const struct scene *s, const struct ray *r, struct chance *c)
{
    struct hit h = trace_first(s, r, FAR_IN);
    if (h.part == PART_NOTHING)
        return s->sky;
    if (h.part == PART_SOLID && s->solid[h.index].look == LOOK_GLASS)
        return shade_glass(s, r, &h);
    struct paint p = paint_at(s, &h);
    return shade_paint(s, r, &h, &p, c);
}
