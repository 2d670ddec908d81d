// SPDX-License-Identifier: MIT
// pages.h: what a watch shows on pages, and hears from them.
#ifndef RINGSIDE_REFEREE_COMMANDS_PAGES_H
#define RINGSIDE_REFEREE_COMMANDS_PAGES_H

#include "referee/announce/web.h"
#include "referee/commands/playback.h"

// All zero: no pages, and everything below does nothing.
struct pages {
    struct live *live;
    struct web *web;
    const struct playback *playback;
    double pieces_s, beat_s; // when pieces were last told, and a sign of life was given
};

// As --listen says, otherwise for this machine alone. The caller ends with pages_close. RS_E... as web_start.
int pages_open(struct pages *p, const struct options *o, const struct game *game, struct fail *why);
void pages_close(struct pages *p);

// Where to look, for people: two lines on standard error.
void pages_tell(const struct pages *p);

// Plugs the pages into a playback, which borrows them. RS_E... as playback_announce.
int pages_plug(struct pages *p, struct playback *to, struct fail *why);

// Takes what judges said since it was called last. RS_E... as playback_input.
int pages_listen(struct pages *p, struct playback *to, struct fail *why);

#endif
