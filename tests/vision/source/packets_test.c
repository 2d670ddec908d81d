// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "calibration/units.h"
#include "vision/source/packets.h"

static uint8_t avcc[] = { 1, 100, 0, 30, 0xff, 0 }; // lengths of four bytes

// Made anew for each, so that nothing was before it.
static bool damaged(enum AVCodecID codec, bool lengths, const uint8_t *data, int size, int flags)
{
    struct packets p;
    AVCodecParameters of = { .codec_id = codec, .extradata = avcc, .extradata_size = lengths ? (int)sizeof avcc : 0 };
    AVPacket packet = { .data = (uint8_t *)data, .size = size, .flags = flags };
    packets_begin(&p, &of);
    return packets_damaged(&p, &packet);
}

static void bytes_tell_what_cannot_be(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        bool lengths, damaged;
        int size;
        uint8_t data[24];
    } rows[] = {
        { "two units", true, false, 13, { 0, 0, 0, 3, 9, 1, 2, 0, 0, 0, 2, 7, 7 } },
        { "zeros guarded by a three", true, false, 9, { 0, 0, 0, 5, 9, 0, 0, 3, 1 } },
        { "three zeros", true, true, 9, { 0, 0, 0, 5, 9, 0, 0, 0, 1 } },
        { "a start code in a unit", true, true, 9, { 0, 0, 0, 5, 9, 0, 0, 1, 8 } },
        { "a unit longer than the packet", true, true, 9, { 0, 0, 0, 6, 9, 1, 1, 3, 1 } },
        { "a unit of nothing", true, true, 4, { 0, 0, 0, 0 } },
        { "half a length", true, true, 9, { 0, 0, 0, 3, 9, 1, 2, 0, 0 } },
        { "a start code", false, false, 8, { 0, 0, 0, 1, 9, 1, 2, 3 } },
        { "a hole behind a start code", false, true, 24, { 0, 0, 0, 1, 9, 1, 2, 3 } },
    };
    for (size_t i = 0; i < countof(rows); i++)
        if (damaged(AV_CODEC_ID_H264, rows[i].lengths, rows[i].data, rows[i].size, 0) != rows[i].damaged)
            fail_msg("%s", rows[i].what);
    assert_false(damaged(AV_CODEC_ID_MJPEG, false, rows[8].data, rows[8].size, 0)); // others may have zeros
    assert_true(damaged(AV_CODEC_ID_MJPEG, false, rows[8].data, rows[8].size, AV_PKT_FLAG_CORRUPT));
}

static void a_picture_that_comes_again_is_told(void **state)
{
    (void)state;
    struct packets p;
    AVCodecParameters of = { .codec_id = AV_CODEC_ID_H264 };
    uint8_t bytes[] = { 0, 0, 0, 1, 9, 1 };
    AVPacket key = { .data = bytes, .size = 6, .flags = AV_PKT_FLAG_KEY }, other = { .data = bytes + 1, .size = 5 };
    packets_begin(&p, &of);
    assert_false(packets_damaged(&p, &key));
    assert_false(packets_damaged(&p, &other));
    assert_true(packets_damaged(&p, &other));
    assert_true(packets_damaged(&p, &key)); // and all that followed it may
    of.codec_id = AV_CODEC_ID_MJPEG;        // a camera in the dark sends the same black again
    packets_begin(&p, &of);
    assert_false(packets_damaged(&p, &key));
    assert_false(packets_damaged(&p, &key));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_tell_what_cannot_be),
        cmocka_unit_test(a_picture_that_comes_again_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
