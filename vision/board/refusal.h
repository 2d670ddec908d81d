// SPDX-License-Identifier: MIT
// refusal.h: why a board seen from the side is not taken for one: what it does not show, and what a person can do about it.
#ifndef RINGSIDE_VISION_BOARD_REFUSAL_H
#define RINGSIDE_VISION_BOARD_REFUSAL_H

#include "vision/board/oblique.h"

// Of n views the one that shows most. False, *why untouched, when none shows more than chance does. `untraced`: why the lines of a
// view that was taken for a board could not be refined; empty when there was none. `hinted`: a hint was given, so that none is asked
// for.
bool refusal_words(struct fail *why, const struct oblique_view *view, int n, const struct fail *untraced, bool hinted,
                   const struct board *board, const struct oblique_tuning *t);

#endif
