// SPDX-License-Identifier: MIT
// cameras.h: `ringside cameras` by way of another system than the computer's own.
#ifndef RINGSIDE_REFEREE_COMMANDS_CAMERAS_H
#define RINGSIDE_REFEREE_COMMANDS_CAMERAS_H

#include <stdio.h>

#include <jansson.h>

#include "referee/commands/options.h"
#include "vision/source/camera_system.h"
#include "vision/source/source.h"

// Tells of all cameras, or of the operand's, and takes its test picture. RS_EIO: there is none, or none such.
int cameras_tell(FILE *to, const struct camera_system *sys, const struct options *o, struct fail *why);

// All of them, each with its modes and the one that is taken for the board; the caller ends with json_decref. NULL when
// there is no memory.
json_t *cameras_json(const struct camera_system *sys, const struct camera_wish *wish);

#endif
