// SPDX-License-Identifier: MIT
// What is told of a shot that a camera sends as JPEGs, which are looked at coarsely, is what is told of the same shot from a file.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

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
    uint8_t *bytes;
    size_t size;
    assert_int_equal(jpeg_encode(camera.jpeg, &bytes, &size, drawn, 92, &why), 0);
    assert_int_equal(encoded_create(&e, size, &why), 0);
    memcpy(e->bytes, bytes, size);
    e->encoding = ENCODED_JPEG;
    e->width = drawn->width;
    e->height = drawn->height;
    e->t_s = drawn->t_s;
    assert_int_equal(unpack(camera.unpacker, &f, e, &why), 0);
    encoded_release(e);
    jpeg_bytes_free(bytes);
    frame_free(drawn);
    camera.decoder = camera.decoder ? camera.decoder : decoder_hold(f->decoder);
    if (camera.frames++ == FIRST_FRAMES)
        camera.bought_at_first = atomic_load(&camera.decoder->bought);
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

// Nothing but the looks at the board, some in a second, and one at the empty board in two, needs all pixels; and no memory is taken.
static void at_rest_frames_are_not_decoded_whole(void **state)
{
    (void)state;
    static const struct script still = { .noise = 2,
                                         .actors = 1,
                                         .actor = { { RED, 2, { { 0, 0, 3 }, { 1e9, 0, 3 } } } } };
    enum { SECONDS = 5 };
    watch_sent(&still, FULL, SECONDS, send_as_jpeg);
    const struct track_tuning *t = tuning_defaults.track;
    long looks = (long)ceil(SECONDS / t->glance_every_s + SECONDS / t->learn_every_s + t->looks_again);
    long whole = atomic_load(&camera.decoder->whole);
    if (whole > looks + 3) // when it is found, and when it first comes to rest
        fail_msg("%ld of %ld frames were decoded whole, for %ld looks", whole, camera.frames, looks);
    assert_true(atomic_load(&camera.decoder->bought) <= camera.bought_at_first + 1); // another size, once
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_shot_is_told_as_from_a_file, plug_in, unplug),
        cmocka_unit_test_setup_teardown(at_rest_frames_are_not_decoded_whole, plug_in, unplug),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
