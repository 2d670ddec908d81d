// SPDX-License-Identifier: MIT
// Files kept per camera: their names, and that a bad one is told and left alone.
#include <string.h>

#include "calibration/board_file.h"
#include "calibration/lens_file.h"
#include "calibration/units.h"
#include "referee/commands/device.h"
#include "tests/cmocka.h"
#include "tests/vision/scratch.h"

static const struct {
    const char *what, *card, *bus, *name;
} names[] = {
    { "a plain camera", "HD Pro Webcam C920", "usb-0000:00:14.0-2", "HD-Pro-Webcam-C920-usb-0000-00-14.0-2" },
    { "a name with a path in it", "../../etc/cam: a/b", "usb-1", "etc-cam-a-b-usb-1" },
    { "a name of letters that are not ASCII", "Caméra été", "usb-1", "Cam-ra-t-usb-1" },
    { "a name without any plain letter", "\xe7\x9b\xb8\xe6\xa9\x9f", "usb-1", "unnamed-usb-1" },
    { "a name that would hide the file", ".hidden", "usb-1", "hidden-usb-1" },
    { "dots alone", "..", "..", "unnamed-unnamed" },
    { "a line break and quotes", "a\nb\"c'd", "usb-1", "a-b-c-d-usb-1" },
    { "a file that plays a camera", "", "", "clip_a.mp4-file" },
};

static struct source_info camera_named(const char *card, const char *bus)
{
    struct source_info info = { .width = 1280, .height = 720, .name = "clip_a.mp4" };
    snprintf(info.card, sizeof info.card, "%s", card);
    snprintf(info.bus, sizeof info.bus, "%s", bus);
    return info;
}

static void every_name_can_be_a_files(void **state)
{
    (void)state;
    setenv("XDG_CONFIG_HOME", "/x", 1);
    for (size_t i = 0; i < countof(names); i++) {
        struct source_info info = camera_named(names[i].card, names[i].bus);
        char path[SAVED_PATH_MAX], wanted[SAVED_PATH_MAX];
        struct fail why = { .text = "" };
        assert_int_equal(saved_path(path, &info, SAVED_LENS, &why), 0);
        snprintf(wanted, sizeof wanted, "/x/ringside/%s-1280x720.lens.json", names[i].name);
        if (strcmp(path, wanted) != 0)
            fail_msg("%s: got %s, not %s", names[i].what, path, wanted);
    }
}

static void a_board_has_its_own_file(void **state)
{
    (void)state;
    struct source_info info = camera_named("Cam", "usb-1");
    char path[SAVED_PATH_MAX];
    struct fail why = { .text = "" };
    setenv("XDG_CONFIG_HOME", "/x", 1);
    assert_int_equal(saved_board_path(path, &info, "my / board", &why), 0);
    assert_string_equal(path, "/x/ringside/Cam-usb-1-1280x720.my-board.board.json");
}

static const struct {
    const char *what, *xdg, *home, *folder; // folder NULL: refused
} folders[] = {
    { "XDG_CONFIG_HOME before HOME", "/x", "/home/anna", "/x/ringside/" },
    { "HOME alone", NULL, "/home/anna", "/home/anna/.config/ringside/" },
    { "a relative XDG_CONFIG_HOME does not count", "x", "/home/anna", "/home/anna/.config/ringside/" },
    { "an empty XDG_CONFIG_HOME does not count", "", "/home/anna", "/home/anna/.config/ringside/" },
    { "neither", NULL, NULL, NULL },
    { "an empty HOME", NULL, "", NULL },
};

