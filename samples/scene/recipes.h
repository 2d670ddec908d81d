// SPDX-License-Identifier: MIT
// recipes.h: the pictures of samples/ as a table: which board, whose pieces, under which light, through which camera.
#ifndef RINGSIDE_SAMPLES_SCENE_RECIPES_H
#define RINGSIDE_SAMPLES_SCENE_RECIPES_H

#include "samples/scene/noise.h"
#include "samples/scene/scene.h"

enum game { PLAY_CROKINOLE, PLAY_RINGS, PLAY_MARBLES, PLAY_NONE };

enum layout {
    LAYOUT_PLAY,
    LAYOUT_NEAR_MISS, // as it, one leaning out over the empty hole
    LAYOUT_X,
    LAYOUT_SPREAD,
    LAYOUT_LINE,
    LAYOUT_CLOCK,
    LAYOUT_PLATES,
    LAYOUT_TARGETS,
    LAYOUT_BARE
};

struct recipe {
    const char *name;
    uint64_t seed;
    enum game game;
    int width, height;
    double tilt_deg, azimuth_deg;
    double fill;     // share of the picture's height that the board takes, about
    double f_widths; // focal length in picture widths
    double k1;
    const char *surface, *ditch, *rail_stuff, *table, *line; // names of stuffs and colours
    enum rail rail;
    const char *light;
    const char *sides[2]; // colours of the pieces
    enum layout layout;
    int pieces; // of each side; targets for marbles
    bool hand;
    const char *sleeve; // colour of the hand's sleeve; NULL: blue
    int tips;       // sleeves' ends, straps and fingers, as narrow as a piece and of the sides' colours, that reach in
    double edge_in; // radius of the pieces' rounded edges; 0: sharp, and their bevels only painted
    double polish;  // of the board's surface, as in struct scene
};

extern const struct recipe recipes[];
extern const int recipes_count;

// The scene of a recipe, ready for rays.
void recipe_scene(struct scene *out, const struct recipe *r);

// The parts of it that clips need too: everything but the pieces.
void recipe_stage(struct scene *out, const struct recipe *r, struct chance *c);

// A piece of that colour, standing at (x, y, z); marbles take their look from `style`.
struct solid recipe_piece(const struct scene *s, const char *colour, struct vec at, bool taw, struct chance *c);

// A named colour or stuff; ends the program for an unknown name.
struct vec palette_colour(const char *name);
struct stuff palette_stuff(const char *name);
void palette_light(struct scene *s, const char *name);

#endif
