// SPDX-License-Identifier: MIT
// damage.h: what the program says of damaged copies of a clip, against what it says of the clip itself and the clip's
// truth.
//
// A copy carries damage when its pictures, as the program reads them, are not the clip's own, each at its time (within
// 2 ms, which is what a container rounds to), or when it cannot be read. Such a copy is told when it is refused with an
// exit code and a line; or when standard error has a line "beware", the JSON a "losses" event and the log a "damaged"
// observation.
//
// A firm wrong call is one that is not close and either was not made of the clip itself at that shot: with the same
// rule, side, zone and, of no zone, words but for the measures; the samples' tests hold the clips' own calls to the
// truth. Or it is a piece told firmly at the end of a shot to lie in a zone in which the truth has none of its place
// (0.5 in). Shots are told apart by when they began in the clip, and copies' times are led back to the clip's by the
// pictures themselves.
#ifndef RINGSIDE_TESTS_ACCURACY_DAMAGE_H
#define RINGSIDE_TESTS_ACCURACY_DAMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "calibration/fail.h"
#include "tests/accuracy/damaged_copy.h"

struct damage_tally {
    int copies, harmless;      // harmless: every picture and time of the copy is the clip's
    int refused, told, untold; // of those that are not
    int wrong;                 // firm calls
    int rejudged_otherwise;    // copies whose log `judge` reads otherwise than it was written
    int firm, close, withheld; // calls of the clip in the copies: still firm, close, not made
};

// One copy after another, from the seed on, with the kinds of damage in turn; the last kind, flipped bits, is not among
// them and comes behind the others, once for each time that all of them came. `last_s`: only so much of the clip is
// damaged and judged, INFINITY: all of it. Prints a line for each copy that is not as it should be, for every one with
// `every`. RS_E... when the clip or its truth cannot be read.
int damage_score(struct damage_tally out[DAMAGES], const char *ringside, const char *truth_path, double last_s,
                 int copies, uint32_t seed, bool every, struct fail *why);

#endif
