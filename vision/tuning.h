// SPDX-License-Identifier: MIT
// tuning.h: the numbers by which the stages decide, as data: one struct a stage, whose .def file has a line a number with its reason.
//
// A stage borrows its struct and never changes it. tuning_defaults is what the program runs with; tests and experiments
// hand in a copy with other numbers (`--tune FILE`). Fields are doubles, so that one table serves all.
#ifndef RINGSIDE_VISION_TUNING_H
#define RINGSIDE_VISION_TUNING_H

#include <stddef.h>

#include "calibration/board_hint.h"
#include "calibration/fail.h"
#include "vision/board/board_tuning.h"
#include "vision/board/oblique_tuning.h"
#include "vision/pieces/appearance_tuning.h"
#include "vision/pieces/evidence_tuning.h"
#include "vision/pieces/disc_tuning.h"
#include "vision/pieces/marble_tuning.h"
#include "vision/track/track_tuning.h"

struct tuning {
    const struct board_tuning *board;
    const struct disc_tuning *disc; // discs and rings
    const struct marble_tuning *marble;
    const struct appearance_tuning *appearance; // of sides
    const struct oblique_tuning *oblique;       // boards and ...
    const struct evidence_tuning *evidence;     // ... discs from the side of a table
    const struct track_tuning *track;
    const struct board_hint *hint; // no number, but as these said before the picture is seen; NULL: nobody helps
};

extern const struct tuning tuning_defaults;

#endif
