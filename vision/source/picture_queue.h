// SPDX-License-Identifier: MIT
// picture_queue.h: pictures as a camera sent them, held in the order in which they came: those that wait to be
// recorded, and the last seconds for clips.
//
// Bounded in number and, by whoever uses it, in bytes. Whoever shares one between threads locks it.
#ifndef RINGSIDE_VISION_SOURCE_PICTURE_QUEUE_H
#define RINGSIDE_VISION_SOURCE_PICTURE_QUEUE_H

#include "vision/source/segment.h"

struct held_picture {
    struct encoded *picture; // held
    struct picture_mark mark;
};

// All zero is empty, without room.
struct picture_queue {
    struct held_picture *item; // in a circle
    int room, first, count;
    size_t bytes; // of all pictures in it
};

// The caller ends with picture_queue_finish. RS_ENOMEM.
int picture_queue_init(struct picture_queue *q, int room, struct fail *why);
void picture_queue_finish(struct picture_queue *q);

// The same, with the pictures of another queue from from_s to to_s.
int picture_queue_part(struct picture_queue *out, const struct picture_queue *of, double from_s, double to_s,
                       struct fail *why);

// What is kept of the last pictures for replays and clips: longer than a shot takes, with the time until it is called.
#define LAST_PICTURES_S 20.0

// Holds the picture too. False, and nothing is done, when there is no room.
bool picture_queue_add(struct picture_queue *q, struct encoded *e, const struct picture_mark *mark);

// The same, for the last seconds: what is older than most_s, or more than most_bytes in all, goes first. One that is
// larger alone is not held.
void picture_queue_keep(struct picture_queue *q, struct encoded *e, const struct picture_mark *mark, double most_s,
                        size_t most_bytes);

// The oldest, whose hold is the caller's now. False when it is empty.
bool picture_queue_take(struct held_picture *out, struct picture_queue *q);
const struct held_picture *picture_queue_at(const struct picture_queue *q, int place); // 0 .. count - 1, oldest first

#endif
