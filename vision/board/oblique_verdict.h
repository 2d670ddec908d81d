// SPDX-License-Identifier: MIT
// oblique_verdict.h: is a pose in which a board was laid over the picture (oblique.h) one of a board?
#ifndef RINGSIDE_VISION_BOARD_OBLIQUE_VERDICT_H
#define RINGSIDE_VISION_BOARD_OBLIQUE_VERDICT_H

#include "vision/board/oblique.h"

// Is it a board, as far as this evidence goes?
bool oblique_is_board(const struct oblique_view *view, const struct board *board, const struct oblique_tuning *t);

// Do its lines speak for one so clearly that landmarks are worth a look (landmarks.h), where hands hide the pegs or they are of the wood
// that they stand on? Targets have such lines too.
bool oblique_may_be_board(const struct oblique_view *view, const struct board *board, const struct oblique_tuning *t);

#endif
