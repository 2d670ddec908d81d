// SPDX-License-Identifier: MIT
// tracks.h: a track is a piece that lies somewhere and keeps its id; and whether the picture there still shows it.
#ifndef RINGSIDE_VISION_TRACK_TRACKS_H
#define RINGSIDE_VISION_TRACK_TRACKS_H

#include "vision/board/background.h"
#include "vision/pieces/roi.h"
#include "vision/track/change_patches.h"

enum { TEMPLATE_MAX = 48 };

// Some pixels of its face, as they were when it was measured.
struct face_template {
    int count;
    int at[TEMPLATE_MAX]; // index of the reduced pixel
    uint8_t bgr[TEMPLATE_MAX][3];
};

struct track {
    int id;
    struct detection piece;
    struct face_template face;
    double absent_since_s; // first frame in which the picture no longer showed it there; INFINITY while it does
    double loose_since_s;  // first frame in which a part of it looked otherwise; INFINITY while none does
    double there_until_s;  // last frame in which the whole of it lay there, once it is absent or loose
    double hidden_until_s; // last frame since then in which a hand hid its place; -INFINITY: none did
    int looks, hits;       // still moments since it came to lie there; in how many the finder saw it
    bool hand_near;        // a hand was beside it then,
    bool hand_before;      // or in the frame before
    bool hand_came;        // or at any time since it was last seen whole
    bool came_by_hand;     // a hand was beside it when it was first measured; it may be a part of that
    bool stood_out;        // from the known empty board, when it was last looked for where it was
};

// Takes the template from a picture of the detector's, usually the present one. Its camera and height say where its
// face is in the picture.
void track_take_template(struct track *k, const struct change_detector *d, const uint8_t *picture);

// The camera moved: where its face is in the picture now. It stays where it lies on the board.
void track_project(struct track *k, const struct board_pose *pose);

// Its place looks as the empty board does there, and did not before: it is gone, though they be alike in colour.
bool track_bares(const struct track *k, const struct background *empty, const struct board_pose *pose);

// True when the picture (the detector's present one or its reference) shows, where the piece is in this new view, the
// colour that its face had in the old one.
bool track_shows(const struct track *k, const struct change_detector *d, const uint8_t *picture);

// 0..1: how much of the template looks as it did.
double track_share(const struct track *k, const struct change_detector *d);

// Where has to be looked again: at what has changed since the pieces were measured, and at their places but for those
// `lying`, which look as they did then and have been seen there often enough not to be doubted.
void tracks_changed(struct roi *out, struct detection_list *lying, const struct track *k, int n,
                    const struct change_patches *p);

// True when on the surface, where its face is, the known empty board differs by more than a shadow: one lies there.
bool detection_stands_out(const struct detection *p, const struct background *empty, const struct board_pose *pose);

// The background is kept from still frames, where nothing is known to lie or to have changed. Lays the frame over it;
// the first time, and where the board has other measures than before, it is created (*empty is NULL or one to be
// replaced). A ring of marbles has none, *empty stays NULL: carpets change under feet, and marbles are hardly larger
// than their loops. RS_ENOMEM, RS_ELIB.
int tracks_lay_over_background(struct background **empty, struct frame *f, const struct board_pose *pose,
                               const struct tuning *tuning, struct fail *why);

// Takes in the frame laid over it last, but for the places of pieces, tracked or seen in it, and for what has changed:
// hands, shadows. `empty` and `seen` may be NULL. RS_ENOMEM.
int tracks_learn_background(struct background *empty, const struct change_detector *d, const struct track *k, int n,
                            const struct detection_list *seen, struct fail *why);

#endif
