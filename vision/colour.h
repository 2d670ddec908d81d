// SPDX-License-Identifier: MIT
// colour.h: the colours by which pieces differ from the board and from each other.
//
// A colour is three numbers in 8-bit steps: luma (BT.601), blue minus luma, red minus luma: shading moves the first,
// paint all. CIE L*a*b* is made so that equal distances look equally different: codes are taken for sRGB's (IEC
// 61966-2-1), white is D65. Linear light is what mixes where a pixel shows two things.
#ifndef RINGSIDE_VISION_COLOUR_H
#define RINGSIDE_VISION_COLOUR_H

#include <stdbool.h>
#include <stddef.h>

#include "vision/frame.h"

static const double LUMA_OF_BGR[3] = { 0.114, 0.587, 0.299 }; // BT.601: the channels' shares of luma

// What a pixel's codes are as a colour, and back.
void colour_from_bgr(double colour[3], const double bgr[3]);
void colour_to_bgr(double bgr[3], const double colour[3]);

// The colour between pixels (bilinear). False, out untouched, outside the picture.
bool colour_at(double out[3], const struct frame *f, double u, double v);

// Planes of B, G, R codes (rectify.h) become planes of colours.
void colour_planes(float *const plane[3], size_t n);

// CIE L*a*b* of a colour, and of a pixel's codes; the codes of what a screen can show of it.
void colour_to_lab(double lab[3], const double colour[3]);
void colour_bgr_to_lab(double lab[3], const double bgr[3]);
// ... of a picture or a part of one, in single precision: `row` bytes from row to row of it, `stride` numbers from
// pixel to pixel of what comes out, without gaps between rows.
void colour_bgr8_to_lab(float *lab, size_t stride, const uint8_t *bgr, int width, int height, size_t row);
void colour_lab_to_bgr(double bgr[3], const double lab[3]);

// L*a*b* as CIE X, Y and Z, shares of white's, and back: lights add up there, in L*a*b* they do not.
void colour_lab_to_xyz(double xyz[3], const double lab[3]);
void colour_xyz_to_lab(double lab[3], const double xyz[3]);

// What was seen beside ground of this lightness (L*), as it looks where that ground is lit up to `there_l`.
void colour_lab_in_light(double out[3], const double lab[3], double here_l, double there_l);

// Two colours' distance in L*a*b* (CIE76).
double colour_lab_distance(const double a[3], const double b[3]);

// ... as paints: shadow and glare count less than hue.
double colour_paint_distance(const double a[3], const double b[3]);

// How far a colour is from the nearest mixture of two (CIE76), which light in motion makes; *part: how much of `other`
// is in that.
double colour_off_mixture(double *part, const double seen_lab[3], const double one_lab[3], const double other_lab[3]);

// A short English name for it: "black", "white", "natural", "red" ...
const char *colour_name(const double lab[3]);

// The same colour in linear light, on the scale of 8-bit steps; and back.
void colour_to_light(double light[3], const double colour[3]);
void colour_from_light(double colour[3], const double light[3]);

// To light by a table, to 0.002 of an 8-bit step, where there are many of codes 0 .. 255.
enum { LIGHT_CODES = 257 };
void colour_light_table(double table[LIGHT_CODES]);
void colour_to_light_by(double light[3], const double colour[3], const double table[LIGHT_CODES]);

// 8-bit steps of the coded value for a step of linear light, about a coded luma.
double colour_slope(double luma);

#endif
