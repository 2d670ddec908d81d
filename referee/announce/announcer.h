// SPDX-License-Identifier: MIT
// announcer.h: the one face of all that tell calls to somebody: a ruling goes in.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_ANNOUNCER_H
#define RINGSIDE_REFEREE_ANNOUNCE_ANNOUNCER_H

#include "calibration/fail.h"
#include "referee/rules/match.h"

struct announcer {
    // Told once for every observation that brought calls, ended a shot or is about the camera; `m` is how the match
    // stands after it.
    // RS_EIO when it cannot be told.
    int (*say)(void *self, const struct match *m, const struct ruling *r, struct fail *why);
    void *self;
};

#endif
