// SPDX-License-Identifier: MIT
// Which views of a chessboard are worth keeping, what is asked for, and when it is enough.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "calibration/lens_views.h"
#include "tests/calibration/held.h"

enum { WIDTH = 1280, HEIGHT = 720, COLUMNS = 6, ROWS = 8 };
static const double NOISE_PX = 0.08;

static struct lens_views views;
static uint32_t seed = 1;

static struct lens lens_of_tests(void)
{
    return held_lens(WIDTH, HEIGHT, 1000, -0.1, 0.02);
}

static bool show(const struct held *h)
{
    const struct lens l = lens_of_tests();
    const struct camera c = held_camera(&l, h);
    struct chessboard b;
    held_see(&b, &c, COLUMNS, ROWS, NOISE_PX, 0, &seed);
    return lens_views_add(&views, &b, NULL);
}

static const char *missing(void)
{
    static char words[LENS_VIEWS_WORDS_MAX];
    return lens_views_missing(words, &views) ? words : "nothing";
}

static void the_same_again_is_not_kept(void **state)
{
    struct held h = { 0.4, 0.5, 15, 0.3, 1 };
    (void)state;
    lens_views_begin(&views, WIDTH, HEIGHT);
    assert_true(show(&h));
    assert_false(show(&h));
    h.u += 0.03; // an inch aside
    assert_false(show(&h));
    h.u += 0.1;
    assert_true(show(&h));
    h.tilt_rad += 0.3;
    assert_true(show(&h));
    h.squares_away *= 1.4;
    assert_true(show(&h));
    assert_int_equal(views.count, 4);
}

static void it_asks_for_one_thing_until_nothing_is_missing(void **state)
{
    (void)state;
    lens_views_begin(&views, WIDTH, HEIGHT);
    assert_non_null(strstr(missing(), "before the camera"));
    show(&held_well[0]);
    assert_non_null(strstr(missing(), "top left corner"));
    show(&held_well[1]);
    assert_non_null(strstr(missing(), "top right corner"));
    for (size_t i = 2; i < countof(held_well); i++)
        show(&held_well[i]);
    assert_string_equal(missing(), "nothing");
    assert_true(lens_views_suffice(&views, NULL));
}

static void straight_views_are_asked_to_be_tilted_and_refused(void **state)
{
    struct fail why = { .text = "" };
    (void)state;
    lens_views_begin(&views, WIDTH, HEIGHT);
    for (size_t i = 0; i < countof(held_well); i++) {
        struct held h = held_well[i];
        h.tilt_rad = 0;
        show(&h);
    }
    assert_non_null(strstr(missing(), "tilt it more"));
    assert_false(lens_views_suffice(&views, &why));
    assert_non_null(strstr(why.text, "leave the focal length open"));
}

// The side to be shown is the one that was not: all lean with their left side away.
static void the_tilt_asked_for_is_the_one_not_seen(void **state)
{
    (void)state;
    lens_views_begin(&views, WIDTH, HEIGHT);
    for (int i = 0; i < 6; i++)
        show(&(struct held){ 0.2 + 0.12 * i, 0.5, 15, 0.5, 0 });
    struct pose p = views.fit.pose[0];
    bool right_is_nearer = p.R[2][0] * (p.R[0][0] > 0 ? 1 : -1) < 0; // depth falls along the picture's u
    char words[LENS_VIEWS_WORDS_MAX];
    struct fail why = { .text = "" };
    lens_views_missing(words, &views);
    views.fit.covariance[0] = 1; // open, whatever these views said
    assert_false(lens_views_suffice(&views, &why));
    assert_non_null(strstr(why.text, right_is_nearer ? "left side" : "right side"));
}

static void too_few_are_refused(void **state)
{
    struct fail why = { .text = "" };
    (void)state;
    lens_views_begin(&views, WIDTH, HEIGHT);
    for (int i = 0; i < 4; i++)
        show(&held_well[i]);
    assert_false(lens_views_suffice(&views, &why));
    assert_non_null(strstr(why.text, "4 different views"));
}

// A view that is nowhere flat: no lens explains it beside the others, and nothing falls over.
static void nonsense_is_borne(void **state)
{
    struct chessboard b = { COLUMNS, ROWS, { { 0, 0 } } };
    (void)state;
    lens_views_begin(&views, WIDTH, HEIGHT);
    assert_false(lens_views_add(&views, &b, NULL)); // all corners in one place
    for (int i = 0; i < COLUMNS * ROWS; i++)
        b.corner[i] =
            (struct pt_px){ WIDTH * (0.5 + 0.4 * held_noise(&seed) / 6), HEIGHT * (0.5 + 0.4 * held_noise(&seed) / 6) };
    for (int i = 0; i < 4; i++) {
        lens_views_add(&views, &b, NULL);
        show(&held_well[i]);
    }
    assert_false(lens_views_suffice(&views, NULL));
}

static void no_more_than_fit_are_kept(void **state)
{
    (void)state;
    lens_views_begin(&views, WIDTH, HEIGHT);
    views.count = LENS_FIT_MAX_VIEWS;
    for (int i = 0; i < LENS_FIT_MAX_VIEWS; i++)
        views.view[i] = views.view[0];
    assert_false(show(&held_well[0]));
    assert_string_equal(missing(), "nothing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_again_is_not_kept),
        cmocka_unit_test(it_asks_for_one_thing_until_nothing_is_missing),
        cmocka_unit_test(straight_views_are_asked_to_be_tilted_and_refused),
        cmocka_unit_test(the_tilt_asked_for_is_the_one_not_seen),
        cmocka_unit_test(too_few_are_refused),
        cmocka_unit_test(nonsense_is_borne),
        cmocka_unit_test(no_more_than_fit_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
