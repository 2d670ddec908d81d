// SPDX-License-Identifier: MIT
// What is told of a shot that a camera sends as JPEGs, which are looked at coarsely, is what is told of the same shot
// from a file.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/near.h"
#include "tests/vision/track/watched.h"
#include "vision/decoder.h"
#include "vision/source/jpeg.h"
#include "vision/source/unpack.h"

static struct camera_end {
    struct jpeg *jpeg;
    struct unpacker *unpacker;
    struct decoder *decoder;
    long frames, bought_at_first;
} camera;

enum { FIRST_FRAMES = 12 }; // by then the board was found, and how coarsely it can be looked at is known

static int plug_in(void **state)
{
    struct fail why;
    (void)state;
    camera = (struct camera_end){ .frames = 0 };
    return jpeg_create(&camera.jpeg, &why) < 0 || unpacker_create(&camera.unpacker, &why) < 0;
}

static int unplug(void **state)
{
    (void)state;
    jpeg_free(camera.jpeg);
    unpacker_free(camera.unpacker);
    decoder_release(camera.decoder);
    return 0;
}

static struct frame *send_as_jpeg(struct frame *drawn)
{
    struct encoded *e;
    struct frame *f = NULL;
    struct fail why = { 0 };
    assert_int_equal(jpeg_encode_held(&e, camera.jpeg, drawn, JPEG_FINE, &why), 0);
    assert_int_equal(unpack(&f, camera.unpacker, e, &why), 0);
    encoded_release(e);
    frame_free(drawn);
    camera.decoder = camera.decoder ? camera.decoder : decoder_hold(f->decoder);
    if (camera.frames++ == FIRST_FRAMES)
        camera.bought_at_first = buffer_pool_bought(camera.decoder->pool);
    return f;
}

static void a_shot_is_told_as_from_a_file(void **state)
{
    (void)state;
    struct told file = watch(&a_shot, FULL, 3), live = watch_sent(&a_shot, FULL, 3, send_as_jpeg);
    assert_true(file.count > 6);
    assert_int_equal(live.count, file.count);
    for (int i = 0; i < file.count; i++) {
        const struct observation *a = &file.item[i].observation, *b = &live.item[i].observation;
        if (a->kind != b->kind || a->id != b->id || fabs(a->t_s - b->t_s) > 0.05)
            fail_msg("event %d: kind %d of %d at %.3f s, from the file kind %d of %d at %.3f s", i, (int)b->kind, b->id,
                     b->t_s, (int)a->kind, a->id, a->t_s);
    }
    assert_true(atomic_load(&camera.decoder->whole) < camera.frames / 2);
}

// Nothing but the looks at the board, some in a second, and one at the empty board in two, needs all pixels; and no
// memory is taken.
static void at_rest_frames_are_not_decoded_whole(void **state)
{
    (void)state;
    static const struct script still = { .noise = 2,
                                         .actors = 1,
                                         .actor = { { RED, 2, { { 0, 0, 3 }, { 1e9, 0, 3 } } } } };
    enum { SECONDS = 5 };
    watch_sent(&still, FULL, SECONDS, send_as_jpeg);
    const struct track_tuning *t = &tuning_defaults.track;
    long looks = (long)ceil(SECONDS / t->glance_steady_s + SECONDS / t->learn_every_s + t->looks_again);
    long whole = atomic_load(&camera.decoder->whole);
    if (whole > looks + 3) // when it is found, and when it first comes to rest
        fail_msg("%ld of %ld frames were decoded whole, for %ld looks", whole, camera.frames, looks);
    assert_true(buffer_pool_bought(camera.decoder->pool) <= camera.bought_at_first + 1); // another size, once
}

// The last piece that moves in `a_shot` stands from 1.9 s on.
static void what_came_to_rest_is_measured_before_the_window_has_passed_and_told_behind_it(void **state)
{
    (void)state;
    const double stands_s = 1.9, window_s = tuning_defaults.track.rest_s, frame_s = 1.0 / 30;
    for (int i = 0; i < 2; i++) {
        struct told t = watch_sent(&a_shot, FULL, 3, i == 0 ? send_as_jpeg : NULL);
        const struct event *still = &t.item[t.count - 1];
        double since_s = still->observation.t_s, look_s = stage_looks.t_s[stage_looks.count - 1];
        assert_int_equal(still->observation.kind, OBS_STILL);
        assert_near(since_s, stands_s, 2 * frame_s);
        assert_near(t.told_s[t.count - 1], since_s + window_s + frame_s / 2, frame_s / 2 + 1e-9);
        if (i == 0 ? look_s < stands_s || look_s > since_s + window_s / 2 : look_s < since_s + window_s)
            fail_msg("%s: still since %.3f s, measured at %.3f s", i == 0 ? "live" : "file", since_s, look_s);
        assert_near(last_rest(&t, nth(&t, OBS_MOVE, 1)->observation.id)->piece.at.y, 9, 1e-6);
    }
}