static void set_or_unset(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static void the_folder_is_the_users(void **state)
{
    (void)state;
    struct source_info info = camera_named("Cam", "usb-1");
    for (size_t i = 0; i < countof(folders); i++) {
        char path[SAVED_PATH_MAX] = "";
        struct fail why = { .text = "" };
        struct lens l;
        bool there = true;
        set_or_unset("XDG_CONFIG_HOME", folders[i].xdg);
        set_or_unset("HOME", folders[i].home);
        int rc = saved_path(path, &info, SAVED_LENS, &why);
        bool right = folders[i].folder ? rc == 0 && strncmp(path, folders[i].folder, strlen(folders[i].folder)) == 0
                                       : rc == RS_EINPUT && strstr(why.text, "HOME") && strstr(why.text, "--out");
        if (!right || saved_lens_read(&l, &there, &info, &why) != 0 || there)
            fail_msg("%s: got %d %s %s", folders[i].what, rc, path, why.text);
    }
}

static const struct {
    const char *what, *lens, *board;
} damaged[] = {
    { "empty", "", "" },
    { "cut off", "{\"ringside_lens\":1,\"width\":12", "{\"ringside_board\":1,\"na" },
    { "of another version", "{\"ringside_lens\":2}", "{\"ringside_board\":2}" },
    { "with absurd numbers",
      "{\"ringside_lens\":1,\"width\":1280,\"height\":720,\"f_px\":-1,\"cx_px\":0,\"cy_px\":0,\"k1\":0,\"k2\":0,"
      "\"p1\":0,\"p2\":0}",
      "{\"ringside_board\":1,\"name\":\"b\",\"kind\":\"circles\",\"edge\":\"line-centre\",\"piece\":\"disc\","
      "\"circle_in\":[-12],\"zone_points\":[5],\"piece_radius_in\":0.6,\"piece_height_in\":0.4}" },
    { "of zeros", "\0\0\0\0", "\0\0\0\0" },
};

static void must_be_told_and_left(const char *what, int rc, const struct fail *why, const char *path, const char *text)
{
    char kept[1000] = "";
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    size_t n = fread(kept, 1, sizeof kept - 1, f);
    fclose(f);
    bool told = strstr(why->text, path) && strstr(why->text, "again, or remove") && !strchr(why->text, '\n');
    if (rc != RS_EINPUT || !told || n != strlen(text) || memcmp(kept, text, n) != 0)
        fail_msg("%s: got %d \"%s\", file has %zu bytes", what, rc, why->text, n);
}

static void a_damaged_file_is_told_and_left_alone(void **state)
{
    const struct scratch *s = *state;
    struct source_info info = camera_named("Cam", "usb-1");
    char path[SAVED_PATH_MAX];
    setenv("XDG_CONFIG_HOME", s->folder, 1);
    for (size_t i = 0; i < countof(damaged); i++) {
        struct fail why = { .text = "" };
        struct lens l;
        struct board b;
        bool there = false;
        assert_int_equal(saved_path(path, &info, SAVED_LENS, &why), 0);
        assert_int_equal(saved_make_folder(path, &why), 0);
        scratch_write(path, damaged[i].lens, strlen(damaged[i].lens));
        int rc = saved_lens_read(&l, &there, &info, &why);
        must_be_told_and_left(damaged[i].what, rc, &why, path, damaged[i].lens);
        unlink(path);
        assert_int_equal(saved_board_path(path, &info, "b", &why), 0);
        scratch_write(path, damaged[i].board, strlen(damaged[i].board));
        rc = saved_board_read(&b, &there, &info, "b", &why);
        must_be_told_and_left(damaged[i].what, rc, &why, path, damaged[i].board);
        unlink(path);
    }
    rmdir(scratch_path(s, "ringside"));
}

static void what_was_saved_is_read_again(void **state)
{
    const struct scratch *s = *state;
    struct source_info info = camera_named("Cam", "usb-1");
    const struct lens l = { 1280, 720, 1000, { 640, 360 }, -0.05, 0, 0, 0, 0 };
    struct lens lens = { .width = 0 };
    struct board board = *board_builtin("crokinole-nca"), back;
    char path[SAVED_PATH_MAX];
    struct fail why = { .text = "" };
    bool there = false;
    board.circle_in[1] = 8.76;
    setenv("XDG_CONFIG_HOME", scratch_path(s, "new/deep"), 1);
    assert_int_equal(saved_path(path, &info, SAVED_LENS, &why), 0);
    assert_int_equal(saved_make_folder(path, &why), 0);
    assert_int_equal(lens_file_write(path, &l, 0.1, &why), 0);
    assert_int_equal(saved_lens_read(&lens, &there, &info, &why), 0);
    assert_true(there && lens.f_px == l.f_px);
    unlink(path);
    assert_int_equal(saved_board_path(path, &info, board.name, &why), 0);
    assert_int_equal(board_file_write(path, &board, &why), 0);
    assert_int_equal(saved_board_read(&back, &there, &info, board.name, &why), 0);
    assert_true(there && back.circle_in[1] == board.circle_in[1]);
    unlink(path);
    rmdir(scratch_path(s, "new/deep/ringside"));
    rmdir(scratch_path(s, "new/deep"));
    rmdir(scratch_path(s, "new"));
}

static void a_folder_that_cannot_be_made_is_told(void **state)
{
    const struct scratch *s = *state;
    struct fail why = { .text = "" };
    scratch_write(scratch_path(s, "file"), "x", 1);
    assert_int_equal(saved_make_folder(scratch_path(s, "file/ringside/x.json"), &why), RS_EIO);
    assert_non_null(strstr(why.text, "cannot make the folder"));
}

static void a_film_that_is_not_there_is_no_camera(void **state)
{
    (void)state;
    static const struct {
        char *camera;
        const char *words;
        bool film;
    } rows[] = {
        { "nosuch.mp4", "nosuch.mp4: as a film: No such file or directory; as a camera: ", true },
        { "Dr.Cam", "Dr.Cam: as a film: No such file or directory; as a camera: ", true }, // either
        { "Cam.2", "camera", false },
        { "films/nosuch", "films/nosuch: No such file or directory", true },
        { "ftp://anna:geheim@camera/video", "ftp://...: an address begins with http://, https:// or rtsp://", false },
        { "anna:geheim@cam:554/x", "anna:...@cam:554: No such file or directory; an address begins with http://",
          true },
        { "anna:ge@/heim@cam.lan/x?geheim", "anna:...@cam.lan: No such file or directory; an address begins ", true },
        { "rtsp:/anna:geheim@cam/geheim", "rtsp:...@cam: No such file or directory; an address begins with ", true },
        { "anna:geheim@cam:554", "anna:...@cam:554: No such file or directory; an address begins with ", true },
        { "anna:geheim@cam.lan", "anna:...@cam.lan: No such file or directory; an address begins with ", true },
        { "cam:80/video?pwd=geheim", "cam:80/video: No such file or directory; an address begins with ", true },
        { "films/anna@home", "films/anna@home: No such file or directory", true },
        { "192.168.1.7:8080/video", "directory; an address begins with http://, https:// or rtsp://", true },
        { "Makefile/nosuch.mp4", "Makefile/nosuch.mp4: Not a directory", true },
        { "no such camera", "camera", false },
        { "usb-0000:00:99.9-1", "camera", false },
        { "/dev/video-none", "camera", false },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        struct options o = { .camera = rows[i].camera, .quiet = true };
        struct source *s = NULL;
        struct fail why = { .text = "" };
        int rc = device_open(&s, &o, &why);
        bool as_film = strstr(why.text, "No such file") || strstr(why.text, "Not a directory");
        if (rc != RS_EIO || !strstr(why.text, rows[i].words) || as_film != rows[i].film || strstr(why.text, "geheim"))
            fail_msg("%s: %d '%s'", rows[i].camera, rc, why.text);
    }
}

// A film is as it was taken, and an address sends what is set there. Neither is opened.
static void what_only_a_camera_can_do_is_asked_of_nothing_else(void **state)
{
    (void)state;
    static char film[] = "samples/clips/crokinole_a.mp4", address[] = "http://user:secret@127.0.0.1:1/video";
    const struct options rows[] = {
        { .camera = film, .size = { 640, 480 } }, { .camera = film, .rate = 5 },
        { .camera = film, .controls = 1 },        { .camera = address, .size = { 640, 480 } },
        { .camera = address, .rate = 5 },         { .camera = address, .controls = 1 },
    };
    static const char *const flags[] = { "--size", "--rate", "--control" };
    for (size_t i = 0; i < countof(rows); i++) {
        struct source *s = NULL;
        struct fail why = { .text = "" };
        char words[200];
        snprintf(words, sizeof words, "%s: leave %s out",
                 i < countof(flags) ? "samples/clips/crokinole_a.mp4 is a film and no camera"
                                    : "what the address sends is set where it is sent from",
                 flags[i % countof(flags)]);
        int rc = device_open(&s, &rows[i], &why);
        if (rc != RS_EINPUT || strcmp(why.text, words) != 0)
            fail_msg("%d '%s', not '%s'", rc, why.text, words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_can_be_a_files),
        cmocka_unit_test(a_board_has_its_own_file),
        cmocka_unit_test(the_folder_is_the_users),
        cmocka_unit_test(a_damaged_file_is_told_and_left_alone),
        cmocka_unit_test(what_was_saved_is_read_again),
        cmocka_unit_test(a_folder_that_cannot_be_made_is_told),
        cmocka_unit_test(a_film_that_is_not_there_is_no_camera),
        cmocka_unit_test(what_only_a_camera_can_do_is_asked_of_nothing_else),
    };
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
