// SPDX-License-Identifier: MIT
// keys.h: single keys of the terminal and the wish to end (Ctrl-C, a polite kill), without waiting for either.
#ifndef RINGSIDE_REFEREE_COMMANDS_KEYS_H
#define RINGSIDE_REFEREE_COMMANDS_KEYS_H

#include <stdbool.h>
#include <termios.h>

#include "calibration/fail.h"

struct keys {
    int signals;           // gives out SIGINT and SIGTERM
    bool raw;              // standard input is a terminal and gives single keys
    struct termios before; // how it was, when raw
};

enum { KEY_NONE = 0, KEY_END = -1 };

// Before any thread is started, so that none of them takes the signals. RS_EIO. The caller ends with keys_finish.
int keys_open(struct keys *k, struct fail *why);

// The key that was pressed; KEY_NONE; KEY_END when the program is asked to end.
int keys_next(struct keys *k);

// Puts the terminal back as it was.
void keys_finish(struct keys *k);

#endif
