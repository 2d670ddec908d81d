// SPDX-License-Identifier: MIT
#include "vision/source/segment.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/intfloat.h>
#include <libavutil/intreadwrite.h>

#include "vision/frame.h"
#include "vision/source/container.h"
#include "vision/source/unpack.h"

// Number, time and lost time, 8 bytes each, the highest first; FFmpeg wants the kind of addition in front.
enum mark_bytes { MARK_KIND = 0, MARK_NUMBER = 8, MARK_T = 16, MARK_LOST = 24, MARK_SIZE = 32 };

struct segment {
    AVFormatContext *out;
    AVIOContext *io;
    AVPacket *packet;
    int fd, error; // errno of what failed first
    off_t begun, at, end;
    ssize_t (*put)(int fd, const void *bytes, size_t size);
    enum encoding encoding;
    int width, height;
    bool any;
    double first_s;
    int64_t last_ms;
    uint8_t *rows; // of a raw picture without what a driver leaves behind each; NULL until it is needed
};

static int put_bytes(void *self, uint8_t *bytes, int size)
{
    struct segment *s = self;
    for (int put = 0; put < size && !s->error;) {
        ssize_t n = s->put(s->fd, bytes + put, (size_t)(size - put));
        if (n < 0 && errno != EINTR)
            s->error = errno;
        put += n > 0 ? (int)n : 0;
        s->at += n > 0 ? n : 0;
    }
    s->end = s->at > s->end ? s->at : s->end;
    return s->error ? AVERROR(s->error) : size;
}

// Sizes and the index are put in when they are known.
static int64_t seek(void *self, int64_t offset, int whence)
{
    struct segment *s = self;
    if (whence & AVSEEK_SIZE)
        return s->end - s->begun;
    off_t at = lseek(s->fd, whence == SEEK_SET ? s->begun + offset : offset, whence);
    if (at >= 0)
        s->at = at;
    return at < 0 ? AVERROR(errno) : at - s->begun;
}

// 0, or what failed: first of all the system.
static int result(const struct segment *s, int av_code, struct fail *why)
{
    if (s->error)
        return rs_fail(why, RS_EIO, "%s", strerror(s->error));
    if (av_code >= 0)
        return 0;
    return rs_fail(why, container_code(av_code, RS_ELIB), "FFmpeg cannot write Matroska: %s", av_err2str(av_code));
}

int segment_create(struct segment **out, int fd, const struct encoded *like,
                   ssize_t (*put)(int fd, const void *bytes, size_t size), struct fail *why)
{
    enum { BUFFER = 64 * 1024 }; // bytes put at once: so many less calls of the system
    struct segment *s = calloc(1, sizeof *s);
    AVDictionary *options = NULL;
    uint8_t *buffer = av_malloc(BUFFER);
    AVStream *stream = NULL;
    if (!s || !buffer)
        goto no_memory;
    *s = (struct segment){ .fd = fd, .put = put, .width = like->width, .height = like->height };
    s->encoding = like->encoding;
    s->begun = s->at = s->end = lseek(fd, 0, SEEK_CUR);
    s->packet = av_packet_alloc();
    s->io = avio_alloc_context(buffer, BUFFER, 1, s, NULL, put_bytes, seek);
    if (s->io)
        buffer = NULL;
    if (avformat_alloc_output_context2(&s->out, NULL, "matroska", NULL) < 0 || !s->packet || !s->io ||
        !(stream = avformat_new_stream(s->out, NULL)))
        goto no_memory;
    s->out->pb = s->io;
    s->out->flags |= AVFMT_FLAG_BITEXACT | AVFMT_FLAG_FLUSH_PACKETS; // no word of who made it; nothing is held back
    AVCodecParameters *p = stream->codecpar;
    p->codec_type = AVMEDIA_TYPE_VIDEO;
    p->codec_id = like->encoding == ENCODED_JPEG ? AV_CODEC_ID_MJPEG : AV_CODEC_ID_RAWVIDEO;
    p->format = unpacked_layout(like->encoding);
    if (like->encoding != ENCODED_JPEG)
        p->codec_tag = avcodec_pix_fmt_to_codec_tag((enum AVPixelFormat)p->format);
    p->width = like->width;
    p->height = like->height;
    av_dict_set(&options, "allow_raw_vfw", "1", 0); // BGR has no name of Matroska's own
    int rc = result(s, avformat_write_header(s->out, &options), why);
    av_dict_free(&options);
    if (rc < 0)
        segment_free(s);
    else
        *out = s;
    return rc;
no_memory:
    av_free(buffer);
    segment_free(s);
    return rs_fail(why, RS_ENOMEM, "no memory to record pictures");
}

