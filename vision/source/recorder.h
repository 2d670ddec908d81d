// SPDX-License-Identifier: MIT
// recorder.h: what a camera sends, kept as it came: in segments in a folder (segment.h), and the last seconds in memory
// for clips.
//
// Segments and clips are written in a thread of their own. Pictures wait in a queue; when the disk is so slow that it
// is full, what comes is not recorded, but counted and reported. Nothing here waits for the disk but recorder_finish. A
// recording that cannot go on (the disk is full, or gone) ends with words, and whoever gives pictures need not know.
//
// A segment is made exclusively under its final name, because a recording that is broken off is still one; it is on the
// disk when the next one begins. A clip gets its name when it is whole (atomic_file.h).
#ifndef RINGSIDE_VISION_SOURCE_RECORDER_H
#define RINGSIDE_VISION_SOURCE_RECORDER_H

#include "vision/frame.h"
#include "vision/source/segment.h"

#define SEGMENT_NAME "segment-%05d.mkv" // from 1 on: names sort in the order of time

struct recorder_limits {
    double segment_s;      // of a segment: no more is lost with it
    int64_t segment_bytes; // of a segment: memory sticks take no file of 4 GB
    size_t queue_bytes;    // that may wait for the disk: some seconds of a webcam, which a card's pauses take
    int64_t reserve_bytes; // left free on the disk, for the log and the record of the match
    double estimate_s;     // recorded before it is reported how long the disk lasts
    double ring_s;         // the last so many seconds are held for clips,
    size_t ring_bytes;     // and never more than this: a raw camera's fewer seconds
};
extern const struct recorder_limits recorder_limits_usual;

// What a disk does; tests have their own.
struct recorder_disk {
    ssize_t (*put)(int fd, const void *bytes, size_t size); // as write(2)
    int64_t (*free_bytes)(const char *folder);              // -1: not known
};
extern const struct recorder_disk recorder_disk_usual;

struct recorder_wish {
    const char *folder;                   // for segments, which is there and has none; NULL: none are written. Borrowed
    bool clips;                           // there will be clips
    const struct recorder_limits *limits; // borrowed
    const struct recorder_disk *disk;     // borrowed
};

struct recorder;

// Starts the thread. The caller ends with recorder_free. RS_EIO when there is no more free than has to stay free;
// RS_ELIB when there can be no thread; RS_ENOMEM.
int recorder_create(struct recorder **out, const struct recorder_wish *wish, struct fail *why);

// One picture more, in order of time, from one thread at a time. A frame without `encoded` is counted as not recorded.
void recorder_take(struct recorder *r, const struct frame *f);

// What was seen from `from_s` to `to_s`, as far as it is still held, becomes the file `path`, soon. RS_EINPUT when
// nothing of it is held, too many clips wait or the name is too long; RS_ENOMEM. What fails later is reported.
int recorder_clip(struct recorder *r, const char *path, double from_s, double to_s, struct fail *why);

// The next thing that a person should know, each once: true and its words.
bool recorder_news(struct recorder *r, struct fail *words);

struct recorded_sum {
    int segments, clips;
    long pictures, missed; // recorded, and not
    int64_t bytes;         // of all segments
    bool broken_off;       // the disk took no more
};

// Writes what waits and ends the thread. Nothing may be taken any more; the last news can still be asked for.
void recorder_finish(struct recorded_sum *out, struct recorder *r);
void recorder_free(struct recorder *r); // finishes it, too. NULL is allowed

// "1.2 GB", for people.
struct bytes_words {
    char text[24];
} bytes_words(double bytes);

#endif
