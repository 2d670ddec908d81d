// SPDX-License-Identifier: MIT
#include "referee/announce/clip_maker.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "calibration/whole_file.h"
#include "vision/source/jpeg.h"
#include "vision/source/picture_queue.h"
#include "vision/source/unpack.h"

enum {
    RING_PICTURES = 2048, // at any rate a camera has
    CLIPS_WAITING = 4,    // some minutes of play
    NEWS_MAX = 8,         // more than anybody has to say
    STILLS_PER_S = 10,    // of what stands: players want pictures now and then
    LEAST_PRIORITY = 19,  // setpriority(2)
};
static const double STANDS_S = 3;               // long enough to see by how much
static const size_t PICTURES_BYTES = 256000000; // 20 s of 1920 x 1080, 60 a second, at some 200 kB each

struct clip_job {
    struct clip_wish wish;
    struct picture_queue pictures; // not empty
    int moments;
    struct match_moment *moment; // in order of time; the first one also holds for what came before it
};

struct clip_maker {
    clip_begin *begin;
    pthread_t thread;
    bool finished;
    struct jpeg *jpeg; // of the thread that shows

    // Of the thread that judges.
    struct match_moment *known; // in a circle
    int first, count;

    // Of its own thread.
    struct jpeg *encoder;
    struct unpacker *unpacker;
    int told; // the code of what last failed; 0: the last clip was made

    pthread_mutex_t lock; // guards what follows
    pthread_cond_t changed;
    struct picture_queue ring;
    struct clip_job *waiting[CLIPS_WAITING]; // the first one is being made
    int waits;
    size_t waiting_bytes;
    bool stop;
    struct fail news[NEWS_MAX]; // oldest first
    int news_count;
    int missed;
};

static void job_free(struct clip_job *j)
{
    if (!j)
        return;
    picture_queue_finish(&j->pictures);
    free(j->moment);
    free(j);
}

static const struct match_moment *moment_of(const struct clip_job *j, double t_s)
{
    int at = 0;
    while (at + 1 < j->moments && j->moment[at + 1].t_s <= t_s)
        at++;
    return &j->moment[at];
}

// With the time that it has in the clip. RS_EINPUT: the picture is damaged.
static int decode(struct frame **out, struct clip_maker *c, const struct clip_job *j, const struct held_picture *h,
                  struct fail *why)
{
    *out = NULL;
    int rc = unpack(out, c->unpacker, h->picture, why);
    if (rc == 0)
        rc = frame_decode(*out, why);
    if (rc == 0) {
        (*out)->t_s = h->mark.t_s - picture_queue_at(&j->pictures, 0)->mark.t_s;
        return 0;
    }
    frame_free(*out);
    *out = NULL;
    return rc;
}

static int put_picture(struct clip_maker *c, const struct clip_job *j, const struct frame *shown, struct fail *why)
{
    char path[ATOMIC_FILE_PATH_MAX];
    uint8_t *bytes = NULL;
    size_t size;
    if (snprintf(path, sizeof path, "%s" CLIP_PICTURE_ENDING, j->wish.path) >= (int)sizeof path)
        return rs_fail(why, RS_EINPUT, "the name of %.200s is too long", j->wish.path);
    int rc = jpeg_encode(&bytes, &size, c->encoder, shown, JPEG_FINE, why);
    if (rc < 0)
        return rc;
    rc = whole_file_write(path, bytes, size, why);
    jpeg_bytes_free(bytes);
    return rc;
}

// The last picture again and again, with one close call after the other.
static int put_stills(struct movie *m, struct clip_maker *c, const struct clip_job *j, const struct held_picture *last,
                      struct fail *why)
{
    const struct match_moment *known = moment_of(j, last->mark.t_s);
    int rc = 0, put = 0;
    for (int i = 0; (i == 0 || i < j->wish.closes) && rc == 0; i++) {
        struct frame *f = NULL, *inset = NULL;
        rc = decode(&f, c, j, last, why);
        double last_s = rc == 0 ? f->t_s : 0;
        if (rc == 0 && i < j->wish.closes)
            rc = match_moment_enlarge(&inset, known, f, &j->wish.close[i], why);
        if (rc == 0)
            rc = match_moment_draw(f, known, inset, why);
        if (rc == 0 && i == 0)
            rc = put_picture(c, j, inset ? inset : f, why);
        for (int k = 0; k < STANDS_S * STILLS_PER_S && rc == 0; k++) {
            f->t_s = last_s + (double)++put / STILLS_PER_S;
            rc = movie_add(m, f, why);
        }
        frame_free(inset);
        frame_free(f);
    }
    return rc;
}

