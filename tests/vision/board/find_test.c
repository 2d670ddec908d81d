// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calibration/interrupt.h"
#include "tests/calibration/view.h"
#include "tests/child.h"
#include "tests/near.h"
#include "tests/sanitized.h"
#include "tests/vision/board/painted.h"
#include "tests/vision/board/shown.h"
#include "vision/board/find.h"
#include "vision/board/orientation.h"

enum { WIDTH = 960, HEIGHT = 720 };
static const struct paint DARK_LINES = { { 60, 70, 80 }, { 150, 190, 215 }, { 40, 40, 45 }, 2, 0 };
static const struct paint LIGHT_LINES = { { 120, 130, 135 }, { 60, 45, 40 }, { 210, 220, 220 }, 2, 0 };
static const struct paint RED_ON_BLUE = { { 160, 160, 160 }, { 140, 70, 60 }, { 60, 60, 150 }, 2, 0 };

static struct frame *new_frame(int width, int height)
{
    struct frame *f;
    struct fail why;
    assert_int_equal(frame_create(&f, width, height, &why), 0);
    return f;
}

static struct board_pose find_painted(const struct camera *c, const struct board *painted, const struct paint *p,
                                      const struct board *wanted, const struct lens *lens)
{
    struct frame *f = new_frame(c->lens.width, c->lens.height);
    struct board_pose found;
    struct fail why = { 0 };
    paint_board(f, c, painted, p);
    assert_int_equal(board_find(&found, f, wanted, lens, &tuning_defaults, &why), 0);
    assert_true(found.found || why.text[0] != '\0');
    frame_free(f);
    return found;
}

// Largest distance, on the board, between the found and the true picture of its circles.
static double worst_error_in(const struct board_pose *found, const struct camera *truth, const struct board *painted)
{
    double worst = 0;
    for (int i = 0; i < painted->circles; i++)
        for (int a = 0; a < 36; a++) {
            double angle = a * PI / 18,
                   r = found->board.circle_in[i] * painted->circle_in[0] / found->board.circle_in[0];
            struct pt_px p;
            struct pt_in at;
            if (camera_project(&p, &found->camera,
                               (struct pt3_in){ found->board.circle_in[i] * cos(angle),
                                                found->board.circle_in[i] * sin(angle), 0 }) &&
                camera_locate(&at, truth, p, 0))
                worst = fmax(worst, fabs(hypot(at.x, at.y) - r));
            else
                worst = INFINITY;
        }
    return worst;
}

static struct board standard_board(void)
{
    struct board b = *board_builtin("crokinole-nca");
    b.line_width_in = 0.09;
    return b;
}

static void found_at_every_tilt_and_paint(void **state)
{
    (void)state;
    const struct {
        double tilt_deg;
        const struct paint *paint;
    } views[] = { { 0, &DARK_LINES },   { 20, &LIGHT_LINES }, { 40, &RED_ON_BLUE },
                  { 55, &LIGHT_LINES }, { 55, &DARK_LINES },  { 0, &RED_ON_BLUE } };
    struct board b = standard_board();
    for (size_t i = 0; i < countof(views); i += SANITIZED ? 2 : 1) {
        struct camera truth = view_of_board(WIDTH, HEIGHT, 800, -0.04, views[i].tilt_deg * PI / 180, 0.35, 36);
        struct board_pose found = find_painted(&truth, &b, views[i].paint, board_builtin("crokinole-nca"), NULL);
        assert_true(found.found);
        assert_true(found.nominal);
        assert_true(worst_error_in(&found, &truth, &b) < 0.03);
        assert_near(found.board.line_width_in, 0.09, 0.04);
        // From straight above every distance has its focal length.
        assert_int_equal(found.focal_from, views[i].tilt_deg > 0 ? FOCAL_FROM_CIRCLES : FOCAL_ASSUMED);
        assert_true(found.coverage > 0.9 && found.coverage <= 1);
    }
}

