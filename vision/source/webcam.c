// SPDX-License-Identifier: MIT
// A camera that once gave a picture is never given up: while none comes its source waits, says why, mends what it can.
#include "vision/source/source.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vision/source/camera_clock.h"
#include "vision/source/camera_controls.h"
#include "vision/source/camera_stream.h"
#include "vision/source/unpack.h"

static const struct patience {
    double first_s;  // a slow camera sends its first picture after 2 to 3 s
    double turn_s;   // at most so long until whoever reads is told that nothing came; half a second is promised
    double said_s;   // without a picture: what is wrong is said, within 2 s of its beginning
    double remedy_s; // without a picture: the stream is begun anew, and so long after that the camera is opened anew
    double pause_s;  // after a call that failed, before the next
} patience = { 5, 0.35, 1.5, 4, 0.05 };

// Why no picture is given out; those from TROUBLE_GONE on are said at once.
enum trouble {
    TROUBLE_SILENT,
    TROUBLE_EMPTY,
    TROUBLE_DAMAGED,
    TROUBLE_FROZEN,
    TROUBLE_GONE,
    TROUBLE_BUSY,
    TROUBLE_CHANGED,
    TROUBLE_NO_ROOM,
};

enum webcam_notices { NOTICES_MAX = 4 };

struct webcam {
    struct source base;
    const struct camera_system *sys;
    struct camera_node node; // the camera, wherever it was seen last
    struct camera_stream stream;
    struct camera_mode mode;  // as agreed when it was opened, and again each time
    struct camera_mode sends; // the same, or what a narrower plug has room for
    struct camera_controls controls;
    struct camera_clock clock;
    struct unpacker *unpacker;
    struct encoded *last; // the last picture given out: what is the same to the last byte is a frozen one
    long number;          // of pictures given out
    long withheld;        // pictures since the last one that was given out
    double good_s;        // when that was, by the system's clock
    double remedied_s;    // when something was last tried
    bool reopen;          // the next remedy is to open it anew
    enum trouble trouble;
    struct fail no_room;  // TROUBLE_NO_ROOM: in words
    pthread_mutex_t lock; // guards what follows, which other threads ask for
    bool hold_wanted;
    struct fail notice[NOTICES_MAX]; // the oldest first
    int notices;
};

static double now_s(const struct webcam *w)
{
    return w->sys->awake_s(w->sys->self);
}

static void pause_s(const struct webcam *w, double s)
{
    w->sys->poll(w->sys->self, -1, (int)lround(1e3 * s));
}

static void notify(struct webcam *w, const char *words)
{
    pthread_mutex_lock(&w->lock);
    if (w->notices == NOTICES_MAX) // nobody listens: the last one counts
        memmove(&w->notice[0], &w->notice[1], (size_t)(--w->notices) * sizeof w->notice[0]);
    rs_fail(&w->notice[w->notices++], 0, "%s", words);
    pthread_mutex_unlock(&w->lock);
}

// The best mode that the camera then really gives; a driver may offer what the USB plug has no room for.
static int begin(struct webcam *w, const char *named, const struct camera_wish *wish, struct fail *why)
{
    struct camera_modes modes = { .count = 0 };
    struct source_info *info = &w->base.info;
    struct fail refused = { .text = "" }; // why the best one does not do
    int error = 0;
    int rc = camera_node_find(&w->node, w->sys, named, why);
    if (rc == 0)
        rc = camera_stream_open(&w->stream, w->sys, w->node.path, why);
    if (rc == 0)
        rc = camera_modes_read(&modes, w->stream.camera, w->node.type, wish, why);
    for (int i = 0; i < modes.count; i++) {
        rc = camera_stream_agree(&w->stream, &modes.mode[i], &error, why);
        if (rc == 0)
            rc = camera_stream_start(&w->stream, &error, why);
        if (rc == 0 || error == EBUSY || error == ENODEV)
            break;
        refused = i == 0 ? *why : refused;
    }
    if (rc == 0 && refused.text[0])
        notify(w, refused.text);
    if (rc == 0) {
        w->mode = w->sends = w->stream.mode;
        source_set_name(&w->base, w->node.card);
        snprintf(info->card, sizeof info->card, "%.31s", w->node.card);
        snprintf(info->bus, sizeof info->bus, "%.31s", w->node.bus);
        snprintf(info->node, sizeof info->node, "%s", w->node.path);
        info->width = w->mode.width;
        info->height = w->mode.height;
        info->frames_per_s = w->mode.frames_per_s;
        info->mode_unwished = camera_mode_tell(info->mode, sizeof info->mode, &w->mode, &modes, wish);
        rc = camera_controls_read(&w->controls, w->stream.camera, why);
    }
    for (int i = 0; i < wish->controls && rc == 0; i++)
        rc = camera_controls_set(&w->controls, w->stream.camera, wish->control[i], why);
    if (rc == 0)
        camera_controls_keep_rate(&w->controls, w->stream.camera);
    camera_modes_finish(&modes);
    return rc;
}

