// SPDX-License-Identifier: MIT
// shot_boundary.h: where edited footage goes over from one view to another (shot boundary detection).
//
// A cut replaces the whole picture between two frames. Frames are compared as small pictures: when many of their pixels
// changed at once, blocks of the one are looked for in the other, some way around where they were (block matching by
// normalised cross-correlation, which knows no brightness). A knocked or panning camera, a zoom, a lamp, hands and
// pieces leave most blocks findable; another view does not. Two boards filmed alike share many blocks, but seldom the
// histogram of colours as well, which no movement of the camera changes. What is bright for some frames and then as
// before was a flash: so a cut is sure only a little later, and until then frames are not to be believed.
#ifndef RINGSIDE_VISION_TRACK_SHOT_BOUNDARY_H
#define RINGSIDE_VISION_TRACK_SHOT_BOUNDARY_H

#include <stdbool.h>
#include <stdint.h>

#include "calibration/observation.h"
#include "vision/frame.h"
#include "vision/tuning.h"

enum shot_boundary_verdict {
    BOUNDARY_NONE,      // the same view
    BOUNDARY_SUSPECTED, // a cut or a flash: this frame says nothing of the view before
    BOUNDARY_CUT,       // another view, since ->suspected_s
};

enum { BOUNDARY_BINS = 64 }; // 4 x 4 x 4 of blue, green, red

struct small_picture {
    uint8_t *luma;
    float histogram[BOUNDARY_BINS]; // shares of the pixels
};

struct shot_boundary {
    const struct track_tuning *tuning; // borrowed
    int width, height;                 // of the small pictures; 0 before the first frame
    struct small_picture now, before;
    struct small_picture last_sure; // of the last frame before a suspected cut
    double noise; // 8-bit steps: 1 sigma of what a pixel differs by from frame to frame when nothing happens
    bool suspected;
    double suspected_s;   // the first frame of what may be another view
    struct frame *first;  // that frame, until the look after the one that was sure; NULL: none
    double still_since_s; // since when most of the picture has stood still
};

// The caller ends with shot_boundary_finish, which takes { 0 }.
void shot_boundary_begin(struct shot_boundary *s, const struct track_tuning *tuning);
void shot_boundary_finish(struct shot_boundary *s);

// Takes in the next frame; all must have one size. RS_ENOMEM, RS_ELIB.
int shot_boundary_look(enum shot_boundary_verdict *out, struct shot_boundary *s, struct frame *f, struct fail *why);

// What ended the view before, at t_s: another view, or nothing at all, for a lens that is covered shows no other one.
// `f` is the last frame. RS_E... as picture_trouble_of.
int shot_boundary_end(struct observation *out, const struct shot_boundary *s, struct frame *f, double t_s,
                      struct fail *why);

// True when the last frame shows another view than `picture`, a small one kept from an earlier frame.
bool shot_boundary_differs(const struct shot_boundary *s, const struct small_picture *picture);

// The small picture of the last frame into *out, { 0 } at first; the caller ends with small_picture_finish. RS_ENOMEM.
int shot_boundary_keep(struct small_picture *out, const struct shot_boundary *s, struct fail *why);
void small_picture_finish(struct small_picture *p);

#endif