static void turn_is_that_of_the_quadrant_lines(void **state)
{
    (void)state;
    struct board b = standard_board();
    struct camera truth = view_of_board(WIDTH, HEIGHT, 800, 0, 0.5, 0.35, 36);
    struct board_pose found = find_painted(&truth, &b, &DARK_LINES, board_builtin("crokinole-nca"), NULL);
    struct pt_px p;
    struct pt_in at;
    assert_true(found.found);
    assert_true(camera_project(&p, &found.camera, (struct pt3_in){ 10, 0, 0 }));
    assert_true(camera_locate(&at, &truth, p, 0));
    double turn = atan2(at.y, at.x);
    assert_near(turn - round(turn / (PI / 2)) * PI / 2, 0, 0.01);
}

// Between two directions half a degree apart, and thinner than the way from one to the other.
static void thin_quadrant_lines_are_not_stepped_over(void **state)
{
    (void)state;
    struct board b = standard_board();
    struct camera truth = view_of_board(1200, 1200, 1700, 0, 0.02, 20.25 * PI / 180, 36);
    b.line_width_in = 0.03;
    struct paint rough = DARK_LINES;
    rough.noise = 12;
    struct board_pose found = find_painted(&truth, &b, &rough, board_builtin("crokinole-nca"), NULL);
    assert_true(found.found);
    assert_true(found.turn_seen);
}

static void other_proportions_are_measured(void **state)
{
    (void)state;
    struct board b = standard_board();
    b.circle_in[1] = 12 * 0.72;
    b.circle_in[2] = 12 * 0.345;
    struct camera truth = view_of_board(WIDTH, HEIGHT, 800, -0.04, 0.3, 0.35, 36);
    struct board_pose found = find_painted(&truth, &b, &DARK_LINES, board_builtin("crokinole-nca"), NULL);
    assert_true(found.found);
    assert_false(found.nominal);
    assert_near(found.board.circle_in[1] / found.board.circle_in[0], 0.72, 0.003);
    assert_near(found.board.circle_in[2] / found.board.circle_in[0], 0.345, 0.003);
}

// Four quadrant lines and a hole do not make a board of a target's circles.
static void circles_of_no_board_are_refused(void **state)
{
    (void)state;
    struct board b = standard_board();
    b.circle_in[1] = 12 * 0.843;
    b.circle_in[2] = 12 * 0.302;
    struct camera truth = view_of_board(WIDTH, HEIGHT, 800, -0.04, 0.3, 0.35, 36);
    assert_false(find_painted(&truth, &b, &DARK_LINES, board_builtin("crokinole-nca"), NULL).found);
}

static void found_under_an_arm(void **state)
{
    (void)state;
    struct board b = standard_board();
    struct paint p = DARK_LINES;
    p.covered_rad = PI / 2;
    struct camera truth = view_of_board(WIDTH, HEIGHT, 800, -0.04, 0.6, 0.35, 36);
    struct board_pose found = find_painted(&truth, &b, &p, board_builtin("crokinole-nca"), NULL);
    assert_true(found.found);
    assert_true(worst_error_in(&found, &truth, &b) < 0.05);
}

static void ring_on_the_floor_is_found_by_its_inside_edge(void **state)
{
    (void)state;
    const double tilts_deg[] = { 3, 30, 50 };
    struct board b = *board_builtin("ring-7ft");
    b.line_width_in = 0.7;
    struct paint p = { { 90, 100, 95 }, { 90, 100, 95 }, { 30, 30, 30 }, 4, 0 };
    for (size_t t = 0; t < countof(tilts_deg); t += SANITIZED ? 2 : 1) {
        struct camera truth = view_of_board(WIDTH, HEIGHT, 800, -0.04, tilts_deg[t] * PI / 180, 0, 130);
        struct board_pose found = find_painted(&truth, &b, &p, board_builtin("ring-7ft"), &truth.lens);
        assert_true(found.found);
        assert_true(worst_error_in(&found, &truth, &b) < 0.06);
        assert_near(camera_tilt_rad(&found.camera), tilts_deg[t] * PI / 180, 0.02);
        assert_near(found.f_sigma_px, 0, 0);
        assert_int_equal(found.focal_from, FOCAL_FROM_LENS);
    }
}

static void lens_of_another_shape_is_refused(void **state)
{
    (void)state;
    struct frame *f = new_frame(320, 240);
    struct camera c = view_of_board(1920, 1080, 1500, 0, 0, 0, 40);
    struct board_pose found;
    struct fail why = { 0 };
    assert_int_equal(board_find(&found, f, board_builtin("ring-7ft"), &c.lens, &tuning_defaults, &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "320 x 240"));
    frame_free(f);
}

