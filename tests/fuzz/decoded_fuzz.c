// SPDX-License-Identifier: MIT
// What FFmpeg hands to us: streams, packets and frames as a demuxer and a decoder gone mad would give them.
//
// The container is an honest one. What it says of its stream, what is read from it and what the decoder makes of that
// is chosen by the bytes: the linker puts the functions below in the place of FFmpeg's (-Wl,--wrap).
#include <limits.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>

#include "calibration/units.h"
#include "tests/fuzz/frames_checks.h"
#include "tests/fuzz/fuzz.h"

enum { FRAMES_MAX = 24, READS_MAX = 200 };

static struct fuzz_choices *choices; // NULL: FFmpeg's own
static int reads;                    // so far: then the file is at its end

int __real_avformat_find_stream_info(AVFormatContext *in, AVDictionary **options);
int __real_av_read_frame(AVFormatContext *in, AVPacket *packet);
int __real_avcodec_send_packet(AVCodecContext *codec, const AVPacket *packet);
int __real_avcodec_receive_frame(AVCodecContext *codec, AVFrame *frame);
int __wrap_avformat_find_stream_info(AVFormatContext *in, AVDictionary **options);
int __wrap_av_read_frame(AVFormatContext *in, AVPacket *packet);
int __wrap_avcodec_send_packet(AVCodecContext *codec, const AVPacket *packet);
int __wrap_avcodec_receive_frame(AVCodecContext *codec, AVFrame *frame);

static const int errors[] = { AVERROR_EOF,  AVERROR(EAGAIN),      AVERROR_INVALIDDATA,
                              AVERROR(EIO), AVERROR(ENOMEM),      AVERROR(EINVAL),
                              AVERROR_BUG,  AVERROR_PATCHWELCOME, AVERROR_EXPERIMENTAL };

static int any_error(void)
{
    return errors[fuzz_below(choices, countof(errors))];
}

static int64_t any_time(void)
{
    static const int64_t wild[] = {
        AV_NOPTS_VALUE, INT64_MAX, INT64_MIN + 1, 0, -1, 1, INT32_MAX, INT32_MIN, 1LL << 53
    };
    uint32_t kind = fuzz_below(choices, 32);
    return kind < countof(wild) ? wild[kind] : (int64_t)fuzz_below(choices, 1 << 16) - (1 << 12);
}

static AVRational any_ratio(void)
{
    static const int wild[] = { 0, 1, -1, INT_MAX, INT_MIN, 90000, 1001, 25, 30000, 7 };
    int num = wild[fuzz_below(choices, countof(wild))], den = wild[fuzz_below(choices, countof(wild))];
    return (AVRational){ num, den };
}

// A decoder gives no stream a time base that is none: FFmpeg divides by it itself.
int __wrap_avformat_find_stream_info(AVFormatContext *in, AVDictionary **options)
{
    int rc = __real_avformat_find_stream_info(in, options);
    if (!choices || rc < 0 || in->nb_streams < 1)
        return rc;
    AVStream *s = in->streams[0];
    AVRational tick = any_ratio();
    s->time_base = tick.num > 0 && tick.den > 0 ? tick : (AVRational){ 1, 1000 };
    s->duration = any_time();
    in->duration = any_time();
    s->sample_aspect_ratio = any_ratio();
    s->codecpar->sample_aspect_ratio = any_ratio();
    s->avg_frame_rate = any_ratio();
    s->r_frame_rate = any_ratio();
    if (fuzz_below(choices, 2)) {
        uint8_t *matrix = av_stream_new_side_data(s, AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof(int32_t));
        for (size_t i = 0; matrix && i < 9 * sizeof(int32_t); i++)
            matrix[i] = (uint8_t)fuzz_below(choices, 256);
    }
    if (fuzz_below(choices, 16) == 1)
        s->disposition |= AV_DISPOSITION_ATTACHED_PIC;
    return fuzz_below(choices, 16) == 1 ? any_error() : rc;
}

int __wrap_av_read_frame(AVFormatContext *in, AVPacket *packet)
{
    if (!choices)
        return __real_av_read_frame(in, packet);
    uint32_t kind = fuzz_below(choices, 8);
    if (kind == 0 || reads++ > READS_MAX)
        return AVERROR_EOF;
    if (kind == 1)
        return any_error();
    fuzz_must(av_new_packet(packet, 16) == 0, "there is room for a packet");
    packet->stream_index = kind == 2 ? (int)fuzz_below(choices, 256) - 128 : 0;
    packet->pts = any_time();
    packet->dts = any_time();
    return 0;
}