static bool start_as(struct webcam *w, const struct camera_mode *mode, int *error, struct fail *why)
{
    int rc = camera_stream_agree(&w->stream, mode, error, why);
    return rc == 0 && w->stream.mode.width == w->mode.width && w->stream.mode.height == w->mode.height &&
           camera_stream_start(&w->stream, error, why) == 0;
}

// The best mode of the same size that the USB plug has room for.
static bool start_narrower(struct webcam *w, int *error)
{
    struct camera_modes modes = { .count = 0 };
    const struct camera_wish wish = { .width = w->mode.width, .height = w->mode.height };
    struct fail mute;
    bool started = false;
    camera_modes_read(&modes, w->stream.camera, w->stream.node.type, &wish, &mute);
    for (int i = 0; i < modes.count && !started && *error == ENOSPC; i++) {
        const struct camera_mode *m = &modes.mode[i];
        if (m->width != wish.width || m->height != wish.height)
            break; // those are first
        started = start_as(w, m, error, &mute);
    }
    camera_modes_finish(&modes);
    return started;
}

// What it sends from now on, where that changes.
static void note_mode(struct webcam *w)
{
    struct source_info *info = &w->base.info;
    char wished[80], sends[80], words[250];
    camera_mode_words(wished, sizeof wished, &w->mode);
    camera_mode_words(sends, sizeof sends, &w->stream.mode);
    bool narrower = strcmp(sends, wished) != 0;
    w->sends = w->stream.mode;
    snprintf(info->mode, sizeof info->mode, "%s", sends);
    info->frames_per_s = w->sends.frames_per_s;
    info->mode_unwished = narrower;
    if (narrower) {
        snprintf(words, sizeof words, "this USB plug has no room for %s; %s is taken", wished, sends);
        notify(w, words);
    }
}

// In an open camera the agreed mode, begun. Where that fails it is closed, and looked for later.
static bool start_again(struct webcam *w)
{
    struct fail why;
    int error = 0;
    camera_stream_stop(&w->stream);
    bool started = start_as(w, &w->mode, &error, &why);
    if (error == ENOSPC) {
        w->no_room = why;
        started = start_narrower(w, &error);
    }
    if (!started) {
        w->trouble = error == EBUSY    ? TROUBLE_BUSY
                     : error == ENODEV ? TROUBLE_GONE
                     : error == ENOSPC ? TROUBLE_NO_ROOM
                                       : TROUBLE_CHANGED;
        camera_stream_close(&w->stream);
        return false;
    }
    if (w->stream.mode.fourcc != w->sends.fourcc || w->stream.mode.frames_per_s != w->sends.frames_per_s)
        note_mode(w);
    camera_controls_set_again(&w->controls, w->stream.camera);
    return true;
}

static void look_for_it(struct webcam *w)
{
    struct camera_node node;
    struct fail mute;
    char words[400], mode[80];
    bool was_gone = w->trouble == TROUBLE_GONE;
    if (!camera_node_find_again(&node, w->sys, &w->node)) {
        w->trouble = TROUBLE_GONE;
        return;
    }
    if (camera_stream_open(&w->stream, w->sys, node.path, &mute) < 0) {
        w->trouble = w->stream.node.error == EBUSY ? TROUBLE_BUSY : TROUBLE_GONE;
        return;
    }
    if (!start_again(w))
        return;
    w->node = node;
    w->trouble = w->trouble < TROUBLE_GONE ? w->trouble : TROUBLE_SILENT;
    w->remedied_s = now_s(w);
    camera_mode_words(mode, sizeof mode, &w->stream.mode);
    snprintf(words, sizeof words, "%s is back as %s: %s", node.card, node.path, mode);
    if (was_gone)
        notify(w, words);
}

