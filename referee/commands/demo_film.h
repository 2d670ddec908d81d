// SPDX-License-Identifier: MIT
// demo_film.h: the film of the sample game for somebody who is there to end it: it stands still before the shot behind
// the close call until the judge has decided that one, as players would, and at its end, so that the pages stay.
#ifndef RINGSIDE_REFEREE_COMMANDS_DEMO_FILM_H
#define RINGSIDE_REFEREE_COMMANDS_DEMO_FILM_H

#include <stdatomic.h>

#include "vision/source/source.h"

enum demo_judge { JUDGE_NOT_ASKED, JUDGE_IS_ASKED, JUDGE_HAS_DECIDED };
enum demo_stands { DEMO_PLAYS, DEMO_WAITS_FOR_JUDGE, DEMO_IS_OVER };

// Between the film, which a thread reads, and the watch of it. All zero to begin with.
struct demo_pace {
    _Atomic enum demo_judge judge;   // of the match: for the film
    _Atomic enum demo_stands stands; // the film, when what it showed may still have to be looked at
};

// The caller closes *out with source_close before `pace`, which is borrowed, ends. As footage_open, and RS_ENOMEM.
int demo_film_open(struct source **out, const char *path, struct demo_pace *pace, struct fail *why);

#endif
