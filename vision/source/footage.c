// SPDX-License-Identifier: MIT
#include "vision/source/source.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/pixdesc.h>

#include "vision/buffer_pool.h"
#include "vision/source/codec.h"
#include "vision/source/container.h"
#include "vision/source/orient.h"
#include "vision/source/packets.h"
#include "vision/source/timestamps.h"
#include "vision/source/to_bgr.h"

enum { MOST_BAD_READS = 1000 }; // in a row, before a file counts as at its end

struct footage {
    struct source base;
    AVFormatContext *in;
    AVStream *stream;
    AVCodecContext *codec;
    AVPacket *packet;
    AVFrame *decoded;
    struct to_bgr *to_bgr;
    struct buffer_pool *pool; // of its frames
    struct codec_errors errors;
    struct packets packets;
    struct timestamps timestamps;
    int width, height; // with square pixels, before turning
    enum orientation turn;
    double sound_s;   // time of the last frame that was to be believed
    bool unseen;      // something was lost since then,
    double unseen_s;  // at least so much
    double cut_off_s; // when so much is missing at the end
    long count;
    int bad_reads;    // in a row
    long lost_before; // base.info.dropped when the last frame was given out
    bool doubtful;    // something was damaged, and no picture that needs none before it came since
    int64_t oldest;   // stamp of the packets read so far,
    int64_t newest;   // and the highest of them
    int64_t doubted;  // the highest when the damage was found: what is shown later was read behind it
    int64_t last_pts; // of the decoded picture before this one
    bool silent;      // its decoder does not know when a picture is missing that others need
    bool at_end;      // everything was read; the decoder still gives what it holds
};

static void footage_close(struct source *s)
{
    struct footage *f = (struct footage *)s;
    to_bgr_free(f->to_bgr);
    buffer_pool_release(f->pool);
    av_frame_free(&f->decoded);
    av_packet_free(&f->packet);
    avcodec_free_context(&f->codec);
    avformat_close_input(&f->in);
}

// Something was damaged or lost: pictures from here on may be decoded from it, and are doubtful.
static void doubt(struct footage *f)
{
    f->doubtful = true;
    f->doubted = f->newest;
}

// Hands the decoder the next packet, which it may refuse. 0 also when there is none any more.
static int feed(struct footage *f, struct fail *why)
{
    int rc = av_read_frame(f->in, f->packet);
    if (container_system_failed(rc))
        return rs_fail(why, container_code(rc, RS_EIO), "%s: reading broke off: %s", f->base.info.name, av_err2str(rc));
    if (codec_errors_taken(&f->errors)) // of the container: what lay between is lost
        doubt(f);
    f->bad_reads = rc < 0 ? f->bad_reads + 1 : 0;
    if (rc == AVERROR_EOF || f->bad_reads == MOST_BAD_READS) {
        f->at_end = true;
        rc = codec_send(f->codec, NULL, f->base.info.name, why);
        return rc < 0 ? rc : 0;
    }
    if (rc < 0)
        return 0;
    if (f->packet->stream_index == f->stream->index) {
        int64_t stamp = f->packet->pts == AV_NOPTS_VALUE ? f->packet->dts : f->packet->pts;
        bool damaged = packets_damaged(&f->packets, f->packet);
        if (stamp != AV_NOPTS_VALUE) {
            f->newest = stamp > f->newest ? stamp : f->newest;
            f->oldest = stamp < f->oldest ? stamp : f->oldest;
        }
        int refused = codec_send(f->codec, f->packet, f->base.info.name, why);
        if (refused < 0)
            return refused;
        f->base.info.dropped += refused;
        if (damaged || refused || codec_errors_taken(&f->errors))
            doubt(f);
    }
    av_packet_unref(f->packet);
    return 0;
}

// A picture that needs none before it, of which nothing was damaged, ends the doubt; those shown before it were decoded
// with others.
static bool is_sound(struct footage *f)
{
    const AVFrame *d = f->decoded;
    bool in_order = d->pts == AV_NOPTS_VALUE || f->last_pts == AV_NOPTS_VALUE || d->pts > f->last_pts;
    bool alone = d->key_frame && d->pict_type != AV_PICTURE_TYPE_P && d->pict_type != AV_PICTURE_TYPE_B;
    if (alone && (d->best_effort_timestamp == AV_NOPTS_VALUE || d->best_effort_timestamp > f->doubted))
        f->doubtful = false;
    f->last_pts = d->pts == AV_NOPTS_VALUE || !in_order ? f->last_pts : d->pts;
    return in_order && !f->doubtful;
}

