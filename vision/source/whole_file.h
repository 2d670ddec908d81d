// SPDX-License-Identifier: MIT
// whole_file.h: a file's bytes in memory, never more than a limit.
#ifndef RINGSIDE_VISION_SOURCE_WHOLE_FILE_H
#define RINGSIDE_VISION_SOURCE_WHOLE_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "calibration/fail.h"

// Reads all of `path` into *out, which the caller frees with free(). RS_EIO when it cannot be read or is a folder,
// RS_EINPUT when it is empty or longer than `most` bytes. The words begin with the path.
int whole_file_read(uint8_t **out, size_t *size, const char *path, size_t most, struct fail *why);

#endif
