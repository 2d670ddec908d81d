// SPDX-License-Identifier: MIT
#include "samples/scene/trace.h"

static const double NEAR_IN = 1e-6; // a ray does not meet the point that it starts from

static void keep(struct hit *best, const struct ray *r, double far_in, enum part part, struct vec normal, int index)
{
    if (!(far_in > NEAR_IN) || far_in >= best->far_in)
        return;
    *best = (struct hit){ part, far_in, vec_along(r->from, r->along, far_in), normal, index };
}

// Where the ray's shadow on the plane enters and leaves a circle.
static bool cross_circle(double *in, double *out, const struct ray *r, struct vec centre, double radius_in)
{
    double x = r->from.x - centre.x, y = r->from.y - centre.y;
    double a = r->along.x * r->along.x + r->along.y * r->along.y;
    double b = x * r->along.x + y * r->along.y, c = x * x + y * y - radius_in * radius_in;
    double d = b * b - a * c;
    if (d < 0 || a < 1e-14)
        return false;
    *in = (-b - sqrt(d)) / a;
    *out = (-b + sqrt(d)) / a;
    return true;
}

static double height_at(const struct ray *r, double far_in)
{
    return r->from.z + r->along.z * far_in;
}

static double plane_at(const struct ray *r, double z_in)
{
    return r->along.z == 0 ? -1 : (z_in - r->from.z) / r->along.z;
}

// A wall that stands on a circle, between two heights; from outside (in) or from within (out).
static void meet_wall(struct hit *best, const struct ray *r, struct vec centre, double radius_in, double low_in,
                      double high_in, bool within, enum part part, int index)
{
    double in, out;
    if (!cross_circle(&in, &out, r, centre, radius_in))
        return;
    double far_in = within ? out : in, z = height_at(r, far_in);
    if (z < low_in || z > high_in)
        return;
    struct vec p = vec_along(r->from, r->along, far_in);
    double sign = within ? -1 : 1;
    keep(best, r, far_in, part,
         (struct vec){ sign * (p.x - centre.x) / radius_in, sign * (p.y - centre.y) / radius_in, 0 }, index);
}

static void meet_annulus(struct hit *best, const struct ray *r, struct vec centre, double z_in, double inner_in,
                         double outer_in, enum part part, int index)
{
    double far_in = plane_at(r, z_in);
    if (!(far_in > NEAR_IN) || far_in >= best->far_in)
        return;
    double x = r->from.x + r->along.x * far_in - centre.x, y = r->from.y + r->along.y * far_in - centre.y;
    double r2 = x * x + y * y;
    if (r2 >= inner_in * inner_in && r2 < outer_in * outer_in)
        keep(best, r, far_in, part, (struct vec){ 0, 0, 1 }, index);
}

static void meet_sphere(struct hit *best, const struct ray *r, struct vec centre, double radius_in, enum part part,
                        int index)
{
    struct vec to = vec_sub(r->from, centre);
    double b = vec_dot(to, r->along), d = b * b - vec_dot(to, to) + radius_in * radius_in;
    if (d < 0)
        return;
    double far_in = -b - sqrt(d);
    struct vec p = vec_along(r->from, r->along, far_in);
    keep(best, r, far_in, part, vec_scale(vec_sub(p, centre), 1 / radius_in), index);
}

// How far p lies outside a disc with rounded edges, and the direction straight away from it. The disc is all that is
// within edge_in of a smaller, sharp one.
static double rounded_distance(struct vec *away, const struct solid *o, struct vec p)
{
    double half_in = 0.5 * o->height_in, x = p.x - o->at.x, y = p.y - o->at.y, z = p.z - o->at.z - half_in;
    double r = hypot(x, y), wide = fmax(0, r - (o->radius_in - o->edge_in));
    double high = fmax(0, fabs(z) - (half_in - o->edge_in)), far_in = hypot(wide, high);
    if (far_in > 0)
        *away = vec_scale((struct vec){ wide > 0 ? wide * x / r : 0, wide > 0 ? wide * y / r : 0, copysign(high, z) },
                          1 / far_in);
    return far_in - o->edge_in;
}

// The distance from a convex solid is convex along a ray: Newton's steps from outside come to the surface without
// leaping over it, and once the distance no longer falls the ray has passed by.
static void meet_rounded(struct hit *best, const struct ray *r, const struct solid *o, int index)
{
    enum { MOST_STEPS = 64 }; // a ray that just touches only halves its distance with each
    static const double TOUCHING_IN = 1e-9;
    double far_in = fmax(0, fmin(plane_at(r, o->at.z), plane_at(r, o->at.z + o->height_in)));
    for (int i = 0; i < MOST_STEPS && far_in < best->far_in; i++) {
        struct vec away = { 0, 0, 0 }, p = vec_along(r->from, r->along, far_in);
        double gap_in = rounded_distance(&away, o, p), slope = vec_dot(away, r->along);
        if (slope >= 0)
            return;
        if (gap_in < TOUCHING_IN) {
            if (gap_in > -TOUCHING_IN && hypot(p.x - o->at.x, p.y - o->at.y) >= o->hole_in)
                keep(best, r, far_in, PART_SOLID, away, index);
            return;
        }
        far_in -= gap_in / slope;
    }
}

