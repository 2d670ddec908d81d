// SPDX-License-Identifier: MIT
#include "vision/pieces/cylinder.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "vision/min_max.h"

static const double COVER_REACH = 9; // widths of the logistic curve
static const double EDGE_IN = 0.012; // edges are not as round as all that: more of their shape than is modelled
// Where a rounded edge has half the top's light when that falls from above, 60 degrees around: so far in, and so far down.
static const double RIM_STEEP = 1 - 0.86602540378443865, RIM_DOWN = 0.5;

struct cylinder cylinder_of_piece(const struct board *b, double base_in)
{
    return (struct cylinder){ b->piece, b->piece_radius_in, b->piece_height_in, b->piece_hole_radius_in, base_in };
}

double cylinder_cover_reach_in(double blur_in)
{
    return COVER_REACH / EDGE_STEEPNESS * blur_in;
}

bool cylinder_view_at(struct cylinder_view *out, const struct cylinder *s, struct pt_in at, const struct camera *c,
                      const struct edge_prior *edge)
{
    struct pt3_in eye = camera_position(c), foot = { at.x, at.y, s->base_in };
    double scale = camera_scale_px_per_in(c, foot), distance = hypot(hypot(eye.x - at.x, eye.y - at.y), eye.z);
    if (!(scale > 0) || !(eye.z > s->base_in + s->height_in))
        return false;
    double across_px_per_in = scale * sqrt(distance / eye.z);
    *out = (struct cylinder_view){
        s, at, s->radius_in, edge->rounding_in, hypot(edge->blur_px / across_px_per_in, EDGE_IN), 0, eye
    };
    return true;
}

struct sight cylinder_sight(const struct cylinder_view *s, struct pt_in low)
{
    double up = s->eye.z - s->shape->base_in;
    struct pt_in lean = { (s->eye.x - low.x) / up, (s->eye.y - low.y) / up };
    return (struct sight){ low, lean, lean.x * lean.x + lean.y * lean.y };
}

struct pt_in cylinder_sight_at(const struct sight *l, double up_in)
{
    return (struct pt_in){ l->low.x + up_in * l->lean.x, l->low.y + up_in * l->lean.y };
}

// How far the line passes, across itself, from a circle of this radius about the axis; `off` is where the line is at the circle's
// height, from the axis.
static double beyond_circle(const struct sight *l, struct pt_in off, double radius_in)
{
    double d2 = off.x * off.x + off.y * off.y, dot = off.x * l->lean.x + off.y * l->lean.y;
    double across2 = d2 > 0 ? 1 - dot * dot / (d2 * (1 + l->lean2)) : 1;
    return (sqrt(d2) - radius_in) * sqrt(max_f64(across2, 0));
}

static struct pt_in off_at(const struct cylinder_view *s, const struct sight *l, double up_in)
{
    return (struct pt_in){ l->low.x + up_in * l->lean.x - s->at.x, l->low.y + up_in * l->lean.y - s->at.y };
}

// Where the line of sight passes nearest to the axis, within the height of the cylinder that is left within the rounding.
static struct pt_in nearest_off(const struct cylinder_view *s, const struct sight *l)
{
    double r = s->rounding_in, up_in = s->shape->height_in - 2 * r;
    struct pt_in off = off_at(s, l, r);
    double toward = -(off.x * l->lean.x + off.y * l->lean.y); // where that is, times lean2
    double t = l->lean2 > 0 ? clamp_f64(toward / l->lean2, min_f64(up_in, 0), max_f64(up_in, 0)) : 0;
    return (struct pt_in){ off.x + t * l->lean.x, off.y + t * l->lean.y };
}

double cylinder_clearance(const struct cylinder_view *s, const struct sight *l)
{
    return beyond_circle(l, nearest_off(s, l), s->radius_in - s->rounding_in) - s->rounding_in;
}

