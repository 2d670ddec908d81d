// SPDX-License-Identifier: MIT
// known.h: what the analyzer, which sees one file at a time, must be told of the others (Makefile, check-analysis).
#ifndef RINGSIDE_TESTS_ANALYSIS_KNOWN_H
#define RINGSIDE_TESTS_ANALYSIS_KNOWN_H

#include "calibration/fail.h"

// It gives back the code it is given: without that every failure would be followed on as if all had gone well.
#define rs_fail(why, code, ...) ((rs_fail)(why, code, __VA_ARGS__), (code))

#endif
