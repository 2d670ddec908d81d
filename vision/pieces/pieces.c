// SPDX-License-Identifier: MIT
#include "vision/pieces/pieces.h"

#include "vision/pieces/discs.h"
#include "vision/pieces/marbles.h"
#include "vision/pieces/side_classifier.h"

int pieces_find(struct detection_list *out, struct frame *f, const struct board_pose *pose, const struct tuning *tuning,
                struct fail *why)
{
    return pieces_find_on(out, f, pose, &(struct pieces_known){ .empty = NULL }, tuning, why);
}

int pieces_find_on(struct detection_list *out, struct frame *f, const struct board_pose *pose,
                   const struct pieces_known *known, const struct tuning *tuning, struct fail *why)
{
    *out = (struct detection_list){ .count = 0 };
    if (pose->board.piece == PIECE_MARBLE)
        return marbles_find(out, f, pose, &(struct marbles_known){ &known->lying, known->changed, known->marbles },
                            tuning->marble, why);
    int rc = discs_find(out, f, pose, known, tuning, why);
    if (rc == 0)
        sides_tell_apart(out, tuning->appearance);
    return rc;
}
