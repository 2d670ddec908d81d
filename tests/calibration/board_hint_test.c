// SPDX-License-Identifier: MIT
// Hints as a person writes them, and the cameras that see a circle as the ellipse through its points.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "calibration/algebra.h"
#include "calibration/board_hint.h"
#include "tests/calibration/view.h"
#include "tests/vision/scratch.h"

static const struct {
    const char *what, *text, *says; // says NULL: taken
} hints[] = {
    { "a box", "box:300,200,640,260", NULL },
    { "a box with fractions", "box:0,0.5,640.25,260", NULL },
    { "five points of a circle", "line:100,0;0,100;-100,0;0,-100;70.7,70.7", NULL },
    { "none", "none", NULL },
    { "nothing", "", "write it as box:X,Y,W,H" },
    { "another word", "circle:1,2,3", "write it as box:X,Y,W,H" },
    { "a box of three numbers", "box:1,2,300", "write it as box:X,Y,W,H" },
    { "a box of five numbers", "box:1,2,300,400,5", "write it as box:X,Y,W,H" },
    { "a box with words behind it", "box:1,2,300,400px", "write it as box:X,Y,W,H" },
    { "a box that is no number", "box:nan,2,300,400", "write it as box:X,Y,W,H" },
    { "a box without end", "box:1,2,inf,400", "write it as box:X,Y,W,H" },
    { "a box of a hexadecimal number", "box:0x10,2,300,400", "write it as box:X,Y,W,H" },
    { "a box of a hexadecimal fraction", "box:1,2,0X1p9,400", "write it as box:X,Y,W,H" },
    { "a point of a hexadecimal number", "line:100,0;0,0x64;-100,0;0,-100;70.7,70.7", "write it as box:X,Y,W,H" },
    { "a box of a power of ten", "box:1,2,6.4e2,400", "write it as box:X,Y,W,H" },
    { "a box with blanks and a sign", "box:+0, 0, 640, 200", NULL },
    { "a box of absurd size", "box:1,2,1e300,400", "write it as box:X,Y,W,H" },
    { "a box left of the picture", "box:-1,2,300,400", "begins at 0,0" },
    { "a box without height", "box:1,2,300,0", "32 pixels or more" },
    { "no points", "line:", "0 points given, 5 or more" },
    { "a point too few", "line:1,2;3,4;5,7;9,1", "4 points given, 5 or more" },
    { "a point of one number", "line:1,2;3;5,7;9,1;4,4", "write it as box:X,Y,W,H" },
    { "an empty point", "line:1,2;;5,7;9,1;4,4", "write it as box:X,Y,W,H" },
    { "points on a straight line", "line:0,0;100,100;200,200;300,300;400,400", "no ellipse" },
    { "one point five times", "line:9,9;9,9;9,9;9,9;9,9", "no ellipse" },
    { "points on a hyperbola", "line:100,100;200,50;50,200;400,25;25,400", "no ellipse" },
    { "points of an ellipse of a million pixels",
      "line:750.5,193.6;357.8,259.8;1007.1,288.1;1068.6,327.0;953.9,259.6;212.4,349.0;489.8,209.1;710.4,188.7;437.5,"
      "225.7;"
      "750.8,193.7",
      "almost on a straight line" },
    { "a circle of a few pixels", "line:10,0;0,10;-10,0;0,-10;7.07,7.07", "no board can be that small" },
};

static void hints_are_taken_or_met_with_what_is_right(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(hints); i++) {
        struct board_hint hint = { .points = -1 };
        struct fail why = { .text = "" };
        int rc = board_hint_parse(&hint, hints[i].text, &why);
        bool right = hints[i].says ? rc == RS_EINPUT && strstr(why.text, hints[i].says) && hint.points == -1 : rc == 0;
        if (!right)
            fail_msg("%s: got %d \"%s\"", hints[i].what, rc, why.text);
    }
}

static void too_many_points_are_refused(void **state)
{
    (void)state;
    char text[5 + 4 * (HINT_POINTS_MAX + 1) + 1] = "line:";
    struct board_hint hint;
    struct fail why = { .text = "" };
    for (int i = 0; i <= HINT_POINTS_MAX; i++)
        strcat(text, "1,2;");
    assert_int_equal(board_hint_parse(&hint, text, &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "64 points are enough"));
}

static void a_hint_must_lie_in_the_picture(void **state)
{
    (void)state;
    struct board_hint hint;
    struct fail why = { .text = "" };
    assert_int_equal(board_hint_parse(&hint, "box:100,100,200,200", &why), 0);
    assert_int_equal(board_hint_check(&hint, 300, 300, &why), 0);
    assert_int_equal(board_hint_check(&hint, 299, 300, &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "299 x 300 pixels"));
    assert_int_equal(board_hint_parse(&hint, "line:200,100;100,200;0,100;100,0;170.7,170.7", &why), 0);
    assert_int_equal(board_hint_check(&hint, 300, 300, &why), 0);
    assert_int_equal(board_hint_check(&hint, 199, 300, &why), RS_EINPUT);
}

static void a_kept_hint_is_read_again(void **state)
{
    const struct scratch *s = *state;
    const char *path = scratch_path(s, "a.hint.json");
    struct board_hint hint;
    struct fail why = { .text = "" };
    assert_int_equal(board_hint_file_write(path, "box:300,200,640,260", &why), 0);
    assert_int_equal(board_hint_file_read(&hint, path, &why), 0);
    assert_true(hint.kind == HINT_BOX && hint.box.left == 300 && hint.box.height == 260);
    scratch_write(path, "{\"ringside_hint\": 1, \"hint\": 3}", 31);
    assert_int_equal(board_hint_file_read(&hint, path, &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "a.hint.json"));
    assert_int_equal(unlink(path), 0);
}

// At every tilt one of the two cameras sees the circle's places where they are, and its middle too.
static void a_camera_is_found_from_five_points(void **state)
{
    (void)state;
    for (int degrees = 5; degrees <= 80; degrees += 15) {
        struct camera truth = view_of_board(1280, 720, 1100, 0, degrees * PI / 180, 0.3, 40), found[ELLIPSE_CAMERAS];
        struct pt_px point[HINT_POINTS_LEAST], middle, wanted;
        struct ellipse e;
        truth.pose.t_in[0] = 3;
        double best_px = INFINITY;
        for (int i = 0; i < HINT_POINTS_LEAST; i++)
            assert_true(camera_project(&point[i], &truth, surface_polar(12, 2 * PI * i / HINT_POINTS_LEAST)));
        assert_true(ellipse_fit(&e, point, HINT_POINTS_LEAST));
        int n = ellipse_cameras(found, &e, &truth.lens, 12, NULL);
        assert_int_equal(n, ELLIPSE_CAMERAS);
        assert_true(camera_project(&wanted, &truth, (struct pt3_in){ 0, 0, 0 }));
        for (int i = 0; i < n; i++)
            if (camera_project(&middle, &found[i], (struct pt3_in){ 0, 0, 0 }))
                best_px = fmin(best_px, distance_px(middle, wanted));
        if (!(best_px < 0.1))
            fail_msg("%d degrees: the middle is off by %.2f px", degrees, best_px);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hints_are_taken_or_met_with_what_is_right),
        cmocka_unit_test(too_many_points_are_refused),
        cmocka_unit_test(a_hint_must_lie_in_the_picture),
        cmocka_unit_test(a_kept_hint_is_read_again),
        cmocka_unit_test(a_camera_is_found_from_five_points),
    };
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
