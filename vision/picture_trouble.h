// SPDX-License-Identifier: MIT
// picture_trouble.h: what is wrong with a picture in which no board is found, as a person at the camera can mend it:
// its light, its focus, something in front of the lens.
//
// A few thousand places of it are looked at, which takes a fraction of what a frame takes. Light is the spread of their
// luma. Focus is how much steeper than its surroundings the steepest places are: an edge as wide as blur makes it rises
// within many pixels, a sharp one within two. Nothing is known of a board here, so a wall out of focus is reported as
// one, and a plain carpet in focus as nothing in particular.
#ifndef RINGSIDE_VISION_PICTURE_TROUBLE_H
#define RINGSIDE_VISION_PICTURE_TROUBLE_H

#include "vision/frame.h"
#include "vision/tuning.h"

enum picture_trouble {
    PICTURE_FINE,    // nothing is wrong that shows here
    PICTURE_BLACK,   // hardly any light at all: a lens cap, the lamp off
    PICTURE_COVERED, // one even colour: something lies before the lens
    PICTURE_DARK,    // something is there, and too dark for lines
    PICTURE_BRIGHT,  // most of it is burnt out
    PICTURE_BLURRED, // out of focus
    PICTURE_TROUBLES
};

// RS_ENOMEM, RS_ELIB.
int picture_trouble_of(enum picture_trouble *out, struct frame *f, const struct track_tuning *t, struct fail *why);

// The share of a decoded picture where red and green have that code at least, and blue does not: wood, of which blue
// is left.
double picture_overexposed(const struct frame *f, double full_code);

// "too dark to see the lines: more light"; empty for PICTURE_FINE. Static.
const char *picture_trouble_words(enum picture_trouble trouble);

#endif
