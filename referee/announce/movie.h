// SPDX-License-Identifier: MIT
// movie.h: frames into an H.264 video (MP4) with their own times, so that it runs as fast as what was filmed.
//
// Made as atomic_file.h makes files: a movie that is there can be played, by a browser before it has all of it. One
// thread at a time.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_MOVIE_H
#define RINGSIDE_REFEREE_ANNOUNCE_MOVIE_H

#include "calibration/fail.h"
#include "vision/frame.h"

struct movie;

// For frames of width x height pixels; of an odd side the last row or column is left out, as H.264 wants it. Sides
// under 16 are RS_EINPUT. `frames_per_s` is nominal and only guides the encoder; 0 when unknown. RS_EIO when the file
// cannot be made, RS_ENOMEM, RS_ELIB when FFmpeg has no H.264 encoder that starts. Ended with movie_finish, movie_drop.
int movie_create(struct movie **out, const char *path, int width, int height, double frames_per_s, struct fail *why);

// Adds a frame at its t_s. A time that is not later than the one before counts as a moment later. RS_EINPUT for a frame
// of another size, RS_EIO when the disk is full, RS_ELIB, RS_ENOMEM. After a failure only movie_drop makes sense.
int movie_add(struct movie *m, const struct frame *f, struct fail *why);

// Writes what the encoder still holds, gives the file its name and frees m, also when it fails: then nothing is left on
// disk. RS_EINPUT when no frame was added; else as movie_add.
int movie_finish(struct movie *m, struct fail *why);

// Frees m, NULL allowed, and removes what was written.
void movie_drop(struct movie *m);

#endif
