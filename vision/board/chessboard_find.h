// SPDX-License-Identifier: MIT
// chessboard_find.h: a chessboard in a picture, whole or in part, or none.
#ifndef RINGSIDE_VISION_BOARD_CHESSBOARD_FIND_H
#define RINGSIDE_VISION_BOARD_CHESSBOARD_FIND_H

#include "calibration/chessboard.h"
#include "vision/frame.h"

// How hard to look: a board that is held before a camera is large and has to be found while the person waits; on a
// photograph, or lying on the floor, it may be small and a second does not matter.
enum chessboard_search { CHESSBOARD_LARGE, CHESSBOARD_ANY };

// 1 and the corners, to a few hundredths of a pixel; 0 when there is no chessboard of 4 x 4 inner corners or more, in
// any light that keeps every black square darker than every white one. RS_ELIB when OpenCV fails, RS_ENOMEM.
int chessboard_find(struct chessboard *out, struct frame *f, enum chessboard_search search, struct fail *why);

#endif
