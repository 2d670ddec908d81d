// SPDX-License-Identifier: MIT
// board_file.h: a user's board as JSON: every number of struct board under its own name, `"ringside_board": 1`.
#ifndef RINGSIDE_CALIBRATION_BOARD_FILE_H
#define RINGSIDE_CALIBRATION_BOARD_FILE_H

#include <jansson.h>

#include "calibration/board.h"

// A new object the caller frees with json_decref; NULL when a number is not finite.
json_t *board_to_json(const struct board *b);

// RS_EINPUT naming the field that is missing, misspelt, of the wrong type or impossible. *out only changes on success.
int board_from_json(struct board *out, const json_t *o, struct fail *why);

// RS_EIO when the file cannot be read, RS_EINPUT as board_from_json with the file's name before it.
int board_file_read(struct board *out, const char *path, struct fail *why);

// Replaces the file as a whole; after a failure the old one is as it was. RS_EINPUT as board_check, RS_EIO.
int board_file_write(const char *path, const struct board *b, struct fail *why);

#endif
