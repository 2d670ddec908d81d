// SPDX-License-Identifier: MIT
// places.h: circles on the board: all of what has to be looked at.
#ifndef RINGSIDE_VISION_PIECES_PLACES_H
#define RINGSIDE_VISION_PIECES_PLACES_H

#include <stdbool.h>

#include "vision/detection.h"

enum { PLACES_MAX = 2 * MAX_PIECES };

struct places {
    int count;
    struct place {
        struct pt_in at;
        double reach_in;
    } item[PLACES_MAX];
};

void places_add(struct places *p, struct pt_in at, double reach_in); // lost when there are more than fit
bool places_hold(const struct places *p, struct pt_in at);

// From where to where the line at y_in leads through them, each larger by beyond_in; false when it misses them all.
bool places_span(double *from_in, double *to_in, const struct places *p, double y_in, double beyond_in);

#endif