// 1 when f->decoded holds a whole frame, 0 at the end. A picture that cannot be decoded is a lost frame.
static int decode(struct footage *f, struct fail *why)
{
    for (int bad = 0; bad < MOST_BAD_READS;) {
        int rc = codec_receive(f->decoded, f->codec);
        if (codec_errors_taken(&f->errors))
            doubt(f);
        if (rc == 0 && f->decoded->decode_error_flags == 0 && !(f->decoded->flags & AV_FRAME_FLAG_CORRUPT))
            return 1;
        if (rc == AVERROR_EOF)
            return 0;
        if (rc == AVERROR(ENOMEM))
            return rs_fail(why, RS_ENOMEM, "%s: no memory to decode it", f->base.info.name);
        if (rc != AVERROR(EAGAIN) || f->at_end) {
            bad += rc != 0;
            f->base.info.dropped++;
            doubt(f);
            av_frame_unref(f->decoded);
            continue;
        }
        rc = feed(f, why);
        if (rc < 0)
            return rc;
    }
    return 0;
}

// Only a decoded frame surely knows the shape of its pixels.
static void take_shape(struct footage *f)
{
    AVRational shape = av_guess_sample_aspect_ratio(f->in, f->stream, f->decoded);
    double squeeze = shape.num > 0 && shape.den > 0 ? av_q2d(shape) : 1;
    static const double most = 8; // pixels more oblong than that come from a broken header
    if (squeeze > most || squeeze < 1 / most)
        squeeze = 1;
    f->width = (int)lround(f->decoded->width * fmax(squeeze, 1));
    f->height = (int)lround(f->decoded->height / fmin(squeeze, 1));
}

// How long nothing has been seen that is to be believed.
static double unseen_s(const struct footage *f)
{
    return f->unseen ? fmax(f->unseen_s, f->timestamps.last_s - f->sound_s) : 0;
}

// Its time, what is missing before it, and whether it is to be believed.
static void date(struct footage *f, struct frame *made)
{
    struct source_info *info = &f->base.info;
    int64_t stamp = f->decoded->best_effort_timestamp;
    double tick_s = av_q2d(f->stream->time_base);
    struct timestamp at = timestamps_take(&f->timestamps, stamp == AV_NOPTS_VALUE ? NAN : (double)stamp * tick_s);
    if (f->count == 0 && stamp != AV_NOPTS_VALUE && f->oldest < stamp) { // what came first could not be decoded
        at.lost_s = ((double)stamp - (double)f->oldest) * tick_s;        // two of any 64 bits
        info->duration_s = fmax(info->duration_s - at.lost_s, 0);
    }
    if (at.missing > 0 && f->silent) {
        f->doubtful = true;
        f->doubted = stamp == AV_NOPTS_VALUE ? f->newest : stamp - 1;
    }
    made->t_s = at.t_s;
    made->doubtful = !is_sound(f) || at.faulty;
    made->number = f->count++;
    f->unseen |= made->doubtful || at.lost_s > 0 || info->dropped > f->lost_before;
    f->unseen_s = fmax(f->unseen_s, at.lost_s);
    if (!made->doubtful) {
        made->lost_s = unseen_s(f);
        f->sound_s = at.t_s;
        f->unseen = false;
        f->unseen_s = 0;
    }
    if (info->dropped == f->lost_before)
        info->dropped += at.missing;
    f->lost_before = info->dropped;
    info->lost_s += made->lost_s;
    info->doubtful += made->doubtful;
}

// A stretch at the end was damaged, or is not there though the header promises it.
static void find_end(struct footage *f)
{
    struct source_info *info = &f->base.info;
    double missing_s = info->duration_s - f->timestamps.last_s;
    info->short_s = missing_s > f->cut_off_s ? missing_s : 0;
    info->end_s = unseen_s(f) + info->short_s;
    info->lost_s += unseen_s(f);
}

