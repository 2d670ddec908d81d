// SPDX-License-Identifier: MIT
// What is wrong with a picture is told from its light and focus: a sample's, made darker, brighter, blurred, covered.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "calibration/units.h"
#include "vision/picture_trouble.h"
#include "vision/source/source.h"
#include "vision/tuning.h"

static struct frame *sample(const char *path)
{
    struct source *s;
    struct frame *f;
    struct fail why = { .text = "" };
    assert_int_equal(photo_open(&s, path, &why), 0);
    assert_int_equal(source_next(&f, s, &why), SOURCE_FRAME);
    source_close(s);
    return f;
}

// Each of three passes averages over so many pixels to both sides; together that is nearly Gaussian.
static void blur_rows(struct frame *f, int reach, size_t step, size_t rows, size_t row_step, int length)
{
    uint8_t *line = malloc((size_t)length);
    assert_non_null(line);
    for (size_t r = 0; r < rows; r++)
        for (int channel = 0; channel < 3; channel++) {
            uint8_t *p = f->bgr + r * row_step + (size_t)channel;
            for (int i = 0; i < length; i++) {
                int sum = 0, n = 0;
                for (int k = i - reach; k <= i + reach; k++)
                    if (k >= 0 && k < length) {
                        sum += p[(size_t)k * step];
                        n++;
                    }
                line[i] = (uint8_t)(sum / n);
            }
            for (int i = 0; i < length; i++)
                p[(size_t)i * step] = line[i];
        }
    free(line);
}

static void blur(struct frame *f, int reach)
{
    for (int pass = 0; pass < 3; pass++) {
        blur_rows(f, reach, 3, (size_t)f->height, 3 * (size_t)f->width, f->width);
        blur_rows(f, reach, 3 * (size_t)f->width, (size_t)f->width, 3, f->height);
    }
}

static void light_and_focus_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        double times, plus; // of each byte
        int blur_px;        // 0: none
        enum picture_trouble is;
    } rows[] = {
        { "as it is", 1, 0, 0, PICTURE_FINE },      { "half as bright", 0.5, 0, 0, PICTURE_FINE },
        { "too dark", 0.15, 0, 0, PICTURE_DARK },   { "a capped lens", 0.02, 4, 0, PICTURE_BLACK },
        { "burnt out", 2, 200, 0, PICTURE_BRIGHT }, { "a finger on the lens", 0, 110, 0, PICTURE_COVERED },
        { "a little soft", 1, 0, 1, PICTURE_FINE }, { "out of focus", 1, 0, 12, PICTURE_BLURRED },
    };
    struct fail why = { .text = "" };
    for (size_t i = 0; i < countof(rows); i++) {
        struct frame *f = sample("samples/pictures/crokinole_02.jpg");
        enum picture_trouble is;
        for (size_t k = 0; k < 3 * (size_t)f->width * (size_t)f->height; k++)
            f->bgr[k] = (uint8_t)fmin(255, rows[i].times * f->bgr[k] + rows[i].plus);
        if (rows[i].blur_px)
            blur(f, rows[i].blur_px);
        assert_int_equal(picture_trouble_of(&is, f, &tuning_defaults.track, &why), 0);
        if (is != rows[i].is)
            fail_msg("%s: %d, \"%s\"", rows[i].what, is, picture_trouble_words(is));
        assert_true((picture_trouble_words(is)[0] == '\0') == (is == PICTURE_FINE));
        frame_free(f);
    }
}

// A picture of a few pixels is no trouble of light.
static void the_smallest_picture_says_nothing(void **state)
{
    (void)state;
    struct frame *f;
    struct fail why = { .text = "" };
    enum picture_trouble is = PICTURE_BLACK;
    assert_int_equal(frame_create(&f, 1, 1, &why), 0);
    assert_int_equal(picture_trouble_of(&is, f, &tuning_defaults.track, &why), 0);
    assert_int_equal(is, PICTURE_FINE);
    frame_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(light_and_focus_are_told),
        cmocka_unit_test(the_smallest_picture_says_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