// exp for -9 <= x <= 9, to 1e-8 of it: a call costs twice as much, and a fit asks for millions. A power of two, and Taylor's
// series of the rest.
static double exponential(double x)
{
    static const double whole_bits = 6755399441055744.0; // 1.5 * 2^52: so large that no fraction is left
    double turns = x * 1.4426950408889634, whole = turns + whole_bits, scale;
    double y = (turns - (whole - whole_bits)) * 0.69314718055994531;
    double rest =
        1 + y * (1 + y * (1.0 / 2 + y * (1.0 / 6 + y * (1.0 / 24 + y * (1.0 / 120 + y * (1.0 / 720 + y / 5040))))));
    uint64_t bits; // the last ones are the whole number
    memcpy(&bits, &whole, sizeof bits);
    bits = (bits + 1023) << 52;
    memcpy(&scale, &bits, sizeof scale);
    return rest * scale;
}

// The share of a pixel that lies on the near side of a border, which it is so far beyond, in a picture of such a blur: as sphere_model.c
// has it, but 0 or 1 where no more than a tenth of a thousandth is left over. Most pixels are there, and cost nothing then.
static double covered_in_reach(double beyond_in, double blur_in)
{
    double x = EDGE_STEEPNESS * beyond_in / blur_in;
    return x > COVER_REACH ? 0 : x < -COVER_REACH ? 1 : 1 / (1 + exponential(x));
}

void cylinder_borders_at(double border[CYLINDER_BORDERS], const struct cylinder_view *s, const struct sight *l)
{
    double r = s->rounding_in, h = s->shape->height_in, steep_in = r * RIM_STEEP, down_in = r * RIM_DOWN;
    struct pt_in off = off_at(s, l, h - down_in);
    bool far_side = off.x * l->lean.x + off.y * l->lean.y <= 0; // there the outline hides where the top ends
    double outline = cylinder_clearance(s, l) - s->grow_in, top = outline;
    if (!far_side)
        top = max_f64(outline, beyond_circle(l, off, s->radius_in - steep_in + s->grow_in));
    border[BORDER_OUTLINE] = outline;
    border[BORDER_TOP] = top;
    border[BORDER_FLAT] = max_f64(top, beyond_circle(l, off_at(s, l, h), s->radius_in - r + s->grow_in));
    border[BORDER_HOLE] = border[BORDER_THROUGH] = INFINITY;
    if (s->shape->hole_in <= 0)
        return;
    double in = s->shape->hole_in + steep_in - s->grow_in; // a line of sight that passes it passes both its edges
    border[BORDER_HOLE] = max_f64(top, beyond_circle(l, off, in));
    border[BORDER_THROUGH] = max_f64(border[BORDER_HOLE], beyond_circle(l, off_at(s, l, down_in), in));
}

// A border with its slopes.
struct sloped {
    double is, by[BORDER_SLOPES];
};

// As beyond_circle; `grows`: of the radius, an inch of growth.
static struct sloped slopes_beyond_circle(const struct sight *l, struct pt_in off, double radius_in, double grows)
{
    double d2 = off.x * off.x + off.y * off.y, dot = off.x * l->lean.x + off.y * l->lean.y;
    if (!(d2 > 0))
        return (struct sloped){ -radius_in, { 0, 0, -grows } };
    double d = sqrt(d2), along = dot / d2, across = sqrt(max_f64(1 - dot * along / (1 + l->lean2), 1e-12));
    double beyond = d - radius_in, turns = beyond * along / (across * (1 + l->lean2));
    return (struct sloped){ beyond * across,
                            { -across * off.x / d + turns * (l->lean.x - along * off.x),
                              -across * off.y / d + turns * (l->lean.y - along * off.y), -across * grows } };
}

static struct sloped farther(struct sloped a, struct sloped b)
{
    return a.is > b.is ? a : b;
}

