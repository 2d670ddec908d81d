// SPDX-License-Identifier: MIT
// A board after a knock: how far it moved is told, the new pose is right, and what is not seen is not guessed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "tests/calibration/view.h"
#include "tests/vision/board/painted.h"
#include "vision/board/refit.h"

enum { WIDTH = 960, HEIGHT = 720 };
static const struct paint DARK_LINES = { { 60, 70, 80 }, { 150, 190, 215 }, { 40, 40, 45 }, 2, 0 };

// What happens to the camera.
struct knock {
    const char *name;
    double right_in, turn_deg, zoom; // zoom: change of the focal length
};

static struct board painted(void)
{
    struct board b = *board_builtin("crokinole-nca");
    b.line_width_in = 0.09;
    return b;
}

static struct camera knocked(const struct camera *c, const struct knock *k)
{
    struct camera out = *c;
    out.pose.t_in[0] += k->right_in;
    out.lens.f_px *= 1 + k->zoom;
    camera_turn(&out, k->turn_deg * PI / 180);
    return out;
}

static struct board_pose board_seen_by(const struct camera *c)
{
    return (struct board_pose){
        .found = true, .board = painted(), .camera = *c, .fit = { .camera = *c }, .turn_seen = true, .f_sigma_px = 20
    };
}

static void look(struct refit *out, struct board_pose *pose, const struct camera *truth, const struct paint *p)
{
    struct frame *f;
    struct board b = painted();
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, NULL), 0);
    paint_board(f, truth, &b, p);
    assert_int_equal(board_refit(out, pose, f, &tuning_defaults, NULL), 0);
    frame_free(f);
}

static const struct knock knocks[] = {
    { "nothing", 0, 0, 0 },
    { "shift 0.02 in", 0.02, 0, 0 },
    { "shift 0.1 in", 0.1, 0, 0 },
    { "turn 0.1 degrees", 0, 0.1, 0 },
    { "turn 0.5 degrees", 0, 0.5, 0 },
    { "turn 5 degrees", 0, 5, 0 },
    { "turn -20 degrees", 0, -20, 0 },
    { "zoom 0.3 %", 0, 0, 0.003 },
    { "zoom -1 %", 0, 0, -0.01 },
    { "zoom 2 %", 0, 0, 0.02 },
    { "shift 0.2 in", 0.2, 0, 0 },
    { "all of them", 0.1, -0.7, 0.01 },
};

static void knocks_are_measured(void **state)
{
    (void)state;
    static const double tilts_rad[] = { 0.05, 0.5 };
    for (size_t t = 0; t < countof(tilts_rad); t++)
        for (size_t i = 0; i < countof(knocks); i++) {
            struct camera before = view_of_board(WIDTH, HEIGHT, 800, -0.04, tilts_rad[t], 0.35, 36);
            struct camera after = knocked(&before, &knocks[i]);
            struct board_pose pose = board_seen_by(&before);
            struct refit r;
            look(&r, &pose, &after, &DARK_LINES);
            double size_in = board_shift_in(&pose.board, &before, &after);
            double error_in = board_shift_in(&pose.board, &pose.camera, &after);
            if (!r.seen || fabs(r.shift_in - size_in) > 0.01 || error_in > 4 * r.sigma_in || error_in > 0.01)
                fail_msg("%s at a tilt of %.2f: seen %d, moved %.4f in, told %.4f, error %.4f, sigma %.4f",
                         knocks[i].name, tilts_rad[t], r.seen, size_in, r.shift_in, error_in, r.sigma_in);
            assert_true(r.sigma_in < 0.006 && r.line_sigma_in > 0 && r.line_sigma_in <= r.sigma_in);
        }
}

static void a_board_knocked_far_away_is_not_seen(void **state)
{
    (void)state;
    static const struct knock far[] = { { "shift", 3, 0, 0 }, { "zoom", 0, 0, 0.15 } };
    for (size_t i = 0; i < countof(far); i++) {
        struct camera before = view_of_board(WIDTH, HEIGHT, 800, -0.04, 0.5, 0.35, 36),
                      after = knocked(&before, &far[i]);
        struct board_pose pose = board_seen_by(&before);
        struct refit r;
        look(&r, &pose, &after, &DARK_LINES);
        assert_false(r.seen);
        assert_float_equal(pose.camera.pose.t_in[0], before.pose.t_in[0], 0);
    }
}

