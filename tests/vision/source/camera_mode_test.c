// SPDX-License-Identifier: MIT
// Which of a camera's modes is taken, and what is said of it.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/vision/source/fake_camera.h"
#include "vision/source/camera_mode.h"

#define MJPEG V4L2_PIX_FMT_MJPEG
#define YUYV V4L2_PIX_FMT_YUYV

static const struct {
    const char *what;
    struct fake_mode offered[FAKE_MODES];
    struct camera_wish wish;
    const char *says;
    bool unwished;
} rows[] = {
    { "rate before size once it is sharp enough",
      { { MJPEG, 1920, 1080, 30 }, { MJPEG, 1280, 720, 60 }, { MJPEG, 640, 480, 120 } },
      { 0 },
      "1280 x 720 MJPEG at 60 a second",
      false },
    { "size where rates are alike",
      { { MJPEG, 1280, 720, 30 }, { MJPEG, 1920, 1080, 30 } },
      { 0 },
      "1920 x 1080 MJPEG at 30 a second",
      false },
    { "not more than twice the pixels that are enough",
      { { MJPEG, 3840, 2160, 30 }, { MJPEG, 1920, 1080, 30 } },
      { 0 },
      "1920 x 1080 MJPEG at 30 a second",
      false },
    { "nor more a second than sixty",
      { { MJPEG, 1280, 720, 120 }, { MJPEG, 1920, 1080, 60 } },
      { 0 },
      "1920 x 1080 MJPEG at 60 a second",
      false },
    { "nor what a core cannot decode",
      { { MJPEG, 3840, 2160, 60 }, { MJPEG, 1280, 720, 30 } },
      { 0 },
      "1280 x 720 MJPEG at 30 a second",
      false },
    { "compressed where raw is slow",
      { { YUYV, 1920, 1080, 5 }, { YUYV, 640, 480, 30 }, { MJPEG, 1920, 1080, 30 } },
      { 0 },
      "1920 x 1080 MJPEG at 30 a second",
      false },
    { "compressed where both are alike",
      { { YUYV, 1280, 720, 30 }, { MJPEG, 1280, 720, 30 } },
      { 0 },
      "1280 x 720 MJPEG at 30 a second",
      false },
    { "fast where nothing sharp is fast",
      { { YUYV, 1920, 1080, 5 }, { YUYV, 640, 480, 30 }, { YUYV, 800, 600, 24 } },
      { 0 },
      "800 x 600 YUYV at 24 a second",
      false },
    { "slow where nothing fast shows a piece",
      { { YUYV, 1280, 720, 10 }, { YUYV, 160, 120, 30 } },
      { 0 },
      "1280 x 720 YUYV at 10 a second; too slow to follow a shot, which needs 24 a second",
      true },
    { "a ring on the floor wants pixels",
      { { MJPEG, 1920, 1080, 30 }, { MJPEG, 1280, 720, 60 } },
      { .board_in = 84 },
      "1920 x 1080 MJPEG at 30 a second",
      false },
    { "a size that is wished",
      { { MJPEG, 1920, 1080, 30 }, { YUYV, 640, 480, 15 }, { MJPEG, 640, 480, 30 } },
      { .width = 640, .height = 480 },
      "640 x 480 MJPEG at 30 a second",
      false },
    { "a rate that is wished",
      { { MJPEG, 1920, 1080, 30 }, { MJPEG, 1280, 720, 60 }, { MJPEG, 1280, 720, 30 } },
      { .frames_per_s = 30 },
      "1920 x 1080 MJPEG at 30 a second",
      false },
    { "a size that it does not have",
      { { MJPEG, 1280, 720, 30 }, { MJPEG, 640, 480, 30 } },
      { .width = 1600, .height = 1200 },
      "the camera has no 1600 x 1200; 1280 x 720 MJPEG at 30 a second taken; it has: 1280 x 720, 640 x 480",
      true },
    { "a rate that it does not have",
      { { MJPEG, 1280, 720, 30 }, { MJPEG, 1280, 720, 15 } },
      { .frames_per_s = 90 },
      "the camera has no 90 pictures a second; 1280 x 720 MJPEG at 30 a second taken",
      true },
    { "a rate that it does not have in that size",
      { { MJPEG, 1280, 720, 60 }, { MJPEG, 1920, 1080, 30 } },
      { .width = 1920, .height = 1080, .frames_per_s = 60 },
      "the camera has no 60 pictures a second of that size; 1920 x 1080 MJPEG at 30 a second taken",
      true },
    { "a camera that does not tell its rates", { { MJPEG, 1280, 720, 0 } }, { 0 }, "1280 x 720 MJPEG", false },
    { "what only libv4l reads",
      { { V4L2_PIX_FMT_RGB565, 1280, 720, 30 } },
      { 0 },
      "1280 x 720 RGBP by libv4l at 30 a second",
      false },
};

