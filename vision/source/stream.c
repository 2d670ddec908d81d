// SPDX-License-Identifier: MIT
#include "vision/source/source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "calibration/clock.h"
#include "calibration/foreign.h"
#include "calibration/interrupt.h"
#include "calibration/observation.h"
#include "calibration/units.h"
#include "vision/source/codec.h"
#include "vision/source/jpeg.h"
#include "vision/source/packets.h"
#include "vision/source/stream_link.h"
#include "vision/source/timestamps.h"
#include "vision/source/to_bgr.h"
#include "vision/source/unpack.h"

struct stream {
    struct source base;
    struct stream_link *link;
    AVRational time_base;

    // MJPEG: each picture alone.
    bool jpegs;
    struct unpacker *unpacker;
    struct jpeg *jpeg;    // for the size of the first one
    struct encoded *last; // the last one given out: what is the same to the last byte is a frozen one
    bool frozen;          // such came since

    // Other kinds: decoded one from another.
    AVCodecContext *codec;
    AVFrame *decoded;
    struct to_bgr *to_bgr;
    struct codec_errors errors;
    struct packets packets;
    bool doubtful; // something was damaged or dropped, and no picture that needs none before it came since

    struct fail refused;          // why the latest one since the last picture is none
    bool resized;                 // because it has another size
    double heard_s;               // CLOCK_MONOTONIC: when the last picture came,
    double first_s;               // and the first one
    bool anchored;                // the connection brought a picture:
    double base_s;                // its time, and
    struct timestamps timestamps; // when the others were, counted from it
    struct timestamp at;          // the one that is made into a frame now
    double last_s;                // time of the last frame
    double sound_s;               // of the last one that was to be believed
    bool unseen;                  // something was lost since then
    long number;
};

bool stream_is_address(const char *name)
{
    static const char *const spoken[] = { "rtsp://", "http://", "https://" };
    for (size_t i = 0; i < countof(spoken); i++)
        if (strncasecmp(name, spoken[i], strlen(spoken[i])) == 0)
            return true;
    return false;
}

// Behind who logs in: the last '@' before path and query. With a '/', '?' or '#' in the password that ends too early,
// at what may be no port.
static const char *find_host(const char *login)
{
    const char *end = login + strcspn(login, "/?#"), *host = login;
    for (const char *c = login; c < end; c++)
        host = *c == '@' ? c + 1 : host;
    const char *port = host + strcspn(host, *host == '[' ? "]/?#" : ":/?#");
    port += *port == ']';
    bool whole = port >= end || (port + 1 < end && port + 1 + strspn(port + 1, "0123456789") == end);
    const char *last = strrchr(host, '@');
    return whole || !last ? host : last + 1;
}

// What begins as an address of IPv4 or IPv6 does: digits with a dot among them up to the host's end, or a bracket. Hardly
// anybody who logs in is called so.
static bool is_numeric(const char *host)
{
    size_t length = strspn(host, "0123456789.");
    return *host == '[' || (memchr(host, '.', length) && strchr(":/?#", host[length]));
}

// What may be shown of an address: who logs in stands before its host, passwords also behind a '=' or '?'. Where an '@'
// follows, what looks like port and path may be a password: anna:12/x@host. Behind the last '@' is a machine or a path's
// end, which tells two cameras of one machine apart.
static void name_stream(struct source *s, const char *address)
{
    const char *login = strstr(address, "://") + strlen("://"), *host = find_host(login);
    int scheme = (int)(login - address);
    bool sure = is_numeric(host) || !strchr(host, '@');
    int shown = (int)strcspn(host, "?#&=;@");
    while (host[shown] && shown > 0 && host[shown - 1] != '/') // the name of what is not shown
        shown--;
    int machine = (int)strcspn(host, sure ? "/?#&=;" : ":/?#&=;@");
    shown = sure && shown > machine ? shown : machine;
    snprintf(s->info.name, sizeof s->info.name, "%.*s%.*s", scheme, address, shown, host);
    snprintf(s->info.card, sizeof s->info.card, "%.*s", machine, host);
    const char *last = strrchr(host, '@'), *told = last && last < host + strcspn(host, "?#&=;") ? last : "";
    snprintf(s->info.bus, sizeof s->info.bus, "net%.*s%.*s", shown - machine, host + machine,
             (int)strcspn(told, "?#&=;"), told);
    foreign_make_plain(s->info.name);
    foreign_make_plain(s->info.card);
    foreign_make_plain(s->info.bus);
}

