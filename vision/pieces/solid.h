// SPDX-License-Identifier: MIT
// solid.h: the picture that a disc or ring throws: which part of a pixel shows its top, its side, the ground.
//
// A piece is a cylinder whose edges are rounded: all places within the rounding of a smaller cylinder. A line of sight meets
// it when it comes near enough to that, so height and slant need no extra care. Distances from an outline are counted
// across the line of sight, as the picture is blurred.
#ifndef RINGSIDE_VISION_PIECES_SOLID_H
#define RINGSIDE_VISION_PIECES_SOLID_H

#include "calibration/board.h"
#include "calibration/camera.h"
#include "calibration/units.h"

struct solid {
    enum piece_kind kind;
    double radius_in, height_in;
    double hole_in; // inner radius of a ring
    double base_in; // z of its foot
};

struct solid solid_of_piece(const struct board *b, double base_in);

// What all solids of a picture have in common.
struct solid_look {
    double blur_px;           // sigma of the picture's edges
    double rounding_in;       // radius to which the solids' edges are rounded ...
    double rounding_sigma_in; // ... and how well that is known
};

// A solid standing somewhere, as a camera sees it.
struct solid_stand {
    const struct solid *solid;
    struct pt_in at;
    double radius_in;   // the solid's own, or another one that is tried
    double rounding_in; // radius to which its edges are rounded
    double blur_in;     // sigma of the picture's edges, across the line of sight
    double grow_in;     // by how much outlines seem to lie outside of where they are: bright things look larger
    struct pt3_in eye;  // where the camera is
};

// How far, across the line of sight, it passes outside of the borders of what a solid shows; below 0: inside.
struct solid_borders {
    double outline, top, flat; // of all, of the top up to its rim's steep part, of its flat part
    double hole, through;      // a ring's: of its upper edge, of its lower one
};

// What a pixel may show. Through a ring's hole it shows its wall and, darker than around it, the ground.
enum { SOLID_TOP, SOLID_RIM, SOLID_SIDE, SOLID_WALL, SOLID_FLOOR, SOLID_GROUND, SOLID_PARTS };

// The stand of a solid at a place of the board. False when it cannot be seen.
bool solid_stand_at(struct solid_stand *out, const struct solid *s, struct pt_in at, const struct camera *c,
                    const struct solid_look *look);

// The borders as seen by the pixel whose line of sight meets the foot's plane at `low`.
void solid_borders_at(struct solid_borders *out, const struct solid_stand *s, struct pt_in low);

// Shares of that pixel in a picture of such a blur; they add to 1.
void solid_shares(double share[SOLID_PARTS], const struct solid_stand *s, const struct solid_borders *b,
                  double blur_in);

// The same for a picture of the stand's own blur.
void solid_shares_at(double share[SOLID_PARTS], const struct solid_stand *s, struct pt_in low);

// Share on the near side of a border that lies so far beyond, blurred: the logistic curve closest to a Gaussian's integral.
double solid_covered(double beyond_in, double blur_in);

// How far the line of sight passes from the solid, across the line; below 0 it meets it.
double solid_clearance(const struct solid_stand *s, struct pt_in low);

// Where that line of sight is at a height above the solid's foot.
struct pt_in solid_sight_at(const struct solid_stand *s, struct pt_in low, double up_in);

// Where the line of sight meets the side: outward normal and, from -0.5 to 0.5, how far up.
struct pt3_in solid_side_at(const struct solid_stand *s, struct pt_in low);

#endif