static void the_best_mode_for_a_board_is_taken(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(rows); i++) {
        struct fake f;
        struct camera_modes modes;
        struct fail why = { .text = "" };
        char says[400], reason[300];
        fake_begin(&f);
        memcpy(f.camera[0].mode, rows[i].offered, sizeof rows[i].offered);
        int fd = fake_open(&f, "/dev/video0");
        int rc = camera_modes_read(&modes, (struct camera_handle){ &f.system, fd }, V4L2_BUF_TYPE_VIDEO_CAPTURE,
                                   &rows[i].wish, &why);
        bool unwished = rc == 0 && camera_mode_tell(says, sizeof says, &modes.mode[0], &modes, &rows[i].wish);
        if (rc != 0 || unwished != rows[i].unwished || strcmp(says, rows[i].says) != 0)
            fail_msg("%s: %d %s: '%s'", rows[i].what, rc, why.text, says);
        camera_mode_reason(reason, sizeof reason, &modes.mode[0], &rows[i].wish);
        assert_non_null(strstr(reason, "px an inch"));
        camera_modes_finish(&modes);
        fake_end(&f);
    }
}

static void of_a_rate_that_is_not_told_none_is_too_slow(void **state)
{
    (void)state;
    const struct camera_wish any = { 0 };
    const struct camera_mode sharp = { MJPEG, .width = 1280, .height = 720 },
                             coarse = { MJPEG, .width = 640, .height = 480 };
    char reason[300];
    camera_mode_reason(reason, sizeof reason, &sharp, &any);
    assert_non_null(strstr(reason, "sharp enough"));
    camera_mode_reason(reason, sizeof reason, &coarse, &any);
    assert_non_null(strstr(reason, "the sharpest that are fast enough"));
}

static void a_camera_that_takes_any_size_is_asked_for_the_wished_one_and_those_that_people_know(void **state)
{
    (void)state;
    struct fake f;
    struct camera_modes modes;
    struct fail why = { .text = "" };
    char words[100];
    fake_begin(&f);
    f.camera[0].any_size = true;
    f.camera[0].mode[0] = (struct fake_mode){ YUYV, 0, 0, 0 };
    int fd = fake_open(&f, "/dev/video0");
    const struct camera_wish wish = { .width = 1000, .height = 900 };
    assert_int_equal(
        camera_modes_read(&modes, (struct camera_handle){ &f.system, fd }, V4L2_BUF_TYPE_VIDEO_CAPTURE, &wish, &why),
        0);
    camera_mode_words(words, sizeof words, &modes.mode[0]);
    assert_string_equal(words, "1000 x 900 YUYV");
    assert_int_equal(modes.count, 6);
    camera_modes_finish(&modes);
    fake_end(&f);
}

static void nothing_that_can_be_read_is_said(void **state)
{
    (void)state;
    struct fake f;
    struct camera_modes modes;
    struct fail why = { .text = "" };
    fake_begin(&f);
    f.camera[0].planes = true; // libv4l converts nothing there
    f.camera[0].mode[0].fourcc = V4L2_PIX_FMT_H264;
    int fd = fake_open(&f, "/dev/video0");
    const struct camera_wish any = { 0 };
    assert_int_equal(camera_modes_read(&modes, (struct camera_handle){ &f.system, fd },
                                       V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE, &any, &why),
                     RS_EIO);
    assert_non_null(strstr(why.text, "neither MJPEG"));
    camera_modes_finish(&modes);
    fake_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_mode_for_a_board_is_taken),
        cmocka_unit_test(of_a_rate_that_is_not_told_none_is_too_slow),
        cmocka_unit_test(a_camera_that_takes_any_size_is_asked_for_the_wished_one_and_those_that_people_know),
        cmocka_unit_test(nothing_that_can_be_read_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