// So little that the picture counts as still.
static void what_creeps_after_it_was_measured_is_measured_anew(void **state)
{
    (void)state;
    static const double creeps_in = 0.03;
    for (int creeps = 0; creeps < 2; creeps++) {
        const double end_in = creeps ? -creeps_in : 0;
        const struct script s = {
            .noise = 2,
            .actors = 1,
            .actor = { { RED,
                         6,
                         { { 0, 3, 3 },
                           { 1, 3, 3 },
                           { 1.3, 0, 3 },
                           { 1.42, 0, 3 },
                           { 1.46, end_in, 3 },
                           { 1e9, end_in, 3 } } } },
        };
        struct told t = watch_sent(&s, FULL, 2.5, send_as_jpeg);
        int ahead = 0, behind = 0;
        for (int i = 0; i < stage_looks.count; i++) {
            ahead += stage_looks.t_s[i] > 1.3 && stage_looks.t_s[i] < 1.42;
            behind += stage_looks.t_s[i] > 1.46;
        }
        assert_int_equal(ahead, 1);
        assert_int_equal(behind, creeps);
        assert_int_equal(count_moves(&t, MOVED_BY_SHOT), 1);
        assert_near(last_rest(&t, 1)->piece.at.x, end_in, 1e-6);
        assert_true(nth(&t, OBS_STILL, 1)->observation.t_s < 1.36); // it was still all the while
    }
}

static void what_slows_is_not_measured_before_it_stands(void **state)
{
    (void)state;
    static const struct script s = {
        .noise = 2,
        .actors = 1,
        .actor = { { RED,
                     5,
                     { { 0, 3, 3 }, { 1, 3, 3 }, { 1.1, 2, 3 }, { 1.9, -2, 3 }, { 1e9, -2, 3 } },
                     .slows = true } },
    };
    struct told t = watch_sent(&s, FULL, 2.7, send_as_jpeg);
    int looks = 0;
    for (int i = 0; i < stage_looks.count; i++)
        looks += stage_looks.t_s[i] > 1;
    assert_int_equal(looks, 1);
    assert_near(last_rest(&t, 1)->piece.at.x, -2, STAGE_SIGMA_IN);
}

// A disc that somebody pushes on and on: the look at its first stop was in vain, and for a second none is ahead.
static void what_is_measured_ahead_in_vain_is_seldom(void **state)
{
    (void)state;
    static const struct script s = {
        .noise = 2,
        .actors = 1,
        .actor = { { RED,
                     6,
                     { { 0, 3, 6 }, { 1, 3, 6 }, { 1.1, 3, 3 }, { 1.25, 3, 3 }, { 1.35, 3, 0 }, { 1e9, 3, 0 } } } },
    };
    watch_sent(&s, FULL, 2.5, send_as_jpeg);
    double look_s[2] = { 0 };
    int looks = 0;
    for (int i = 0; i < stage_looks.count; i++)
        if (stage_looks.t_s[i] > 1 && looks++ < 2)
            look_s[looks - 1] = stage_looks.t_s[i];
    assert_int_equal(looks, 2);
    assert_true(look_s[0] > 1.1 && look_s[0] < 1.25);
    assert_true(look_s[1] > 1.35 + tuning_defaults.track.rest_s - 0.04);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_shot_is_told_as_from_a_file, plug_in, unplug),
        cmocka_unit_test_setup_teardown(what_came_to_rest_is_measured_before_the_window_has_passed_and_told_behind_it,
                                        plug_in, unplug),
        cmocka_unit_test_setup_teardown(what_creeps_after_it_was_measured_is_measured_anew, plug_in, unplug),
        cmocka_unit_test_setup_teardown(what_slows_is_not_measured_before_it_stands, plug_in, unplug),
        cmocka_unit_test_setup_teardown(what_is_measured_ahead_in_vain_is_seldom, plug_in, unplug),
        cmocka_unit_test_setup_teardown(at_rest_frames_are_not_decoded_whole, plug_in, unplug),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
