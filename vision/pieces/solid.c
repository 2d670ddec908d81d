// SPDX-License-Identifier: MIT
#include "vision/pieces/solid.h"

#include <math.h>

static const double EDGE_IN = 0.012;  // edges are not as round as all that: what of their shape no picture is told of
static const double RIM_RAD = PI / 3; // where a rounded edge has half the top's light when that falls from above

struct solid solid_of_piece(const struct board *b, double base_in)
{
    return (struct solid){ b->piece, b->piece_radius_in, b->piece_height_in, b->piece_hole_radius_in, base_in };
}

bool solid_stand_at(struct solid_stand *out, const struct solid *s, struct pt_in at, const struct camera *c,
                    const struct solid_look *look)
{
    struct pt3_in eye = camera_position(c), foot = { at.x, at.y, s->base_in };
    double scale = camera_scale_px_per_in(c, foot), distance = hypot(hypot(eye.x - at.x, eye.y - at.y), eye.z);
    if (!(scale > 0) || !(eye.z > s->base_in + s->height_in))
        return false;
    double across_px_per_in = scale * sqrt(distance / eye.z);
    *out =
        (struct solid_stand){ s, at, s->radius_in, look->rounding_in, hypot(look->blur_px / across_px_per_in, EDGE_IN),
                              0, eye };
    return true;
}

// How far the line of sight moves towards the camera on each inch that it rises.
static struct pt_in lean_of(const struct solid_stand *s, struct pt_in low)
{
    double up = s->eye.z - s->solid->base_in;
    return (struct pt_in){ (s->eye.x - low.x) / up, (s->eye.y - low.y) / up };
}

static double length(struct pt_in p)
{
    return sqrt(p.x * p.x + p.y * p.y);
}

static struct pt_in at_height(struct pt_in low, struct pt_in lean, double up_in)
{
    return (struct pt_in){ low.x + up_in * lean.x, low.y + up_in * lean.y };
}

struct pt_in solid_sight_at(const struct solid_stand *s, struct pt_in low, double up_in)
{
    return at_height(low, lean_of(s, low), up_in);
}

// What a horizontal distance `off` is worth across a line that leans so.
static double across(struct pt_in off, struct pt_in lean)
{
    double d2 = off.x * off.x + off.y * off.y, dot = off.x * lean.x + off.y * lean.y;
    double steep = 1 + lean.x * lean.x + lean.y * lean.y;
    return d2 > 0 ? sqrt(fmax(1 - dot * dot / (d2 * steep), 0)) : 1;
}

// From the solid's axis, between two heights, to the line of sight.
static struct pt_in nearest_off(const struct solid_stand *s, struct pt_in low, struct pt_in lean, double z0, double z1)
{
    struct pt_in a = at_height(low, lean, z0);
    double dx = (z1 - z0) * lean.x, dy = (z1 - z0) * lean.y, length2 = dx * dx + dy * dy;
    double t = length2 > 0 ? ((s->at.x - a.x) * dx + (s->at.y - a.y) * dy) / length2 : 0;
    t = fmax(0, fmin(1, t));
    return (struct pt_in){ a.x + t * dx - s->at.x, a.y + t * dy - s->at.y };
}

static double clearance(const struct solid_stand *s, struct pt_in low, struct pt_in lean)
{
    double r = s->rounding_in;
    struct pt_in off = nearest_off(s, low, lean, r, s->solid->height_in - r);
    return (length(off) - s->radius_in + r) * across(off, lean) - r;
}

double solid_clearance(const struct solid_stand *s, struct pt_in low)
{
    return clearance(s, low, lean_of(s, low));
}

double solid_covered(double beyond_in, double blur_in)
{
    double x = 1.702 * beyond_in / blur_in;
    return x > 20 ? 0 : x < -20 ? 1 : 1 / (1 + exp(x));
}

// Beyond a circle about the solid's axis, seen at a height above its foot.
static double beyond_circle(const struct solid_stand *s, struct pt_in low, struct pt_in lean, double up_in,
                            double radius_in)
{
    struct pt_in p = at_height(low, lean, up_in), off = { p.x - s->at.x, p.y - s->at.y };
    return (length(off) - radius_in) * across(off, lean);
}

void solid_borders_at(struct solid_borders *out, const struct solid_stand *s, struct pt_in low)
{
    struct pt_in lean = lean_of(s, low);
    double r = s->rounding_in, h = s->solid->height_in, steep_in = r * (1 - sin(RIM_RAD)),
           down = r * (1 - cos(RIM_RAD));
    out->outline = clearance(s, low, lean) - s->grow_in;
    struct pt_in p = at_height(low, lean, h - down);
    bool far_side =
        (p.x - s->at.x) * lean.x + (p.y - s->at.y) * lean.y <= 0; // there the outline hides where the top ends
    double top = far_side ? out->outline : beyond_circle(s, low, lean, h - down, s->radius_in - steep_in + s->grow_in);
    out->top = fmax(out->outline, top);
    out->flat = fmax(out->top, beyond_circle(s, low, lean, h, s->radius_in - r + s->grow_in));
    out->hole = out->through = INFINITY;
    if (s->solid->hole_in <= 0)
        return;
    double in = s->solid->hole_in + steep_in - s->grow_in; // a line of sight that passes it passes both its edges
    out->hole = fmax(out->top, beyond_circle(s, low, lean, h - down, in));
    out->through = fmax(out->hole, beyond_circle(s, low, lean, down, in));
}

void solid_shares(double share[SOLID_PARTS], const struct solid_stand *s, const struct solid_borders *b, double blur_in)
{
    double all = solid_covered(b->outline, blur_in), top = solid_covered(b->top, blur_in),
           flat = solid_covered(b->flat, blur_in);
    double hole = 0, through = 0;
    if (s->solid->hole_in > 0) {
        hole = solid_covered(b->hole, blur_in);
        through = solid_covered(b->through, blur_in);
    }
    share[SOLID_TOP] = fmax(flat - hole, 0);
    share[SOLID_RIM] = top - hole - share[SOLID_TOP];
    share[SOLID_SIDE] = all - top;
    share[SOLID_WALL] = hole - through;
    share[SOLID_FLOOR] = through;
    share[SOLID_GROUND] = 1 - all;
}

void solid_shares_at(double share[SOLID_PARTS], const struct solid_stand *s, struct pt_in low)
{
    struct solid_borders borders;
    solid_borders_at(&borders, s, low);
    solid_shares(share, s, &borders, s->blur_in);
}

struct pt3_in solid_side_at(const struct solid_stand *s, struct pt_in low)
{
    struct pt_in lean = lean_of(s, low), off = { low.x - s->at.x, low.y - s->at.y };
    double a = lean.x * lean.x + lean.y * lean.y, b = off.x * lean.x + off.y * lean.y;
    double c = off.x * off.x + off.y * off.y - s->radius_in * s->radius_in;
    double z = a > 0 ? (-b + sqrt(fmax(b * b - a * c, 0))) / a : 0;
    z = fmax(0, fmin(s->solid->height_in, z));
    struct pt_in n = { off.x + z * lean.x, off.y + z * lean.y };
    double far = fmax(length(n), 1e-9);
    return (struct pt3_in){ n.x / far, n.y / far, z / s->solid->height_in - 0.5 };
}
