// SPDX-License-Identifier: MIT
// watched.h: a script watched at one rate or another, and what was told of it. Include after stage.h.
#ifndef RINGSIDE_TESTS_VISION_TRACK_WATCHED_H
#define RINGSIDE_TESTS_VISION_TRACK_WATCHED_H

#include "tests/vision/track/stage.h"
#include "vision/track/live_tracking.h"

#define BLACK                                                                                                          \
    "black",                                                                                                           \
    {                                                                                                                  \
        40, 40, 40                                                                                                     \
    }
#define RED                                                                                                            \
    "red",                                                                                                             \
    {                                                                                                                  \
        40, 40, 200                                                                                                    \
    }

// A hand puts a black disc down at 0.7 s and shoots it at 1.1 s; at 1.3 s it strikes a red one, which runs on.
static const struct script a_shot = {
    .noise = 2,
    .actors = 2,
    .actor = { { BLACK, 5, { { 0.7, 0, -11 }, { 1.1, 0, -11 }, { 1.3, 0, 1.75 }, { 1.6, 1, 2.5 }, { 1e9, 1, 2.5 } } },
               { RED, 4, { { 0, 0, 3 }, { 1.3, 0, 3 }, { 1.9, -2, 9 }, { 1e9, -2, 9 } } } },
    .hand_keys = 5,
    .hand = { { 0.4, 0, -20 }, { 0.65, 0, -12 }, { 1.1, 0, -12 }, { 1.35, 0, -20 }, { 1.36, 0, -20 } },
};

enum { STORY_MAX = 256 };

struct told {
    struct picture_watch picture; // of what a camera sent
    int count;
    struct event item[STORY_MAX];
    double told_s[STORY_MAX]; // of the frame with which it was told
};

enum rate { FULL, HALF, VARIABLE, DROPPED, RATES };
static const char *const rate_name[RATES] = { "30 a second", "15 a second", "variable rate", "frames dropped" };

// The time of the i-th frame; negative for one that is lost.
static inline double frame_time(enum rate rate, int i)
{
    switch (rate) {
    case FULL:
        return i / 30.0;
    case HALF:
        return i / 15.0;
    case VARIABLE:
        return i / 30.0 + 0.012 * (i % 3);
    case DROPPED:
        return i % 5 == 3 ? -1 : i / 30.0;
    case RATES:
        break;
    }
    return -1;
}

static inline void note(struct told *told, const struct event_list *h, double t_s)
{
    for (int i = 0; i < h->count; i++) {
        assert_true(told->count < STORY_MAX);
        if (told->count > 0)
            assert_true(h->item[i].observation.t_s >= told->item[told->count - 1].observation.t_s);
        told->told_s[told->count] = t_s;
        told->item[told->count++] = h->item[i];
    }
}

// The frame as the camera's decoder gives it; freed is the one that it was drawn as.
typedef struct frame *send_frame(struct frame *drawn);

static inline struct told watch_sent(const struct script *script, enum rate rate, double until_s, send_frame *send)
{
    static const struct board_hint somewhere = { .kind = HINT_BOX };
    struct tuning tuning = tuning_defaults;
    tuning.hint = script->hint_until_s > 0 ? &somewhere : NULL;
    struct tracker_stages finders = { stage_find_board, stage_refit, stage_find_pieces, stage_suffices };
    struct event_list news = { 0 };
    struct told told = { .picture.looked_s = 0.1 }; // out of step with the tracker
    struct tracker *e;
    uint32_t seed = 7;
    double known_s = 0; // when the last frame was that is to be believed
    on_stage = script;
    stage_looks.count = 0;
    assert_int_equal(tracker_create(&e, board_builtin("crokinole-nca"), NULL, &finders, &tuning, NULL), 0);
    for (int i = 0; frame_time(rate, i) < until_s; i++) {
        if (frame_time(rate, i) < 0 ||
            (frame_time(rate, i) > script->gap_from_s && frame_time(rate, i) < script->gap_to_s))
            continue;
        struct frame *f = stage_frame(frame_time(rate, i), &seed);
        assert_non_null(f);
        f = send ? send(f) : f;
        f->doubtful = f->t_s > script->lost_from_s && f->t_s < script->lost_to_s;
        if (f->doubtful) {
            memset(f->bgr, 99, 3 * (size_t)f->width * (size_t)f->height / 2);
        } else {
            f->lost_s = script->lost_to_s > known_s && f->t_s >= script->lost_to_s ? f->t_s - known_s : 0;
            known_s = f->t_s;
        }
        assert_int_equal(tracker_feed(&news, e, f, NULL), 0);
        note(&told, &news, f->t_s);
        assert_int_equal(send ? picture_watch_look(&told.picture, f, &tuning.track, NULL) : 0, 0);
        frame_free(f);
    }
    assert_int_equal(tracker_finish(&news, e, NULL), 0);
    note(&told, &news, until_s);
    tracker_free(e);
    event_list_free(&news);
    return told;
}

static inline struct told watch(const struct script *script, enum rate rate, double until_s)
{
    return watch_sent(script, rate, until_s, NULL);
}

static inline int count(const struct told *t, enum observation_kind kind)
{
    int n = 0;
    for (int i = 0; i < t->count; i++)
        n += t->item[i].observation.kind == kind;
    return n;
}

static inline int count_moves(const struct told *t, enum mover cause)
{
    int n = 0;
    for (int i = 0; i < t->count; i++)
        n += t->item[i].observation.kind == OBS_MOVE && t->item[i].observation.move.by == cause;
    return n;
}

// The n-th (from 0) of a kind; fails when there are fewer.
static inline const struct event *nth(const struct told *t, enum observation_kind kind, int n)
{
    for (int i = 0; i < t->count; i++)
        if (t->item[i].observation.kind == kind && n-- == 0)
            return &t->item[i];
    fail_msg("no event of kind %d", (int)kind);
    return NULL;
}

static inline const struct event *last_rest(const struct told *t, int id)
{
    const struct event *last = NULL;
    for (int i = 0; i < t->count; i++)
        if (t->item[i].observation.kind == OBS_REST && t->item[i].observation.id == id)
            last = &t->item[i];
    assert_non_null(last);
    return last;
}

#endif
