// SPDX-License-Identifier: MIT
// crowd.h: several circles around one centre where a single ring is wanted: a rug, a target, a dial, a board of circles.
#ifndef RINGSIDE_VISION_BOARD_CROWD_H
#define RINGSIDE_VISION_BOARD_CROWD_H

#include <stdbool.h>

#include "calibration/camera.h"
#include "vision/board/circle_pattern.h"
#include "vision/board/edges.h"

struct crowd {
    bool seen;
    struct camera camera; // that sees them as circles about its board's middle
    double radius;        // of the outermost, in the unit of that camera
};

// The painted circles around the middle of a camera's board: true when they are a crowd, which *out then is; else it stays as it is.
bool crowd_look(struct crowd *out, const struct camera *c, const struct painted_circle *circles, int n,
                const struct board_tuning *t);

// Whether this camera's board has its middle among them.
bool crowd_holds(const struct crowd *crowd, const struct camera *c);

// The edges among them are taken out of the list.
void crowd_leave_out(const struct crowd *crowd, struct edge_list *edges);

#endif
