// SPDX-License-Identifier: MIT
// inputs.h: the pictures that a person named, folders opened.
#ifndef RINGSIDE_REFEREE_COMMANDS_INPUTS_H
#define RINGSIDE_REFEREE_COMMANDS_INPUTS_H

#include "calibration/fail.h"

struct inputs {
    int count;
    char **path;
};

// A file stands for itself, whether it exists or not; a folder for its .jpg, .jpeg and .png in order of name, without
// those that ringside wrote. The caller ends with inputs_finish, also after a failure. RS_EIO when a folder cannot be
// read, RS_EINPUT when there is no picture in it.
int inputs_find(struct inputs *out, char **operand, int operands, struct fail *why);
void inputs_finish(struct inputs *in);

#endif
