// SPDX-License-Identifier: MIT
// unpack.h: pictures as a camera sends them into frames.
//
// A JPEG becomes a frame with a coarse picture, and its pixels when somebody asks for them (frame_decode).
#ifndef RINGSIDE_VISION_SOURCE_UNPACK_H
#define RINGSIDE_VISION_SOURCE_UNPACK_H

#include "vision/encoded.h"
#include "vision/frame.h"

struct unpacker;

// The caller frees *out with unpacker_free, which takes NULL; what its frames need of it stays until the last is freed.
// RS_ELIB, RS_ENOMEM.
int unpacker_create(struct unpacker **out, struct fail *why);
void unpacker_free(struct unpacker *u);

// FFmpeg's name for how the pixels lie, an enum AVPixelFormat; none for a JPEG.
int unpacked_layout(enum encoding encoding);

// Bytes of a row of so many pixels; 0 for a JPEG.
int unpacked_row_bytes(enum encoding encoding, int width);

// Rows of a raw picture of that height, those of chroma included.
size_t unpacked_rows(enum encoding encoding, int height);

// The caller frees *out, in any thread, which has the time of `e` and holds it too. RS_EINPUT when the picture is cut
// off, damaged or of another size than agreed; RS_ELIB; RS_ENOMEM.
int unpack(struct frame **out, struct unpacker *u, struct encoded *e, struct fail *why);

#endif
