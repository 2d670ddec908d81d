// SPDX-License-Identifier: MIT
// frame_file.h: a frame to a picture file, whole or not at all.
#ifndef RINGSIDE_VISION_FRAME_FILE_H
#define RINGSIDE_VISION_FRAME_FILE_H

#include "vision/frame.h"

// Writes `f` to `path`: as PNG when the name ends in .png, as JPEG (quality 92) when it ends in .jpg or .jpeg, in any
// case of letters. An older file of that name is replaced in one step, by renaming; when something fails the older one
// is still there and nothing half-written is left. RS_EINPUT for another ending, RS_EIO when the folder does not let us
// write, RS_ELIB.
int frame_write(struct frame *f, const char *path, struct fail *why);

#endif
