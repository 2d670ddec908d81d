// SPDX-License-Identifier: MIT
// background.h: what a stream's board looks like where nothing lies on it, learnt while pieces and hands come and go.
//
// A raster of cells in the board's own inches, each about a pixel of the picture: so it holds when the camera is
// knocked. What was seen longest is believed (majority vote: Boyer, Moore 1981), so that what only lay there for a
// while, even from the beginning, does not become board. Light may change: each look fits its own.
#ifndef RINGSIDE_VISION_BOARD_BACKGROUND_H
#define RINGSIDE_VISION_BOARD_BACKGROUND_H

#include <stdbool.h>
#include <stdint.h>

#include "vision/frame.h"
#include "vision/detection.h"
#include "vision/tuning.h"

struct background;

// For the board that was found; the tuning is borrowed. To be ended with background_free, which takes NULL. RS_ENOMEM.
int background_create(struct background **out, const struct board_pose *pose, const struct tuning *tuning,
                      struct fail *why);
void background_free(struct background *s);

// Is it of that board, and fine enough for that view of it?
bool background_fits(const struct background *s, const struct board_pose *pose);

// The camera stands elsewhere: what is not in the board's plane (hole, pegs, the edge) looks different.
void background_seen_anew(struct background *s);

// Compares a still frame with it, and clears the cover mask. Where more than `differing_most` of the known blocks
// differ it is another board, or another light, and the background is begun anew. RS_ENOMEM, RS_ELIB.
int background_look(struct background *s, const struct frame *f, const struct board_pose *pose, struct fail *why);

// Of the last look: something may hide the board within `reach_in` of the line between two places of its plane ...
void background_cover(struct background *s, struct pt_in from, struct pt_in to, double reach_in);
// ... or where pixels of this mask are not 0, of which each is `step` of the frame's.
void background_cover_mask(struct background *s, const uint8_t *mask, int width, int height, double step);

// Takes in what the last look showed where nothing covers it.
void background_learn(struct background *s);

// What the last look showed of the board where the face of a piece would hide it from `eye`, if one
// stood at that place on that height. In a shadow the board keeps its colours and its grain
// (brightness and chromaticity distortion: Horprasert, Harwood, Davis 1999). `s` NULL: unknown.
enum background_shows {
    BACKGROUND_UNKNOWN, // of less than half of it is known what it looks like empty
    BACKGROUND_BARE,    // it looks as it does empty
    BACKGROUND_SHADED,  // ... or would, in a shadow
    BACKGROUND_DIFFERS,
};
enum background_shows background_behind_piece(const struct background *s, const struct pt3_in *eye, struct pt_in at,
                                              double base_in);

// False when all within a piece's reach of it is bare, but for single blocks of noise: no piece's outline is there.
bool background_may_hold(const struct background *s, struct pt_in low);

// What a place of the board's plane looks like empty, in the light of the last look: B G R codes. False: nobody knows.
bool background_empty_at(double bgr[3], const struct background *s, struct pt_in low);

// A picture of it, B G R, one cell a pixel, y upwards as in a top view; black where nothing is known. How many cells a
// side; the caller frees *out. 0 when there is no memory.
int background_picture(uint8_t **out, const struct background *s);

#endif