// The pictures in their order; those that are damaged, or of another size than the first, are left out. `last` is the
// last whole one, borrowed. The movie is begun by the first.
static int put_pictures(struct movie **m, const struct held_picture **last, struct clip_maker *c, struct clip_job *j,
                        struct fail *why)
{
    const struct picture_queue *q = &j->pictures;
    char path[ATOMIC_FILE_PATH_MAX + sizeof CLIP_ENDING];
    int width = 0, height = 0, rc = 0;
    double lasts_s = picture_queue_at(q, q->count - 1)->mark.t_s - picture_queue_at(q, 0)->mark.t_s;
    snprintf(path, sizeof path, "%s" CLIP_ENDING, j->wish.path);
    for (int i = 0; i < q->count && rc == 0; i++) {
        const struct held_picture *h = picture_queue_at(q, i);
        struct frame *f = NULL;
        rc = decode(&f, c, j, h, why);
        bool left_out = rc == RS_EINPUT || (rc == 0 && *m && (f->width != width || f->height != height));
        if (rc == 0 && !left_out && !*m) {
            width = f->width;
            height = f->height;
            rc = c->begin(m, path, width, height, lasts_s > 0 ? (q->count - 1) / lasts_s : 0, why);
        }
        if (rc == 0 && !left_out)
            rc = match_moment_draw(f, moment_of(j, h->mark.t_s), NULL, why);
        if (rc == 0 && !left_out) {
            *last = h;
            rc = movie_add(*m, f, why);
        }
        rc = left_out ? 0 : rc;
        frame_free(f);
    }
    return rc < 0 || *m ? rc : rs_fail(why, RS_EINPUT, "%.300s: all its pictures are damaged", path);
}

static int make(struct clip_maker *c, struct clip_job *j, struct fail *why)
{
    struct movie *m = NULL;
    const struct held_picture *last = NULL;
    int rc = put_pictures(&m, &last, c, j, why);
    if (rc == 0)
        rc = put_stills(m, c, j, last, why);
    if (rc == 0)
        return movie_finish(m, why);
    movie_drop(m);
    return rc;
}

static void make_and_tell(struct clip_maker *c, struct clip_job *j)
{
    struct fail cause = { .text = "" };
    int rc = make(c, j, &cause);
    pthread_mutex_lock(&c->lock);
    if (rc < 0 && rc != c->told && c->news_count < NEWS_MAX)
        rs_fail(&c->news[c->news_count++], rc, "no clip for browsers: %.400s", cause.text);
    c->missed += rc < 0;
    pthread_mutex_unlock(&c->lock);
    c->told = rc;
}

