// SPDX-License-Identifier: MIT
// `ringside cameras`: what is listed, for people and for machines, and the test picture.

#include <jansson.h>

#include "calibration/units.h"
#include "referee/commands/cameras.h"
#include "tests/cmocka.h"
#include "tests/vision/scratch.h"
#include "tests/vision/source/fake_camera.h"
#include "vision/source/source.h"

// Ours, led through here by the linker: so many calls say that the camera has ended.
static int ends;
int __real_source_next(struct source *s, struct frame **out, struct fail *why);
int __wrap_source_next(struct source *s, struct frame **out, struct fail *why);
int __wrap_source_next(struct source *s, struct frame **out, struct fail *why)
{
    return ends > 0 && ends-- > 0 ? SOURCE_ENDED : __real_source_next(s, out, why);
}

static const struct fake_control brightness = {
    V4L2_CID_BRIGHTNESS, V4L2_CTRL_TYPE_INTEGER, "Brightness", 0, 255, 128, 90, 0
};

// What it says to `o`; the caller frees it.
static char *told(struct fake *f, struct options *o, int rc_wanted, struct fail *why)
{
    char *text = calloc(1, 1 << 16);
    FILE *to = fmemopen(text, (1 << 16) - 1, "w");
    int rc = cameras_tell(to, &f->system, o, why);
    fclose(to);
    if (rc != rc_wanted)
        fail_msg("%d, not %d: '%s' '%s'", rc, rc_wanted, why->text, text);
    assert_int_equal(f->opens, f->closes);
    return text;
}

static void begin(struct fake *f)
{
    static const struct fake_mode modes[] = { { V4L2_PIX_FMT_YUYV, 1280, 720, 10 },
                                              { V4L2_PIX_FMT_MJPEG, 1920, 1080, 30 },
                                              { V4L2_PIX_FMT_MJPEG, 1280, 720, 60 },
                                              { V4L2_PIX_FMT_MJPEG, 1280, 720, 30 } };
    fake_begin(f);
    memcpy(f->camera[0].mode, modes, sizeof modes);
    f->camera[0].control[0] = brightness;
    f->camera[1] = f->camera[0];
    f->camera[1].card = "Laptop\033[31m";
    f->camera[1].bus = "usb-7";
    f->camera[1].denied = EACCES;
    fake_plug(f, 1, 2);
}

static void cameras_are_listed_with_the_mode_that_is_taken(void **state)
{
    (void)state;
    static const char *const says[] = { "HD Webcam C920, usb-1.2, /dev/video0\n",
                                        "  *  1280 x 720   MJPEG  at 60, 30\n",
                                        "     1920 x 1080  MJPEG  at 30\n",
                                        "     1280 x 720   YUYV   at 10\n",
                                        "watch takes 1280 x 720 MJPEG at 60 a second",
                                        "25 px an inch",
                                        "/dev/video2: no permission" };
    struct fake f;
    struct options o = { .operands = 0 };
    struct fail why;
    begin(&f);
    char *text = told(&f, &o, 0, &why);
    for (size_t i = 0; i < countof(says); i++)
        if (!strstr(text, says[i]))
            fail_msg("'%s' is not in '%s'", says[i], text);
    assert_null(strstr(text, "brightness")); // only of a camera that is named
    free(text);
    fake_end(&f);
}

static void a_camera_that_is_named_shows_its_controls(void **state)
{
    (void)state;
    struct fake f;
    char *operand[] = { "c920", NULL };
    struct options o = { .operands = 1, .operand = operand };
    struct fail why;
    begin(&f);
    char *text = told(&f, &o, 0, &why);
    assert_non_null(strstr(text, "brightness"));
    assert_non_null(strstr(text, " 90 "));
    assert_non_null(strstr(text, "0 to 255"));
    assert_null(strstr(text, "/dev/video2"));
    free(text);
    operand[0] = "brio";
    free(told(&f, &o, RS_EIO, &why));
    assert_non_null(strstr(why.text, "no such camera; there are: HD Webcam C920"));
    fake_end(&f);
}

