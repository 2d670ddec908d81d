// SPDX-License-Identifier: MIT
#include "vision/source/capture.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/clock.h"
#include "vision/source/frame_queue.h"

struct capture {
    struct source *source; // of the thread alone
    bool playback;
    struct frame_tap tap;
    pthread_t thread;
    pthread_mutex_t lock; // guards what follows
    pthread_cond_t changed;
    struct frame_queue ready;
    struct source_info info; // of the source, as of the last frame
    double begun_s;          // the clock when a frame of time 0 was taken, as near as the frames so far show
    bool waits;              // and for what: `why`
    bool stop;
    int ended; // 0 while running; CAPTURE_ENDED or RS_E...
    struct fail why;
};

static void *read_source(void *arg)
{
    struct capture *c = arg;
    struct fail why = { .text = "" };
    const double start_s = clock_s();
    struct frame *f = NULL, *lost = NULL;
    int rc;
    while ((rc = source_next(&f, c->source, &why)) > 0) {
        if (rc == SOURCE_FRAME && c->tap.take)
            c->tap.take(c->tap.self, f);
        pthread_mutex_lock(&c->lock);
        c->info = *source_info(c->source);
        c->waits = rc == SOURCE_WAITS;
        c->why = why;
        if (c->waits) {
            bool ends = c->stop;
            pthread_mutex_unlock(&c->lock);
            if (ends)
                break;
            continue;
        }
        struct timespec due = clock_time(start_s + f->t_s);
        // None comes before it was taken: the one that was least late is the best measure.
        c->begun_s = fmin(c->begun_s, c->playback ? start_s : clock_s() - f->t_s);
        if (c->playback) {
            while (!c->stop && pthread_cond_timedwait(&c->changed, &c->lock, &due) != ETIMEDOUT)
                continue;
            while (!c->stop && c->ready.count >= FRAME_QUEUE_LEAST)
                pthread_cond_wait(&c->changed, &c->lock);
        }
        bool stop = c->stop;
        lost = stop ? f : frame_queue_put(&c->ready, f);
        pthread_cond_broadcast(&c->changed);
        pthread_mutex_unlock(&c->lock);
        frame_free(lost);
        if (stop)
            break;
    }
    pthread_mutex_lock(&c->lock);
    c->info = *source_info(c->source);
    c->ended = rc < 0 ? rc : CAPTURE_ENDED;
    c->why = why;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static void release(struct capture *c)
{
    frame_queue_finish(&c->ready);
    pthread_cond_destroy(&c->changed);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

int capture_start(struct capture **out, struct source *s, bool playback, const struct frame_tap *tap, struct fail *why)
{
    struct capture *c = calloc(1, sizeof *c);
    if (!c)
        return rs_fail(why, RS_ENOMEM, "no memory for frames");
    c->source = s;
    c->info = *source_info(s);
    frame_queue_init(&c->ready);
    c->ready.waits = playback;
    c->begun_s = INFINITY;
    c->playback = playback;
    if (tap)
        c->tap = *tap;
    pthread_mutex_init(&c->lock, NULL);
    clock_cond_init(&c->changed);
    int rc = pthread_create(&c->thread, NULL, read_source, c);
    if (rc != 0) {
        release(c);
        return rs_fail(why, RS_ELIB, "cannot start a thread for the camera: %s", strerror(rc));
    }
    *out = c;
    return 0;
}

int capture_next(struct frame **out, struct capture *c, double wait_s, struct fail *why)
{
    struct timespec until = clock_time(clock_s() + wait_s);
    pthread_mutex_lock(&c->lock);
    while (c->ready.count == 0 && c->ended == 0 && pthread_cond_timedwait(&c->changed, &c->lock, &until) != ETIMEDOUT)
        continue;
    int rc = c->ready.count > 0 ? CAPTURE_FRAME : c->ended;
    if (rc == CAPTURE_FRAME) {
        *out = frame_queue_take(&c->ready);
        pthread_cond_broadcast(&c->changed);
    } else if (rc < 0) {
        *why = c->why;
    }
    pthread_mutex_unlock(&c->lock);
    return rc;
}

bool capture_waits(struct capture *c, struct fail *why)
{
    pthread_mutex_lock(&c->lock);
    bool waits = c->waits && c->why.text[0] && c->ended == 0;
    if (waits)
        *why = c->why;
    pthread_mutex_unlock(&c->lock);
    return waits;
}

long capture_dropped(struct capture *c)
{
    pthread_mutex_lock(&c->lock);
    long n = c->ready.dropped;
    pthread_mutex_unlock(&c->lock);
    return n;
}

void capture_info(struct source_info *out, struct capture *c)
{
    pthread_mutex_lock(&c->lock);
    *out = c->info;
    pthread_mutex_unlock(&c->lock);
}

double capture_begun_s(struct capture *c)
{
    pthread_mutex_lock(&c->lock);
    double begun_s = c->begun_s;
    pthread_mutex_unlock(&c->lock);
    return begun_s;
}

void capture_stop(struct capture *c)
{
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    c->stop = true;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
    pthread_join(c->thread, NULL);
    release(c);
}