static void stream_close(struct source *base)
{
    struct stream *s = (struct stream *)base;
    stream_link_close(s->link);
    unpacker_free(s->unpacker);
    jpeg_free(s->jpeg);
    encoded_release(s->last);
    av_frame_free(&s->decoded);
    avcodec_free_context(&s->codec);
    to_bgr_free(s->to_bgr);
}

// A connection begins; of what it sent before nothing is used.
static int begin(struct stream *s, const struct link_packet *p, struct fail *why)
{
    s->time_base = p->time_base;
    s->anchored = false;
    s->jpegs = p->begun->codec_id == AV_CODEC_ID_MJPEG;
    avcodec_free_context(&s->codec);
    if (s->jpegs)
        return 0;
    // Low delay is not asked for: it gives pictures out of order where some are made of later ones, and where none are
    // there is no delay.
    int rc = codec_open(
        &s->codec,
        &(struct codec_wish){
            .of = p->begun, .time_base = p->time_base, .threads = 1, .errors = &s->errors, .name = s->base.info.name },
        why);
    if (rc < 0)
        return rc;
    packets_begin(&s->packets, p->begun);
    s->doubtful = true; // until a whole picture
    return 0;
}

// When it was: as the camera says, counted from when its connection brought the first one, or else when it came.
static struct timestamp date(struct stream *s, const struct link_packet *p, int64_t stamp)
{
    if (s->number == 0)
        s->first_s = p->arrived_s;
    double came_s = p->arrived_s - s->first_s;
    if (!s->anchored) {
        timestamps_begin(&s->timestamps, 0, false);
        s->base_s = fmax(came_s, s->last_s);
        s->anchored = true;
    }
    struct timestamp at = { .t_s = came_s, .lost_s = came_s > s->last_s + DAMAGE_HIDES_S ? came_s - s->last_s : 0 };
    if (p->timed && stamp != AV_NOPTS_VALUE) {
        at = timestamps_take(&s->timestamps, (double)stamp * av_q2d(s->time_base));
        at.t_s += s->base_s;
    }
    at.t_s = fmax(at.t_s, s->last_s);
    return at;
}

// A JPEG into a frame that holds it; 1 when it is the last one once more: no sensor is without noise. RS_EINPUT when it
// is damaged or of another size than the first one.
static int take_jpeg(struct frame **out, struct stream *s, const struct link_packet *p, struct fail *why)
{
    struct source_info *info = &s->base.info;
    const AVPacket *packet = p->packet;
    struct encoded *e = NULL;
    struct frame *first = NULL;
    int rc = 0;
    if (encoded_is(s->last, packet->data, (size_t)packet->size)) {
        s->frozen = true;
        return 1;
    }
    if (info->width == 0 && (rc = jpeg_decode(&first, s->jpeg, packet->data, (size_t)packet->size, why)) == 0) {
        info->width = first->width;
        info->height = first->height;
    }
    frame_free(first);
    if (rc < 0)
        return rc;
    rc = encoded_create(&e, (size_t)packet->size, why);
    if (rc < 0)
        return rc;
    e->encoding = ENCODED_JPEG;
    e->width = info->width;
    e->height = info->height;
    s->at = date(s, p, packet->pts);
    e->t_s = s->at.t_s;
    memcpy(e->bytes, packet->data, (size_t)packet->size);
    rc = unpack(out, s->unpacker, e, why);
    if (rc == 0) {
        encoded_release(s->last);
        s->last = encoded_hold(e);
    }
    encoded_release(e);
    return rc;
}

