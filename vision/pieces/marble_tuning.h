// SPDX-License-Identifier: MIT
// marble_tuning.h: finding, fitting and naming marbles decides by these numbers.
//
// Lengths are inches, or shares of a marble's radius where they say so; colours are 8-bit steps (colour.h) or CIE L*a*b*.
// Where no measurement is named, a number was chosen on our samples: between losing marbles and finding what is none.
#ifndef RINGSIDE_VISION_PIECES_MARBLE_TUNING_H
#define RINGSIDE_VISION_PIECES_MARBLE_TUNING_H

#include "vision/tuning_field.h"

struct marble_tuning {
    // The picture, as the model has it (sphere_model.h).
    double
        subsampled_px; // 1 sigma of the blur of colour beside luma's: cameras and JPEG keep every other pixel's. More:
                       // luma alone places a marble; less: fringes of colour draw it
    double penumbra;   // how soft shadows' borders are, radii per inch of the lamp's slant: lamps and windows are wide
    double least_scatter;     // 8-bit steps: noise and JPEG at their best. Less: smooth carpet is believed too much
    double correlated_pixels; // that share one error: tufts, demosaicing, JPEG. More: wider sigmas, fewer gains
    double usual_shading; // 1 sigma, 8-bit steps of luma from a marble's middle to its rim. More: stripes are shading
    double usual_tint;    // the same of colour
    double usual_slope;   // 1 sigma, 8-bit steps per inch of carpet. More: a ramp of carpet explains a pale marble away
    double
        usual_colour; // 8-bit steps: how far colours of marbles and carpets lie apart; what a ball must pay for its own
    double neighbour_clear; // sigmas of blur around a neighbour whose pixels are not looked at
    double tukey_sigmas; // pixels farther off weigh nothing: highlights and swirls are many, wider than the usual 4.685
    double margin_in;    // of carpet looked at around a marble: more than its own radius
    double most_drift;   // of the radius: a fit that goes farther is another marble's
    double most_step;    // of the radius: a move beyond it leaves the linear range
    double settled_radii; // of the radius: less than a thousandth of an inch. Less costs rounds
    double least_samples; // pixels: fewer say nothing of a marble
    double least_ground;  // pixels of bare carpet: fewer do not tell how rough it is

    // The light (sphere_light.h).
    double shadow_reach_in; // from where a marble stands to the end of a shadow twice its height
    double longest_shadow;  // inches per inch of height: a lamp 27 degrees high
    double
        least_shadow_gain; // log of the odds: a direction, a length, a shade; 800 pixels (Schwarz 1978). More: weak lamps go
                           // unseen; less: texture is a lamp
    double usual_shade;       // 8-bit steps of luma: a shadow beside the carpet, before any is seen
    double usual_shade_sigma; // 1 sigma of that
    double least_shade_sigma; // 8-bit steps: carpet is not even; of colour too
    double sure_shade; // sigmas by which luma in shadows is darker: what is no darker for one marble in forty is none
    double light_size_sigma; // share: targets are 5/8 in, and most marbles are targets
    double usual_shine;      // of a ball's mean, brighter where it faces up: under a sky alone the underside is darker
    double shine_sigma;      // 1 sigma of that and of the lamp's
    double side_shine_sigma; // ... from where no lamp is
    double light_holds_s;    // seconds: the sun wanders by 15 degrees an hour, by less than the search tells apart
    double many_more;        // times as many marbles tell the light clearly better

    // Where marbles may lie (residual_map.h).
    double peak_most_px_per_in;  // a marble 6 px across is a spot like any larger one. More costs time
    double peak_least_px_per_in; // less and it is four pixels: texture has as much, and nothing is looked for
    double peak_outside_in;      // how far beyond the line marbles are looked for
    double peak_line_margin_in;  // beside what the line covers: a spot and its surroundings reach over the border
    double peak_spot;            // of the radius: inside the blur of the rim
    double peak_ring_from;       // of the radius: the carpet around it, past rim and blur ...
    double peak_ring_to;         // ... up to here
    double peak_least_sigmas;    // of some 10^5 spots chance gives none
    double peak_least_scale;     // 8-bit steps: flat areas of a JPEG do not differ at all, pieces by rounding
    double peak_apart;           // of the radius: touching marbles are two radii apart
    double peak_near_ring;       // of the radius: beyond a touching neighbour's middle
    double peak_wide_ring;       // ... across a hand's or a stick's width
    double peak_far_ring;        // ... on carpet again
    double peak_most_like; // of 24 directions around it that look like the spot: two touching neighbours hide no more

    // What is a marble (marbles.h).
    double least_sigmas;    // a speck less unlike the carpet is texture: more loses pale marbles, less costs time
    double least_gain;      // log of the odds against bare carpet. More: pale marbles are lost; less: tufts are marbles
    double least_explained; // 0..1, of what is unlike carpet around it. More: marbles among things are lost
    double sure_explained;  // 0..1: a shadow taken for a ball explains less
    double roughest;        // times the usual scatter of the carpet: more is a shoe's rim or another thing's
    double overlap;         // of the radius: two marbles' centres are two radii apart or more
    double size_slack;      // of the radius, beyond the smallest and largest that the rules allow
    double line_zone_in;    // beside the painted line
    double cover_in;        // half a hand's breadth: so near along the line specks are one thing's
    double most_covering;   // specks: a marble on the line and its halo make up to five; more is a shoe or a hand
    double near_in;         // farther away a marble's shadow is not seen any more
    double fringe_px;       // a block of two by two pixels' colour in JPEG
    double fringe_gain;     // times: a fringe is fainter than its marble
    double least_marbles;   // with fewer nothing is usual
    double first_specks;    // the plainest: marbles enough to tell where shadows fall

    // How large it is.
    double target_size_sigma; // share, of a set of 5/8 in
    double taw_size_sigma;    // share: a shooter is up to a quarter smaller or larger
    double size_floor;        // share: 1 sigma of what the model does not know of swirls ...
    double size_floor_px;     // ... and of outlines
    double other_size;        // sigmas from a target's size: then it is fitted at its own

    // Who is the taw (taw.h).
    double taw_sizes_log;   // log of the largest taw's size over the smallest's, 3/4 in over 1/2 in
    double misread_size;    // of the targets. More: size tells less
    double colours_lab2;    // CIE a* by b*: where marbles' colours lie
    double same_colour_lab; // 1 sigma within one set of marbles ...
    double lit_colour_lab;  // ... and at most, by light and swirls
    double other_target;    // of the targets of one colour: put in for one that was lost
    double no_taw;          // of the moments at which a picture is taken
    double taw_alike;       // of the taws: of the targets' one colour; players want to tell them apart

    // What it is called: where discs are wood, CIE L*a*b* chroma.
    double pale_chroma;  // a marble is white below
    double vivid_chroma; // and called by its hue beyond, as one of this chroma
};

extern const struct marble_tuning marble_tuning_defaults;

// A row for every field.
extern const struct tuning_fields marble_tuning_fields;

#endif
