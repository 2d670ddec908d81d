// SPDX-License-Identifier: MIT
// json_file.h: a small JSON object from a file of a user, read with care.
#ifndef RINGSIDE_CALIBRATION_JSON_FILE_H
#define RINGSIDE_CALIBRATION_JSON_FILE_H

#include <jansson.h>

#include "calibration/fail.h"

enum { JSON_FILE_MAX = 1024 * 1024 }; // bytes; a board or a lens has a few hundred

// The caller frees *out with json_decref. RS_EIO when it cannot be read; RS_EINPUT when it is too large, not JSON or not
// an object.
int json_file_read(json_t **out, const char *path, struct fail *why);

// Writes the whole file beside its place and then puts it there, so that nobody ever reads half a file. RS_EIO.
int json_file_write(const char *path, const json_t *o, struct fail *why);

#endif
