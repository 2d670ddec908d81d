// SPDX-License-Identifier: MIT
// looked.h: a photograph looked at: board, pieces, and what they count.
#ifndef RINGSIDE_REFEREE_COMMANDS_LOOKED_H
#define RINGSIDE_REFEREE_COMMANDS_LOOKED_H

#include <jansson.h>

#include "referee/commands/setup.h"
#include "referee/rules/match.h"
#include "referee/rules/position.h"
#include "vision/frame.h"
#include "vision/detection.h"

struct looked {
    struct board_pose pose;
    char refused[sizeof((struct fail *)0)->text]; // why what was found cannot be called; empty when it can
    struct detection_list pieces;
    struct match match;
    struct position position;
};

// The picture of that file; the caller frees *out. RS_E... as photo_open.
int looked_read(struct frame **out, const char *path, struct fail *why);

// 0, ENDED_WITHOUT_BOARD with the reason in *why, RS_E... as board_find and pieces_find.
int looked_at(struct looked *l, struct frame *f, const struct setup *s, struct fail *why);

// What `look --json` prints of the picture called `name`. The caller frees it; NULL as json_picture.
json_t *looked_json(const char *name, const struct setup *s, const struct looked *l);

#endif
