// SPDX-License-Identifier: MIT
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "calibration/units.h"
#include "calibration/whole_file.h"
#include "tests/refused_memory.h"
#include "tests/vision/scratch.h"
#include "vision/draw.h"
#include "vision/typeface.h"

enum { WIDTH = 400, HEIGHT = 60 };

static int begin(void **state)
{
    static struct typeface *t;
    struct fail why = { .text = "" };
    if (typeface_open(&t, &why) < 0)
        fail_msg("%s", why.text);
    *state = t;
    return 0;
}

static int end(void **state)
{
    typeface_close(*state);
    return 0;
}

static double width_of(struct typeface *t, double letters_px, const char *text)
{
    struct fail why = { .text = "" };
    double width_px;
    if (typeface_width(&width_px, t, letters_px, text, &why) < 0)
        fail_msg("%s", why.text);
    return width_px;
}

static void a_text_is_as_wide_in_every_size(void **state)
{
    double one = width_of(*state, 10, "Home leads 30 to 20"), ten = width_of(*state, 100, "Home leads 30 to 20");
    assert_true(fabs(ten - 10 * one) < 2); // each letter's place is a whole 1/64 px
    assert_true(width_of(*state, 10, "") == 0);
}

// Rows and columns that the letters cover.
static void inked(int out[4], struct typeface *t, double letters_px, const char *text)
{
    static uint8_t pixel[WIDTH * HEIGHT];
    struct fail why = { .text = "" };
    struct coverage to = { pixel, WIDTH, HEIGHT, 20, 45 };
    memset(pixel, 0, sizeof pixel);
    assert_int_equal(typeface_write(&to, t, letters_px, text, &why), 0);
    out[0] = WIDTH, out[1] = HEIGHT, out[2] = out[3] = -1;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        if (pixel[i] > 127) {
            int u = i % WIDTH, v = i / WIDTH;
            out[0] = u < out[0] ? u : out[0];
            out[1] = v < out[1] ? v : out[1];
            out[2] = u > out[2] ? u : out[2];
            out[3] = v > out[3] ? v : out[3];
        }
}

static void capitals_are_as_high_as_asked_and_stand_on_the_line(void **state)
{
    int box[4];
    inked(box, *state, 30, "H");
    assert_int_equal(box[3], 44); // the last row above the base line
    assert_in_range(box[3] - box[1] + 1, 29, 31);
    assert_true(box[0] >= 20);
}

static void letters_of_other_languages_are_letters(void **state)
{
    double plain = width_of(*state, 20, "Bjorn"), own = width_of(*state, 20, "Bj\xc3\xb6rn");
    assert_true(fabs(plain - own) < 0.1); // one letter for two bytes
    assert_true(width_of(*state, 20, "\xd0\x96") != width_of(*state, 20, "?"));
}

static void what_is_no_utf8_does_no_harm(void **state)
{
    static const char *const odd[] = {
        "\xff\xfe", "a\xc3", "\xe2\x82", "\xf0\x9f\x92\xa9", "\xc0\xaf", "\x80", "\n\t"
    };
    int box[4];
    for (size_t i = 0; i < countof(odd); i++) {
        assert_true(width_of(*state, 20, odd[i]) >= 0);
        inked(box, *state, 300, odd[i]); // beyond the picture on every side
    }
}

// Each byte by itself: half a pair of UTF-16, what lies beyond the last letter, a longer form of a shorter one.
static void bytes_of_no_letter_show_as_the_font_s_sign_for_them(void **state)
{
    static const char *const none[] = { "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf8\x90\x80\x80", "\xc0\xaf",
                                        "\xe2\x82" };
    double sign = width_of(*state, 20, "\xef\xbf\xbd");
    for (size_t i = 0; i < countof(none); i++)
        assert_true(fabs(width_of(*state, 20, none[i]) - (double)strlen(none[i]) * sign) < 0.1);
}

static int open_and_write(uint8_t pixel[WIDTH * HEIGHT], struct fail *why)
{
    struct typeface *t = NULL;
    struct coverage to = { pixel, WIDTH, HEIGHT, 20, 45 };
    memset(pixel, 0, WIDTH * HEIGHT);
    int rc = typeface_open(&t, why);
    if ((rc == 0) != (t != NULL))
        fail_msg("typeface_open says %d and gives %p", rc, (void *)t);
    rc = rc < 0 ? rc : typeface_write(&to, t, 30, "AV To. 20", why); // pairs that kerning moves together
    typeface_close(t);
    return rc;
}

static void memory_that_is_refused_is_told_wherever_it_was_asked_for(void **state)
{
    static uint8_t whole[WIDTH * HEIGHT], pixel[WIDTH * HEIGHT];
    struct fail why = { .text = "" };
    long refused = 0;
    (void)state;
    assert_int_equal(open_and_write(whole, &why), 0);
    for (;; refused++) {
        before_refusal = refused;
        int rc = open_and_write(pixel, &why);
        bool all_given = before_refusal >= 0;
        before_refusal = -1;
        if (all_given)
            break;
        if (rc != RS_ENOMEM)
            fail_msg("request %ld was refused, and that is told as %d", refused, rc);
    }
    assert_memory_equal(whole, pixel, sizeof whole);
    assert_true(refused > 50); // the library's modules alone ask for more
    print_message("%ld requests refused, one at a time\n", refused);
}

