// SPDX-License-Identifier: MIT
// What becomes of a camera that is unplugged, stalls, freezes, sends rubbish or is taken by others, in a time of the
// test's own.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/vision/source/seen_camera.h"
#include "vision/source/capture.h"

static void what_is_no_camera_is_said_in_one_line(void **state)
{
    (void)state;
    static const struct {
        const char *device, *says;
    } devices[] = {
        { "/dev/video-none", "no such camera" }, { "/dev/null", "not a camera" }, { "/dev", "not a camera" },
        { "/etc/passwd", "not a camera" },       { "no camera", "plug" },
    };
    for (size_t i = 0; i < countof(devices); i++) {
        struct source *s = NULL;
        struct fail why = { 0 };
        int rc = webcam_open(&s, &camera_system_own, devices[i].device, &(struct camera_wish){ 0 }, &why);
        if (rc != RS_EIO || s || !strstr(why.text, devices[i].says) || strchr(why.text, '\n'))
            fail_msg("%s: %d '%s'", devices[i].device, rc, why.text);
    }
}

static void a_camera_that_does_not_begin_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int denied, on_error;
        bool busy, unplugged;
        const char *says;
    } rows[] = {
        { "none at all", 0, 0, false, true, "no camera is there" },
        { "not allowed", EACCES, 0, false, false, "usermod -aG video" },
        { "held by another", 0, 0, true, false, "fuser -v /dev/video0" },
        { "no room on the bus", 0, ENOSPC, false, false, "no room" },
        { "no memory in the driver", 0, ENOMEM, false, false, "does not start" },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        struct seen x;
        seen_begin(&x);
        x.f.camera[0].denied = rows[i].denied;
        x.f.camera[0].busy = rows[i].busy;
        x.f.camera[0].plugged = !rows[i].unplugged;
        x.f.on_error = rows[i].on_error;
        int rc = webcam_open(&x.s, &x.f.system, "", &(struct camera_wish){ 0 }, &x.why);
        if (rc != RS_EIO || x.s || !strstr(x.why.text, rows[i].says))
            fail_msg("%s: %d '%s'", rows[i].what, rc, x.why.text);
        seen_end(&x);
    }
}

static void a_mode_that_the_plug_has_no_room_for_is_told_and_the_next_one_taken(void **state)
{
    (void)state;
    struct seen x;
    seen_begin(&x);
    x.f.camera[0].mode[1] = (struct fake_mode){ V4L2_PIX_FMT_YUYV, FAKE_WIDTH, FAKE_HEIGHT, 15 };
    x.f.on_error = ENOSPC;
    x.f.refusals = 1;
    seen_look(&x, NULL);
    assert_true(seen_notice_has(&x, "no room"));
    assert_non_null(strstr(source_info(x.s)->mode, "YUYV at 15"));
    assert_int_equal(seen_run(&x, 2), 0);
    assert_true(x.pictures > 20);
    seen_end(&x);
}

static void pictures_come_in_order_of_time(void **state)
{
    (void)state;
    struct seen x;
    seen_begin(&x);
    seen_look(&x, NULL);
    assert_string_equal(source_info(x.s)->mode, "64 x 48 MJPEG at 30 a second");
    assert_string_equal(source_info(x.s)->node, "/dev/video0");
    assert_int_equal(seen_run(&x, 10), 0);
    assert_in_range(x.pictures, 290, 300);
    assert_true(fabs(x.t_s - 9.9) < 0.2 && x.lost_s == 0);
    assert_int_equal(source_info(x.s)->dropped, 0);
    seen_end(&x);
}

static void a_camera_that_never_gave_a_picture_is_an_error_within_six_seconds(void **state)
{
    (void)state;
    struct seen x;
    seen_begin(&x);
    x.f.stalled = true;
    seen_look(&x, NULL);
    assert_int_equal(seen_run(&x, 6), RS_EIO);
    assert_non_null(strstr(x.why.text, "no picture for 5"));
    seen_end(&x);
    seen_begin(&x);
    seen_look(&x, NULL);
    fake_unplug(&x.f, 0);
    assert_int_equal(seen_run(&x, 6), RS_EIO);
    seen_end(&x);
}

