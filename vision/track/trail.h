// SPDX-License-Identifier: MIT
// trail.h: hands and what runs by itself, told apart frame by frame; and where it ran.
#ifndef RINGSIDE_VISION_TRACK_TRAIL_H
#define RINGSIDE_VISION_TRACK_TRAIL_H

#include "vision/track/blobs.h"
#include "vision/track/gate.h"

enum { TRAIL_MAX = 4096 };

// Something small that moved, apart from any hand.
struct step {
    double t_s;
    struct pt_in at;
    struct pt_px px;
    double bgr[3], clean[3]; // means of the frame there, and of the clean frame: what it is, what it hides
    double pieces;           // its size, in areas of a piece
};

struct trail {
    int count;
    struct step step[TRAIL_MAX]; // in order of time; when it is full, what comes later is lost
};

enum patch_kind { PATCH_HAND, PATCH_RUNS, PATCH_STAYS };

// A hand is thicker than any piece, or reaches in from outside.
enum patch_kind trail_kind(const struct blob *o, const struct gate *g, const struct board_pose *pose);

// True when some pixel of a hand lies within `reach_px` reduced pixels of the box; `kind` runs beside the blobs.
bool trail_hand_within(const struct blobs *b, const enum patch_kind *kind, const struct gate *g, const struct blob *box,
                       double reach_px);

// True when the full-size pixel lies in the thick part of a hand: no piece is seen there.
bool trail_under_hand(const struct blobs *b, const enum patch_kind *kind, const struct gate *g,
                      const struct board_pose *pose, struct pt_px px);

// True when some pixel of a hand lies in that part of the picture.
bool trail_hand_over(const struct blobs *b, const enum patch_kind *kind, const struct gate *g,
                     const struct quiet *part);

// Adds this frame's running things.
void trail_add(struct trail *t, const struct blobs *b, const enum patch_kind *kind, const struct gate *g,
               const struct board_pose *pose);

// CIE L*a*b* (D65) of a mean of sRGB codes, B G R.
void trail_lab(double lab[3], const double bgr[3]);

// How far a colour is from the nearest mixture of a clean place's and a piece's (CIE76); *part: how much of the piece's is
// in that.
double trail_off_mixture(double *part, const double seen_lab[3], const double clean_lab[3], const double piece_lab[3]);

// 0..1: how far the step's colour lies from what it hides towards `lab`: a blurred piece is a mixture of the two.
// Negative when its colour is not such a mixture.
double trail_likeness(const struct step *s, const double lab[3]);

#endif
