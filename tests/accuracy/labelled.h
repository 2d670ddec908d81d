// SPDX-License-Identifier: MIT
// labelled.h: what is told of pictures labelled by eye, as they are or altered.
#ifndef RINGSIDE_TESTS_ACCURACY_LABELLED_H
#define RINGSIDE_TESTS_ACCURACY_LABELLED_H

#include <stdbool.h>

#include "tests/accuracy/altered.h"

struct labelled_tally {
    int pictures, boards;
    int boards_right; // of those: the labelled outermost line lies on it, 90 % of it within 3 px or 0.15 in
    // Labelled discs of those boards; found: the image of a piece's top has its centre within the labelled one's
    // radius.
    int asked, found;
    int false_pieces, firm_false_pieces; // told where none is; as surely as 0.9
};

// Whether somebody labelled that picture: its truth file has `discs`.
bool labelled_is(const char *truth_path);

// Adds what the program as it is tells of the picture altered so. Pieces in the ditch or on the outermost line,
// hidden ones, those of which the label is not sure and those that lie outside of the copy are neither asked for nor
// held against it. RS_EIO, RS_EINPUT when a file is not what it should be.
int labelled_read(struct labelled_tally *t, const char *truth_path, enum alteration how, struct fail *why);

#endif
