// SPDX-License-Identifier: MIT
// remux.h: the picture of a recording, or a part of it, as a file of its own: the very packets, and nothing beside
// them.
//
// Sound, titles, places, dates and the program that made the recording are left behind. What was written is decoded and
// held against the recording: it shows the same pixels at the same times, or it is not made.
#ifndef RINGSIDE_VISION_SOURCE_REMUX_H
#define RINGSIDE_VISION_SOURCE_REMUX_H

#include "calibration/fail.h"
#include "vision/source/source.h"

struct remux {
    // In: what is wished, INFINITY for the end. Out: the first and the last picture taken, both of a kind that can be
    // decoded without others, or the ends of the recording.
    double from_s, to_s;
    char name[16];                // out: of the file in the folder; its ending is that of the container
    struct source_info recording; // out: what was lost of the recording, up to the end of the part
};

// Writes folder/frames.mov, or .mkv or .nut where the first cannot hold that kind of picture. RS_EINPUT when there is
// no such part, no container holds the picture exactly, or as footage_open; RS_EIO; RS_ELIB; RS_ENOMEM.
int remux_make(struct remux *c, const char *folder, const char *recording, struct fail *why);

#endif
