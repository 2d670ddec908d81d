// SPDX-License-Identifier: MIT
#include "vision/source/frame_queue.h"

#include <math.h>
#include <string.h>

#include "vision/encoded.h"
#include "vision/source/source.h"

static size_t bytes_of(const struct frame *f)
{
    size_t pixels = (size_t)f->width * (size_t)f->height, bytes = f->encoded ? f->encoded->size : 0;
    if (f->bgr)
        bytes += 3 * pixels;
    if (f->coarse)
        bytes += 3 * pixels / ((size_t)f->coarseness * (size_t)f->coarseness);
    return bytes;
}

static struct frame *remove_at(struct frame_queue *q, int i)
{
    struct frame *f = q->waiting[i].frame;
    q->bytes -= bytes_of(f);
    memmove(&q->waiting[i], &q->waiting[i + 1], (size_t)(--q->count - i) * sizeof q->waiting[0]);
    return f;
}

// The one whose neighbours are nearest to each other; the newest has but one. -1: without any too much would be unseen.
static int least_missed(const struct frame_queue *q)
{
    int least = -1;
    double least_s = FRAMES_BRIDGED_S;
    for (int i = 0; i + 1 < q->count; i++) {
        double before_s = i > 0 ? q->waiting[i - 1].frame->t_s : q->given_s;
        double apart_s = q->waiting[i + 1].frame->t_s - before_s;
        if (apart_s <= least_s && (least < 0 || apart_s < least_s)) {
            least = i;
            least_s = apart_s;
        }
    }
    return least;
}

// The time before it of which it knows nothing passes to the frame behind it: nor is what lies between known.
static struct frame *drop(struct frame_queue *q, int i)
{
    struct frame *f = remove_at(q, i), *heir = q->waiting[i].frame;
    if (f->lost_s > 0)
        heir->lost_s = fmax(heir->lost_s, heir->t_s - (f->t_s - f->lost_s));
    q->waiting[i].missing = true;
    q->dropped++;
    return f;
}

void frame_queue_init(struct frame_queue *q)
{
    *q = (struct frame_queue){ .given_s = -INFINITY, .known_s = -INFINITY, .unknown_since_s = INFINITY };
}

void frame_queue_finish(struct frame_queue *q)
{
    for (int i = 0; i < q->count; i++)
        frame_free(q->waiting[i].frame);
}

struct frame *frame_queue_put(struct frame_queue *q, struct frame *f)
{
    // Calls come late by what waits: a computer that is too slow for all is to catch up.
    static const double LATE_S = 1.5;
    q->waiting[q->count++] = (struct waiting_frame){ .frame = f };
    q->bytes += bytes_of(f);
    bool full = q->count > FRAME_QUEUE_MOST || (q->count > FRAME_QUEUE_LEAST && q->bytes > FRAME_QUEUE_BYTES);
    bool late = !q->waits && f->t_s - q->waiting[0].frame->t_s > LATE_S;
    if (!full && !late)
        return NULL;
    int i = least_missed(q);
    return i >= 0 ? drop(q, i) : full ? drop(q, 0) : NULL;
}

struct frame *frame_queue_take(struct frame_queue *q)
{
    q->missing |= q->waiting[0].missing;
    struct frame *f = remove_at(q, 0);
    q->given_s = f->t_s;
    if (f->lost_s > 0)
        q->unknown_since_s = fmin(q->unknown_since_s, f->t_s - f->lost_s);
    if (f->doubtful) {
        f->lost_s = 0;
        return f;
    }
    bool unseen = q->unknown_since_s < f->t_s || f->t_s - q->known_s > FRAMES_BRIDGED_S;
    if (q->missing && unseen && !isinf(q->known_s))
        q->unknown_since_s = fmin(q->unknown_since_s, q->known_s);
    if (q->unknown_since_s < f->t_s)
        f->lost_s = f->t_s - q->unknown_since_s;
    q->known_s = f->t_s;
    q->missing = false;
    q->unknown_since_s = INFINITY;
    return f;
}
