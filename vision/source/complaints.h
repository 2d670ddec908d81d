// SPDX-License-Identifier: MIT
// complaints.h: what FFmpeg's demuxers and decoders complain of, which they tell nowhere but in their log.
//
// That a picture which others need never came, or that a block could not be decoded and was made up, leaves no other trace.
// Threads: a complaint may come from any thread of a decoder.
#ifndef RINGSIDE_VISION_SOURCE_COMPLAINTS_H
#define RINGSIDE_VISION_SOURCE_COMPLAINTS_H

#include <stdatomic.h>
#include <stdbool.h>

// Each context that is listened to has it as its `opaque`.
struct complaints {
    atomic_bool any;
};

// From now on, for the whole program: nothing that FFmpeg says is printed, and complaints are noted.
void complaints_listen(void);

// Whether there were any since this was last asked.
bool complaints_taken(struct complaints *c);

#endif