bool segment_takes(const struct segment *s, const struct encoded *e)
{
    return e->encoding == s->encoding && e->width == s->width && e->height == s->height;
}

int64_t segment_bytes(const struct segment *s)
{
    return s->end - s->begun;
}

// The bytes that are written: those of the picture, or its rows one behind the other.
static int take_bytes(struct segment *s, const struct encoded *e, struct fail *why)
{
    size_t rows = unpacked_rows(e->encoding, e->height);
    size_t row = (size_t)unpacked_row_bytes(e->encoding, e->width), stride = (size_t)e->stride;
    s->packet->data = (uint8_t *)e->bytes; // av_write_frame only reads them
    s->packet->size = (int)e->size;
    if (e->size > INT32_MAX || (row > 0 && (stride < row || e->size < stride * rows)))
        return rs_fail(why, RS_EINPUT, "the picture is cut off");
    if (row == 0)
        return 0;
    s->packet->size = (int)(row * rows);
    if (row == stride)
        return 0;
    if (!s->rows && !(s->rows = malloc(row * rows)))
        return rs_fail(why, RS_ENOMEM, "no memory to record pictures");
    for (size_t y = 0; y < rows; y++)
        memcpy(s->rows + y * row, e->bytes + y * stride, row);
    s->packet->data = s->rows;
    return 0;
}

int segment_write(struct segment *s, const struct encoded *e, const struct picture_mark *mark, struct fail *why)
{
    av_packet_unref(s->packet);
    int rc = segment_takes(s, e) ? take_bytes(s, e, why)
                                 : rs_fail(why, RS_EINPUT, "the picture is of another kind than the one before it");
    if (rc < 0)
        return rc;
    uint8_t *beside = av_packet_new_side_data(s->packet, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, MARK_SIZE);
    if (!beside)
        return rs_fail(why, RS_ENOMEM, "no memory to record pictures");
    AV_WB64(beside + MARK_KIND, 1);
    AV_WB64(beside + MARK_NUMBER, (uint64_t)mark->number);
    AV_WB64(beside + MARK_T, av_double2int(mark->t_s));
    AV_WB64(beside + MARK_LOST, av_double2int(mark->lost_s));
    if (!s->any)
        s->first_s = mark->t_s;
    int64_t ms = llround((mark->t_s - s->first_s) * 1000);
    s->last_ms = s->any && ms <= s->last_ms ? s->last_ms + 1 : ms; // players want time to pass
    s->any = true;
    s->packet->pts = s->packet->dts = s->last_ms;
    s->packet->flags |= AV_PKT_FLAG_KEY;
    return result(s, av_write_frame(s->out, s->packet), why);
}

int segment_finish(struct segment *s, struct fail *why)
{
    errno = 0;
    return result(s, container_result(av_write_trailer(s->out)), why);
}

void segment_free(struct segment *s)
{
    if (!s)
        return;
    if (s->io)
        av_freep(&s->io->buffer);
    avio_context_free(&s->io);
    if (s->out)
        s->out->pb = NULL;
    avformat_free_context(s->out);
    if (s->packet)
        s->packet->data = NULL;
    av_packet_free(&s->packet);
    free(s->rows);
    free(s);
}

