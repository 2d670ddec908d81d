// SPDX-License-Identifier: MIT
// Exposure, focus and the like: set, locked, set again, put back; and what is said of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/vision/source/seen_camera.h"

static void give_controls(struct seen *x)
{
    static const struct fake_control controls[] = {
        { V4L2_CID_BRIGHTNESS, V4L2_CTRL_TYPE_INTEGER, "Brightness", 0, 255, 128, 128, 0 },
        { V4L2_CID_POWER_LINE_FREQUENCY, V4L2_CTRL_TYPE_MENU, "Power Line Frequency", 0, 2, 1, 1, 0 },
        { V4L2_CID_EXPOSURE_AUTO, V4L2_CTRL_TYPE_MENU, "Auto Exposure", 0, 3, 3, 3, 0 },
        { V4L2_CID_EXPOSURE_ABSOLUTE, V4L2_CTRL_TYPE_INTEGER, "Exposure Time, Absolute", 3, 2047, 250, 250, 156 },
        { V4L2_CID_EXPOSURE_AUTO_PRIORITY, V4L2_CTRL_TYPE_BOOLEAN, "Exposure, Dynamic Framerate", 0, 1, 0, 1, 0 },
        { V4L2_CID_FOCUS_ABSOLUTE, V4L2_CTRL_TYPE_INTEGER, "Focus, Absolute", 0, 250, 0, 0, 35 },
        { V4L2_CID_FOCUS_AUTO, V4L2_CTRL_TYPE_BOOLEAN, "Focus, Automatic Continuous", 0, 1, 1, 1, 0 },
    };
    memcpy(x->f.camera[0].control, controls, sizeof controls);
}

static int value_of(const struct seen *x, uint32_t id)
{
    for (int i = 0; i < FAKE_CONTROLS; i++)
        if (x->f.camera[0].control[i].id == id)
            return x->f.camera[0].control[i].value;
    return -1;
}

static void what_automatics_came_to_is_kept_set_again_and_put_back(void **state)
{
    (void)state;
    struct seen x;
    seen_begin(&x);
    give_controls(&x);
    seen_look(&x, NULL);
    assert_int_equal(value_of(&x, V4L2_CID_EXPOSURE_AUTO_PRIORITY), 0);
    assert_int_equal(seen_run(&x, 2), 0);
    assert_int_equal(value_of(&x, V4L2_CID_EXPOSURE_AUTO), 3);
    source_hold_picture(x.s);
    assert_int_equal(seen_run(&x, 1), 0);
    assert_true(seen_notice_has(&x, "keeps its exposure and focus as now"));
    assert_true(seen_notice_has(&x, "15.6 ms, in which a disc of 3 m/s is blurred over 1.8 in"));
    for (int plugs = 0; plugs < 2; plugs++) {
        assert_int_equal(value_of(&x, V4L2_CID_EXPOSURE_AUTO), V4L2_EXPOSURE_MANUAL);
        assert_int_equal(value_of(&x, V4L2_CID_EXPOSURE_ABSOLUTE), 156);
        assert_int_equal(value_of(&x, V4L2_CID_FOCUS_AUTO), 0);
        assert_int_equal(value_of(&x, V4L2_CID_FOCUS_ABSOLUTE), 35);
        fake_unplug(&x.f, 0);
        assert_int_equal(seen_run(&x, 2), 0);
        give_controls(&x); // it forgot all
        fake_plug(&x.f, 0, 1);
        assert_int_equal(seen_run(&x, 2), 0);
    }
    source_close(x.s);
    x.s = NULL;
    assert_int_equal(value_of(&x, V4L2_CID_EXPOSURE_AUTO), 3);
    assert_int_equal(value_of(&x, V4L2_CID_FOCUS_AUTO), 1);
    assert_int_equal(value_of(&x, V4L2_CID_EXPOSURE_AUTO_PRIORITY), 1);
    seen_end(&x);
}

static void however_many_are_set_all_are_put_back(void **state)
{
    (void)state;
    static char name[FAKE_CONTROLS][20], control[FAKE_CONTROLS][30];
    const char *each[FAKE_CONTROLS];
    struct seen x;
    seen_begin(&x);
    for (int i = 0; i < FAKE_CONTROLS; i++) {
        snprintf(name[i], sizeof name[i], "Knob %d", i);
        snprintf(control[i], sizeof control[i], "knob_%d=7", i);
        each[i] = control[i];
        x.f.camera[0].control[i] = (struct fake_control){
            V4L2_CID_PRIVATE_BASE + (uint32_t)i, V4L2_CTRL_TYPE_INTEGER, name[i], 0, 9, 3, 3, 0
        };
    }
    seen_look(&x, &(struct camera_wish){ .control = each, .controls = FAKE_CONTROLS });
    for (int i = 0; i < FAKE_CONTROLS; i++)
        assert_int_equal(x.f.camera[0].control[i].value, 7);
    source_close(x.s);
    x.s = NULL;
    for (int i = 0; i < FAKE_CONTROLS; i++)
        if (x.f.camera[0].control[i].value != 3)
            fail_msg("%s was not put back", name[i]);
    seen_end(&x);
}

