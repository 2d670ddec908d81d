// SPDX-License-Identifier: MIT
// videos.h: the two videos that a review can write, as consumers of its frames: the annotated one, each frame with what
// was seen and for a while what was called; and the debug one, each frame with what was tried and what was observed.
#ifndef RINGSIDE_REFEREE_COMMANDS_VIDEOS_H
#define RINGSIDE_REFEREE_COMMANDS_VIDEOS_H

#include "referee/announce/annotation.h"
#include "referee/announce/movie.h"
#include "referee/commands/playback.h"
#include "vision/notes.h"

// One line on standard error where there is no font for the words in pictures and videos.
void tell_without_font(void);

struct annotated_video {
    struct movie *movie; // NULL: none is written
    struct annotation said;
    struct frame *inset;     // its first close call enlarged; NULL: not yet
    struct match_moment now; // what is drawn
};

// Begins the file. The caller ends with annotated_video_finish or annotated_video_drop. RS_E... as movie_create.
int annotated_video_open(struct annotated_video *v, const char *path, const struct source_info *info, struct fail *why);

// The file gets its name, RS_E... as movie_finish; or there is none. Of one that never began nothing is left to do.
int annotated_video_finish(struct annotated_video *v, struct fail *why);
void annotated_video_drop(struct annotated_video *v);

// Hears the calls, and draws on each frame before it is added; `v` is borrowed.
struct announcer annotated_video_announcer(struct annotated_video *v);
struct frame_consumer annotated_video_consumer(struct annotated_video *v);

struct debug_video {
    struct movie *movie; // NULL: none is written
    struct notes notes;  // to be laid under each frame before it is looked at
    struct overlay_lines reported;
};

int debug_video_open(struct debug_video *v, const char *path, const struct source_info *info, struct fail *why);

// Draws on a copy of each frame.
struct frame_consumer debug_video_consumer(struct debug_video *v);

// The file gets its name; NULL is allowed. RS_E... as movie_finish; *m is NULL then in any case.
int video_finish(struct movie **m, struct fail *why);

#endif
