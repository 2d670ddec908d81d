// SPDX-License-Identifier: MIT
// saved.h: where the lens of a camera and the boards it looks at are kept between games.
//
// The folder is $XDG_CONFIG_HOME/ringside, usually ~/.config/ringside. A camera is known by its card's name, the place where
// it is plugged in and the size of its frames, because a lens differs from mode to mode: CARD-BUS-WxH.lens.json and
// CARD-BUS-WxH.BOARD.board.json, with whatever is no letter, digit, dot or underscore written as '-'. Footage that plays a
// camera goes by its file's name.
#ifndef RINGSIDE_REFEREE_COMMANDS_SAVED_H
#define RINGSIDE_REFEREE_COMMANDS_SAVED_H

#include <stdbool.h>

#include "calibration/board.h"
#include "calibration/camera.h"
#include "vision/source/source.h"

enum { SAVED_PATH_MAX = 4096 };

// Where the file of this camera is or would be; nothing is made. RS_EINPUT when neither XDG_CONFIG_HOME nor HOME says
// where, or when the path is too long.
int saved_lens_path(char out[SAVED_PATH_MAX], const struct source_info *camera, struct fail *why);
int saved_board_path(char out[SAVED_PATH_MAX], const struct source_info *camera, const char *board, struct fail *why);

// Makes the folders that `path`, from above, lies in. RS_EIO.
int saved_make_folder(const char *path, struct fail *why);

// *there tells whether there is such a file; when there is none, or no folder of the user, that is usual and *out is
// untouched. A damaged file: RS_EINPUT with its name and what to do; the file stays as it is. RS_EIO.
int saved_lens_read(struct lens *out, bool *there, const struct source_info *camera, struct fail *why);
int saved_board_read(struct board *out, bool *there, const struct source_info *camera, const char *board,
                     struct fail *why);

#endif
