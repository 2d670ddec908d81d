// SPDX-License-Identifier: MIT
#include "tests/accuracy/damaged_copy.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libavformat/avformat.h>

enum { PACKETS_MAX = 4096 };

// A recording's coded pictures. Times are in milliseconds.
struct reel {
    AVFormatContext *in;
    AVStream *stream;
    int count;
    AVPacket *packet[PACKETS_MAX]; // what stands there: one packet may stand at several places
    int64_t shown_ms[PACKETS_MAX];
    AVPacket *owned[PACKETS_MAX];
    int owns;
};

const char *damage_name(enum damage kind)
{
    static const char *const names[DAMAGES] = { "zeroed",   "cut",     "dropped",   "reordered",
                                                "repeated", "shifted", "taken out", "flipped" };
    return names[kind];
}

// 0 .. n - 1: a linear congruential generator's upper bits.
static int chance(uint32_t *seed, int n)
{
    uint64_t word = 0;
    for (int i = 0; i < 2; i++) {
        *seed = *seed * 1664525 + 1013904223;
        word = word << 16 | *seed >> 16;
    }
    return (int)(word % (uint64_t)n);
}

static void reel_finish(struct reel *r)
{
    for (int i = 0; i < r->owns; i++)
        av_packet_free(&r->owned[i]);
    avformat_close_input(&r->in);
}

static int reel_read(struct reel *r, const char *path, struct fail *why)
{
    *r = (struct reel){ .in = NULL };
    av_log_set_level(AV_LOG_QUIET);
    if (avformat_open_input(&r->in, path, NULL, NULL) < 0 || avformat_find_stream_info(r->in, NULL) < 0 ||
        r->in->nb_streams != 1)
        return rs_fail(why, RS_EINPUT, "%s: not a recording of pictures alone", path);
    r->stream = r->in->streams[0];
    for (;;) {
        AVPacket *p = av_packet_alloc();
        if (!p || r->owns == PACKETS_MAX / 2)
            return rs_fail(why, RS_ENOMEM, "%s: too long", path);
        r->owned[r->owns++] = p;
        if (av_read_frame(r->in, p) < 0)
            return 0;
        r->shown_ms[r->count] = av_rescale_q(p->pts, r->stream->time_base, (AVRational){ 1, 1000 });
        r->packet[r->count++] = p;
    }
}

// Matroska keeps when a picture is shown and nothing else, so any order of times can be written.
static int reel_write(const struct reel *r, const char *path, struct fail *why)
{
    AVFormatContext *out = NULL;
    int rc = avformat_alloc_output_context2(&out, NULL, "matroska", path);
    AVStream *to = rc >= 0 ? avformat_new_stream(out, NULL) : NULL;
    AVPacket *p = av_packet_alloc();
    rc = to && p ? avcodec_parameters_copy(to->codecpar, r->stream->codecpar) : AVERROR(ENOMEM);
    if (rc >= 0) {
        to->codecpar->codec_tag = 0;
        to->time_base = (AVRational){ 1, 1000 };
        to->avg_frame_rate = r->stream->avg_frame_rate;
        out->avoid_negative_ts = 0;
        out->flags |= AVFMT_FLAG_BITEXACT;
        rc = avio_open(&out->pb, path, AVIO_FLAG_WRITE);
    }
    if (rc >= 0)
        rc = avformat_write_header(out, NULL);
    for (int i = 0; i < r->count && rc >= 0; i++) {
        rc = av_packet_ref(p, r->packet[i]);
        p->pts = r->shown_ms[i];
        p->dts = i - 1000000;
        p->duration = 0;
        p->stream_index = 0;
        p->pos = -1;
        if (rc >= 0)
            rc = av_write_frame(out, p);
        av_packet_unref(p);
    }
    if (rc >= 0)
        rc = av_write_trailer(out);
    if (out && out->pb)
        avio_closep(&out->pb);
    avformat_free_context(out);
    av_packet_free(&p);
    return rc < 0 ? rs_fail(why, RS_EIO, "%s cannot be written", path) : 0;
}

