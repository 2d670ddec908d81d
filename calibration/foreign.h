// SPDX-License-Identifier: MIT
// foreign.h: text that somebody else wrote (a log, a board, a bundle, the name of a file, side or camera) and that goes
// to a terminal, a picture, a voice or a page.
//
// Plain text is UTF-8 without control characters, those of terminals (C0, DEL, C1), the ends of lines and paragraphs
// (U+2028, U+2029) and those that turn the direction of writing (U+202A to U+202E, U+2066 to U+2069), which make a line
// say what does not stand in it. Files with other text are refused where they are read; what cannot be refused, as the
// name of a file, is made plain before it is shown.
#ifndef RINGSIDE_CALIBRATION_FOREIGN_H
#define RINGSIDE_CALIBRATION_FOREIGN_H

#include <stdbool.h>
#include <stdio.h>

// The character of UTF-8 that the text begins with: how many bytes it has; 0, *out untouched, when they are none.
int foreign_character(unsigned *out, const char *text);

bool foreign_is_plain(const char *text);

// In place: each byte of what is not plain becomes '?'.
void foreign_make_plain(char *text);

// One line to a terminal, made plain, with a newline behind it: at most 16 KB, the rest is left out. As fprintf.
int foreign_tell(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
