// SPDX-License-Identifier: MIT
// detection.h: what vision gives out: pieces in inches with their uncertainty, and what happened to them.
//
// The only pixel here (`px`) is for drawing and for pairing with labels; nothing decides by it.
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
    struct cov_in2 cov;           // of `at`: of the fit, the pose and the noise floor together
    double radius_in;             // a marble's own; of a disc or ring that of the set, which has one size
    double radius_sigma_in;       // marbles: 1 sigma of it
    double lab[3];                // mean CIE L*a*b* of its face (L 0..100), for telling sides apart
    double ground_l;              // L* of bare ground beside it, a measure of its light; 0: not measured
    char colour[COLOUR_NAME_MAX]; // short English name, the same for all pieces of one side
    bool taw;                     // marbles: the shooter's, which differs from targets in size and colour
    double certainty;             // 0.5 (cannot say) .. 1: marbles: of `taw`; discs and rings: that it is one at all
    struct pt_px px;              // image of the centre of the top face (disc, ring) or of the sphere's centre
    double support; // 0..1: of a disc's or ring's visible outline, what has the step that the model predicts; of what
                    // differs from bare carpet around a marble, what the model explains
};

struct detection_list {
    int count;
    struct detection piece[MAX_PIECES];
};

// How high above the surface its foot is, below 0 in the hole and the ditch; and how high above its foot `px` is.
double detection_foot_in(const struct detection *p, const struct board *b);
double detection_height_in(const struct detection *p, const struct board *b);

// That a piece came into view, that it is at rest: the observations that say where and what it is.
struct observation detection_seen(const struct detection *p, int id, double t_s);
struct observation detection_rest(const struct detection *p, int id, double t_s);

enum { PHOTO_OBSERVATIONS_MAX = 2 * MAX_PIECES + 1 };

// A photograph is a position at rest: each piece seen and at rest, with ids 1 .. in the order of the list, then still.
// Returns how many observations there are.
int detection_photo(struct observation out[PHOTO_OBSERVATIONS_MAX], const struct detection_list *pieces);

// Something that happened: the observation is all that the referee judges by, the rest is for drawing.
struct event {
    struct observation observation;
    struct detection piece; // seen, rest, move, gone: as last measured
    struct pt_in hand_at;   // hand: where it came in
};

// Grows as it must. { 0 } is an empty one; it ends with event_list_free.
struct event_list {
    int count, room;
    struct event *item;
    bool no_memory; // one that came could not be kept: the list is not all that happened
};

void event_list_add(struct event_list *list, const struct event *e);
void event_list_free(struct event_list *list); // it may be used again, as an empty one

// What a found board's focal length rests on.
enum focal_from {
    FOCAL_FROM_LENS,    // a lens file
    FOCAL_FROM_TARGET,  // the printed target lying on the board's plane
    FOCAL_FROM_CIRCLES, // the picture of the board's own lines
    FOCAL_ASSUMED,      // what is usual for a camera: the picture hardly shows it
};

// How well a picture shows a painted line.
struct line_clarity {
    double radius_in; // middle of the line
    double seen;      // 0..1: share of its length where the line is seen within a few pixels of the fit
    double outside;   // 0..1: share of its length that lies outside the picture
    double noise_px;  // robust 1 sigma across the line, of what was seen against the fit; 0 when nothing was
    double blur_px;   // 1 sigma; 0 when the line does not show it
};

// How well a picture shows the board found in it.
struct clarity {
    double blur_px;       // 1 sigma of its sharpest line's edges, luma's as far as they show any; 0: no line shows it
    double in_blocks;     // 0..1: share of the variance of the pixels' errors that compression made, in blocks of 8 x 8
    double block_step;    // 1 sigma of that part, 8-bit steps
    double brightness;    // 0..255: median luma of the surface within the outermost line; 0: not looked at
    double clipped, dark; // 0..1: share of that surface that is burnt out, that is nearly black
    double seen, outside; // 0..1: share of all lines' length
    bool colourless;      // so little colour of its own that sides cannot be distinguished
    double fit_blur_px;   // to fit pieces with: blur_px as far as that can be, else a usual one; 0: not looked at
    int lines;            // as the board's circles, outermost first
    struct line_clarity line[BOARD_MAX_CIRCLES];
};

// A board found in a picture.
struct board_pose {
    bool found;
    struct board board; // as measured: radii in inches (scaled by the outermost circle), line width
    bool nominal;       // the radii are those of the board asked for (they fitted); false: measured ratios
    struct camera camera;
    struct pose_fit fit; // what `camera` comes from: pose_fit_place_cov says how well any place of the board is known
    bool turn_seen;      // four quadrant lines were seen: the x axis runs along one of them
    double rms_px;       // residual of the lines against the fit
    double f_sigma_px;   // 1 sigma of the focal length; 0 when a lens file took it as exact
    enum focal_from focal_from;
    double line_sigma_in;   // 1 sigma of a place beside the outermost line, from the fit alone
    double coverage;        // 0..1: share of the lines' length that was seen where the fit puts it
    struct clarity clarity; // of the picture in which it was found
};

#endif