static void *work(void *self)
{
    struct clip_maker *c = self;
    pthread_mutex_lock(&c->lock);
    while (c->waits > 0 || !c->stop) {
        if (c->waits == 0) {
            pthread_cond_wait(&c->changed, &c->lock);
            continue;
        }
        struct clip_job *j = c->waiting[0];
        pthread_mutex_unlock(&c->lock);
        if (!j->wish.patient)
            setpriority(PRIO_PROCESS, 0, LEAST_PRIORITY); // on Linux of this thread alone, and of those that it starts
        make_and_tell(c, j);
        pthread_mutex_lock(&c->lock);
        memmove(&c->waiting[0], &c->waiting[1], (size_t)--c->waits * sizeof c->waiting[0]);
        c->waiting_bytes -= j->pictures.bytes;
        job_free(j);
        pthread_cond_broadcast(&c->changed);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

int clip_maker_create(struct clip_maker **out, clip_begin *begin, struct fail *why)
{
    struct clip_maker *c = calloc(1, sizeof *c);
    if (!c)
        return rs_fail(why, RS_ENOMEM, "no memory to make clips");
    c->begin = begin;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->changed, NULL);
    c->finished = true; // there is no thread yet
    int rc = jpeg_create(&c->jpeg, why);
    if (rc == 0)
        rc = jpeg_create(&c->encoder, why);
    if (rc == 0)
        rc = unpacker_create(&c->unpacker, why);
    if (rc == 0)
        rc = picture_queue_init(&c->ring, RING_PICTURES, why);
    c->known = calloc(CLIP_MOMENTS, sizeof *c->known);
    if (rc == 0 && !c->known)
        rc = rs_fail(why, RS_ENOMEM, "no memory to make clips");
    int error = rc == 0 ? pthread_create(&c->thread, NULL, work, c) : 0;
    if (error != 0)
        rc = rs_fail(why, RS_ELIB, "cannot start a thread to make clips: %s", strerror(error));
    if (rc < 0) {
        clip_maker_free(c);
        return rc;
    }
    c->finished = false;
    *out = c;
    return 0;
}

int clip_maker_show(struct clip_maker *c, const struct frame *f, struct fail *why)
{
    const struct picture_mark mark = { f->number, f->t_s, f->lost_s };
    struct encoded *e = encoded_hold(f->encoded);
    int rc = e ? 0 : jpeg_encode_held(&e, c->jpeg, f, JPEG_FINE, why);
    if (rc < 0)
        return rc;
    pthread_mutex_lock(&c->lock);
    picture_queue_keep(&c->ring, e, &mark, LAST_PICTURES_S, PICTURES_BYTES);
    pthread_mutex_unlock(&c->lock);
    encoded_release(e);
    return 0;
}

void clip_maker_know(struct clip_maker *c, const struct match_moment *m)
{
    if (c->count > 0 && match_moment_same(&c->known[(c->first + c->count - 1) % CLIP_MOMENTS], m))
        return;
    if (c->count == CLIP_MOMENTS) {
        c->first = (c->first + 1) % CLIP_MOMENTS;
        c->count--;
    }
    c->known[(c->first + c->count++) % CLIP_MOMENTS] = *m;
}

// Those from the last one not behind from_s on.
static int take_moments(struct clip_job *j, const struct clip_maker *c, struct fail *why)
{
    int from = 0;
    while (from + 1 < c->count && c->known[(c->first + from + 1) % CLIP_MOMENTS].t_s <= j->wish.from_s)
        from++;
    if (c->count == 0)
        return rs_fail(why, RS_EINPUT, "no clip for browsers: nothing is known of its pictures");
    j->moments = c->count - from;
    j->moment = malloc((size_t)j->moments * sizeof *j->moment);
    if (!j->moment)
        return rs_fail(why, RS_ENOMEM, "no memory for a clip");
    for (int i = 0; i < j->moments; i++)
        j->moment[i] = c->known[(c->first + from + i) % CLIP_MOMENTS];
    return 0;
}

// With the lock held.
static bool has_room(const struct clip_maker *c, const struct clip_job *j)
{
    return c->waits == 0 || (c->waits < CLIPS_WAITING && c->waiting_bytes + j->pictures.bytes <= PICTURES_BYTES);
}

int clip_maker_ask(struct clip_maker *c, const struct clip_wish *wish, struct fail *why)
{
    struct clip_job *j = calloc(1, sizeof *j);
    if (!j)
        return rs_fail(why, RS_ENOMEM, "no memory for a clip");
    j->wish = *wish;
    int rc = take_moments(j, c, why);
    pthread_mutex_lock(&c->lock);
    if (rc == 0)
        rc = picture_queue_part(&j->pictures, &c->ring, wish->from_s, wish->to_s, why);
    if (rc == 0 && j->pictures.count == 0)
        rc = rs_fail(why, RS_EINPUT, "no clip for browsers: the pictures of it are not held any more");
    while (rc == 0 && wish->patient && !has_room(c, j))
        pthread_cond_wait(&c->changed, &c->lock);
    if (rc == 0 && !has_room(c, j))
        rc = rs_fail(why, RS_EINPUT, "no clip for browsers: %d others wait to be made", c->waits);
    if (rc == 0) {
        c->waiting_bytes += j->pictures.bytes;
        c->waiting[c->waits++] = j;
        pthread_cond_broadcast(&c->changed);
    }
    c->missed += rc < 0;
    pthread_mutex_unlock(&c->lock);
    if (rc < 0)
        job_free(j);
    return rc;
}

bool clip_maker_news(struct clip_maker *c, struct fail *words)
{
    pthread_mutex_lock(&c->lock);
    bool any = c->news_count > 0;
    if (any) {
        *words = c->news[0];
        memmove(&c->news[0], &c->news[1], (size_t)--c->news_count * sizeof c->news[0]);
    }
    pthread_mutex_unlock(&c->lock);
    return any;
}

int clip_maker_waits(struct clip_maker *c)
{
    pthread_mutex_lock(&c->lock);
    int waits = c->waits;
    pthread_mutex_unlock(&c->lock);
    return waits;
}

int clip_maker_finish(struct clip_maker *c)
{
    pthread_mutex_lock(&c->lock);
    c->stop = true;
    pthread_cond_signal(&c->changed);
    pthread_mutex_unlock(&c->lock);
    if (!c->finished)
        pthread_join(c->thread, NULL);
    c->finished = true;
    return c->missed;
}

void clip_maker_free(struct clip_maker *c)
{
    if (!c)
        return;
    clip_maker_finish(c);
    picture_queue_finish(&c->ring);
    unpacker_free(c->unpacker);
    jpeg_free(c->encoder);
    jpeg_free(c->jpeg);
    free(c->known);
    pthread_cond_destroy(&c->changed);
    pthread_mutex_destroy(&c->lock);
    free(c);
}
