// SPDX-License-Identifier: MIT
// change_detection.h: what changed in the picture, and since when nothing has.
//
// The cheap look at every frame. Frames are reduced until a piece is a few pixels across, which also averages the noise
// away. They are compared with the frame before, with the first frame of the present stillness, and with the last still
// frame (the reference). Only the neighbourhood of the board is looked at. Its rim is never still for long where people
// play, so there are two stillnesses: that of the whole neighbourhood, and that of the field inside the outermost line,
// where no hand rests.
#ifndef RINGSIDE_VISION_TRACK_CHANGE_DETECTION_H
#define RINGSIDE_VISION_TRACK_CHANGE_DETECTION_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "vision/detection.h"
#include "vision/frame.h"
#include "vision/tuning.h"

// Bits of a pixel in the change mask: it differs from the reference; from the frame before; from the beginning of a
// stillness (UNSTILL << which of them).
enum { CHANGED = 1, MOVED = 2, UNSTILL = 4 };

enum { STILL_WHOLE, STILL_FIELD, STILLNESSES };

struct stillness {
    int *from, *to;  // of each row, the pixels from .. to - 1 that belong to it
    uint8_t *anchor; // the first of the frames that all look alike there
    double since_s;  // and its time
};

struct change_detector {
    const struct track_tuning *tuning; // borrowed
    const struct board_pose *pose;     // borrowed: the newest one of the board
    int width, height;                 // reduced
    double step;                       // full-size pixels per reduced pixel
    int coarsest;                      // so many times smaller than the frame a picture may be that is reduced from
    double piece_px;                   // reduced pixels across a piece in the board's middle
    int threshold;                     // 8-bit steps: what is a change and not noise
    double noise;                      // 8-bit steps between two frames in which nothing moves
    double slack_px;                   // reduced pixels that an edge may lie beside itself and be no change
    bool blurs;     // there was so much of it that all pictures are blurred from then on before they are compared
    int *from, *to; // of each row, the pixels that are looked at: those of the whole
    struct stillness still[STILLNESSES];
    uint8_t *now, *before, *reference; // reduced BGR
    uint8_t *mask;                     // the change mask
    bool any_before;
    long references;     // how many were taken
    long looked_at;      // pixels that are looked at
    long changed, moved; // pixels, in the last frame
    double first_s, t_s; // of the first frame, of the last
};

// Made for frames like `f` with that board in it. The caller ends with change_detector_finish. RS_ENOMEM.
int change_detector_create(struct change_detector *d, const struct frame *f, const struct board_pose *pose,
                           const struct track_tuning *tuning, struct fail *why);
void change_detector_finish(struct change_detector *d);

// The board lies somewhere else now: another part of the picture is looked at. Small movements need not say so.
void change_detector_set_pose(struct change_detector *d, const struct board_pose *pose);

// A frame as it is compared: *out has room for width * height * 3. RS_ENOMEM, RS_ELIB.
int change_reduce(uint8_t *out, const struct change_detector *d, struct frame *f, struct fail *why);

// Takes in the next frame. RS_ENOMEM, RS_ELIB.
int change_detect(struct change_detector *d, struct frame *f, struct fail *why);

// Nothing is known of the time before t_s: no stillness began earlier.
void change_unsettle(struct change_detector *d, double t_s);

// The frame taken in last is the reference from now on.
void change_take_reference(struct change_detector *d);

// A box of the reduced picture: pixels left .. right, top .. bottom.
struct change_box {
    int left, top, right, bottom;
};

// The shift of what is seen in the box, full-size pixels, from an older reduced picture to `now`: one step of Lucas and
// Kanade's registration, good for small shifts only, down to hundredths of a reduced pixel. A change of light is none.
struct pt_px change_shift_px(const struct change_detector *d, const uint8_t *other, struct change_box box);

// How far the board's picture has drifted since the present stillness of the whole began, in inches on the board: the
// largest such shift at four places of the outermost line. A drift is too slow to end a stillness.
double change_drift_in(const struct change_detector *d);

// The camera moved from one place to another while a hand was over the board: the reference of `old`, which may be `d`
// itself, is carried over to where its places are seen now, or the last frame taken where that shows the same.
// RS_ENOMEM, RS_ELIB.
int change_carry_reference(struct change_detector *d, const struct change_detector *old, const struct camera *from,
                           const struct camera *to, struct fail *why);

// The larger of the three channels' differences.
static inline int change_difference(const uint8_t *a, const uint8_t *b)
{
    int most = 0;
    for (int k = 0; k < 3; k++) {
        int d = a[k] > b[k] ? a[k] - b[k] : b[k] - a[k];
        most = d > most ? d : most;
    }
    return most;
}

// A place in the reduced picture as a whole pixel; what lies outside, at times billions away, is put right beside it.
static inline int change_pixel(const struct change_detector *d, double px)
{
    return (int)fmin(fmax(px, -1), fmax(d->width, d->height));
}

// The pixels so far to each side of a place in the reduced picture, and right beside the picture.
static inline struct change_box change_box_around(const struct change_detector *d, struct pt_px at, double reach_px)
{
    double u = trunc(at.u), v = trunc(at.v), reach = ceil(reach_px);
    return (struct change_box){ .left = change_pixel(d, u - reach),
                                .top = change_pixel(d, v - reach),
                                .right = change_pixel(d, u + reach),
                                .bottom = change_pixel(d, v + reach) };
}

static inline bool change_looked_at(const struct change_detector *d, int x, int y)
{
    return y >= 0 && y < d->height && x >= d->from[y] && x < d->to[y];
}

// The radius of a usual piece in reduced pixels at that place; 0 where it cannot be seen.
double change_piece_radius_px(const struct change_detector *d, struct pt_in at);

#endif
