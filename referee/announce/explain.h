// SPDX-License-Identifier: MIT
// explain.h: why each call was made: its rule, what was seen, and what would have made it another.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_EXPLAIN_H
#define RINGSIDE_REFEREE_ANNOUNCE_EXPLAIN_H

#include <stdio.h>

#include "referee/announce/announcer.h"

// Lines for people. `to` is borrowed and must outlive the announcer.
struct announcer explain_announcer(FILE *to);

#endif
