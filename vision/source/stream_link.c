// SPDX-License-Identifier: MIT
#include "vision/source/stream_link.h"

#include <errno.h>
#include <math.h>
#include <netdb.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <libavformat/avformat.h>

#include "calibration/clock.h"
#include "calibration/interrupt.h"
#include "calibration/units.h"
#include "vision/source/container.h"

// What is done when it goes wrong.
static const struct {
    double connect_s;      // until it is connected, and says what it sends
    double silence_s;      // without a whole picture: it is given up
    double pause_s;        // before it is tried again, twice as long each time,
    double longest_s;      // up to this
    double close_s;        // that a close waits for the thread
    int64_t picture_bytes; // no picture has more: 16384 x 16384 pixels in a good JPEG
    int alone_most;        // JPEGs that wait; older ones are dropped
} patience = { 10, 5, 0.5, 8, 2, 1 << 27, 8 };

struct stream_link {
    char *address;
    AVFormatContext *in;  // of the thread; what it is at now must be through
    double until_s;       // by then,
    int64_t from_byte;    // and before so many bytes more
    bool reads;           // pictures; while it opens or closes, what is asked here may be half gone
    bool stopped;         // of the thread: it saw the stop
    pthread_mutex_t lock; // guards what follows
    pthread_cond_t changed;
    // Oldest first. Of pictures made from others two seconds, for after a loss none is to be believed up to the next
    // one that stands alone, which may be long.
    struct link_packet queue[64];
    int count;
    long dropped; // since the last one in the queue
    bool to_key;  // nothing is queued up to a picture that needs none before it
    bool broken;  // and nothing came since; why:
    struct fail words;
    bool stop, done;
    int holders; // the thread, and whoever opened it
};

void link_packet_finish(struct link_packet *p)
{
    av_packet_free(&p->packet);
    avcodec_parameters_free(&p->begun);
}

static void release(struct stream_link *l)
{
    pthread_mutex_lock(&l->lock);
    bool last = --l->holders == 0;
    pthread_mutex_unlock(&l->lock);
    if (!last)
        return;
    for (int i = 0; i < l->count; i++)
        link_packet_finish(&l->queue[i]);
    pthread_cond_destroy(&l->changed);
    pthread_mutex_destroy(&l->lock);
    free(l->address);
    free(l);
}

// FFmpeg asks this while it waits: 1 ends it.
static int must_end(void *self)
{
    struct stream_link *l = self;
    pthread_mutex_lock(&l->lock);
    l->stopped |= l->stop || interrupt_signal() != 0;
    pthread_mutex_unlock(&l->lock);
    bool much = l->reads && l->in->pb && avio_tell(l->in->pb) > l->from_byte + patience.picture_bytes;
    return l->stopped || much || clock_s() > l->until_s;
}

// Whether what a password has in it may have ended the name of the machine: anna:12/x@host.
static bool login_may_be_cut(const char *address)
{
    const char *login = strstr(address, "://") + strlen("://"), *end = login + strcspn(login, "/?#");
    return !memchr(login, '@', (size_t)(end - login)) && strchr(end, '@');
}

// Why nothing is at the address; NULL: something may be. FFmpeg says the same of a name that leads to no machine and of
// a connection that ends, of a port that is none and of a stream of another kind.
static const char *leads_nowhere(const char *address)
{
    char host[256];
    int port;
    struct addrinfo *found = NULL;
    av_url_split(NULL, 0, NULL, 0, host, sizeof host, &port, NULL, 0, address);
    if (port > UINT16_MAX)
        return "no port has a number above 65535";
    if (getaddrinfo(host, NULL, NULL, &found) != 0 && login_may_be_cut(address))
        return "no machine of that name is found: check how it is written; where / ? # @ stand in a password, write "
               "%2F %3F %23 %40 there";
    if (!found)
        return "no machine of that name is found: check how it is written, and that this computer is in its network";
    freeaddrinfo(found);
    return NULL;
}