// Ended while the camera is closed: it had stalled, and another program took it meanwhile.
static void controls_of_a_camera_that_another_program_took_are_put_back(void **state)
{
    (void)state;
    struct seen x;
    const char *control = "brightness=77";
    seen_begin(&x);
    give_controls(&x);
    seen_look(&x, &(struct camera_wish){ .control = &control, .controls = 1 });
    assert_int_equal(seen_run(&x, 2), 0);
    assert_int_equal(value_of(&x, V4L2_CID_BRIGHTNESS), 77);
    x.f.stalled = x.f.camera[0].busy = true;
    assert_int_equal(seen_run(&x, 10), 0);
    assert_non_null(strstr(x.said, "another program uses the camera"));
    assert_int_equal(x.f.opens, x.f.closes);
    source_close(x.s);
    x.s = NULL;
    assert_int_equal(value_of(&x, V4L2_CID_BRIGHTNESS), 128);
    seen_end(&x);
}

static void an_automatic_that_was_asked_for_stays(void **state)
{
    (void)state;
    struct seen x;
    const char *control = "auto_exposure=3";
    const struct camera_wish wish = { .control = &control, .controls = 1 };
    seen_begin(&x);
    give_controls(&x);
    seen_look(&x, &wish);
    source_hold_picture(x.s);
    assert_int_equal(seen_run(&x, 1), 0);
    assert_true(seen_notice_has(&x, "keeps its focus as now"));
    assert_int_equal(value_of(&x, V4L2_CID_EXPOSURE_AUTO), 3);
    seen_end(&x);
}

static void controls_that_are_given_are_set_or_refused_in_words(void **state)
{
    (void)state;
    static const struct {
        const char *control, *says; // NULL: taken
        int rc;
    } rows[] = {
        { "brightness=30", NULL, 0 },
        { "exposure_time_absolute=80", NULL, 0 },
        { "brightness=300", "brightness takes 0 to 255", RS_EINPUT },
        { "brightnes=3", "called alike: brightness", RS_EINPUT },
        { "exposure=3", "called alike: auto_exposure, exposure_time_absolute, exposure_dynamic_framerate", RS_EINPUT },
        { "zoom=3", "it has: brightness, power_line_frequency", RS_EINPUT },
        { "auto_exposure=7", "0 (Way 0), 1 (Way 1), 3 (Way 3)", RS_EINPUT },
        { "focus_automatic_continuous=2", "takes 0 or 1", RS_EINPUT },
        { "brightness", "write it as", RS_EINPUT },
        { "brightness=", "write it as", RS_EINPUT },
        { "brightness=3x", "write it as", RS_EINPUT },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        struct seen x;
        seen_begin(&x);
        give_controls(&x);
        const struct camera_wish wish = { .control = &rows[i].control, .controls = 1 };
        int rc = webcam_open(&x.s, &x.f.system, "C920", &wish, &x.why);
        if (rc != rows[i].rc || (rc < 0 && !strstr(x.why.text, rows[i].says)))
            fail_msg("%s: %d '%s'", rows[i].control, rc, x.why.text);
        if (i == 1) { // the automatic is off, or it would have the last word
            assert_int_equal(value_of(&x, V4L2_CID_EXPOSURE_AUTO), V4L2_EXPOSURE_MANUAL);
            assert_int_equal(value_of(&x, V4L2_CID_EXPOSURE_ABSOLUTE), 80);
        }
        seen_end(&x);
        assert_int_equal(value_of(&x, V4L2_CID_EXPOSURE_AUTO), 3);
    }
}

static void a_shutter_that_is_bad_for_a_game_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int exposure, mains;
        const char *says; // NULL: nothing
    } rows[] = {
        { "10 ms", 100, 0, NULL },
        { "8.3 ms", 83, 0, NULL },
        { "4 ms under a camera that knows its mains", 40, 1, NULL },
        { "4 ms under lamps", 40, 0, "flickers" },
        { "20 ms", 200, 1, "blurred over 2.4 in" },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        struct seen x;
        seen_begin(&x);
        give_controls(&x);
        x.f.camera[0].control[1].value = rows[i].mains;
        x.f.camera[0].control[3].automatic_value = rows[i].exposure;
        seen_look(&x, NULL);
        source_hold_picture(x.s);
        assert_int_equal(seen_run(&x, 1), 0);
        bool told = seen_notice_has(&x, rows[i].says ? rows[i].says : "shutter");
        if (told != (rows[i].says != NULL))
            fail_msg("%s: told %d", rows[i].what, told);
        seen_end(&x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_automatics_came_to_is_kept_set_again_and_put_back),
        cmocka_unit_test(however_many_are_set_all_are_put_back),
        cmocka_unit_test(controls_of_a_camera_that_another_program_took_are_put_back),
        cmocka_unit_test(an_automatic_that_was_asked_for_stays),
        cmocka_unit_test(controls_that_are_given_are_set_or_refused_in_words),
        cmocka_unit_test(a_shutter_that_is_bad_for_a_game_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
