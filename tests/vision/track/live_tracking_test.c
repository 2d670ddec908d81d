// SPDX-License-Identifier: MIT
// Tracking in a thread of its own tells what it tells without one, in order, however slow the taker is; and holds
// nobody up.
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/vision/track/watched.h"
#include "vision/source/frame_queue.h"
#include "vision/track/live_tracking.h"

static const double PATIENCE_S = 60; // however busy the machine is

// A source that plays the stage, as fast as it is asked.
struct theatre {
    struct source base;
    int frames, given;
    double every_s;
    bool loses;       // something before every second frame, which is news by the next
    int loses_before; // that frame as well; 0: none
    uint32_t seed;
};

static int next_frame(struct frame **out, struct source *s, struct fail *why)
{
    struct theatre *t = (struct theatre *)s;
    if (t->given == t->frames)
        return SOURCE_ENDED;
    *out = stage_frame(t->given * t->every_s, &t->seed);
    if (*out)
        (*out)->lost_s = (t->loses && t->given % 2) || (t->given > 0 && t->given == t->loses_before) ? 0.05 : 0;
    t->given++;
    return *out ? SOURCE_FRAME : rs_fail(why, RS_ENOMEM, "no memory for a stage");
}

static void close_nothing(struct source *s)
{
    (void)s;
}

static const struct source_kind theatre_kind = { .next = next_frame, .close = close_nothing };

static struct theatre *open_theatre(int frames, double every_s, bool loses)
{
    struct theatre *t = calloc(1, sizeof *t);
    assert_non_null(t);
    *t =
        (struct theatre){ .base.kind = &theatre_kind, .frames = frames, .every_s = every_s, .loses = loses, .seed = 7 };
    return t;
}

struct set_up {
    struct theatre *source;
    struct capture *capture;
    struct tracker *tracker;
    struct live_tracking *live;
};

static struct set_up begin(struct theatre *source, const struct tracker_stages *stages, bool playback)
{
    struct set_up s = { .source = source };
    struct fail why = { .text = "" };
    const struct board *board = board_builtin("crokinole-nca");
    assert_int_equal(tracker_create(&s.tracker, board, NULL, stages, &tuning_defaults, &why), 0);
    assert_int_equal(capture_start(&s.capture, &source->base, playback, NULL, &why), 0);
    assert_int_equal(live_tracking_start(&s.live, s.tracker, s.capture, (struct frame_tap){ NULL, NULL },
                                         &tuning_defaults.track, &why),
                     0);
    return s;
}

static void end(struct set_up *s)
{
    live_tracking_stop(s->live);
    capture_stop(s->capture);
    tracker_free(s->tracker);
    source_close(&s->source->base);
}

static void a_thread_tells_what_is_told_without(void **state)
{
    (void)state;
    const double until_s = 2.5;
    static struct told without, with;
    struct fail why = { .text = "" };
    struct tracked_frame t;
    bool last = false;
    without = watch(&a_shot, FULL, until_s);
    struct tracker_stages stages = { stage_find_board, stage_refit, stage_find_pieces, stage_suffices };
    struct set_up s = begin(open_theatre((int)lround(until_s * 30), 1 / 30.0, false), &stages, true);
    int rc;
    while ((rc = live_tracking_next(&t, s.live, PATIENCE_S, &why)) == LIVE_FRAME) {
        assert_false(last);
        last = t.last;
        note(&with, &t.events, t.t_s);
        event_list_free(&t.events);
    }
    assert_int_equal(rc, LIVE_ENDED);
    assert_true(last);
    assert_int_equal(with.count, without.count);
    assert_true(with.count > 5);
    for (int i = 0; i < with.count; i++) {
        const struct observation *a = &with.item[i].observation, *b = &without.item[i].observation;
        assert_true(a->kind == b->kind && a->id == b->id && fabs(a->t_s - b->t_s) < 1e-9);
    }
    struct live_counts counts;
    live_tracking_counts(&counts, s.live);
    assert_int_equal(counts.frames, s.source->given);
    end(&s);
}

static const struct script empty_board = { .noise = 1 };

