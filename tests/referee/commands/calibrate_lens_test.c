// SPDX-License-Identifier: MIT
// `ringside calibrate lens` and `target`, as a person runs them: the printed page, shown to a camera, gives its lens.
#include <math.h>
#include <signal.h>
#include <string.h>

#include "calibration/lens_file.h"
#include "calibration/units.h"
#include "referee/announce/movie.h"
#include "tests/cmocka.h"
#include "tests/calibration/view.h"
#include "tests/near.h"
#include "tests/referee/commands/sheet.h"
#include "tests/referee/commands/spawned.h"
#include "tests/vision/board/floor.h"
#include "tests/vision/scratch.h"
#include "vision/frame_file.h"

enum {
    WIDTH = 640,
    HEIGHT = 480,
    VIEWS = countof(held_well),
    FRAMES_PER_S = 10,
    FRAMES_EACH = 6,
    STRAIGHT = 7,
    RING_WIDTH = 1280,
    RING_HEIGHT = 720
};

#define KEPT "kept/ringside/shown.mp4-file-640x480.lens.json"

static struct sheet sheet;
static struct lens truth;

static void read_sheet(void)
{
    static struct spawned r;
    RUN(&r, 0, "calibrate", "target", "--size", "letter");
    sheet_read(&sheet, r.out);
}

static struct frame *shown(const struct held *h)
{
    const struct camera c = held_camera(&truth, h);
    const struct shown paper = { sheet_code, &sheet, 1 };
    struct fail why = { .text = "" };
    struct frame *f = NULL;
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, &why), 0);
    shown_paint(f, &c, &paper);
    return f;
}

static void put_picture(const struct scratch *s, const char *folder, int number, struct frame *f)
{
    char name[64];
    struct fail why = { .text = "" };
    snprintf(name, sizeof name, "%s/%02d.png", folder, number);
    assert_int_equal(frame_write(f, scratch_path(s, name), &why), 0);
}

// Each view is held for a while; in between the sheet is somewhere else at once.
static void put_all_views(const struct scratch *s)
{
    struct fail why = { .text = "" };
    struct movie *m = NULL;
    assert_int_equal(movie_create(&m, scratch_path(s, "shown.mp4"), WIDTH, HEIGHT, FRAMES_PER_S, &why), 0);
    for (int i = 0; i < VIEWS; i++) {
        struct frame *f = shown(&held_well[i]);
        put_picture(s, "views", i, f);
        for (int k = 0; k < FRAMES_EACH; k++) {
            f->t_s = (i * FRAMES_EACH + k) / (double)FRAMES_PER_S;
            assert_int_equal(movie_add(m, f, &why), 0);
        }
        frame_free(f);
    }
    assert_int_equal(movie_finish(m, &why), 0);
}

// One view and then, for ten minutes, no other one.
static void put_one_view(const struct scratch *s)
{
    static const double at_s[] = { 0, 0.3, 0.6, 0.9, 600 };
    struct fail why = { .text = "" };
    struct movie *m = NULL;
    struct frame *f = shown(&held_well[0]);
    assert_int_equal(movie_create(&m, scratch_path(s, "held.mp4"), WIDTH, HEIGHT, FRAMES_PER_S, &why), 0);
    for (size_t i = 0; i < countof(at_s); i++) {
        f->t_s = at_s[i];
        assert_int_equal(movie_add(m, f, &why), 0);
    }
    assert_int_equal(movie_finish(m, &why), 0);
    frame_free(f);
}

static void put_straight_views(const struct scratch *s)
{
    for (int i = 0; i < STRAIGHT; i++) {
        struct held h = held_well[i];
        h.tilt_rad = 0;
        struct frame *f = shown(&h);
        put_picture(s, "straight", i, f);
        if (i < 2)
            put_picture(s, "few", i, f);
        if (i == 0)
            put_picture(s, "sizes", 0, f);
        frame_free(f);
    }
}

static void put_without_chessboard(const struct scratch *s)
{
    struct frame *plain = scratch_frame(WIDTH, HEIGHT), *other = scratch_frame(HEIGHT, WIDTH);
    put_picture(s, "none", 0, plain);
    put_picture(s, "sizes", 1, other);
    frame_free(plain);
    frame_free(other);
}

static const char *const folders[] = { "views", "straight", "few", "none", "sizes" };

static int put_all(void **state)
{
    if (scratch_create(state) != 0)
        return -1;
    const struct scratch *s = *state;
    truth = held_lens(WIDTH, HEIGHT, 510, -0.12, 0.02);
    read_sheet();
    for (size_t i = 0; i < countof(folders); i++)
        assert_int_equal(mkdir(scratch_path(s, folders[i]), 0777), 0);
    put_all_views(s);
    put_one_view(s);
    put_straight_views(s);
    put_without_chessboard(s);
    scratch_write(scratch_path(s, "text.jpg"), "Dear referee,\n", 14);
    return 0;
}

