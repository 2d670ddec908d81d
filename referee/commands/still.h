// SPDX-License-Identifier: MIT
// still.h: the board as it stands still before a camera, in footage or on a picture: looked at several times where there are
// several frames, so that noise and a hand passing by do not count.
#ifndef RINGSIDE_REFEREE_COMMANDS_STILL_H
#define RINGSIDE_REFEREE_COMMANDS_STILL_H

#include "referee/commands/setup.h"
#include "vision/frame.h"
#include "vision/detection.h"
#include "vision/source/source.h"

struct still {
    const char *name;        // the picture's, the footage's or the camera's; borrowed from the options
    struct source_info info; // of where it came from
    int looked, found;       // frames looked at; frames in which the board was found
    struct board_pose pose;  // of the best of them; radii and line width are the medians of all
    struct frame *frame;     // that best frame
};

// Looks at the one operand, a picture or footage, or at --camera. With a camera the lens kept for it is taken into `s` where
// none was named, and with `kept_board` the board too. ENDED_WITHOUT_BOARD with the reason; RS_EINPUT when neither or both
// were named; RS_E... of the source and of what is kept. The caller ends with still_finish, also after a failure.
int still_take(struct still *out, const struct options *o, struct setup *s, bool kept_board, struct fail *why);
void still_finish(struct still *st);

#endif