// A fault of ten seconds in the middle of a game.
static const struct fault {
    const char *what;
    size_t offset; // of its switch in the fake
    const char *says;
    int restarts_least; // how often it is begun anew meanwhile
    long dropped_least;
} faults[] = {
    { "a driver that stalls", offsetof(struct fake, stalled), "no picture comes", 2, 0 },
    { "a frozen picture", offsetof(struct fake, frozen), "frozen", 2, 0 },
    { "truncated pictures", offsetof(struct fake, truncated), "only damaged pictures", 2, 200 },
    { "corrupt pictures", offsetof(struct fake, garbage), "only damaged pictures", 2, 200 },
    { "empty buffers", offsetof(struct fake, empty), "only empty pictures", 2, 200 },
    { "pictures that the driver calls damaged", offsetof(struct fake, flagged), "only damaged pictures", 2, 200 },
    { "pictures of another size", offsetof(struct fake, other_size), "only damaged pictures", 2, 200 },
};

static void every_fault_is_told_within_two_seconds_and_play_goes_on_after_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(faults); i++) {
        struct seen x;
        seen_begin(&x);
        seen_look(&x, NULL);
        assert_int_equal(seen_run(&x, 2), 0);
        double before_s = x.t_s;
        bool *fault = (bool *)((char *)&x.f + faults[i].offset);
        int starts = x.f.starts;
        *fault = true;
        assert_int_equal(seen_run(&x, 10), 0);
        if (x.pictures > 1 || x.said_s > 2 || !strstr(x.said, faults[i].says) ||
            x.f.starts - starts < faults[i].restarts_least)
            fail_msg("%s: %ld pictures, after %.2f s '%s', begun anew %d times", faults[i].what, x.pictures, x.said_s,
                     x.said, x.f.starts - starts);
        *fault = false;
        assert_int_equal(seen_run(&x, 5), 0);
        bool told = x.lost_s > 9.5 && x.lost_s < 12 && x.pictures > 60 && x.t_s - before_s > 14;
        if (!told)
            fail_msg("%s: after it %ld pictures up to %.2f s, %.2f s lost", faults[i].what, x.pictures, x.t_s,
                     x.lost_s);
        assert_true(source_info(x.s)->lost_s == x.lost_s);
        assert_true(source_info(x.s)->dropped >= faults[i].dropped_least);
        seen_end(&x);
    }
}

static void damaged_pictures_are_counted_and_those_that_are_bridged_are_no_loss(void **state)
{
    (void)state;
    struct seen x;
    seen_begin(&x);
    seen_look(&x, NULL);
    assert_int_equal(seen_run(&x, 2), 0);
    x.f.cut = 1;
    assert_int_equal(seen_run(&x, 1), 0);
    assert_int_equal(source_info(x.s)->dropped, 1);
    assert_true(x.lost_s == 0);
    x.f.cut = 4;
    assert_int_equal(seen_run(&x, 1), 0);
    assert_int_equal(source_info(x.s)->dropped, 5);
    assert_true(x.lost_s > 0.15 && x.lost_s < 0.18);
    x.f.skip = 2; // each is counted once
    assert_int_equal(seen_run(&x, 1), 0);
    assert_int_equal(source_info(x.s)->dropped, 7);
    seen_end(&x);
}

static void a_driver_that_sends_each_picture_twice_loses_none(void **state)
{
    (void)state;
    struct seen x;
    seen_begin(&x);
    x.f.repeats = true;
    seen_look(&x, NULL);
    assert_int_equal(seen_run(&x, 4), 0);
    assert_in_range(x.pictures, 50, 65);
    assert_int_equal(source_info(x.s)->dropped, 0);
    assert_true(x.lost_s == 0 && !x.said[0]);
    seen_end(&x);
}

