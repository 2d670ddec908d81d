// SPDX-License-Identifier: MIT
// Board and lens files of users: what is missing, misspelt or absurd is told by its name.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "calibration/board_file.h"
#include "calibration/lens_file.h"
#include "calibration/units.h"
#include "tests/vision/scratch.h"

struct row {
    const char *what, *text, *says;
};

#define START "{\"ringside_board\":1,\"name\":\"b\",\"kind\":\"circles\",\"edge\":\"line-centre\",\"piece\":\"disc\","
#define SIZES "\"piece_radius_in\":0.6,\"piece_height_in\":0.4"
#define RING                                                                                                           \
    "{\"ringside_board\":1,\"name\":\"b\",\"kind\":\"ring\",\"edge\":\"line-inside\",\"piece\":\"marble\","            \
    "\"circle_in\":[42],\"zone_points\":[0],\"piece_radius_in\":0.3,\"piece_height_in\":0.6"
#define CIRCLES "\"circle_in\":[12,8,4],\"zone_points\":[5,10,15],"

static const struct row boards[] = {
    { "empty", "", "board.json" },
    { "no JSON", "12 inches", "board.json" },
    { "a list", "[12, 8, 4]", "object" },
    { "another file", "{\"a\":1}", "ringside_board" },
    { "a future version", "{\"ringside_board\":2}", "ringside_board" },
    { "no circles", START "\"zone_points\":[5]," SIZES "}", "circle_in" },
    { "too many circles", START "\"circle_in\":[9,8,7,6,5,4,3],\"zone_points\":[1,2,3,4,5,6,7]," SIZES "}",
      "circle_in" },
    { "fewer points than circles", START "\"circle_in\":[12,8],\"zone_points\":[5]," SIZES "}", "zone_points" },
    { "points that are no number", START "\"circle_in\":[12],\"zone_points\":[\"5\"]," SIZES "}", "zone_points" },
    { "circles that grow inwards", START "\"circle_in\":[4,8,12],\"zone_points\":[5,10,15]," SIZES "}", "circle" },
    { "a negative circle", START "\"circle_in\":[12,8,-4],\"zone_points\":[5,10,15]," SIZES "}", "circle" },
    { "a circle of light years", START "\"circle_in\":[1e300],\"zone_points\":[5]," SIZES "}", "circle" },
    { "no piece height", START CIRCLES "\"piece_radius_in\":0.6}", "piece_height_in" },
    { "a piece radius of 0", START CIRCLES "\"piece_radius_in\":0,\"piece_height_in\":0.4}", "piece" },
    { "a piece larger than the board", START CIRCLES "\"piece_radius_in\":60,\"piece_height_in\":0.4}", "piece" },
    { "a misspelt field", START CIRCLES SIZES ",\"hole_radius\":0.7}", "hole_radius" },
    { "a length as text", START CIRCLES SIZES ",\"line_width_in\":\"thin\"}", "line_width_in" },
    { "a length as a long text, which is shown as far as a whole letter",
      START CIRCLES SIZES ",\"line_width_in\":\"äöüäöüäöüäöüäöüäöüäöüäöü\"}", "\"äöüäöüäöüäöüäöüäöüäöü..." },
    { "quadrant lines that are neither there nor not", START CIRCLES SIZES ",\"quadrant_lines\":1}", "quadrant_lines" },
    { "half a peg", START CIRCLES SIZES ",\"pegs\":7.5}", "pegs" },
    { "a leg longer than the board", START CIRCLES SIZES ",\"legs\":4,\"on_leg\":5,\"leg_step_in\":3}", "legs" },
    { "half a leg", START CIRCLES SIZES ",\"legs\":3.5}", "legs" },
    { "strays of too few circles", START CIRCLES SIZES ",\"line_deviation_in\":[[0,0,0,0,0,0,0]]}",
      "line_deviation_in" },
    { "strays of too few numbers", START CIRCLES SIZES ",\"line_deviation_in\":[[0],[0],[0]]}", "line_deviation_in" },
    { "strays that are no list", START CIRCLES SIZES ",\"line_deviation_in\":0}", "line_deviation_in" },
    { "a line that runs all over the board",
      START CIRCLES SIZES ",\"line_deviation_in\":[[0,9,0,0,0,0,0],[0,0,0,0,0,0,0],[0,0,0,0,0,0,0]]}", "strays" },
    { "a taw larger than the largest", RING ",\"taw_radius_min_in\":0.4,\"taw_radius_max_in\":0.2}", "taw" },
    { "a taw of no size", RING ",\"taw_radius_max_in\":0.4}", "taw" },
    { "no word of the taw", RING "}", "taw" },
    { "a kind that is not known",
      "{\"ringside_board\":1,\"name\":\"b\",\"kind\":\"square\",\"edge\":\"line-centre\",\"piece\":\"disc\"," CIRCLES
          SIZES "}",
      "kind" },
    { "the inside edges of several lines",
      "{\"ringside_board\":1,\"name\":\"b\",\"kind\":\"circles\",\"edge\":\"line-inside\",\"piece\":\"disc\"," CIRCLES
          SIZES "}",
      "line-inside" },
};

