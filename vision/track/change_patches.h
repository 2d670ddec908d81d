// SPDX-License-Identifier: MIT
// change_patches.h: the patches that changed pixels form, and which of them is a hand.
//
// Connected components of the change mask. What lies and what runs are told apart by how much of a patch moves from
// frame to frame, a hand from both by how thick it is, by the distance transform, and by where it reaches in from.
#ifndef RINGSIDE_VISION_TRACK_CHANGE_PATCHES_H
#define RINGSIDE_VISION_TRACK_CHANGE_PATCHES_H

#include "vision/track/change_detection.h"

// What a patch is taken for. A hand is thicker than any piece, or reaches in from outside. Where the reference shows
// one that has gone since, its ghost looks changed as well: its outline is in the reference and not in the frame.
enum patch_kind { PATCH_HAND, PATCH_RUNS, PATCH_STAYS, PATCH_GHOST };

// Changed pixels that hang together: what a hand or a running piece leaves.
struct change_patch {
    int label;       // in change_patches->label
    int area, moved; // reduced pixels; how many of them also differ from the frame before
    struct change_box box;
    double thick;        // radius of the largest disc that lies within it, reduced pixels
    bool border;         // reaches the end of what is looked at
    struct pt_px middle; // full-size pixels
    double bgr[3];       // mean of the frame there
    double reference[3]; // and of the reference
    double outline;      // 8-bit steps by which its edge is sharper than in the reference, summed;
    double outline_var;  // their squares
    enum patch_kind kind;
    double pieces; // its size in areas of a piece there
};

struct change_patches {
    const struct change_detector *changes; // borrowed: whose pixels they are
    int count, room;
    struct change_patch *item; // in no order
    int32_t *label;            // of each reduced pixel, an item's; 0 where nothing changed or too little
    float *depth;              // of each changed pixel, how far the nearest unchanged one is
    uint8_t *mask;             // working space
    double *hand_s;            // of each reduced pixel, when a hand was last seen there; -INFINITY: never
};

// For pictures of the detector's size. The caller ends with change_patches_finish. RS_ENOMEM.
int change_patches_create(struct change_patches *p, const struct change_detector *d, struct fail *why);
void change_patches_finish(struct change_patches *p);

// Gathers the changed pixels of the frame taken in last, but what is too small to be anything. RS_ENOMEM, RS_ELIB.
int change_patches_find(struct change_patches *p, struct fail *why);

// A hand, the last one in the picture; NULL when there is none.
const struct change_patch *change_hand(const struct change_patches *p);

// True when some pixel of a hand lies within `reach_px` reduced pixels of the box.
bool change_hand_within(const struct change_patches *p, struct change_box box, double reach_px);

// True when a hand is so near to the full-size pixel.
bool change_hand_near(const struct change_patches *p, struct pt_px px, double reach_px);

// True when one was so near to it at since_s or after that.
bool change_hand_since(const struct change_patches *p, struct pt_px px, double reach_px, double since_s);

// True when the full-size pixel lies in the thick part of a hand: no piece is seen there.
bool change_under_hand(const struct change_patches *p, struct pt_px px);

// True when some pixel of a hand lies in that part of the picture.
bool change_hand_over(const struct change_patches *p, const struct stillness *part);

#endif
