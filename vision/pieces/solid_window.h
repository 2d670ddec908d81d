// SPDX-License-Identifier: MIT
// solid_window.h: the pixels around a place where a solid may stand.
#ifndef RINGSIDE_VISION_PIECES_SOLID_WINDOW_H
#define RINGSIDE_VISION_PIECES_SOLID_WINDOW_H

#include "vision/frame.h"
#include "vision/pieces/solid.h"
#include "vision/pieces/solid_light.h"
#include "vision/detection.h"

enum { SOLID_SAMPLES = 1500 };

// What else is near and must not be taken for this piece's ground.
struct surroundings {
    const struct board_pose *board; // its lines, pegs, hole and edge say nothing of the ground's colour
    const struct solid *neighbour;
    const struct pt_in *neighbour_at;
    int neighbours;
    int self;                 // the one of them that is the piece itself; -1: none
    struct solid_look look;   // what all solids of the picture share
    struct solid_light light; // that they stand in; all zeros: not known yet
};

struct sample {
    struct pt_in low; // where its line of sight meets the plane of the foot
    double colour[3]; // colour.h
    double light[3];  // the same in linear light
    double slope;     // coded steps for one of linear light
    double lit;       // what neighbours leave of the light there
    bool not_ground;  // a line, peg, hole or the ditch: tells nothing unless the piece covers it
};

struct window {
    int n;
    struct sample sample[SOLID_SAMPLES];
};

// Fills the window with about `most` pixels (at most SOLID_SAMPLES) around *stand, none of them a neighbour's. False when
// too few can be seen.
bool solid_window_fill(struct window *w, const struct frame *f, const struct solid_stand *stand,
                       const struct surroundings *near, int most);

#endif
