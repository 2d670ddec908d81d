// SPDX-License-Identifier: MIT
// concentric.h: where circles around one centre may lie in a picture, seen at any slant.
//
// A camera of known focal length that looks at a plane of known normal can be turned, in arithmetic, to look straight
// down on it: circles are circles again and the normals of all circles around one centre meet in it. So a coarse grid of
// normals is tried; for each the edges vote along their own normals for the centre (a Hough transform as in Davies,
// "A modified Hough scheme for general circle location", Pattern Recognition Letters 1988); the best are then sharpened
// until the edges' distances from the centre fall into as few, as full circles as possible.
#ifndef RINGSIDE_VISION_BOARD_CONCENTRIC_H
#define RINGSIDE_VISION_BOARD_CONCENTRIC_H

#include <stdbool.h>

#include "calibration/camera.h"
#include "vision/board/edges.h"

struct concentric {
    struct camera camera; // board plane z = 0 through the circles, origin in their centre, one unit = its distance from
                          // the camera's plane-normal foot; turn about the axis arbitrary
    double score;         // how full the circles are; larger is better, comparable within one picture
};

enum { CONCENTRIC_MAX = 12 };

// Up to `most` candidates, best first, distinct; how many, or RS_EIO. `lens` gives the focal length to assume: one that is
// wrong by a third still finds the centre to a few pixels, the tilt to a few degrees.
int concentric_find(struct concentric *out, int most, const struct edge_list *edges, const struct lens *lens,
                    struct fail *why);

#endif