static void nothing_is_lost_when_nobody_takes_it(void **state)
{
    (void)state;
    enum { FRAMES = 250 };
    struct fail why = { .text = "" };
    struct live_counts counts = { .frames = 0 };
    struct tracked_frame t;
    double last_s = -1;
    long taken = 0, lost = 0;
    int rc;
    on_stage = &empty_board;
    struct tracker_stages stages = { stage_find_board, stage_refit, stage_find_pieces, stage_suffices };
    struct set_up s = begin(open_theatre(FRAMES, 1, true), &stages, false);
    // Until much waits to be taken; a slow machine drops most at capture.
    while (counts.longest_queue < 30 && counts.frames + capture_dropped(s.capture) < FRAMES) {
        nanosleep(&(struct timespec){ 0, 20000000 }, NULL);
        live_tracking_counts(&counts, s.live);
    }
    nanosleep(&(struct timespec){ 0, 500000000 }, NULL);
    live_tracking_counts(&counts, s.live);
    int longest = counts.longest_queue;
    for (; (rc = live_tracking_next(&t, s.live, PATIENCE_S, &why)) == LIVE_FRAME; taken++) {
        assert_true(t.t_s >= last_s);
        last_s = t.t_s;
        for (int i = 0; i < t.events.count; i++)
            lost += t.events.item[i].observation.kind == OBS_CAMERA &&
                    t.events.item[i].observation.camera.what == CAMERA_DAMAGED;
        event_list_free(&t.events);
    }
    assert_int_equal(rc, LIVE_ENDED);
    live_tracking_counts(&counts, s.live);
    assert_true(taken >= longest && lost >= longest / 3);
    assert_true(longest < 2 || counts.longest_wait_s > 0);
    assert_int_equal(counts.frames + capture_dropped(s.capture), FRAMES);
    assert_true(last_s >= FRAMES - 1 - 0.5); // the newest were kept
    end(&s);
}

static void frames_that_bring_nothing_take_no_room(void **state)
{
    (void)state;
    struct live_counts counts = { .frames = 0 };
    on_stage = &empty_board;
    struct tracker_stages stages = { stage_find_board, stage_refit, stage_find_pieces, stage_suffices };
    struct set_up s = begin(open_theatre(100, 0.02, false), &stages, true);
    while (counts.frames < 100) {
        nanosleep(&(struct timespec){ 0, 20000000 }, NULL);
        live_tracking_counts(&counts, s.live);
    }
    assert_true(counts.longest_queue < 10);
    assert_int_equal(capture_dropped(s.capture), 0);
    end(&s);
}

static atomic_bool searching, found;

static int find_late(struct board_pose *out, struct frame *f, const struct board *wanted, const struct lens *lens,
                     const struct tuning *tuning, struct fail *why)
{
    searching = true;
    while (!found)
        nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    return stage_find_board(out, f, wanted, lens, tuning, why);
}

// Whoever asks is answered at once, and may end it, while the board is searched for.
static void a_long_look_holds_nobody_up(void **state)
{
    (void)state;
    struct fail why = { .text = "" };
    struct tracked_frame t;
    on_stage = &empty_board;
    searching = found = false;
    struct tracker_stages stages = { find_late, stage_refit, stage_find_pieces, stage_suffices };
    struct set_up s = begin(open_theatre(1000, 0.02, false), &stages, false);
    while (!searching)
        nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    for (int i = 0; i < 3; i++)
        assert_int_equal(live_tracking_next(&t, s.live, 0.001, &why), LIVE_NOTHING);
    live_tracking_end(s.live);
    found = true;
    int rc;
    while ((rc = live_tracking_next(&t, s.live, PATIENCE_S, &why)) == LIVE_FRAME)
        event_list_free(&t.events);
    assert_int_equal(rc, LIVE_ENDED);
    assert_true(t.last && t.pose.found);
    struct live_counts counts;
    live_tracking_counts(&counts, s.live);
    assert_int_equal(counts.frames, 1);
    end(&s);
}

static int find_until_a_signal(struct board_pose *out, struct frame *f, const struct board *wanted,
                               const struct lens *lens, const struct tuning *tuning, struct fail *why)
{
    (void)wanted, (void)lens, (void)tuning;
    *out = (struct board_pose){ .found = false };
    return f->t_s > 0 ? rs_fail(why, RS_EENDED, "ended by SIGTERM") : rs_fail(why, 0, "nothing looks like it");
}

