// SPDX-License-Identifier: MIT
// lens_views.h: the views of a chessboard that a lens is calibrated from: which of those that come by are worth
// keeping, what is still missing, and whether they suffice.
//
// A view is worth keeping when it is in another place, of another size or leans another way than those kept. The lens
// is fitted anew with each. Left and right are as the camera sees them.
#ifndef RINGSIDE_CALIBRATION_LENS_VIEWS_H
#define RINGSIDE_CALIBRATION_LENS_VIEWS_H

#include <stdbool.h>

#include "calibration/chessboard.h"
#include "calibration/fail.h"
#include "calibration/lens_fit.h"

enum { LENS_VIEWS_WORDS_MAX = 160 };

struct lens_views {
    int width, height; // of the frames, pixels
    int count;         // of views kept
    struct chessboard view[LENS_FIT_MAX_VIEWS];
    bool fitted;         // the views so far have a lens that explains them
    struct lens_fit fit; // when fitted
};

// No view yet, of frames of that size.
void lens_views_begin(struct lens_views *v, int width, int height);

// Is the view worth keeping? Never when LENS_FIT_MAX_VIEWS are kept already.
bool lens_views_is_another(const struct lens_views *v, const struct chessboard *seen);

// 1: the view is kept, and the lens fitted anew: v->fitted, and why not in *why. 0: it is like another. RS_ENOMEM.
int lens_views_add(struct lens_views *v, const struct chessboard *seen, struct fail *why);

// True, with the one thing that the person should do next in `words` ("bring it into the top left corner"), until the
// lens is known as well as it will ever matter or LENS_FIT_MAX_VIEWS are kept: then false, `words` untouched.
bool lens_views_missing(char words[LENS_VIEWS_WORDS_MAX], const struct lens_views *v);

// False when the lens is not known well enough to be used, with the reason and what to do in *why (code 0).
bool lens_views_suffice(const struct lens_views *v, struct fail *why);

#endif