// When a turn ends without a picture: tries the next remedy when it is due, and says in *why what is waited for.
static int wait_for_it(struct webcam *w, struct fail *why)
{
    double since_s = now_s(w) - w->good_s;
    const char *name = w->base.info.name;
    if (w->number == 0 && (since_s >= patience.first_s || w->stream.camera.fd < 0))
        return rs_fail(why, RS_EIO, "%s: no picture for %.1f s%s; plug the camera in again or close what else uses it",
                       name, since_s, w->trouble == TROUBLE_DAMAGED ? " that is whole" : "");
    if (w->stream.camera.fd >= 0 && since_s >= patience.remedy_s && now_s(w) - w->remedied_s >= patience.remedy_s) {
        w->remedied_s = now_s(w);
        if (w->reopen)
            camera_stream_close(&w->stream);
        else
            start_again(w);
        w->reopen = !w->reopen;
    }
    rs_fail(why, 0, "%s", "");
    if (since_s < patience.said_s && w->trouble < TROUBLE_GONE)
        return SOURCE_WAITS;
    switch (w->trouble) { // no seconds in it: it would be a new notice each second
    case TROUBLE_SILENT:
        rs_fail(why, 0, "%s: no picture comes any more; it is started again until one does", name);
        break;
    case TROUBLE_EMPTY:
        rs_fail(why, 0, "%s: only empty pictures come; another cable or plug may help", name);
        break;
    case TROUBLE_DAMAGED:
        rs_fail(why, 0, "%s: only damaged pictures come; another cable or plug may help", name);
        break;
    case TROUBLE_FROZEN:
        rs_fail(why, 0,
                "%s: the picture is frozen, or its lens covered; if it stays so, unplug the camera and plug it in "
                "again",
                name);
        break;
    case TROUBLE_GONE:
        rs_fail(why, 0, "%s is unplugged: plug it in again, anywhere; it is waited for", name);
        break;
    case TROUBLE_BUSY:
        rs_fail(why, 0, "%s: another program uses the camera; close that one (`fuser -v %s` shows which)", name,
                w->stream.node.path);
        break;
    case TROUBLE_CHANGED:
        rs_fail(why, 0, "%s: the camera sends another size than the agreed %d x %d, which is waited for", name,
                w->mode.width, w->mode.height);
        break;
    case TROUBLE_NO_ROOM:
        *why = w->no_room;
        why->code = 0;
        break;
    }
    return SOURCE_WAITS;
}

// SOURCE_FRAME, or 0 for a picture that is no use, and why in w->trouble. Takes over p->encoded.
static int give_out(struct frame **out, struct webcam *w, struct camera_picture *p, struct fail *why)
{
    struct encoded *e = p->encoded;
    struct source_info *info = &w->base.info;
    struct camera_clock clock = w->clock;
    struct camera_time time =
        camera_clock_take(&clock, &(struct camera_arrival){ .stamp_s = p->stamp_s,
                                                            .stamped = p->stamped,
                                                            .sequence = p->sequence,
                                                            .awake_s = now_s(w),
                                                            .booted_s = w->sys->booted_s(w->sys->self),
                                                            .withheld = w->withheld,
                                                            .frames_per_s = info->frames_per_s });
    if (encoded_is(w->last, e->bytes, e->size)) {
        w->trouble = TROUBLE_FROZEN;
        w->withheld++;
        encoded_release(e);
        return 0;
    }
    e->t_s = time.t_s;
    int rc = unpack(out, w->unpacker, e, why);
    if (rc == RS_EINPUT) {
        bool first = w->trouble != TROUBLE_DAMAGED || w->withheld == 0;
        w->trouble = TROUBLE_DAMAGED;
        w->withheld++;
        info->dropped++;
        if (first && !camera_stream_as_agreed(&w->stream))
            start_again(w);
        rc = 0;
    } else if (rc == 0) {
        (*out)->number = w->number++;
        (*out)->lost_s = time.lost_s;
        info->dropped += time.missing;
        info->lost_s += time.lost_s;
        w->clock = clock;
        w->good_s = now_s(w);
        w->withheld = 0;
        w->trouble = TROUBLE_SILENT;
        w->reopen = false;
        encoded_release(w->last);
        w->last = encoded_hold(e);
        rc = SOURCE_FRAME;
    }
    encoded_release(e);
    return rc;
}

// Reads the controls anew: what automatics have come to is kept.
static int hold_picture(struct webcam *w, struct fail *why)
{
    char locked[100], advice[500], words[160];
    int rc = camera_controls_read(&w->controls, w->stream.camera, why);
    if (rc < 0)
        return rc;
    camera_controls_lock(&w->controls, w->stream.camera, locked, sizeof locked);
    camera_controls_advise(&w->controls, advice, sizeof advice);
    snprintf(words, sizeof words, "the camera keeps its %s as now until the end", locked);
    if (locked[0])
        notify(w, words);
    if (advice[0])
        notify(w, advice);
    return 0;
}

