// SPDX-License-Identifier: MIT
// jpeg.h: one JPEG in memory to a frame and back, through TurboJPEG.
//
// Of a struct jpeg nothing is kept between calls but TurboJPEG itself, which saves a stream the set-up of each frame;
// one thread at a time may use it.
#ifndef RINGSIDE_VISION_SOURCE_JPEG_H
#define RINGSIDE_VISION_SOURCE_JPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vision/encoded.h"
#include "vision/frame.h"

struct jpeg;

// The caller frees *out with jpeg_free, which takes NULL. RS_ELIB when TurboJPEG does not start; RS_ENOMEM.
int jpeg_create(struct jpeg **out, struct fail *why);
void jpeg_free(struct jpeg *j);

// True when the bytes begin as a JPEG does.
bool jpeg_begins(const uint8_t *data, size_t size);

// Its size in pixels, without decoding it. RS_EINPUT as jpeg_decode, as far as its header and its end tell.
int jpeg_size(int *width, int *height, struct jpeg *j, const uint8_t *data, size_t size, struct fail *why);

// Decodes as stored: the EXIF orientation is not applied. The caller frees *out. RS_EINPUT when the data is cut off,
// damaged, of no kind that can be shown in BGR (CMYK) or larger than FRAME_MAX_SIDE_PX; RS_ENOMEM.
int jpeg_decode(struct frame **out, struct jpeg *j, const uint8_t *data, size_t size, struct fail *why);

// The same of one that a camera sent into `bgr`, `coarseness` times smaller each way, which is 1, 2, 4 or 8 and divides
// both sides; 3 bytes a pixel, rows without padding. Also RS_EINPUT when it is of another size than agreed.
int jpeg_decode_coarsely(uint8_t *bgr, struct jpeg *j, const struct encoded *e, int coarseness, struct fail *why);

enum { JPEG_FINE = 92 }; // a quality: thin lines stay clean; above it files grow and nobody sees a difference

// Encodes with full colour resolution (4:4:4), `quality` 1 to 100. The caller frees *out with jpeg_bytes_free.
// RS_EINPUT for another quality, RS_ELIB.
int jpeg_encode(uint8_t **out, size_t *size, struct jpeg *j, const struct frame *f, int quality, struct fail *why);
void jpeg_bytes_free(uint8_t *bytes);

// The same as if a camera had sent it, of the frame's size and time. The caller releases *out. Also RS_ENOMEM.
int jpeg_encode_held(struct encoded **out, struct jpeg *j, const struct frame *f, int quality, struct fail *why);

#endif
