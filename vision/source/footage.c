// SPDX-License-Identifier: MIT
#include "vision/source/source.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/pixdesc.h>

#include "vision/source/container.h"
#include "vision/source/orient.h"
#include "vision/source/to_bgr.h"

// Longer than this between two frames is no slow camera: pictures are missing, though nobody says so, and a piece can have
// been shot and struck another meanwhile.
static const double GAP_S = 0.3;
// A header's duration is the sound's too, and is rounded: only when more than this is missing at the end, it was cut off.
static const double CUT_OFF_S = 1;

enum { MOST_BAD_READS = 1000 }; // in a row, before a file counts as at its end

struct footage {
    struct source base;
    AVFormatContext *in;
    AVStream *stream;
    AVCodecContext *codec;
    AVPacket *packet;
    AVFrame *decoded;
    struct to_bgr *to_bgr;
    int width, height; // with square pixels, before turning
    enum orientation turn;
    double first_s, last_s;
    long count;
    int bad_reads;    // in a row
    long lost_before; // base.info.dropped when the last frame was given out
    bool doubtful;    // a frame was damaged, and no key frame came since
    bool at_end;      // everything was read; the decoder still gives what it holds
};

static void footage_close(struct source *s)
{
    struct footage *f = (struct footage *)s;
    to_bgr_free(f->to_bgr);
    av_frame_free(&f->decoded);
    av_packet_free(&f->packet);
    avcodec_free_context(&f->codec);
    avformat_close_input(&f->in);
}

// 1 when f->decoded holds a whole frame, 0 at the end. What the decoder does not like is a lost frame.
static int decode(struct footage *f, struct fail *why)
{
    char words[AV_ERROR_MAX_STRING_SIZE];
    for (int bad = 0; bad < MOST_BAD_READS;) {
        int rc = avcodec_receive_frame(f->codec, f->decoded);
        if (rc == 0 && f->decoded->decode_error_flags == 0 && !(f->decoded->flags & AV_FRAME_FLAG_CORRUPT)) {
            f->doubtful &= !f->decoded->key_frame;
            return 1;
        }
        if (rc == AVERROR_EOF)
            return 0;
        if (rc == AVERROR(ENOMEM))
            return rs_fail(why, RS_ENOMEM, "%s: no memory to decode it", f->base.info.name);
        if (rc != AVERROR(EAGAIN) || f->at_end) {
            bad += rc != 0;
            f->base.info.dropped++;
            f->doubtful = true; // what comes is decoded with what this one should have been
            av_frame_unref(f->decoded);
            continue;
        }
        rc = av_read_frame(f->in, f->packet); // the decoder wants more
        if (container_system_failed(rc))
            return rs_fail(why, rc == AVERROR(ENOMEM) ? RS_ENOMEM : RS_EIO, "%s: reading broke off: %s",
                           f->base.info.name, container_words(words, rc));
        f->bad_reads = rc < 0 ? f->bad_reads + 1 : 0;
        if (rc == AVERROR_EOF || f->bad_reads == MOST_BAD_READS) {
            f->at_end = true;
            avcodec_send_packet(f->codec, NULL); // it gives out what it holds
        } else if (rc >= 0) {
            if (f->packet->stream_index == f->stream->index) {
                rc = avcodec_send_packet(f->codec, f->packet);
                if (rc == AVERROR(ENOMEM))
                    return rs_fail(why, RS_ENOMEM, "%s: no memory to decode it", f->base.info.name);
                bool refused = rc < 0 && rc != AVERROR(EAGAIN);
                f->base.info.dropped += refused;
                f->doubtful |= refused;
            }
            av_packet_unref(f->packet);
        }
    }
    return 0;
}

