// SPDX-License-Identifier: MIT
// detection.h: what vision gives out: pieces in inches with their uncertainty, and what happened to them.
//
// The only pixel here (`px`, `outline radius`) is for drawing and for pairing with labels; nothing decides by it.
#ifndef RINGSIDE_VISION_DETECTION_H
#define RINGSIDE_VISION_DETECTION_H

#include <stdbool.h>

#include "calibration/board.h"
#include "calibration/camera.h"
#include "calibration/observation.h"
#include "calibration/pose_fit.h"
#include "calibration/units.h"

enum { COLOUR_NAME_MAX = 16, MAX_PIECES = 96 };

// One piece as seen in one frame.
struct detection {
    enum piece_kind kind;
    enum piece_place plane;
    struct pt_in at;              // where it stands: its centre's foot on the plane (a marble's contact point)
    struct cov_in2 cov;           // of `at`: edge fit and camera together, floor included
    double radius_in;             // measured for a marble, the board's nominal one for discs and rings
    double lab[3];                // mean CIE L*a*b* of its face (L 0..100), for telling sides apart
    char colour[COLOUR_NAME_MAX]; // short English name, the same for all pieces of one side
    bool taw;                     // marbles: the shooter's, told from targets by size and colour
    double taw_certainty;         // 0.5 (cannot tell) .. 1; 1 for discs and rings
    struct pt_px px;              // image of the centre of the top face (disc, ring) or of the sphere's centre
    double support;               // 0..1: share of its visible outline that the picture confirms
};

struct detection_list {
    int count;
    struct detection piece[MAX_PIECES];
};

// What a found board's focal length rests on.
enum focal_from {
    FOCAL_FROM_LENS,    // a lens file
    FOCAL_FROM_TARGET,  // the printed target lying on the board's plane
    FOCAL_FROM_CIRCLES, // the picture of the board's own lines
    FOCAL_ASSUMED,      // what is usual for a camera: the picture hardly shows it
};

// How well a picture shows the board found in it.
struct clarity {
    double blur_px; // 1 sigma of its sharpest line's edges; 0: no line shows it
    double
        in_blocks; // 0..1: share of the variance of the pixels' errors that compression made, a block of 8 x 8 at a time
    double block_step; // 1 sigma of that part, 8-bit steps
    double brightness; // 0..255: median luma of the surface within the outermost line; 0: not looked at
    double clipped;    // 0..1: share of that surface that is burnt out
};

// A board found in a picture.
struct board_pose {
    bool found;
    struct board board; // as measured: radii in inches (scaled by the outermost circle), line width
    bool nominal;       // the radii are those of the board asked for (they fitted); false: measured ratios
    struct camera camera;
    struct pose_fit fit; // what `camera` comes from: pose_fit_place_cov tells how well any place of the board is known
    bool turn_seen;      // four quadrant lines were seen: the x axis runs along one of them
    double rms_px;       // residual of the lines against the fit
    double f_sigma_px;   // 1 sigma of the focal length; 0 when a lens file took it as exact
    enum focal_from focal_from;
    double line_sigma_in; // 1 sigma of a place beside the outermost line, from the fit alone
    double coverage;      // 0..1: share of the lines' length that was seen where the fit puts it
    struct clarity clarity;
};

#endif