#define LENS_START "{\"ringside_lens\":1,\"width\":640,\"height\":480,"
#define LENS_END "\"cx_px\":320,\"cy_px\":240,\"k1\":-0.1,\"k2\":0,\"p1\":0,\"p2\":0,\"rms_px\":0.1}"

static const struct row lenses[] = {
    { "no JSON", "f = 600", "lens.json" },
    { "another file", "{\"a\":1}", "ringside_lens" },
    { "no focal length", LENS_START LENS_END, "f_px" },
    { "a focal length of 0", LENS_START "\"f_px\":0," LENS_END, "f_px" },
    { "a negative focal length", LENS_START "\"f_px\":-600," LENS_END, "f_px" },
    { "a focal length as text", LENS_START "\"f_px\":\"long\"," LENS_END, "f_px" },
    { "half a pixel of width", "{\"ringside_lens\":1,\"width\":640.5,\"height\":480,\"f_px\":600," LENS_END, "width" },
    { "no width", "{\"ringside_lens\":1,\"width\":0,\"height\":480,\"f_px\":600," LENS_END, "width" },
    { "an absurd distortion",
      LENS_START "\"f_px\":600,\"cx_px\":320,\"cy_px\":240,\"k1\":1e9,\"k2\":0,\"p1\":0,\"p2\":0,\"rms_px\":0.1}",
      "k1" },
};

static void every_bad_board_is_told(void **state)
{
    const char *path = scratch_path(*state, "board.json");
    for (size_t i = 0; i < countof(boards); i++) {
        struct board b = { .name = "untouched" };
        struct fail why = { .text = "" };
        scratch_write(path, boards[i].text, strlen(boards[i].text));
        int rc = board_file_read(&b, path, &why);
        if (rc != RS_EINPUT || !strstr(why.text, boards[i].says) || strcmp(b.name, "untouched") != 0)
            fail_msg("%s: got %d \"%s\"", boards[i].what, rc, why.text);
    }
}

static void every_bad_lens_is_told(void **state)
{
    const char *path = scratch_path(*state, "lens.json");
    for (size_t i = 0; i < countof(lenses); i++) {
        struct lens l = { .f_px = 1 };
        struct fail why = { .text = "" };
        scratch_write(path, lenses[i].text, strlen(lenses[i].text));
        int rc = lens_file_read(&l, path, &why);
        if (rc != RS_EINPUT || !strstr(why.text, lenses[i].says) || l.f_px != 1)
            fail_msg("%s: got %d \"%s\"", lenses[i].what, rc, why.text);
    }
}

static void missing_files_are_the_systems_failure(void **state)
{
    struct fail why = { .text = "" };
    struct board b;
    struct lens l;
    assert_int_equal(board_file_read(&b, scratch_path(*state, "none"), &why), RS_EIO);
    assert_int_equal(lens_file_read(&l, scratch_path(*state, "none"), &why), RS_EIO);
}

static void every_builtin_board_comes_back_as_it_was(void **state)
{
    (void)state;
    for (int i = 0; board_builtin_at(i); i++) {
        const struct board *b = board_builtin_at(i);
        struct board back;
        struct fail why = { .text = "" };
        json_t *o = board_to_json(b);
        assert_non_null(o);
        assert_int_equal(board_from_json(&back, o, &why), 0);
        json_t *again = board_to_json(&back);
        assert_true(json_equal(o, again));
        json_decref(o);
        json_decref(again);
    }
}

