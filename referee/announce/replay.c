// SPDX-License-Identifier: MIT
#include "referee/announce/replay.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "referee/announce/close_view.h"
#include "referee/announce/json.h"
#include "vision/source/jpeg.h"
#include "vision/source/picture_queue.h"

enum {
    RING_PICTURES = 1200,  // 20 s of the fastest webcams
    RING_BYTES = 64 << 20, // some ten seconds of 1920 x 1080
    CLIP_PICTURES = 480,   // of one call,
    CLIP_BYTES = 14 << 20, // which ends with it: the beginning of a long shot is left out
    CALLS_WAITING = 4,     // to be enlarged
    SMALL_SIDE_PX = 640    // of pictures made here
};
// Ten small ones a second, at any usual rate.
static const double SMALL_EVERY_S = 0.09, STILL_EVERY_S = 0.2;

// A close call that waits for its picture, or has it.
struct replayed {
    int match, shot;
    double lasts_s; // of the shot, with what lies behind it
    struct known_piece piece;
    struct board board;
    struct board_pose pose;
    struct frame *still;     // in which the piece lies; the thread's
    struct encoded *picture; // NULL: not yet
    struct picture_queue clip;
};

struct replay {
    pthread_t thread;
    struct jpeg *jpeg; // of the thread that shows
    double small_s, still_s;
    struct replayed said[CALLS_WAITING]; // of the thread that judges: known, and not settled
    int said_count;
    pthread_mutex_t lock; // guards what follows
    pthread_cond_t changed;
    struct picture_queue ring;
    struct frame *still;                                          // the newest one
    struct replayed *waiting[CALLS_WAITING], *kept[REPLAY_CALLS]; // kept: newest first
    int waits, keeps;
    int match; // counted from 0
    bool stop;
};

static void replayed_free(struct replayed *c)
{
    if (!c)
        return;
    frame_free(c->still);
    encoded_release(c->picture);
    picture_queue_finish(&c->clip);
    free(c);
}

// Takes over `c`. The same piece of the same shot, judged again, stands once.
static void keep(struct replay *r, struct replayed *c)
{
    struct replayed *gone = NULL;
    pthread_mutex_lock(&r->lock);
    if (c->match != r->match) {
        pthread_mutex_unlock(&r->lock);
        replayed_free(c);
        return;
    }
    int at = 0;
    while (at < r->keeps && (r->kept[at]->shot != c->shot || r->kept[at]->piece.id != c->piece.id))
        at++;
    if (at == REPLAY_CALLS)
        at--;
    if (at < r->keeps)
        gone = r->kept[at];
    else
        r->keeps++;
    memmove(&r->kept[1], &r->kept[0], (size_t)at * sizeof r->kept[0]);
    r->kept[0] = c;
    pthread_mutex_unlock(&r->lock);
    replayed_free(gone);
}

static int enlarge(struct replayed *c, struct jpeg *jpeg, struct fail *why)
{
    struct frame *view = NULL;
    int rc = frame_decode(c->still, why);
    const struct close_view wish = { c->still, &c->pose, &c->board, &c->piece };
    if (rc == 0)
        rc = close_view_make(&view, &wish, why);
    if (rc == 0)
        rc = jpeg_encode_held(&c->picture, jpeg, view, JPEG_FINE, why);
    frame_free(view);
    frame_free(c->still);
    c->still = NULL;
    return rc;
}

static void *work(void *self)
{
    struct replay *r = self;
    struct jpeg *jpeg = NULL;
    struct fail mute; // what cannot be shown is judged all the same
    bool works = jpeg_create(&jpeg, &mute) == 0;
    pthread_mutex_lock(&r->lock);
    while (!r->stop) {
        if (r->waits == 0) {
            pthread_cond_wait(&r->changed, &r->lock);
            continue;
        }
        struct replayed *c = r->waiting[0];
        memmove(&r->waiting[0], &r->waiting[1], (size_t)--r->waits * sizeof r->waiting[0]);
        pthread_mutex_unlock(&r->lock);
        if (works && enlarge(c, jpeg, &mute) == 0)
            keep(r, c);
        else
            replayed_free(c);
        pthread_mutex_lock(&r->lock);
    }
    pthread_mutex_unlock(&r->lock);
    jpeg_free(jpeg);
    return NULL;
}

