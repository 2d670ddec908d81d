// SPDX-License-Identifier: MIT
// Frames as a decoder hands them over, those that no decoder should among them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <libavutil/frame.h>

#include "vision/source/to_bgr.h"

static AVFrame *decoded(enum AVPixelFormat format, int width, int height)
{
    AVFrame *f = av_frame_alloc();
    assert_non_null(f);
    f->format = format;
    f->width = width;
    f->height = height;
    if (av_frame_get_buffer(f, 0) == 0) {
        memset(f->buf[0]->data, 128, f->buf[0]->size);
    } else { // of a graphics card
        f->buf[0] = av_buffer_allocz(64);
        f->data[3] = f->buf[0]->data;
    }
    return f;
}

// And nothing of what it was begun with is left, which the sanitizers see.
static void what_cannot_be_converted_is_refused(void **state)
{
    (void)state;
    static const struct {
        enum AVPixelFormat format;
        int width, height, rc;
    } rows[] = {
        { AV_PIX_FMT_GRAY8, 16, 16, 0 },
        { AV_PIX_FMT_VAAPI, 16, 16, RS_ELIB },
        { AV_PIX_FMT_GRAY8, 20, 12, 0 },
    };
    struct fail why;
    struct to_bgr *t = NULL;
    struct frame *out = NULL;
    av_log_set_level(AV_LOG_QUIET);
    assert_int_equal(to_bgr_create(&t, &why), 0);
    assert_int_equal(frame_create(&out, 16, 16, &why), 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        AVFrame *f = decoded(rows[i].format, rows[i].width, rows[i].height);
        int rc = to_bgr_convert(out, t, f, &why);
        if (rc != rows[i].rc)
            fail_msg("row %zu: %d %s", i, rc, rc < 0 ? why.text : "");
        assert_true(rc < 0 || abs(out->bgr[0] - 128) < 8); // of which range it is nobody said
        av_frame_free(&f);
    }
    frame_free(out);
    to_bgr_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(what_cannot_be_converted_is_refused) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
