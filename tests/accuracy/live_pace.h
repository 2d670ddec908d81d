// SPDX-License-Identifier: MIT
// live_pace.h: a camera's frames as they come: which are dropped, how late a call is, whether memory grows.
#ifndef RINGSIDE_TESTS_LIVE_PACE_H
#define RINGSIDE_TESTS_LIVE_PACE_H

#include "tests/accuracy/live_pipeline.h"
#include "tests/accuracy/mjpeg_game.h"
#include "vision/source/source.h"

// A camera that sends a game's pictures when they are due, from *from_s by the clock on, and ends after so many
// seconds. Game and unpacker are borrowed; the caller ends with source_close. RS_ENOMEM.
int paced_camera(struct source **out, double *from_s, const struct mjpeg_game *g, struct unpacker *unpacker,
                 double seconds, struct fail *why);

// By the clock: one or two cameras, each with the thread that reads it and one that judges. RS_E... as the pipeline's.
int live_pace(struct report *r, const char *size, const struct mjpeg_game *g, int cameras, double seconds,
              struct fail *why);

// The same of one camera on one core by processor time, which nobody else on the machine can take. RS_E... as the
// pipeline's.
int live_core(struct report *r, const char *size, const struct mjpeg_game *g, double seconds, struct fail *why);

// Seconds of a game four times as fast, looked at at the same moment of each shot: when it is called. 1: memory grew,
// or files stayed open. RS_E... as the pipeline's; RS_EINPUT when that is too short.
int live_soak(const char *folder, double seconds, struct fail *why);

// This process and its threads to come run on the first so many cores.
void live_stay_on(size_t cores);

#endif