static void give_back(struct replay *r)
{
    picture_queue_finish(&r->ring);
    jpeg_free(r->jpeg);
    pthread_mutex_destroy(&r->lock);
    pthread_cond_destroy(&r->changed);
    free(r);
}

int replay_create(struct replay **out, struct fail *why)
{
    struct replay *r = calloc(1, sizeof *r);
    if (!r)
        return rs_fail(why, RS_ENOMEM, "no memory to replay calls");
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->changed, NULL);
    r->small_s = r->still_s = -INFINITY;
    int rc = jpeg_create(&r->jpeg, why);
    if (rc == 0)
        rc = picture_queue_init(&r->ring, RING_PICTURES, why);
    int error = rc == 0 ? pthread_create(&r->thread, NULL, work, r) : 0;
    if (error != 0)
        rc = rs_fail(why, RS_ELIB, "cannot start a thread to enlarge close calls: %s", strerror(error));
    if (rc < 0)
        give_back(r);
    else
        *out = r;
    return rc;
}

static void forget(struct replay *r)
{
    struct held_picture old;
    for (int i = 0; i < r->waits; i++)
        replayed_free(r->waiting[i]);
    for (int i = 0; i < r->keeps; i++)
        replayed_free(r->kept[i]);
    while (picture_queue_take(&old, &r->ring))
        encoded_release(old.picture);
    frame_free(r->still);
    r->still = NULL;
    r->waits = r->keeps = r->said_count = 0;
    r->small_s = r->still_s = -INFINITY;
}

void replay_restart(struct replay *r)
{
    pthread_mutex_lock(&r->lock);
    forget(r);
    r->match++;
    pthread_mutex_unlock(&r->lock);
}

void replay_free(struct replay *r)
{
    if (!r)
        return;
    pthread_mutex_lock(&r->lock);
    r->stop = true;
    pthread_cond_signal(&r->changed);
    pthread_mutex_unlock(&r->lock);
    pthread_join(r->thread, NULL);
    forget(r);
    give_back(r);
}

// Of what came without a JPEG: every so many pixels of it, for as many as a page shows.
static struct encoded *make_small(struct replay *r, const struct frame *f)
{
    int coarseness = f->bgr ? 1 : f->coarseness, width = f->width / coarseness, height = f->height / coarseness;
    const uint8_t *from = f->bgr ? f->bgr : f->coarse;
    int longer = width > height ? width : height, step = (longer + SMALL_SIDE_PX - 1) / SMALL_SIDE_PX;
    struct frame *small = NULL;
    struct encoded *e = NULL;
    struct fail mute;
    if (!from || frame_create(&small, width / step, height / step, &mute) < 0)
        return NULL;
    for (int v = 0; v < small->height; v++)
        for (int u = 0; u < small->width; u++)
            memcpy(small->bgr + 3 * ((size_t)v * (size_t)small->width + (size_t)u),
                   from + 3 * ((size_t)(v * step) * (size_t)width + (size_t)(u * step)), 3);
    jpeg_encode_held(&e, r->jpeg, small, REPLAY_PAGE_QUALITY, &mute); // else there is none
    frame_free(small);
    return e;
}

// Without decoding it again.
static int hold_still(struct frame **out, const struct frame *f, struct fail *why)
{
    return f->encoded ? frame_create_encoded(out, f->encoded, f->decoder, why) : frame_copy(out, f, why);
}

void replay_show(struct replay *r, const struct frame *f)
{
    struct fail mute;
    struct frame *still = NULL, *before = NULL;
    struct encoded *e = NULL;
    bool sent = f->encoded && f->encoded->encoding == ENCODED_JPEG;
    if (sent)
        e = encoded_hold(f->encoded);
    else if (f->t_s >= r->small_s + SMALL_EVERY_S) {
        e = make_small(r, f);
        r->small_s = f->t_s;
    }
    if (f->t_s >= r->still_s + STILL_EVERY_S) {
        int rc = hold_still(&still, f, &mute);
        r->still_s = rc == 0 ? f->t_s : r->still_s;
    }
    pthread_mutex_lock(&r->lock);
    const struct picture_mark mark = { f->number, f->t_s, f->lost_s };
    if (e)
        picture_queue_keep(&r->ring, e, &mark, LAST_PICTURES_S, RING_BYTES);
    if (still) {
        before = r->still;
        r->still = still;
    }
    pthread_mutex_unlock(&r->lock);
    encoded_release(e);
    frame_free(before);
}

