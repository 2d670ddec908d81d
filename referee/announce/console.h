// SPDX-License-Identifier: MIT
// console.h: calls as lines for a person at a terminal.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_CONSOLE_H
#define RINGSIDE_REFEREE_ANNOUNCE_CONSOLE_H

#include <stdio.h>

#include "referee/announce/announcer.h"

// One sentence a line: "00:12.4  target 4 OUT, centre 0.21 in beyond the line; taw IN; blue shoots again". `to` is
// borrowed and must outlive the announcer; each line is handed to the system at once. On a terminal close calls and the
// sides' names have colours.
struct announcer console_announcer(FILE *to);

// The sentence that begins with call i, with its same_breath companions. Returns the index of the next sentence's call.
int console_sentence(char *out, size_t size, const struct call_list *calls, int i);

#endif
