// SPDX-License-Identifier: MIT
// png.h: one PNG in memory to a frame and back, through libpng's simplified interface.
#ifndef RINGSIDE_VISION_SOURCE_PNG_H
#define RINGSIDE_VISION_SOURCE_PNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vision/frame.h"

// True when the bytes begin as a PNG does.
bool png_begins(const uint8_t *data, size_t size);

// Any PNG: grey, palette and 16 bits become 8-bit BGR; what is transparent lies on black. The caller frees *out.
// RS_EINPUT when the data is cut off, damaged or larger than FRAME_MAX_SIDE_PX; RS_ENOMEM.
int png_decode(struct frame **out, const uint8_t *data, size_t size, struct fail *why);

// The caller frees *out with free(). RS_ELIB with libpng's words; RS_ENOMEM.
int png_encode(uint8_t **out, size_t *size, const struct frame *f, struct fail *why);

#endif