static void an_unplugged_camera_is_found_again(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int number;
        const char *bus, *other;
        bool back;
    } rows[] = {
        { "under the same node", 0, "usb-1.2", NULL, true },
        { "under another node", 4, "usb-1.2", NULL, true },
        { "in another plug", 2, "usb-3", NULL, true },
        { "in another plug, beside one of another name", 2, "usb-3", "Laptop", true },
        { "in another plug, beside one of its name", 2, "usb-3", "HD Webcam C920", false },
        { "in the same plug, beside one of its name", 2, "usb-1.2", "HD Webcam C920", true },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        struct seen x;
        seen_begin(&x);
        seen_look(&x, NULL);
        assert_int_equal(seen_run(&x, 3), 0);
        fake_unplug(&x.f, 0);
        assert_int_equal(seen_run(&x, 20), 0);
        assert_true(x.said_s < 2);
        assert_non_null(strstr(x.said, "HD Webcam C920 is unplugged"));
        x.f.camera[0].bus = rows[i].bus;
        if (rows[i].other) {
            x.f.camera[1] = x.f.camera[0];
            x.f.camera[1].card = rows[i].other;
            x.f.camera[1].bus = "usb-7";
            fake_plug(&x.f, 1, 1);
        }
        fake_plug(&x.f, 0, rows[i].number);
        assert_int_equal(seen_run(&x, 5), 0);
        if ((x.pictures > 100) != rows[i].back || seen_notice_has(&x, "is back as /dev/video") != rows[i].back)
            fail_msg("%s: %ld pictures, '%s'", rows[i].what, x.pictures, x.said);
        if (rows[i].back && !(x.lost_s > 19 && x.lost_s < 22 && x.t_s > 26))
            fail_msg("%s: %.2f s lost, at %.2f s", rows[i].what, x.lost_s, x.t_s);
        seen_end(&x);
    }
}

static void another_program_that_holds_it_after_a_new_plugging_in_is_told(void **state)
{
    (void)state;
    struct seen x;
    seen_begin(&x);
    seen_look(&x, NULL);
    assert_int_equal(seen_run(&x, 3), 0);
    fake_unplug(&x.f, 0);
    assert_int_equal(seen_run(&x, 2), 0);
    x.f.camera[0].busy = true;
    fake_plug(&x.f, 0, 3);
    assert_int_equal(seen_run(&x, 5), 0);
    assert_non_null(strstr(x.said, "fuser -v /dev/video3"));
    x.f.camera[0].busy = false;
    assert_int_equal(seen_run(&x, 5), 0);
    assert_true(x.pictures > 100);
    seen_end(&x);
}

static void what_a_narrower_plug_has_room_for_is_taken_and_told(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        struct fake_mode other;
        int room;
        const char *mode, *told, *said;
    } rows[] = {
        { "more slowly",
          { V4L2_PIX_FMT_MJPEG, FAKE_WIDTH, FAKE_HEIGHT, 15 },
          20,
          "64 x 48 MJPEG at 15 a second",
          "no room for 64 x 48 MJPEG at 30 a second; 64 x 48 MJPEG at 15 a second is taken",
          "" },
        { "as another kind",
          { V4L2_PIX_FMT_YUYV, FAKE_WIDTH, FAKE_HEIGHT, 10 },
          20,
          "64 x 48 YUYV at 10 a second",
          "no room for 64 x 48 MJPEG at 30 a second; 64 x 48 YUYV at 10 a second is taken",
          "" },
        { "no other size", { V4L2_PIX_FMT_MJPEG, 32, 24, 15 }, 20, NULL, NULL, "the USB plug has no room" },
        { "nothing", { V4L2_PIX_FMT_MJPEG, FAKE_WIDTH, FAKE_HEIGHT, 15 }, 5, NULL, NULL, "the USB plug has no room" },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        struct seen x;
        seen_begin(&x);
        x.f.camera[0].mode[1] = rows[i].other;
        seen_look(&x, NULL);
        assert_int_equal(seen_run(&x, 3), 0);
        fake_unplug(&x.f, 0);
        assert_int_equal(seen_run(&x, 2), 0);
        x.f.room = rows[i].room;
        fake_plug(&x.f, 0, 1);
        assert_int_equal(seen_run(&x, 4), 0);
        bool told = rows[i].told && seen_notice_has(&x, rows[i].told);
        if (rows[i].mode ? x.pictures < 25 || !told || strcmp(source_info(x.s)->mode, rows[i].mode) != 0
                         : x.pictures > 0 || !strstr(x.said, rows[i].said))
            fail_msg("%s: %ld pictures, '%s', %s", rows[i].what, x.pictures, x.said, source_info(x.s)->mode);
        // In a wide one again.
        fake_unplug(&x.f, 0);
        assert_int_equal(seen_run(&x, 2), 0);
        x.f.room = 0;
        fake_plug(&x.f, 0, 0);
        assert_int_equal(seen_run(&x, 4), 0);
        if (x.pictures < 100 || !strstr(source_info(x.s)->mode, "64 x 48 MJPEG at 30 a second"))
            fail_msg("%s, then: %ld pictures, '%s', %s", rows[i].what, x.pictures, x.said, source_info(x.s)->mode);
        assert_false(seen_notice_has(&x, "no room"));
        seen_end(&x);
    }
}

