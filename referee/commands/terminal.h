// SPDX-License-Identifier: MIT
// terminal.h: the terminal of whoever started a long job: single keys and the wish to end (interrupt.h) without waiting
// for either, and how far the job is, or how a game stands, on one line.
#ifndef RINGSIDE_REFEREE_COMMANDS_TERMINAL_H
#define RINGSIDE_REFEREE_COMMANDS_TERMINAL_H

#include <stdbool.h>
#include <termios.h>

#include "calibration/fail.h"

struct keys {
    bool raw;              // standard input is a terminal and gives single keys
    struct termios before; // how it was, when raw
};

enum { KEY_NONE = 0, KEY_END = -1 };

// How long a key may wait while no frame comes.
static const double KEYS_EVERY_S = 0.05;

// The caller ends with keys_finish; all zero is fine.
void keys_open(struct keys *k);

// The key that was pressed, of several bytes the first; KEY_NONE; KEY_END when the program is asked to end.
int keys_next(struct keys *k);

// Puts the terminal back as it was; a second signal does so too.
void keys_finish(struct keys *k);

// What could not be written could not because whoever read standard output has gone, as `head` does.
bool output_is_unread(const struct fail *why);

enum { STATUS_LINE_MAX = 512 };

// A line that stands below everything else. All zero: nothing is shown.
struct status_line {
    bool shown; // standard error is a terminal that can take a line back, and it is wanted
    char text[STATUS_LINE_MAX];
    int columns; // of the terminal when it was drawn; 0: it is not there now
};

struct status_line status_line_begin(bool wanted);

// Puts `text` there, made plain and cut to the terminal's width as that is now, when it is not there already.
void status_line_show(struct status_line *l, const char *text);

// Takes it away, so that something else can be said; the next status_line_show brings it back.
void status_line_clear(struct status_line *l);

// How far a job is, on such a line. All zero: nothing is shown.
struct progress {
    struct status_line line;
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
