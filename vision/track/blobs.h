// SPDX-License-Identifier: MIT
// blobs.h: the changed pixels of a frame gathered into connected patches: what a hand or a running piece leaves.
#ifndef RINGSIDE_VISION_TRACK_BLOBS_H
#define RINGSIDE_VISION_TRACK_BLOBS_H

#include <stdbool.h>

#include "vision/track/gate.h"

enum {
    BLOBS_MAX = 64,
    DEPTH_PER_PX = 3, // steps of blobs->depth
};

struct blob {
    int label;                    // in blobs->label
    int area, moved;              // reduced pixels; how many of them also differ from the frame before
    int left, top, right, bottom; // reduced pixels, inclusive
    double thick;                 // radius of the largest disc that lies within it, reduced pixels
    bool border;                  // reaches the end of what is looked at
    double u, v;                  // middle, full-size pixels
    double bgr[3];                // mean of the frame there
    double clean[3];              // and of the clean frame
};

struct blobs {
    int count;
    struct blob item[BLOBS_MAX]; // in no order
    int *label;                  // of each reduced pixel, 0 where nothing changed
    int *depth;                  // of each labelled pixel, how far from the patch's edge, in thirds of a pixel
    int *stack;                  // for the flood
};

// For pictures of the gate's size. The caller ends with blobs_finish. RS_EIO when there is no memory.
int blobs_create(struct blobs *b, const struct gate *g, struct fail *why);
void blobs_finish(struct blobs *b);

// Gathers the gate's changed pixels; patches of less than `area_min` pixels are passed over; when there are too
// many, the largest are kept.
void blobs_find(struct blobs *b, const struct gate *g, int area_min);

#endif