// Lines that do not fit are a result; what failed in the fit itself goes up with its own code and words.
static void a_failure_is_no_board_that_is_not_seen(void **state)
{
    (void)state;
    struct camera view = view_of_board(WIDTH, HEIGHT, 800, -0.04, 0.5, 0.35, 36);
    struct board_pose pose = board_seen_by(&view);
    struct board b = painted();
    struct tuning broken = tuning_defaults;
    struct refit r;
    struct frame *f;
    struct fail why = { .text = "" };
    broken.board.refit_points_per_independent = 0;
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, NULL), 0);
    paint_board(f, &view, &b, &DARK_LINES);
    assert_int_equal(board_refit(&r, &pose, f, &broken, &why), RS_EINTERNAL);
    assert_non_null(strstr(why.text, "points_per_independent"));
    frame_free(f);
}

// Between what is seen and what is not, nothing wrong is told.
static void half_way_off_is_seen_right_or_not_at_all(void **state)
{
    (void)state;
    struct camera before = view_of_board(WIDTH, HEIGHT, 800, -0.04, 0.05, 0.35, 36);
    for (double right_in = 0.15; right_in < 1; right_in *= 1.7) {
        struct camera after = knocked(&before, &(struct knock){ "shift", right_in, 0, 0 });
        struct board_pose pose = board_seen_by(&before);
        struct refit r;
        look(&r, &pose, &after, &DARK_LINES);
        if (r.seen && board_shift_in(&pose.board, &pose.camera, &after) > 0.01)
            fail_msg("a shift of %.3f in is told as %.3f", right_in, r.shift_in);
    }
}

// A tenth of the circles under an arm, and one quadrant line: the rest says it.
static void an_arm_does_not_move_the_board(void **state)
{
    (void)state;
    struct paint p = DARK_LINES;
    struct camera view = view_of_board(WIDTH, HEIGHT, 800, -0.04, 0.5, 0.35, 36);
    struct board_pose pose = board_seen_by(&view);
    struct refit r;
    p.covered_rad = 0.6;
    look(&r, &pose, &view, &p);
    assert_true(r.seen);
    assert_true(r.shift_in < 0.01);
}

static void what_never_showed_its_turn_keeps_it(void **state)
{
    (void)state;
    struct camera before = view_of_board(WIDTH, HEIGHT, 800, -0.04, 0.5, 0.35, 36);
    struct camera after = knocked(&before, &(struct knock){ "turn", 0, 3, 0 });
    struct board_pose pose = board_seen_by(&before);
    struct refit r;
    pose.turn_seen = false;
    look(&r, &pose, &after, &DARK_LINES);
    assert_true(r.seen);
    assert_true(r.shift_in < 0.01);
}

// Lines that are known to stray are looked for where they are: nothing moved, and the fit is as close as to true
// circles.
static void straying_lines_move_nothing(void **state)
{
    (void)state;
    struct camera c = view_of_board(WIDTH, HEIGHT, 800, -0.04, 0.4, 0.35, 36);
    struct board_pose pose = board_seen_by(&c);
    struct frame *f;
    struct refit r;
    for (int i = 0; i < pose.board.circles; i++)
        pose.board.line_deviation_in[i][2 * i + 1] = 0.08 - 0.02 * i;
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, NULL), 0);
    paint_board(f, &c, &pose.board, &DARK_LINES);
    assert_int_equal(board_refit(&r, &pose, f, &tuning_defaults, NULL), 0);
    frame_free(f);
    assert_true(r.seen);
    assert_true(r.shift_in < 0.01);
    assert_true(r.rms_px < 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knocks_are_measured),
        cmocka_unit_test(a_board_knocked_far_away_is_not_seen),
        cmocka_unit_test(a_failure_is_no_board_that_is_not_seen),
        cmocka_unit_test(half_way_off_is_seen_right_or_not_at_all),
        cmocka_unit_test(an_arm_does_not_move_the_board),
        cmocka_unit_test(what_never_showed_its_turn_keeps_it),
        cmocka_unit_test(straying_lines_move_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
