// SPDX-License-Identifier: MIT
#include "vision/source/remux.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <libavutil/avstring.h>

#include "calibration/interrupt.h"
#include "calibration/units.h"
#include "vision/source/container.h"

// Containers count time in ticks of their own; finer than any of them, coarser than what rounding does.
static const double SAME_TIME_S = 1e-6;

// The first that holds the picture exactly is taken. MOV keeps how the camera was held and times to the tick, Matroska
// takes what MOV does not know, NUT what nobody does.
static const struct {
    const char *format, *name;
} containers[] = { { "mov", "frames.mov" }, { "matroska", "frames.mkv" }, { "nut", "frames.nut" } };

// Which packets are taken, in ticks of the recording's stream.
struct window {
    int64_t from, to; // presentation times of two pictures that need none before them; INT64_MIN, INT64_MAX: the ends
    double from_s, to_s;
};

struct copying {
    AVFormatContext *in, *out;
    AVStream *from, *to;
    AVPacket *packet;
};

static void copying_finish(struct copying *c)
{
    if (c->out && c->out->pb)
        avio_closep(&c->out->pb);
    avformat_free_context(c->out);
    avformat_close_input(&c->in);
    av_packet_free(&c->packet);
}

// The next packet of the picture: 1, 0 at the end.
static int next_packet(struct copying *c, const char *path, struct fail *why)
{
    int rc = interrupt_check(why);
    if (rc < 0)
        return rc;
    do {
        av_packet_unref(c->packet);
        rc = av_read_frame(c->in, c->packet);
    } while (rc >= 0 && c->packet->stream_index != c->from->index);
    if (rc < 0 && rc != AVERROR_EOF)
        return rs_fail(why, container_code(rc, RS_EIO), "%s: reading broke off: %s", path, av_err2str(rc));
    return rc >= 0;
}

static int open_recording(struct copying *c, const char *path, struct fail *why)
{
    int rc = container_open(&c->in, &c->from, path, why);
    if (rc < 0)
        return rc;
    c->in->flags |= AVFMT_FLAG_GENPTS; // some containers say only when a picture is decoded, not when it is shown
    c->packet = av_packet_alloc();
    return c->packet ? 0 : rs_fail(why, RS_ENOMEM, "%s: no memory", path);
}

// The last key picture at or before the beginning wished and the first one after the end. Times count from the first
// picture shown.
static int find_window(struct window *out, const struct remux *wished, const char *path, struct fail *why)
{
    struct copying c = { .in = NULL };
    int64_t first = INT64_MAX, last = INT64_MIN;
    double tick_s = 0;
    *out = (struct window){ INT64_MIN, INT64_MAX, 0, 0 };
    int rc = open_recording(&c, path, why);
    if (rc == 0)
        tick_s = av_q2d(c.from->time_base);
    while (rc >= 0 && (rc = next_packet(&c, path, why)) > 0) {
        int64_t pts = c.packet->pts;
        if (pts == AV_NOPTS_VALUE)
            continue;
        first = pts < first ? pts : first;
        last = pts > last ? pts : last;
        double t_s = ((double)pts - (double)first) * tick_s; // two of any 64 bits
        if (!(c.packet->flags & AV_PKT_FLAG_KEY))
            continue;
        if (t_s <= wished->from_s || out->from == INT64_MIN)
            out->from = pts;
        if (t_s > wished->to_s && out->to == INT64_MAX)
            out->to = pts;
    }
    copying_finish(&c);
    if (rc < 0)
        return rc;
    if (last < first || ((double)last - (double)first) * tick_s < wished->from_s)
        return rs_fail(why, RS_EINPUT, "%s: there is nothing after %g s", path, wished->from_s);
    out->to_s = ((double)(out->to == INT64_MAX ? last : out->to) - (double)first) * tick_s;
    if (wished->from_s <= 0)
        out->from = INT64_MIN;
    if (out->from != INT64_MIN) // without a key picture it is copied from the beginning
        out->from_s = ((double)out->from - (double)first) * tick_s;
    return 0;
}

static int av_fail(struct fail *why, const char *path, int av_code)
{
    return rs_fail(why, container_code(av_code, RS_EIO), "%s cannot be written: %s", path, av_err2str(av_code));
}

