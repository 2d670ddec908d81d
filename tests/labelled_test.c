// SPDX-License-Identifier: MIT
// Altered copies of pictures, and what is told of pictures labelled by eye.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibration/algebra.h"
#include "tests/accuracy/labelled.h"
#include "tests/accuracy/reading.h"
#include "tests/vision/scratch.h"

// The middle of what is brighter than half white.
static struct pt_px bright_middle(const struct frame *f)
{
    double u = 0, v = 0, n = 0;
    for (int y = 0; y < f->height; y++)
        for (int x = 0; x < f->width; x++)
            if (f->bgr[3 * ((size_t)y * (size_t)f->width + (size_t)x)] > 127) {
                u += x;
                v += y;
                n++;
            }
    return (struct pt_px){ u / fmax(n, 1), v / fmax(n, 1) };
}

static void a_spot_is_where_its_copy_has_it(void **state)
{
    (void)state;
    enum { WIDTH = 200, HEIGHT = 120, X = 150, Y = 40, REACH = 6 };
    struct frame *f = NULL, *copy = NULL;
    struct fail why = { .text = "" };
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, &why), 0);
    for (int y = Y - REACH; y <= Y + REACH; y++)
        memset(f->bgr + 3 * (y * WIDTH + X - REACH), 255, 3 * (2 * REACH + 1));
    for (enum alteration how = 0; how < ALTERATIONS; how++) {
        struct pt_px at = altered_place((struct pt_px){ X, Y }, f, how);
        assert_int_equal(altered_copy(&copy, f, how, &why), 0);
        struct pt_px seen = bright_middle(copy);
        if (distance_px(seen, at) > 0.5)
            fail_msg("%s: seen at %.1f %.1f, said to be at %.1f %.1f", altered_name(how), seen.u, seen.v, at.u, at.v);
        frame_free(copy);
        copy = NULL;
    }
    frame_free(f);
}

static void each_alteration_alters(void **state)
{
    (void)state;
    struct frame *f = scratch_frame(640, 480), *copy = NULL;
    struct fail why = { .text = "" };
    for (int k = 0; k < 3 * f->width * f->height; k++)
        f->bgr[k] = (uint8_t)(f->bgr[k] / 2 + (k / 3 % 7 == 0 ? 60 : 0)); // with something in it to blur
    for (enum alteration how = 0; how < ALTERATIONS; how++) {
        assert_int_equal(altered_copy(&copy, f, how, &why), 0);
        if ((scratch_difference(copy, f) > 3) != (how != AS_IT_IS))
            fail_msg("%s: differs by %d", altered_name(how), scratch_difference(copy, f));
        frame_free(copy);
        copy = NULL;
    }
    frame_free(f);
}

static const char sample[] = "crokinole_08";
static const double disc_radius_px = 13;
// Its outermost line as the truth's camera shows it: an ellipse's centre, half axes and degrees.
static const double outermost[] = { 630.42, 380.01, 246.14, 255.40, 90.0 };

// The sample's truth as somebody would have labelled it, the first visible piece so much beside itself, and the line
// too.
static const char *label_sample(const struct scratch *s, double disc_off_px, double line_off_px)
{
    char of[128], picture[PATH_MAX];
    snprintf(of, sizeof of, "samples/pictures/%s.json", sample);
    json_t *truth = json_load_file(of, 0, NULL), *discs = json_array(), *o;
    size_t i;
    json_array_foreach(json_object_get(truth, "pieces"), i, o)
    {
        const json_t *top = json_object_get(o, "top_px");
        bool hidden = score_number(o, "visible") < 0.5;
        double cx = json_number_value(json_array_get(top, 0)) + (hidden ? 0 : disc_off_px);
        disc_off_px = hidden ? disc_off_px : 0;
        json_array_append_new(discs, json_pack("{s:f,s:f,s:f,s:s,s:b}", "cx", cx, "cy",
                                               json_number_value(json_array_get(top, 1)), "r", disc_radius_px, "zone",
                                               score_word(o, "place"), "hidden", hidden));
    }
    snprintf(of, sizeof of, "samples/pictures/%s.jpg", sample);
    assert_non_null(realpath(of, picture));
    assert_true(symlink(picture, scratch_path(s, "sample.jpg")) == 0 || errno == EEXIST);
    json_t *label =
        json_pack("{s:s,s:o,s:[f,f,f,f,f]}", "image", "sample.jpg", "discs", discs, "board_outer_line_ellipse_px",
                  outermost[0] + line_off_px, outermost[1], outermost[2], outermost[3], outermost[4]);
    const char *path = scratch_path(s, "sample.json");
    assert_int_equal(json_dump_file(label, path, 0), 0);
    json_decref(label);
    json_decref(truth);
    return path;
}

static struct labelled_tally told(const char *path, enum alteration how)
{
    struct labelled_tally t = { .pictures = 0 };
    struct fail why = { .text = "" };
    assert_true(labelled_is(path));
    assert_int_equal(labelled_read(&t, path, how, &why), 0);
    assert_int_equal(t.pictures, 1);
    assert_int_equal(t.boards, 1);
    return t;
}

static void what_is_labelled_is_counted(void **state)
{
    static const enum alteration altered[] = { AS_IT_IS, MIRRORED, TURNED };
    for (size_t i = 0; i < countof(altered); i++) {
        struct labelled_tally t = told(label_sample(*state, 0, 0), altered[i]);
        assert_int_equal(t.boards_right, 1);
        assert_true(t.asked >= 8);
        assert_int_equal(t.found, t.asked);
        assert_int_equal(t.false_pieces, 0);
    }
}

// A line 10 px beside the board's, and a disc labelled three of its radii beside the one that is told.
static void what_was_labelled_elsewhere_is_not_found(void **state)
{
    struct labelled_tally t = told(label_sample(*state, 3 * disc_radius_px, 10), AS_IT_IS);
    assert_int_equal(t.boards_right, 0);
    assert_int_equal(t.found, t.asked - 1);
    assert_int_equal(t.false_pieces, 1);
    assert_int_equal(t.firm_false_pieces, 1);
}

static void what_has_no_labels_is_not_taken_for_labelled(void **state)
{
    (void)state;
    assert_false(labelled_is("samples/pictures/crokinole_08.json"));
    assert_false(labelled_is("samples/pictures/crokinole_08.jpg"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spot_is_where_its_copy_has_it),
        cmocka_unit_test(each_alteration_alters),
        cmocka_unit_test_setup_teardown(what_is_labelled_is_counted, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(what_was_labelled_elsewhere_is_not_found, scratch_create, scratch_remove),
        cmocka_unit_test(what_has_no_labels_is_not_taken_for_labelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
