// SPDX-License-Identifier: MIT
// No command writes over what it reads, through whatever name; and two results of one name are told before work begins.
#include <time.h>

#include "calibration/units.h"
#include "calibration/whole_file.h"
#include "tests/cmocka.h"
#include "tests/referee/commands/spawned.h"
#include "tests/referee/empty_log.h"
#include "tests/vision/scratch.h"
#include "vision/frame_file.h"
#include "vision/source/remux.h"

enum { BYTES_MAX = 1 << 22, SECONDS_TAKEN = 120 };

static char folder[64]; // for what is made

// "IN/pic.jpg": IN is the test's folder, OUT the one for what is made.
static const char *place(const struct scratch *s, const char *text)
{
    static char out[8][300];
    static int turn;
    turn = (turn + 1) % 8;
    bool in = strncmp(text, "IN", 2) == 0, made = strncmp(text, "OUT", 3) == 0;
    snprintf(out[turn], sizeof out[turn], "%s%s", in ? s->folder : made ? folder : "", text + (in ? 2 : made ? 3 : 0));
    return out[turn];
}

static int put_inputs(void **state)
{
    struct remux second = { .from_s = 0, .to_s = 1 };
    struct fail why = { .text = "" };
    struct frame *f;
    if (scratch_create(state) != 0)
        return -1;
    const struct scratch *s = *state;
    strcpy(folder, "/tmp/ringside-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
    f = scratch_frame(64, 48);
    assert_int_equal(frame_write(f, place(s, "IN/pic.png"), &why), 0);
    assert_int_equal(frame_write(f, place(s, "IN/pic.jpg"), &why), 0);
    assert_int_equal(frame_write(f, place(s, "OUT/pic.jpg"), &why), 0);
    frame_free(f);
    if (remux_make(&second, s->folder, "samples/clips/crokinole_a.mp4", &why) < 0)
        fail_msg("%s", why.text);
    assert_int_equal(rename(scratch_path(s, second.name), scratch_path(s, "film.mp4")), 0);
    empty_log(place(s, "IN/game.ringside.jsonl"), "game.mp4");
    return 0;
}

static int remove_inputs(void **state)
{
    scratch_empty(open(folder, O_RDONLY | O_DIRECTORY));
    rmdir(folder);
    return scratch_remove(state);
}

// What stands under the input's other name before the command runs.
enum other { NOTHING, HARD_LINK, SYMBOLIC_LINK, THE_LOG_OF_ANOTHER };

static const struct {
    const char *what;
    const char *const args[8];
    const char *input;
    const char *stands; // the place of the other name
    enum other other;
    int status;
    const char *says[2];
} refused[] = {
    { "two pictures of one name into one folder",
      { "look", "--game", "crokinole", "--out", "OUT", "IN/pic.jpg", "OUT/pic.jpg" },
      "IN/pic.jpg",
      NULL,
      NOTHING,
      2,
      { "IN/pic.jpg", "OUT/pic.jpg" } },
    { "a JPEG and a PNG of one name",
      { "look", "--game", "crokinole", "IN/pic.jpg", "IN/pic.png" },
      "IN/pic.jpg",
      NULL,
      NOTHING,
      2,
      { "IN/pic.jpg", "IN/pic.png" } },
    { "a folder with both in it",
      { "look", "--game", "crokinole", "--json", "--out", "OUT", "IN" },
      "IN/pic.jpg",
      NULL,
      NOTHING,
      2,
      { "would both be written", "IN/pic.png" } },
    { "a picture that is the drawn one by a hard link",
      { "look", "--game", "crokinole", "--out", "OUT", "IN/pic.jpg" },
      "IN/pic.jpg",
      "OUT/pic.ringside.png",
      HARD_LINK,
      2,
      { "would be written over", "IN/pic.jpg" } },
    { "a picture that is the drawn one by a symbolic link",
      { "look", "--game", "crokinole", "--out", "OUT", "IN/pic.jpg" },
      "IN/pic.jpg",
      "OUT/pic.ringside.png",
      SYMBOLIC_LINK,
      2,
      { "would be written over", "IN/pic.jpg" } },
    { "a link to something else where a picture is to be written",
      { "look", "--game", "crokinole", "--out", "OUT", "OUT/pic.jpg" },
      "IN/pic.jpg",
      "OUT/pic.ringside.png",
      SYMBOLIC_LINK,
      3,
      { "symbolic link", "OUT/pic.ringside.png" } },
    { "footage bundled into itself",
      { "bundle", "--game", "crokinole", "--out", "IN/film.mp4", "IN/film.mp4" },
      "IN/film.mp4",
      NULL,
      NOTHING,
      2,
      { "would be written over", "IN/film.mp4" } },
    { "a bundle over the board that it is judged by",
      { "bundle", "--game=crokinole", "--board=IN/pic.jpg", "--out", "OUT/b.tar", "IN/film.mp4" },
      "IN/pic.jpg",
      "OUT/b.tar",
      HARD_LINK,
      2,
      { "would be written over", "OUT/b.tar" } },
    { "footage that is its own log by a hard link",
      { "review", "--game", "crokinole", "--no-book", "--out", "OUT", "IN/film.mp4" },
      "IN/film.mp4",
      "OUT/film.ringside.jsonl",
      HARD_LINK,
      2,
      { "would be written over", "IN/film.mp4" } },
    { "footage that is its own video by a symbolic link",
      { "review", "--game=crokinole", "--no-book", "--video", "--out", "OUT", "IN/film.mp4" },
      "IN/film.mp4",
      "OUT/film.ringside.mp4",
      SYMBOLIC_LINK,
      2,
      { "would be written over", "IN/film.mp4" } },
    { "a page over the footage that it is about",
      { "review", "--game=crokinole", "--out", "OUT", "--report=IN/film.mp4", "IN/film.mp4" },
      "IN/film.mp4",
      NULL,
      NOTHING,
      2,
      { "would be written over", "IN/film.mp4" } },
    { "a voice over the footage that it speaks of",
      { "review", "--game=crokinole", "--no-book", "--json", "--voice-out", "OUT/said.wav", "IN/film.mp4" },
      "IN/film.mp4",
      "OUT/said.wav",
      HARD_LINK,
      2,
      { "would be written over", "IN/film.mp4" } },
    { "the log of other footage of that name",
      { "review", "--game", "crokinole", "--no-book", "--out", "OUT", "IN/film.mp4" },
      "IN/film.mp4",
      "OUT/film.ringside.jsonl",
      THE_LOG_OF_ANOTHER,
      2,
      { "is the log of film.mkv", "--out" } },
    { "a lens over a picture of the chessboard",
      { "calibrate", "lens", "--out", "IN/pic.png", "IN/pic.png", "IN/pic.jpg" },
      "IN/pic.png",
      NULL,
      NOTHING,
      2,
      { "would be written over", "IN/pic.png" } },
    { "a board over the picture it is measured in",
      { "calibrate", "board", "--game=crokinole", "--out", "IN/film.mp4", "IN/film.mp4" },
      "IN/film.mp4",
      NULL,
      NOTHING,
      2,
      { "would be written over", "IN/film.mp4" } },
};

static void nothing_that_is_read_is_written(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    for (size_t i = 0; i < countof(refused); i++) {
        const char *args[8] = { NULL };
        char input[300], stands[300];
        snprintf(input, sizeof input, "%s", place(s, refused[i].input));
        snprintf(stands, sizeof stands, "%s", refused[i].stands ? place(s, refused[i].stands) : "");
        struct fail why = { .text = "" };
        uint8_t *before, *after;
        size_t size, size_after;
        int fail_to_link = 0;
        if (refused[i].other == HARD_LINK)
            fail_to_link = link(input, stands);
        else if (refused[i].other == SYMBOLIC_LINK)
            fail_to_link = symlink(input, stands);
        else if (refused[i].other == THE_LOG_OF_ANOTHER)
            empty_log(stands, "film.mkv");
        assert_int_equal(fail_to_link, 0);
        char kept[8][300];
        for (int k = 0; k < 8 && refused[i].args[k]; k++) {
            const char *text = refused[i].args[k], *sign = strstr(text, "=IN");
            snprintf(kept[k], sizeof kept[k], "%.*s%s", sign ? (int)(sign + 1 - text) : 0, text,
                     place(s, sign ? sign + 1 : text));
            args[k] = kept[k];
        }
        assert_int_equal(whole_file_read(&before, &size, input, BYTES_MAX, &why), 0);
        spawned_run(&r, args, NULL);
        if (r.status != refused[i].status || !strstr(r.err, place(s, refused[i].says[0])) ||
            !strstr(r.err, place(s, refused[i].says[1])) || spawned_lines(r.err) != 1)
            fail_msg("%s: exit %d: %s", refused[i].what, r.status, r.err);
        assert_int_equal(whole_file_read(&after, &size_after, input, BYTES_MAX, &why), 0);
        assert_true(size == size_after && memcmp(before, after, size) == 0);
        free(before);
        free(after);
        if (stands[0])
            assert_int_equal(unlink(stands), 0);
        struct scratch made;
        snprintf(made.folder, sizeof made.folder, "%s", folder);
        assert_int_equal(scratch_count(&made), 1); // the picture
        assert_int_equal(scratch_count(s), 4);
    }
}

static void what_is_read_is_not_printed_into(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    const char *log = place(s, "IN/game.ringside.jsonl");
    struct fail why = { .text = "" };
    uint8_t *before, *after;
    size_t size, size_after;
    assert_int_equal(whole_file_read(&before, &size, log, BYTES_MAX, &why), 0);
    spawned_run(&r, (const char *[]){ "judge", "--json", log, NULL }, log);
    assert_int_equal(r.status, 2);
    assert_non_null(strstr(r.err, "standard output goes into it"));
    assert_int_equal(whole_file_read(&after, &size_after, log, BYTES_MAX, &why), 0);
    assert_true(size == size_after && memcmp(before, after, size) == 0);
    free(before);
    free(after);
}

// The names of the next two minutes are taken, as when the clock was set back or another watch began in this second.
static void a_watch_takes_no_others_name(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    char name[64], path[600], zone[] = "TZ=America/New_York";
    time_t now = time(NULL);
    int numbered = 0;
    struct tm date;
    putenv(zone);
    tzset();
    for (int i = 0; i < SECONDS_TAKEN; i++) {
        time_t then = now + i;
        assert_non_null(gmtime_r(&then, &date));
        strftime(name, sizeof name, "/%Y%m%d-%H%M%SZ.ringside.jsonl", &date);
        snprintf(path, sizeof path, "%s%s", folder, name);
        scratch_write(path, "mine", 4);
    }
    for (int k = 0; k < 2; k++) {
        RUN(&r, 0, "watch", "--game", "crokinole", "--no-book", "--no-voice", "--out", folder, "--camera",
            place(s, "IN/film.mp4"));
    }
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        struct stat st;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (!strstr(e->d_name, ".jsonl"))
            continue;
        assert_int_equal(stat(path, &st), 0);
        bool second = strstr(e->d_name, "Z-2.ringside") || strstr(e->d_name, "Z-3.ringside");
        numbered += second;
        assert_true(second == (st.st_size != 4));
        unlink(path);
    }
    closedir(d);
    assert_int_equal(numbered, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_that_is_read_is_written),
        cmocka_unit_test(what_is_read_is_not_printed_into),
        cmocka_unit_test(a_watch_takes_no_others_name),
    };
    return cmocka_run_group_tests(tests, put_inputs, remove_inputs);
}
