// SPDX-License-Identifier: MIT
// tuning_file.h: the stages' numbers from a file, for experiments (`--tune FILE`).
//
// A JSON object with an object a stage: { "board": { "FIELD": NUMBER, ... }, "disc": { ... }, "marble": { ... },
// "appearance": { ... }, "oblique": { ... }, "evidence": { ... }, "track": { ... } }.
// What a file leaves out keeps its default.
#ifndef RINGSIDE_VISION_TUNING_FILE_H
#define RINGSIDE_VISION_TUNING_FILE_H

#include "vision/tuning.h"

enum { TUNING_STAGES = 7 };

// The caller's own numbers. `all` points into the set itself: a set stays where it is and is never copied.
struct tuning_set {
    struct board_tuning board;
    struct disc_tuning disc;
    struct marble_tuning marble;
    struct appearance_tuning appearance;
    struct oblique_tuning oblique;
    struct evidence_tuning evidence;
    struct track_tuning track;
    struct tuning all;
};

// A stage of a set: its rows, and its numbers as the array of doubles that the rows' offsets count from.
struct tuning_stage {
    const struct tuning_fields *fields;
    double *numbers;
    size_t size; // bytes of its struct
};

void tuning_set_defaults(struct tuning_set *out);

// The stages of a set, in the order of struct tuning.
void tuning_stages(struct tuning_stage out[TUNING_STAGES], struct tuning_set *set);

// The defaults, with the file's numbers over them. RS_EIO; RS_EINPUT, *out then being the defaults, names the file, the stage and the
// field that is unknown, is no number or lies outside its range.
int tuning_read(struct tuning_set *out, const char *path, struct fail *why);

#endif
