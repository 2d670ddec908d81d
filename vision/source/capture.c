// SPDX-License-Identifier: MIT
#include "vision/source/capture.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Enough to bridge one full look at the board, few enough that calls stay fresh: a quarter of a second at 30 a second.
enum { KEPT_FRAMES = 8 };

struct capture {
    struct source *source; // of the thread alone
    bool paced;
    pthread_t thread;
    pthread_mutex_t lock; // guards what follows
    pthread_cond_t changed;
    struct frame *kept[KEPT_FRAMES]; // oldest first
    int count;
    long dropped;
    bool stop;
    int ended; // 0 while running; CAPTURE_ENDED or RS_E...
    struct fail why;
};

static struct timespec later(struct timespec from, double s)
{
    double whole = floor(s);
    from.tv_sec += (time_t)whole;
    from.tv_nsec += (long)((s - whole) * 1e9);
    if (from.tv_nsec >= 1000000000L) {
        from.tv_sec++;
        from.tv_nsec -= 1000000000L;
    }
    return from;
}

static struct timespec now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t;
}

// False when the capture was stopped meanwhile.
static bool wait_until(struct capture *c, struct timespec at)
{
    pthread_mutex_lock(&c->lock);
    while (!c->stop && pthread_cond_timedwait(&c->changed, &c->lock, &at) != ETIMEDOUT)
        continue;
    bool goes_on = !c->stop;
    pthread_mutex_unlock(&c->lock);
    return goes_on;
}

static bool keep(struct capture *c, struct frame *f)
{
    struct frame *oldest = NULL;
    pthread_mutex_lock(&c->lock);
    if (c->count == KEPT_FRAMES) {
        oldest = c->kept[0];
        memmove(&c->kept[0], &c->kept[1], (KEPT_FRAMES - 1) * sizeof c->kept[0]);
        c->count--;
        c->dropped++;
    }
    c->kept[c->count++] = f;
    bool goes_on = !c->stop;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
    frame_free(oldest);
    return goes_on;
}

static void end(struct capture *c, int how, const struct fail *why)
{
    pthread_mutex_lock(&c->lock);
    c->ended = how;
    c->why = *why;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
}

static void *read_source(void *arg)
{
    struct capture *c = arg;
    struct fail why = { .text = "" };
    struct timespec start = now();
    struct frame *f;
    int rc;
    while ((rc = source_next(c->source, &f, &why)) > 0) {
        if (c->paced && !wait_until(c, later(start, f->t_s))) {
            frame_free(f);
            break;
        }
        if (!keep(c, f))
            break;
    }
    end(c, rc < 0 ? rc : CAPTURE_ENDED, &why);
    return NULL;
}

static void finish(struct capture *c)
{
    for (int i = 0; i < c->count; i++)
        frame_free(c->kept[i]);
    pthread_cond_destroy(&c->changed);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

int capture_start(struct capture **out, struct source *s, bool paced, struct fail *why)
{
    pthread_condattr_t monotonic;
    struct capture *c = calloc(1, sizeof *c);
    if (!c)
        abort();
    c->source = s;
    c->paced = paced;
    pthread_mutex_init(&c->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&c->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    int rc = pthread_create(&c->thread, NULL, read_source, c);
    if (rc != 0) {
        finish(c);
        return rs_fail(why, RS_ELIB, "cannot start a thread for the camera: %s", strerror(rc));
    }
    *out = c;
    return 0;
}

// With the lock held.
static int take(struct capture *c, struct frame **out, struct fail *why)
{
    if (c->count == 0) {
        if (c->ended < 0)
            *why = c->why;
        return c->ended;
    }
    *out = c->kept[0];
    memmove(&c->kept[0], &c->kept[1], (size_t)(--c->count) * sizeof c->kept[0]);
    return CAPTURE_FRAME;
}

int capture_next(struct capture *c, struct frame **out, double wait_s, struct fail *why)
{
    struct timespec until = later(now(), wait_s);
    pthread_mutex_lock(&c->lock);
    while (c->count == 0 && c->ended == 0 && pthread_cond_timedwait(&c->changed, &c->lock, &until) != ETIMEDOUT)
        continue;
    int rc = take(c, out, why);
    pthread_mutex_unlock(&c->lock);
    return rc;
}

long capture_dropped(struct capture *c)
{
    pthread_mutex_lock(&c->lock);
    long n = c->dropped;
    pthread_mutex_unlock(&c->lock);
    return n;
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
    finish(c);
}
