// SPDX-License-Identifier: MIT
// finders.h: what an eye looks with; the tests give it others, which know where the pieces are.
#ifndef RINGSIDE_VISION_TRACK_FINDERS_H
#define RINGSIDE_VISION_TRACK_FINDERS_H

#include "vision/board/find.h"
#include "vision/board/refit.h"
#include "vision/track/tracker.h"
#include "vision/pieces/pieces.h"
#include "vision/tuning.h"

struct tracker_stages {
    int (*board)(struct board_pose *out, struct frame *f, const struct board *wanted, const struct lens *lens,
                 const struct tuning *tuning, struct fail *why);
    void (*refit)(struct refit *out, struct board_pose *board, const struct frame *f, const struct tuning *tuning);
    int (*pieces)(struct detection_list *out, struct frame *f, const struct board_pose *pose,
                  const struct pieces_known *known, const struct tuning *tuning, struct fail *why);
};

// As tracker_create, with these instead of board_find, board_refit and pieces_find_on.
int tracker_create_with(struct tracker **out, const struct board *wanted, const struct lens *lens,
                        const struct tracker_stages *finders, const struct tuning *tuning, struct fail *why);

#endif
