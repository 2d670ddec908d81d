// SPDX-License-Identifier: MIT
// `ringside calibrate board` and `check`, as a person runs them: what is written, read again, kept for a camera,
// refused.
#include <math.h>
#include <string.h>

#include <jansson.h>

#include "calibration/board_file.h"
#include "calibration/board_hint.h"
#include "calibration/lens_file.h"
#include "calibration/units.h"
#include "referee/announce/movie.h"
#include "tests/cmocka.h"
#include "tests/calibration/view.h"
#include "tests/referee/commands/spawned.h"
#include "tests/vision/board/painted.h"
#include "tests/vision/scratch.h"
#include "vision/frame_file.h"

enum { WIDTH = 640, HEIGHT = 480, FRAMES = 20, FRAMES_PER_S = 10 };

// Ratios as measured on a real board, which no built-in one has.
static const double TEN_IN = 8.7, FIFTEEN_IN = 4.2, LENS_F_PX = 620;

#define KEPT "kept/ringside/board.mp4-file-640x480"

static void put_movie(const struct scratch *s, struct frame *f)
{
    struct fail why = { .text = "" };
    struct movie *m = NULL;
    assert_int_equal(movie_create(&m, scratch_path(s, "board.mp4"), WIDTH, HEIGHT, FRAMES_PER_S, &why), 0);
    for (int i = 0; i < FRAMES; i++) {
        f->t_s = i / (double)FRAMES_PER_S;
        assert_int_equal(movie_add(m, f, &why), 0);
    }
    assert_int_equal(movie_finish(m, &why), 0);
}

static int put_all(void **state)
{
    if (scratch_create(state) != 0)
        return -1;
    const struct scratch *s = *state;
    const struct paint paint = { { 60, 70, 60 }, { 150, 190, 215 }, { 40, 40, 45 }, 1, 0 };
    const struct camera near = view_of_board(WIDTH, HEIGHT, LENS_F_PX, 0, 0.35, 0, 42);
    const struct camera far = view_of_board(WIDTH, HEIGHT, LENS_F_PX, 0, 0.35, 0, 105); // a disc is 7 px wide
    struct board b = *board_builtin("crokinole-nca");
    struct fail why = { .text = "" };
    struct frame *f = NULL;
    b.line_width_in = 0.12;
    b.circle_in[1] = TEN_IN;
    b.circle_in[2] = FIFTEEN_IN;
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, &why), 0);
    paint_board(f, &near, &b, &paint);
    assert_int_equal(frame_write(f, scratch_path(s, "board.png"), &why), 0);
    put_movie(s, f);
    b.line_width_in = 0.3;
    paint_board(f, &far, &b, &paint);
    assert_int_equal(frame_write(f, scratch_path(s, "far.png"), &why), 0);
    frame_free(f);
    scratch_write(scratch_path(s, "text.jpg"), "Dear referee,\n", 14);
    return 0;
}

static bool take_away(const struct scratch *s, const char *name)
{
    return unlink(scratch_path(s, name)) == 0;
}

static void must_have_its_radii(const char *path)
{
    struct board b;
    struct fail why = { .text = "" };
    if (board_file_read(&b, path, &why) < 0)
        fail_msg("%s", why.text);
    assert_true(b.circle_in[0] == 12);
    assert_true(fabs(b.circle_in[1] - TEN_IN) < 0.02 && fabs(b.circle_in[2] - FIFTEEN_IN) < 0.02);
    assert_true(fabs(b.line_width_in - 0.12) < 0.03);
}

static void a_board_is_measured_and_taken_by_look(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    RUN(&r, 0, "calibrate", "board", "--game", "crokinole", scratch_path(s, "board.png"));
    assert_non_null(strstr(r.out, "grade A"));
    assert_non_null(strstr(r.out, "0.72")); // the ten-circle's share of the outermost
    must_have_its_radii(scratch_path(s, "board.board.json"));
    RUN(&r, 0, "look", "--game", "crokinole", "--json", "--board", scratch_path(s, "board.board.json"),
        scratch_path(s, "board.png"));
    assert_true(take_away(s, "board.board.json") && take_away(s, "board.board.ringside.png"));
}