// It is an end like any other: what is known is handed over, and nothing has failed.
static void a_signal_while_the_board_is_searched_for_ends_it(void **state)
{
    (void)state;
    struct fail why = { .text = "" };
    struct tracked_frame t;
    on_stage = &empty_board;
    struct tracker_stages stages = { find_until_a_signal, stage_refit, stage_find_pieces, stage_suffices };
    struct set_up s = begin(open_theatre(1000, 0.02, false), &stages, false);
    int rc;
    while ((rc = live_tracking_next(&t, s.live, PATIENCE_S, &why)) == LIVE_FRAME)
        event_list_free(&t.events);
    assert_int_equal(rc, LIVE_ENDED);
    assert_true(t.last && !t.pose.found && t.t_s > 0);
    assert_string_equal(t.unfound.text, "nothing looks like it"); // what the last whole search said
    end(&s);
}

// Pictures are lost before the first that is dropped, while the board is searched for.
static void a_loss_is_told_though_its_picture_was_dropped(void **state)
{
    (void)state;
    struct fail why = { .text = "" };
    struct tracked_frame t;
    int told = 0;
    on_stage = &empty_board;
    searching = found = false;
    struct tracker_stages stages = { find_late, stage_refit, stage_find_pieces, stage_suffices };
    struct theatre *source = open_theatre(1 + 2 * FRAME_QUEUE_MOST, 0.02, false);
    source->loses_before = 1;
    struct set_up s = begin(source, &stages, false);
    while (!searching || capture_dropped(s.capture) < FRAME_QUEUE_MOST)
        nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    found = true;
    int rc;
    while ((rc = live_tracking_next(&t, s.live, PATIENCE_S, &why)) == LIVE_FRAME) {
        for (int i = 0; i < t.events.count; i++)
            told += t.events.item[i].observation.kind == OBS_CAMERA &&
                    t.events.item[i].observation.camera.what == CAMERA_DAMAGED;
        event_list_free(&t.events);
    }
    assert_int_equal(rc, LIVE_ENDED);
    assert_int_equal(told, 1);
    end(&s);
}

static atomic_int searches;

static int find_slowly(struct board_pose *out, struct frame *f, const struct board *wanted, const struct lens *lens,
                       const struct tuning *tuning, struct fail *why)
{
    searches++;
    return find_late(out, f, wanted, lens, tuning, why);
}

// So long that frames are dropped for longer than what a piece can be followed across.
static void a_board_that_is_found_slowly_is_not_searched_for_again(void **state)
{
    (void)state;
    enum { FRAMES = 1 + 2 * FRAME_QUEUE_MOST };
    struct fail why = { .text = "" };
    struct tracked_frame t;
    int lost = 0;
    on_stage = &empty_board;
    searching = found = false;
    searches = 0;
    struct tracker_stages stages = { find_slowly, stage_refit, stage_find_pieces, stage_suffices };
    struct set_up s = begin(open_theatre(FRAMES, 0.1, false), &stages, false);
    while (!searching || capture_dropped(s.capture) < FRAME_QUEUE_MOST)
        nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    found = true;
    int rc;
    while ((rc = live_tracking_next(&t, s.live, PATIENCE_S, &why)) == LIVE_FRAME) {
        for (int i = 0; i < t.events.count; i++) {
            const struct observation *o = &t.events.item[i].observation;
            lost += o->kind == OBS_CAMERA && o->camera.what == CAMERA_DAMAGED;
        }
        event_list_free(&t.events);
    }
    assert_int_equal(rc, LIVE_ENDED);
    assert_int_equal(searches, 1);
    assert_int_equal(lost, 1);
    end(&s);
}

// A tracker that waits for room is let go.
static void a_stop_ends_one_that_waits(void **state)
{
    (void)state;
    struct live_counts counts = { .frames = 0 };
    on_stage = &empty_board;
    struct tracker_stages stages = { stage_find_board, stage_refit, stage_find_pieces, stage_suffices };
    struct set_up s = begin(open_theatre(250, 1, true), &stages, false);
    while (counts.longest_queue < 30 && counts.frames + capture_dropped(s.capture) < s.source->frames) {
        nanosleep(&(struct timespec){ 0, 10000000 }, NULL);
        live_tracking_counts(&counts, s.live);
    }
    end(&s);
    live_tracking_stop(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_tells_what_is_told_without),
        cmocka_unit_test(nothing_is_lost_when_nobody_takes_it),
        cmocka_unit_test(frames_that_bring_nothing_take_no_room),
        cmocka_unit_test(a_long_look_holds_nobody_up),
        cmocka_unit_test(a_signal_while_the_board_is_searched_for_ends_it),
        cmocka_unit_test(a_loss_is_told_though_its_picture_was_dropped),
        cmocka_unit_test(a_board_that_is_found_slowly_is_not_searched_for_again),
        cmocka_unit_test(a_stop_ends_one_that_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
