// SPDX-License-Identifier: MIT
// From detections to a photograph's judgement: observations, zones, totals, words and JSON.
#include <math.h>
#include <string.h>

#include "calibration/units.h"
#include "referee/announce/json.h"
#include "referee/games/games.h"
#include "tests/cmocka.h"

static struct detection disc(const char *colour, double x_in, enum piece_place plane)
{
    struct detection p = { .kind = PIECE_DISC, .plane = plane, .at = { x_in, 0 }, .radius_in = 0.625, .certainty = 1 };
    p.cov = (struct cov_in2){ 1e-4, 0, 1e-4 };
    p.px = (struct pt_px){ 100 * x_in, 7 };
    snprintf(p.colour, sizeof p.colour, "%s", colour);
    return p;
}

// Through the match, as a photograph goes.
static void look(struct position *out, const struct detection_list *pieces)
{
    static struct match m;
    static struct ruling ruling;
    struct observation o[PHOTO_OBSERVATIONS_MAX];
    struct board b = *board_builtin("crokinole-nca");
    b.line_width_in = 0.1;
    int n = detection_photo(o, pieces);
    struct amendments nobody_said = { 0 };
    match_begin(&m, &crokinole_game, &b, NULL, &nobody_said);
    for (int i = 0; i < n; i++)
        match_fold(&ruling, &m, &o[i]);
    position_of(out, &m.table, &b);
}

static const struct {
    double x_in;
    enum piece_place plane;
    const char *colour, *words;
} photo[] = {
    { 3.195, ON_SURFACE, "black", "black  15  (0.13 in inside the line)" },
    { 3.400, ON_SURFACE, "black", "black  10  (0.08 in over the line)" },
    { 3.315, ON_SURFACE, "red", "red  15  (too close: judge decides, 0.01 in inside the line, give or take 0.01)" },
    { 0, IN_HOLE, "red", "red  20  (in the hole)" },
    { 13.6, IN_DITCH, "green", "green  ditch  (off the surface)" },
};

static struct detection_list photographed(void)
{
    struct detection_list list = { .count = 0 };
    for (size_t i = 0; i < countof(photo); i++)
        list.piece[list.count++] = disc(photo[i].colour, photo[i].x_in, photo[i].plane);
    return list;
}

static void a_photograph_is_judged_piece_by_piece(void **state)
{
    (void)state;
    static struct position p;
    struct detection_list list = photographed();
    char words[200];
    look(&p, &list);
    assert_int_equal(p.count, countof(photo));
    for (size_t i = 0; i < countof(photo); i++) {
        position_words(words, sizeof words, &p.at[i]);
        assert_string_equal(words, photo[i].words);
    }
    assert_int_equal(p.sides, 2); // what lies in the ditch is no side's
    assert_true(p.side[0].points.reads == 25 && p.side[1].points.reads == 35 && p.counts);
    assert_true(p.side[0].points.least == 25 && p.side[0].points.most == 25);
    assert_true(p.side[1].points.least == 30 && p.side[1].points.most == 35); // its 15 may be a 10
}

// What may be no piece counts in one reading and not in the other; a ditched disc that may not touch the line the same.
static void a_doubtful_total_gives_both_readings(void **state)
{
    (void)state;
    static struct position p;
    struct detection_list list = { .count = 3,
                                   .piece = { disc("black", 6, ON_SURFACE), disc("black", 2, ON_SURFACE) } };
    char words[200];
    list.piece[1].certainty = 0.6;
    list.piece[2] = disc("red", 11.33, ON_SURFACE);
    look(&p, &list);
    assert_int_equal(p.sides, 2);
    assert_true(p.side[0].points.reads == 25 && p.side[0].points.least == 10 && p.side[0].points.most == 25);
    assert_true(p.side[1].points.reads == 0 && p.side[1].points.least == 0 && p.side[1].points.most == 5);
    position_words(words, sizeof words, &p.at[1]);
    assert_non_null(strstr(words, "; a piece by 60 %)"));
}

static void a_picture_is_told_with_the_keys_of_the_format(void **state)
{
    (void)state;
    static struct position p;
    struct detection_list list = photographed();
    struct board_pose pose = { .found = true, .board = *board_builtin("crokinole-nca"), .rms_px = 0.2 };
    pose.camera.pose.R[1][1] = -1;
    look(&p, &list);
    json_t *o = json_picture("a.jpg", "crokinole", &pose, &list, &p);
    const json_t *board, *camera, *piece;
    const char *colour, *zone, *verdict;
    double px, margin_in;
    assert_non_null(o);
    assert_int_equal(json_unpack(o, "{s:o, s:[o, o, o, o, o]}", "board", &board, "pieces", &camera, &camera, &piece,
                                 &camera, &camera),
                     0);
    assert_int_equal(json_unpack((json_t *)piece, "{s:s, s:s, s:s, s:F, s:[F, F]}", "colour", &colour, "zone", &zone,
                                 "verdict", &verdict, "margin_in", &margin_in, "px", &px, &px),
                     0);
    assert_string_equal(colour, "red");
    assert_string_equal(zone, "15");
    assert_string_equal(verdict, "close");
    assert_true(json_is_null(json_object_get(piece, "role")) && px == 7);
    camera = json_object_get(board, "camera");
    assert_int_equal(json_array_size(json_object_get(camera, "R")), 9);
    assert_true(json_real_value(json_array_get(json_object_get(camera, "R"), 4)) == -1);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(o, "totals"), "red")), 35);
    assert_null(json_object_get(json_object_get(o, "totals"), "green"));
    json_decref(o);
}

static void a_picture_without_a_board_says_so(void **state)
{
    (void)state;
    static struct position p;
    const struct detection_list none = { .count = 0 };
    const struct board_pose pose = { .found = false };
    json_t *o = json_picture("a.jpg", "crokinole", &pose, &none, &p);
    assert_true(json_is_false(json_object_get(json_object_get(o, "board"), "found")));
    assert_int_equal(json_array_size(json_object_get(o, "pieces")), 0);
    json_decref(o);
}

static void a_number_that_is_none_is_not_told_as_json(void **state)
{
    (void)state;
    static struct position p;
    struct detection_list list = photographed();
    const struct board_pose pose = { .found = true, .board = *board_builtin("crokinole-nca"), .rms_px = NAN };
    look(&p, &list);
    assert_null(json_picture("a.jpg", "crokinole", &pose, &list, &p));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_photograph_is_judged_piece_by_piece),
        cmocka_unit_test(a_doubtful_total_gives_both_readings),
        cmocka_unit_test(a_picture_is_told_with_the_keys_of_the_format),
        cmocka_unit_test(a_picture_without_a_board_says_so),
        cmocka_unit_test(a_number_that_is_none_is_not_told_as_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
