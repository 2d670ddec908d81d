// SPDX-License-Identifier: MIT
// photo_reading.h: photographs: which ones a person named, and what one shows: board, pieces, and what they count.
#ifndef RINGSIDE_REFEREE_COMMANDS_PHOTO_READING_H
#define RINGSIDE_REFEREE_COMMANDS_PHOTO_READING_H

#include <stdbool.h>

#include <jansson.h>

#include "referee/commands/command_setup.h"
#include "referee/rules/match.h"
#include "referee/rules/position.h"
#include "vision/frame.h"
#include "vision/detection.h"

struct photo_paths {
    int count, room;
    char **path;
};

// A file stands for itself, whether it exists or not; a folder for its .jpg, .jpeg and .png in order of name, without
// those that ringside wrote. The caller ends with photo_paths_finish, also after a failure. RS_EIO when a folder cannot
// be read, RS_EINPUT when there is no picture in it, RS_ENOMEM.
int photo_paths_find(struct photo_paths *out, char **operand, int operands, struct fail *why);
void photo_paths_finish(struct photo_paths *paths);

struct photo_reading {
    struct board_pose pose;
    char refused[sizeof((struct fail *)0)->text]; // why what was found cannot be called; empty when it can
    struct detection_list pieces;
    struct match match;
    struct position position;
};

// The picture of that file; the caller frees *out. RS_E... as photo_open.
int photo_load(struct frame **out, const char *path, struct fail *why);

// 0, ENDED_WITHOUT_BOARD with the reason in *why, RS_E... as board_find and pieces_find.
int photo_read(struct photo_reading *out, struct frame *f, const struct setup *s, struct fail *why);

// Whether as many pieces are listed as there is room for, so that others may lie there; `words` says so.
enum { PHOTO_FULL_WORDS_MAX = 96 };
bool photo_is_full(char words[PHOTO_FULL_WORDS_MAX], const struct photo_reading *r);

// Whether side `i` of those that were named was named with a colour that no piece in the picture has; `words` says so,
// and whose pieces are taken for it instead.
enum { PHOTO_WHOSE_WORDS_MAX = 4 * OBS_WORD_MAX };
bool photo_lacks_colour(char words[PHOTO_WHOSE_WORDS_MAX], const struct photo_reading *r, const struct setup *s, int i);

// What `look --json` prints of the picture called `name`. The caller frees it; NULL as json_picture.
json_t *photo_json(const char *name, const struct setup *s, const struct photo_reading *r);

#endif
