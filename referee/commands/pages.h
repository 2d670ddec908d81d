// SPDX-License-Identifier: MIT
// pages.h: what a watch shows on pages, and hears from them.
#ifndef RINGSIDE_REFEREE_COMMANDS_PAGES_H
#define RINGSIDE_REFEREE_COMMANDS_PAGES_H

#include <sys/types.h>

#include "referee/announce/web.h"
#include "referee/commands/playback.h"
#include "vision/track/live_tracking.h"

// All zero: no pages, and everything below does nothing.
struct pages {
    struct options options; // as they were when the pages were opened
    struct live *live;
    struct web *web;
    struct replay *replay;
    char *css;               // the overlay's own
    char *matches;           // that are kept, as they were told last; of the server's thread
    double matches_s;        // when that was
    struct frame_tap also;   // of the thread that takes pictures
    double pieces_s, beat_s; // when pieces were last told, and a sign of life was given
    pid_t browser;           // that was asked to open a page, and may not have ended; 0: none
};

// RS_EINPUT for what is asked of pages, by --listen for instance, where there are to be none.
int pages_check(const struct options *o, struct fail *why);

// As --listen says, otherwise for this machine alone; with --no-web there are none. The announcer of the pages goes
// into the playback, which borrows them; where they are open already they show that playback from now on. The caller
// ends with pages_close, when nobody takes frames any more. RS_E... as web_start; RS_EINPUT: no such CSS.
int pages_plug(struct pages *p, const struct options *o, struct playback *to, struct fail *why);
void pages_close(struct pages *p);

// Where to look, for people: three lines on standard error; with --qr the last of them also for a telephone's camera;
// with --open the judge's page is opened in a browser, where there is a desktop to have one. RS_ELIB.
int pages_tell(struct pages *p, struct fail *why);

// For the camera's picture. Those that come as JPEG are shown as they come, by the thread that takes them, also while a
// search for the board takes its time: whoever aims the camera sees what he does. `also` gets all of them first. The
// others are shown when they have been looked at, by the thread that does.
struct frame_tap pages_capture_tap(struct pages *p, struct frame_tap also);
struct frame_tap pages_tap(struct pages *p);

// What is known now: board, pieces and how the match stands, told a few times a second (first_id: as
// live_pieces); and what the camera or the picture lacks, empty: nothing. RS_ENOMEM.
int pages_take(struct pages *p, const struct tracked_frame *t, const struct match *m, int first_id, struct fail *why);
int pages_words(struct pages *p, const char *words, struct fail *why);

// Takes what judges said since it was called last, and gives viewers a sign of life. RS_E... as playback_input.
int pages_listen(struct pages *p, struct playback *to, struct fail *why);

#endif
