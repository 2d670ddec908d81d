// SPDX-License-Identifier: MIT
#include "vision/source/recorder.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "calibration/atomic_file.h"
#include "calibration/units.h"
#include "vision/source/picture_queue.h"

const struct recorder_limits recorder_limits_usual = { .segment_s = 60,
                                                       .segment_bytes = 2000000000,
                                                       .queue_bytes = 128000000,
                                                       .reserve_bytes = 200000000,
                                                       .estimate_s = 5,
                                                       .ring_s = LAST_PICTURES_S,
                                                       .ring_bytes = 256000000 };

static int64_t free_bytes(const char *folder)
{
    struct statvfs st;
    return statvfs(folder, &st) == 0 ? (int64_t)st.f_bavail * (int64_t)st.f_frsize : -1;
}

const struct recorder_disk recorder_disk_usual = { write, free_bytes };

struct clip {
    char path[ATOMIC_FILE_PATH_MAX];
    struct atomic_file file; // begun with the first picture
    struct picture_queue pictures;
    struct segment *segment; // NULL until the first one is written
};

struct recorder {
    struct recorder_wish wish;
    pthread_t thread;

    // Of whoever gives pictures, and of whoever finishes it.
    long number;
    bool finished;

    // Of the thread.
    struct segment *segment; // NULL: none is open,
    int fd;                  // -1 then
    char path[ATOMIC_FILE_PATH_MAX];
    double begun_s;         // of the segment
    double last_s;          // of the last picture
    double played_s;        // recorded, without gaps
    double checked_s;       // played_s when it was last asked how much is free
    int reported_left;      // row of watch_disk's table last reported
    int64_t finished_bytes; // of the segments before this one

    pthread_mutex_t lock; // guards what follows
    pthread_cond_t changed;
    struct picture_queue waiting, ring;
    struct clip *clip[4]; // that wait to be written, the first one first
    int clips;
    struct fail news[8]; // oldest first; more than anybody has to say
    int news_count;
    bool stop, slow;
    struct recorded_sum sum;
};

struct bytes_words bytes_words(double bytes)
{
    struct bytes_words w;
    snprintf(w.text, sizeof w.text, bytes < 1e9 ? "%.0f MB" : "%.1f GB", bytes < 1e9 ? bytes / 1e6 : bytes / 1e9);
    return w;
}

static void report(struct recorder *r, const struct fail *words)
{
    pthread_mutex_lock(&r->lock);
    if (r->news_count < (int)countof(r->news))
        r->news[r->news_count++] = *words;
    pthread_mutex_unlock(&r->lock);
}

// 0, or RS_EIO: the recording ends before the disk is full, for the log needs it too.
static int watch_disk(struct recorder *r, struct fail *why)
{
    static const double EVERY_S = 1;
    static const struct {
        double less_s;
        const char *words;
    } left[] = { { INFINITY, "" }, { 3600, "an hour" }, { 600, "ten minutes" }, { 60, "a minute" } };
    const struct recorder_limits *most = r->wish.limits;
    bool estimated = r->checked_s >= most->estimate_s;
    if (r->played_s < r->checked_s + EVERY_S)
        return 0;
    r->checked_s = r->played_s;
    int64_t bytes = r->finished_bytes + segment_bytes(r->segment), there = r->wish.disk->free_bytes(r->wish.folder);
    double bytes_per_s = (double)bytes / r->played_s, usable = (double)(there - most->reserve_bytes);
    if (there < 0)
        return 0;
    if (usable <= 0)
        return rs_fail(why, RS_EIO, "only %s are free, which the log needs", bytes_words((double)there).text);
    if (r->played_s < most->estimate_s)
        return 0;
    struct fail words;
    double left_s = usable / bytes_per_s;
    struct bytes_words room = bytes_words((double)there);
    if (!estimated) {
        double hours = left_s / 3600;
        rs_fail(&words, 0, "the recording takes %s an hour; the %s that are free last for %s%.*f %s",
                bytes_words(3600 * bytes_per_s).text, room.text, hours < 1 ? "only " : "", hours >= 1 && hours < 10,
                hours < 1 ? left_s / 60 : hours, hours < 1 ? "minutes" : "hours");
        report(r, &words);
    }
    int little = r->reported_left;
    while (little + 1 < (int)countof(left) && left_s < left[little + 1].less_s)
        little++;
    if (little > r->reported_left && estimated) {
        rs_fail(&words, 0, "the disk has room for less than %s of recording (%s are free)", left[little].words,
                room.text);
        report(r, &words);
    }
    r->reported_left = little;
    return 0;
}

