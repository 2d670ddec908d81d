// SPDX-License-Identifier: MIT
// showreel.h: the annotated video of a review: each frame with what was seen and, for a while, what was called.
#ifndef RINGSIDE_REFEREE_COMMANDS_SHOWREEL_H
#define RINGSIDE_REFEREE_COMMANDS_SHOWREEL_H

#include "referee/announce/movie.h"
#include "referee/announce/overlay.h"
#include "referee/commands/stream.h"
#include "vision/source/source.h"

struct showreel {
    struct movie *movie;
    struct overlay_lines calls;
    double called_s; // when the last call was made
};

// Begins the file. The caller ends with showreel_finish or movie_drop(movie). RS_E... as movie_create.
int showreel_open(struct showreel *r, const char *path, const struct source_info *info, struct fail *why);

// Hears the calls; `r` is borrowed.
struct announcer showreel_announcer(struct showreel *r);

// Draws on the frame and adds it.
int showreel_add(struct showreel *r, struct frame *f, const struct stream *s, struct fail *why);

// The file gets its name. RS_E... as movie_finish; the movie is gone in any case.
int showreel_finish(struct showreel *r, struct fail *why);

#endif
