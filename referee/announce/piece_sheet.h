// SPDX-License-Identifier: MIT
// piece_sheet.h: pieces too small to be made out in a picture, each enlarged on a sheet of its own: with its number,
// and what is said of it. A marble of 5/8 in is some ten pixels wide where the whole ring is seen.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_PIECE_SHEET_H
#define RINGSIDE_REFEREE_ANNOUNCE_PIECE_SHEET_H

#include <stdbool.h>

#include "vision/draw.h"
#include "vision/frame.h"

enum { PIECE_SHEET_MAX = 24, PIECE_SHEET_WORDS_MAX = 24 };

struct sheet_piece {
    struct pt_px px; // its middle in the picture, and how large it is there
    double radius_px;
    char words[PIECE_SHEET_WORDS_MAX];
    struct ink ink; // of the words
};

// Whether the pieces of a picture are so small that a sheet says more.
bool piece_sheet_helps(const struct frame *f, double radius_px);

// The sheet, as large as it is to be in that picture; `f` is as the camera saw it. The caller frees *out. RS_ENOMEM;
// RS_ELIB as draw_letters.
int piece_sheet_make(struct frame **out, const struct frame *f, const struct sheet_piece *piece, int n,
                     struct fail *why);

#endif
