// SPDX-License-Identifier: MIT
// device.h: the camera of a command line: what --camera names, or the system's first one. A file plays a camera.
#ifndef RINGSIDE_REFEREE_COMMANDS_DEVICE_H
#define RINGSIDE_REFEREE_COMMANDS_DEVICE_H

#include <stdbool.h>

#include "referee/commands/options.h"
#include "vision/source/source.h"

// False for footage that plays a camera; what does not exist counts as a camera, which is then told to be missing.
bool device_is_camera(const struct options *o);

// RS_E... as webcam_open and footage_open. The caller closes *out.
int device_open(struct source **out, const struct options *o, struct fail *why);

#endif
