// SPDX-License-Identifier: MIT
// close_view.h: a close call enlarged: the surface around the piece as if looked straight down on it, with the circle
// on which the piece stands, the line, the band in which it may decide either way, a scale, and by how much in words.
//
// The board's outside is always up. What lies on the surface is where it is; what stands higher leans away from the
// camera, so that a disc's upper rim is drawn thinly beside its foot, and nobody takes the one for the other.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_CLOSE_VIEW_H
#define RINGSIDE_REFEREE_ANNOUNCE_CLOSE_VIEW_H

#include "referee/rules/line.h"
#include "referee/rules/piece_table.h"
#include "vision/detection.h"
#include "vision/frame.h"

enum { CLOSE_VIEW_WIDTH = 640, CLOSE_VIEW_SURFACE = 480, CLOSE_VIEW_HEIGHT = 560 }; // the words stand below the surface

// How many sigma wide the band is to each side of the line.
#define CLOSE_VIEW_SIGMAS 2.0

// Where the surface lies in the picture.
struct close_view_plane {
    struct pt_in middle, up; // of the picture of the surface; a direction of length 1
    double px_per_in;
};

// All borrowed.
struct close_view {
    const struct frame *frame;       // in which the piece lies where it was called; decoded
    const struct board_pose *pose;   // of that frame
    const struct board *board;       // by which the zones are judged
    const struct known_piece *piece; // as it was judged
};

// The picture of it: always the same size. The caller frees *out. RS_ENOMEM; RS_ELIB where letters cannot be drawn.
int close_view_make(struct frame **out, const struct close_view *c, struct fail *why);

// Where it shows what, and the place of a point of the surface in it, pixels.
struct close_view_plane close_view_plane(const struct board *b, const struct known_piece *piece);
struct pt_px close_view_at(const struct close_view_plane *plane, struct pt_in at);

#endif