static void meet_solid(struct hit *best, const struct ray *r, const struct solid *o, int index)
{
    double top = o->at.z + o->height_in;
    if (o->shape == SHAPE_MARBLE) {
        meet_sphere(best, r, (struct vec){ o->at.x, o->at.y, o->at.z + o->radius_in }, o->radius_in, PART_SOLID, index);
        return;
    }
    if (o->edge_in > 0) {
        meet_rounded(best, r, o, index);
    } else {
        meet_annulus(best, r, o->at, top, o->hole_in, o->radius_in, PART_SOLID, index);
        meet_wall(best, r, o->at, o->radius_in, o->at.z, top, false, PART_SOLID, index);
    }
    if (o->hole_in > 0)
        meet_wall(best, r, o->at, o->hole_in, o->at.z, top, true, PART_SOLID, index);
}

// A cylinder between two points, then its round ends.
static void meet_limb(struct hit *best, const struct ray *r, const struct limb *l, int index)
{
    struct vec axis = vec_sub(l->b, l->a), to = vec_sub(r->from, l->a);
    double length2 = vec_dot(axis, axis), ad = vec_dot(axis, r->along), at = vec_dot(axis, to);
    double a = length2 - ad * ad, b = length2 * vec_dot(to, r->along) - at * ad;
    double c = length2 * (vec_dot(to, to) - l->radius_in * l->radius_in) - at * at, d = b * b - a * c;
    if (d < 0)
        return;
    if (a > 1e-12) {
        double far_in = (-b - sqrt(d)) / a, share = (at + far_in * ad) / length2;
        if (share > 0 && share < 1) {
            struct vec p = vec_along(r->from, r->along, far_in), foot = vec_along(l->a, axis, share);
            keep(best, r, far_in, PART_LIMB, vec_scale(vec_sub(p, foot), 1 / l->radius_in), index);
            return;
        }
    }
    meet_sphere(best, r, l->a, l->radius_in, PART_LIMB, index);
    meet_sphere(best, r, l->b, l->radius_in, PART_LIMB, index);
}

static void meet_cell(struct hit *best, const struct scene *s, const struct ray *r, double x, double y)
{
    int i = (int)floor(x / s->cell_in) + GRID_SIDE / 2, j = (int)floor(y / s->cell_in) + GRID_SIDE / 2;
    if (i < 0 || j < 0 || i >= GRID_SIDE || j >= GRID_SIDE)
        return;
    for (const int8_t *k = s->grid[j][i]; *k >= 0; k++)
        meet_solid(best, r, &s->solid[*k], *k);
}

// Only the piece of the ray within the slab of the solids can meet one; it is walked in steps of half a cell.
static void meet_solids(struct hit *best, const struct scene *s, const struct ray *r)
{
    double a = plane_at(r, s->high_in), b = plane_at(r, s->low_in - 1e-3);
    double start = fmax(0, fmin(a, b)), end = fmin(best->far_in, fmax(a, b));
    double flat = hypot(r->along.x, r->along.y);
    if (!(end > start))
        return;
    int steps = 1 + (int)((end - start) * flat / (0.5 * s->cell_in));
    for (int i = 0; i <= steps && i < 4 * GRID_SIDE; i++) {
        double far_in = start + (end - start) * i / steps;
        meet_cell(best, s, r, r->from.x + r->along.x * far_in, r->from.y + r->along.y * far_in);
    }
}

// Where the ray's shadow enters and leaves an octagon of that apothem, and the sides there.
static bool cross_octagon(double far_in[2], int side[2], const struct scene *s, const struct ray *r, double apothem_in)
{
    far_in[0] = -1e9;
    far_in[1] = 1e9;
    for (int k = 0; k < 8; k++) {
        struct vec n = s->rail_side[k];
        double gap = apothem_in - n.x * r->from.x - n.y * r->from.y, rate = n.x * r->along.x + n.y * r->along.y;
        if (rate == 0 && gap < 0)
            return false;
        int end = rate > 0;
        if (rate != 0 && (end ? gap / rate < far_in[1] : gap / rate > far_in[0])) {
            far_in[end] = gap / rate;
            side[end] = k;
        }
    }
    return far_in[0] < far_in[1];
}

