// SPDX-License-Identifier: MIT
// hall.h: viewers of the pages, many, in a process of their own, so that what they cost is told apart from what the
// referee does.
//
// Each reads server-sent events as a browser does and says when the score after a shot came to him.
#ifndef RINGSIDE_TESTS_HALL_H
#define RINGSIDE_TESTS_HALL_H

#include <stdbool.h>
#include <sys/types.h>

#include "calibration/fail.h"

struct hall {
    pid_t process;
    int orders, said; // the ends of two pipes
};

// What the hall says. Of each kind but HALL_SHOT one, in this order, when it has done what it was told.
enum hall_said {
    HALL_SHOT,  // one viewer has the score as it is after shot `n`, since `value` seconds by the clock
    HALL_LOST,  // `n` viewers were dropped by the server since the last order
    HALL_BYTES, // `value` bytes came to all of them since the last order
    HALL_BUSY,  // `value` seconds of processor time it took so far
    HALL_READY, // `n` viewers are there, and each was given the whole
};

struct hall_report {
    enum hall_said what;
    int n;
    double value;
};

// As many open files as `needed`, for this process and those that it begins. RS_EINPUT, with what to do, where the
// system refuses.
int hall_raise_files(int needed, struct fail *why);

// Begins before there are threads; hall_end takes NULL and one that never began (all zero). RS_ELIB.
int hall_begin(struct hall *out, int viewers_most, struct fail *why);
void hall_end(struct hall *h);

// So many viewers from now on, at that port of this machine: 0 sends them away. It is answered by reports.
void hall_order(const struct hall *h, int viewers, int port);

// The next report, if there is one. Never waits.
bool hall_next(struct hall_report *out, const struct hall *h);

#endif
