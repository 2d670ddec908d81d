// SPDX-License-Identifier: MIT
// retrial.h: what is in a bundle, judged: the same way when it is made and when it is looked at.
#ifndef RINGSIDE_REFEREE_COMMANDS_RETRIAL_H
#define RINGSIDE_REFEREE_COMMANDS_RETRIAL_H

#include <stdbool.h>

#include "referee/commands/bundle_file.h"

// The frames, through the eye and the rules: writes folder/PREFIXlog.jsonl (for a recording with a board) and
// folder/PREFIXcalls.jsonl; b->without_board and b->said tell how it ended. Needs game, frames and players, and in the folder
// the frames, the board and, where there is one, the lens. RS_E... as stream_look and looked_at.
int retrial_of_frames(struct bundle *b, const char *folder, const char *prefix, bool quiet, struct fail *why);

// The log alone, through the rules: writes folder/PREFIXcalls.jsonl. RS_E... as log_read.
int retrial_of_log(const struct bundle *b, const char *folder, const char *prefix, struct fail *why);

#endif
