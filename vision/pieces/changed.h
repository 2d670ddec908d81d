// SPDX-License-Identifier: MIT
// changed.h: where the known empty board of a stream has changed by as much as a piece's face.
#ifndef RINGSIDE_VISION_PIECES_CHANGED_H
#define RINGSIDE_VISION_PIECES_CHANGED_H

#include "vision/board/background.h"
#include "vision/pieces/solid.h"

// Places where a face, all of it, differs from the empty board and what is around it does not: up to `most` in all are added to
// the `n` that are given, none within `apart_in` of another. How many there are then.
int changed_add(struct pt_in *at, int n, int most, const struct background *empty, const struct solid *s,
                double apart_in, const struct board_pose *pose);

// 0..1: how much of the face that a solid has there does not look like the empty board.
double changed_face(const struct background *empty, const struct solid *s, struct pt_in at,
                    const struct board_pose *pose);

static const double CHANGED_NOT = 0.15; // share of a bare face, which is noise
static const double CHANGED_ALL = 0.75; // of a face: a part of it may look like what it hides

#endif