static void *typeface_of_another(void *pixel)
{
    struct typeface *t;
    struct fail why;
    struct coverage to = { pixel, WIDTH, HEIGHT, 20, 45 };
    return typeface_of_thread(&t, &why) == 0 && typeface_write(&to, t, 30, "AV To. 20", &why) == 0 ? t : NULL;
}

// It is opened once, and again when it is no longer what is asked for.
static void a_thread_keeps_its_own(void **state)
{
    static uint8_t whole[WIDTH * HEIGHT], pixel[WIDTH * HEIGHT];
    struct typeface *first = typeface_of_another(whole), *t;
    struct fail why = { .text = "" };
    pthread_t thread;
    void *other;
    (void)state;
    assert_non_null(first);
    assert_ptr_equal(typeface_of_another(pixel), first);
    memset(pixel, 0, sizeof pixel);
    assert_int_equal(pthread_create(&thread, NULL, typeface_of_another, pixel), 0);
    assert_int_equal(pthread_join(thread, &other), 0);
    assert_non_null(other);
    assert_ptr_not_equal(other, first);
    assert_memory_equal(whole, pixel, sizeof whole);

    setenv("RINGSIDE_FONT", "/nowhere/none.ttf", 1);
    assert_int_equal(typeface_of_thread(&t, &why), RS_EINPUT);
    assert_null(t);
    unsetenv("RINGSIDE_FONT");
    memset(pixel, 0, sizeof pixel);
    assert_non_null(typeface_of_another(pixel));
    assert_memory_equal(whole, pixel, sizeof whole);

    assert_int_equal(typeface_of_thread(&t, &why), 0);
    before_refusal = 0;
    double width_px;
    int rc = typeface_width(&width_px, t, 31, "%&", &why);
    bool all_given = before_refusal >= 0;
    before_refusal = -1;
    assert_false(all_given);
    assert_int_equal(rc, RS_ENOMEM);
    memset(pixel, 0, sizeof pixel);
    assert_non_null(typeface_of_another(pixel));
    assert_memory_equal(whole, pixel, sizeof whole);
}

// As an upgrade of the system's fonts may do it.
static void a_font_may_be_cut_off_while_it_is_open(void **state)
{
    const char *path = scratch_path(*state, "font.ttf");
    const char *wished = getenv("RINGSIDE_FONT");
    struct fail why = { .text = "" };
    struct typeface *t;
    uint8_t *font;
    size_t size;
    int rc = whole_file_read(&font, &size,
                             wished && wished[0] ? wished : "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
                             SIZE_MAX / 2, &why);
    if (rc < 0)
        skip(); // it is elsewhere
    scratch_write(path, font, size);
    free(font);
    setenv("RINGSIDE_FONT", path, 1);
    assert_int_equal(typeface_open(&t, &why), 0);
    unsetenv("RINGSIDE_FONT");
    double width_px = width_of(t, 20, "Home"); // its letters have been read
    assert_int_equal(truncate(path, 0), 0);
    assert_true(width_of(t, 20, "Home") == width_px);
    assert_true(width_of(t, 20, "\xd0\x96") > 0); // and these have not
    typeface_close(t);
}

// Without a font there are strokes: a picture is written all the same.
static void without_a_font_words_are_drawn_all_the_same(void **state)
{
    struct typeface *none;
    struct fail why = { .text = "" };
    struct frame *with, *without;
    (void)state;
    assert_int_equal(frame_create(&with, WIDTH, HEIGHT, &why), 0);
    assert_int_equal(frame_create(&without, WIDTH, HEIGHT, &why), 0);
    const struct ink white = { 255, 255, 255, 1 };
    assert_int_equal(draw_text(with, (struct pt_px){ 10, 30 }, DRAW_RIGHT_OF, 20, white, "Home 20", &why), 0);
    setenv("RINGSIDE_FONT", "/nowhere/none.ttf", 1);
    assert_int_equal(typeface_open(&none, &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "/nowhere/none.ttf"));
    assert_null(none);
    assert_int_equal(draw_text(without, (struct pt_px){ 10, 30 }, DRAW_RIGHT_OF, 20, white, "Home 20", &why), 0);
    unsetenv("RINGSIDE_FONT");
    int light = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        light += without->bgr[3 * i] > 200;
    assert_true(light > 100);
    assert_true(memcmp(with->bgr, without->bgr, 3 * WIDTH * HEIGHT) != 0);
    frame_free(with);
    frame_free(without);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_is_as_wide_in_every_size),
        cmocka_unit_test(capitals_are_as_high_as_asked_and_stand_on_the_line),
        cmocka_unit_test(letters_of_other_languages_are_letters),
        cmocka_unit_test(what_is_no_utf8_does_no_harm),
        cmocka_unit_test(bytes_of_no_letter_show_as_the_font_s_sign_for_them),
        cmocka_unit_test(memory_that_is_refused_is_told_wherever_it_was_asked_for),
        cmocka_unit_test(a_thread_keeps_its_own),
        cmocka_unit_test_setup_teardown(a_font_may_be_cut_off_while_it_is_open, scratch_create, scratch_remove),
        cmocka_unit_test(without_a_font_words_are_drawn_all_the_same),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
