// SPDX-License-Identifier: MIT
// gate.h: what changed in the picture: the cheap look at every frame.
//
// Frames are reduced until a piece is a few pixels across, which also averages the noise away. They are compared with the
// frame before, with the first frame of the present quiet, and with the last still frame ("clean"). Only the
// neighbourhood of the board is looked at. Its rim is never quiet for long where people play, so there are two quiets:
// that of the whole neighbourhood, and that of the field inside the outermost line, where no hand rests.
#ifndef RINGSIDE_VISION_TRACK_GATE_H
#define RINGSIDE_VISION_TRACK_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "vision/frame.h"
#include "vision/detection.h"

// Bits of a pixel in gate->mask: it differs from the clean frame; from the frame before; from the beginning of a quiet.
// (UNQUIET << which of the quiets).
enum { CHANGED = 1, MOVED = 2, UNQUIET = 4 };

enum { QUIET_WHOLE, QUIET_FIELD, QUIETS };

struct quiet {
    int *from, *to;  // of each row, the pixels from .. to - 1 that belong to it
    uint8_t *anchor; // the first of the frames that all look alike there
    double since_s;  // and its time
};

struct gate {
    int full_width, full_height; // of the frames
    int width, height;           // reduced
    double step;                 // full-size pixels per reduced pixel
    double piece_px;             // reduced pixels across a piece in the board's middle
    int step_of_changes;         // 8-bit steps: what is a change and not noise
    double noise;                // 8-bit steps between two frames in which nothing moves
    int *from, *to;              // of each row, the pixels that are looked at: those of the whole
    struct quiet quiet[QUIETS];
    uint8_t *now, *before, *clean; // reduced BGR
    uint8_t *mask;
    bool any_before;
    long looked_at;      // pixels that are looked at
    long changed, moved; // pixels, in the last frame
    double first_s, t_s; // of the first frame, of the last
};

// Made for frames like `f` with that board in it. The caller ends with gate_finish. RS_EIO when there is no memory.
int gate_create(struct gate *g, const struct frame *f, const struct board_pose *pose, struct fail *why);
void gate_finish(struct gate *g);

// The board lies somewhere else now.
void gate_aim(struct gate *g, const struct board_pose *pose);

// Takes in the next frame. RS_ELIB when OpenCV fails.
int gate_look(struct gate *g, const struct frame *f, struct fail *why);

// The frame looked at last is the clean one from now on.
void gate_keep_clean(struct gate *g);

// The camera moved from one place to another while a hand was over the board: the clean frame of `old`, which may be `g`
// itself, is carried over to where its places are seen now; where the frame looked at last shows the same, that is taken.
// RS_EIO when there is no memory.
int gate_carry_clean(struct gate *g, const struct gate *old, const struct camera *from, const struct camera *to,
                     struct fail *why);

// The larger of the three channels' differences.
static inline int gate_difference(const uint8_t *a, const uint8_t *b)
{
    int most = 0;
    for (int k = 0; k < 3; k++) {
        int d = a[k] > b[k] ? a[k] - b[k] : b[k] - a[k];
        most = d > most ? d : most;
    }
    return most;
}

#endif