// On the disk, and closed.
static int end_segment(struct recorder *r, struct fail *why)
{
    if (!r->segment)
        return 0;
    int rc = segment_finish(r->segment, why);
    r->finished_bytes += segment_bytes(r->segment);
    segment_free(r->segment);
    r->segment = NULL;
    if (rc == 0 && fsync(r->fd) != 0 && errno != EINVAL && errno != EROFS) // no disk that could be waited for
        rc = rs_fail(why, RS_EIO, "%s", strerror(errno));
    if (close(r->fd) != 0 && rc == 0)
        rc = rs_fail(why, RS_EIO, "%s", strerror(errno));
    r->fd = -1;
    return rc;
}

static int begin_segment(struct recorder *r, const struct held_picture *h, struct fail *why)
{
    char name[32];
    snprintf(name, sizeof name, SEGMENT_NAME, r->sum.segments + 1);
    if (snprintf(r->path, sizeof r->path, "%s/%s", r->wish.folder, name) >= (int)sizeof r->path)
        return rs_fail(why, RS_EINPUT, "the name of the folder is too long");
    int rc = atomic_file_open(&r->fd, r->path, why);
    if (rc == 0)
        rc = segment_create(&r->segment, r->fd, h->picture, r->wish.disk->put, why);
    r->begun_s = h->mark.t_s;
    return rc;
}

static int write_picture(struct recorder *r, const struct held_picture *h, struct fail *why)
{
    static const double LONG_S = 1; // between two pictures is a gap and no time that was recorded
    const struct recorder_limits *most = r->wish.limits;
    bool over = r->segment && (!segment_takes(r->segment, h->picture) || h->mark.t_s >= r->begun_s + most->segment_s ||
                               segment_bytes(r->segment) >= most->segment_bytes);
    int rc = over ? end_segment(r, why) : 0;
    bool begins = rc == 0 && !r->segment;
    if (begins)
        rc = begin_segment(r, h, why);
    const bool opened = rc == 0;
    if (opened)
        rc = segment_write(r->segment, h->picture, &h->mark, why);
    bool written = rc == 0, cut_off = opened && rc == RS_EINPUT;
    if (written && r->sum.pictures > 0)
        r->played_s += fmin(h->mark.t_s - r->last_s, LONG_S);
    r->last_s = h->mark.t_s;
    pthread_mutex_lock(&r->lock);
    r->sum.segments += begins && opened;
    r->sum.pictures += written;
    r->sum.missed += !written;
    r->sum.bytes = r->finished_bytes + (opened ? segment_bytes(r->segment) : 0);
    pthread_mutex_unlock(&r->lock);
    return cut_off ? 0 : rc < 0 ? rc : watch_disk(r, why);
}

// The rest of the game is not recorded. What was is left as it is.
static void break_off(struct recorder *r, const struct fail *cause)
{
    struct fail words, none;
    struct held_picture h;
    end_segment(r, &none);
    if (r->fd >= 0)
        close(r->fd);
    r->fd = -1;
    rs_fail(&words, cause->code, "the recording ends here: %.300s; the game goes on, and what was recorded stays",
            cause->text);
    report(r, &words);
    pthread_mutex_lock(&r->lock);
    r->sum.broken_off = true;
    for (; picture_queue_take(&h, &r->waiting); r->sum.missed++)
        encoded_release(h.picture);
    pthread_mutex_unlock(&r->lock);
}

static void clip_free(struct clip *c)
{
    segment_free(c->segment);
    atomic_file_drop(&c->file);
    picture_queue_finish(&c->pictures);
    free(c);
}

