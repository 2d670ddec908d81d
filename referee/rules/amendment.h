// SPDX-License-Identifier: MIT
// amendment.h: words that change how what happened before them is judged.
//
// Nothing in a log is erased: a correction is an input like any other, and the match is folded again with it. Inputs
// are counted from 1 as they stand in the log; a word about a shot is applied when that shot is judged, wherever in the
// log it stands.
#ifndef RINGSIDE_REFEREE_RULES_AMENDMENT_H
#define RINGSIDE_REFEREE_RULES_AMENDMENT_H

#include <stdbool.h>

#include "calibration/observation.h"

struct amendment {
    int number; // of the input
    int shot; // that it is about; 0: about none, as what retracts another input, and a pause, which is kept to be known
    struct observation said;
    bool in_force; // nothing in force retracts it
};

// { 0 } is an empty one. Plain values: copy it.
enum { AMENDMENTS_MAX = 512 }; // of a log; the longest evening has a few dozen

struct amendments {
    int count;
    int heard; // inputs that were folded so far: one of them that is none of these amended nothing, and does not later
    struct amendment item[AMENDMENTS_MAX]; // in the order in which they were said
};

// False when there are AMENDMENTS_MAX: nothing is changed.
bool amendments_add(struct amendments *list, int number, int shot, const struct observation *said);

// What the first `inputs` inputs said about that shot was said about one whose end nobody saw: it is about none.
void amendments_forget_shot(struct amendments *list, int shot, int inputs);

// Takes the last one back, as if it had not been said.
void amendments_drop_last(struct amendments *list);

// The amendment that is the input of that number; NULL for none.
const struct amendment *amendments_find(const struct amendments *list, int number);

// Number of what is in force and retracts the input of that number, the last one of several; 0: nothing does.
int amendments_retracted_by(const struct amendments *list, int number);

// The shot was confirmed behind the first `inputs` inputs.
bool amendments_confirmed(const struct amendments *list, int shot, int inputs);

// The shot was taken back.
bool amendments_undo(const struct amendments *list, int shot);

// Number of the last undo or retraction in force: what a redo is about; 0 for none.
int amendments_last_undone(const struct amendments *list);

#endif
