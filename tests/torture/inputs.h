// SPDX-License-Identifier: MIT
// inputs.h: what the program is run on: a small picture, two seconds of footage, and what the program makes of them.
#ifndef RINGSIDE_TESTS_TORTURE_INPUTS_H
#define RINGSIDE_TESTS_TORTURE_INPUTS_H

#include <stdbool.h>

// Puts a.jpg, b.png, f.mov, f.ringside.jsonl, f.ringside-bundle.tar and book.db into `folder`. Says what failed, and
// false.
bool inputs_make(const char *folder, const char *program);

#endif