void cylinder_border_slopes(double slope[CYLINDER_BORDERS][BORDER_SLOPES], const struct cylinder_view *s,
                            const struct sight *l)
{
    double r = s->rounding_in, h = s->shape->height_in, steep_in = r * RIM_STEEP, down_in = r * RIM_DOWN;
    struct pt_in off = off_at(s, l, h - down_in);
    struct sloped border[CYLINDER_BORDERS] = { { 0 } };
    struct sloped outline = slopes_beyond_circle(l, nearest_off(s, l), s->radius_in - r, 0), top;
    outline.is -= r + s->grow_in;
    outline.by[SLOPE_GROW] = -1;
    top = outline;
    if (off.x * l->lean.x + off.y * l->lean.y > 0)
        top = farther(outline, slopes_beyond_circle(l, off, s->radius_in - steep_in + s->grow_in, 1));
    border[BORDER_OUTLINE] = outline;
    border[BORDER_TOP] = top;
    border[BORDER_FLAT] = farther(top, slopes_beyond_circle(l, off_at(s, l, h), s->radius_in - r + s->grow_in, 1));
    if (s->shape->hole_in > 0) {
        double in = s->shape->hole_in + steep_in - s->grow_in;
        border[BORDER_HOLE] = farther(top, slopes_beyond_circle(l, off, in, -1));
        border[BORDER_THROUGH] = farther(border[BORDER_HOLE], slopes_beyond_circle(l, off_at(s, l, down_in), in, -1));
    }
    for (int b = 0; b < CYLINDER_BORDERS; b++)
        for (int k = 0; k < BORDER_SLOPES; k++)
            slope[b][k] = border[b].by[k];
}

void cylinder_covers(double cover[CYLINDER_BORDERS], const double border[CYLINDER_BORDERS], double blur_in)
{
    for (int k = 0; k < CYLINDER_BORDERS; k++)
        cover[k] = covered_in_reach(border[k], blur_in);
}

void cylinder_shares(double share[CYLINDER_PARTS], const double cover[CYLINDER_BORDERS])
{
    share[CYLINDER_TOP] = max_f64(cover[BORDER_FLAT] - cover[BORDER_HOLE], 0);
    share[CYLINDER_RIM] = cover[BORDER_TOP] - cover[BORDER_HOLE] - share[CYLINDER_TOP];
    share[CYLINDER_SIDE] = cover[BORDER_OUTLINE] - cover[BORDER_TOP];
    share[CYLINDER_WALL] = cover[BORDER_HOLE] - cover[BORDER_THROUGH];
    share[CYLINDER_FLOOR] = cover[BORDER_THROUGH];
    share[CYLINDER_GROUND] = 1 - cover[BORDER_OUTLINE];
}

struct pt3_in cylinder_side_at(const struct cylinder_view *s, const struct sight *l)
{
    struct pt_in off = off_at(s, l, 0);
    double b = off.x * l->lean.x + off.y * l->lean.y;
    double c = off.x * off.x + off.y * off.y - s->radius_in * s->radius_in;
    double z = l->lean2 > 0 ? (-b + sqrt(max_f64(b * b - l->lean2 * c, 0))) / l->lean2 : 0;
    z = clamp_f64(z, 0, s->shape->height_in);
    struct pt_in n = off_at(s, l, z);
    double far = max_f64(sqrt(n.x * n.x + n.y * n.y), 1e-9);
    return (struct pt3_in){ n.x / far, n.y / far, z / s->shape->height_in - 0.5 };
}

double cylinder_light_shade(const struct cylinder_light *l, struct pt_in at, struct pt3_in n)
{
    struct pt_in away = cylinder_light_away(l, at);
    double facing = n.z - n.x * away.x - n.y * away.y;
    return (1 - l->far) * (1 + n.z) / 2 + l->far * max_f64(facing, 0);
}

// A long wall hides (1 - cos of its elevation) / 2 of the light of an even sky.
double cylinder_hides_sky(const struct cylinder_view *s, struct pt_in by)
{
    double beyond = max_f64(sqrt(by.x * by.x + by.y * by.y) - s->radius_in, 0), h = s->shape->height_in;
    return (1 - beyond / sqrt(beyond * beyond + h * h)) / 2;
}

