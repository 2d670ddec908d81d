// SPDX-License-Identifier: MIT
// disc_contrast.h: what is seen where a piece may stand, against the ground around it.
//
// Colours are CIE L*a*b*, each channel in units of the picture's noise: a distance means the same in all.
#ifndef RINGSIDE_VISION_PIECES_DISC_CONTRAST_H
#define RINGSIDE_VISION_PIECES_DISC_CONTRAST_H

#include <stdbool.h>

// Rings are scaled copies of a piece's outline, the first ones inside of it.
enum { OUTLINE_RINGS = 5, INSIDE_RINGS = 2, MOST_ANGLES = 32 };
enum { MOST_TOP = 35, MOST_SIDE = 27, MOST_INSIDE = MOST_TOP + MOST_SIDE + INSIDE_RINGS * MOST_ANGLES };
enum { LAB = 4 }; // numbers a colour, the last one so that all are reckoned at once

struct noise_lab {
    float c[LAB];
};

// What is seen where a piece would show its top and its side, and around its outline.
struct disc_view {
    int tops, sides, angles;
    struct noise_lab top[MOST_TOP], side[MOST_SIDE], ring[OUTLINE_RINGS][MOST_ANGLES];
    bool partly; // else nothing is left out
    // There something else is seen, that says nothing of a piece and its ground: beside it the board's hole, what lies
    // beyond its surface, a peg, another piece, and over it what stands before it.
    bool left_out[OUTLINE_RINGS][MOST_ANGLES];
};

// What a view shows against the ground around it.
struct disc_contrast {
    struct noise_lab ground;
    double inside_low, spill; // distances from it: the weakest fifth inside, the strongest quarter outside
    double step_low;          // weakest tenth of the step around the outline
    double sum;               // for choosing places: needs no empty board
};

// How far two colours are apart: root of the mean square over the channels.
float noise_lab_distance(const struct noise_lab *a, const struct noise_lab *b);

// Channel by channel; n is MOST_INSIDE at most.
struct noise_lab noise_lab_median(const struct noise_lab *seen, int n);

// A quantity in sigmas as a measure: the logarithm, of what is neither below a fifth of the noise nor more than plain.
double disc_contrast_log(double x);

// False where next to nothing is seen of a piece, or of the ground around it. `step_by_step`: each direction's step
// is counted from what is beside it there, not from the ground as a whole.
bool disc_contrast_of(struct disc_contrast *out, const struct disc_view *v, bool step_by_step);

#endif