static void take_out(struct reel *r, int from, int n)
{
    for (int i = from; i + n < r->count; i++) {
        r->packet[i] = r->packet[i + n];
        r->shown_ms[i] = r->shown_ms[i + n];
    }
    r->count -= n;
}

static void drop(char *words, struct reel *r, uint32_t *seed)
{
    bool single = chance(seed, 2) == 0;
    int n = single ? 1 + chance(seed, 6) : 2 + chance(seed, 60);
    int from = chance(seed, r->count - n);
    snprintf(words, DAMAGE_WORDS_MAX, "%d %s %d", n, single ? "here and there, first" : "in a row from", from);
    for (int i = 0; i < (single ? n : 1); i++)
        take_out(r, i == 0 ? from : chance(seed, r->count), single ? 1 : n);
}

static void swap(struct reel *r, int i, int k)
{
    AVPacket *p = r->packet[i];
    r->packet[i] = r->packet[k];
    r->packet[k] = p;
}

static void reorder(char *words, struct reel *r, uint32_t *seed)
{
    int n = 1 + chance(seed, 5), far = 1 + chance(seed, 12);
    snprintf(words, DAMAGE_WORDS_MAX, "%d pairs, %d apart", n, far);
    for (int i = 0; i < n; i++) {
        int k = chance(seed, r->count - far);
        swap(r, k, k + far);
    }
}

static void repeat(char *words, struct reel *r, uint32_t *seed)
{
    int n = 1 + chance(seed, 40), from = 1 + chance(seed, r->count - 2 * n - 1), how = chance(seed, 3);
    int64_t frame_ms = (int64_t)(1000 / av_q2d(r->stream->avg_frame_rate));
    static const char *const hows[] = { "freezes over the next",
                                        "is repeated so often, later all:", "run comes again:" };
    snprintf(words, DAMAGE_WORDS_MAX, "picture %d %s %d", from, hows[how], n);
    if (how == 0) {
        for (int i = 1; i <= n; i++)
            r->packet[from + i] = r->packet[from];
        return;
    }
    for (int i = r->count - 1; i >= from + (how == 2 ? n : 1); i--) {
        r->packet[i + n] = r->packet[i];
        r->shown_ms[i + n] = r->shown_ms[i] + n * frame_ms;
    }
    for (int i = 0; i < n; i++) {
        int to = from + i + (how == 2 ? n : 1), of = how == 2 ? from + i : from;
        r->packet[to] = r->packet[of];
        r->shown_ms[to] = r->shown_ms[of] + (how == 2 ? n : i + 1) * frame_ms;
    }
    r->count += n;
}

static void shift(char *words, struct reel *r, uint32_t *seed)
{
    int how = chance(seed, 4), from = 30 + chance(seed, r->count - 100), n = 4 + chance(seed, 60);
    int64_t by_ms = 150 + chance(seed, 3000), at_ms = r->shown_ms[from];
    static const char *const hows[] = { "jump ahead", "fall back", "stand still", "are squeezed together" };
    snprintf(words, DAMAGE_WORDS_MAX, "from picture %d on they %s (%d ms, %d pictures)", from, hows[how], (int)by_ms,
             n);
    for (int i = 0; i < r->count; i++) {
        int64_t since_ms = r->shown_ms[i] - at_ms;
        if (since_ms < 0)
            continue;
        if (how == 0)
            r->shown_ms[i] += by_ms;
        else if (how == 1)
            r->shown_ms[i] -= by_ms < at_ms ? by_ms : at_ms;
        else if (since_ms < 33 * n)
            r->shown_ms[i] = at_ms + (how == 2 ? 0 : since_ms / 33);
        else if (how == 3)
            r->shown_ms[i] -= 32 * n;
    }
}

