// SPDX-License-Identifier: MIT
// voice_lines.h: the words of a language, as the voice says them: sentences with slots, and how numbers are made.
//
// They come from a text file: KEY = TEXT a line, "{slot}" where something is filled in, "-" for a line that is not
// spoken, "#" for a comment. English and German are part of the program; somebody's own file is held against the
// English one: it must have the same keys, and each may use the slots of its kind. Once read they never change: threads
// may share them.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_VOICE_LINES_H
#define RINGSIDE_REFEREE_ANNOUNCE_VOICE_LINES_H

#include <stddef.h>

#include "calibration/fail.h"

enum { VOICE_LINE_MAX = 160, VOICE_NAME_MAX = 64 };

struct voice_lines;

// A slot and what goes into it.
struct voice_slot {
    const char *name, *text;
};

// `name` is "en" or "de", otherwise a file. The caller frees *out with voice_lines_free, which takes NULL. RS_EINPUT,
// with the path and the number of the line, for what is no line, an unknown key or slot, a key that comes twice, text
// that is not plain (foreign.h), and for keys that are missing, which are named; RS_EIO, RS_ENOMEM.
int voice_lines_read(struct voice_lines **out, const char *name, struct fail *why);
void voice_lines_free(struct voice_lines *lines);

// The text of that key; empty when it is not to be spoken, or there is none.
const char *voice_line(const struct voice_lines *lines, const char *key);

// The text with its slots filled, as far as there is room; a slot that is not among them becomes nothing.
void voice_fill(char *out, size_t size, const char *text, const struct voice_slot *slots, size_t count);

// "one hundred and twenty-three"; numbers below 0 or above 999 in digits.
void voice_number(char *out, size_t size, const struct voice_lines *lines, int number);

// The name as it can be spoken: letters, hyphens, apostrophes and single blanks; numbers in words. May be empty.
void voice_name(char *out, size_t size, const struct voice_lines *lines, const char *name);

#endif
