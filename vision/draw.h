// SPDX-License-Identifier: MIT
// draw.h: anti-aliased lines, shapes and words on a frame, to show people what was seen.
//
// Lines and shapes are painted here, not by imgproc: its anti-aliased ones are 12 to 40 % too large as discs and 0.4 to
// 2.6 pixels too thick as lines, in whole pixels of pen only (OpenCV 4.6). Letters are a font's (typeface.h); where
// there is none they are imgproc's strokes, which know ASCII alone.
//
// Places are pixels, (0, 0) is the centre of the top-left one; fractions count. What leaves the picture is cut off.
// Sizes are the caller's; times draw_unit_px they look the same in every picture. Luma made earlier is thrown away.
#ifndef RINGSIDE_VISION_DRAW_H
#define RINGSIDE_VISION_DRAW_H

#include "calibration/units.h"
#include "vision/frame.h"

struct ink {
    uint8_t b, g, r;
    double alpha; // 0 unseen .. 1 covering
};

// 1 in a picture 720 pixels high, in proportion else: a pen of 2 units can be seen on any screen.
double draw_unit_px(const struct frame *f);

// A line through n points, thickness_px wide, ends and joints round. A translucent one is denser where its pieces meet.
void draw_line(struct frame *f, const struct pt_px *points, int n, double thickness_px, struct ink ink);

// Filled: a convex polygon of n points in either sense, the box between two corners, and a circle.
void draw_polygon(struct frame *f, const struct pt_px *points, int n, struct ink ink);
void draw_box(struct frame *f, double u0, double v0, double u1, double v1, struct ink ink);
void draw_disc(struct frame *f, struct pt_px centre, double radius_px, struct ink ink);

// Where the words stand as seen from their point; in height their middle is at it.
enum draw_side { DRAW_RIGHT_OF, DRAW_CENTRED, DRAW_LEFT_OF };

// One line of text, capitals height_px high, on a dark half-transparent ground, moved as far as needed to be inside
// the picture. RS_EINPUT when height_px is not 4 .. 1000, RS_ELIB, RS_ENOMEM, here and below.
int draw_text(struct frame *f, struct pt_px at, enum draw_side side, double height_px, struct ink ink, const char *text,
              struct fail *why);

// The size of the ground that draw_text paints, in pixels.
int draw_text_size(double *width_px, double *height_px, double letters_px, const char *text, struct fail *why);

// The same without a ground, on what is there, and exactly where asked, cut by the picture. And how wide it becomes.
int draw_letters(struct frame *f, struct pt_px at, enum draw_side side, double height_px, struct ink ink,
                 const char *text, struct fail *why);
int draw_letters_width(double *width_px, double letters_px, const char *text, struct fail *why);

#endif
