// SPDX-License-Identifier: MIT
#include "vision/track/live_tracking.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/clock.h"
#include "vision/track/change_patches.h"

// A shot brings one or two, so that these are minutes of play.
enum { QUEUE_FRAMES = 64 };

// Seconds for which capture is asked before an end that was wished is noticed.
static const double ASKED_EVERY_S = 0.05;

struct queued {
    struct tracked_frame frame;
    double since_s; // the clock when it was put there
};

struct live_tracking {
    struct tracker *tracker; // of the thread alone, as the five below
    struct capture *capture;
    struct frame_tap shown;
    const struct track_tuning *tuning;
    struct tracked_frame now;
    struct picture_watch picture;
    pthread_t thread;
    pthread_mutex_t lock; // guards what follows
    pthread_cond_t changed;
    struct queued queue[QUEUE_FRAMES]; // a ring
    int first, count;
    struct live_counts counts;
    bool end;  // is wished
    bool gone; // nobody takes any more
    int ended; // 0 while running; LIVE_ENDED or RS_E...
    struct fail why;
};

// What has just been found wrong counts when it has lasted.
int picture_watch_look(struct picture_watch *w, struct frame *f, const struct track_tuning *tuning, struct fail *why)
{
    enum picture_trouble seen;
    bool whole = f->bgr != NULL; // the tracker has looked at its lines, as at rest now and then
    double every_s = whole ? tuning->trouble_every_s : tuning->trouble_decode_every_s;
    if (f->doubtful || f->t_s < w->looked_s + every_s)
        return 0;
    w->looked_s = f->t_s;
    int rc = picture_trouble_of(&seen, f, tuning, why);
    if (rc < 0)
        return rc;
    if (seen != w->seen) {
        w->seen = seen;
        w->seen_since_s = f->t_s;
    }
    if (seen == PICTURE_FINE || f->t_s - w->seen_since_s >= tuning->trouble_lasts_s)
        w->trouble = seen;
    w->changes = seen != w->trouble;
    return 0;
}

// Whoever sets a pose sets its residual or its camera too. The camera's pose is numbers of one kind, without padding.
static bool is_same_pose(const struct board_pose *a, const struct board_pose *b)
{
    return a->found == b->found && a->rms_px == b->rms_px && a->camera.lens.f_px == b->camera.lens.f_px &&
           memcmp(&a->camera.pose, &b->camera.pose, sizeof a->camera.pose) == 0;
}

// Hands over what is known now, and the events with it.
static void hand_over(struct live_tracking *l, struct event_list *news)
{
    struct tracker_inside inside;
    bool same_pose = is_same_pose(&l->now.pose, tracker_board(l->tracker));
    tracker_inside(&inside, l->tracker);
    l->now.pose = *tracker_board(l->tracker);
    l->now.state = inside.state;
    tracker_view(&l->now.view, l->tracker);
    l->now.hand = change_hand(inside.patches) != NULL;
    rs_fail(&l->now.unfound, 0, "%s", inside.unfound);
    pthread_mutex_lock(&l->lock);
    struct queued *last = &l->queue[(l->first + l->count + QUEUE_FRAMES - 1) % QUEUE_FRAMES];
    if (l->count == 0 || last->frame.events.count > 0 || l->now.last || !same_pose) {
        double from_s = clock_s();
        while (l->count == QUEUE_FRAMES && !l->gone)
            pthread_cond_wait(&l->changed, &l->lock);
        l->counts.held_up_s += clock_s() - from_s;
        last = &l->queue[(l->first + l->count) % QUEUE_FRAMES];
        l->count += !l->gone;
    }
    if (!l->gone) {
        if (last->frame.events.count == 0) // of one that is taken, or that this one stands for
            event_list_free(&last->frame.events);
        *last = (struct queued){ l->now, clock_s() };
        last->frame.events = *news;
        *news = (struct event_list){ 0 };
        l->counts.longest_queue = l->count > l->counts.longest_queue ? l->count : l->counts.longest_queue;
        pthread_cond_broadcast(&l->changed);
    }
    pthread_mutex_unlock(&l->lock);
}

static bool is_over(struct live_tracking *l)
{
    pthread_mutex_lock(&l->lock);
    bool over = l->end || l->gone;
    pthread_mutex_unlock(&l->lock);
    return over;
}

