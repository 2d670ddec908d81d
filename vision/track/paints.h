// SPDX-License-Identifier: MIT
// paints.h: the colours that pieces were seen to have: the finder names those of one frame, of a whole game they have to
// stay the same.
#ifndef RINGSIDE_VISION_TRACK_PAINTS_H
#define RINGSIDE_VISION_TRACK_PAINTS_H

#include "vision/detection.h"

enum { PAINTS_MAX = 8 };

struct paints {
    int count;
    struct {
        char colour[COLOUR_NAME_MAX];
        double lab[3];
    } paint[PAINTS_MAX];
};

// Gives the piece the name of the paint that its colour is nearest to, if one is nearer than `same_lab` (CIE76).
void paints_name(const struct paints *paints, struct detection *p, double same_lab);

// The same for a piece that ran: its colour is a mixture of its paint and of what it ran over, `clean_lab`.
void paints_name_mixed(const struct paints *paints, struct detection *p, const double clean_lab[3], double same_lab);

// The newest of a name counts. When there is no room for another name, it is not remembered.
void paints_remember(struct paints *paints, const struct detection *p);

#endif
