// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "calibration/units.h"
#include "tests/vision/scratch.h"
#include "vision/decoder.h"
#include "vision/source/jpeg.h"
#include "vision/source/unpack.h"

enum { WIDTH = 160, HEIGHT = 120 };

// As a camera would send it. The caller releases it.
static struct encoded *sent(const struct frame *f)
{
    struct jpeg *j;
    struct encoded *e;
    struct fail why;
    assert_int_equal(jpeg_create(&j, &why), 0);
    assert_int_equal(jpeg_encode_held(&e, j, f, 90, &why), 0);
    assert_true(e->encoding == ENCODED_JPEG && e->width == f->width && e->height == f->height && e->t_s == f->t_s);
    e->t_s = 1.5;
    jpeg_free(j);
    return e;
}

static struct encoded *sent_picture(int width, int height)
{
    struct frame *f = scratch_frame(width, height);
    struct encoded *e = sent(f);
    frame_free(f);
    return e;
}

static void a_jpeg_is_decoded_as_far_as_asked(void **state)
{
    (void)state;
    struct unpacker *u;
    struct frame *f, *whole;
    struct picture seen;
    struct jpeg *j;
    struct fail why;
    struct encoded *e = sent_picture(WIDTH, HEIGHT);
    assert_int_equal(jpeg_create(&j, &why), 0);
    assert_int_equal(jpeg_decode(&whole, j, e->bytes, e->size, &why), 0);
    assert_int_equal(unpacker_create(&u, &why), 0);
    assert_int_equal(unpack(&f, u, e, &why), 0);
    struct decoder *d = decoder_hold(f->decoder);
    unpacker_free(u); // a frame outlives its camera
    assert_null(f->bgr);
    assert_true(f->t_s == 1.5 && f->encoded == e);
    for (int coarsest = 2 * COARSEST; coarsest >= 1; coarsest--) {
        assert_int_equal(frame_picture(&seen, f, coarsest, &why), 0);
        int by = WIDTH / seen.width;
        assert_true(by <= coarsest && 2 * by > (coarsest > COARSEST ? COARSEST : coarsest));
        assert_true(seen.height == HEIGHT / by);
        for (int y = 0; y < seen.height; y++)
            for (int x = 0; x < seen.width; x++) {
                // The scene changes evenly: the middle of a block is its mean.
                const uint8_t *p = whole->bgr + 3 * ((y * by + by / 2) * WIDTH + x * by + by / 2);
                for (int c = 0; c < 3; c++)
                    if (abs(seen.bgr[3 * (y * seen.width + x) + c] - p[c]) > 6)
                        fail_msg("1/%d: pixel %d, %d of channel %d", by, x, y, c);
            }
    }
    assert_int_equal(frame_decode(f, &why), 0);
    assert_int_equal(scratch_difference(f, whole), 0);
    assert_int_equal(atomic_load(&d->whole), 1);
    assert_int_equal(atomic_load(&d->coarse), 3);
    frame_free(f);
    decoder_release(d);
    frame_free(whole);
    encoded_release(e);
    jpeg_free(j);
}

static void what_blocks_do_not_fill_evenly_is_not_reduced_by_them(void **state)
{
    (void)state;
    static const struct {
        int width, height, by;
    } rows[] = { { 160, 120, 8 }, { 160, 124, 4 }, { 162, 120, 2 }, { 161, 120, 1 }, { 160, 1, 1 } };
    for (size_t i = 0; i < countof(rows); i++) {
        struct unpacker *u;
        struct frame *f;
        struct picture seen;
        struct fail why;
        struct encoded *e = sent_picture(rows[i].width, rows[i].height);
        assert_int_equal(unpacker_create(&u, &why), 0);
        assert_int_equal(unpack(&f, u, e, &why), 0);
        assert_int_equal(frame_picture(&seen, f, COARSEST, &why), 0);
        assert_int_equal(seen.width, rows[i].width / rows[i].by);
        assert_int_equal(seen.height, rows[i].height / rows[i].by);
        frame_free(f);
        unpacker_free(u);
        encoded_release(e);
    }
}

// One damaged picture is no reason to refuse the next.
static void after_damage_the_next_picture_is_taken(void **state)
{
    (void)state;
    struct unpacker *u;
    struct fail why;
    struct encoded *e = sent_picture(WIDTH, HEIGHT);
    assert_int_equal(unpacker_create(&u, &why), 0);
    for (size_t i = 0; i < e->size; i++) {
        struct frame *f = NULL;
        e->bytes[i] ^= 0x3c;
        frame_free(unpack(&f, u, e, &why) == 0 ? f : NULL);
        e->bytes[i] ^= 0x3c;
        if (unpack(&f, u, e, &why) != 0)
            fail_msg("after damage in byte %zu: %s", i, why.text);
        frame_free(f);
    }
    unpacker_free(u);
    encoded_release(e);
}