static void a_change_of_mode_is_renegotiated_or_waited_for(void **state)
{
    (void)state;
    struct seen x;
    seen_begin(&x);
    seen_look(&x, NULL);
    assert_int_equal(seen_run(&x, 2), 0);
    x.f.event = true; // once
    assert_int_equal(seen_run(&x, 2), 0);
    assert_true(x.pictures > 40 && !x.said[0]);
    // Another program changed it, and the first picture shows it.
    x.f.camera[0].now.width = 2 * FAKE_WIDTH;
    x.f.other_size = true;
    assert_int_equal(seen_run(&x, 0.1), 0);
    x.f.other_size = false;
    assert_int_equal(seen_run(&x, 1), 0);
    assert_int_equal(x.f.camera[0].now.width, FAKE_WIDTH);
    assert_true(x.pictures > 20 && !x.said[0]);
    // The camera insists on it.
    x.f.event = x.f.takes_other_size = true;
    assert_int_equal(seen_run(&x, 5), 0);
    assert_int_equal(x.pictures, 0);
    assert_non_null(strstr(x.said, "another size than the agreed 64 x 48"));
    x.f.takes_other_size = false;
    assert_int_equal(seen_run(&x, 5), 0);
    assert_true(x.pictures > 100);
    seen_end(&x);
}

static void errors_of_the_driver_pass(void **state)
{
    (void)state;
    static const int errors[] = { EIO, EINVAL, ENODEV, EPIPE, ENOMEM };
    for (size_t i = 0; i < countof(errors); i++) {
        struct seen x;
        seen_begin(&x);
        seen_look(&x, NULL);
        assert_int_equal(seen_run(&x, 2), 0);
        x.f.error = errors[i];
        x.f.mutes = 3;
        assert_int_equal(seen_run(&x, 5), 0);
        if (x.pictures < 100)
            fail_msg("%s: %ld pictures, '%s'", strerror(errors[i]), x.pictures, x.said);
        x.f.mutes = 1000000; // never again
        assert_int_equal(seen_run(&x, 3), 0);
        assert_non_null(strstr(x.said, "HD Webcam"));
        x.f.mutes = 0;
        assert_int_equal(seen_run(&x, 8), 0);
        if (x.pictures < 50)
            fail_msg("%s: after long %ld pictures, '%s'", strerror(errors[i]), x.pictures, x.said);
        seen_end(&x);
    }
}

static void lost_pictures_are_counted_by_their_numbers(void **state)
{
    (void)state;
    struct seen x;
    seen_begin(&x);
    seen_look(&x, NULL);
    assert_int_equal(seen_run(&x, 2), 0);
    x.f.skip = 1;
    assert_int_equal(seen_run(&x, 1), 0);
    assert_int_equal(source_info(x.s)->dropped, 1);
    assert_true(x.lost_s == 0);
    x.f.skip = 5;
    assert_int_equal(seen_run(&x, 1), 0);
    assert_int_equal(source_info(x.s)->dropped, 6);
    assert_true(x.lost_s > 0.19 && x.lost_s < 0.21);
    seen_end(&x);
}

static void stamps_that_cannot_be_are_survived(void **state)
{
    (void)state;
    static const size_t switches[] = { offsetof(struct fake, clockless), offsetof(struct fake, stands),
                                       offsetof(struct fake, backwards) };
    for (size_t i = 0; i < countof(switches); i++) {
        struct seen x;
        seen_begin(&x);
        seen_look(&x, NULL);
        assert_int_equal(seen_run(&x, 2), 0);
        *(bool *)((char *)&x.f + switches[i]) = true;
        assert_int_equal(seen_run(&x, 2), 0);
        *(bool *)((char *)&x.f + switches[i]) = false;
        assert_int_equal(seen_run(&x, 2), 0);
        if (fabs(x.t_s - 5.9) > 0.2 || x.lost_s > 0)
            fail_msg("switch %zu: at %.3f s, %.3f s lost", i, x.t_s, x.lost_s);
        seen_end(&x);
    }
}

