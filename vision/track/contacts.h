// SPDX-License-Identifier: MIT
// contacts.h: change points of a trajectory, and what the shooter's piece touched first: a peg that turned it aside, or
// the piece that then began to move.
//
// Between two contacts a piece runs straight and friction slows it evenly. A change point is believed when no straight
// run explains the points and two runs that meet in one moment do; that moment is where they meet, between two frames.
#ifndef RINGSIDE_VISION_TRACK_CONTACTS_H
#define RINGSIDE_VISION_TRACK_CONTACTS_H

#include "calibration/observation.h"
#include "vision/track/trajectory.h"

struct change_point {
    double t_s, sigma_t_s;
    struct pt_in at;
    bool peg; // a peg did it, as far as place and rebound show
    int next; // the first point after it
};

// The first change point of the trajectory from point `from` on; false when it runs straight. Where on their circle the
// pegs stand is not asked, only whether it turned at that circle.
bool change_point_find(struct change_point *out, const struct trajectory *p, int from, const struct board *b);

enum { CONTACTS_MAX = 8 }; // the first alone counts; a piece that pegs turn more often was not followed well

// Fills in what it touched, in order of time; how many. `by` is the shooter's piece as it lay, absent since it was
// shot; `struck` the first other piece that moved, NULL when none did.
int contacts_find(struct observation out[CONTACTS_MAX], const struct track *by, const struct track *struck,
                  const struct motions *m, const struct board *b);

#endif