static int remove_all(void **state)
{
    const struct scratch *s = *state;
    for (size_t i = 0; i < countof(folders); i++) {
        struct scratch *inner = malloc(sizeof *inner);
        void *whole = inner;
        assert_non_null(inner);
        snprintf(inner->folder, sizeof inner->folder, "%s", scratch_path(s, folders[i]));
        if (scratch_remove(&whole) != 0)
            return -1;
    }
    return scratch_remove(state);
}

static bool take_away(const struct scratch *s, const char *name)
{
    return unlink(scratch_path(s, name)) == 0;
}

// Within four of the sigmas that were printed, and the file holds what was printed.
static void must_be_the_lens(const struct spawned *r, const char *path)
{
    struct lens l;
    struct fail why = { .text = "" };
    double f_px, sigma_px;
    if (r->status != 0)
        fail_msg("exit %d: %s", r->status, r->err);
    const char *said = strstr(r->out, "focal length ");
    assert_non_null(said);
    assert_int_equal(sscanf(said, "focal length %lf px +- %lf (1 sigma)", &f_px, &sigma_px), 2);
    assert_true(sigma_px < 0.003 * truth.f_px);
    if (lens_file_read(&l, path, &why) < 0)
        fail_msg("%s", why.text);
    assert_true(l.width == WIDTH && l.height == HEIGHT);
    assert_near(l.f_px, f_px, 0.06); // printed to 0.1
    assert_near(l.f_px, truth.f_px, 4 * sigma_px);
    assert_near(l.k1, truth.k1, 0.02);
    assert_near(l.centre.u, truth.centre.u, 2);
    assert_near(l.centre.v, truth.centre.v, 2);
}

static void the_printed_page_in_pictures_gives_the_lens(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    const char *path = scratch_path(s, "mine.json");
    RUN(&r, 0, "calibrate", "lens", "--out", path, scratch_path(s, "views"));
    must_be_the_lens(&r, path);
    assert_non_null(strstr(r.out, "wrote "));
    assert_true(take_away(s, "mine.json"));
}

// Every line but the last says how many views there are and one thing to do.
static void footage_ends_by_itself_and_says_what_is_missing(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    RUN(&r, 0, "calibrate", "lens", scratch_path(s, "shown.mp4"));
    must_be_the_lens(&r, scratch_path(s, "shown.lens.json"));
    assert_non_null(strstr(r.err, "0 views: hold it still\n"));
    assert_non_null(strstr(r.err, "1 views: bring it into the top left corner\n"));
    assert_non_null(strstr(r.out, " 10 views of a chessboard")); // of 14: then nothing was missing any more
    assert_null(strstr(r.out, "to improve"));
    assert_true(take_away(s, "shown.lens.json"));
}

static void a_camera_keeps_its_lens_for_watch(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    setenv("XDG_CONFIG_HOME", scratch_path(s, "kept"), 1);
    RUN(&r, 0, "calibrate", "lens", "--camera", scratch_path(s, "shown.mp4"));
    must_be_the_lens(&r, scratch_path(s, KEPT));
    assert_non_null(strstr(r.out, "watch takes it by itself"));
    assert_true(take_away(s, KEPT));
    assert_int_equal(rmdir(scratch_path(s, "kept/ringside")), 0);
    assert_int_equal(rmdir(scratch_path(s, "kept")), 0);
}

// Ctrl-C ends it with what it has, which is too little here.
static void it_ends_when_asked(void **state)
{
    const struct scratch *s = *state;
    const char *program = getenv("RINGSIDE"), *said = scratch_path(s, "said.txt");
    char *argv[] = { strdup(program ? program : "./ringside"),
                     strdup("calibrate"),
                     strdup("lens"),
                     strdup("--camera"),
                     strdup(scratch_path(s, "held.mp4")),
                     strdup("--out"),
                     strdup(scratch_path(s, "no.json")),
                     NULL };
    static char text[SPAWNED_TEXT_MAX];
    posix_spawn_file_actions_t files;
    posix_spawnattr_t as;
    sigset_t interrupt;
    pid_t child;
    int status = 0;
    sigemptyset(&interrupt); // whoever runs the tests in the background ignores it
    sigaddset(&interrupt, SIGINT);
    posix_spawnattr_init(&as);
    posix_spawnattr_setsigdefault(&as, &interrupt);
    posix_spawnattr_setflags(&as, POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 2, said, O_WRONLY | O_CREAT, 0666);
    assert_int_equal(posix_spawn(&child, argv[0], &files, &as, argv, environ), 0);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&as);
    for (int i = 0; i < 6000 && !strstr(text, "1 views"); i++) { // a second, on a busy machine up to a minute
        usleep(10000);
        spawned_read(text, said);
    }
    assert_int_equal(kill(child, SIGINT), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    spawned_read(text, said);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 1 || !strstr(text, "are too few"))
        fail_msg("status %x, said \"%s\"", (unsigned)status, text);
    for (int i = 0; argv[i]; i++)
        free(argv[i]);
    assert_true(take_away(s, "said.txt") && access(scratch_path(s, "no.json"), F_OK) < 0);
}

