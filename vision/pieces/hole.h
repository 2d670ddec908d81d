// SPDX-License-Identifier: MIT
// hole.h: does a piece lie in the centre hole?
//
// An empty hole is round, dark or painted, and nearly of a disc's size. A piece differs: it has the colour of a side's
// other pieces, in full light because its top is level with the board, and evenly so, where an empty hole shows the
// shadow of its own rim; a ring shows the floor through it. A hole that has the ditch's colour is likelier empty:
// makers paint both alike, and a twenty is taken away at once. All this is weighed by logistic regression, whose
// weights `make weights` fits.
#ifndef RINGSIDE_VISION_PIECES_HOLE_H
#define RINGSIDE_VISION_PIECES_HOLE_H

#include "vision/detection.h"
#include "vision/frame.h"
#include "vision/pieces/cylinder_fit.h"
#include "vision/pieces/side_classifier.h"
#include "vision/tuning.h"

enum hole_measure {
    HOLE_LOG_PAINT_OFF,   // from the nearest side's paint, CIE L*a*b*; as far as can be where no side is known
    HOLE_DARKER,          // than that side's other pieces, L*
    HOLE_UNEVEN,          // share of its top that has another colour: the shadow of the rim
    HOLE_EXPLAINED,       // 0..1: of the pixels' variance
    HOLE_LOG_DITCH_OFF,   // from the ditch's colour: a hole that has it is likelier empty; most for a side nearly black
    HOLE_DEEP_SIDE,       // 1 where that side is nearly black, as deep holes are
    HOLE_DEEP_PAINT_OFF2, // then the square of how far its paint is from that, where blur mixes no colours; else 0
    HOLE_HOLLOW,          // of a ring: how far the paint seen through it is from its own
    HOLE_MEASURES
};

struct hole_hypothesis {
    bool fitted; // else nothing lies there that could be one, or it looks like an empty hole
    struct cylinder shape;
    struct cylinder_fit fit;
    double measure[HOLE_MEASURES];
    double probability;
};

// `near`: what stands around it and may hide it; `others`: the pieces found on the surface; `paints`: of pieces seen
// before, NULL: not known; `flat`: seen so flat that a face is a few pixels deep.
void hole_look(struct hole_hypothesis *out, const struct frame *f, const struct surroundings *near,
               const struct detection_list *others, const struct side_colours *paints, bool flat,
               const struct evidence_tuning *t);

#endif
