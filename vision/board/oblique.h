// SPDX-License-Identifier: MIT
// oblique.h: boards of circles seen from the side of a table: coarse poses found by their lines, edge and pegs.
//
// From 45 degrees off the vertical on, circles are narrow ellipses, lines are grooves of a pixel, and people stand
// all around: votes for centres drown. Instead whole boards are laid over maps of oriented responses (oriented.h):
// template matching in the manner of chamfer matching, over scale, slant and roll, all places at once; the best go on
// with every number of the pose free (pattern search), on blurred maps first and then on sharp ones. What is found is
// good to a pixel or two, for line_refine.h to fit the painted lines.
#ifndef RINGSIDE_VISION_BOARD_OBLIQUE_H
#define RINGSIDE_VISION_BOARD_OBLIQUE_H

#include "calibration/board.h"
#include "calibration/camera.h"
#include "vision/tuning.h"
#include "vision/board/oriented.h"
#include "vision/frame.h"

enum { OBLIQUE_VIEWS = 5, OBLIQUE_LEVELS = 3 };

struct oblique_view {
    struct camera camera; // in inches, when the outermost circle is the board's own
    double score; // summed responses along lines and edge: boards mostly 1 to 3; chance to 0.8, on targets to 1.5
    double pegs;  // 0..1: share of the pegs seen where they should stand; 0 of a board that has none
    double line_strength[BOARD_MAX_CIRCLES]; // of each circle, in deviations of circles of wrong radii
};

// Maps of one frame, for all searches in it, each half as wide as the one before: boards up to half the picture's width
// are searched in the first, larger ones in the others. { 0 } at first; a search makes those that are missing, and all
// anew for lines of another kind. The caller ends with oblique_maps_finish.
struct oblique_maps {
    struct oriented level[OBLIQUE_LEVELS];
};
void oblique_maps_finish(struct oblique_maps *maps);

// What is searched for, and where. All borrowed.
struct oblique_request {
    struct frame *frame;        // a picture, or a part of the one that the lens took
    const struct board *board;  // of circles
    struct lens lens;           // its centre is counted from the corner of `frame`
    bool known_lens;            // held, with its distortion; else it bends nothing and f_px is where the search begins
    const struct camera *start; // only poses near these cameras are searched, so many; 0: all
    int starts;
    const struct oblique_tuning *tuning;
};

// Poses of a board, the most likely first. `maps`: of this frame and lens. Returns how many, 0 .. OBLIQUE_VIEWS: none
// in a strip of a picture, more than four times as long as broad. RS_ENOMEM, RS_ELIB.
int oblique_find(struct oblique_view out[OBLIQUE_VIEWS], struct oblique_maps *maps, const struct oblique_request *asked,
                 struct fail *why);

#endif