static int next_frame(struct frame **out, struct source *s, struct fail *why)
{
    struct footage *f = (struct footage *)s;
    struct frame *made;
    int rc = decode(f, why);
    if (rc == 0)
        find_end(f);
    if (rc <= 0)
        return rc;
    if (f->count == 0)
        take_shape(f);
    rc = frame_create_from(&made, f->pool, f->width, f->height, why);
    if (rc < 0)
        return rc;
    rc = to_bgr_convert(made, f->to_bgr, f->decoded, why);
    if (rc == 0)
        rc = frame_orient(&made, f->turn, why);
    if (rc < 0) {
        frame_free(made);
        return rc;
    }
    date(f, made);
    av_frame_unref(f->decoded);
    *out = made;
    return 1;
}

static const struct source_kind footage_kind = { .next = next_frame, .close = footage_close };

static int open_decoder(struct footage *f, const char *path, struct fail *why)
{
    const struct codec_wish wish = {
        .of = f->stream->codecpar, .time_base = f->stream->time_base, .errors = &f->errors, .name = path
    };
    int rc = codec_open(&f->codec, &wish, why);
    f->packet = av_packet_alloc();
    f->decoded = av_frame_alloc();
    f->pool = buffer_pool_create();
    if (rc == 0 && (!f->packet || !f->decoded || !f->pool))
        rc = rs_fail(why, RS_ENOMEM, "%s: no memory for a decoder", path);
    return rc == 0 ? to_bgr_create(&f->to_bgr, why) : rc;
}

// From here on every sign of a loss is watched.
static void listen(struct footage *f)
{
    AVRational mean = f->stream->avg_frame_rate, base = f->stream->r_frame_rate;
    double rate = f->base.info.frames_per_s, share = base.num > 0 && mean.den > 0 ? av_q2d(mean) / av_q2d(base) : 0;
    static const double all = 0.9; // of the pictures of a constant rate are there: others are lost, not left out
    // More than these is missing at the end, and it was cut off; the second where the duration may be the sound's.
    static const double CUT_OFF_INTERVALS = 2.5, CUT_OFF_S = 1;
    bool own = f->in->nb_streams == 1 || f->stream->duration != AV_NOPTS_VALUE; // the duration is the picture's
    timestamps_begin(&f->timestamps, rate > 0 ? 1 / rate : 0, share > all && share < 1 / all);
    packets_begin(&f->packets, f->stream->codecpar);
    const AVCodecDescriptor *kind = avcodec_descriptor_get(f->stream->codecpar->codec_id);
    f->silent = !f->packets.units && !(kind && (kind->props & AV_CODEC_PROP_INTRA_ONLY));
    f->cut_off_s = own && rate > 0 ? CUT_OFF_INTERVALS / rate : CUT_OFF_S;
    f->in->opaque = &f->errors;
    f->in->error_recognition |= AV_EF_CRCCHECK;
}

// Pictures a second. More of them, in a bare stream that has no times, are the ticks of a clock.
static const double RATE_MOST = 1000;

int footage_open(struct source **out, const char *path, struct fail *why)
{
    static const enum orientation quarters[] = { ORIENT_UPRIGHT, ORIENT_LEFT, ORIENT_HALF_TURN, ORIENT_RIGHT };
    struct footage *f = calloc(1, sizeof *f);
    if (!f)
        return rs_fail(why, RS_ENOMEM, "%s: no memory", path);
    struct source_info *info = &f->base.info;
    f->base.kind = &footage_kind;
    f->oldest = INT64_MAX;
    f->newest = f->doubted = INT64_MIN;
    f->last_pts = AV_NOPTS_VALUE;
    codec_errors_listen();
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
        else if (f->in->duration != AV_NOPTS_VALUE) {
            // Matroska's is the time of its end, where FFmpeg wrote it.
            bool of_end = strstr(f->in->iformat->name, "matroska") && f->in->start_time > 0;
            info->duration_s = (double)(f->in->duration - (of_end ? f->in->start_time : 0)) / AV_TIME_BASE;
        }
        info->duration_s = fmax(info->duration_s, 0);
        listen(f);
        source_set_name(&f->base, path);
        rc = next_frame(&f->base.first, &f->base, why);
        if (rc == 0)
            rc = rs_fail(why, RS_EINPUT, "%s: no frame of the video can be decoded", path);
        else if (rc > 0 && f->newest == INT64_MIN && !(info->frames_per_s > 0 && info->frames_per_s < RATE_MOST))
            rc = rs_fail(why, RS_EINPUT,
                         "%s: when its pictures were taken does not stand in it; if there were 30 a second, "
                         "`ffmpeg -r 30 -i FILE NEW.mp4` writes it down",
                         path);
    }
    return source_opened(out, &f->base, rc);
}
