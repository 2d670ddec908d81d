// SPDX-License-Identifier: MIT
// calibration.h: the found board against the truth's camera: are the circles where they are drawn, and are the stated
// errors the real ones. No lens file is given: the picture has to tell.
#ifndef RINGSIDE_TESTS_ACCURACY_CALIBRATION_H
#define RINGSIDE_TESTS_ACCURACY_CALIBRATION_H

#include <jansson.h>

#include "calibration/camera.h"
#include "vision/frame.h"

// The camera that took the picture, as the truth has it. False when that is no possible camera.
bool calibration_camera(struct camera *c, const json_t *truth);

// The picture that a truth file speaks of; the caller frees it with frame_free. NULL, with the reason, when it cannot
// be read.
struct frame *calibration_picture(const char *truth_path, const json_t *truth, struct fail *why);

// The 95th percentile of how far the drawn circles of one picture lie off the true ones, inches; INFINITY when no board
// was found. RS_E... as calibration_table.
int calibration_circles(double *off_in, const char *truth_path, struct fail *why);

// Finds the board in the picture of every truth file and prints the table. RS_EIO, RS_EINPUT when a file is not what it
// should be.
int calibration_table(const char (*truth_paths)[512], int n, struct fail *why);

#endif