static void the_target_on_the_floor_of_a_ring_gives_its_focal_length(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    const struct floor_with_target floor = { true, { -28, 5 }, 0.4 };
    const struct camera c = view_of_board(RING_WIDTH, RING_HEIGHT, 900, -0.05, 0.6, 0.3, 120);
    const struct shown ring = { floor_code, &floor, 2 };
    struct lens l;
    struct fail why = { .text = "" };
    struct frame *f = NULL;
    assert_int_equal(frame_create(&f, RING_WIDTH, RING_HEIGHT, &why), 0);
    shown_paint(f, &c, &ring);
    assert_int_equal(frame_write(f, scratch_path(s, "ring.png"), &why), 0);
    frame_free(f);
    RUN(&r, 0, "calibrate", "board", "--game", "american-marbles", scratch_path(s, "ring.png"));
    assert_non_null(strstr(r.out, "from the target"));
    assert_int_equal(lens_file_read(&l, scratch_path(s, "ring.board.lens.json"), &why), 0);
    assert_true(l.f_sigma_px > 0 && l.f_sigma_px < 0.03 * l.f_px);
    assert_near(l.f_px, 900, 3 * l.f_sigma_px);
    assert_true(take_away(s, "ring.png") && take_away(s, "ring.board.json") && take_away(s, "ring.board.lens.json") &&
                take_away(s, "ring.board.ringside.png"));
}

static const struct {
    const char *what, *folder;
    int status;
    const char *says;
} refused[] = {
    { "straight on", "straight", 1, "leave the focal length open" },
    { "too few", "few", 1, "are too few, 6 are needed" },
    { "no chessboard", "none", 1, "0 different views" },
    { "two sizes", "sizes", 2, "take all with one camera" },
    { "not a picture", "text.jpg", 2, "text.jpg" },
    { "a folder without pictures", "kept", 2, "no .jpg" },
    { "no such file", "missing.jpg", 3, "missing.jpg" },
};

static void what_does_not_suffice_leaves_the_old_file(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    mkdir(scratch_path(s, "kept"), 0777);
    scratch_write(scratch_path(s, "old.json"), "old", 3);
    for (size_t i = 0; i < countof(refused); i++) {
        char kept[8] = "";
        spawned_run(&r,
                    (const char *[]){ "calibrate", "lens", "--out", scratch_path(s, "old.json"),
                                      scratch_path(s, refused[i].folder), NULL },
                    NULL);
        const char *last = strstr(r.err, refused[i].says); // notes on single pictures may come before it
        if (r.status != refused[i].status || !last || spawned_lines(last) != 1)
            fail_msg("%s: exit %d, said \"%s\"", refused[i].what, r.status, r.err);
        FILE *f = fopen(scratch_path(s, "old.json"), "r");
        assert_non_null(f);
        assert_int_equal(fread(kept, 1, sizeof kept, f), 3);
        fclose(f);
    }
    assert_true(take_away(s, "old.json"));
    rmdir(scratch_path(s, "kept"));
}

static const struct {
    const char *what;
    const char *args[4];
    int status;
    const char *says;
} bad[] = {
    { "neither pictures nor a camera", { "lens" }, 2, "--camera DEVICE" },
    { "pictures and a camera", { "lens", "--camera=/dev/null", "x.jpg" }, 2, "--camera DEVICE" },
    { "no such camera", { "lens", "--camera", "/dev/video-none" }, 3, "no such camera" },
    { "no paper", { "target" }, 2, "--size a4" },
    { "an unknown paper", { "target", "--size", "b5" }, 2, "letter and a4" },
    { "an operand too many", { "target", "--size=a4", "x.pdf" }, 2, "one too many" },
};

static void every_wrong_input_is_told_in_one_line(void **state)
{
    (void)state;
    static struct spawned r;
    for (size_t i = 0; i < countof(bad); i++) {
        const char *args[6] = { "calibrate" };
        memcpy(args + 1, bad[i].args, sizeof bad[0].args);
        spawned_run(&r, args, NULL);
        if (r.status != bad[i].status || spawned_lines(r.err) != 1 || !strstr(r.err, bad[i].says) || r.out[0])
            fail_msg("%s: exit %d, said \"%s\", printed \"%s\"", bad[i].what, r.status, r.err, r.out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_printed_page_in_pictures_gives_the_lens),
        cmocka_unit_test(footage_ends_by_itself_and_says_what_is_missing),
        cmocka_unit_test(a_camera_keeps_its_lens_for_watch),
        cmocka_unit_test(it_ends_when_asked),
        cmocka_unit_test(the_target_on_the_floor_of_a_ring_gives_its_focal_length),
        cmocka_unit_test(what_does_not_suffice_leaves_the_old_file),
        cmocka_unit_test(every_wrong_input_is_told_in_one_line),
    };
    return cmocka_run_group_tests(tests, put_all, remove_all);
}
