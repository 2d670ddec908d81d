// SPDX-License-Identifier: MIT
// text_of.h: what stands in a file that a command wrote.
#ifndef RINGSIDE_TESTS_REFEREE_TEXT_OF_H
#define RINGSIDE_TESTS_REFEREE_TEXT_OF_H

#include <stdio.h>

enum { TEXT_OF_MAX = 1 << 22 };

// In one of two buffers that are used in turn; empty where there is no such file.
static inline const char *text_of(const char *path)
{
    static char text[2][TEXT_OF_MAX];
    static int turn;
    turn = !turn;
    FILE *f = fopen(path, "r");
    text[turn][f ? fread(text[turn], 1, TEXT_OF_MAX - 1, f) : 0] = '\0';
    if (f)
        fclose(f);
    return text[turn];
}

#endif
