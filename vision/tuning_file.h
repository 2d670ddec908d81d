// SPDX-License-Identifier: MIT
// tuning_file.h: the stages' numbers from a file, for experiments (`--tune FILE`).
//
// A JSON object with an object a stage: { "board": { "FIELD": NUMBER, ... }, "disc": { ... }, "marble": { ... },
// "appearance": { ... }, "oblique": { ... }, "evidence": { ... }, "track": { ... } }.
// What a file leaves out keeps its default.
#ifndef RINGSIDE_VISION_TUNING_FILE_H
#define RINGSIDE_VISION_TUNING_FILE_H

#include "vision/tuning.h"

// The defaults, with the file's numbers over them. RS_EIO; RS_EINPUT, *out then being the defaults, names the file, the
// stage and the field that is unknown, is no number or lies outside its range.
int tuning_read(struct tuning *out, const char *path, struct fail *why);

#endif
