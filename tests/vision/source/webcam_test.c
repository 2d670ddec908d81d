// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "calibration/units.h"
#include "vision/source/source.h"

// A camera itself cannot be made in a test; RINGSIDE_CAMERA=/dev/video0 lets the last test look at a real one.
static void what_is_no_camera_is_said_in_one_line(void **state)
{
    (void)state;
    static const struct {
        const char *device, *says;
    } rows[] = {
        { "/dev/video-none", "no such camera" }, { "/dev/null", "not a camera" }, { "/dev", "not a camera" },
        { "/etc/passwd", "not a camera" },       { "", "no such camera" },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        struct source *s = NULL;
        struct fail why = { 0 };
        int rc = webcam_open(&s, rows[i].device, &(struct camera_wish){ 0 }, &why);
        if (rc != RS_EIO || s || !strstr(why.text, rows[i].says) || strchr(why.text, '\n'))
            fail_msg("%s: %d '%s'", rows[i].device, rc, why.text);
    }
}

static void a_real_camera_gives_frames_in_order_of_time(void **state)
{
    (void)state;
    const char *device = getenv("RINGSIDE_CAMERA");
    if (!device)
        skip();
    struct source *s;
    struct fail why = { 0 };
    if (webcam_open(&s, device, &(struct camera_wish){ .width = 640, .height = 480 }, &why) != 0)
        fail_msg("%s", why.text);
    double last_s = 0;
    for (long k = 0; k < 10; k++) {
        struct frame *f;
        if (source_next(s, &f, &why) != 1)
            fail_msg("%s", why.text);
        assert_int_equal(f->number, k);
        assert_int_equal(f->width, source_info(s)->width);
        assert_int_equal(f->height, source_info(s)->height);
        assert_true(k == 0 ? f->t_s == 0 : f->t_s > last_s);
        last_s = f->t_s;
        frame_free(f);
    }
    source_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_camera_is_said_in_one_line),
        cmocka_unit_test(a_real_camera_gives_frames_in_order_of_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
