// SPDX-License-Identifier: MIT
// setup_page.h: the set-up page: what stands on it, and what is chosen there.
//
// What is chosen before the board is found holds for the match that begins then. Later, and for another game, a watch
// begins anew with it, in the same process: the pages, their address and their secret stay. Of the thread that judges.
#ifndef RINGSIDE_REFEREE_COMMANDS_SETUP_PAGE_H
#define RINGSIDE_REFEREE_COMMANDS_SETUP_PAGE_H

#include <jansson.h>

#include "referee/announce/web.h"
#include "referee/commands/playback.h"
#include "vision/source/camera_node.h"
#include "vision/track/live_tracking.h"

enum { MATCH_NUMBER_MAX = 24 };

// What was chosen instead of what the command line says; all zero: nothing.
struct setup_page {
    bool again;       // and a watch has to begin anew for it
    bool works;       // one did
    bool asks_game;   // nobody has said what is played
    const char *game; // static; what was played then; NULL: as it was
    bool has_match;
    struct match_setup match;
    char camera[CAMERA_PATH_MAX]; // a node; empty: as it was
    struct wished_size size;      // 0: as it was
    double rate;
    char resumed[MATCH_NUMBER_MAX], *operand; // the match that goes on; empty: a new one
    bool left_film;                           // it went on behind a film
    struct fail refused;                      // why what was chosen last could not be had
    json_t *cameras;                          // that there are, own: to be ended with json_decref
    double listed_s;                          // the clock when they were looked for
};

// A watch as it is now; all is borrowed, `setup` gets the match that is chosen before one has begun.
struct setup_page_view {
    const struct options *options;
    struct setup *setup;
    const struct playback *playback;
    const struct tracked_frame *now;
    const struct source_info *source;
};

// Whether what is played is left to the set-up page: nothing on the command line says it, or hangs on it, and people
// are told where that page is.
bool setup_page_asks_game(const struct options *o);

// Answers who is at the set-up page. Returns whether a watch has to begin anew. RS_ENOMEM.
int setup_page_listen(struct setup_page *s, struct web *web, const struct setup_page_view *v, struct fail *why);

// The command line as what was chosen has it; it points into *s.
void setup_page_apply(struct options *o, struct setup_page *s);

// After what was chosen could not be had, which is told: camera and game as they were before, first_game where none had
// been chosen on the page; NULL for none.
void setup_page_go_back(struct setup_page *s, const struct setup_page *before, const char *first_game,
                        const struct fail *why);

#endif
