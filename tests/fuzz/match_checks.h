// SPDX-License-Identifier: MIT
// match_checks.h: what holds of any match, whatever was seen and said.
#ifndef RINGSIDE_TESTS_FUZZ_MATCH_CHECKS_H
#define RINGSIDE_TESTS_FUZZ_MATCH_CHECKS_H

#include "referee/rules/match.h"

// Its numbers are those of a match.
void match_check(const struct match *m);

// Both stand alike: corrected on the way, or with all corrections known from the beginning.
void match_check_same(const struct match *a, const struct match *b);

#endif
