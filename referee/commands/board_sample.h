// SPDX-License-Identifier: MIT
// board_sample.h: the board that lies still before a camera, in footage or on a picture: looked at several times where
// there are several frames, so that noise and a hand passing by do not count.
#ifndef RINGSIDE_REFEREE_COMMANDS_BOARD_SAMPLE_H
#define RINGSIDE_REFEREE_COMMANDS_BOARD_SAMPLE_H

#include "referee/commands/command_setup.h"
#include "vision/frame.h"
#include "vision/detection.h"
#include "vision/source/source.h"

struct board_sample {
    const char *name;        // the picture's, the footage's or the camera's; borrowed from the options
    struct source_info info; // of where it came from
    int looks, found;        // frames looked at; frames in which the board was found
    struct board_pose pose;  // of the best of them; radii and line width are the medians of all
    struct frame *frame;     // that best frame
};

// Looks at the one operand, a picture or footage, or at --camera. With a camera the lens and the hint kept for it are
// taken into `s` where none was named, and with `kept_board` the board too. ENDED_WITHOUT_BOARD with the reason;
// RS_EINPUT when neither or both were named; RS_E... of the source and of what is kept. The caller ends with
// board_sample_finish, also after a failure.
int board_sample_take(struct board_sample *out, const struct options *o, struct setup *s, bool kept_board,
                      struct fail *why);
void board_sample_finish(struct board_sample *sample);

#endif
