// SPDX-License-Identifier: MIT
// device.h: the camera of a command line, and where its lens, hint and boards are kept between games.
//
// The folder is $XDG_CONFIG_HOME/ringside, usually ~/.config/ringside. A camera is known by its card's name, the place
// where it is plugged in and the size of its frames, because a lens differs from mode to mode: CARD-BUS-WxH.lens.json,
// CARD-BUS-WxH.hint.json and CARD-BUS-WxH.BOARD.board.json, with whatever is no letter, digit, dot or underscore
// written as '-'. Footage that plays a camera goes by its file's name.
#ifndef RINGSIDE_REFEREE_COMMANDS_DEVICE_H
#define RINGSIDE_REFEREE_COMMANDS_DEVICE_H

#include <stdbool.h>

#include "calibration/board.h"
#include "calibration/board_hint.h"
#include "calibration/camera.h"
#include "referee/commands/options.h"
#include "vision/source/source.h"

// What --camera names, or the system's first camera. False for footage that plays a camera; what does not exist counts
// as a camera, which is then told to be missing.
bool device_is_camera(const struct options *o);

// Whether it may be an address that begins otherwise than stream_is_address wants it, with a password between ':' and
// '@': then it is not to be told whole.
bool device_holds_login(const char *name);

enum { SAVED_PATH_MAX = 4096 };

// The sample game, with its sides; what its judge says is left to whoever tries it.
struct demo_files {
    char film[SAVED_PATH_MAX], match[SAVED_PATH_MAX];
};

// Whether --camera demo was given: a file of that name is ./demo.
bool device_is_demo(const struct options *o);

// Makes *o, which goes on to point into *files, play the sample game: as it was played unless other sides, players or
// another format are given; no record and no log are kept of it but where --book or --out say so. It lies where it was
// installed beside the program or in the tree that it was built in. RS_EIO: it is not there; RS_EINPUT: another game.
int device_demo(struct demo_files *files, struct options *o, struct fail *why);

// What is wished from a camera: size, rate and controls as given, for the game's board or the one that was named.
// Borrows from `o`.
struct camera_wish device_wish(const struct options *o);

// By its name: an address (stream_is_address), a camera, or footage. Tells on standard error what was agreed with a
// camera. RS_E... as stream_open, webcam_open and footage_open; RS_EINPUT when size, rate or a control is asked of what
// is no camera here. The caller closes *out.
int device_open(struct source **out, const struct options *o, struct fail *why);

// Where files of the user are kept: in what the variable names, or in HOME below the usual folder. False when neither
// says. The freedesktop.org rule: a relative name does not count.
bool saved_user_folder(const char **home, const char **below, const char *variable, const char *usual);

#define SAVED_LENS "lens"
#define SAVED_HINT "hint"

// Where the file of this camera is or would be, SAVED_LENS or SAVED_HINT, or that of a board; nothing is made.
// RS_EINPUT when neither XDG_CONFIG_HOME nor HOME says where, or when the path is too long.
int saved_path(char out[SAVED_PATH_MAX], const struct source_info *camera, const char *what, struct fail *why);
int saved_board_path(char out[SAVED_PATH_MAX], const struct source_info *camera, const char *board, struct fail *why);

// Makes the folders that `path`, from above, lies in. RS_EIO.
int saved_make_folder(const char *path, struct fail *why);

// *there tells whether there is such a file; when there is none, or no folder of the user, that is usual and *out is
// untouched. A damaged file: RS_EINPUT with its name and what to do; the file stays as it is. RS_EIO.
int saved_lens_read(struct lens *out, bool *there, const struct source_info *camera, struct fail *why);
int saved_hint_read(struct board_hint *out, bool *there, const struct source_info *camera, struct fail *why);
int saved_board_read(struct board *out, bool *there, const struct source_info *camera, const char *board,
                     struct fail *why);

#endif
