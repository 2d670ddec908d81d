// SPDX-License-Identifier: MIT
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
#include "vision/source/frame_queue.h"

enum { FRAMES = 100 };

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
    assert_int_equal(capture_start(&c, *source, playback, NULL, &why), 0);
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
    while ((rc = capture_next(&f, c, PATIENCE_S, &why)) == CAPTURE_FRAME) {
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
    while (capture_next(&f, c, PATIENCE_S, &why) == CAPTURE_FRAME) {
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
    for (; capture_next(&f, c, PATIENCE_S, &why) == CAPTURE_FRAME; given++) {
        assert_int_equal(f->number, given);
        frame_free(f);
    }
    assert_int_equal(given, FRAMES);
    assert_int_equal(capture_dropped(c), 0);
    capture_stop(c);
    source_close(source);
}

// A camera's reader that sleeps finds enough of them to follow a piece, and the number of the others.
static void a_camera_drops_what_a_piece_can_be_followed_without(void **state)
{
    struct fail why = { .text = "" };
    struct source *source = NULL;
    struct capture *c = start(&source, *state, false);
    struct frame *f;
    double last_s = 0;
    long given = 0;
    while (capture_dropped(c) < FRAMES - FRAME_QUEUE_MOST)
        nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    for (; capture_next(&f, c, PATIENCE_S, &why) == CAPTURE_FRAME; given++) {
        assert_true(f->t_s - last_s < 3 / FRAMES_PER_S && f->lost_s <= 0);
        last_s = f->t_s;
        frame_free(f);
    }
    assert_int_equal(given, FRAME_QUEUE_MOST);
    assert_int_equal(given + capture_dropped(c), FRAMES);
    capture_stop(c);
    source_close(source);
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
        if (capture_next(&f, c, PATIENCE_S, &why) == CAPTURE_FRAME)
            frame_free(f);
    int rc = capture_next(&f, c, 0, &why);
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
        cmocka_unit_test(a_camera_drops_what_a_piece_can_be_followed_without),
        cmocka_unit_test(a_stop_ends_a_recording_that_waits),
        cmocka_unit_test(nobody_waits_longer_than_asked_and_a_stop_is_prompt),
    };
    return cmocka_run_group_tests(tests, put_footage, scratch_remove);
}
