// SPDX-License-Identifier: MIT
// edges.h: where a picture changes colour along a thin front or bears a thin line: sub-pixel places and directions.
//
// Steps: the gradient of the channel that changes most (Di Zenzo's idea in its cheap form), thinned to its ridge as
// Canny does, the ridge placed to a fraction of a pixel by a parabola. Lines: Steger, "An unbiased detector of
// curvilinear structures", PAMI 1998. Found on a reduced copy; places are in the full picture.
#ifndef RINGSIDE_VISION_BOARD_EDGES_H
#define RINGSIDE_VISION_BOARD_EDGES_H

#include "vision/frame.h"
#include "vision/tuning.h"

struct edge {
    float u, v;     // full-size pixels
    float du, dv;   // unit direction across it
    float strength; // 8-bit steps per reduced pixel, of a line per reduced pixel squared
};

struct edge_list {
    struct edge *edge;
    int count;
    double reduction; // full-size pixels per reduced pixel, >= 1
};

enum edge_kind {
    EDGE_STEP, // one colour ends, another begins
    EDGE_LINE, // a line, dark or light, one or two reduced pixels wide
    EDGE_KINDS,
};

// Which of more edges than there is room for are taken.
enum edge_choice {
    EDGES_STRONGEST,
    EDGES_SPREAD, // the strongest of each tile of the picture, so that no busy part has them all
};

// The edges of each kind in a reduced copy, strongest first. The caller frees them with edges_finish; after a failure
// (RS_ENOMEM, RS_ELIB) they are empty.
int edges_find(struct edge_list out[EDGE_KINDS], const struct frame *f, enum edge_choice choice,
               const struct board_tuning *t, struct fail *why);
void edges_finish(struct edge_list edges[EDGE_KINDS]);

#endif