static double penumbra_in(const struct cylinder_light *l, const struct cylinder_view *s)
{
    double far_in = l->width * s->shape->height_in;
    return sqrt(s->blur_in * s->blur_in + far_in * far_in);
}

struct cylinder_shadow cylinder_shadow_of(const struct cylinder_light *l, const struct cylinder_view *s)
{
    struct pt_in away = cylinder_light_away(l, s->at);
    double h = s->shape->height_in, dx = away.x * h, dy = away.y * h, d2 = dx * dx + dy * dy;
    return (struct cylinder_shadow){ { dx, dy }, d2 > 0 ? 1 / d2 : 0, s->radius_in, penumbra_in(l, s) };
}

// The shadow is that of all circles from foot to top.
static double shadow_leaves(const struct cylinder_shadow *s, struct pt_in by)
{
    double t = clamp_f64((by.x * s->top.x + by.y * s->top.y) * s->per_length2, 0, 1);
    double x = by.x - t * s->top.x, y = by.y - t * s->top.y;
    return 1 - covered_in_reach(sqrt(x * x + y * y) - s->radius_in, s->penumbra_in);
}

static double left_of_light(double steps_beyond)
{
    return 1 - 1 / (1 + exponential(steps_beyond));
}

// As shadow_leaves, loop by loop with one comparison at most: that is reckoned for several places at once.
void cylinder_shadow_leaves_row(double *restrict leaves, const struct cylinder_shadow *s, const double *restrict x,
                                const double *restrict y, int n)
{
    const double steep = EDGE_STEEPNESS / s->penumbra_in;
    for (int i = 0; i < n; i++)
        leaves[i] = max_f64((x[i] * s->top.x + y[i] * s->top.y) * s->per_length2, 0);
    for (int i = 0; i < n; i++)
        leaves[i] = min_f64(leaves[i], 1);
    for (int i = 0; i < n; i++) {
        double off_x = x[i] - leaves[i] * s->top.x, off_y = y[i] - leaves[i] * s->top.y;
        leaves[i] = off_x * off_x + off_y * off_y;
    }
    for (int i = 0; i < n; i++)
        leaves[i] = sqrt(leaves[i]);
    for (int i = 0; i < n; i++)
        leaves[i] = max_f64((leaves[i] - s->radius_in) * steep, -COVER_REACH);
    for (int i = 0; i < n; i++)
        leaves[i] = min_f64(leaves[i], COVER_REACH);
    for (int i = 0; i < n; i++)
        leaves[i] = left_of_light(leaves[i]);
    const double least = left_of_light(-COVER_REACH), most = left_of_light(COVER_REACH);
    for (int i = 0; i < n; i++)
        leaves[i] = leaves[i] > least ? leaves[i] : 0;
    for (int i = 0; i < n; i++)
        leaves[i] = leaves[i] < most ? leaves[i] : 1;
}

double cylinder_light_by_shadow(const struct cylinder_light *l, const struct cylinder_view *s,
                                const struct cylinder_shadow *shadow, struct pt_in low)
{
    struct pt_in by = { low.x - s->at.x, low.y - s->at.y };
    double hidden = l->far > 0 ? l->hidden : CYLINDER_USUAL_HIDDEN, sky = 1 - hidden * cylinder_hides_sky(s, by);
    return (1 - l->far) * sky + (l->far > 0 ? l->far * shadow_leaves(shadow, by) : 0);
}

double cylinder_light_in_hole(const struct cylinder_light *l, const struct cylinder_view *s, struct pt_in low)
{
    struct pt_in away = cylinder_light_away(l, s->at);
    double h = s->shape->height_in, x = low.x - s->at.x - away.x * h, y = low.y - s->at.y - away.y * h;
    return 1 - l->far * covered_in_reach(s->shape->hole_in - sqrt(x * x + y * y), penumbra_in(l, s));
}
