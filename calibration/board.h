// SPDX-License-Identifier: MIT
// board.h: boards as data, in inches: what is painted on them, what stands on them, how large the pieces are.
//
// A board never changes once made. Angles are counter-clockwise from +x; a round board has no marked north, so a
// found board's x axis is chosen by the finder (along a quadrant line where there are any).
#ifndef RINGSIDE_CALIBRATION_BOARD_H
#define RINGSIDE_CALIBRATION_BOARD_H

#include <stdbool.h>

#include "calibration/fail.h"

enum piece_kind { PIECE_DISC, PIECE_RING, PIECE_MARBLE };

// What each is called in files and to people; NULL at the end.
extern const char *const piece_words[];

// What kind of playing field it is; decides how it is found and how zones are counted.
enum board_kind {
    BOARD_CIRCLES, // concentric scoring circles on a raised round surface (crokinole)
    BOARD_RING,    // one ring line on the floor (marbles)
};

enum { BOARD_MAX_CIRCLES = 6, BOARD_MAX_LEGS = 12, BOARD_MAX_PEGS = 64 };

// Boards are cut by hand and warp: at an angle a the painted line deviates from its circle by s0 + s1 cos a + s2 sin a
// + s3 cos 2a + s4 sin 2a + s5 cos 3a + s6 sin 3a, inches outwards.
enum { LINE_DEVIATION_TERMS = 7 };

// Where the radius of a circle is measured.
enum circle_edge {
    CIRCLE_LINE_CENTRE, // middle of the painted line
    CIRCLE_LINE_INSIDE, // inside edge of the painted line; for a board of one circle
};

struct board {
    char name[64]; // "crokinole-nca"
    enum board_kind kind;

    int circles;                         // how many scoring circles, outermost first; 1 .. BOARD_MAX_CIRCLES
    double circle_in[BOARD_MAX_CIRCLES]; // radius of each
    double line_deviation_in[BOARD_MAX_CIRCLES][LINE_DEVIATION_TERMS]; // measured; all 0: true circles
    int zone_points[BOARD_MAX_CIRCLES]; // points of the area just inside each circle: 5, 10, 15
    enum circle_edge edge;              // what circle_in measures
    double line_width_in;               // of the painted circles, usual or measured; 0 when nothing is known of it
    double hole_radius_in;              // centre hole; 0 when there is none
    double hole_depth_in;               // how far a piece in the hole lies below the surface
    int hole_points;                    // 20
    int pegs;                           // pegs on the innermost circle; 0 when there are none
    double peg_radius_in;               // of one peg
    bool quadrant_lines;                // four lines between the two outermost circles
    double surface_radius_in;           // playing surface ends here; beyond is the ditch. 0 for a floor
    double ditch_depth_in;              // how far a piece in the ditch lies below the surface

    enum piece_kind piece;                       // what is played with
    double piece_radius_in;                      // outer radius of the usual piece (of a target marble)
    double piece_height_in;                      // top face above the surface; twice the radius for a marble
    double piece_hole_radius_in;                 // inner radius of a ring; 0 for others
    double taw_radius_min_in, taw_radius_max_in; // marbles: the shooter's legal radii; 0 for others

    int legs, on_leg; // targets are set up as a cross: one at the centre, on_leg on each leg; 0: nowhere in particular
    double leg_step_in; // from one to the next along a leg
};

// The built-in board of that name, NULL when there is none. Static; never freed.
const struct board *board_builtin(const char *name);

// The i-th built-in board in alphabetical order, NULL past the end.
const struct board *board_builtin_at(int i);

// Radius of the middle of a circle's painted line, whichever edge circle_in measures.
double board_line_middle_in(const struct board *b, int circle);

// How far outwards a line deviates in this direction; 0 for NULL.
double board_line_deviation_in(const double line_deviation_in[LINE_DEVIATION_TERMS], double angle_rad);

// Turns what has a direction: where the x axis lies afterwards, `angle_rad` pointed before.
void board_turn(struct board *b, double angle_rad);

// 0 when every number is possible and they fit each other; otherwise RS_EINPUT and which one is wrong.
int board_check(const struct board *b, struct fail *why);

#endif