static void a_board_goes_where_out_says(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    RUN(&r, 0, "calibrate", "board", "--game", "crokinole", "--out", scratch_path(s, "mine.json"),
        scratch_path(s, "board.mp4"));
    assert_non_null(strstr(r.out, "found in 5 of 5 frames")); // two seconds, every 0.4 s
    must_have_its_radii(scratch_path(s, "mine.json"));
    assert_true(take_away(s, "mine.json") && take_away(s, "mine.ringside.png"));
}

static void a_board_that_cannot_be_called_leaves_the_old_file(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    char kept[8] = "";
    scratch_write(scratch_path(s, "old.json"), "old", 3);
    RUN(&r, 1, "calibrate", "board", "--game", "crokinole", "--out", scratch_path(s, "old.json"),
        scratch_path(s, "far.png"));
    assert_int_equal(spawned_lines(r.err), 1);
    assert_non_null(strstr(r.err, "not well enough to call"));
    FILE *f = fopen(scratch_path(s, "old.json"), "r");
    assert_non_null(f);
    assert_int_equal(fread(kept, 1, sizeof kept, f), 3);
    fclose(f);
    assert_true(take_away(s, "old.json"));
}

static void check_says_how_good_a_set_up_is(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    int files = scratch_count(s);
    const char *path = scratch_path(s, "board.png");
    RUN(&r, 0, "calibrate", "check", "--game", "crokinole", path);
    assert_non_null(strstr(r.out, "grade A"));
    assert_non_null(strstr(r.out, "px per inch"));
    RUN(&r, 0, "calibrate", "check", "--game", "crokinole", "--json", path);
    json_t *o = json_loads(r.out, 0, NULL), *quality = json_object_get(o, "quality");
    assert_string_equal(json_string_value(json_object_get(quality, "grade")), "A");
    assert_int_equal(json_array_size(json_object_get(quality, "lines")), 2);
    assert_int_equal(
        json_object_size(json_object_get(json_array_get(json_object_get(quality, "lines"), 0), "sigma_in")), 8);
    assert_true(json_is_true(json_object_get(json_object_get(o, "board"), "found")));
    json_decref(o);
    assert_int_equal(scratch_count(s), files);
}

static void check_refuses_with_its_report(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    RUN(&r, 1, "calibrate", "check", "--game", "crokinole", scratch_path(s, "far.png"));
    assert_non_null(strstr(r.err, "a disc is only 6."));
    assert_non_null(strstr(r.out, "to improve: move the camera closer"));
}

static void put_lens(const char *path)
{
    const struct lens l = { WIDTH, HEIGHT, LENS_F_PX, { (WIDTH - 1) / 2.0, (HEIGHT - 1) / 2.0 }, 0, 0, 0, 0, 0 };
    struct fail why = { .text = "" };
    assert_int_equal(lens_file_write(path, &l, 0.1, &why), 0);
}

static void run_watch(struct spawned *r, const struct scratch *s)
{
    spawned_run(r,
                (const char *[]){ "watch", "--game", "crokinole", "--no-voice", "--out", scratch_path(s, "kept"),
                                  "--camera", scratch_path(s, "board.mp4"), NULL },
                NULL);
}

static void take_logs_away(const struct scratch *s)
{
    struct scratch logs;
    char path[400];
    snprintf(logs.folder, sizeof logs.folder, "%s", scratch_path(s, "kept"));
    DIR *d = opendir(logs.folder);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));)
        if (strstr(e->d_name, ".jsonl")) {
            snprintf(path, sizeof path, "%s/%s", logs.folder, e->d_name);
            unlink(path);
        }
    closedir(d);
}