// 0 with the next decoded picture; 1 when the decoder wants more.
static int take_decoded(struct frame **out, struct stream *s, const struct link_packet *p, struct fail *why)
{
    struct source_info *info = &s->base.info;
    int rc = codec_receive(s->decoded, s->codec);
    bool bad = rc == 0 && (s->decoded->decode_error_flags != 0 || (s->decoded->flags & AV_FRAME_FLAG_CORRUPT));
    if (rc == AVERROR(EAGAIN) || rc == AVERROR_EOF)
        return 1;
    if (rc == AVERROR(ENOMEM))
        return rs_fail(why, RS_ENOMEM, "no memory to decode it");
    bool erred = codec_errors_taken(&s->errors);
    if (rc == 0 && !bad && !erred && s->decoded->key_frame && s->decoded->pict_type == AV_PICTURE_TYPE_I)
        s->doubtful = false;
    s->doubtful |= rc < 0 || bad || erred;
    if (rc < 0 || bad)
        return rs_fail(why, RS_EINPUT, "the picture is damaged");
    if (info->width == 0) {
        info->width = s->decoded->width;
        info->height = s->decoded->height;
    }
    if (s->decoded->width != info->width || s->decoded->height != info->height)
        return rs_fail(why, RS_EINPUT, "the picture has another size than agreed");
    rc = frame_create(out, info->width, info->height, why);
    if (rc == 0)
        rc = to_bgr_convert(*out, s->to_bgr, s->decoded, why);
    if (rc == 0) {
        s->at = date(s, p, s->decoded->best_effort_timestamp);
        (*out)->t_s = s->at.t_s;
        (*out)->from_camera = true;
        (*out)->doubtful = s->doubtful;
    } else {
        frame_free(*out);
        *out = NULL;
    }
    return rc;
}

// Of what was just refused; false also when nobody can tell.
static bool has_another_size(const struct stream *s, const AVPacket *packet)
{
    int width = s->decoded->width, height = s->decoded->height;
    if (s->jpegs && jpeg_size(&width, &height, s->jpeg, packet->data, (size_t)packet->size, NULL) < 0)
        return false;
    return width > 0 && (width != s->base.info.width || height != s->base.info.height);
}

// What one packet brings: SOURCE_FRAME, SOURCE_WAITS when nothing, RS_E...
static int take(struct frame **out, struct stream *s, struct link_packet *p, struct fail *why)
{
    struct source_info *info = &s->base.info;
    struct fail damage;
    int rc = p->begun ? begin(s, p, why) : 0;
    if (rc < 0)
        return rc;
    s->unseen |= p->dropped > 0 || (p->begun && s->number > 0);
    info->dropped += p->dropped;
    if (s->jpegs) {
        rc = take_jpeg(out, s, p, &damage);
    } else {
        s->doubtful |= p->dropped > 0 || packets_damaged(&s->packets, p->packet);
        int refused = codec_send(s->codec, p->packet, info->name, why);
        if (refused < 0)
            return refused;
        s->doubtful |= codec_errors_taken(&s->errors) || refused;
        rc = take_decoded(out, s, p, &damage);
    }
    if (rc == RS_ENOMEM || rc == RS_ELIB)
        return rs_fail(why, rc, "%s: %s", info->name, damage.text);
    if (rc < 0) {
        s->refused = damage;
        s->resized = has_another_size(s, p->packet);
    }
    if (rc != 0) {
        info->dropped += rc < 0;
        s->unseen |= rc < 0;
        return SOURCE_WAITS;
    }
    struct frame *f = *out;
    f->number = s->number++;
    f->doubtful |= s->at.faulty;
    s->unseen |= f->doubtful || s->at.lost_s > 0 || (s->frozen && f->t_s - s->last_s > FRAMES_BRIDGED_S);
    s->frozen = false;
    s->refused.text[0] = '\0';
    info->doubtful += f->doubtful;
    info->dropped += p->dropped == 0 ? s->at.missing : 0;
    if (!f->doubtful) {
        f->lost_s = s->unseen ? fmax(f->t_s - s->sound_s, s->at.lost_s) : 0;
        info->lost_s += f->lost_s;
        s->sound_s = f->t_s;
        s->unseen = false;
    }
    s->last_s = f->t_s;
    return SOURCE_FRAME;
}

