// SPDX-License-Identifier: MIT
// segment.h: pictures as a camera sent them in a Matroska file, byte for byte, there and back.
//
// JPEGs become MJPEG, raw pictures uncompressed video: any player shows either. Matroska counts milliseconds; when a
// picture was taken to the last digit, its number and what is unknown before it stand beside it (BlockAdditional),
// which players pass over. A cluster of 4 KB is written at once: a file that breaks off anywhere can be read but for
// the last picture, or a few where they are tiny.
#ifndef RINGSIDE_VISION_SOURCE_SEGMENT_H
#define RINGSIDE_VISION_SOURCE_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "vision/encoded.h"

struct picture_mark {
    long number;   // 0, 1, 2 ... as the camera sent them: one that is missing here was not written
    double t_s;    // as the frame's
    double lost_s; // as the frame's
};

struct segment;

// Writes into `fd`, from where it stands, pictures of the kind and size of `like`, with `put`, which is write(2) or
// does as it does. The file stays open and the caller's; *out ends with segment_free, which takes NULL. RS_EIO;
// RS_ELIB; RS_ENOMEM.
int segment_create(struct segment **out, int fd, const struct encoded *like,
                   ssize_t (*put)(int fd, const void *bytes, size_t size), struct fail *why);

bool segment_takes(const struct segment *s, const struct encoded *e); // of the same kind and size
int64_t segment_bytes(const struct segment *s);                       // written so far

// In order of time. RS_EIO when it cannot be written: what was written before stays readable. RS_EINPUT when the
// picture is cut off or of another kind than the one before it; RS_ELIB; RS_ENOMEM.
int segment_write(struct segment *s, const struct encoded *e, const struct picture_mark *mark, struct fail *why);

// The index behind the pictures, and their duration. The file can be read without. RS_EIO, RS_ELIB.
int segment_finish(struct segment *s, struct fail *why);
void segment_free(struct segment *s);

struct segment_reader;

// The caller ends with segment_reader_free, which takes NULL. RS_EINPUT when it is no video, or of a kind that is not
// written here; RS_EIO; RS_ENOMEM.
int segment_open(struct segment_reader **out, const char *path, struct fail *why);

// 1 with a picture, held by the caller, and its mark; 0 at the end, or where the file breaks off. What has no mark that
// could be believed is passed over. RS_EIO, RS_ENOMEM.
int segment_read(struct encoded **out, struct picture_mark *mark, struct segment_reader *r, struct fail *why);
double segment_duration_s(const struct segment_reader *r); // 0 when it broke off before it was known
void segment_reader_free(struct segment_reader *r);

#endif
