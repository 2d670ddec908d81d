// SPDX-License-Identifier: MIT
// decoder.h: the pixels of a camera's frames, made as far as somebody asks for them.
//
// Most frames of a game are looked at once and coarsely, and a JPEG gives a coarse picture for half the work of all its
// pixels. One decoder serves all frames of a camera, from any thread; whoever holds it is counted, and the last one
// ends it, so that frames outlive their camera.
#ifndef RINGSIDE_VISION_DECODER_H
#define RINGSIDE_VISION_DECODER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "vision/buffer_pool.h"
#include "vision/encoded.h"

enum {
    COARSEST = 8, // blocks of 8 x 8 pixels, of each its mean: the coarsest picture of a JPEG
};

struct decoder;

struct decoder_kind {
    // Every byte of `bgr` from the picture, `coarseness` times smaller each way; one call at a time. RS_EINPUT when it
    // is cut off, damaged or of another size than agreed; RS_ELIB, RS_ENOMEM.
    int (*decode)(uint8_t *bgr, struct decoder *d, struct encoded *e, int coarseness, struct fail *why);
    void (*end)(struct decoder *d); // frees it
};

struct decoder {
    const struct decoder_kind *kind;
    atomic_int holders;
    atomic_int coarseness;     // of the pictures with which frames come: a power of two up to COARSEST
    atomic_long whole, coarse; // pictures decoded so far
    pthread_mutex_t decoding;  // held while one is
    struct buffer_pool *pool;  // held: of its frames' memory
};

// For the first member of a decoder of some kind, held by the caller, who releases it also after a failure (RS_ENOMEM).
int decoder_begin(struct decoder *d, const struct decoder_kind *kind, struct fail *why);
// Ends what decoder_begin began; for kind->end.
void decoder_finish(struct decoder *d);
struct decoder *decoder_hold(struct decoder *d); // d; NULL is allowed
void decoder_release(struct decoder *d);         // NULL is allowed

// Has the kind decode it, one picture at a time, and counts it. RS_E... as the kind's decode.
int decoder_decode(uint8_t *bgr, struct decoder *d, struct encoded *e, int coarseness, struct fail *why);

#endif