static void watch_takes_what_is_kept_for_its_camera(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    setenv("XDG_CONFIG_HOME", scratch_path(s, "kept"), 1);
    RUN(&r, 0, "calibrate", "board", "--game", "crokinole", "--hint", "box:100,60,440,380", "--camera",
        scratch_path(s, "board.mp4"));
    must_have_its_radii(scratch_path(s, KEPT ".crokinole-nca.board.json"));
    put_lens(scratch_path(s, KEPT ".lens.json"));
    run_watch(&r, s);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.err, "crokinole-nca as saved for the camera where the camera's saved hint says"));
    assert_non_null(strstr(r.err, "focal length 620 px from the camera's saved lens"));
    take_logs_away(s);
    assert_int_equal(board_hint_file_write(scratch_path(s, KEPT ".hint.json"), "box:0,0,100,100", NULL), 0);
    run_watch(&r, s);
    assert_int_equal(r.status, 1);
    assert_non_null(
        strstr(r.err, "what is found there does not lie in the box")); // told while it is watched, or at its end
    assert_non_null(strstr(r.err, "it is the hint kept for the camera: --hint none looks everywhere"));
    // One for another picture is told by its file's name.
    assert_int_equal(board_hint_file_write(scratch_path(s, KEPT ".hint.json"), "box:900,500,300,300", NULL), 0);
    run_watch(&r, s);
    assert_int_equal(r.status, 2);
    assert_non_null(strstr(r.err, ".hint.json"));
    assert_true(take_away(s, KEPT ".hint.json"));
    scratch_write(scratch_path(s, KEPT ".lens.json"), "{\"ringside_lens\":1,", 19);
    run_watch(&r, s);
    assert_int_equal(r.status, 2);
    assert_int_equal(spawned_lines(r.err), 1);
    assert_non_null(strstr(r.err, KEPT ".lens.json"));
    assert_true(take_away(s, KEPT ".lens.json") && take_away(s, KEPT ".crokinole-nca.board.json") &&
                take_away(s, KEPT ".crokinole-nca.board.ringside.png"));
    assert_int_equal(rmdir(scratch_path(s, "kept/ringside")), 0);
    assert_int_equal(rmdir(scratch_path(s, "kept")), 0);
}

static void without_a_home_it_says_what_to_do(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("HOME");
    RUN(&r, 2, "calibrate", "board", "--game", "crokinole", "--camera", scratch_path(s, "board.mp4"));
    assert_int_equal(spawned_lines(r.err), 1);
    assert_non_null(strstr(r.err, "--out"));
}

static const struct {
    const char *what;
    const char *args[8];
    int status;
    const char *says;
} bad[] = {
    { "neither a file nor a camera", { "--game", "crokinole" }, 2, "--camera DEVICE" },
    { "a file and a camera", { "--game", "crokinole", "--camera", "/dev/null", "x.jpg" }, 2, "--camera DEVICE" },
    { "no game", { "x.jpg" }, 2, "which game" },
    { "no such file", { "--game", "crokinole", "none.jpg" }, 3, "none.jpg" },
    { "a hint of no sense",
      { "--game", "crokinole", "--hint", "there", "x.jpg" },
      2,
      "--hint there: write it as box:X,Y,W,H" },
    { "no such camera", { "--game", "crokinole", "--camera", "/dev/video-none" }, 3, "no such camera" },
};

static void every_wrong_input_is_told_in_one_line(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    static const char *const verbs[] = { "board", "check" };
    int files = scratch_count(s);
    for (size_t i = 0; i < 2 * countof(bad); i++) {
        const char *args[11] = { "calibrate", verbs[i % 2] };
        memcpy(args + 2, bad[i / 2].args, sizeof bad[0].args);
        spawned_run(&r, args, NULL);
        bool told = spawned_lines(r.err) == 1 && strstr(r.err, bad[i / 2].says);
        if (r.status != bad[i / 2].status || !told || r.out[0] || scratch_count(s) != files)
            fail_msg("%s: exit %d, said \"%s\", printed \"%s\"", bad[i / 2].what, r.status, r.err, r.out);
    }
    RUN(&r, 2, "calibrate", "check", "--game", "crokinole", scratch_path(s, "text.jpg"));
    assert_int_equal(spawned_lines(r.err), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_board_is_measured_and_taken_by_look),
        cmocka_unit_test(a_board_goes_where_out_says),
        cmocka_unit_test(a_board_that_cannot_be_called_leaves_the_old_file),
        cmocka_unit_test(check_says_how_good_a_set_up_is),
        cmocka_unit_test(check_refuses_with_its_report),
        cmocka_unit_test(watch_takes_what_is_kept_for_its_camera),
        cmocka_unit_test(without_a_home_it_says_what_to_do),
        cmocka_unit_test(every_wrong_input_is_told_in_one_line),
    };
    return cmocka_run_group_tests(tests, put_all, scratch_remove);
}