// 1 when that kind of picture has no place in such a container.
static int open_copy(struct copying *c, const char *format, const char *path, struct fail *why)
{
    errno = 0;
    char *url = av_asprintf("file:%s", path);
    int rc = url ? avformat_alloc_output_context2(&c->out, NULL, format, NULL) : AVERROR(ENOMEM);
    if (rc >= 0) {
        c->out->flags |= AVFMT_FLAG_BITEXACT; // no word of who made it, and when
        c->to = avformat_new_stream(c->out, NULL);
        rc = c->to ? avcodec_parameters_copy(c->to->codecpar, c->from->codecpar) : AVERROR(ENOMEM);
    }
    if (rc >= 0) {                      // size, shape of the pixels, how the camera was held
        c->to->codecpar->codec_tag = 0; // each container has its own
        c->to->time_base = c->from->time_base;
        c->to->avg_frame_rate = c->from->avg_frame_rate;
        c->to->sample_aspect_ratio = c->from->sample_aspect_ratio;
    }
    for (int i = 0; rc >= 0 && i < c->from->nb_side_data; i++) {
        const AVPacketSideData *side = &c->from->side_data[i];
        uint8_t *copy = av_stream_new_side_data(c->to, side->type, side->size);
        if (copy)
            memcpy(copy, side->data, side->size);
        else
            rc = AVERROR(ENOMEM);
    }
    if (rc >= 0)
        rc = avio_open(&c->out->pb, url, AVIO_FLAG_WRITE);
    av_free(url);
    rc = container_result(rc);
    if (rc < 0)
        return av_fail(why, path, rc);
    rc = container_result(avformat_write_header(c->out, NULL));
    return container_system_failed(rc) ? av_fail(why, path, rc) : rc < 0;
}

// In the order of decoding. What is shown before the first picture needs others before it, and is left out; what is
// shown before the last one may need that one, and is taken. 1 when the container refuses.
static int copy_packets(struct copying *c, const struct window *w, const char *path, const char *recording,
                        struct fail *why)
{
    bool begun = w->from == INT64_MIN, last = false;
    int rc = 0, put = 0;
    errno = 0;
    while (put >= 0 && (rc = next_packet(c, recording, why)) > 0) {
        int64_t pts = c->packet->pts;
        bool key = (c->packet->flags & AV_PKT_FLAG_KEY) != 0;
        if (last && pts > w->to)
            break;
        begun |= key && pts == w->from;
        last |= begun && key && pts == w->to;
        if (begun && (w->from == INT64_MIN || pts >= w->from)) {
            av_packet_rescale_ts(c->packet, c->from->time_base, c->to->time_base);
            c->packet->stream_index = 0;
            c->packet->pos = -1;
            put = av_interleaved_write_frame(c->out, c->packet);
            put = put >= 0 && c->out->pb->error < 0 ? c->out->pb->error : put;
        }
    }
    if (put >= 0 && rc < 0)
        return rc;
    if (put >= 0)
        put = container_result(av_write_trailer(c->out));
    int closed = avio_closep(&c->out->pb); // a full disk may show only here
    put = put < 0 ? put : closed;
    if (container_system_failed(put))
        return av_fail(why, path, put);
    return put < 0;
}

// 0 when the copy shows every frame of that part of the recording and nothing else; 1 when not; RS_E....
static int compare(struct source_info *of, const char *recording, const char *path, const struct window *w,
                   struct fail *why)
{
    struct source *whole = NULL, *copy = NULL;
    struct frame *a = NULL, *b = NULL;
    int rc = footage_open(&whole, recording, why), of_copy = 0;
    of_copy = rc == 0 ? footage_open(&copy, path, why) : 0;
    bool same = rc == 0 && of_copy == 0;
    while (same && (rc = source_next(&a, whole, why)) > 0 && a->t_s < w->from_s - SAME_TIME_S)
        frame_free(a);
    while (rc >= 0 && same && (of_copy = source_next(&b, copy, why)) > 0) {
        same = rc > 0 && a->width == b->width && a->height == b->height &&
               fabs(a->t_s - w->from_s - b->t_s) < SAME_TIME_S &&
               memcmp(a->bgr, b->bgr, (size_t)a->width * (size_t)a->height * 3) == 0;
        frame_free(a);
        frame_free(b);
        rc = source_next(&a, whole, why);
    }
    bool ended = rc == 0 || (rc > 0 && a->t_s > w->to_s + SAME_TIME_S);
    frame_free(a);
    if (whole)
        *of = *source_info(whole);
    source_close(whole);
    source_close(copy);
    if (of_copy < 0 && of_copy != RS_EINPUT) // nothing against the container
        return of_copy;
    return rc < 0 ? rc : !(same && of_copy == 0 && ended);
}

int remux_make(struct remux *c, const char *folder, const char *recording, struct fail *why)
{
    char path[4096];
    struct window w;
    int rc = find_window(&w, c, recording, why);
    for (size_t i = 0; rc >= 0 && i < countof(containers); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, containers[i].name);
        struct copying copying = { .in = NULL };
        rc = open_recording(&copying, recording, why);
        if (rc == 0)
            rc = open_copy(&copying, containers[i].format, path, why);
        if (rc == 0)
            rc = copy_packets(&copying, &w, path, recording, why);
        copying_finish(&copying);
        if (rc == 0)
            rc = compare(&c->recording, recording, path, &w, why);
        if (rc == 0) {
            snprintf(c->name, sizeof c->name, "%s", containers[i].name);
            c->from_s = w.from_s;
            c->to_s = w.to_s;
            return 0;
        }
        unlink(path);
    }
    return rc < 0 ? rc
                  : rs_fail(why, RS_EINPUT,
                            "%s: its pictures cannot be copied into another file exactly; hand in the recording itself",
                            recording);
}
