// SPDX-License-Identifier: MIT
// camera_stream.h: one open camera and the buffers through which its pictures come. What to do about a fault is
// webcam.c's affair.
#ifndef RINGSIDE_VISION_SOURCE_CAMERA_STREAM_H
#define RINGSIDE_VISION_SOURCE_CAMERA_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calibration/fail.h"
#include "vision/encoded.h"
#include "vision/source/camera_mode.h"
#include "vision/source/camera_node.h"

enum camera_stream_sizes {
    CAMERA_BUFFERS = 4, // one is filled, one is read, two for the time when the reader is late
    CAMERA_PLANES = 2,
};

// Closed and empty: its camera's fd is -1.
struct camera_stream {
    struct camera_handle camera;
    struct camera_node node;
    bool converts;             // given to libv4l for good
    struct camera_mode mode;   // as agreed
    unsigned planes;           // of a picture, and ...
    int stride[CAMERA_PLANES]; // ... bytes of a row of each; 0: JPEG
    struct camera_buffer {
        void *at[CAMERA_PLANES];
        size_t length[CAMERA_PLANES];
    } buffer[CAMERA_BUFFERS];
    unsigned count;
};

// What a wait for a picture came to.
enum camera_taken {
    TAKEN_NOTHING, // none in that time
    TAKEN_PICTURE,
    TAKEN_EMPTY,   // a buffer with nothing in it
    TAKEN_DAMAGED, // the driver says so
    TAKEN_CHANGED, // the camera sends another size or format from here on: stop, agree and start anew
    TAKEN_FAILED,  // the driver refuses; with error ENODEV the camera is gone
};

struct camera_picture {
    struct encoded *encoded; // TAKEN_PICTURE: the caller releases it; its time is not set
    double stamp_s;          // by the driver
    bool stamped;            // that is CLOCK_MONOTONIC, says the driver
    uint32_t sequence;
    int error; // errno
};

// RS_EIO in words. To be closed in any case.
int camera_stream_open(struct camera_stream *out, const struct camera_system *sys, const char *path, struct fail *why);

// Size, format and rate. s->mode is what came of it: the format is as wished, the rest is as the driver has it. RS_EIO:
// not that format, a size or rows that cannot be, or another program holds the camera; *error: errno, or 0.
int camera_stream_agree(struct camera_stream *s, const struct camera_mode *wished, int *error, struct fail *why);
int camera_stream_start(struct camera_stream *s, int *error, struct fail *why);
void camera_stream_stop(struct camera_stream *s);
void camera_stream_close(struct camera_stream *s);

// Waits at most wait_ms. RS_ENOMEM.
int camera_stream_take(struct camera_picture *out, struct camera_stream *s, int wait_ms, struct fail *why);

// Whether the driver still has the size and the format that were agreed on.
bool camera_stream_as_agreed(const struct camera_stream *s);

#endif
