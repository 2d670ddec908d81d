// SPDX-License-Identifier: MIT
// amendment.h: words that change how what happened before them is judged.
//
// Nothing in a log is erased: a correction is an input like any other, and the match is folded again with it. Inputs are
// counted from 1 as they stand in the log; a word about a shot is applied when that shot is judged, wherever in the log
// it stands.
#ifndef RINGSIDE_REFEREE_RULES_AMENDMENT_H
#define RINGSIDE_REFEREE_RULES_AMENDMENT_H

#include <stdbool.h>

#include "calibration/fail.h"
#include "calibration/observation.h"

struct amendment {
    int number; // of the input
    int shot;   // that it is about; 0: about none, as what retracts another input
    struct observation said;
    bool in_force; // nothing in force retracts it
};

// Grows as it must. { 0 } is an empty one; it ends with amendments_free.
struct amendments {
    int count, room;
    struct amendment *item; // in the order in which they were said
};

// RS_ENOMEM: nothing is changed.
int amendments_add(struct amendments *list, int number, int shot, const struct observation *said, struct fail *why);

// The first `count` of `from`, as they were in force then. RS_ENOMEM.
int amendments_copy(struct amendments *out, const struct amendments *from, int count, struct fail *why);
void amendments_free(struct amendments *list); // it may be used again, as an empty one

// The amendment that is the input of that number; NULL for none.
const struct amendment *amendments_find(const struct amendments *list, int number);

// Something in force retracts the input of that number.
bool amendments_retract(const struct amendments *list, int number);

// The shot was taken back.
bool amendments_undo(const struct amendments *list, int shot);

// Number of the last undo or retraction in force: what a redo is about; 0 for none.
int amendments_last_undone(const struct amendments *list);

#endif
