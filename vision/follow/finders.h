// SPDX-License-Identifier: MIT
// finders.h: what an eye looks with; the tests give it others, which know where the pieces are.
#ifndef RINGSIDE_VISION_FOLLOW_FINDERS_H
#define RINGSIDE_VISION_FOLLOW_FINDERS_H

#include "vision/board/find.h"
#include "vision/board/refit.h"
#include "vision/eye.h"
#include "vision/pieces/pieces.h"

struct eye_finders {
    int (*board)(struct found_board *out, struct frame *f, const struct board *wanted, const struct lens *lens,
                 struct fail *why);
    void (*refit)(struct refit *out, struct found_board *board, const struct frame *f);
    int (*pieces)(struct piece_list *out, struct frame *f, const struct found_board *on,
                  const struct pieces_known *known, struct fail *why);
};

// As eye_create, with these instead of board_find, board_refit and pieces_find_on.
int eye_create_with(struct eye **out, const struct board *wanted, const struct lens *lens,
                    const struct eye_finders *finders, struct fail *why);

#endif
