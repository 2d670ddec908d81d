// SPDX-License-Identifier: MIT
// kept.h: a piece that lies somewhere, and whether the picture there still shows it.
#ifndef RINGSIDE_VISION_TRACK_KEPT_H
#define RINGSIDE_VISION_TRACK_KEPT_H

#include "vision/board/background.h"
#include "vision/track/tracker.h"
#include "vision/track/blobs.h"
#include "vision/track/gate.h"
#include "vision/pieces/places.h"

enum { PATCH_MAX = 48 };

// Some pixels of its face, as they were when it was measured.
struct patch {
    int count;
    int at[PATCH_MAX]; // index of the reduced pixel
    uint8_t bgr[PATCH_MAX][3];
};

struct kept {
    int id;
    struct detection piece;
    struct patch patch;
    double absent_since_s; // first frame in which the picture no longer showed it there; INFINITY while it does
    double loose_since_s;  // first frame in which a part of it looked otherwise; INFINITY while none does
    double there_until_s;  // last frame in which the whole of it lay there, once it is absent or loose
    int looks, hits;       // still moments since it came to lie there; in how many the finder saw it
    bool hand_near;        // a hand was beside it then
    bool hand_came;        // or at any time since it was last seen whole
};

// Takes the patch from a picture of the gate's, usually the present one. Its camera and height tell where its face is in the picture.
void kept_take_patch(struct kept *k, const struct gate *g, const uint8_t *picture, const struct board_pose *pose);

// The camera moved: where its face is in the picture now. It stays where it lies on the board.
void kept_aim(struct kept *k, const struct board_pose *pose);

// True when the picture (the gate's present or clean one) shows, where the piece is in this new view, the colour that its
// face had in the old one.
bool kept_shows(const struct kept *k, const struct gate *g, const uint8_t *picture, const struct board_pose *pose);

// 0..1: how much of the patch looks as it did.
double kept_share(const struct kept *k, const struct gate *g);

// Those whose place looks as it did when they were measured, and that have been seen there often enough not to be doubted.
void kept_lying(struct detection_list *out, const struct kept *k, int n, const struct gate *g,
                const struct board_pose *pose);

// What has changed since the pieces were measured, and the places of those that are not among `lying`: nothing else has to be
// looked at again.
void kept_changed(struct places *out, const struct kept *k, int n, const struct detection_list *lying,
                  const struct blobs *b, const struct gate *g, const struct board_pose *pose);

// True when the middle of its face differs from the known empty board: then something lies there.
bool kept_stands_out(const struct kept *k, const struct background *empty, const struct board_pose *pose);

// The radius of a usual piece in reduced pixels at that place; 0 where it cannot be seen.
double kept_radius_px(const struct gate *g, const struct board_pose *pose, struct pt_in at);

// As they stand, for drawing; of a hand nothing is known here.
void kept_view(struct tracker_view *out, const struct kept *k, int n);

#endif
