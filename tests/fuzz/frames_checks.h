// SPDX-License-Identifier: MIT
// frames_checks.h: what holds of the frames of any recording or camera.
#ifndef RINGSIDE_TESTS_FUZZ_FRAMES_CHECKS_H
#define RINGSIDE_TESTS_FUZZ_FRAMES_CHECKS_H

#include "vision/source/source.h"

// Takes all frames, at most so many, and checks each. Returns how many there were. `s` stays open.
long frames_check(struct source *s, long most);

#endif