static int next_frame(struct source *s, struct frame **out, struct fail *why)
{
    struct footage *f = (struct footage *)s;
    int rc = decode(f, why);
    if (rc == 0) { // the last frame's own time is some interval less than the whole
        double missing_s = s->info.duration_s - f->last_s;
        s->info.short_s = missing_s > CUT_OFF_S ? missing_s : 0;
    }
    if (rc <= 0)
        return rc;
    if (f->count == 0) { // only a decoded frame surely knows the shape of its pixels
        AVRational shape = av_guess_sample_aspect_ratio(f->in, f->stream, f->decoded);
        double squeeze = shape.num > 0 && shape.den > 0 ? av_q2d(shape) : 1;
        static const double most = 8; // pixels more oblong than that come from a broken header
        if (squeeze > most || squeeze < 1 / most)
            squeeze = 1;
        f->width = (int)lround(f->decoded->width * fmax(squeeze, 1));
        f->height = (int)lround(f->decoded->height / fmin(squeeze, 1));
    }
    struct frame *made;
    rc = frame_create(&made, f->width, f->height, why);
    if (rc < 0)
        return rc;
    rc = to_bgr_convert(f->to_bgr, made, f->decoded, why);
    if (rc == 0)
        rc = frame_orient(&made, f->turn, why);
    if (rc < 0) {
        frame_free(made);
        return rc;
    }
    // Seconds from the first frame, never falling; a frame without a time comes one nominal interval after the last one.
    int64_t pts = f->decoded->best_effort_timestamp;
    double interval_s = s->info.frames_per_s > 0 ? 1 / s->info.frames_per_s : 0;
    double t_s =
        pts == AV_NOPTS_VALUE ? f->first_s + f->last_s + interval_s : (double)pts * av_q2d(f->stream->time_base);
    if (f->count == 0)
        f->first_s = t_s;
    double since_s = fmax(t_s - f->first_s - f->last_s, 0);
    f->last_s += since_s;
    made->t_s = f->last_s;
    made->lost_s = s->info.dropped > f->lost_before || since_s > GAP_S ? since_s : 0;
    made->doubtful = f->doubtful;
    f->lost_before = s->info.dropped;
    s->info.lost_s += made->lost_s;
    s->info.doubtful += made->doubtful;
    made->number = f->count++;
    av_frame_unref(f->decoded);
    *out = made;
    return 1;
}

static const struct source_kind footage_kind = { next_frame, footage_close };

static int open_decoder(struct footage *f, const char *path, struct fail *why)
{
    char words[AV_ERROR_MAX_STRING_SIZE];
    const AVCodecParameters *p = f->stream->codecpar;
    const AVCodec *codec = avcodec_find_decoder(p->codec_id);
    if (!codec)
        return rs_fail(why, RS_EINPUT, "%s: FFmpeg cannot decode %s here", path, avcodec_get_name(p->codec_id));
    f->codec = avcodec_alloc_context3(codec);
    f->packet = av_packet_alloc();
    f->decoded = av_frame_alloc();
    if (!f->codec || !f->packet || !f->decoded || avcodec_parameters_to_context(f->codec, p) < 0)
        return rs_fail(why, RS_ENOMEM, "%s: no memory for a decoder", path);
    f->codec->pkt_timebase = f->stream->time_base;
    f->codec->thread_count = 0; // as many as there are processors
    f->codec->max_pixels = (int64_t)FRAME_MAX_SIDE_PX * FRAME_MAX_SIDE_PX;
    int rc = avcodec_open2(f->codec, codec, NULL);
    if (rc < 0)
        return rs_fail(why, rc == AVERROR(ENOMEM) ? RS_ENOMEM : RS_ELIB, "%s: the %s decoder does not start: %s", path,
                       codec->name, container_words(words, rc));
    return to_bgr_create(&f->to_bgr, why);
}

int footage_open(struct source **out, const char *path, struct fail *why)
{
    static const enum orientation quarters[] = { ORIENT_UPRIGHT, ORIENT_LEFT, ORIENT_HALF_TURN, ORIENT_RIGHT };
    struct footage *f = calloc(1, sizeof *f);
    if (!f)
        return rs_fail(why, RS_ENOMEM, "%s: no memory", path);
    struct source_info *info = &f->base.info;
    f->base.kind = &footage_kind;
    int rc = container_open(&f->in, &f->stream, path, why);
    if (rc == 0)
        rc = open_decoder(f, path, why);
    if (rc == 0) {
        const uint8_t *matrix = av_stream_get_side_data(f->stream, AV_PKT_DATA_DISPLAYMATRIX, NULL);
        double anticlockwise_deg = matrix ? av_display_rotation_get((const int32_t *)matrix) : 0;
        f->turn = isfinite(anticlockwise_deg) ? quarters[(lround(anticlockwise_deg / 90) + 4) % 4] : ORIENT_UPRIGHT;
        AVRational rate = av_guess_frame_rate(f->in, f->stream, NULL);
        info->frames_per_s = rate.num > 0 && rate.den > 0 ? av_q2d(rate) : 0;
        if (f->stream->duration != AV_NOPTS_VALUE)
            info->duration_s = (double)f->stream->duration * av_q2d(f->stream->time_base);
        else if (f->in->duration != AV_NOPTS_VALUE)
            info->duration_s = (double)f->in->duration / AV_TIME_BASE;
        info->duration_s = fmax(info->duration_s, 0);
        source_set_name(&f->base, path);
        rc = next_frame(&f->base, &f->base.first, why);
        if (rc == 0)
            rc = rs_fail(why, RS_EINPUT, "%s: no frame of the video can be decoded", path);
    }
    if (rc < 0) {
        source_close(&f->base);
        return rc;
    }
    info->width = f->base.first->width;
    info->height = f->base.first->height;
    *out = &f->base;
    return 0;
}
