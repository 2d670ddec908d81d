// SPDX-License-Identifier: MIT
// camera_mode.h: what a camera can send, and which of it is the best for a board.
//
// A board is known by its diameter alone before a picture was seen. It is taken to fill nine tenths of the picture's
// height, as one sees it who has pointed the camera with care: farther away or slanted it is smaller, so that what is
// enough here is the least that is. Calls want 24 pixels an inch; once a mode has them more pictures a second show more
// (which piece was touched first, when it came to rest) than more pixels do, up to 60 a second. More than twice those
// 24 only cost time; so does what a core cannot decode (1920 x 1080 at 60 a second).
// Below 24 a second a shot cannot be followed: such a mode is taken only where nothing faster shows the pieces. Of two
// that are alike MJPEG is taken: two cameras on one USB bus have room for it, and its recording takes a tenth.
#ifndef RINGSIDE_VISION_SOURCE_CAMERA_MODE_H
#define RINGSIDE_VISION_SOURCE_CAMERA_MODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vision/encoded.h"
#include "vision/source/camera_system.h"
#include "vision/source/source.h"

struct camera_mode {
    uint32_t fourcc;        // the driver's own format
    bool converted;         // it is none that is read here: libv4l makes ENCODED_BGR of it
    enum encoding encoding; // as it is read
    int width, height;
    double frames_per_s; // 0: the driver does not say
};

struct camera_modes {
    struct camera_mode *mode;
    int count, room;
};

// All modes of an open camera that gives `type` (camera_node.h), the best first. RS_EIO: it offers none; RS_ENOMEM.
// To be finished in any case.
int camera_modes_read(struct camera_modes *out, struct camera_handle camera, unsigned type,
                      const struct camera_wish *wish, struct fail *why);
void camera_modes_finish(struct camera_modes *modes);

// "MJPEG", "YUYV", "H264 by libv4l".
void camera_format_words(char *out, size_t size, const struct camera_mode *mode);

// "1920 x 1080 MJPEG at 30 a second".
void camera_mode_words(char *out, size_t size, const struct camera_mode *mode);

// Why it is the best: "the most pictures a second; a board that fills the picture has 41 px an inch".
void camera_mode_reason(char *out, size_t size, const struct camera_mode *mode, const struct camera_wish *wish);

// The words of what is taken, and when that is not what was wished what there is instead: "the camera has no 1600 x
// 1200; 1280 x 720 MJPEG at 30 a second taken; it has: ...". True: it is not what was wished.
bool camera_mode_tell(char *out, size_t size, const struct camera_mode *taken, const struct camera_modes *all,
                      const struct camera_wish *wish);

#endif
