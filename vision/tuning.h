// SPDX-License-Identifier: MIT
// tuning.h: the numbers by which the stages decide, as data: one struct a stage, whose .def file has a row a number
// with its default, its range and its reason.
//
// A stage borrows its struct and never changes it. tuning_defaults is what the program runs with; tests and experiments
// hand in a copy with other numbers (`--tune FILE`). Fields are doubles, so that one table serves all.
#ifndef RINGSIDE_VISION_TUNING_H
#define RINGSIDE_VISION_TUNING_H

#include <stddef.h>

#include "calibration/board_hint.h"
#include "calibration/fail.h"
#include "calibration/units.h"

#define TUNING(name, value, least, most) double name;

struct board_tuning { // how boards are found, followed and learnt
#include "vision/board/board_tuning.def"
};

struct oblique_tuning { // how boards are found from the side of a table
#include "vision/board/oblique_tuning.def"
};

struct evidence_tuning { // what counts for a disc or ring
#include "vision/pieces/evidence_tuning.def"
};

struct disc_tuning { // how they are fitted
#include "vision/pieces/disc_tuning.def"
};

struct marble_tuning {
#include "vision/pieces/marble_tuning.def"
};

struct appearance_tuning { // how sides are distinguished
#include "vision/pieces/appearance_tuning.def"
};

struct track_tuning {
#include "vision/track/track_tuning.def"
};

#undef TUNING

struct tuning {
    struct board_tuning board;
    struct disc_tuning disc;
    struct marble_tuning marble;
    struct appearance_tuning appearance;
    struct oblique_tuning oblique;
    struct evidence_tuning evidence;
    struct track_tuning track;
    const struct board_hint *hint; // no number, but as these said before the picture is seen; NULL: nobody helps
};

extern const struct tuning tuning_defaults;

// The rows of all stages, by which they are read from a file.
struct tuning_field {
    const char *name;
    double least, most; // what may be set; the default lies between
};

struct tuning_stage {
    const char *name;                 // the key of its object in a file
    size_t offset;                    // of its struct within struct tuning
    const struct tuning_field *field; // in the order of the struct's doubles
    size_t count;
};

enum { TUNING_STAGES = 7 };
extern const struct tuning_stage tuning_stages[TUNING_STAGES];

#endif
