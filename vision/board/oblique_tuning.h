// SPDX-License-Identifier: MIT
// oblique_tuning.h: boards from the side of a table are found by these numbers.
#ifndef RINGSIDE_VISION_BOARD_OBLIQUE_TUNING_H
#define RINGSIDE_VISION_BOARD_OBLIQUE_TUNING_H

#include "vision/tuning_field.h"

struct oblique_tuning {

    // Oriented responses (oriented.c), in pixels of a map 640 wide and codes of 255. Taken over from a prototype that was made on 38 stills
    // of tournament recordings and judged on 38 others.
    double
        line_side_px; // From a groove's middle to the ground beside it: half a pixel of a picture 1280 wide is lost else.
    double step_side_px;    // To each side of a step.
    double line_code_least; // A response is cut here: more than "no line" says nothing.
    double
        line_code_most; // And here: more than "clearly" says nothing; more lets hard edges of people outvote grooves.
    double step_code_most; // The same of steps.
    double line_floor; // What noise alone shows. Less makes lines of calm areas, more loses grooves under hall light.
    double step_floor; // The same of steps.
    double
        smooth_sigma_px; // What a pose found by steps of the grid may be off. Less: the fine search sticks; more: lines run together.
    double coarse_sigma_px; // The same of the coarse maps.

    // The grid of the coarse search (oblique.c). Coarser loses boards, finer costs time in proportion.
    double scale_least;      // Map pixels an inch: boards from 130 pixels wide in 640.
    double scale_most;       // Above it the map half as wide is read.
    double scales_an_octave; // Steps of the scale. 16 found the same boards of 38.
    double cos_least;        // Cosine of the slant off the line of sight: 84 degrees ...
    double cos_most;         // ... to 45, where other candidates are found.
    double cos_step;         // Steps of it. 0.035 found the same boards.
    double roll_step_rad;    // To each side once: tables stand upright, cameras nearly.
    double f_usual;          // Of the width, while nothing is known: halls are filmed from afar; 1.0 to 2.8 were seen.
    double centre_from_u;    // Share of the width where a centre may be, from ...
    double centre_to_u;      // ... to.
    double centre_from_v;    // Of the height, from ...
    double centre_to_v;      // ... to.

    // The fine search, and what it believes before.
    double innermost_weight; // Of the innermost circle, to 1 of the others: pegs hide it.
    double step_weight;      // Of the step from surface to ditch.
    double log_f_sigma;      // 1 sigma of ln of the focal length.
    double log_f_least;      // ln of the least focal length in widths ...
    double log_f_most;       // ... and of the most. Without bounds the fit runs to them.
    double roll_sigma_rad;   // 1 sigma of the roll ...
    double roll_most_rad;    // ... and the most of it.
    double surface_sigma_in; // 1 sigma of where the surface ends ...
    double surface_reach_in; // ... and how far off it may be: boards differ.
    double prior_weight;     // Of a squared sigma, in units of the score.
    double pose_cos_least;   // What the fine search may reach.
    double pose_cos_most;    // The same.
    double scale_slack;      // Times the grid's scales: how far beyond them it may go.
    double level_reach;      // Times scale_most: boards up to there are still read better in the wider map.

    // What is a board (oblique_is_board). Measured on 38 labelled and 98 other stills of tournament recordings, on the labelled ones
    // with their boards painted over or torn in halves, and on rendered pictures without a board: those showed half of the pegs and
    // a score of 1.0 with them at most, a board of other circles 1.4 without; of boards that a person can read few less than 1.75.
    double peg_contrast;   // Of the luma beside it: a peg is surely seen. Dark boards show less of everything.
    double peg_least_code; // What differs by less may be noise.
    double score_least;    // Score of lines, edge and pegs together. More refuses faint boards, less finds others.
    double
        second_line_least; // Of a board of several circles: what its second line must show, in deviations of circles of wrong
        // radii. Of 98 boards in stills all but one, 82 degrees off, show 2 and more; a cover's rim 0.5.
    double pegs_least; // Share of the pegs' contrast: targets and plates have lines, but no pegs.
    double line_least; // Of a board without pegs: what its strongest line must show, in deviations.

    // Its lines refined (find.c).
    double told_share; // Of score_least: of what shows less a refusal does not speak; people and chairs show a third.
    double told_px_per_in;       // Boards of fewer pixels an inch are told to be far away ...
    double told_depth_px_per_in; // ... and of fewer an inch in depth to be flat.
    double groove_window_px; // How far from the view a line's contrast is looked for: a view is good to a pixel or two.
    double coverage_least;   // As board_tuning's: grooves wash out under hall lights, arms and score tables hide.
    double noise_most_px;    // The same: grooves washed out by light waver more.
    double view_f_sigma;     // 1 sigma of ln of the focal length that the view came with.
};

extern const struct oblique_tuning oblique_tuning_defaults;

// A row for every field.
extern const struct tuning_fields oblique_tuning_fields;

#endif
