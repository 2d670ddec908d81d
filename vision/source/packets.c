// SPDX-License-Identifier: MIT
#include "vision/source/packets.h"

#include <string.h>

// Zeros in a row between units with start codes; padding has fewer.
enum { ZEROS_MOST = 16 };

void packets_begin(struct packets *p, const AVCodecParameters *of)
{
    bool avc = of->codec_id == AV_CODEC_ID_H264, hevc = of->codec_id == AV_CODEC_ID_HEVC;
    int at = avc ? 4 : 21; // where the decoder's configuration says how long a length is
    *p = (struct packets){ .units = avc || hevc };
    p->numbered = p->units || of->codec_id == AV_CODEC_ID_MPEG4 || of->codec_id == AV_CODEC_ID_MPEG2VIDEO;
    if (p->units && of->extradata_size > at && of->extradata[0] == 1)
        p->length_bytes = (of->extradata[at] & 3) + 1;
}

static bool has_zeros(const uint8_t *unit, size_t size)
{
    for (size_t i = 2; i < size; i++)
        if (unit[i] < 3 && unit[i - 1] == 0 && unit[i - 2] == 0)
            return true;
    return false;
}

static bool is_sound(const struct packets *p, const uint8_t *data, size_t size)
{
    size_t at = 0, length_bytes = (size_t)p->length_bytes;
    while (at < size) {
        size_t length = 0;
        if (size - at <= length_bytes)
            return false;
        for (size_t i = 0; i < length_bytes; i++)
            length = length << 8 | data[at + i];
        at += length_bytes;
        if (length == 0 || length > size - at || has_zeros(data + at, length))
            return false;
        at += length;
    }
    return true;
}

static bool has_many_zeros(const uint8_t *data, size_t size)
{
    int zeros = 0;
    for (size_t i = 0; i < size && zeros < ZEROS_MOST; i++)
        zeros = data[i] == 0 ? zeros + 1 : 0;
    return zeros == ZEROS_MOST;
}

// FNV-1a.
static uint64_t hash(const uint8_t *data, size_t size)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < size; i++)
        h = (h ^ data[i]) * 1099511628211u;
    return h;
}

bool packets_damaged(struct packets *p, const AVPacket *packet)
{
    const uint8_t *data = packet->data;
    size_t size = (size_t)packet->size;
    bool damaged = (packet->flags & AV_PKT_FLAG_CORRUPT) != 0, key = (packet->flags & AV_PKT_FLAG_KEY) != 0;
    if (p->units && !damaged)
        damaged = p->length_bytes > 0 ? !is_sound(p, data, size) : has_many_zeros(data, size);
    if (!p->numbered)
        return damaged;
    uint64_t now = hash(data, size);
    damaged |= now == p->last || (p->units && key && now == p->last_key);
    p->last = now;
    if (key)
        p->last_key = now;
    return damaged;
}
