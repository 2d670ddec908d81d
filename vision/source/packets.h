// SPDX-License-Identifier: MIT
// packets.h: what the bytes of a recording's coded pictures say of damage, before anybody decodes them.
//
// A decoder makes a picture of nearly anything. But in H.264 and HEVC three bytes in a row can never be 0, 0 and less
// than three, lengths must add up, and no coded picture is like the one before it, because each is numbered.
#ifndef RINGSIDE_VISION_SOURCE_PACKETS_H
#define RINGSIDE_VISION_SOURCE_PACKETS_H

#include <stdbool.h>
#include <stdint.h>

#include <libavcodec/avcodec.h>

struct packets {
    bool numbered;           // of a kind of picture in which each has a number of its own
    bool units;              // it is made of units without zeros
    int length_bytes;        // each behind its length in so many bytes; 0: behind a start code
    uint64_t last, last_key; // hashes
};

void packets_begin(struct packets *p, const AVCodecParameters *of);

// True when the packet is surely not what was recorded, or not for the first time. Takes it in for the next one.
bool packets_damaged(struct packets *p, const AVPacket *packet);

#endif
