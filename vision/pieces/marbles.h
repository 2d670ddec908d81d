// SPDX-License-Identifier: MIT
// marbles.h: the marbles of one still frame, and which of them is the taw.
//
// In a stream only what has come is measured: marbles that lie untouched are as they were, and so is the light.
#ifndef RINGSIDE_VISION_PIECES_MARBLES_H
#define RINGSIDE_VISION_PIECES_MARBLES_H

#include "vision/detection.h"
#include "vision/pieces/pieces_known.h"
#include "vision/frame.h"
#include "vision/pieces/residual_map.h"
#include "vision/pieces/sphere_fit.h"
#include "vision/pieces/taw.h"

// What the still frames of a stream before this one showed; all 0 before the first.
struct marbles_seen {
    struct sphere_light light;
    int lit_by;      // from so many marbles; 0: not measured
    double lit_at_s; // and when
    struct residual_scale residuals;
    int count;
    struct sphere_fit fit[MAX_PIECES];
    struct size_seen free_size[MAX_PIECES]; // found without believing anything of it; sigma 0: it was not
};

// As pieces_find, for a board that is played with marbles. `colour` and `taw` are set. RS_ENOMEM, and RS_ELIB when
// OpenCV fails.
int marbles_find(struct detection_list *out, const struct frame *f, const struct board_pose *pose,
                 const struct pieces_known *known, const struct tuning *tuning, struct fail *why);

// What a person would call a marble's colour: that of its lit side. `mean`: of all of it that is seen (colour.h), lit
// and shaded, as the light shines on all of them. One of the names of colour.h, but for those of wood.
const char *marbles_colour_name(const double mean[SPHERE_CHANNELS], const struct sphere_light *l,
                                const struct marble_tuning *tuning);

#endif
