// SPDX-License-Identifier: MIT
// frame.h: one picture with a time on it.
//
// Pixels are 8-bit BGR, interleaved, square (footage with other pixels is unsqueezed when it is decoded). Luma is made
// from it on first use and kept. So are the pixels themselves where a camera sent JPEGs: such a frame comes with a
// coarse picture, which is enough to see whether anything happens; who wants more asks for it. A frame has one owner,
// who frees it, and belongs to one thread at a time: hand it over, do not share it.
#ifndef RINGSIDE_VISION_FRAME_H
#define RINGSIDE_VISION_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calibration/fail.h"

enum { FRAME_MAX_SIDE_PX = 16384 }; // larger pictures are refused before memory is taken for them

struct frame {
    int width, height; // pixels
    // width * height * 3, rows without padding; of a frame with `coarse` NULL until frame_decode was called.
    uint8_t *bgr;
    // The same, smaller by `coarseness` each way: ask for it by frame_picture; NULL: bgr is there from the start.
    uint8_t *coarse;
    int coarseness;   // 2, 4, 8
    uint8_t *luma;    // width * height; NULL until frame_luma was called
    double t_s;       // seconds from the first frame of the source; 0 for a photo
    long number;      // 0, 1, 2 ... as decoded by the source
    double lost_s;    // so much time before it of which nothing is known: pictures were lost or doubtful; 0: none
    bool doubtful;    // decoded from pictures that were damaged, or of no known time: not to be believed
    bool from_camera; // of what a camera sends, or sent when it was recorded frame by frame: a game goes on meanwhile
    struct encoded *encoded; // encoded.h: as the camera sent it, held; NULL: it came otherwise
    struct decoder *decoder; // decoder.h: makes pixels of `encoded`; held; NULL: it came otherwise
    // buffer_pool.h: takes bgr and coarse back, so that their sizes may not change; held; NULL: malloc's.
    struct buffer_pool *pool;
    struct notes *notes; // notes.h: borrowed; NULL: nobody asks what was tried
};

// A black frame, to be freed with frame_free, which takes NULL. RS_EINPUT when a side is not 1 .. max; RS_ENOMEM.
int frame_create(struct frame **out, int width, int height, struct fail *why);
void frame_free(struct frame *f);

// For a source that makes many: with memory of its pool, the pixels unset. NULL: as frame_create.
int frame_create_from(struct frame **out, struct buffer_pool *pool, int width, int height, struct fail *why);

// A frame of what a camera sent, without pixels, of its size and time; both are held. Without a decoder it never has
// any. The caller frees *out. As frame_create.
int frame_create_encoded(struct frame **out, struct encoded *e, struct decoder *d, struct fail *why);

// A copy with its own pixels; luma is not copied, nor what is unknown or doubtful of it. The caller frees it.
// RS_ENOMEM, RS_ELIB.
int frame_copy(struct frame **out, const struct frame *f, struct fail *why);

// The same to be looked at later, if at all: coarse where `f` came so. The caller frees it. RS_ENOMEM.
int frame_keep(struct frame **out, const struct frame *f, struct fail *why);

// From then on f->bgr is there. RS_ENOMEM, RS_ELIB; damage was found when the frame came.
int frame_decode(struct frame *f, struct fail *why);

// What a frame shows, perhaps not in all its pixels; each of it stands for a square of as many whole ones.
struct picture {
    const uint8_t *bgr; // width * height * 3, owned by the frame, until it is asked for a finer one
    int width, height;
};

// At most `coarsest` times smaller than the frame each way, and cheap to have. Errors as frame_decode.
int frame_picture(struct picture *out, struct frame *f, int coarsest, struct fail *why);

// Says that the caller will ask for no picture coarser than that: later frames of the same camera
// then come with one that is fine enough for all who said so.
void frame_prefer(const struct frame *f, int coarsest);

// A part of a picture, from the first pixel to the one behind the last.
struct px_range {
    int from_u, to_u, from_v, to_v;
};

// Whether a place lies between the centres of pixels, where it can be read; not so NAN.
static inline bool frame_shows(const struct frame *f, double u, double v)
{
    return u >= 0 && v >= 0 && u < f->width - 1 && v < f->height - 1;
}

// Luma of one pixel (BT.601: 0.299 R + 0.587 G + 0.114 B, rounded).
static inline uint8_t frame_luma_at(const struct frame *f, int u, int v)
{
    // In 16-bit fixed point: 0.114, 0.587, 0.299 of 65536, which add up to 65536.
    const uint8_t *p = f->bgr + 3 * ((size_t)v * (size_t)f->width + (size_t)u);
    return (uint8_t)((7471u * p[0] + 38470u * p[1] + 19595u * p[2] + 32768u) >> 16);
}

// What it shows moves: from then on it shows at (u, v) what it showed at (from[0] + from[1] u + from[2] v, from[3] +
// from[4] u + from[5] v); `encoded` stays as it came. RS_ENOMEM, RS_ELIB; then it is as it was.
int frame_warp(struct frame *f, const double from[6], struct fail *why);

// From then on f->luma is there, and f->bgr with it. Errors as frame_decode; only the first call can fail.
int frame_luma(struct frame *f, struct fail *why);

#endif
