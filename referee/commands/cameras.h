// SPDX-License-Identifier: MIT
// cameras.h: `ringside cameras` by way of another system than the computer's own.
#ifndef RINGSIDE_REFEREE_COMMANDS_CAMERAS_H
#define RINGSIDE_REFEREE_COMMANDS_CAMERAS_H

#include <stdio.h>

#include "referee/commands/options.h"
#include "vision/source/camera_system.h"

// Tells of all cameras, or of the one that is the operand, and takes its test picture. RS_EIO: there is none, or none such.
int cameras_tell(FILE *to, const struct camera_system *sys, const struct options *o, struct fail *why);

#endif
