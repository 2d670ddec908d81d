// SPDX-License-Identifier: MIT
// oriented.h: how much each pixel looks like a thin dark line, a pale one and a step, in each direction.
//
// A dark line's response is min(left, right) - middle across it, a pale one's middle - max(left, right), a step's the
// difference across it: of luma, or lines' of another plane (enum line_kind). Both are averaged along it, divided by
// what the neighbourhood shows (hall light, wood grain and people differ by more than lines do), and what is usual
// around is taken off, so that circles of a wrong radius score about nought.
#ifndef RINGSIDE_VISION_BOARD_ORIENTED_H
#define RINGSIDE_VISION_BOARD_ORIENTED_H

#include <stdint.h>

#include "calibration/camera.h"
#include "vision/tuning.h"
#include "vision/frame.h"

enum line_kind {
    LINES_DARK, // darker than the wood, as grooves are
    LINES_PALE, // paler, as they are painted on dark boards
    LINES_RED,  // redder: red paint on dark wood, on green, may be as bright as what it is painted on
    LINES_BLUE, // darker in blue alone, of which wood reflects least: where there is too much light for red and green
    LINE_KINDS
};

// Directions: a line's normal in half a turn, a step's from dark to bright in a whole one.
enum { ORIENTED_LINES = 8, ORIENTED_STEPS = 16, ORIENTED_MAPS = ORIENTED_LINES + ORIENTED_STEPS };

// Of the coarse maps: what a response of 1 is, the most of either sign, and how many noughts stand around them.
enum { ORIENTED_UNIT = 64, ORIENTED_MOST = 147, ORIENTED_BORDER = 112 };

struct oriented {
    int width, height;              // of a map
    enum line_kind kind;            // its lines
    double reduction;               // pixels of the frame per pixel here
    float *memory;                  // of all that follows
    float *grey;                    // luma
    float *response[ORIENTED_MAPS]; // the lines' maps, then the steps'
    // Half as wide and high: the largest of each four pixels, blurred, less what is usual around, with a border of 0.
    int coarse_width, coarse_height, stride;
    int16_t *coarse[ORIENTED_MAPS]; // of the first pixel within the border
};

// Of a frame reduced (or enlarged) to that width. `bent`: the frame's lens, whose distortion is undone, so that the
// maps are those of a pinhole of its focal length and principal point; NULL: none. The caller ends with
// oriented_finish, which takes what is all 0. RS_ENOMEM, RS_ELIB.
int oriented_create(struct oriented *out, struct frame *f, const struct lens *bent, int width,
                    const struct oblique_tuning *t, struct fail *why);
void oriented_finish(struct oriented *o);

// The map for a normal that points there: `step` from dark to bright.
int oriented_line_map(double nu, double nv);
int oriented_step_map(double nu, double nv);

// Response at a place of the map, between pixels (bilinear); 0 outside of it.
double oriented_at(const struct oriented *o, int map, double u, double v);

// The same of the coarse map, in 1 / ORIENTED_UNIT: blurred, so that a pose farther off still feels its lines.
double oriented_coarse_at(const struct oriented *o, int map, double u, double v);

// Luma there, between pixels, the border repeated; `oriented` as struct grey_picture (pegs.h) hands a picture on.
double oriented_grey(const void *oriented, double u, double v);

#endif