static int webcam_next(struct frame **out, struct source *s, struct fail *why)
{
    struct webcam *w = (struct webcam *)s;
    struct camera_picture p;
    pthread_mutex_lock(&w->lock);
    bool came = false, hold = w->hold_wanted && w->stream.camera.fd >= 0;
    w->hold_wanted &= !hold;
    pthread_mutex_unlock(&w->lock);
    int rc = hold ? hold_picture(w, why) : 0;
    if (w->stream.camera.fd < 0)
        look_for_it(w);
    double until_s = now_s(w) + patience.turn_s;
    while (rc == 0 && w->stream.camera.fd >= 0 && now_s(w) < until_s) {
        rc = camera_stream_take(&p, &w->stream, (int)ceil(1e3 * (until_s - now_s(w))), why);
        if (rc < 0)
            return rc;
        came |= rc != TAKEN_NOTHING;
        switch ((enum camera_taken)rc) {
        case TAKEN_NOTHING: // also when a signal came, which whoever reads wants to know of
            if (!came && now_s(w) >= until_s)
                w->trouble = TROUBLE_SILENT;
            return wait_for_it(w, why);
        case TAKEN_PICTURE:
            rc = give_out(out, w, &p, why);
            break;
        case TAKEN_EMPTY:
        case TAKEN_DAMAGED:
            w->trouble = rc == TAKEN_EMPTY ? TROUBLE_EMPTY : TROUBLE_DAMAGED;
            w->withheld++;
            s->info.dropped++;
            rc = 0;
            break;
        case TAKEN_CHANGED:
            start_again(w);
            pause_s(w, patience.pause_s);
            rc = 0;
            break;
        case TAKEN_FAILED:
            rc = 0;
            if (p.error == ENODEV || p.error == ENXIO || p.error == EBADF) {
                camera_stream_close(&w->stream);
                w->trouble = TROUBLE_GONE;
            } else if ((p.error != EIO || now_s(w) - w->good_s >= patience.said_s) &&
                       now_s(w) - w->remedied_s >= patience.turn_s) {
                // EIO: the signal was lost for a moment, says V4L2; then it may come again by itself.
                w->remedied_s = now_s(w);
                start_again(w);
            }
            pause_s(w, patience.pause_s);
            break;
        }
    }
    if (rc != 0)
        return rc;
    if (w->stream.camera.fd < 0)
        pause_s(w, fmax(until_s - now_s(w), patience.pause_s));
    return wait_for_it(w, why);
}

// A camera that is closed at this moment, to be begun anew or because another program films with it, is opened for it.
static void put_controls_back(struct webcam *w)
{
    struct camera_node node;
    struct fail mute;
    if (w->controls.changes == 0)
        return;
    if (w->stream.camera.fd < 0 && (!camera_node_find_again(&node, w->sys, &w->node) ||
                                    camera_stream_open(&w->stream, w->sys, node.path, &mute) < 0))
        return; // unplugged: it forgets them by itself
    camera_controls_put_back(&w->controls, w->stream.camera);
}

static void webcam_close(struct source *s)
{
    struct webcam *w = (struct webcam *)s;
    put_controls_back(w);
    camera_stream_close(&w->stream);
    camera_controls_finish(&w->controls);
    unpacker_free(w->unpacker);
    encoded_release(w->last);
    pthread_mutex_destroy(&w->lock);
}

static void webcam_hold(struct source *s)
{
    struct webcam *w = (struct webcam *)s;
    pthread_mutex_lock(&w->lock);
    w->hold_wanted = true;
    pthread_mutex_unlock(&w->lock);
}

static bool webcam_notice(struct source *s, struct fail *said)
{
    struct webcam *w = (struct webcam *)s;
    pthread_mutex_lock(&w->lock);
    bool any = w->notices > 0;
    if (any) {
        *said = w->notice[0];
        memmove(&w->notice[0], &w->notice[1], (size_t)(--w->notices) * sizeof w->notice[0]);
    }
    pthread_mutex_unlock(&w->lock);
    return any;
}

static const struct source_kind webcam_kind = { webcam_next, webcam_close, webcam_hold, webcam_notice };

int webcam_open(struct source **out, const struct camera_system *sys, const char *named, const struct camera_wish *wish,
                struct fail *why)
{
    struct webcam *w = calloc(1, sizeof *w);
    if (!w)
        return rs_fail(why, RS_ENOMEM, "no memory for a camera");
    pthread_mutex_init(&w->lock, NULL);
    w->base.kind = &webcam_kind;
    w->sys = sys;
    w->stream.camera.fd = -1;
    int rc = unpacker_create(&w->unpacker, why);
    if (rc == 0)
        rc = begin(w, named, wish, why);
    w->good_s = now_s(w);
    return source_opened(out, &w->base, rc);
}
