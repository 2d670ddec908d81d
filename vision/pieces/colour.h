// SPDX-License-Identifier: MIT
// colour.h: the colours in which pieces are told from the board and from each other.
#ifndef RINGSIDE_VISION_PIECES_COLOUR_H
#define RINGSIDE_VISION_PIECES_COLOUR_H

#include <stdbool.h>
#include <stddef.h>

#include "vision/frame.h"

// Luma, blue minus luma, red minus luma between pixels (bilinear), in 8-bit steps: shading moves the first, paint all.
// False, out untouched, outside the picture.
bool colour_at(double out[3], const struct frame *f, double u, double v);

// CIE L*a*b* (D65) of such a colour, sRGB assumed.
void colour_to_lab(double lab[3], const double colour[3]);

// L*a*b* as CIE X, Y and Z, shares of white's, and back: lights add up there, in L*a*b* they do not.
void colour_lab_to_xyz(double xyz[3], const double lab[3]);
void colour_xyz_to_lab(double lab[3], const double xyz[3]);

// A short English name for it: "black", "white", "natural", "red" ...
const char *colour_name(const double lab[3]);

// The same colour in linear light, which is what mixes where a pixel shows two things, on the scale of 8-bit steps; and back.
void colour_to_light(double light[3], const double colour[3]);
void colour_from_light(double colour[3], const double light[3]);

// 8-bit steps of the coded value for a step of linear light, about a coded luma.
double colour_slope(double luma);

#endif