static int hear(void *self, const struct match *m, const struct ruling *ruling, struct fail *why)
{
    struct replay *r = self;
    (void)why;
    // What a judge says of a shot later on changes nothing that was seen of it.
    for (int i = 0; i < ruling->calls.count && ruling->shot_ended && ruling->amended_shot == 0; i++) {
        const struct call *c = &ruling->calls.call[i];
        const struct known_piece *p = piece_table_find(&m->table, c->piece);
        if (c->firm || !c->measured || !p || c->change != CALL_MADE || r->said_count == CALLS_WAITING)
            continue;
        r->said[r->said_count++] = (struct replayed){
            .shot = c->shot, .lasts_s = m->shot.rest_s - m->shot.start_s, .piece = *p, .board = m->board
        };
    }
    return 0;
}

struct announcer replay_announcer(struct replay *r)
{
    return (struct announcer){ hear, r };
}

// The pictures of the shot, with the lock held: those nearest to its end, where they are too many.
static void take_clip(struct replayed *c, const struct picture_queue *ring)
{
    int first = ring->count;
    size_t bytes = 0;
    double last_s = first > 0 ? picture_queue_at(ring, first - 1)->mark.t_s : 0;
    while (first > 0 && ring->count - first < CLIP_PICTURES) {
        const struct held_picture *p = picture_queue_at(ring, first - 1);
        bytes += p->picture->size;
        if (bytes > CLIP_BYTES || p->mark.t_s < last_s - c->lasts_s - REPLAY_BEFORE_S)
            break;
        first--;
    }
    for (int i = first; i < ring->count; i++) {
        const struct held_picture *p = picture_queue_at(ring, i);
        picture_queue_add(&c->clip, p->picture, &p->mark);
    }
}

void replay_settle(struct replay *r, const struct board_pose *pose)
{
    struct fail mute;
    for (int i = 0; i < r->said_count; i++) {
        struct replayed *c = malloc(sizeof *c), *gone = NULL;
        if (c)
            *c = r->said[i];
        if (!c || !pose->found || picture_queue_init(&c->clip, CLIP_PICTURES, &mute) < 0) {
            free(c);
            continue;
        }
        c->pose = *pose;
        pthread_mutex_lock(&r->lock);
        c->match = r->match;
        int rc = RS_EINPUT;
        if (r->still)
            rc = hold_still(&c->still, r->still, &mute);
        if (rc == 0) {
            take_clip(c, &r->ring);
            if (r->waits == CALLS_WAITING) {
                gone = r->waiting[0];
                memmove(&r->waiting[0], &r->waiting[1], (size_t)--r->waits * sizeof r->waiting[0]);
            }
            r->waiting[r->waits++] = c;
            pthread_cond_signal(&r->changed);
        }
        pthread_mutex_unlock(&r->lock);
        replayed_free(rc == 0 ? gone : c);
    }
    r->said_count = 0;
}

static void append_kept(json_t *list, struct replay *r)
{
    pthread_mutex_lock(&r->lock);
    for (int i = 0; i < r->keeps; i++) {
        json_t *times = json_array();
        for (int k = 0; k < r->kept[i]->clip.count; k++)
            json_array_append_new(times, json_real(picture_queue_at(&r->kept[i]->clip, k)->mark.t_s));
        json_array_append_new(
            list, json_pack("{s:i, s:i, s:o}", "shot", r->kept[i]->shot, "piece", r->kept[i]->piece.id, "t_s", times));
    }
    pthread_mutex_unlock(&r->lock);
}

char *replay_list(struct replay *r)
{
    json_t *list = json_array();
    if (list && r)
        append_kept(list, r);
    return json_text(json_pack("{s:i, s:o}", "ringside", JSON_VERSION, "close", list));
}

struct encoded *replay_picture(struct replay *r, int shot, int piece, int number)
{
    struct encoded *e = NULL;
    pthread_mutex_lock(&r->lock);
    for (int i = 0; i < r->keeps; i++) {
        const struct replayed *c = r->kept[i];
        if (c->shot != shot || c->piece.id != piece)
            continue;
        if (number < 0)
            e = encoded_hold(c->picture);
        else if (number < c->clip.count)
            e = encoded_hold(picture_queue_at(&c->clip, number)->picture);
        break;
    }
    pthread_mutex_unlock(&r->lock);
    return e;
}