int __wrap_avcodec_send_packet(AVCodecContext *codec, const AVPacket *packet)
{
    if (!choices)
        return __real_avcodec_send_packet(codec, packet);
    return fuzz_below(choices, 8) == 1 ? any_error() : 0;
}

static int any_side(void)
{
    static const int wild[] = { 1, 2, 3, 16384, 16385, 40000, 8192 };
    uint32_t kind = fuzz_below(choices, 128);
    return kind < countof(wild) ? wild[kind] : (int)kind % 48 + 1;
}

// Whatever a decoder says of a frame, what it points to is there.
static int any_frame(AVFrame *f)
{
    static const enum AVPixelFormat usual[] = { AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P,    AV_PIX_FMT_YUV422P,
                                                AV_PIX_FMT_NV12,    AV_PIX_FMT_YUV420P10LE, AV_PIX_FMT_GRAY8,
                                                AV_PIX_FMT_PAL8,    AV_PIX_FMT_RGB24 };
    static int width, height, layout; // mostly they stay: each change costs time
    if (fuzz_below(choices, 4) == 1 || width == 0) {
        width = any_side();
        height = any_side();
        height = (long)width * height > 1L << 18 ? 1 + height % 16 : height; // that much would only take time
        uint32_t kind = fuzz_below(choices, 256);
        layout = kind < 8 * countof(usual) ? (int)usual[kind % countof(usual)] : (int)kind - 64;
    }
    f->width = width;
    f->height = height;
    f->format = layout;
    if (av_frame_get_buffer(f, 0) < 0) { // one that lies in no memory of ours, as a graphics card's
        f->format = AV_PIX_FMT_VAAPI;
        f->buf[0] = av_buffer_allocz(64);
        f->data[3] = f->buf[0]->data;
    } else {
        for (int i = 0; i < AV_NUM_DATA_POINTERS && f->buf[i]; i++)
            memset(f->buf[i]->data, (int)fuzz_below(choices, 256), f->buf[i]->size);
    }
    f->best_effort_timestamp = any_time();
    f->pts = any_time();
    f->pkt_dts = any_time();
    f->pkt_duration = any_time();
    f->key_frame = (int)fuzz_below(choices, 2);
    f->flags = (int)fuzz_below(choices, 16) == 1 ? AV_FRAME_FLAG_CORRUPT : 0;
    f->decode_error_flags = fuzz_below(choices, 16) == 1 ? (int)fuzz_below(choices, 256) : 0;
    f->sample_aspect_ratio = any_ratio();
    f->color_range = (enum AVColorRange)fuzz_below(choices, 4);
    f->colorspace = (enum AVColorSpace)fuzz_below(choices, 32);
    f->repeat_pict = (int)fuzz_below(choices, 8);
    return 0;
}

int __wrap_avcodec_receive_frame(AVCodecContext *codec, AVFrame *frame)
{
    if (!choices)
        return __real_avcodec_receive_frame(codec, frame);
    av_frame_unref(frame);
    uint32_t kind = fuzz_below(choices, 8);
    if (kind == 0) // it wants more; at the end of the bytes there is none
        return choices->at < choices->end ? AVERROR(EAGAIN) : AVERROR_EOF;
    return kind == 1 ? any_error() : any_frame(frame);
}

static const char container[] = "YUV4MPEG2 W16 H16 F25:1 Ip A1:1 C420jpeg\nFRAME\n";

void fuzz_decoded(const uint8_t *data, size_t size)
{
    static uint8_t honest[sizeof container - 1 + 16 * 16 * 3 / 2];
    struct fuzz_choices c = { data, data + size };
    char path[FUZZ_PATH_MAX];
    struct source *s = NULL;
    struct fail why;
    memcpy(honest, container, sizeof container - 1);
    int file = fuzz_open(path, honest, sizeof honest);
    reads = 0;
    choices = &c;
    if (!fuzz_refused(footage_open(&s, path, &why), &why))
        frames_check(s, FRAMES_MAX);
    source_close(s);
    choices = NULL;
    fuzz_close(file);
}