// What a person can do about it. `any`: there were pictures before, `ever`: also of an earlier connection. The address
// is right then, and to look for its machine once more could wait as long as the connection did.
static void explain(struct fail *words, const char *address, int code, bool any, bool ever)
{
    bool ended = code == AVERROR_EOF || code == AVERROR(EIO);
    const char *nowhere = !ever && (code == AVERROR(EIO) || code == AVERROR(EINVAL)) ? leads_nowhere(address) : NULL;
    if (nowhere)
        rs_fail(words, RS_EIO, "%s", nowhere);
    else if (code == AVERROR_HTTP_UNAUTHORIZED || code == AVERROR_HTTP_FORBIDDEN)
        rs_fail(words, RS_EIO, "it wants another user name or password (http://USER:PASSWORD@...)");
    else if (code == AVERROR_HTTP_NOT_FOUND)
        rs_fail(words, RS_EIO, "it has no stream at that address; its manual or app names the path behind the host");
    else if (!any && ever && code == AVERROR(EIO)) // FFmpeg's word for both
        rs_fail(words, RS_EIO, "it is not found in the network, or ended the connection without a picture");
    else if (!any && (ended || code == AVERROR_INVALIDDATA || code == AVERROR(EINVAL)))
        rs_fail(words, RS_EIO, "what it sends is no stream of pictures (MJPEG, or H.264 over RTSP or MPEG-TS)");
    else if (code == AVERROR_INVALIDDATA)
        rs_fail(words, RS_EIO, "something else came between its pictures");
    else if (ended || code == AVERROR(ECONNRESET) || code == AVERROR(EPIPE))
        rs_fail(words, RS_EIO, "it ended the connection");
    else if (code == AVERROR(ECONNREFUSED))
        rs_fail(words, RS_EIO, "nobody answers at that port: is its app started, and is that the port which it shows?");
    else if (code == AVERROR(ETIMEDOUT) || code == AVERROR(EHOSTUNREACH) || code == AVERROR(ENETUNREACH))
        rs_fail(words, RS_EIO, "no way leads there: is it switched on, and this computer in its network?");
    else if (code == AVERROR_EXIT && !any && !ever)
        rs_fail(words, RS_EIO, "it does not answer, or sends nothing: is it switched on, and its app started?");
    else if (code == AVERROR_EXIT)
        rs_fail(words, RS_EIO, "it sends nothing, or no end of a picture");
    else if (code == AVERROR_DECODER_NOT_FOUND)
        rs_fail(words, RS_EIO, "there is no picture in what it sends, or of a kind that is not read");
    else
        rs_fail(words, container_code(code, RS_EIO), "%s", av_err2str(code));
}

// A packet more, which is taken over. What the connection began with, and what is missing, goes on to the next one.
static void enqueue(struct stream_link *l, struct link_packet *p, bool alone)
{
    pthread_mutex_lock(&l->lock);
    bool key = (p->packet->flags & AV_PKT_FLAG_KEY) != 0,
         full = l->count >= (alone ? patience.alone_most : (int)countof(l->queue));
    while (full && l->count > (alone ? patience.alone_most - 1 : 0)) {
        struct link_packet oldest = l->queue[0];
        memmove(&l->queue[0], &l->queue[1], (size_t)--l->count * sizeof l->queue[0]);
        struct link_packet *next = l->count > 0 ? &l->queue[0] : p;
        next->dropped += oldest.dropped + 1;
        if (!next->begun) {
            next->begun = oldest.begun;
            oldest.begun = NULL;
        }
        link_packet_finish(&oldest);
    }
    l->to_key = (l->to_key || (full && !alone)) && !key && !p->begun;
    p->dropped += l->dropped;
    l->dropped = l->to_key ? p->dropped + 1 : 0;
    if (l->to_key)
        link_packet_finish(p);
    else
        l->queue[l->count++] = *p;
    l->broken = false;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
}

// The first video, of a kind that is read.
static AVStream *find_pictures(AVFormatContext *in)
{
    static const enum AVCodecID read[] = { AV_CODEC_ID_MJPEG, AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MPEG4 };
    AVStream *found = NULL;
    for (unsigned i = 0; i < in->nb_streams; i++) {
        bool known = false;
        for (size_t k = 0; k < countof(read); k++)
            known |= in->streams[i]->codecpar->codec_id == read[k];
        if (!found && known)
            found = in->streams[i];
        else
            in->streams[i]->discard = AVDISCARD_ALL;
    }
    return found;
}

