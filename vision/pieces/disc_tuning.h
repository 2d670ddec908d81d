// SPDX-License-Identifier: MIT
// disc_tuning.h: the numbers by which discs and rings are found and placed. Each says its unit, what it does, and what follows
// from more or less; where nothing else is said they were chosen on our samples between pieces lost and false ones.
#ifndef RINGSIDE_VISION_PIECES_DISC_TUNING_H
#define RINGSIDE_VISION_PIECES_DISC_TUNING_H

#include "vision/tuning_field.h"

struct disc_tuning {
    // Hough voting (hough.c): where pieces may stand.
    double
        vote_most_px_per_in; // the board is laid out at most so finely: a rim 24 px across is round enough to vote. More costs time
    double vote_least_px_per_in; // below it a piece is a dot, and nothing is looked for
    double vote_edge_sigmas;     // times the usual gradient: less, and grain votes; more, and pale pieces do not
    double vote_least_gradient;  // 8-bit steps between neighbours: JPEG alone leaves that much
    double vote_full_sigmas;     // times the usual gradient: beyond it an edge votes no stronger
    double
        vote_least_share; // of a full rim: half of it may be hidden, half of the rest pale. Less costs fits, more loses pieces
    double vote_apart_radii; // two peaks nearer than that are one piece's

    // The window around a hypothesis (cylinder_window.c, difference.c).
    double window_margin_in;     // of ground looked at around a piece: less than half a piece, or neighbours fill it
    double window_clear_blurs;   // beyond a line or a neighbour the ground is clean
    double window_near_in;       // outlines of what is farther do not reach the window. More costs time
    double window_least_samples; // pixels or cells: fewer say nothing of a piece, nor of the ground beside it

    // The cylinder fit (cylinder_fit.c, cylinder_model.c).
    double fit_chroma_blur_px; // beyond luma's: mosaic sensors, and JPEG and video halve its resolution
    double fit_coarse_blur_px; // a coarse fit finds home from as far as its edges are blurred
    double shadow_contact_in;  // how far a contact shadow reaches: a third of a disc's height
    double fit_grow_blurs;     // 1 sigma of what gamma, sharpening and a maker's tolerance do to an outline
    double fit_blur_share;     // 1 sigma of what focus differs from where the lines show it
    double fit_size_sigma_in;  // the same while the size is measured: pieces are a sixth larger or smaller at most
    double
        fit_least_scatter; // 8-bit steps: noise and JPEG at their best; less, and clean drawings weigh each pixel without end
    double fit_other_colour; // 8-bit steps off the face's colour; noise and grain stay below
    double
        fit_size_probe; // of the radius: how much larger and smaller a piece is tried, to see that neither does as well
    double fit_shared_pixels;     // pixels that share one error: demosaicing, JPEG, grain. Sigmas grow with its root
    double fit_shading_belief;    // pixels' worth of belief that sides are shaded as the light says
    double fit_slope_belief;      // and that a part has one colour, for a slope of all of it in an inch
    double fit_reach_sigmas;      // Tukey's: wood is not Gaussian, so wider than the textbook's 4.685
    double fit_most_step_in;      // a move beyond it leaves the linear range
    double fit_most_drift_in;     // farther than that it is another piece
    double fit_settled_in;        // a tenth of what the best fit is sure of. Less costs rounds
    double fit_coarse_settled_in; // of a coarse fit: enough to know what is there
    double fit_least_blur;        // of what the lines show: edges are hardly sharper than theirs
    double fit_most_blur;         // and hardly softer
    double fit_most_rounding;     // of the height: more, and nothing is left of the side
    double fit_well_inside;       // of the most that the top fills of a pixel: the face, to see whether it is even
    double
        fit_least_border; // variance of the share covered, for a direction to show the outline: half of it bare has 0.25
    double fit_least_step; // variance of the step that the model sees there: less where the ground lies in shadow

    // The light (cylinder_light.c).
    double light_hidden_sigma;   // of what a piece hides of the sky beside it, about what is usual
    double light_clear_blurs;    // from the outline: there a pixel shows ground alone
    double light_outlier_sigmas; // Huber's reach on the ground beside pieces
    double light_least_scatter;  // 8-bit steps of light
    double
        light_least_gain; // of the ground's scatter, that a far light must explain to be one; less, and grain is a lamp
    double light_least_patches; // pieces with bare ground around them: fewer, and one stain is a lamp
    double light_start_far;     // share of the far light from which its fit starts
    double light_least_far;     // and the least of it
    double light_most_far;      // and the most: some sky is everywhere
    double light_first_step;    // shadow's inches per inch of height, of the search's first step ...
    double light_last_step;     // ... and of its last