static void time_asleep_is_time_that_nobody_saw(void **state)
{
    (void)state;
    struct seen x;
    seen_begin(&x);
    seen_look(&x, NULL);
    assert_int_equal(seen_run(&x, 2), 0);
    x.f.slept_s += 3600;
    assert_int_equal(seen_run(&x, 2), 0);
    assert_true(x.lost_s > 3600 && x.lost_s < 3601);
    assert_true(x.t_s > 3603);
    seen_end(&x);
}

static void raw_pictures_are_read_as_they_come(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        uint32_t fourcc;
        bool planes;
        int stride_more;
        enum encoding encoding;
        int converts;
    } rows[] = {
        { "YUYV", V4L2_PIX_FMT_YUYV, false, 0, ENCODED_YUYV, 0 },
        { "YUYV with longer rows", V4L2_PIX_FMT_YUYV, false, 32, ENCODED_YUYV, 0 },
        { "NV12", V4L2_PIX_FMT_NV12, false, 0, ENCODED_NV12, 0 },
        { "grey", V4L2_PIX_FMT_GREY, false, 0, ENCODED_GREY, 0 },
        { "what libv4l converts", V4L2_PIX_FMT_RGB565, false, 0, ENCODED_BGR, 1 },
        { "MJPEG by planes", V4L2_PIX_FMT_MJPEG, true, 0, ENCODED_JPEG, 0 },
        { "NV12 in one plane", V4L2_PIX_FMT_NV12, true, 16, ENCODED_NV12, 0 },
        { "NV12 in two planes", V4L2_PIX_FMT_NV12M, true, 16, ENCODED_NV12, 0 },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        struct seen x;
        struct frame *got = NULL;
        seen_begin(&x);
        x.f.camera[0].mode[0].fourcc = rows[i].fourcc;
        x.f.camera[0].planes = rows[i].planes;
        x.f.camera[0].stride_more = rows[i].stride_more;
        seen_look(&x, NULL);
        for (int k = 0; k < 3 && !got; k++)
            source_next(&got, x.s, &x.why);
        if (!got || got->encoded->encoding != rows[i].encoding || x.f.converts != rows[i].converts)
            fail_msg("%s: %s", rows[i].what, x.why.text);
        const uint8_t *middle = &got->bgr[3 * (FAKE_HEIGHT / 2 * FAKE_WIDTH + FAKE_WIDTH / 2)];
        if (rows[i].fourcc == V4L2_PIX_FMT_NV12M) // its chroma is grey, so all is
            assert_true(abs(middle[0] - middle[1]) <= 2 && abs(middle[2] - middle[1]) <= 2);
        frame_free(got);
        x.number = 0;
        assert_int_equal(seen_run(&x, 1), 0);
        assert_true(x.pictures > 20);
        seen_end(&x);
    }
}

static void rows_that_cannot_be_are_refused(void **state)
{
    (void)state;
    struct seen x;
    seen_begin(&x);
    x.f.camera[0].mode[0].fourcc = V4L2_PIX_FMT_YUYV;
    x.f.camera[0].stride_more = -1;
    assert_int_equal(webcam_open(&x.s, &x.f.system, "", &(struct camera_wish){ 0 }, &x.why), RS_EIO);
    assert_non_null(strstr(x.why.text, "rows of"));
    seen_end(&x);
}

static void a_camera_is_found_by_what_people_call_it(void **state)
{
    (void)state;
    static const struct {
        const char *named, *node, *says; // the node that is meant, or why there is none
    } rows[] = {
        { "", "/dev/video0", NULL },
        { "c920", "/dev/video0", NULL },
        { "usb-2", "/dev/video2", NULL },
        { "video5", "/dev/video5", NULL },
        { "/dev/video2", "/dev/video2", NULL },
        { "Webcam", NULL, "more than one camera is called so: HD Webcam C920 (usb-1.2, /dev/video0), HD Webcam C270" },
        { "Brio", NULL, "no such camera; there are: HD Webcam C920" },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        struct seen x;
        seen_begin(&x);
        x.f.camera[1] = x.f.camera[2] = x.f.camera[0];
        x.f.camera[1].card = "HD Webcam C270";
        x.f.camera[1].bus = "usb-2";
        x.f.camera[2].card = "Laptop";
        x.f.camera[2].bus = "usb-9";
        fake_plug(&x.f, 1, 2);
        fake_plug(&x.f, 2, 5);
        int rc = webcam_open(&x.s, &x.f.system, rows[i].named, &(struct camera_wish){ 0 }, &x.why);
        if (rows[i].node ? rc != 0 || strcmp(source_info(x.s)->node, rows[i].node) != 0
                         : rc != RS_EIO || !strstr(x.why.text, rows[i].says))
            fail_msg("%s: %d '%s'", rows[i].named, rc, x.why.text);
        seen_end(&x);
    }
}