static void meet_octagon_walls(struct hit *best, const struct scene *s, const struct ray *r)
{
    double far_in[2];
    int side[2] = { 0, 0 };
    if (!cross_octagon(far_in, side, s, r, s->rail_outer_in))
        return;
    double z = height_at(r, far_in[0]);
    if (z > s->table_in && z < s->rail_top_in)
        keep(best, r, far_in[0], PART_RAIL, s->rail_side[side[0]], 0);
    if (!cross_octagon(far_in, side, s, r, s->rail_inner_in))
        return;
    z = height_at(r, far_in[1]);
    if (z > -s->board->ditch_depth_in && z < s->rail_top_in)
        keep(best, r, far_in[1], PART_RAIL, vec_scale(s->rail_side[side[1]], -1), 0);
}

// Distance from the middle in the rail's own measure: its radius, or the apothem of the octagon through the point.
static double rail_radius(const struct scene *s, double x, double y)
{
    if (s->rail != RAIL_OCTAGON)
        return hypot(x, y);
    double most = 0;
    for (int k = 0; k < 8; k++)
        most = fmax(most, s->rail_side[k].x * x + s->rail_side[k].y * y);
    return most;
}

static void meet_rail(struct hit *best, const struct scene *s, const struct ray *r)
{
    struct vec up = { 0, 0, 1 }, middle = { 0, 0, 0 };
    double floor_in = -s->board->ditch_depth_in, far_in = plane_at(r, s->rail_top_in);
    struct vec p = vec_along(r->from, r->along, far_in);
    double radius = far_in > 0 ? rail_radius(s, p.x, p.y) : 0;
    if (radius > s->rail_inner_in && radius < s->rail_outer_in)
        keep(best, r, far_in, PART_RAIL, up, 0);
    if (s->rail == RAIL_OCTAGON) {
        meet_octagon_walls(best, s, r);
    } else {
        meet_wall(best, r, middle, s->rail_outer_in, s->table_in, s->rail_top_in, false, PART_RAIL, 0);
        meet_wall(best, r, middle, s->rail_inner_in, floor_in, s->rail_top_in, true, PART_RAIL, 0);
    }
}

static void meet_board(struct hit *best, const struct scene *s, const struct ray *r)
{
    const struct board *b = s->board;
    struct vec middle = { 0, 0, 0 };
    meet_annulus(best, r, middle, 0, b->hole_radius_in, b->surface_radius_in, PART_SURFACE, 0);
    meet_annulus(best, r, middle, -b->hole_depth_in, 0, b->hole_radius_in, PART_HOLE, 0);
    meet_wall(best, r, middle, b->hole_radius_in, -b->hole_depth_in, 0, true, PART_HOLE, 0);
    meet_wall(best, r, middle, b->surface_radius_in, -b->ditch_depth_in, 0, false, PART_SURFACE, 0);
    double far_in = plane_at(r, -b->ditch_depth_in);
    struct vec p = vec_along(r->from, r->along, far_in);
    if (far_in > 0 && hypot(p.x, p.y) > b->surface_radius_in && rail_radius(s, p.x, p.y) < s->rail_inner_in)
        keep(best, r, far_in, PART_DITCH, (struct vec){ 0, 0, 1 }, 0);
    meet_rail(best, s, r);
}

struct hit trace_first(const struct scene *s, const struct ray *r, double limit_in)
{
    struct hit best = { .part = PART_NOTHING, .far_in = limit_in };
    keep(&best, r, plane_at(r, s->table_in), PART_TABLE, (struct vec){ 0, 0, 1 }, 0);
    if (s->ground == GROUND_BOARD)
        meet_board(&best, s, r);
    meet_solids(&best, s, r);
    for (int i = 0; i < s->limbs; i++)
        meet_limb(&best, r, &s->limb[i], i);
    return best;
}

struct hit trace_solid(const struct scene *s, const struct ray *r, int index)
{
    struct hit best = { .part = PART_NOTHING, .far_in = 1e9 };
    meet_solid(&best, r, &s->solid[index], index);
    return best;
}

bool trace_pixel(struct ray *out, const struct camera *c, struct pt_px at)
{
    double x, y;
    if (!lens_undistort(&x, &y, &c->lens, at))
        return false;
    const double(*R)[3] = c->pose.R;
    struct pt3_in eye = camera_position(c);
    struct vec along = { R[0][0] * x + R[1][0] * y + R[2][0], R[0][1] * x + R[1][1] * y + R[2][1],
                         R[0][2] * x + R[1][2] * y + R[2][2] };
    *out = (struct ray){ { eye.x, eye.y, eye.z }, vec_unit(along) };
    return true;
}