// Whether the disk has room for it, beside what has to stay free for the log.
static int clip_has_room(const struct recorder *r, const struct clip *c, struct fail *why)
{
    char folder[ATOMIC_FILE_PATH_MAX];
    snprintf(folder, sizeof folder, "%s", c->path);
    char *slash = strrchr(folder, '/');
    snprintf(slash ? slash + 1 : folder, 2, ".");
    int64_t left = r->wish.disk->free_bytes(folder);
    if (left < 0 || left - (int64_t)c->pictures.bytes > r->wish.limits->reserve_bytes)
        return 0;
    return rs_fail(why, RS_EIO, "only %s are free, which the log needs", bytes_words((double)left).text);
}

// Its next picture, so that what has to be recorded never waits for a whole clip: 1, 0 when it is whole, RS_E...
static int clip_go_on(struct recorder *r, struct clip *c, struct fail *why)
{
    struct held_picture h;
    int rc = c->segment ? 0 : clip_has_room(r, c, why);
    if (rc < 0)
        return rc;
    if (!picture_queue_take(&h, &c->pictures)) {
        rc = segment_finish(c->segment, why);
        return rc == 0 ? atomic_file_finish(&c->file, why) : rc;
    }
    if (!c->segment) {
        rc = atomic_file_begin(&c->file, c->path, why);
        rc = rc == 0 ? segment_create(&c->segment, c->file.fd, h.picture, r->wish.disk->put, why) : rc;
    }
    int written =
        rc == 0 && segment_takes(c->segment, h.picture) ? segment_write(c->segment, h.picture, &h.mark, why) : 0;
    encoded_release(h.picture);
    if (rc < 0)
        return rc;
    return written == 0 || written == RS_EINPUT ? 1 : written; // a damaged picture is left out
}

static void write_clip(struct recorder *r, struct clip *c)
{
    struct fail cause, words;
    int rc = clip_go_on(r, c, &cause);
    if (rc > 0)
        return;
    if (rc < 0) {
        rs_fail(&words, rc, "no clip: %.300s", cause.text);
        report(r, &words);
    }
    pthread_mutex_lock(&r->lock);
    r->sum.clips += rc == 0;
    memmove(&r->clip[0], &r->clip[1], (size_t)--r->clips * sizeof r->clip[0]);
    pthread_mutex_unlock(&r->lock);
    clip_free(c);
}

static void *write_all(void *arg)
{
    struct recorder *r = arg;
    struct fail why = { .text = "" };
    for (;;) {
        struct held_picture h;
        pthread_mutex_lock(&r->lock);
        while (r->waiting.count == 0 && r->clips == 0 && !r->stop)
            pthread_cond_wait(&r->changed, &r->lock);
        bool picture = picture_queue_take(&h, &r->waiting);
        struct clip *clip = r->clips > 0 ? r->clip[0] : NULL;
        pthread_mutex_unlock(&r->lock);
        if (!picture && !clip)
            break;
        int rc = picture ? write_picture(r, &h, &why) : 0;
        if (picture)
            encoded_release(h.picture);
        if (rc < 0)
            break_off(r, &why);
        else if (clip)
            write_clip(r, clip);
    }
    if (end_segment(r, &why) < 0)
        break_off(r, &why);
    return NULL;
}

int recorder_create(struct recorder **out, const struct recorder_wish *wish, struct fail *why)
{
    enum { WAITING_MOST = 2048, RING_MOST = 8192 }; // pictures, at any rate a camera has
    int64_t left = wish->folder ? wish->disk->free_bytes(wish->folder) : -1;
    if (left >= 0 && left <= wish->limits->reserve_bytes)
        return rs_fail(why, RS_EIO,
                       "%.200s: nothing can be recorded: %s are free, and the log needs %s; make room or name another "
                       "folder",
                       wish->folder, bytes_words((double)left).text,
                       bytes_words((double)wish->limits->reserve_bytes).text);
    struct recorder *r = calloc(1, sizeof *r);
    if (!r)
        return rs_fail(why, RS_ENOMEM, "no memory to record");
    r->wish = *wish;
    r->fd = -1;
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->changed, NULL);
    int rc = wish->folder ? picture_queue_init(&r->waiting, WAITING_MOST, why) : 0;
    if (rc == 0 && wish->clips)
        rc = picture_queue_init(&r->ring, RING_MOST, why);
    int failed = rc == 0 ? pthread_create(&r->thread, NULL, write_all, r) : 0;
    if (failed)
        rc = rs_fail(why, RS_ELIB, "cannot start a thread for the recording: %s", strerror(failed));
    r->finished = rc < 0; // there is no thread
    if (rc < 0)
        recorder_free(r);
    else
        *out = r;
    return rc;
}

