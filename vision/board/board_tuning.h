// SPDX-License-Identifier: MIT
// board_tuning.h: the numbers by which boards are found, followed and learnt.
//
// Where no measurement is named, a number was chosen on our samples: photographs, rendered pictures and clips of crokinole and
// carrom boards and marble rings. Pixels are those of the picture that the stage works on.
#ifndef RINGSIDE_VISION_BOARD_BOARD_TUNING_H
#define RINGSIDE_VISION_BOARD_BOARD_TUNING_H

#include "vision/tuning_field.h"

struct board_tuning {
    // Edges (edges.c), found on a reduced copy.
    // Pixels across the copy: a board's lines are one or two wide there. More finds fainter boards, in more
    // time.
    double edge_width_px;
    double edges_most; // Strongest edges of each kind that are taken. More: texture outvotes the lines.
    // 1 sigma of the blur before; less makes edges of single pixels' noise, more takes thin lines.
    double edge_blur_px;
    double edge_weakest; // Codes a pixel; less is rounding.
    // How far from a pixel's centre a line's crest is taken for that pixel's: half, give or take the noise.
    double edge_crest_reach_px;

    // Concentric candidates (concentric.c). All of these chosen on our samples; the search will be replaced.
    double coarse_voters;     // Edges that vote for a centre, spread evenly over those found.
    double coarse_rankers;    // Edges that rank the guesses.
    double coarse_sharpeners; // Edges that sharpen the best of them.
    double coarse_margin;     // How far outside the picture a centre may lie, of its longer side.
    // An edge belongs to a circle when its normal points to the centre within 14 degrees. More: lines with a
    // wrong tilt are lost.
    double aligned_cos;
    double coarse_tilt_most_rad; // Steeper views are not looked for.
    double coarse_rank_bin_px;   // Reduced pixels: what a normal half a grid step off blurs a circle by.
    // Guesses are one when their centres lie within this share of the picture's width ...
    double coarse_same_centre;
    double coarse_same_normal_cos; // ... and their normals within 6 degrees.

    // Candidate refinement (candidate_refine.c), in reduced pixels.
    double refine_bin_px;          // Step of the radii: an edge and its blur.
    double refine_reach_px;        // What the coarse search may be off at a circle's far side.
    double refine_reach_shrink;    // Of that, from round to round.
    double refine_radius_least_px; // Smaller circles are pegs, knots and letters.
    double refine_full_least;      // Share of a circle's length that bears edges; chance gives a few hundredths.
    // Wood's edges lie along the grain, a rail's along another circle: so many share one error. Less: the
    // lens's priors lose to them.
    double refine_edges_per_independent;

    // Painted circles and their pattern (circle_pattern.c, find.c).
    // Width at which circles are told: a line is one or two pixels, the coarse pose good to one.
    double pattern_width_px;
    double pattern_reach;         // Of that width: beyond it no circle has half its length in the picture.
    double sure_coverage;         // With so much of the lines seen no other pattern or candidate is tried.
    double circle_support_share;  // Of the median contrast: what a direction must show to count.
    double circle_strength_least; // Standard errors; of 3000 rows and scales none comes there by chance.
    // What 6 shows in a third of the directions, less two of its own errors. More is faster and misses faint
    // lines.
    double circle_glance_strength;
    double circle_support_least; // Share of the directions; chance gives 0.2.
    double circle_size_least;    // Light of 255; less than rounding leaves in the dark.
    // Of the mean contrast: what each side of a line must show, or it is an edge between two grounds.
    double circle_side_least;
    double line_widest;         // Of its circle's radius: chalk, tape and rope are at most 2 in on a 42 in ring.
    double circle_angles_least; // Directions that must lie in the picture.
    // 1 sigma of ln of the circles' proportions. Real boards keep none (a ten-circle at 0.65 to 0.73 of the
    // outer one on photographs): this only says which circle is meant, the proportions are fitted afterwards.
    double pattern_ratio_sigma;
    double pattern_ratio_reach;    // Beyond it a circle is another one.
    double pattern_same_paint_cos; // Between the contrasts, B G R, of lines of one paint.
    // Standard errors: beyond it more strength says nothing more, and less is no plain circle.
    double pattern_full_strength;
    double pattern_circles_least; // Share of the board's circles that must be seen.
    double pattern_plain_support; // Of a plain circle's directions: the chance rows of a texture show 0.45 to 0.55.
    double companion_apart;       // Of the radius: a nearer circle may be the same line's shoulder ...
    // ... and one so many times larger or smaller is another thing. A companion of one paint between makes no
    // single ring.
    double companion_reach;
    double pattern_same_circle; // ln of the radii: a line and its shoulders.
    double innermost;           // Of the outermost radius: what is nearer is the hole or lies in the middle.
    double strangers_most;      // Circles that the board does not have: one ornament; a target has more.

