// SPDX-License-Identifier: MIT
// shell_word.h: the names of files in commands that a person is told to type, written so that a shell takes each as one
// word.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_SHELL_WORD_H
#define RINGSIDE_REFEREE_ANNOUNCE_SHELL_WORD_H

#include <stdbool.h>
#include <stddef.h>

// As it is where nothing in it says anything to a shell, else between quotes; with ./ before a '-', which begins a flag.
// False when it does not fit: a command that is cut short names something else.
bool shell_word(char *out, size_t size, const char *word);

#endif
