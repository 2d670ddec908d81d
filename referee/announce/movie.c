// SPDX-License-Identifier: MIT
#include "referee/announce/movie.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avstring.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>

#include "calibration/atomic_file.h"
#include "vision/source/container.h"

enum { TICKS_PER_S = 90000, LEAST_SIDE_PX = 16, USUAL_RATE = 30, SECONDS_PER_KEY = 2 };
static const char QUALITY[] = "21"; // x264's crf: thin lines and small letters stay sharp
// A lookahead in a thread of its own gives frames back beside the encoder without a lock (x264 0.164,
// frame_push_unused): now and then one is lost, and with it its memory.
static const char ONE_THREAD_COUNTS_FRAMES[] = "sync-lookahead=0";
static const double BITS_PER_PIXEL = 0.15; // for encoders that know no quality

struct movie {
    struct atomic_file file;
    int width, height; // of the frames that are added
    AVFormatContext *out;
    AVCodecContext *coder;
    struct SwsContext *sws;
    AVFrame *bgr, *yuv; // padded copies: swscale and encoders read and write whole vectors
    AVPacket *packet;
    int64_t last; // ticks of the last frame, -1 before the first
};

static int av_fail(struct fail *why, int code, const struct movie *m, const char *what, int av_code)
{
    char words[AV_ERROR_MAX_STRING_SIZE] = "";
    av_strerror(av_code, words, sizeof words);
    return rs_fail(why, code, "%s: %s: %s", m->file.path, what, words);
}

void movie_drop(struct movie *m)
{
    if (!m)
        return;
    if (m->out && m->out->pb)
        avio_closep(&m->out->pb);
    avformat_free_context(m->out);
    avcodec_free_context(&m->coder);
    sws_freeContext(m->sws);
    av_frame_free(&m->bgr);
    av_frame_free(&m->yuv);
    av_packet_free(&m->packet);
    atomic_file_drop(&m->file);
    free(m);
}

static bool start_encoder(struct movie *m, const AVCodec *codec, double frames_per_s)
{
    double rate = frames_per_s > 0 ? frames_per_s : USUAL_RATE;
    AVCodecContext *c = avcodec_alloc_context3(codec);
    if (!c)
        return false;
    c->width = m->width & ~1;
    c->height = m->height & ~1;
    c->pix_fmt = AV_PIX_FMT_YUV420P;
    c->time_base = (AVRational){ 1, TICKS_PER_S };
    c->framerate = av_d2q(rate, 1001000);
    c->gop_size = (int)fmax(1, fmin(rate * SECONDS_PER_KEY, 1000));
    c->bit_rate = (int64_t)(c->width * (double)c->height * rate * BITS_PER_PIXEL);
    c->colorspace = AVCOL_SPC_SMPTE170M; // what swscale makes by default
    c->color_range = AVCOL_RANGE_MPEG;
    c->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    av_opt_set(c->priv_data, "preset", "veryfast", 0); // refused by other encoders than x264, which is fine
    av_opt_set(c->priv_data, "crf", QUALITY, 0);
    av_opt_set(c->priv_data, "x264-params", ONE_THREAD_COUNTS_FRAMES, 0);
    if (avcodec_open2(c, codec, NULL) != 0) {
        avcodec_free_context(&c);
        return false;
    }
    m->coder = c;
    return true;
}

static int make_frame(AVFrame **out, int width, int height, int format)
{
    *out = av_frame_alloc();
    if (!*out)
        return AVERROR(ENOMEM);
    (*out)->width = width;
    (*out)->height = height;
    (*out)->format = format;
    return av_frame_get_buffer(*out, 0);
}

static int open_file(struct movie *m, struct fail *why)
{
    char *url = av_asprintf("file:/proc/self/fd/%d", m->file.fd); // the very file, whatever has its name by now
    int rc = url ? avformat_alloc_output_context2(&m->out, NULL, "mp4", url) : AVERROR(ENOMEM);
    av_free(url);
    AVStream *stream = rc < 0 ? NULL : avformat_new_stream(m->out, NULL);
    if (!stream || avcodec_parameters_from_context(stream->codecpar, m->coder) < 0)
        return rs_fail(why, RS_ENOMEM, "%s: no memory for a movie", m->file.path);
    stream->time_base = m->coder->time_base;
    stream->avg_frame_rate = m->coder->framerate;
    // The index in front: a browser shows the first picture before it has the last.
    if (av_opt_set(m->out->priv_data, "movflags", "+faststart", 0) < 0)
        return rs_fail(why, RS_ELIB, "%s: FFmpeg here writes no index in front of a movie", m->file.path);
    rc = avio_open(&m->out->pb, m->out->url, AVIO_FLAG_WRITE);
    if (rc < 0)
        return av_fail(why, RS_EIO, m, "cannot be written", rc);
    rc = avformat_write_header(m->out, NULL);
    return rc < 0 ? av_fail(why, RS_EIO, m, "cannot be written", rc) : 0;
}

