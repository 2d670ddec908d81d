// SPDX-License-Identifier: MIT
// compare.h: what two games call otherwise of the same observations.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_COMPARE_H
#define RINGSIDE_REFEREE_ANNOUNCE_COMPARE_H

#include <stdio.h>

#include "referee/announce/announcer.h"

// Calls that one game makes and another does not, as adjudicate_both tells them: those withdrawn are the first one's.
struct compared_games {
    FILE *to;
    const char *name, *other;
    int differences;
};

struct announcer compare_announcer(struct compared_games *c);

#endif
