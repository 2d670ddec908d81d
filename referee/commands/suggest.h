// SPDX-License-Identifier: MIT
// suggest.h: what somebody who mistyped a word may have meant.
#ifndef RINGSIDE_REFEREE_COMMANDS_SUGGEST_H
#define RINGSIDE_REFEREE_COMMANDS_SUGGEST_H

#include <stddef.h>

enum { SUGGEST_WORD_MAX = 31 }; // letters; longer words are not compared

// "; did you mean NEAREST?" when one of `known`, which ends with NULL, is near enough, otherwise the list of all.
void suggest(char *out, size_t size, const char *word, const char *const *known);

#endif