int movie_create(struct movie **out, const char *path, int width, int height, double frames_per_s, struct fail *why)
{
    if (width < LEAST_SIDE_PX || height < LEAST_SIDE_PX || width > FRAME_MAX_SIDE_PX || height > FRAME_MAX_SIDE_PX)
        return rs_fail(why, RS_EINPUT, "%s: movie of %d x %d pixels; each side must be %d to %d", path, width, height,
                       LEAST_SIDE_PX, FRAME_MAX_SIDE_PX);
    av_log_set_level(AV_LOG_QUIET); // what matters comes back as a code
    struct movie *m = calloc(1, sizeof *m);
    if (!m)
        return rs_fail(why, RS_ENOMEM, "%s: no memory for a movie", path);
    m->width = width;
    m->height = height;
    m->last = -1;
    // x264 where there is one; else whatever starts, for an encoder of a graphics card that is not there does not.
    const AVCodec *codec = avcodec_find_encoder_by_name("libx264");
    void *at = NULL;
    bool started = codec && start_encoder(m, codec, frames_per_s);
    while (!started && (codec = av_codec_iterate(&at)))
        started = codec->id == AV_CODEC_ID_H264 && av_codec_is_encoder(codec) && start_encoder(m, codec, frames_per_s);
    int rc = started ? 0 : rs_fail(why, RS_ELIB, "%s: FFmpeg here has no H.264 encoder that starts", path);
    if (rc == 0) {
        int w = m->coder->width, h = m->coder->height;
        m->packet = av_packet_alloc();
        m->sws = sws_getContext(w, h, AV_PIX_FMT_BGR24, w, h, AV_PIX_FMT_YUV420P, SWS_BILINEAR, NULL, NULL, NULL);
        if (!m->packet || !m->sws || make_frame(&m->bgr, w, h, AV_PIX_FMT_BGR24) < 0 ||
            make_frame(&m->yuv, w, h, AV_PIX_FMT_YUV420P) < 0)
            rc = rs_fail(why, RS_ENOMEM, "%s: no memory for a movie of %d x %d pixels", path, w, h);
    }
    if (rc == 0)
        rc = atomic_file_begin(&m->file, path, why);
    if (rc == 0)
        rc = open_file(m, why);
    if (rc < 0) {
        movie_drop(m);
        return rc;
    }
    *out = m;
    return 0;
}

// Gives one picture to the encoder, NULL for the end, and writes what it has ready.
static int encode(struct movie *m, const AVFrame *picture, struct fail *why)
{
    int rc = avcodec_send_frame(m->coder, picture);
    if (rc < 0)
        return av_fail(why, RS_ELIB, m, "the encoder failed", rc);
    while ((rc = avcodec_receive_packet(m->coder, m->packet)) == 0) {
        AVStream *stream = m->out->streams[0];
        m->packet->stream_index = 0;
        // Without a duration MP4 ends before its last frame.
        m->packet->duration = av_rescale_q(1, av_inv_q(m->coder->framerate), m->coder->time_base);
        av_packet_rescale_ts(m->packet, m->coder->time_base, stream->time_base);
        rc = av_interleaved_write_frame(m->out, m->packet);
        if (rc >= 0 && m->out->pb->error < 0)
            rc = m->out->pb->error;
        if (rc < 0)
            return av_fail(why, RS_EIO, m, "cannot be written", rc);
    }
    return rc == AVERROR(EAGAIN) || rc == AVERROR_EOF ? 0 : av_fail(why, RS_ELIB, m, "the encoder failed", rc);
}

int movie_add(struct movie *m, const struct frame *f, struct fail *why)
{
    if (f->width != m->width || f->height != m->height)
        return rs_fail(why, RS_EINPUT, "%s: frame of %d x %d pixels in a movie of %d x %d", m->file.path, f->width,
                       f->height, m->width, m->height);
    if (av_frame_make_writable(m->yuv) < 0) // the encoder may still look at the last one
        return rs_fail(why, RS_ENOMEM, "%s: no memory for a movie", m->file.path);
    for (int y = 0; y < m->bgr->height; y++)
        memcpy(m->bgr->data[0] + (ptrdiff_t)y * m->bgr->linesize[0], f->bgr + 3 * (size_t)y * (size_t)f->width,
               3 * (size_t)m->bgr->width);
    sws_scale(m->sws, (const uint8_t *const *)m->bgr->data, m->bgr->linesize, 0, m->bgr->height, m->yuv->data,
              m->yuv->linesize);
    int64_t ticks = llround(f->t_s * TICKS_PER_S);
    m->last = ticks > m->last ? ticks : m->last + 1;
    m->yuv->pts = m->last;
    return encode(m, m->yuv, why);
}

int movie_finish(struct movie *m, struct fail *why)
{
    int rc = m->last < 0 ? rs_fail(why, RS_EINPUT, "%s: no frame for a movie", m->file.path) : encode(m, NULL, why);
    if (rc == 0) {
        errno = 0;
        int written = container_result(av_write_trailer(m->out));
        int closed = avio_closep(&m->out->pb); // a full disk may be told only here
        if (written < 0 || closed < 0)
            rc = av_fail(why, RS_EIO, m, "cannot be written", written < 0 ? written : closed);
        else
            rc = atomic_file_finish(&m->file, why);
    }
    movie_drop(m);
    return rc;
}
