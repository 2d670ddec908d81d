// SPDX-License-Identifier: MIT
// sent.h: pictures as cameras send them, made as they are asked for. Include after cmocka.h and scratch.h.
#ifndef RINGSIDE_TESTS_VISION_SOURCE_SENT_H
#define RINGSIDE_TESTS_VISION_SOURCE_SENT_H

#include <string.h>

#include "vision/encoded.h"
#include "vision/source/jpeg.h"
#include "vision/source/unpack.h"

enum { SENT_WIDTH = 64, SENT_HEIGHT = 48 };

// Picture `number` has a square of its own brightness. The caller lets go of it.
static inline struct encoded *sent_jpeg_of(int number, int width, int height)
{
    struct encoded *e = NULL;
    struct jpeg *j = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0;
    struct fail why = { .text = "" };
    struct frame *f = scratch_frame(width, height);
    for (int y = 8; y < 24; y++)
        memset(f->bgr + 3 * (y * width + 8), (40 * number) & 0xFF, 3 * 16);
    assert_int_equal(jpeg_create(&j, &why), 0);
    assert_int_equal(jpeg_encode(&bytes, &size, j, f, 90, &why), 0);
    assert_int_equal(encoded_create(&e, size, &why), 0);
    memcpy(e->bytes, bytes, size);
    e->encoding = ENCODED_JPEG;
    e->width = width;
    e->height = height;
    jpeg_bytes_free(bytes);
    jpeg_free(j);
    frame_free(f);
    return e;
}

static inline struct encoded *sent_jpeg(int number)
{
    return sent_jpeg_of(number, SENT_WIDTH, SENT_HEIGHT);
}

// A raw picture with `padding` bytes behind each row.
static inline struct encoded *sent_raw(enum encoding encoding, int number, int padding)
{
    struct encoded *e = NULL;
    struct fail why = { .text = "" };
    int rows = SENT_HEIGHT + (encoding == ENCODED_NV12 ? SENT_HEIGHT / 2 : 0);
    int stride = unpacked_row_bytes(encoding, SENT_WIDTH) + padding;
    assert_int_equal(encoded_create(&e, (size_t)(rows * stride), &why), 0);
    for (int i = 0; i < rows * stride; i++)
        e->bytes[i] = (uint8_t)(i * 7 + number * 40);
    e->encoding = encoding;
    e->width = SENT_WIDTH;
    e->height = SENT_HEIGHT;
    e->stride = stride;
    return e;
}

#endif
