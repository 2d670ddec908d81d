// SPDX-License-Identifier: MIT
#include "vision/pieces/pieces.h"

#include <stdio.h>

#include "vision/pieces/discs.h"
#include "vision/pieces/marbles.h"
#include "vision/pieces/side_classifier.h"

int pieces_find(struct detection_list *out, struct frame *f, const struct board_pose *pose, const struct tuning *tuning,
                struct fail *why)
{
    return pieces_find_on(out, f, pose, &(struct pieces_known){ .ditch = true }, tuning, why);
}

int pieces_find_on(struct detection_list *out, struct frame *f, const struct board_pose *pose,
                   const struct pieces_known *known, const struct tuning *tuning, struct fail *why)
{
    *out = (struct detection_list){ .count = 0 };
    bool marbles = pose->board.piece == PIECE_MARBLE;
    int rc = frame_decode(f, why);
    if (rc == 0)
        rc = marbles ? marbles_find(out, f, pose, known, tuning, why)
                     : discs_find(out, NULL, f, pose, known, tuning, why);
    if (rc == 0 && pose->clarity.colourless)
        for (int i = 0; i < out->count; i++)
            snprintf(out->piece[i].colour, COLOUR_NAME_MAX, "%s", COLOUR_UNKNOWN);
    else if (rc == 0 && !marbles)
        sides_tell_apart(out, &tuning->appearance);
    return rc;
}
