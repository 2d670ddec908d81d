// SPDX-License-Identifier: MIT
// appearance_tuning.h: what pieces of one side look like, and what a side is called, is decided by these numbers.
//
// Colours are CIE L*a*b*, hues degrees of atan2(b*, a*). All were chosen on our samples of discs and rings: by daylight, by
// lamps, glossy and dull.
#ifndef RINGSIDE_VISION_PIECES_APPEARANCE_TUNING_H
#define RINGSIDE_VISION_PIECES_APPEARANCE_TUNING_H

#include "vision/tuning_field.h"

struct appearance_tuning {
    // One paint in one picture (side_classifier.h): 1 sigma of what happens to its faces. More: two sides become one; less:
    // shade and gloss make a third.
    double light_log;     // log of the light: over a board it differs by a quarter
    double gloss;         // of white's light, which a lamp's reflection lays over a whole face
    double hue_lab;       // of a*, b*: wood differs from disc to disc, lamps and windows in colour
    double lightness_lab; // of L*
    double other_paint;   // sigmas, on average over the pieces of two sides, from which they are two

    // What a side is called. Lamps are yellowish: in their light white is not quite without colour, wood stronger coloured.
    double middle_grey_l;     // as far from black paint as from white, by what they throw back
    double pale_chroma;       // less is white or black ...
    double warm_white_chroma; // ... by a lamp
    double wood_chroma;       // less is wood, more is paint ...
    double warm_wood_chroma;  // ... by a lamp
    double warm_from_deg;     // hues from here are those of wood and of white by a lamp ...
    double warm_wood_to_deg;  // ... wood by a lamp up to here
    double wood_to_deg;       // ... wood up to here
    double warm_white_to_deg; // ... white by a lamp up to here: greenish where it is too bright for the camera

    // The appearance of a side's pieces, learnt from those surely found (appearance_model.h).
    double all_face;          // share of a pixel that the top fills for it to be one of the face
    double ring_face;         // of a ring, whose top is narrow, of the most that it fills
    double beyond_in;         // inches outside of the outline: blur, gap and rounding end there
    double around_in;         // inches: and neighbours, lines and figures are yet few
    double most_of;           // share of a paint's pixels: a highlight or a maker's mark may take the rest
    double least_spread;      // colour_paint_distance: noise and the next disc's other wood
    double least_face_pixels; // fewer do not tell a paint
    double spreads;           // so many times as far a pixel has the paint: the next disc lies in other light
};

extern const struct appearance_tuning appearance_tuning_defaults;

// A row for every field.
extern const struct tuning_fields appearance_tuning_fields;

#endif