    // Line profiles (line_profile.c).
    double flank_px;       // Ground looked at beside a line starts so far out, past the edge's blur ...
    double flank_long_px;  // ... and is so long. More: pieces and other lines get in.
    double luma_share;     // Of the contrast; with less the line is one of colour (grey would give 0.58).
    double contrast_least; // Of the contrast predicted: less is no line, but grain or what hides it.

    // Line refinement (line_refine.c).
    // How far from the coarse pose's circles lines are looked for, of the outermost one's radius ...
    double window_first;
    double window_first_least_px; // ... and at least so far.
    // Of the fit's noise: the window of the round after. Less loses lines that waver, more takes other lines
    // in.
    double window_sigmas;
    // A window that shrinks no further than to this share reads the same places again: the rounds end ...
    double window_same;
    double centre_same_px;  // ... when the centre stays too: a line's own noise.
    double window_least_px; // A line's own blur.
    // Share of the lines' length: a quarter is hidden by a hand, glare and pieces on top; chance stays under
    // 0.1. Of the refit and of quadrant lines too.
    double coverage_least;
    double noise_most_px; // A line that wavers more than this ...
    double noise_most;    // ... and this share of its radius is no painted circle.
    double on_line_px;    // A line counts as seen within so much of the fit, or 3 sigma.
    // Directions to each side, of 240, by which what jumps about (weave, nap, sleeves) is told from a line that
    // goes on.
    double runs_on;
    double picture_blur_px;       // 1 sigma of lens, demosaicing, JPEG and the profile's own smoothing, usual ...
    double picture_blur_sigma_px; // ... and how much it differs between pictures.
    double paint_sigma;           // Of a line's usual width: 1/16 to 1/8 in are painted.
    double darkness_usual;        // Share of the wood's light that a dark line takes ...
    double darkness_sigma;        // ... 1 sigma: ink and burnt wood give 5 to 25 % of it back.
    double same_noise;            // Held radii explain the lines as well as free ones when the noise grows less ...
    double same_noise_px;         // ... or by less than this.
    double same_points;           // Two fits explain the same lines when they use nearly the same points.
    // How far beside its circle a line is looked for in the end: hand-cut boards were seen to deviate by 0.08;
    // half of a disc's radius is 0.3.
    double deviation_reach_in;
    // Nap over the paint, blur of light that the camera has bent already, JPEG: how far the edges of a ring's
    // line are seen outside it.
    double bleed_sigma_px;
    // Along a line: so far the wavering of paint, grain and nap is one and the same. More widens every sigma,
    // by the root.
    double waver_in;
    double deviation_sigma_in; // Usual size of each wave of a line's deviation from its circle.
    // Chi square of seven numbers above which a deviation is believed: once in 10 000 true circles.
    double deviation_chi2;
    double deviation_agreed; // Share of the samples that must agree with it.

    // Orientation by the quadrant lines (orientation.c).
    double spoke_step_most_px;   // Between directions: thin lines of a large picture would be stepped over.
    double spoke_clear_in;       // From the circles: their own paint and blur.
    double spoke_flanks;         // Of a turn, 2.5 degrees, to the ground beside a line.
    double spoke_strength_least; // Robust standard deviations of the quarter's profile.
    double spoke_rival_most;     // Of the strongest: the hours of a dial and the wires of a target are all alike.
    double spoke_inwards_most;   // Of the strongest: a cross runs on through the inner circles.