static void straying_lines_come_back_and_turn_with_the_board(void **state)
{
    const char *path = scratch_path(*state, "straying.json");
    struct board b = *board_builtin("crokinole-nca"), back;
    struct fail why = { .text = "" };
    for (int k = 0; k < LINE_DEVIATION_TERMS; k++)
        b.line_deviation_in[1][k] = 0.01 * (k + 1);
    assert_int_equal(board_file_write(path, &b, &why), 0);
    assert_int_equal(board_file_read(&back, path, &why), 0);
    assert_memory_equal(back.line_deviation_in, b.line_deviation_in, sizeof b.line_deviation_in);
    board_turn(&back, 0.7);
    for (int a = 0; a < 12; a++) // the same place, told from the new axis
        assert_float_equal(board_line_deviation_in(back.line_deviation_in[1], a - 0.7),
                           board_line_deviation_in(b.line_deviation_in[1], a), 1e-12);
}

static void an_old_board_outlives_a_failed_write(void **state)
{
    char beside[512];
    const char *path = scratch_path(*state, "kept.json");
    snprintf(beside, sizeof beside, "%s.ringside-%ld.part", path, (long)getpid());
    struct board b = *board_builtin("crokinole-nca"), back;
    struct fail why = { .text = "" };
    assert_int_equal(board_file_write(path, &b, &why), 0);
    b.circle_in[1] = NAN;
    assert_int_equal(board_file_write(path, &b, &why), RS_EINPUT);
    b.circle_in[1] = 7;
    assert_int_equal(mkdir(beside, 0700), 0); // stands where the new file would be written
    assert_int_equal(board_file_write(path, &b, &why), RS_EIO);
    assert_non_null(strstr(why.text, "kept.json"));
    assert_int_equal(rmdir(beside), 0);
    assert_int_equal(board_file_read(&back, path, &why), 0);
    assert_true(back.circle_in[1] == 8);
    assert_int_equal(board_file_write(path, &b, &why), 0);
    assert_int_equal(board_file_read(&back, path, &why), 0);
    assert_true(back.circle_in[1] == 7);
}

static void a_lens_comes_back_as_it_was(void **state)
{
    const char *path = scratch_path(*state, "lens.json");
    const struct lens l = { 1920, 1080, 1234.5678901234567, { 959.1, 541.7 }, -0.123456789, 0.01, 1e-4, -2e-5, 3.5 };
    struct lens back;
    struct fail why = { .text = "" };
    assert_int_equal(lens_file_write(path, &l, 0.2, &why), 0);
    assert_int_equal(lens_file_read(&back, path, &why), 0);
    assert_true(back.f_px == l.f_px && back.centre.v == l.centre.v && back.k1 == l.k1 && back.p2 == l.p2);
    assert_true(back.f_sigma_px == l.f_sigma_px);
}

static void a_lens_that_does_not_say_how_well_it_is_known_is_exact(void **state)
{
    const char *path = scratch_path(*state, "lens.json");
    static const char text[] = "{\"ringside_lens\": 1, \"width\": 640, \"height\": 480, \"f_px\": 500, \"cx_px\": 320, "
                               "\"cy_px\": 240, \"k1\": 0, \"k2\": 0, \"p1\": 0, \"p2\": 0, \"rms_px\": 0.1}";
    struct lens l;
    struct fail why = { .text = "" };
    scratch_write(path, text, sizeof text - 1);
    assert_int_equal(lens_file_read(&l, path, &why), 0);
    assert_true(l.f_px == 500 && l.f_sigma_px == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bad_board_is_told),
        cmocka_unit_test(every_bad_lens_is_told),
        cmocka_unit_test(missing_files_are_the_systems_failure),
        cmocka_unit_test(every_builtin_board_comes_back_as_it_was),
        cmocka_unit_test(straying_lines_come_back_and_turn_with_the_board),
        cmocka_unit_test(an_old_board_outlives_a_failed_write),
        cmocka_unit_test(a_lens_comes_back_as_it_was),
        cmocka_unit_test(a_lens_that_does_not_say_how_well_it_is_known_is_exact),
    };
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
