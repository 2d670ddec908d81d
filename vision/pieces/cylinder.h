// SPDX-License-Identifier: MIT
// cylinder.h: the picture that a disc or ring throws: which part of a pixel shows its top, its side, the ground.
//
// A piece is a cylinder whose edges are rounded: all places within the rounding of a smaller cylinder. A line of sight
// meets it when it comes near enough to that, so height and slant need no extra care. Distances from an outline are
// counted across the line of sight, as the picture is blurred.
#ifndef RINGSIDE_VISION_PIECES_CYLINDER_H
#define RINGSIDE_VISION_PIECES_CYLINDER_H

#include "calibration/board.h"
#include "calibration/camera.h"
#include "calibration/units.h"

struct cylinder {
    enum piece_kind kind;
    double radius_in, height_in;
    double hole_in; // inner radius of a ring
    double base_in; // z of its foot
};

struct cylinder cylinder_of_piece(const struct board *b, double base_in);

// One lamp and an even sky. The lamp moves the shadow of what is z above the board by z times a vector, which a lamp
// that hangs near turns and lengthens from place to place; the penumbra is as wide as the lamp is seen from the board.
// The sky is partly hidden beside a solid.
struct cylinder_light {
    struct pt_in away; // inches that a shadow moves for each inch of height, in the middle of the board
    double far;        // 0..1: the far light's share of what falls on the board; 0: no far light is known, all is sky
    double width;      // sigma of the penumbra, in inches for each inch of height
    double hidden;     // 0..1: of the sky behind a solid's side what is dark beside it; the rest the solid sends back
    double near_by;    // 1 / inches: of the lamp's height; 0: the sun's
};

// The same vector for what stands somewhere else.
static inline struct pt_in cylinder_light_away(const struct cylinder_light *l, struct pt_in at)
{
    return (struct pt_in){ l->away.x + l->near_by * at.x, l->away.y + l->near_by * at.y };
}

// What all solids of a picture have in common.
struct edge_prior {
    double blur_px;           // sigma of the picture's edges
    double rounding_in;       // radius to which the solids' edges are rounded ...
    double rounding_sigma_in; // ... and how well that is known
};

// A solid standing somewhere, as a camera sees it.
struct cylinder_view {
    const struct cylinder *shape;
    struct pt_in at;
    double radius_in;   // the solid's own, or another one that is tried
    double rounding_in; // radius to which its edges are rounded
    double blur_in;     // sigma of the picture's edges, across the line of sight
    double grow_in;     // by how much outlines seem to lie outside of where they are: bright things look larger
    struct pt3_in eye;  // where the camera is
};

// Borders of what a solid shows: of all of it, of the top up to its rim's steep part, of its flat part; a ring's hole
// at its upper edge and at its lower one. A line of sight passes each so far outside, across itself; below 0: inside.
enum { BORDER_OUTLINE, BORDER_TOP, BORDER_FLAT, BORDER_HOLE, BORDER_THROUGH, CYLINDER_BORDERS };

// What a pixel may show. Through a ring's hole it shows its wall and, darker than around it, the ground.
enum { CYLINDER_TOP, CYLINDER_RIM, CYLINDER_SIDE, CYLINDER_WALL, CYLINDER_FLOOR, CYLINDER_GROUND, CYLINDER_PARTS };

// A solid at a place of the board, as the camera sees it. False when it cannot be seen.
bool cylinder_view_at(struct cylinder_view *out, const struct cylinder *s, struct pt_in at, const struct camera *c,
                      const struct edge_prior *edge);

// A pixel's line of sight.
struct sight {
    struct pt_in low;  // where it meets the plane of the foot
    struct pt_in lean; // how far it moves towards the camera on each inch that it rises
    double lean2;      // square of the lean's length
};

// A blurred step is taken for the logistic curve that is closest to a Gaussian's integral.
static const double EDGE_STEEPNESS = 1.702;

struct sight cylinder_sight(const struct cylinder_view *s, struct pt_in low);

// Where the line of sight is at a height above the plane of the foot.
struct pt_in cylinder_sight_at(const struct sight *l, double up_in);

// The borders as seen by a pixel; a solid without a hole has those of one infinitely far.
void cylinder_borders_at(double border[CYLINDER_BORDERS], const struct cylinder_view *s, const struct sight *l);

// How far each border moves outward, an inch of x, of y and of growth: the slopes of cylinder_borders_at.
enum { SLOPE_X, SLOPE_Y, SLOPE_GROW, BORDER_SLOPES };
void cylinder_border_slopes(double slope[CYLINDER_BORDERS][BORDER_SLOPES], const struct cylinder_view *s,
                            const struct sight *l);

// From so far beyond a border a pixel of a picture with such a blur shows nothing of what lies within it.
double cylinder_cover_reach_in(double blur_in);

// How much of that pixel lies on the near side of each border in a picture of such a blur.
void cylinder_covers(double cover[CYLINDER_BORDERS], const double border[CYLINDER_BORDERS], double blur_in);

// Its shares of what the solid shows; they add to 1.
void cylinder_shares(double share[CYLINDER_PARTS], const double cover[CYLINDER_BORDERS]);

// How far the line of sight passes from the solid, across the line; below 0 it meets it.
double cylinder_clearance(const struct cylinder_view *s, const struct sight *l);

// Where the line of sight meets the side: outward normal and, from -0.5 to 0.5, how far up.
struct pt3_in cylinder_side_at(const struct cylinder_view *s, const struct sight *l);

// Light on a face of what stands at a place, with this outward normal; 1 on one that looks up.
double cylinder_light_shade(const struct cylinder_light *l, struct pt_in at, struct pt3_in normal);

// Light at a place of the foot's plane that is seen through the solid's hole; 1 where nothing is near.
double cylinder_light_in_hole(const struct cylinder_light *l, const struct cylinder_view *s, struct pt_in low);

// The share of an even sky's light that comes from behind the solid's side, at a place counted from the axis.
double cylinder_hides_sky(const struct cylinder_view *s, struct pt_in by);

// What of a shadow is the same at all places.
struct cylinder_shadow {
    struct pt_in top;   // where that of the top lies, from the axis
    double per_length2; // 1 / its distance^2; 0: it lies under the top
    double radius_in, penumbra_in;
};

struct cylinder_shadow cylinder_shadow_of(const struct cylinder_light *l, const struct cylinder_view *s);
// The share of the far light that it leaves at n places, counted from the axis, of which x and y lie in rows.
void cylinder_shadow_leaves_row(double *leaves, const struct cylinder_shadow *s, const double *x, const double *y,
                                int n);

// Light at a place of the foot's plane beside the solid with this shadow; 1 where nothing is near.
double cylinder_light_by_shadow(const struct cylinder_light *l, const struct cylinder_view *s,
                                const struct cylinder_shadow *shadow, struct pt_in low);

// Of what a wall as high hides of the sky, what is dark beside a solid while nothing is known of the light: the solid
// is round, and sends back some light. Pale ones in a white room do more.
static const double CYLINDER_USUAL_HIDDEN = 0.7;

#endif