static void zero(char *words, uint8_t *bytes, size_t size, uint32_t *seed)
{
    int n = 1 + chance(seed, 3), used = 0;
    for (int i = 0; i < n; i++) {
        size_t at = (size_t)chance(seed, (int)size), most = (size_t)16 << chance(seed, 14);
        size_t length = most < size - at ? most : size - at;
        memset(bytes + at, 0, length);
        used += snprintf(words + used, (size_t)(DAMAGE_WORDS_MAX - used), "%zu at %zu; ", length, at);
    }
}

static void flip(char *words, uint8_t *bytes, size_t size, uint32_t *seed)
{
    int n = 1 + chance(seed, 20);
    for (int i = 0; i < n; i++)
        bytes[chance(seed, (int)size)] ^= (uint8_t)(1 << chance(seed, 8));
    snprintf(words, DAMAGE_WORDS_MAX, "%d bits", n);
}

// What is done to the bytes of a file. The new size.
static size_t damage_bytes(char *words, uint8_t *bytes, size_t size, enum damage kind, uint32_t *seed)
{
    if (kind == DAMAGE_ZEROED) {
        zero(words, bytes, size, seed);
    } else if (kind == DAMAGE_FLIPPED) {
        flip(words, bytes, size, seed);
    } else if (kind == DAMAGE_CUT) {
        int percent = 5 + chance(seed, 95);
        snprintf(words, DAMAGE_WORDS_MAX, "at %d %%", percent);
        size = size / 100 * (size_t)percent;
    } else {
        size_t length = (size_t)16 << chance(seed, 14), at = (size_t)chance(seed, (int)(size - length));
        snprintf(words, DAMAGE_WORDS_MAX, "%zu at %zu", length, at);
        memmove(bytes + at, bytes + at + length, size - at - length);
        size -= length;
    }
    return size;
}

static int damage_file(char *words, const char *path, const char *from, enum damage kind, uint32_t *seed,
                       struct fail *why)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    FILE *in = fopen(from, "rb");
    if (in && fseek(in, 0, SEEK_END) == 0 && ftell(in) > 0) {
        size = (size_t)ftell(in);
        rewind(in);
        bytes = malloc(size);
    }
    bool read = bytes && fread(bytes, 1, size, in) == size;
    if (in)
        fclose(in);
    if (read)
        size = damage_bytes(words, bytes, size, kind, seed);
    FILE *out = read ? fopen(path, "wb") : NULL;
    bool written = out && fwrite(bytes, 1, size, out) == size;
    written = out && fclose(out) == 0 && written;
    free(bytes);
    return written ? 0 : rs_fail(why, RS_EIO, "%s cannot be copied", from);
}

int damaged_copy(char words[DAMAGE_WORDS_MAX], char *to, enum damage kind, const char *from, uint32_t seed,
                 struct fail *why)
{
    static void (*const edits[DAMAGES])(char *, struct reel *, uint32_t *) = {
        [DAMAGE_DROPPED] = drop, [DAMAGE_REORDERED] = reorder, [DAMAGE_REPEATED] = repeat, [DAMAGE_SHIFTED] = shift
    };
    bool mp4 = !edits[kind] && chance(&seed, 2) == 0;
    strcat(to, mp4 ? ".mp4" : ".mkv");
    if (mp4)
        return damage_file(words, to, from, kind, &seed, why);
    struct reel *r = malloc(sizeof *r);
    int rc = r ? reel_read(r, from, why) : rs_fail(why, RS_ENOMEM, "no memory for %s", from);
    if (rc == 0 && edits[kind])
        edits[kind](words, r, &seed);
    if (rc == 0)
        rc = reel_write(r, to, why);
    if (rc == 0 && !edits[kind])
        rc = damage_file(words, to, to, kind, &seed, why);
    if (r)
        reel_finish(r);
    free(r);
    return rc;
}
