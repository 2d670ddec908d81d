// SPDX-License-Identifier: MIT
// view_words.h: the view of the board that was found, in words; the same for look, review and watch.
#ifndef RINGSIDE_REFEREE_COMMANDS_VIEW_WORDS_H
#define RINGSIDE_REFEREE_COMMANDS_VIEW_WORDS_H

#include <stdio.h>

#include "referee/commands/command_setup.h"
#include "vision/detection.h"

enum { VIEW_WORDS_MAX = 320 };

// "crokinole-nca, 24 degrees off the vertical, lines fit to 0.06 px, 0.001 in (1 sigma) at the line, focal length 1340
// px (1 sigma 2) from the lines"; and what of it is kept for the camera.
void view_words(char out[VIEW_WORDS_MAX], const struct board_pose *pose, const struct setup *s);

// A line for each way in which the picture is at its limits, with what to do, each after `before`.
void view_print_limits(FILE *to, const char *before, const struct board_pose *pose);

// Why the finder found none, without its own "no crokinole-nca board found where the hint says: "; a part of `unfound`.
const char *view_unfound_words(const char *unfound);

// What was lost of the frames of a source, in one line; nothing when nothing was.
void view_print_losses(FILE *to, const struct source_info *source);

#endif
