// SPDX-License-Identifier: MIT
// debug_reel.h: the video of how a review came to its reading: each frame with what was tried and what was told.
#ifndef RINGSIDE_REFEREE_COMMANDS_DEBUG_REEL_H
#define RINGSIDE_REFEREE_COMMANDS_DEBUG_REEL_H

#include "referee/announce/movie.h"
#include "referee/announce/overlay.h"
#include "referee/commands/stream.h"
#include "vision/notes.h"
#include "vision/source/source.h"

struct debug_reel {
    struct movie *movie;
    struct notes notes; // to be laid under each frame before it is looked at
    struct overlay_lines told;
};

// Begins the file. The caller ends with debug_reel_finish or movie_drop(movie). RS_E... as movie_create.
int debug_reel_open(struct debug_reel *r, const char *path, const struct source_info *info, struct fail *why);

// Adds a frame that was looked at; it is not drawn on.
int debug_reel_add(struct debug_reel *r, const struct frame *f, const struct stream *s, struct fail *why);

// The file gets its name. RS_E... as movie_finish; the movie is gone in any case.
int debug_reel_finish(struct debug_reel *r, struct fail *why);

#endif
