// SPDX-License-Identifier: MIT
// carpet.h: an even carpet in a marble ring, seen from right above, for tests of what changes on it. Include after
// cmocka.h.
#ifndef RINGSIDE_TESTS_VISION_TRACK_CARPET_H
#define RINGSIDE_TESTS_VISION_TRACK_CARPET_H

#include <math.h>
#include <string.h>

#include "vision/track/change_detection.h"

enum { RING_SIDE = 800 };
static const double RING_PX_PER_IN = 9, CAMERA_UP_IN = 100;

static inline struct board_pose ring_from_above(void)
{
    static const double R[3][3] = { { 1, 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 } };
    struct board_pose pose = { .found = true, .board = *board_builtin("ring-7ft") };
    pose.camera.lens = (struct lens){ .width = RING_SIDE,
                                      .height = RING_SIDE,
                                      .f_px = RING_PX_PER_IN * CAMERA_UP_IN,
                                      .centre = { RING_SIDE / 2.0, RING_SIDE / 2.0 } };
    memcpy(pose.camera.pose.R, R, sizeof R);
    pose.camera.pose.t_in[2] = CAMERA_UP_IN;
    return pose;
}

// An even carpet, and on it something bright and round, 50 px right of the middle.
static inline struct frame *carpet_with(double t_s, double radius_px)
{
    struct frame *f;
    assert_int_equal(frame_create(&f, RING_SIDE, RING_SIDE, NULL), 0);
    f->t_s = t_s;
    for (int i = 0; i < RING_SIDE * RING_SIDE; i++) {
        double from = hypot(i % RING_SIDE - RING_SIDE / 2 - 50, i / RING_SIDE - RING_SIDE / 2);
        memset(f->bgr + 3 * (size_t)i, from < radius_px ? 200 : 90, 3);
    }
    return f;
}

#endif