static int track_all(struct live_tracking *l, struct event_list *news, struct fail *why)
{
    struct frame *f;
    struct source_info info;
    long dropped = 0, dropped_before = 0;
    bool searched = false;
    int rc = CAPTURE_NOTHING;
    while (!is_over(l) && rc != CAPTURE_ENDED) {
        rc = capture_next(&f, l->capture, ASKED_EVERY_S, why);
        if (rc == RS_EENDED) // a signal, which others see as well
            break;
        if (rc < 0)
            return rc;
        if (rc != CAPTURE_FRAME)
            continue;
        // While the board was searched for nothing was known anyway. A view that is lost would be searched for anew,
        // and that takes as long again.
        if (searched && dropped > dropped_before)
            f->lost_s = fmin(f->lost_s, DAMAGE_HIDES_S);
        searched = l->now.state == TRACKER_SEARCHING;
        dropped_before = dropped;
        l->now.t_s = f->t_s;
        rc = tracker_feed(news, l->tracker, f, why);
        if (rc == RS_EENDED) { // while a board was searched for
            frame_free(f);
            break;
        }
        dropped = capture_dropped(l->capture);
        if (rc >= 0)
            rc = picture_watch_look(&l->picture, f, l->tuning, why);
        l->now.trouble = l->picture.trouble;
        l->now.trouble_changes = l->picture.changes;
        if (rc >= 0 && l->shown.take)
            l->shown.take(l->shown.self, f);
        frame_free(f);
        if (rc < 0)
            return rc;
        hand_over(l, news);
        pthread_mutex_lock(&l->lock);
        l->counts.frames++;
        pthread_mutex_unlock(&l->lock);
    }
    capture_info(&info, l->capture);
    rc = info.end_s > 0 ? tracker_lose(l->tracker, info.end_s, why) : 0;
    if (rc == 0)
        rc = tracker_finish(news, l->tracker, why);
    l->now.last = true;
    l->now.trouble = l->picture.seen; // there is no longer a while to wait for
    if (rc >= 0)
        hand_over(l, news);
    return rc < 0 ? rc : LIVE_ENDED;
}

static void *track(void *arg)
{
    struct live_tracking *l = arg;
    struct event_list news = { 0 };
    struct fail why = { .text = "" };
    int rc = track_all(l, &news, &why);
    event_list_free(&news);
    pthread_mutex_lock(&l->lock);
    l->ended = rc;
    l->why = why;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
    return NULL;
}

static void release(struct live_tracking *l)
{
    for (int i = 0; i < l->count; i++)
        event_list_free(&l->queue[(l->first + i) % QUEUE_FRAMES].frame.events);
    pthread_cond_destroy(&l->changed);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

int live_tracking_start(struct live_tracking **out, struct tracker *t, struct capture *c, struct frame_tap shown,
                        const struct track_tuning *tuning, struct fail *why)
{
    struct live_tracking *l = calloc(1, sizeof *l);
    if (!l)
        return rs_fail(why, RS_ENOMEM, "no memory to track what the camera takes");
    l->tracker = t;
    l->capture = c;
    l->shown = shown;
    l->tuning = tuning;
    l->picture.looked_s = -INFINITY;
    pthread_mutex_init(&l->lock, NULL);
    clock_cond_init(&l->changed);
    int rc = pthread_create(&l->thread, NULL, track, l);
    if (rc != 0) {
        release(l);
        return rs_fail(why, RS_ELIB, "cannot start a thread for the tracker: %s", strerror(rc));
    }
    *out = l;
    return 0;
}

int live_tracking_next(struct tracked_frame *out, struct live_tracking *l, double wait_s, struct fail *why)
{
    struct timespec until = clock_time(clock_s() + wait_s);
    pthread_mutex_lock(&l->lock);
    while (l->count == 0 && l->ended == 0 && pthread_cond_timedwait(&l->changed, &l->lock, &until) != ETIMEDOUT)
        continue;
    int rc = l->count > 0 ? LIVE_FRAME : l->ended;
    if (rc == LIVE_FRAME) {
        struct queued *q = &l->queue[l->first];
        *out = q->frame;
        q->frame.events = (struct event_list){ 0 };
        if (out->events.count > 0)
            l->counts.longest_wait_s = fmax(l->counts.longest_wait_s, clock_s() - q->since_s);
        l->first = (l->first + 1) % QUEUE_FRAMES;
        l->count--;
        pthread_cond_broadcast(&l->changed);
    } else if (rc < 0) {
        *why = l->why;
    }
    pthread_mutex_unlock(&l->lock);
    return rc;
}

void live_tracking_end(struct live_tracking *l)
{
    pthread_mutex_lock(&l->lock);
    l->end = true;
    pthread_mutex_unlock(&l->lock);
}

void live_tracking_counts(struct live_counts *out, struct live_tracking *l)
{
    pthread_mutex_lock(&l->lock);
    *out = l->counts;
    pthread_mutex_unlock(&l->lock);
}

void live_tracking_stop(struct live_tracking *l)
{
    if (!l)
        return;
    pthread_mutex_lock(&l->lock);
    l->end = l->gone = true;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
    pthread_join(l->thread, NULL);
    release(l);
}
