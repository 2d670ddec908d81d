// SPDX-License-Identifier: MIT
// concentric.h: where circles around one centre may lie in a picture, seen at any slant.
//
// A camera of known focal length that looks at a plane of known normal can be turned, in arithmetic, to look straight
// down on it: circles are circles again and the normals of all circles around one centre meet in it. So a coarse grid
// of normals is tried; for each the edges vote along their own normals for the centre (a Hough transform as in Davies,
// "A modified Hough scheme for general circle location", Pattern Recognition Letters 1988); the best are then sharpened
// until the edges' distances from the centre fall into as few, as full circles as possible.
#ifndef RINGSIDE_VISION_BOARD_CONCENTRIC_H
#define RINGSIDE_VISION_BOARD_CONCENTRIC_H

#include "calibration/camera.h"
#include "vision/board/edges.h"
#include "vision/tuning.h"

// The plane's normal, leaning `tilt_rad` from the line of sight towards `azimuth_rad` in the picture (0: right, then
// down), and where the circles' centre is seen, pixels.
struct concentric {
    double tilt_rad, azimuth_rad;
    double u, v;
    double score; // how full the circles are; larger is better, comparable within one picture
};

// Up to `most` guesses, best first, distinct; how many, or RS_ENOMEM. `lens` gives the focal length to assume: one that
// is wrong by a third still finds the centre to a few pixels, the tilt to a few degrees.
int concentric_find(struct concentric *out, int most, const struct edge_list *edges, const struct lens *lens,
                    const struct board_tuning *t, struct fail *why);

// Moves a guess to where the circles are fullest nearby.
void concentric_sharpen(struct concentric *g, const struct edge_list *edges, const struct lens *lens,
                        const struct board_tuning *t);

// The camera that sees the guess so: the circles on the board plane z = 0, origin in their centre, the unit of length
// the camera's distance from the plane; the turn about the axis is arbitrary. Distortion is left out.
void concentric_camera(struct camera *c, const struct concentric *g, const struct lens *lens);

#endif
