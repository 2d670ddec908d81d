// SPDX-License-Identifier: MIT
// command_setup.h: the game, the board and the lens that a person asked for, and where files go.
#ifndef RINGSIDE_REFEREE_COMMANDS_COMMAND_SETUP_H
#define RINGSIDE_REFEREE_COMMANDS_COMMAND_SETUP_H

#include "calibration/camera.h"
#include "referee/commands/options.h"
#include "referee/games/games.h"
#include "vision/source/source.h"
#include "vision/tuning_file.h"

// Stays where it is and is never copied: `tuning` may point into it.
struct setup {
    const struct game *game;     // static
    struct board board;          // the game's own unless another was named
    struct match_setup match;    // sides, players, format
    const struct tuning *tuning; // tuning_defaults, or own_tuning with --tune
    struct tuning own_tuning;
    bool has_lens;
    struct lens lens;                                  // when has_lens
    struct board_hint hint;                            // the tuning speaks of it where there is one
    bool lens_is_saved, board_is_saved, hint_is_saved; // taken from what is kept for the camera
};

// RS_EINPUT, with a suggestion, for an unknown game or board, or for one that does not go with the other; RS_EIO.
// A board, lens or tuning file that is bad is told by the field.
int setup_read(struct setup *out, const struct options *o, struct fail *why);

// The lens, the hint and, with `board`, the board that are kept for this camera, where none was named on the command
// line and there is one. RS_EINPUT with the file's name: damaged, or no board for the game; RS_EIO.
int setup_take_saved(struct setup *s, const struct options *o, const struct source_info *camera, bool board,
                     struct fail *why);

// The board, the lens and the hint that were used when the folder was recorded (camera_recording.h), where none was
// named on the command line. RS_EINPUT with the file's name: damaged, or no board for the game; RS_EIO.
int setup_take_recorded(struct setup *s, const struct options *o, const char *folder, struct fail *why);

// Behind "no board found": that a kept hint said where to look, which no command line shows. Empty without one.
const char *setup_hint_words(const struct setup *s);

// The lens for the finder, NULL when none was given.
const struct lens *setup_lens(const struct setup *s);

// The game of that name. RS_EINPUT with a suggestion.
int setup_game(const struct game **out, const char *name, struct fail *why);

// RS_EIO when `folder` is none, cannot be made or cannot be written. NULL is allowed: then nothing is done.
int setup_folder(const char *folder, struct fail *why);

enum { SETUP_PATH_MAX = 4096 };

// DIR/NAME + ending, with NAME the input's file name without its own ending, DIR `folder` or, when that is NULL, where
// the input lies. RS_EINPUT when that is too long, or the input is a pipe or a device.
int setup_output(char out[SETUP_PATH_MAX], const char *input, const char *folder, const char *ending, struct fail *why);

// Where a calibrated board of that name, or for NULL a lens, is written: where --out says; for a camera where it is
// found again, in a folder that is made; else beside the picture or recording. RS_E... as setup_output,
// saved_board_path and saved_make_folder (device.h).
int setup_calibrated(char out[SETUP_PATH_MAX], const struct options *o, const char *input,
                     const struct source_info *camera, const char *board, struct fail *why);

#endif
