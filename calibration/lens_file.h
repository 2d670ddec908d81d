// SPDX-License-Identifier: MIT
// lens_file.h: a camera's lens, kept in a file and read again: `{"ringside_lens": 1, "width": ..., "f_px": ...}`.
#ifndef RINGSIDE_CALIBRATION_LENS_FILE_H
#define RINGSIDE_CALIBRATION_LENS_FILE_H

#include "calibration/camera.h"
#include "calibration/json_file.h"

// The numbers of a struct lens as every file has them, each with the range that it can have.
enum { LENS_FIELDS = 9 };
extern const struct json_field lens_fields[LENS_FIELDS];

// RS_EIO when the file cannot be read, RS_EINPUT naming the field that is missing or impossible.
int lens_file_read(struct lens *out, const char *path, struct fail *why);

// Replaces the file as a whole. rms_px: the calibration's own residual. RS_EIO; RS_EINPUT when a number is none
// that the file can have.
int lens_file_write(const char *path, const struct lens *lens, double rms_px, struct fail *why);

#endif