static void machines_are_told_the_same(void **state)
{
    (void)state;
    struct fake f;
    struct options o = { .json = true };
    struct fail why;
    const char *name, *taken, *refused;
    int width, modes;
    begin(&f);
    char *text = told(&f, &o, 0, &why);
    json_t *root = json_loads(text, 0, NULL), *cameras = json_object_get(root, "cameras");
    json_t *first = json_array_get(cameras, 0);
    assert_int_equal(json_array_size(cameras), 2);
    assert_int_equal(
        json_unpack(first, "{s:s, s:{s:s, s:i}}", "name", &name, "taken", "format", &taken, "width", &width), 0);
    assert_string_equal(name, "HD Webcam C920");
    assert_string_equal(taken, "MJPEG");
    assert_int_equal(width, 1280);
    modes = (int)json_array_size(json_object_get(first, "modes"));
    assert_int_equal(modes, 4);
    assert_int_equal(json_unpack(json_array_get(cameras, 1), "{s:s}", "why", &refused), 0);
    assert_non_null(strstr(refused, "no permission"));
    json_decref(root);
    free(text);
    fake_end(&f);
}

static void without_a_camera_it_says_what_to_do(void **state)
{
    (void)state;
    struct fake f;
    struct options o = { .json = true };
    struct fail why;
    fake_begin(&f);
    fake_unplug(&f, 0);
    char *text = told(&f, &o, RS_EIO, &why);
    assert_non_null(strstr(why.text, "plug one in"));
    assert_non_null(strstr(text, "\"cameras\":[]"));
    free(text);
    fake_end(&f);
}

static void an_address_is_no_camera_to_be_plugged_in(void **state)
{
    (void)state;
    static char addresses[][50] = { "http://user:secret@192.168.1.7:8080/video", "user:secret@192.168.1.7:8080/video",
                                    "user:secret@camera" };
    for (size_t i = 0; i < countof(addresses); i++) {
        struct fake f;
        char *operand[] = { addresses[i], NULL };
        struct options o = { .operands = 1, .operand = operand };
        struct fail why;
        fake_begin(&f);
        free(told(&f, &o, RS_EINPUT, &why));
        assert_string_equal(why.text, "an address has no modes here: `ringside watch --camera` takes what it sends");
        fake_end(&f);
    }
}

static void a_test_picture_is_taken_when_exposure_has_come_to_rest(void **state)
{
    const char *path = scratch_path(*state, "test.png");
    struct fake f;
    char *operand[] = { "/dev/video0", NULL };
    struct options o = { .operands = 1, .operand = operand, .out = path };
    struct fail why;
    struct source *s;
    struct frame *picture;
    fake_begin(&f);
    free(told(&f, &o, 0, &why));
    assert_true(f.awake_s > 102);
    assert_int_equal(photo_open(&s, path, &why), 0);
    assert_int_equal(source_next(&picture, s, &why), SOURCE_FRAME);
    assert_true(picture->width == FAKE_WIDTH && picture->height == FAKE_HEIGHT);
    frame_free(picture);
    source_close(s);
    f.stalled = true;
    free(told(&f, &o, RS_EIO, &why));
    f.stalled = false;
    ends = 2; // asked again, it goes on
    free(told(&f, &o, RS_EIO, &why));
    assert_non_null(strstr(why.text, "ended before the picture"));
    assert_int_equal(ends, 1);
    ends = 0;
    o.out = NULL;
    o.control[o.controls++] = "brightness=3";
    free(told(&f, &o, RS_EINPUT, &why));
    assert_non_null(strstr(why.text, "--out PICTURE"));
    fake_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cameras_are_listed_with_the_mode_that_is_taken),
        cmocka_unit_test(a_camera_that_is_named_shows_its_controls),
        cmocka_unit_test(machines_are_told_the_same),
        cmocka_unit_test(without_a_camera_it_says_what_to_do),
        cmocka_unit_test(an_address_is_no_camera_to_be_plugged_in),
        cmocka_unit_test_setup_teardown(a_test_picture_is_taken_when_exposure_has_come_to_rest, scratch_create,
                                        scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