static void tell_no_picture(const struct stream *s, struct fail *why)
{
    const struct source_info *info = &s->base.info;
    if (s->frozen)
        rs_fail(why, 0,
                "%s: the picture is frozen, or its lens covered; if it stays so, switch the camera off and on again",
                info->name);
    else if (s->refused.text[0] && s->number > 0 && s->resized) // a telephone that was turned
        rs_fail(why, 0, "%s: no picture that can be shown comes: %s; %d x %d is waited for", info->name,
                s->refused.text, info->width, info->height);
    else if (s->refused.text[0] && s->number > 0)
        rs_fail(why, 0, "%s: no picture that can be shown comes: %s", info->name, s->refused.text);
    else
        rs_fail(why, 0, "%s: no picture that can be shown comes, though the connection stands", info->name);
}

static int stream_next(struct frame **out, struct source *base, struct fail *why)
{
    static const double TURN_S = 0.4, // a close, or a signal, waits no longer for us
        STALLED_S = 1.5;              // without a picture: reported before two seconds are over
    struct stream *s = (struct stream *)base;
    const char *name = s->base.info.name;
    while (interrupt_check(why) == 0) {
        struct link_packet p = { .packet = NULL };
        struct fail words;
        bool broken;
        if (stream_link_take(&p, s->link, TURN_S, &broken, &words)) {
            int rc = take(out, s, &p, why);
            link_packet_finish(&p);
            if (rc == SOURCE_FRAME)
                s->heard_s = clock_s();
            if (rc != SOURCE_WAITS)
                return rc;
        } else if (broken) {
            rs_fail(why, words.code, "%s: %s%s", name, words.text,
                    s->number > 0 ? "; it is tried again and again" : "");
            return words.code == RS_ENOMEM ? RS_ENOMEM : SOURCE_WAITS;
        }
        if (clock_s() > s->heard_s + STALLED_S) {
            tell_no_picture(s, why);
            return SOURCE_WAITS;
        }
    }
    return RS_EENDED;
}

static const struct source_kind stream_kind = { .next = stream_next, .close = stream_close };

int stream_open(struct source **out, const char *address, struct fail *why)
{
    static const double PATIENCE_S = 15; // to be reached, and to begin with a whole picture
    struct stream *s = calloc(1, sizeof *s);
    if (!s)
        return rs_fail(why, RS_ENOMEM, "no memory for a stream");
    s->base.kind = &stream_kind;
    name_stream(&s->base, address);
    codec_errors_listen();
    int rc = unpacker_create(&s->unpacker, why);
    if (rc == 0)
        rc = jpeg_create(&s->jpeg, why);
    if (rc == 0)
        rc = to_bgr_create(&s->to_bgr, why);
    if (rc == 0 && !(s->decoded = av_frame_alloc()))
        rc = rs_fail(why, RS_ENOMEM, "no memory for a stream");
    if (rc == 0)
        rc = stream_link_open(&s->link, address, why);
    double begun_s = s->heard_s = clock_s();
    // The first failure is reported, for the address may be wrong; after later ones it connects again.
    if (rc == 0)
        do
            rc = stream_next(&s->base.first, &s->base, why);
        while (rc == SOURCE_WAITS && why->code == 0 && clock_s() < begun_s + PATIENCE_S);
    if (rc == SOURCE_WAITS)
        rc = why->code < 0 ? why->code : rs_fail(why, RS_EIO, "%s: no picture for %g s", s->base.info.name, PATIENCE_S);
    return source_opened(out, &s->base, rc);
}