// From connecting to the first failure, whose code is given; *any: there was a picture.
static int read_connection(struct stream_link *l, bool *any)
{
    AVDictionary *options = NULL;
    AVPacket *packet = av_packet_alloc();
    AVStream *stream = NULL;
    l->until_s = clock_s() + patience.connect_s;
    l->from_byte = 0;
    l->in = avformat_alloc_context();
    int rc = l->in && packet ? 0 : AVERROR(ENOMEM);
    if (rc == 0) {
        l->in->interrupt_callback = (AVIOInterruptCB){ must_end, l };
        l->in->flags |= AVFMT_FLAG_NOBUFFER; // what was read to learn what it is does not wait for more
        l->in->max_delay = 0;
        av_dict_set(&options, "protocol_whitelist", "rtsp,rtp,udp,tcp,tls,http,https", 0);
        av_dict_set(&options, "format_whitelist", "mpjpeg,mjpeg,mpegts,rtsp", 0);
        av_dict_set(&options, "rtsp_flags", "prefer_tcp", 0); // nothing is lost on the way
        av_dict_set(&options, "icy", "0", 0);
        rc = avformat_open_input(&l->in, l->address, NULL, &options);
        av_dict_free(&options);
    }
    if (rc >= 0 && !(stream = find_pictures(l->in)))
        rc = AVERROR_DECODER_NOT_FOUND;
    bool alone = stream && stream->codecpar->codec_id == AV_CODEC_ID_MJPEG;
    bool timed = stream && (!strcmp(l->in->iformat->name, "rtsp") || !strcmp(l->in->iformat->name, "mpegts"));
    while (rc >= 0) {
        l->until_s = clock_s() + patience.silence_s;
        l->from_byte = l->in->pb ? avio_tell(l->in->pb) : 0;
        l->reads = true;
        rc = av_read_frame(l->in, packet);
        l->reads = false;
        if (rc < 0 || packet->stream_index != stream->index) {
            av_packet_unref(packet);
            continue;
        }
        struct link_packet p = { .packet = av_packet_alloc(), .time_base = stream->time_base, .timed = timed };
        p.arrived_s = clock_booted_s();
        if (!*any && (p.begun = avcodec_parameters_alloc()))
            rc = avcodec_parameters_copy(p.begun, stream->codecpar);
        if (!p.packet || (!*any && !p.begun) || rc < 0) {
            link_packet_finish(&p);
            rc = AVERROR(ENOMEM);
            break;
        }
        av_packet_move_ref(p.packet, packet);
        enqueue(l, &p, alone);
        *any = true;
    }
    av_packet_free(&packet);
    avformat_close_input(&l->in);
    return rc;
}

static void *keep_connected(void *arg)
{
    struct stream_link *l = arg;
    double pause_s = patience.pause_s;
    bool ever = false;
    while (!l->stopped) {
        struct fail words;
        bool any = false;
        int rc = read_connection(l, &any);
        ever |= any;
        explain(&words, l->address, rc, any, ever);
        pause_s = any ? patience.pause_s : fmin(2 * pause_s, patience.longest_s);
        struct timespec until = clock_time(clock_s() + pause_s);
        pthread_mutex_lock(&l->lock);
        l->broken = true;
        l->words = words;
        pthread_cond_broadcast(&l->changed);
        while (!l->stop && pthread_cond_timedwait(&l->changed, &l->lock, &until) != ETIMEDOUT)
            continue;
        l->stopped |= l->stop || interrupt_signal() != 0;
        pthread_mutex_unlock(&l->lock);
    }
    pthread_mutex_lock(&l->lock);
    l->done = true;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
    release(l);
    return NULL;
}

int stream_link_open(struct stream_link **out, const char *address, struct fail *why)
{
    pthread_attr_t detached;
    pthread_t thread;
    struct stream_link *l = calloc(1, sizeof *l);
    if (!l || !(l->address = strdup(address))) {
        free(l);
        return rs_fail(why, RS_ENOMEM, "no memory for a connection");
    }
    l->holders = 2;
    pthread_mutex_init(&l->lock, NULL);
    clock_cond_init(&l->changed);
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    int rc = pthread_create(&thread, &detached, keep_connected, l);
    pthread_attr_destroy(&detached);
    if (rc != 0) {
        l->holders = 1;
        release(l);
        return rs_fail(why, RS_ELIB, "cannot start a thread for the connection: %s", strerror(rc));
    }
    *out = l;
    return 0;
}

bool stream_link_take(struct link_packet *out, struct stream_link *l, double wait_s, bool *broken, struct fail *words)
{
    struct timespec until = clock_time(clock_s() + wait_s);
    pthread_mutex_lock(&l->lock);
    while (l->count == 0 && pthread_cond_timedwait(&l->changed, &l->lock, &until) != ETIMEDOUT)
        continue;
    bool any = l->count > 0;
    if (any) {
        *out = l->queue[0];
        memmove(&l->queue[0], &l->queue[1], (size_t)--l->count * sizeof l->queue[0]);
    }
    *broken = l->broken;
    *words = l->words;
    pthread_mutex_unlock(&l->lock);
    return any;
}

void stream_link_close(struct stream_link *l)
{
    if (!l)
        return;
    struct timespec until = clock_time(clock_s() + patience.close_s);
    pthread_mutex_lock(&l->lock);
    l->stop = true;
    pthread_cond_broadcast(&l->changed);
    while (!l->done && pthread_cond_timedwait(&l->changed, &l->lock, &until) != ETIMEDOUT)
        continue;
    pthread_mutex_unlock(&l->lock);
    release(l);
}