    // Landmarks (landmarks.c). Contrasts are of the board's own lines.
    double board_row;        // Of the outermost radius, between rows: half a line's width on a board ...
    double ring_row;         // ... and on a ring.
    double directions_least; // Share of the directions; fewer make no median.
    // Of a ring's radius, between the centres that are tried: what the five rows of a step bridge.
    double ring_shift;
    double ring_shift_most;  // At 90 degrees: what a focal length a third off makes of a ring's centre.
    double ring_reach;       // Radii of a ring: what belongs to one thing with it lies within.
    double line_clear;       // Of the outermost radius: a line's blur and its shadow.
    double step_share;       // Of the median step: what a direction must show to count.
    double step_shown_least; // Of the directions: the chance rows of a texture show 0.45 to 0.55.
    // Contrast of a circle that a board does not have: more than a line's blur leaves beside it.
    double board_stranger;
    double ring_stranger;    // The same beside a ring; carpets show under 0.03.
    double ground_step_most; // Between a ring's two sides: the same carpet shows under 0.05.
    double hole_from;        // Of its radius: the hole's edge, or that of a disc in it, from here ...
    double hole_to;          // ... to here.
    double hole_least;       // Contrast: shallow holes of pale boards show 0.25.
    double peg_beside_in;    // From the circle's middle: clear of its line, still on the peg.
    double peg_flank_in;     // To the ground beside a peg.
    double pegs_hidden;      // Share of the pegs: a hand's, or missing.
    double peg_contrast;     // Pegs of the board's own wood show 0.23.
    double pegs_least;       // Times what directions without pegs show.
    // Kinds, when not all are seen: a dial has a middle, a target a cross, neither has both and pegs.
    double landmarks_least;

    // Clarity (clarity.c).
    double clarity_reach_px;         // From a line's edge outwards: its blur and a piece of the ground.
    double clarity_window_px;        // A line farther from the fit is another one.
    double clarity_directions_least; // Fewer make no median.
    double clarity_step_least;       // Of light, 0..255, between line and ground: less shows no blur.
    double fit_blur_usual_px;        // Blur to fit pieces with where lines are too thin or faint to show theirs ...
    double fit_blur_least_px;        // ... what they show at least ...
    double fit_blur_most_px;         // ... and at most: beyond, something else was measured.
    double clipped_luma;             // JPEG rings a few steps below white.
    double dark_luma;                // Video's black.
    double flat_share;               // Of the steps between neighbours: the others are edges, not errors.
    double across_blocks_least;      // Steps across the blocks' borders; fewer tell nothing.

    // Refit of a board that stood here before (refit.c).
    double refit_window_px; // A board that moved farther is found anew. More takes other lines for it.
    double refit_again_px;  // Moved by more: the lines are looked for again from where they seem to be.
    // More: these are not the lines. More than when it is found: a camera may move while it looks.
    double refit_noise_most_px;
    // Of 48 a circle: neighbours share the grain of the wood and the blocks of JPEG.
    double refit_points_per_independent;
    // 1 sigma of ln of the focal length: what focusing changes; a wilful zoom is found over some looks.
    double refit_breathing;
    double refit_spoke_clear; // Of the quadrant lines' length, at both ends.

    // Background (background.c, illumination.c); codes are 0 .. 255.
    double cells_per_in_most; // A disc 24 cells across shows all that is asked of it.
    double block_of_radius;   // Side of a block, of a piece's radius: noise averages out in one.
    double look_worth_s;      // A look counts for the time since the last one, at most so much.
    // What looks otherwise for longer is what it looks like now. Less: a piece that lies long becomes board
    // sooner.
    double memory_s;
    double agree_sigmas;    // A cell that differs by more looks otherwise.
    double scatter_start;   // Codes, of a cell's differences before anything is known of them.
    double noise_rise_most; // From look to look: compression and bad light. Another board would look like more.
    double noise_least;     // Codes are whole numbers, compressed.
    // Mean square of a block's differences, in sigmas, at which it is not bare: five of its own for noise.
    double block_differs;
    double edge_slack_cells; // Poses and sampling move the picture of an edge by less.
    // Of the blocks: pieces and arms cover less; with more it is another board or light, and all is forgotten.
    double differing_most;
    double unplane_in;   // Beside hole, pegs and edge: as far as their picture moves with the camera.
    double coarser_most; // Than the picture: beyond it fine lines are lost.
    double known_least;  // Of a block's cells.
    // Blocks of nine that are not bare: noise is scattered over single blocks, pieces are not.
    double company_least;
    double light_samples_least; // Fewer say nothing of the light.
    double light_clipped;       // Codes above which a sensor is full ...
    double light_dark;          // ... and below which a ratio says nothing.
    double light_noise_start;   // Codes, before there is anything to measure it by.
    double light_gain_least;    // A slope may not turn light into none.
};

extern const struct board_tuning board_tuning_defaults;

// A row for every field.
extern const struct tuning_fields board_tuning_fields;

#endif
