// SPDX-License-Identifier: MIT
// whole_file.h: a file read at once, never more than a limit, or written at once, whole or not at all.
#ifndef RINGSIDE_CALIBRATION_WHOLE_FILE_H
#define RINGSIDE_CALIBRATION_WHOLE_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "calibration/fail.h"

// Opens `path` to be read. Where it is a pipe the first bytes, or its writer's end, are waited for, and a signal that
// asks for an end (interrupt.h) ends that: RS_EENDED. RS_EIO, RS_ENOMEM, with words that begin with the path.
int whole_file_open(FILE **out, const char *path, struct fail *why);

// Reads all of `path` into *out, which the caller frees with free(). RS_EIO when it cannot be read or is a folder,
// RS_EINPUT when it is empty or longer than `most` bytes, RS_ENOMEM. The words begin with the path.
// RS_EENDED as whole_file_open.
int whole_file_read(uint8_t **out, size_t *size, const char *path, size_t most, struct fail *why);

// As atomic_file.h makes files: an older one of that name stays until the new one is whole, and nothing half-written
// is left behind. RS_E... as atomic_file_begin and atomic_file_finish; the words begin with the path.
int whole_file_write(const char *path, const void *bytes, size_t size, struct fail *why);

#endif
