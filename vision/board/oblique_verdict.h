// SPDX-License-Identifier: MIT
// oblique_verdict.h: is a pose in which a board was laid over the picture (oblique.h) one of a board? Where it is not,
// what does it not show, and what can a person do about it?
#ifndef RINGSIDE_VISION_BOARD_OBLIQUE_VERDICT_H
#define RINGSIDE_VISION_BOARD_OBLIQUE_VERDICT_H

#include "vision/board/oblique.h"

// Is it a board, as far as this evidence goes?
bool oblique_is_board(const struct oblique_view *view, const struct board *board, const struct oblique_tuning *t);

// Do its lines speak for one so clearly that landmarks are worth a look (landmarks.h), where hands hide the pegs or
// they are of the wood that they stand on? Targets have such lines too.
bool oblique_may_be_board(const struct oblique_view *view, const struct board *board, const struct oblique_tuning *t);

// Of n views the one that shows most. False, *why untouched, when none shows more than chance does. `untraced`: why the
// lines of a view that was taken for a board could not be refined; empty when there was none. `hinted`: a hint was
// given, so that none is asked for.
bool oblique_refusal_words(struct fail *why, const struct oblique_view *view, int n, const struct fail *untraced,
                           bool hinted, const struct board *board, const struct oblique_tuning *t);

#endif