static void another_thread_may_ask_while_it_is_read(void **state)
{
    (void)state;
    struct seen x;
    struct capture *c;
    struct frame *got = NULL;
    bool told = false;
    seen_begin(&x);
    x.f.camera[0].control[0] = (struct fake_control){
        V4L2_CID_FOCUS_AUTO, V4L2_CTRL_TYPE_BOOLEAN, "Focus, Automatic Continuous", 0, 1, 1, 1, 0
    };
    seen_look(&x, NULL);
    assert_int_equal(capture_start(&c, x.s, false, NULL, &x.why), 0);
    source_hold_picture(x.s);
    while (!told) {
        struct fail said;
        assert_int_equal(capture_next(&got, c, 60, &x.why), CAPTURE_FRAME);
        frame_free(got);
        told = source_notice(x.s, &said);
    }
    capture_stop(c);
    seen_end(&x);
}

// RINGSIDE_CAMERA=/dev/video0 lets this look at a real one.
static void a_real_camera_gives_frames_in_order_of_time(void **state)
{
    (void)state;
    const char *device = getenv("RINGSIDE_CAMERA");
    if (!device)
        skip();
    struct source *s;
    struct fail why = { 0 };
    if (webcam_open(&s, &camera_system_own, device, &(struct camera_wish){ .width = 640, .height = 480 }, &why) != 0)
        fail_msg("%s", why.text);
    double last_s = 0;
    for (long k = 0; k < 10;) {
        struct frame *f;
        int rc = source_next(&f, s, &why);
        if (rc == SOURCE_WAITS)
            continue;
        if (rc != SOURCE_FRAME)
            fail_msg("%s", why.text);
        assert_int_equal(f->number, k);
        assert_int_equal(f->width, source_info(s)->width);
        assert_int_equal(f->height, source_info(s)->height);
        assert_true(k == 0 ? f->t_s == 0 : f->t_s > last_s);
        last_s = f->t_s;
        frame_free(f);
        k++;
    }
    source_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_camera_is_said_in_one_line),
        cmocka_unit_test(a_camera_that_does_not_begin_is_said),
        cmocka_unit_test(a_mode_that_the_plug_has_no_room_for_is_told_and_the_next_one_taken),
        cmocka_unit_test(pictures_come_in_order_of_time),
        cmocka_unit_test(a_camera_that_never_gave_a_picture_is_an_error_within_six_seconds),
        cmocka_unit_test(every_fault_is_told_within_two_seconds_and_play_goes_on_after_it),
        cmocka_unit_test(damaged_pictures_are_counted_and_those_that_are_bridged_are_no_loss),
        cmocka_unit_test(a_driver_that_sends_each_picture_twice_loses_none),
        cmocka_unit_test(an_unplugged_camera_is_found_again),
        cmocka_unit_test(another_program_that_holds_it_after_a_new_plugging_in_is_told),
        cmocka_unit_test(what_a_narrower_plug_has_room_for_is_taken_and_told),
        cmocka_unit_test(a_change_of_mode_is_renegotiated_or_waited_for),
        cmocka_unit_test(errors_of_the_driver_pass),
        cmocka_unit_test(lost_pictures_are_counted_by_their_numbers),
        cmocka_unit_test(stamps_that_cannot_be_are_survived),
        cmocka_unit_test(time_asleep_is_time_that_nobody_saw),
        cmocka_unit_test(raw_pictures_are_read_as_they_come),
        cmocka_unit_test(rows_that_cannot_be_are_refused),
        cmocka_unit_test(a_camera_is_found_by_what_people_call_it),
        cmocka_unit_test(another_thread_may_ask_while_it_is_read),
        cmocka_unit_test(a_real_camera_gives_frames_in_order_of_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