struct segment_reader {
    AVFormatContext *in;
    AVStream *stream;
    AVPacket *packet;
    enum encoding encoding;
    int stride;
};

int segment_open(struct segment_reader **out, const char *path, struct fail *why)
{
    struct segment_reader *r = calloc(1, sizeof *r);
    if (!r)
        return rs_fail(why, RS_ENOMEM, "%s: no memory to read it", path);
    int rc = container_open(&r->in, &r->stream, path, why), encoding = ENCODED_JPEG;
    if (rc == 0 && !(r->packet = av_packet_alloc()))
        rc = rs_fail(why, RS_ENOMEM, "%s: no memory to read it", path);
    if (rc == 0) {
        const AVCodecParameters *p = r->stream->codecpar;
        bool sized = p->width > 0 && p->width <= FRAME_MAX_SIDE_PX && p->height > 0 && p->height <= FRAME_MAX_SIDE_PX;
        if (p->codec_id == AV_CODEC_ID_RAWVIDEO)
            for (encoding = ENCODED_JPEG + 1;
                 encoding < ENCODINGS && unpacked_layout((enum encoding)encoding) != p->format;)
                encoding++;
        else if (p->codec_id != AV_CODEC_ID_MJPEG)
            encoding = ENCODINGS;
        if (!sized || encoding == ENCODINGS)
            rc = rs_fail(why, RS_EINPUT, "%s: not of a kind that ringside records", path);
    }
    if (rc < 0) {
        segment_reader_free(r);
        return rc;
    }
    r->encoding = (enum encoding)encoding;
    r->stride = unpacked_row_bytes(r->encoding, r->stream->codecpar->width);
    *out = r;
    return 0;
}

static bool read_mark(struct picture_mark *out, const AVPacket *packet)
{
    static const double LONGEST_S = 1e8; // no recording takes three years
    static const int64_t MOST = 1LL << 48;
    size_t size = 0;
    const uint8_t *beside = av_packet_get_side_data(packet, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &size);
    if (!beside || size != MARK_SIZE)
        return false;
    int64_t number = (int64_t)AV_RB64(beside + MARK_NUMBER);
    *out = (struct picture_mark){ .t_s = av_int2double(AV_RB64(beside + MARK_T)),
                                  .lost_s = av_int2double(AV_RB64(beside + MARK_LOST)) };
    out->number = (long)(number & (MOST - 1));
    return number >= 0 && number < MOST && out->t_s >= 0 && out->t_s < LONGEST_S && out->lost_s >= 0 &&
           out->lost_s < LONGEST_S;
}

int segment_read(struct encoded **out, struct picture_mark *mark, struct segment_reader *r, struct fail *why)
{
    int rc;
    do {
        av_packet_unref(r->packet);
        rc = av_read_frame(r->in, r->packet);
    } while (rc >= 0 && (r->packet->stream_index != r->stream->index || !read_mark(mark, r->packet)));
    if (container_system_failed(rc))
        return rs_fail(why, container_code(rc, RS_EIO), "reading broke off: %s", av_err2str(rc));
    if (rc < 0)
        return 0;
    rc = encoded_create(out, (size_t)r->packet->size, why);
    if (rc < 0)
        return rc;
    (*out)->encoding = r->encoding;
    (*out)->width = r->stream->codecpar->width;
    (*out)->height = r->stream->codecpar->height;
    (*out)->stride = r->stride;
    (*out)->t_s = mark->t_s;
    memcpy((*out)->bytes, r->packet->data, (size_t)r->packet->size);
    return 1;
}

double segment_duration_s(const struct segment_reader *r)
{
    return r->in->duration == AV_NOPTS_VALUE ? 0 : fmax((double)r->in->duration / AV_TIME_BASE, 0);
}

void segment_reader_free(struct segment_reader *r)
{
    if (!r)
        return;
    avformat_close_input(&r->in);
    av_packet_free(&r->packet);
    free(r);
}
