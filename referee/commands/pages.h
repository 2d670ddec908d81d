// SPDX-License-Identifier: MIT
// pages.h: what a watch shows on pages, and hears from them.
#ifndef RINGSIDE_REFEREE_COMMANDS_PAGES_H
#define RINGSIDE_REFEREE_COMMANDS_PAGES_H

#include "referee/announce/web.h"
#include "referee/commands/playback.h"
#include "vision/track/live_tracking.h"

// All zero: no pages, and everything below does nothing.
struct pages {
    struct live *live;
    struct web *web;
    struct replay *replay;
    double pieces_s, beat_s; // when pieces were last told, and a sign of life was given
};

// As --listen says, otherwise for this machine alone; with --no-web there are none. The announcer of the pages goes into the
// playback, which borrows them. The caller ends with pages_close, when nobody takes frames any more. RS_E... as web_start.
int pages_plug(struct pages *p, const struct options *o, struct playback *to, struct fail *why);
void pages_close(struct pages *p);

// Where to look, for people: two lines on standard error.
void pages_tell(const struct pages *p);

// For the camera's picture: to be called with frames by one thread.
struct frame_tap pages_tap(struct pages *p);

// What is known now: board and pieces, told a few times a second; and what the camera or the picture lacks, empty: nothing. RS_ENOMEM.
int pages_take(struct pages *p, const struct tracked_frame *t, struct fail *why);
int pages_words(struct pages *p, const char *words, struct fail *why);

// Takes what judges said since it was called last, and gives viewers a sign of life. RS_E... as playback_input.
int pages_listen(struct pages *p, struct playback *to, struct fail *why);

#endif
