// SPDX-License-Identifier: MIT
// pieces_known.h: what a stream knows of a still frame's pieces before it is measured.
#ifndef RINGSIDE_VISION_PIECES_PIECES_KNOWN_H
#define RINGSIDE_VISION_PIECES_PIECES_KNOWN_H

#include "vision/board/background.h"
#include "vision/detection.h"
#include "vision/pieces/roi.h"
#include "vision/pieces/side_classifier.h"

struct discs_seen;   // discs.h
struct marbles_seen; // marbles.h

struct pieces_known {
    const struct background *empty;    // the empty board, updated by this very frame; NULL: not known
    struct detection_list lying;       // pieces that lie untouched where they were measured before
    const struct side_colours *paints; // of the pieces seen before; NULL: not known
    const struct roi *changed;         // nothing has changed anywhere else since; NULL: not known
    struct marbles_seen *marbles;      // what its earlier frames showed, updated by this one; NULL: nothing is known
    struct discs_seen *discs;          // the same
    bool ditch;                        // is searched too: in a photograph, for a stream shows what falls there
};

#endif
