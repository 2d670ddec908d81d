// SPDX-License-Identifier: MIT
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "referee/announce/movie.h"
#include "tests/vision/scratch.h"
#include "vision/source/capture.h"

enum { FRAMES = 40 };

static const double FRAMES_PER_S = 100;
static const double PATIENCE_S = 60; // however busy the machine is

static int put_footage(void **state)
{
    if (scratch_create(state) != 0)
        return -1;
    struct fail why = { .text = "" };
    struct movie *m = NULL;
    struct frame *f = scratch_frame(64, 48);
    assert_int_equal(movie_create(&m, scratch_path(*state, "a.mp4"), 64, 48, FRAMES_PER_S, &why), 0);
    for (int i = 0; i < FRAMES; i++) {
        f->t_s = i / FRAMES_PER_S;
        assert_int_equal(movie_add(m, f, &why), 0);
    }
    assert_int_equal(movie_finish(m, &why), 0);
    frame_free(f);
    return 0;
}

static double clock_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static struct capture *start(struct source **source, const struct scratch *s, bool playback)
{
    struct fail why = { .text = "" };
    struct capture *c = NULL;
    assert_int_equal(footage_open(source, scratch_path(s, "a.mp4"), &why), 0);
    assert_int_equal(capture_start(&c, *source, playback, &why), 0);
    return c;
}

static void every_frame_is_given_out_or_counted(void **state)
{
    struct fail why = { .text = "" };
    struct source *source = NULL;
    struct capture *c = start(&source, *state, false);
    struct frame *f;
    long given = 0, last = -1;
    int rc;
    while ((rc = capture_next(c, &f, PATIENCE_S, &why)) == CAPTURE_FRAME) {
        assert_true(f->number > last);
        last = f->number;
        given++;
        frame_free(f);
        nanosleep(&(struct timespec){ 0, 3000000 }, NULL);
    }
    assert_int_equal(rc, CAPTURE_ENDED);
    assert_int_equal(last, FRAMES - 1);
    assert_int_equal(given + capture_dropped(c), FRAMES);
    capture_stop(c);
    source_close(source);
}

static void paced_footage_takes_its_time(void **state)
{
    struct fail why = { .text = "" };
    struct source *source = NULL;
    double begun_s = clock_s();
    struct capture *c = start(&source, *state, true);
    struct frame *f;
    struct source_info info;
    while (capture_next(c, &f, PATIENCE_S, &why) == CAPTURE_FRAME) {
        assert_true(clock_s() >= capture_begun_s(c) + f->t_s); // no picture is there before its time
        frame_free(f);
    }
    assert_true(clock_s() - begun_s >= (FRAMES - 1) / FRAMES_PER_S);
    assert_true(capture_begun_s(c) >= begun_s);
    capture_info(&info, c);
    assert_int_equal(info.width, 64);
    assert_string_equal(info.name, "a.mp4");
    capture_stop(c);
    source_close(source);
}

// All frames are due long before the first is asked for, and more than are held ready.
static void a_recording_waits_for_its_reader(void **state)
{
    struct fail why = { .text = "" };
    struct source *source = NULL;
    struct capture *c = start(&source, *state, true);
    struct frame *f;
    long given = 0;
    nanosleep(&(struct timespec){ 0, 500000000 }, NULL);
    for (; capture_next(c, &f, PATIENCE_S, &why) == CAPTURE_FRAME; given++) {
        assert_int_equal(f->number, given);
        frame_free(f);
    }
    assert_int_equal(given, FRAMES);
    assert_int_equal(capture_dropped(c), 0);
    capture_stop(c);
    source_close(source);
}

// A camera's reader that sleeps finds the newest frames, and the number of the others.
static void a_camera_drops_the_oldest(void **state)
{
    struct fail why = { .text = "" };
    struct source *source = NULL;
    struct capture *c = start(&source, *state, false);
    struct frame *f;
    long first = -1, given = 0;
    while (capture_dropped(c) == 0)
        nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    for (; capture_next(c, &f, PATIENCE_S, &why) == CAPTURE_FRAME; given++) {
        first = given == 0 ? f->number : first;
        frame_free(f);
    }
    assert_true(first > 0);
    assert_int_equal(given + capture_dropped(c), FRAMES);
    capture_stop(c);
    source_close(source);
}

// A camera that sends what stands there, as fast as it is asked; then it ends.
struct sent_frame {
    double lost_s;
    bool doubtful;
};

struct sender {
    struct source base;
    const struct sent_frame *begin; // of its frames; the others are of no interest
    int begins, sent;
};

enum { SENT_FRAMES = CAPTURE_READY_FRAMES + 4 };

