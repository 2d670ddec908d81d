// SPDX-License-Identifier: MIT
// difference.h: background difference: where a known empty board has changed by a piece, and a disc or ring fitted to it.
//
// The ground needs no model: lines, grain, pegs and numerals are known as they are. So much less contrast is enough than in
// a photo, where a piece has to be told from all that might be painted on a board.
#ifndef RINGSIDE_VISION_PIECES_DIFFERENCE_H
#define RINGSIDE_VISION_PIECES_DIFFERENCE_H

#include "vision/board/background.h"
#include "vision/pieces/cylinder_fit.h"

// As cylinder_fit_run, but that fit->uneven is the variance of its face in units of the noise's, against the empty board
// that looked at the frame last; rounding, blur, growth, ground and floor are left as they were. False also where too much of the
// board is unknown, where its grain shows through, as in a shadow, and where the outline is the empty board's own: then not a piece
// came, but one left.
bool difference_fit(struct cylinder_fit *fit, const struct frame *f, const struct background *empty,
                    const struct cylinder *s, const struct surroundings *near);

// Places where a face, all of it, differs from the empty board and what is around it does not: up to `most` in all are added to
// the `n` that are given, none within `apart_in` of another. How many there are then.
int difference_hypotheses(struct pt_in *at, int n, int most, const struct background *empty, const struct cylinder *s,
                          double apart_in, const struct board_pose *pose, const struct disc_tuning *t);

// 0..1: how much of the face that a solid has there does not look like the empty board.
double difference_share(const struct background *empty, const struct cylinder *s, struct pt_in at,
                        const struct board_pose *pose, const struct disc_tuning *t);

#endif
