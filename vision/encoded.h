// SPDX-License-Identifier: MIT
// encoded.h: one picture as a camera sent it, for all who need its bytes: whoever decodes, whoever records.
//
// Nothing in it changes once it is held by a second one. Each holder is counted, in any thread; the last one frees it.
#ifndef RINGSIDE_VISION_ENCODED_H
#define RINGSIDE_VISION_ENCODED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calibration/fail.h"

enum encoding {
    ENCODED_JPEG,
    ENCODED_YUYV, // 2 bytes a pixel
    ENCODED_NV12, // luma, then pairs of chroma at half the size, one behind the other with the same stride
    ENCODED_GREY, // 1 byte a pixel
    ENCODED_BGR,  // 3 bytes a pixel
    ENCODINGS
};

struct encoded {
    atomic_int holders;
    enum encoding encoding;
    int width, height; // as agreed with the camera; a JPEG may say otherwise
    int stride;        // bytes of a row; 0: JPEG
    double t_s;        // as the frame's that is made of it
    size_t size;
    uint8_t bytes[]; // size
};

// Room for so many bytes, unset. Held by the caller. RS_ENOMEM.
int encoded_create(struct encoded **out, size_t size, struct fail *why);
struct encoded *encoded_hold(struct encoded *e); // e; NULL is allowed
void encoded_release(struct encoded *e);         // NULL is allowed

// Whether it is those bytes: no sensor is without noise, so that two pictures that are the same to the last byte are
// one that is frozen. NULL is none.
bool encoded_is(const struct encoded *e, const void *bytes, size_t size);

#endif
