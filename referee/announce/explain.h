// SPDX-License-Identifier: MIT
// explain.h: why each call was made: its rule, what was seen, and what would have made it another.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_EXPLAIN_H
#define RINGSIDE_REFEREE_ANNOUNCE_EXPLAIN_H

#include <stdio.h>

#include "referee/announce/announcer.h"

// Lines for people. `to` is borrowed and must outlive the announcer.
struct announcer explain_announcer(FILE *to);

// Calls that one game makes and another does not, as adjudicate_both tells them: those withdrawn are the first one's.
struct compared_games {
    FILE *to;
    const char *name, *other;
    int differences;
};

struct announcer compare_announcer(struct compared_games *c);

#endif
