// SPDX-License-Identifier: MIT
// progress.h: how far a long job is and how long it will still take, on one line of a terminal.
#ifndef RINGSIDE_REFEREE_COMMANDS_PROGRESS_H
#define RINGSIDE_REFEREE_COMMANDS_PROGRESS_H

#include <stdbool.h>

struct progress {
    bool shown;     // standard error is a terminal and it is wanted
    double whole_s; // of the footage; 0 when unknown
    double begun_s; // the clock when it began
    double told_s;  // the clock when it was last told
};

struct progress progress_begin(double whole_s, bool wanted);

// The footage has been looked at up to `done_s`.
void progress_tell(struct progress *p, double done_s);

// Takes the line away, so that something else can be said; the next progress_tell brings it back.
void progress_clear(struct progress *p);

#endif