static void nothing_is_found_where_nothing_is(void **state)
{
    (void)state;
    struct paint noise = { { 128, 128, 128 }, { 128, 128, 128 }, { 128, 128, 128 }, 30, 0 };
    struct board one_circle = standard_board();
    one_circle.circles = 1;
    one_circle.quadrant_lines = false;
    one_circle.hole_radius_in = 0;
    struct camera c = view_of_board(WIDTH, HEIGHT, 800, 0, 0.3, 0, 36);
    struct board_pose found = find_painted(&c, &one_circle, &noise, board_builtin("crokinole-nca"), NULL);
    assert_false(found.found);
    found = find_painted(&c, &one_circle, &noise, board_builtin("ring-7ft"), NULL);
    assert_false(found.found);
    // A plate with one painted line is not a board of three.
    found = find_painted(&c, &one_circle, &DARK_LINES, board_builtin("crokinole-nca"), NULL);
    assert_false(found.found);
}

// In a process of its own, for a signal stays asked.
static void end_by_a_signal(struct frame *f)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct board_pose found;
        struct fail why = { .text = "" };
        signal(SIGTERM, SIG_DFL); // whoever runs the tests may ignore it
        interrupt_listen();
        raise(SIGTERM);
        int rc = board_find(&found, f, board_builtin("crokinole-nca"), NULL, &tuning_defaults, &why);
        child_end(rc != RS_EENDED ? 1 : found.found ? 2 : strcmp(why.text, "ended by SIGTERM") != 0 ? 3 : 0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

// Whether circles are tried that edges voted for, or whole boards, for there are none.
static void a_signal_ends_a_search(void **state)
{
    (void)state;
    struct camera c = view_of_board(WIDTH, HEIGHT, 800, 0, 0.3, 0, 36);
    struct board board = standard_board();
    struct frame *f = new_frame(WIDTH, HEIGHT);
    paint_board(f, &c, &board, &DARK_LINES);
    end_by_a_signal(f);
    memset(f->bgr, 200, 3 * (size_t)(WIDTH * HEIGHT / 2)); // two halves, and an edge between them
    memset(f->bgr + 3 * (size_t)(WIDTH * HEIGHT / 2), 60, 3 * (size_t)(WIDTH * HEIGHT / 2));
    end_by_a_signal(f);
    frame_free(f);
}

// A frame dimmed, or brightened, until nothing of a board is left; nothing is searched for where nothing differs.
static void what_is_wrong_with_the_picture_is_said(void **state)
{
    (void)state;
    const struct {
        double times, plus;
        const char *says;
    } rows[] = { { 0, 0, "no crokinole-nca board found: the picture is black" },
                 { 0, 120, "no crokinole-nca board found: the picture is one even colour" },
                 { 0, 255, "no crokinole-nca board found: too bright" },
                 { 0.05, 0, "not seen: clear the board and look again; the picture is black" } };
    struct board b = standard_board();
    struct camera c = view_of_board(WIDTH, HEIGHT, 800, 0, 0.3, 0, 36);
    for (size_t i = 0; i < countof(rows); i++) {
        struct frame *f;
        struct board_pose found;
        struct fail why = { .text = "" };
        assert_int_equal(frame_create(&f, WIDTH, HEIGHT, &why), 0);
        paint_board(f, &c, &b, &DARK_LINES);
        for (int k = 0; k < 3 * WIDTH * HEIGHT; k++)
            f->bgr[k] = (uint8_t)(f->bgr[k] * rows[i].times + rows[i].plus);
        assert_int_equal(board_find(&found, f, board_builtin("crokinole-nca"), NULL, &tuning_defaults, &why), 0);
        frame_free(f);
        if (found.found || !strstr(why.text, rows[i].says))
            fail_msg("%g, %g: %s", rows[i].times, rows[i].plus, found.found ? "found" : why.text);
    }
}

static void a_board_of_circles_is_not_a_ring(void **state)
{
    (void)state;
    struct board b = standard_board();
    struct camera c = view_of_board(WIDTH, HEIGHT, 800, -0.04, 0.3, 0, 36);
    assert_false(find_painted(&c, &b, &DARK_LINES, board_builtin("ring-7ft"), NULL).found);
}

static double rug_code(double from_middle_in)
{
    return from_middle_in > 27 ? 140 : fmod(from_middle_in, 8) < 1 ? 40 : 170;
}

static double two_rugs_code(const void *what, struct pt_in at)
{
    (void)what;
    return rug_code(hypot(fabs(at.x) - 45, at.y));
}

// A ring of which a part is covered, and beside it a round rug of several circles.
static double ring_and_rug_code(const void *what, struct pt_in at)
{
    static const struct pt_in rug = { 75, 0 };
    double r = hypot(at.x, at.y), from_rug = hypot(at.x - rug.x, at.y - rug.y);
    if (from_rug < 27)
        return rug_code(from_rug);
    return r > 42 && r < 42.7 && fabs(atan2(at.y, at.x) - PI / 2) > *(const double *)what / 2 ? 60 : 140;
}

static void a_ring_beside_several_circles_is_found(void **state)
{
    (void)state;
    for (double covered_rad = 0; covered_rad < 3; covered_rad += 2.2) {
        struct camera c = view_of_board(WIDTH, HEIGHT, 500, 0, 0.3, 0, 130);
        struct shown s = { ring_and_rug_code, &covered_rad, 2 };
        struct frame *f = new_frame(WIDTH, HEIGHT);
        struct board_pose found;
        struct fail why = { .text = "" };
        struct pt_px middle;
        shown_paint(f, &c, &s);
        assert_int_equal(board_find(&found, f, board_builtin("ring-7ft"), NULL, &tuning_defaults, &why), 0);
        if (!found.found)
            fail_msg("%g covered: %s", covered_rad, why.text);
        assert_true(camera_project(&middle, &c, (struct pt3_in){ 0, 0, 0 }));
        struct pt_in at;
        assert_true(camera_locate(&at, &found.camera, middle, 0) &&
                    hypot(at.x, at.y) < 4); // the focal length is not known
        frame_free(f);
    }
}

static void two_rugs_are_no_ring(void **state)
{
    (void)state;
    for (double tilt_rad = 0.1; tilt_rad < 0.9; tilt_rad += 0.35) {
        struct camera c = view_of_board(WIDTH, HEIGHT, 500, 0, tilt_rad, 0, 130);
        struct shown s = { two_rugs_code, NULL, 2 };
        struct frame *f = new_frame(WIDTH, HEIGHT);
        struct board_pose found;
        struct fail why = { .text = "" };
        shown_paint(f, &c, &s);
        assert_int_equal(board_find(&found, f, board_builtin("ring-7ft"), NULL, &tuning_defaults, &why), 0);
        assert_false(found.found);
        assert_non_null(strstr(why.text, "several circles"));
        frame_free(f);
    }
}

static void tiny_pictures_hold_no_board(void **state)
{
    (void)state;
    const int sides[] = { 1, 3, 9, 40 };
    for (size_t i = 0; i < countof(sides); i++) {
        struct frame *f = new_frame(sides[i], sides[i]);
        struct board_pose found;
        struct fail why = { 0 };
        assert_int_equal(board_find(&found, f, board_builtin("crokinole-nca"), NULL, &tuning_defaults, &why), 0);
        assert_false(found.found);
        frame_free(f);
    }
}

// A board cut by hand: its outermost line lies seven hundredths of an inch off centre, the next one oval. The pose is
// not bent by it, and each line is told where it was painted.
static void straying_lines_are_followed(void **state)
{
    (void)state;
    struct board b = standard_board();
    b.line_deviation_in[0][1] = 0.06;
    b.line_deviation_in[0][2] = -0.03;
    b.line_deviation_in[1][4] = 0.04;
    struct camera truth = view_of_board(WIDTH, HEIGHT, 800, -0.04, 0.4, 0.35, 36);
    struct board_pose found = find_painted(&truth, &b, &DARK_LINES, board_builtin("crokinole-nca"), NULL);
    assert_true(found.found);
    for (int i = 0; i < b.circles; i++)
        for (int a = 0; a < 36; a++) {
            double angle = a * PI / 18,
                   drawn_in = b.circle_in[i] + board_line_deviation_in(b.line_deviation_in[i], angle);
            struct pt_px p;
            struct pt_in at = { NAN, NAN };
            assert_true(camera_project(&p, &truth, (struct pt3_in){ drawn_in * cos(angle), drawn_in * sin(angle), 0 }));
            assert_true(camera_locate(&at, &found.camera, p, 0));
            double told_in =
                found.board.circle_in[i] + board_line_deviation_in(found.board.line_deviation_in[i], atan2(at.y, at.x));
            assert_near(hypot(at.x, at.y), told_in, 0.015);
        }
}

static void a_true_circle_strays_nowhere(void **state)
{
    (void)state;
    struct board b = standard_board();
    struct camera truth = view_of_board(WIDTH, HEIGHT, 800, -0.04, 0.4, 0.35, 36);
    struct board_pose found = find_painted(&truth, &b, &DARK_LINES, board_builtin("crokinole-nca"), NULL);
    assert_true(found.found);
    for (int i = 0; i < b.circles; i++)
        for (int k = 0; k < LINE_DEVIATION_TERMS; k++)
            assert_true(found.board.line_deviation_in[i][k] == 0);
}

// A fit gone astray may put circles a hair apart: no lines run between them, no memory is asked for by the gigabyte.
static void circles_side_by_side_show_no_turn(void **state)
{
    (void)state;
    struct frame *f = new_frame(64, 48);
    struct board_pose found = {
        .found = true, .board = standard_board(), .camera = view_of_board(64, 48, 60, 0, 0.3, 0, 36), .turn_seen = true
    };
    struct fail why = { .text = "" };
    const double within_in[] = { found.board.circle_in[0] - 1e-7, found.board.circle_in[0], 20 };
    for (size_t i = 0; i < countof(within_in); i++) {
        found.board.circle_in[1] = within_in[i];
        found.turn_seen = true;
        assert_int_equal(board_orient(&found, f, &tuning_defaults.board, &why), 0);
        assert_false(found.turn_seen);
    }
    found.board.circle_in[0] = 1e8; // with lines enough between, and terabytes of rows to the centre
    found.board.circle_in[1] = 1e8 - 8;
    found.turn_seen = true;
    assert_int_equal(board_orient(&found, f, &tuning_defaults.board, &why), 0);
    assert_false(found.turn_seen);
    frame_free(f);
}

// A coarse cloth over all to the left of a column: its weave is no line, however near to one it lies.
static void lay_cloth(struct frame *f, int edge_px)
{
    uint32_t seed = 17;
    enum { THREAD_PX = 5 };
    for (int v = 0; v < f->height; v += THREAD_PX)
        for (int u = 0; u < edge_px; u += THREAD_PX) {
            double light = 90 + 25 * painted_noise(&seed);
            for (int y = v; y < v + THREAD_PX && y < f->height; y++)
                for (int x = u; x < u + THREAD_PX && x < edge_px; x++)
                    for (int c = 0; c < 3; c++)
                        f->bgr[3 * ((size_t)y * (size_t)f->width + (size_t)x) + (size_t)c] =
                            (uint8_t)fmax(0, fmin(255, light * (1 - 0.1 * c)));
        }
}

static void weave_of_a_cloth_is_no_line(void **state)
{
    (void)state;
    const struct {
        double tilt_rad, hidden;
    } rows[] = { { 0.07, 0.3 }, { 0.35, 0.3 }, { 0.35, 0.45 }, { 0.6, 0.4 } };
    struct board b = standard_board();
    for (size_t i = 0; i < countof(rows); i++) {
        struct camera c = view_of_board(WIDTH, HEIGHT, 960, 0, rows[i].tilt_rad, 0.4, 42);
        struct frame *f = new_frame(WIDTH, HEIGHT);
        struct board_pose found;
        struct fail why = { 0 };
        struct pt_px centre, left;
        paint_board(f, &c, &b, &DARK_LINES);
        assert_true(camera_project(&centre, &c, (struct pt3_in){ 0, 0, 0 }));
        double reach = 12 * camera_scale_px_per_in(&c, (struct pt3_in){ 0, 0, 0 });
        left = (struct pt_px){ centre.u - reach + 2 * reach * rows[i].hidden, centre.v };
        lay_cloth(f, (int)left.u);
        assert_int_equal(board_find(&found, f, &b, NULL, &tuning_defaults, &why), 0);
        frame_free(f);
        if (!found.found || !found.nominal || found.coverage > 1.05 - rows[i].hidden ||
            camera_position(&found.camera).z < 0)
            fail_msg("tilt %.2f, %.2f hidden: found %d, nominal %d, coverage %.2f, %s", rows[i].tilt_rad,
                     rows[i].hidden, found.found, found.nominal, found.coverage, why.text);
        assert_true(found.rms_px < 0.15);
    }
}

// Bands of light along x that wind and end, as of fir lit from beside: more and stronger edges than thin lines have.
static void grain_wood(struct frame *f, const struct camera *c, double depth, uint32_t seed)
{
    for (int v = 0; v < f->height; v++)
        for (int u = 0; u < f->width; u++) {
            struct pt_in at;
            if (!camera_locate(&at, c, (struct pt_px){ u, v }, 0) || hypot(at.x, at.y) > 13)
                continue;
            double ring = 11 * at.y + 5 * sin(0.23 * at.x + seed) + 2 * sin(0.9 * at.x - 0.4 * at.y);
            double light = 1 + depth * tanh(4 * sin(ring)) * (0.6 + 0.4 * sin(0.7 * at.x + 1.1 * at.y));
            uint8_t *code = &f->bgr[3 * ((size_t)v * (size_t)f->width + (size_t)u)];
            for (int k = 0; k < 3; k++)
                code[k] = (uint8_t)fmin(255, code[k] * light);
        }
}

static void thin_lines_are_found_on_strong_grain(void **state)
{
    (void)state;
    struct board b = standard_board();
    b.line_width_in = 0.05;
    for (uint32_t seed = 1; seed <= (SANITIZED ? 1 : 4); seed++) {
        struct camera c = view_of_board(WIDTH, HEIGHT, 800, 0, 0.06 * seed, 0.35, 34);
        struct frame *f = new_frame(WIDTH, HEIGHT);
        struct board_pose found;
        struct fail why = { 0 };
        paint_board(f, &c, &b, &DARK_LINES);
        grain_wood(f, &c, 0.28, seed);
        assert_int_equal(board_find(&found, f, &b, NULL, &tuning_defaults, &why), 0);
        frame_free(f);
        if (!found.found || !(worst_error_in(&found, &c, &b) < 0.05))
            fail_msg("seed %u: found %d, off %.3f in, %s", seed, found.found,
                     found.found ? worst_error_in(&found, &c, &b) : 0, why.text);
    }
}

// A cloth of squares and twill all around an eight-sided board: its edges are more, and stronger, than those of thin
// lines that differ from the wood in colour and hardly in light.
static void lay_squares(struct frame *f, const struct camera *c, double inside_in)
{
    enum { SQUARE_PX = 24, TWILL_PX = 6 };
    for (int v = 0; v < f->height; v++)
        for (int u = 0; u < f->width; u++) {
            struct pt_in at;
            if (camera_locate(&at, c, (struct pt_px){ u, v }, 0) &&
                fmax(fmax(fabs(at.x), fabs(at.y)), (fabs(at.x) + fabs(at.y)) / sqrt(2)) < inside_in)
                continue;
            int across = u + v, along = v - u + f->width;
            int red = across / SQUARE_PX % 2 + along / SQUARE_PX % 2;
            double light = 1 - 0.15 * (across / TWILL_PX % 2);
            const double code[3] = { 190 - 65 * red, 200 - 70 * red, 215 - 15 * red };
            for (int k = 0; k < 3; k++)
                f->bgr[3 * ((size_t)v * (size_t)f->width + (size_t)u) + (size_t)k] = (uint8_t)(light * code[k]);
        }
}

static void a_busy_cloth_does_not_outvote_faint_lines(void **state)
{
    (void)state;
    const struct paint red_on_green = { { 70, 75, 35 }, { 76, 84, 44 }, { 58, 66, 100 }, 1.5, 0 };
    struct board b = standard_board();
    if (SANITIZED)
        skip(); // pictures of nothing are read so too, in a tenth of the time
    for (int i = 0; i < 3; i++) {
        struct camera c = view_of_board(WIDTH, HEIGHT, 800, 0, 0.15 * i, 0.35, 50);
        struct frame *f = new_frame(WIDTH, HEIGHT);
        struct board_pose found;
        struct fail why = { 0 };
        paint_board(f, &c, &b, &red_on_green);
        lay_squares(f, &c, 15);
        assert_int_equal(board_find(&found, f, &b, NULL, &tuning_defaults, &why), 0);
        frame_free(f);
        if (!found.found || !(worst_error_in(&found, &c, &b) < 0.05))
            fail_msg("%d: found %d, off %.3f in, %s", i, found.found, found.found ? worst_error_in(&found, &c, &b) : 0,
                     why.text);
    }
}

// A board without pegs that shows in blue alone, above half of one that the border cuts off: of that half nothing is
// said, and so it keeps nothing else from being told.
static void half_a_board_does_not_hush_up_what_resembles_one_more(void **state)
{
    (void)state;
    enum { FRAME_HEIGHT = 540, BELOW = 440 };
    static const struct paint in_blue = { { 120, 120, 120 }, { 200, 200, 200 }, { 45, 220, 220 }, 1, 0 };
    static const struct paint plain = { { 90, 90, 90 }, { 200, 200, 200 }, { 40, 40, 40 }, 1, 0 };
    struct board bare = *board_builtin("crokinole-nca");
    struct camera c = view_of_board(WIDTH, FRAME_HEIGHT, 900, 0, 1.35, 0, 55), low = c;
    struct frame *f = new_frame(WIDTH, FRAME_HEIGHT), *half = new_frame(WIDTH, FRAME_HEIGHT);
    struct tuning tuning = tuning_defaults;
    const size_t row = 3 * (size_t)WIDTH;
    struct board_pose found;
    struct fail why = { .text = "" };
    bare.hole_radius_in = bare.quadrant_lines = 0;
    c.lens.centre.v -= 60;
    low.lens.centre.v += 230;
    paint_board(f, &c, &bare, &in_blue);
    paint_board(half, &low, &bare, &plain);
    memcpy(f->bgr + BELOW * row, half->bgr + BELOW * row, (FRAME_HEIGHT - BELOW) * row);
    tuning.oblique.overexposed_least = 0;
    tuning.oblique.told_share = 0.8; // what the whole board shows of one in blue, and not in luma
    assert_int_equal(board_find(&found, f, board_builtin("crokinole-nca"), NULL, &tuning, &why), 0);
    if (found.found || !strstr(why.text, "something like one at 480,2"))
        fail_msg("%s", found.found ? "found" : why.text);
    frame_free(f);
    frame_free(half);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_ends_a_search), // before any thread is started: there it forks
        cmocka_unit_test(a_busy_cloth_does_not_outvote_faint_lines),
        cmocka_unit_test(weave_of_a_cloth_is_no_line),
        cmocka_unit_test(thin_lines_are_found_on_strong_grain),
        cmocka_unit_test(found_at_every_tilt_and_paint),
        cmocka_unit_test(turn_is_that_of_the_quadrant_lines),
        cmocka_unit_test(thin_quadrant_lines_are_not_stepped_over),
        cmocka_unit_test(other_proportions_are_measured),
        cmocka_unit_test(circles_of_no_board_are_refused),
        cmocka_unit_test(found_under_an_arm),
        cmocka_unit_test(ring_on_the_floor_is_found_by_its_inside_edge),
        cmocka_unit_test(lens_of_another_shape_is_refused),
        cmocka_unit_test(nothing_is_found_where_nothing_is),
        cmocka_unit_test(what_is_wrong_with_the_picture_is_said),
        cmocka_unit_test(a_board_of_circles_is_not_a_ring),
        cmocka_unit_test(a_ring_beside_several_circles_is_found),
        cmocka_unit_test(two_rugs_are_no_ring),
        cmocka_unit_test(tiny_pictures_hold_no_board),
        cmocka_unit_test(circles_side_by_side_show_no_turn),
        cmocka_unit_test(straying_lines_are_followed),
        cmocka_unit_test(a_true_circle_strays_nowhere),
        cmocka_unit_test(half_a_board_does_not_hush_up_what_resembles_one_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