void recorder_take(struct recorder *r, const struct frame *f)
{
    const struct picture_mark mark = { r->number++, f->t_s, f->lost_s };
    struct encoded *e = f->encoded;
    struct fail words;
    pthread_mutex_lock(&r->lock);
    if (e && r->wish.clips)
        picture_queue_keep(&r->ring, e, &mark, r->wish.limits->ring_s, r->wish.limits->ring_bytes);
    bool records = r->wish.folder && !r->sum.broken_off;
    bool fits = e && (r->waiting.count == 0 || r->waiting.bytes + e->size <= r->wish.limits->queue_bytes);
    bool taken = records && fits && picture_queue_add(&r->waiting, e, &mark);
    bool late = records && e && !taken, newly_slow = late && !r->slow;
    r->sum.missed += r->wish.folder && !taken;
    r->slow |= late;
    pthread_cond_signal(&r->changed);
    pthread_mutex_unlock(&r->lock);
    if (newly_slow) {
        rs_fail(&words, 0, "the disk is too slow for the camera: pictures are missing in the recording from %.1f s on",
                mark.t_s);
        report(r, &words);
    }
}

int recorder_clip(struct recorder *r, const char *path, double from_s, double to_s, struct fail *why)
{
    struct clip *c = calloc(1, sizeof *c);
    if (!c)
        return rs_fail(why, RS_ENOMEM, "no memory for a clip");
    if (snprintf(c->path, sizeof c->path, "%s", path) >= (int)sizeof c->path) {
        free(c);
        return rs_fail(why, RS_EINPUT, "no clip: the name of %.200s is too long", path);
    }
    pthread_mutex_lock(&r->lock);
    int rc = picture_queue_part(&c->pictures, &r->ring, from_s, to_s, why);
    if (rc == 0 && c->pictures.count == 0)
        rc = rs_fail(why, RS_EINPUT, "no clip: the pictures of it are not held any more");
    if (rc == 0 && r->clips == (int)countof(r->clip))
        rc = rs_fail(why, RS_EINPUT, "no clip: %d others wait for the disk", r->clips);
    if (rc == 0) {
        r->clip[r->clips++] = c;
        pthread_cond_signal(&r->changed);
    }
    pthread_mutex_unlock(&r->lock);
    if (rc < 0)
        clip_free(c);
    return rc;
}

bool recorder_news(struct recorder *r, struct fail *words)
{
    pthread_mutex_lock(&r->lock);
    bool any = r->news_count > 0;
    if (any) {
        *words = r->news[0];
        memmove(&r->news[0], &r->news[1], (size_t)--r->news_count * sizeof r->news[0]);
    }
    pthread_mutex_unlock(&r->lock);
    return any;
}

void recorder_finish(struct recorded_sum *out, struct recorder *r)
{
    pthread_mutex_lock(&r->lock);
    r->stop = true;
    pthread_cond_signal(&r->changed);
    pthread_mutex_unlock(&r->lock);
    if (!r->finished)
        pthread_join(r->thread, NULL);
    r->finished = true;
    *out = r->sum;
}

void recorder_free(struct recorder *r)
{
    struct recorded_sum sum;
    if (!r)
        return;
    recorder_finish(&sum, r);
    picture_queue_finish(&r->waiting);
    picture_queue_finish(&r->ring);
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->lock);
    free(r);
}
