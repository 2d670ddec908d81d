// SPDX-License-Identifier: MIT
// cylinder_window.h: the pixels around a place where a solid may stand.
#ifndef RINGSIDE_VISION_PIECES_CYLINDER_WINDOW_H
#define RINGSIDE_VISION_PIECES_CYLINDER_WINDOW_H

#include "vision/board/background.h"
#include "vision/board/pegs.h"
#include "vision/frame.h"
#include "vision/pieces/cylinder.h"
#include "vision/tuning.h"
#include "vision/detection.h"

enum { WINDOW_SAMPLES = 1500 };

// What is near and must not be taken for this piece's ground.
struct surroundings {
    const struct board_pose *board; // its lines, pegs, hole and edge say nothing of the ground's colour
    const struct cylinder *neighbour;
    const struct pt_in *neighbour_at;
    int neighbours;
    int self;                    // the one of them that is the piece itself; -1: none
    struct edge_prior edge;      // what all solids of the picture share
    struct cylinder_light light; // in which they stand; all zeros: not known yet
    const struct disc_tuning *tuning;
    const struct pegs *pegs;        // NULL or none: where they stand is not known
    struct cylinder peg;            // each of them
    const struct background *empty; // the empty board, updated by this very frame; NULL: not known
};

struct pixel_sample {
    struct sight sight;
    double colour[3]; // colour.h
    double light[3];  // the same in linear light
    double slope;     // coded steps for one of linear light
    double lit;       // what neighbours leave of the light there
    double grain[3];  // linear light of the empty board there, less that all around; 0: not known
    bool not_ground;  // a line, peg, hole or the ditch: no information unless the piece covers it
};

struct pixel_window {
    int n;
    struct pixel_sample sample[WINDOW_SAMPLES];
};

// Fills the window with about `most` pixels (at most WINDOW_SAMPLES) around *stand, none of them a neighbour's. False
// when too few can be seen.
bool cylinder_window_fill(struct pixel_window *w, const struct frame *f, const struct cylinder_view *stand,
                          const struct surroundings *near, int most);

#endif