// Every cut, and every byte changed: what the whole picture is refused for, the coarse one is refused for when it
// comes.
static void a_coarse_look_finds_all_damage(void **state)
{
    (void)state;
    enum { SIDE = 48 };
    struct unpacker *u;
    struct jpeg *j;
    struct fail why;
    struct encoded *e = sent_picture(SIDE, SIDE);
    int refused = 0, taken = 0;
    size_t size = e->size;
    assert_int_equal(jpeg_create(&j, &why), 0);
    assert_int_equal(unpacker_create(&u, &why), 0);
    for (size_t i = 0; i < 2 * size; i++) {
        struct frame *whole = NULL, *f = NULL;
        uint8_t was = e->bytes[i / 2];
        e->size = i % 2 ? i / 2 : size;
        e->bytes[i / 2] ^= i % 2 ? 0 : (uint8_t)(1 + i * 37 % 255);
        int rc = jpeg_decode(&whole, j, e->bytes, e->size, &why);
        bool resized = rc == 0 && (whole->width != SIDE || whole->height != SIDE);
        int coarse = unpack(&f, u, e, &why);
        if ((rc == 0 && !resized) != (coarse == 0))
            fail_msg("byte %zu %s: %d as a whole, %d coarsely", i / 2, i % 2 ? "cut" : "changed", rc, coarse);
        if (coarse == 0 && frame_decode(f, &why) < 0)
            fail_msg("byte %zu: believed first, refused then", i / 2);
        refused += coarse < 0;
        taken += coarse == 0;
        frame_free(whole);
        frame_free(f);
        e->bytes[i / 2] = was;
    }
    printf("  of %zu pictures damaged %d refused\n", 2 * size, refused);
    assert_true(refused > (int)size && taken > 10);
    e->size = size;
    encoded_release(e);
    unpacker_free(u);
    jpeg_free(j);
}

static void buffers_go_round(void **state)
{
    (void)state;
    struct unpacker *u;
    struct fail why;
    struct encoded *e = sent_picture(WIDTH, HEIGHT);
    struct decoder *d = NULL;
    long bought = 0;
    assert_int_equal(unpacker_create(&u, &why), 0);
    for (int i = 0; i < 50; i++) {
        struct frame *f[4] = { NULL };
        for (size_t k = 0; k < countof(f); k++)
            assert_int_equal(unpack(&f[k], u, e, &why), 0);
        d = d ? d : decoder_hold(f[0]->decoder);
        if (i % 3 == 0)
            assert_int_equal(frame_decode(f[i % 4], &why), 0);
        if (i == 0)
            bought = buffer_pool_bought(d->pool);
        for (size_t k = 0; k < countof(f); k++)
            frame_free(f[k]);
    }
    assert_int_equal(bought, 5);
    assert_int_equal(buffer_pool_bought(d->pool), bought);
    unpacker_free(u);
    decoder_release(d);
    encoded_release(e);
}

static void a_kept_frame_can_be_looked_at_later(void **state)
{
    (void)state;
    struct unpacker *u;
    struct frame *f, *kept, *copy;
    struct picture a, b;
    struct fail why;
    struct encoded *e = sent_picture(WIDTH, HEIGHT);
    assert_int_equal(unpacker_create(&u, &why), 0);
    assert_int_equal(unpack(&f, u, e, &why), 0);
    unpacker_free(u);
    encoded_release(e);
    assert_int_equal(frame_keep(&kept, f, &why), 0);
    assert_int_equal(frame_copy(&copy, f, &why), 0);
    assert_null(kept->bgr);
    assert_non_null(copy->bgr);
    assert_int_equal(frame_picture(&a, f, COARSEST, &why), 0);
    assert_int_equal(frame_picture(&b, kept, COARSEST, &why), 0);
    assert_true(a.bgr != b.bgr && memcmp(a.bgr, b.bgr, 3 * (size_t)a.width * (size_t)a.height) == 0);
    frame_free(f);
    assert_int_equal(frame_luma(kept, &why), 0);
    assert_int_equal(scratch_difference(kept, copy), 0);
    assert_true(kept->t_s == copy->t_s);
    frame_free(kept);
    frame_free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_jpeg_is_decoded_as_far_as_asked),
        cmocka_unit_test(what_blocks_do_not_fill_evenly_is_not_reduced_by_them),
        cmocka_unit_test(after_damage_the_next_picture_is_taken),
        cmocka_unit_test(a_coarse_look_finds_all_damage),
        cmocka_unit_test(buffers_go_round),
        cmocka_unit_test(a_kept_frame_can_be_looked_at_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