    // What the fit must show of a piece (pieces.c). Pieces that the picture shows whole explain 0.7 and more; wood, lines and fingers
    // explain as much only where a slightly larger or smaller piece would do as well. Chosen on our samples.
    double piece_least_explained;  // share of the pixels' variance. Less: false pieces; more: half hidden ones are lost
    double piece_sure_explained;   // then no side's paint need vouch for it, and its own paint counts as known
    double piece_least_contrast;   // times the ground's scatter
    double piece_least_support;    // share of the outline that steps: an arm or its shadow steps on two sides alone
    double coarse_least_explained; // of a coarse fit: neighbours not yet known take most of what a piece explains
    double coarse_most_larger;     // what a larger piece may explain more: neighbours look like more of it
    double coarse_most_smaller;    // and a smaller one
    double piece_most_larger;      // a sharp shadow looks like more of a piece
    double piece_most_smaller;     // a rim in shadow looks like ground
    double piece_most_size_slack;  // sum of both
    double ring_most_larger;       // a larger ring misses the hole as well
    double piece_rounding_in;      // radius to which makers ease the edges, 1/16 in
    double piece_rounding_sigma_in; // 1 sigma of it
    double piece_overlap_in;        // solids do not share room; two fits may, by their errors
    double
        paint_least_face; // share of the face that must have a side's paint; what is no piece shows less than half of it
    double paint_least_outline; // and of the outline; a surface's edge may pass for half of one
    double paint_least_seen;    // of the outline that can be seen at all
    double paint_coarse_face;   // share of the face at which a fit is worth its time

    // Against a known empty board (difference.c, pieces.c): nothing painted on it is taken for a piece.
    double known_least_explained; // lines and grain are no excuse
    double known_least_contrast;  // times the noise; a shadow has more than a piece that has less, and is taken for it
    double known_most_larger;     // its contact shadow may look like a little more of it
    double known_faint_sigma_in;  // shadows that hardly differ from a piece move it so far: 0.06 in rms measured
    double known_most_apart_in;   // of the two fits of one piece: a third of its contact shadow
    double known_apart_radii;     // nearer than that, a fit from a place with votes gets there
    double known_least_seen;      // of the cells: else its outline may lie where nothing is known
    double known_sure_share;      // share of a cell that counts as all of it
    double known_side_belief;     // cells' worth of belief that a side has its top's colour
    double known_face_part;       // of the radius: the rim mixes with the board
    double shadow_darkest;        // of a board's codes in a piece's shadow
    double
        shadow_place_share; // of a shadow at 45 degrees: 1 sigma of a place along it, for a piece as dark as its shadow
    double shadow_sure_share;   // of what one colour leaves: on a plain board both leave as much
    double shadow_other_light;  // of what it lacks of light: lamps and sky have different colours
    double shadow_least_sigmas; // darker by so much at least, and as much for its colour
    double
        shadow_counts; // to judge a piece, what board in a shadow counts beside it: its outline is the piece's own, in part
    double shadow_cost_sigmas;      // to place a piece, a cell is rather its than shadow when it fits so well
    double known_least_directions;  // of the outline: a lamp throws a shadow on less than half of it
    double known_least_step_sigmas; // less may be the uneven light of a shadow
    double known_around_radii;      // half a piece's width around it
    double
        known_least_alone; // how much more of a face has changed than around it: neighbours and shadow cover less than the rest
    double known_raster_radii; // between the places tried: fits find home from there. Less costs time
    double known_bare_share;   // of a face that looks changed: less is noise on a bare one
    double known_whole_share;  // of a face that looks changed: a part of it may look like what it hides

    // The pieces' size (piece_size.c): only plain ones are measured.
    double size_least_explained;  // share of the pixels' variance
    double size_least_contrast;   // times the ground's scatter
    double size_least_support;    // share of the outline: of another size and with a shadow less of it steps
    double size_coarse_explained; // of the coarse fit
    double size_most_uneven;      // share of the face that is not of one colour
    double size_agree;            // of the size: pieces of one set want the same change
    double size_least_agreeing;   // share of them; less, and strangers set the size
    double size_most_step;        // of the size, in one round: the fit is not trusted farther
    double size_settled;          // of the size: a smaller change ends the search
    double size_same;         // pieces are made to a few hundredths of an inch: closer, and they have the nominal size
    double size_most_scale;   // beyond it these are no pieces of this game
    double size_least_pieces; // fewer may be something else

    // A piece in the hole (hole.c).
    double hole_least_explained; // share of the pixels' variance
    double hole_same_side_lab;   // light and noise move a side's colour so far (CIE76)
    double hole_very_same_lab;   // then the shadow of the rim on it may be forgiven
    double hole_most_uneven;     // of its top; a rim's shadow covers more
    double hole_least_light;     // of the lightness of the side's other pieces: the floor of a hole is darker
    double hole_dark_l;          // darker than that, and
    double hole_pale_chroma;     // with less colour, a piece looks as any deep hole does; then it must
    double hole_dark_same_lab;   // be so near to its side,
    double hole_dark_uneven;     // so even
    double hole_dark_explained;  // and explain so much
    double hole_ditch_paint;   // share of the ditch that has its colour: all twelve discs of a side cover half as much
    double hole_most_off_in;   // beyond the play that the piece has in the hole
    double hole_ditch_from_in; // beyond the surface's edge; ditches are 1 1/2 in wide and more
    double hole_ditch_step_in; // between the twelve rings on which the ditch's paint is looked at
};

extern const struct disc_tuning disc_tuning_defaults;

// A row for every field.
extern const struct tuning_fields disc_tuning_fields;

#endif