static int send_next(struct source *base, struct frame **out, struct fail *why)
{
    struct sender *s = (struct sender *)base;
    if (s->sent == SENT_FRAMES)
        return SOURCE_ENDED;
    int rc = frame_create(out, 8, 8, why);
    if (rc < 0)
        return rc;
    (*out)->number = s->sent;
    (*out)->t_s = s->sent / FRAMES_PER_S;
    if (s->sent < s->begins) {
        (*out)->lost_s = s->begin[s->sent].lost_s;
        (*out)->doubtful = s->begin[s->sent].doubtful;
    }
    s->sent++;
    return SOURCE_FRAME;
}

static void send_nothing(struct source *s)
{
    (void)s;
}

static const struct source_kind sender_kind = { send_next, send_nothing };

// The first four are dropped, since nobody asks before all were sent.
static void what_a_dropped_frame_tells_the_next_one_tells(void **state)
{
    static const struct {
        const char *name;
        struct sent_frame begin[8];
        int told_by;   // the only frame that tells of a loss; -1: none
        double lost_s; // that it tells of, of frames of 0.01 s
    } row[] = {
        { "no loss, nothing told", { { 0, false } }, -1, 0 },
        { "of the last that is dropped", { [3] = { 0.5, false } }, 4, 0.51 },
        { "of the first that is dropped", { [0] = { 0.5, false } }, 4, 0.54 },
        { "of two, the longer way back", { [1] = { 0.5, false }, [3] = { 0.005, false } }, 4, 0.53 },
        { "the next has one of its own", { [3] = { 0.5, false }, [4] = { 0.01, false } }, 4, 0.51 },
        { "the next is not believed", { [3] = { 0.5, false }, [4] = { 0, true }, [5] = { 0, true } }, 6, 0.53 },
        { "of one that is not dropped", { [4] = { 0.5, false } }, 4, 0.5 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct fail why = { .text = "" };
        struct sender *s = calloc(1, sizeof *s);
        struct capture *c = NULL;
        struct frame *f;
        assert_non_null(s);
        *s = (struct sender){ .base.kind = &sender_kind, .begin = row[i].begin, .begins = 8 };
        assert_int_equal(capture_start(&c, &s->base, false, &why), 0);
        while (capture_dropped(c) < SENT_FRAMES - CAPTURE_READY_FRAMES)
            nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
        int given = 0, told_by = -1;
        for (; capture_next(c, &f, PATIENCE_S, &why) == CAPTURE_FRAME; given++) {
            if (f->lost_s > 0 && (told_by >= 0 || fabs(f->lost_s - row[i].lost_s) > 1e-9))
                fail_msg("%s: frame %ld tells of %g s", row[i].name, f->number, f->lost_s);
            told_by = f->lost_s > 0 ? (int)f->number : told_by;
            frame_free(f);
        }
        assert_int_equal(given, CAPTURE_READY_FRAMES);
        if (told_by != row[i].told_by)
            fail_msg("%s: told by frame %d", row[i].name, told_by);
        capture_stop(c);
        source_close(&s->base);
    }
}

static void a_stop_ends_a_recording_that_waits(void **state)
{
    struct source *source = NULL;
    struct capture *c = start(&source, *state, true);
    nanosleep(&(struct timespec){ 0, 300000000 }, NULL);
    capture_stop(c);
    source_close(source);
}

static void nobody_waits_longer_than_asked_and_a_stop_is_prompt(void **state)
{
    struct fail why = { .text = "" };
    struct source *source = NULL;
    struct capture *c = start(&source, *state, true);
    struct frame *f;
    for (int i = 0; i < 3; i++)
        if (capture_next(c, &f, PATIENCE_S, &why) == CAPTURE_FRAME)
            frame_free(f);
    int rc = capture_next(c, &f, 0, &why);
    if (rc == CAPTURE_FRAME)
        frame_free(f);
    else
        assert_int_equal(rc, CAPTURE_NOTHING);
    capture_stop(c);
    capture_stop(NULL);
    source_close(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_frame_is_given_out_or_counted),
        cmocka_unit_test(paced_footage_takes_its_time),
        cmocka_unit_test(a_recording_waits_for_its_reader),
        cmocka_unit_test(a_camera_drops_the_oldest),
        cmocka_unit_test(what_a_dropped_frame_tells_the_next_one_tells),
        cmocka_unit_test(a_stop_ends_a_recording_that_waits),
        cmocka_unit_test(nobody_waits_longer_than_asked_and_a_stop_is_prompt),
    };
    return cmocka_run_group_tests(tests, put_footage, scratch_remove);
}
