// SPDX-License-Identifier: MIT
// scene.h: what stands before the camera: board or carpet, pieces, hand, light; and what the sensor does to it.
//
// Lengths in inches in the board's frame, colours in linear light (0 black .. 1 white paper). Plain values: copy them.
#ifndef RINGSIDE_SAMPLES_SCENE_SCENE_H
#define RINGSIDE_SAMPLES_SCENE_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include "calibration/board.h"
#include "calibration/camera.h"
#include "samples/scene/vec.h"

enum { SCENE_SOLIDS = 48, SCENE_LIMBS = 20, SCENE_PEGS = 8, GRID_SIDE = 96, GRID_DEPTH = 10 };

enum weave { PLAIN, WOOD, PLANKS, CHECKED, LINEN, STONE, CARPET };

// A painted, grown or woven stuff.
struct stuff {
    enum weave weave;
    struct vec light, dark; // the two colours it is made of
    double grain_in;        // width of its features: rings of wood, squares of cloth, loops of a carpet
    double angle_rad;       // direction of grain or threads
    double gloss;           // 0 matt .. 1 fresh varnish
    uint32_t seed;
};

enum solid_shape { SHAPE_DISC, SHAPE_RING, SHAPE_MARBLE, SHAPE_PEG };

enum look {
    LOOK_WOOD,
    LOOK_PLAIN,
    LOOK_SWIRL,
    LOOK_GLASS,
    LOOK_CLOCK,
    LOOK_PLATE,
    LOOK_TARGET,
    // the variable ones, which nothing.h lays out
    LOOK_DIAL,
    LOOK_DISH,
    LOOK_COVER,
    LOOK_ZONES,
    LOOK_DARTS,
    LOOK_RUG,
    LOOK_PATTERN,
    LOOK_TABLETOP,
    LOOK_RECORD,
    LOOK_WHEEL,
    LOOK_SPIRAL,
    LOOK_COIN,
    LOOK_GRATE,
    LOOK_COURT,
    LOOK_SHEET,
    LOOK_KNOTS,
    LOOK_HOB,
    LOOK_LID,
};

struct solid {
    enum solid_shape shape;
    enum look look;
    struct vec at;               // foot: centre of the base, lowest point of a marble
    double radius_in, height_in; // of a marble: height is twice the radius
    double hole_in;              // inner radius of a ring
    double edge_in;              // radius of a disc's or ring's rounded outer edges, at most half its height; 0: sharp
    struct vec colour, second;   // second: swirl, numerals
    char name[16];               // of the colour
    bool taw;
    uint32_t seed;
};

// Part of a hand or an arm: a rod with round ends.
struct limb {
    struct vec a, b;
    double radius_in;
    struct vec colour;
    bool cloth;
};

enum ground { GROUND_BOARD, GROUND_CARPET, GROUND_TABLE };

enum rail { RAIL_ROUND, RAIL_OCTAGON, RAIL_NONE };

struct lamp {
    struct vec at;     // place, inches
    double radius_in;  // its size decides how soft the shadows are
    struct vec colour; // light on a surface that faces it at the board's centre
};

struct sensor {
    double exposure;    // factor on the light
    struct vec balance; // error of the white balance
    double vignette;    // loss of light in the corners, 0 .. 1
    double noise;       // sigma at mid grey, share of full scale
    double blur_px;     // sigma of defocus
    int samples;        // rays a pixel and side: 3 means 9 rays
    int quality;        // JPEG
};

struct scene {
    enum ground ground;
    struct camera camera;
    const struct board *board; // NULL on a bare table or carpet
    double line_width_in;
    struct vec line_colour;
    double quadrant_rad; // first quadrant line; pegs stand 22.5 degrees off
    enum rail rail;
    double rail_inner_in, rail_outer_in, rail_top_in; // radii (apothems of an octagon) and height above the surface
    double rail_turn_rad;
    struct vec rail_side[8]; // normals of an octagon's sides, made by scene_index
    double table_in;         // height of the table, below 0
    double peg_radius_in, peg_height_in;
    struct vec peg_colour;
    struct stuff surface, ditch, rail_stuff, table;
    double polish; // of the surface: 0 mirrors lamps and sky alone; above it what stands there too, at 1 unblurred
    struct lamp key;
    struct lamp second; // colour 0 when there is none
    struct vec sky;     // light from everywhere
    struct sensor sensor;
    int solids;
    struct solid solid[SCENE_SOLIDS]; // pieces first, then pegs
    int pieces;                       // how many of the solids are pieces
    int limbs;
    struct limb limb[SCENE_LIMBS];
    double low_in, high_in; // the slab in which all solids stand, made by scene_index
    double cell_in;
    int8_t grid[GRID_SIDE][GRID_SIDE][GRID_DEPTH]; // solids near a cell, ended by -1
};

// Must be called after solids were moved, before rays are cast.
void scene_index(struct scene *s);

// Puts the pegs of the board after the pieces. Called once, when all pieces are there.
void scene_add_pegs(struct scene *s);

// A hand with its arm; `reach` is the finger tips' place, `from_rad` the side it comes from, seen from above.
void scene_add_hand(struct scene *s, struct vec reach, double from_rad, struct vec skin, struct vec sleeve);

// A camera at `distance_in` from the board's centre, `tilt_rad` off the vertical towards `azimuth_rad`.
struct view {
    int width, height;
    double f_px, k1, k2;
    double distance_in, tilt_rad, azimuth_rad, roll_rad;
    struct pt_in aim;        // the point that the optical axis meets
    struct pt_px off_centre; // principal point less the middle of the picture
};
struct camera scene_camera(const struct view *v);

#endif
