// SPDX-License-Identifier: MIT
// set_up.h: the set-up page: what stands on it, and what is chosen there.
//
// What is chosen before the board is found holds for the match that begins then. Later, and for another game, a watch begins anew
// with it, in the same process: the pages, their address and their secret stay. Of the thread that judges.
#ifndef RINGSIDE_REFEREE_COMMANDS_SET_UP_H
#define RINGSIDE_REFEREE_COMMANDS_SET_UP_H

#include <jansson.h>

#include "referee/announce/web.h"
#include "referee/commands/playback.h"
#include "vision/source/camera_node.h"
#include "vision/track/live_tracking.h"

enum { MATCH_NUMBER_MAX = 24 };

// What was chosen instead of what the command line says; all zero: nothing.
struct set_up {
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
    struct fail refused;                      // why what was chosen last could not be had
    json_t *cameras;                          // that there are, own: to be ended with json_decref
    double listed_s;                          // the clock when they were looked for
};

// A watch as it is now; all is borrowed, `setup` gets the match that is chosen before one has begun.
struct set_up_view {
    const struct options *options;
    struct setup *setup;
    const struct playback *playback;
    const struct tracked_frame *now;
    const struct source_info *source;
};

// Whether what is played is left to the set-up page: nothing on the command line says it, or hangs on it, and people are told where
// that page is.
bool set_up_asks_game(const struct options *o);

// Answers who is at the set-up page. Returns whether a watch has to begin anew. RS_ENOMEM.
int set_up_listen(struct set_up *s, struct web *web, const struct set_up_view *v, struct fail *why);

// The command line as what was chosen has it; it points into *s.
void set_up_apply(struct options *o, struct set_up *s);

// After what was chosen could not be had, which is told: camera and game as they were before, first_game where none had been chosen
// on the page; NULL for none.
void set_up_go_back(struct set_up *s, const struct set_up *before, const char *first_game, const struct fail *why);

#endif
