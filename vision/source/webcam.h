// SPDX-License-Identifier: MIT
// webcam.h: webcam_open (source.h) by way of another system than the computer's own.
#ifndef RINGSIDE_VISION_SOURCE_WEBCAM_H
#define RINGSIDE_VISION_SOURCE_WEBCAM_H

#include "vision/source/camera_system.h"
#include "vision/source/source.h"

// `sys` is borrowed until the source is closed.
int webcam_open_by(struct source **out, const struct camera_system *sys, const char *named,
                   const struct camera_wish *wish, struct fail *why);

#endif
