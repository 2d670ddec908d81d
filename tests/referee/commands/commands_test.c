// SPDX-License-Identifier: MIT
// The command line: every wrong input gives one clear line and the right exit status and leaves no file behind.
#include <math.h>
#include <string.h>

#include "calibration/units.h"
#include "tests/cmocka.h"
#include "tests/referee/commands/filmed.h"
#include "tests/referee/commands/spawned.h"
#include "tests/vision/scratch.h"
#include "vision/frame_file.h"
#include "vision/source/jpeg.h"
#include "vision/source/source.h"

static void put_text(const struct scratch *s, const char *name, const char *text)
{
    scratch_write(scratch_path(s, name), text, strlen(text));
}

// A carpet seen by a noisy camera: nothing to find.
static void put_carpet(const struct scratch *s)
{
    struct fail why = { .text = "" };
    struct frame *f = NULL;
    uint32_t seed = 7;
    assert_int_equal(frame_create(&f, FILM_WIDTH, FILM_HEIGHT, &why), 0);
    for (int i = 0; i < 3 * FILM_WIDTH * FILM_HEIGHT; i++)
        f->bgr[i] = (uint8_t)(110 + 4 * painted_noise(&seed));
    assert_int_equal(frame_write(f, scratch_path(s, "carpet.jpg"), &why), 0);
    frame_free(f);
}

static void put_cut(const struct scratch *s)
{
    struct fail why = { .text = "" };
    struct frame *f = NULL;
    assert_int_equal(frame_create(&f, FILM_WIDTH, FILM_HEIGHT, &why), 0);
    for (int i = 0; i < 3 * FILM_WIDTH * FILM_HEIGHT; i++)
        f->bgr[i] = (uint8_t)(7 * i ^ i >> 8);
    assert_int_equal(frame_write(f, scratch_path(s, "cut.jpg"), &why), 0);
    frame_free(f);
    assert_int_equal(truncate(scratch_path(s, "cut.jpg"), 5000), 0);
}

static void put_board(const struct scratch *s)
{
    struct fail why = { .text = "" };
    struct frame *f = board_seen(42, 0.12);
    assert_int_equal(frame_write(f, scratch_path(s, "board.png"), &why), 0);
    assert_int_equal(rename(scratch_path(s, "board.png"), scratch_path(s, "png-named.jpg")), 0);
    frame_free(f);
}

// The same board from so far away that nobody can tell its discs.
static void put_far_board(const struct scratch *s)
{
    struct fail why = { .text = "" };
    struct frame *f = board_seen(105, 0.3);
    assert_int_equal(frame_write(f, scratch_path(s, "far.png"), &why), 0);
    frame_free(f);
}

// Sound alone: FFmpeg knows it, but there is nothing to see.
static void put_sound(const struct scratch *s)
{
    static const unsigned char wave[44 + 800] = "RIFF\x44\x03\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0"
                                                "\x01\0\x08\0data\x20\x03\0";
    scratch_write(scratch_path(s, "sound.mp4"), wave, sizeof wave);
}

#define BOARD_START                                                                                                    \
    "{\"ringside_board\":1,\"name\":\"b\",\"kind\":\"circles\",\"zone_points\":[5,10,15],\"edge\":\"line-centre\","    \
    "\"piece\":\"disc\",\"piece_radius_in\":0.625,"

static int put_all(void **state)
{
    if (scratch_create(state) != 0)
        return -1;
    const struct scratch *s = *state;
    put_text(s, "empty.jpg", "");
    put_text(s, "empty.mp4", "");
    put_text(s, "text.jpg", "Dear referee,\nthis is no picture.\n");
    put_text(s, "text.mp4", "Dear referee,\nthis is no video.\n");
    put_text(s, "no-height.json", BOARD_START "\"circle_in\":[12,8,4]}");
    put_text(s, "absurd.json", BOARD_START "\"circle_in\":[12,8,-4],\"piece_height_in\":0.375}");
    put_text(s, "huge.json", BOARD_START "\"circle_in\":[1e300,8,4],\"piece_height_in\":0.375}");
    put_text(s, "lens.json", "{\"ringside_lens\":1,\"width\":640,\"height\":480,\"f_px\":-5}");
    put_text(s, "tuning.json", "{\"board\":{\"sharpness\":1}}");
    put_text(s, "slip.json", "{\"frist\":\"Home\"}");
    put_text(s, "doubles.json",
             "{\"sides\":[{\"name\":\"Home\",\"players\":[\"Ann\",\"Bo\"]},{\"name\":\"Away\"}],"
             "\"format\":\"nca-doubles\"}");
    put_text(s, "no-discs.json", "{\"format\":{\"pieces_each\":0}}");
    put_text(s, "text.jsonl", "no log\n");
    put_text(s, "other-game.jsonl",
             "{\"ringside\":1,\"game\":\"chess\",\"board\":" BOARD_START
             "\"circle_in\":[12,8,4],\"piece_height_in\":0.375},\"source\":\"x\"}\n");
    put_carpet(s);
    put_cut(s);
    put_board(s);
    put_sound(s);
    return 0;
}

struct bad {
    const char *what;
    const char *args[SPAWNED_ARGS_MAX]; // '@' stands for the test's folder
    int status;
    const char *says;
};

#define LOOK "look", "--game", "crokinole"
#define REVIEW "review", "--game", "crokinole"

static const struct bad bad[] = {
    { "nothing to do", { NULL }, 2, "--help" },
    { "unknown command", { "lok" }, 2, "did you mean look?" },
    { "unknown second word", { "calibrate", "bord" }, 2, "did you mean board?" },
    { "unknown flag of a second word", { "calibrate", "board", "--ot", "x" }, 2, "did you mean --out?" },
    { "no second word", { "calibrate" }, 2, "calibrate needs" },
    { "unknown second word of help", { "help", "calibrate", "chek" }, 2, "did you mean check?" },
    { "unknown flag", { LOOK, "--jsn", "x.jpg" }, 2, "did you mean --json?" },
    { "flag of another command", { LOOK, "--video", "x.jpg" }, 2, "--video" },
    { "flag without its value", { "look", "x.jpg", "--game" }, 2, "--game needs a value" },
    { "switch with a value", { LOOK, "--json=1", "x.jpg" }, 2, "takes no value" },
    { "no operand", { LOOK }, 2, "needs IMAGE" },
    { "one operand too many", { REVIEW, "a", "b" }, 2, "one too many" },
    { "an empty name", { LOOK, "@/carpet.jpg", "" }, 2, "look: a name is empty; it takes IMAGE|FOLDER..." },
    { "an empty name of a second word", { "record", "show", "" }, 2, "record show: a name is empty; it takes [MATCH]" },
    { "a board file where there is no folder, told before the board is looked for",
      { "calibrate", "board", "--game=crokinole", "--out", "@/nowhere/b.json", "@/carpet.jpg" },
      3,
      "nowhere/b.ringside.png: cannot be written: No such file or directory" },
    { "a picture in no folder, of which a board is to be measured",
      { "calibrate", "board", "--game=crokinole", "@/nowhere/b.jpg" },
      3,
      "nowhere/b.jpg: No such file or directory" },
    { "a way to speak that is none",
      { REVIEW, "--voice", "loud", "@/carpet.jpg" },
      2,
      "loud is none of [calls|full|off]" },
    { "the same of a watch", { "watch", "--voice", "loud" }, 2, "loud is none of [calls|full|off]" },
    { "footage behind the voice, and one more", { REVIEW, "--voice", "@/carpet.jpg", "b" }, 2, "b is one too many" },
    { "no game", { "look", "@/carpet.jpg" }, 2, "which game" },
    { "unknown game", { "look", "--game", "crokinol", "@/carpet.jpg" }, 2, "did you mean crokinole" },
    { "unknown game's rules", { "rules", "chess" }, 2, "unknown game chess" },
    { "unknown board", { LOOK, "--board", "crokinole-ncb", "@/carpet.jpg" }, 2, "did you mean crokinole-nca" },
    { "board of another game", { LOOK, "--board", "ring-7ft", "@/carpet.jpg" }, 2, "not played on" },
    { "board file with a number missing",
      { LOOK, "--board", "@/no-height.json", "@/carpet.jpg" },
      2,
      "piece_height_in" },
    { "board file with a negative radius", { LOOK, "--board", "@/absurd.json", "@/carpet.jpg" }, 2, "absurd.json" },
    { "board file with a huge radius", { LOOK, "--board", "@/huge.json", "@/carpet.jpg" }, 2, "huge.json" },
    { "lens file with a negative length", { LOOK, "--lens", "@/lens.json", "@/carpet.jpg" }, 2, "f_px" },
    { "tuning file with an unknown number", { LOOK, "--tune", "@/tuning.json", "@/carpet.jpg" }, 2, "sharpness" },
    { "missing tuning file", { REVIEW, "--tune", "@/none.json", "@/none.mp4" }, 3, "none.json" },
    { "badly written side", { LOOK, "--side", "black", "@/carpet.jpg" }, 2, "black=Anna" },
    { "one player twice", { REVIEW, "--players", "Anna, anna", "@/none.mp4" }, 2, "two different names" },
    { "one player", { REVIEW, "--players", "Anna", "@/none.mp4" }, 2, "Anna,Ben" },
    { "a name of few letters that take two bytes each",
      { REVIEW, "--players", "Александра-Екатерина,Ben", "@/none.mp4" },
      2,
      "two different names of at most 31 bytes (a to z take one, other letters more)" },
    { "both sides of one colour",
      { REVIEW, "--side=red=A", "--side=red=B", "@/none.mp4" },
      2,
      "both A and B play red" },
    { "one side of two colours",
      { REVIEW, "--side=red=A", "--side=black=A", "@/none.mp4" },
      2,
      "A plays red and black" },
    { "one side of two colours, in other letters",
      { REVIEW, "--players=Anna,Ben", "--side=red=anna", "--side=black=ANNA", "@/none.mp4" },
      2,
      "ANNA plays red and black" },
    { "permission in Crokinole", { REVIEW, "--judge", "@/none.mp4" }, 2, "no judge gives permission" },
    { "a bundle judged as another game",
      { "bundle", "--check", "--game", "crokinole", "@/none.tar" },
      2,
      "leave --game out" },
    { "a log bundled as another game", { "bundle", "--game", "crokinole", "@/none.jsonl" }, 2, "leave --game out" },
    { "a part of a bundle", { "bundle", "--check", "--to", "3", "@/none.tar" }, 2, "leave --to out" },
    { "a checked bundle written", { "bundle", "--check", "--out", "@/x", "@/none.tar" }, 2, "leave --out out" },
    { "unknown format", { REVIEW, "--format", "nca-single", "@/none.mp4" }, 2, "did you mean nca-singles" },
    { "match file with a slip of the pen", { REVIEW, "--match", "@/slip.json", "@/none.mp4" }, 2, "frist" },
    { "two lists of players",
      { REVIEW, "--match", "@/doubles.json", "--players", "Anna,Ben", "@/none.mp4" },
      2,
      "doubles.json names who plays for each side" },
    { "two players of one name",
      { REVIEW, "--players", "\xc3\x84nna,\xc3\xa4nna", "@/none.mp4" },
      2,
      "the sides are called \xc3\x84nna and \xc3\xa4nna, which differ in capitals alone: give one of them another "
      "name" },
    { "two sides of one name",
      { REVIEW, "--side", "red=\xce\xa9mega", "--side", "black=\xcf\x89mega", "@/none.mp4" },
      2,
      "which differ in capitals alone: give one of them another name" },
    { "a format of singles over a file's doubles",
      { REVIEW, "--match", "@/doubles.json", "--format", "nca-singles", "@/none.mp4" },
      2,
      "doubles.json: Home has 2 players; nca-singles is played by 1 a side" },
    { "a match without discs",
      { REVIEW, "--match", "@/no-discs.json", "@/none.mp4" },
      2,
      "\"pieces_each\" must be 1 or more" },
    { "the demo as a set-up", { "calibrate", "check", "--game=crokinole", "--camera", "demo" }, 2, "a game for watch" },
    { "no pages for a telephone",
      { "watch", "--no-web", "--qr" },
      2,
      "with --no-web there are no pages: leave --qr out" },
    { "no pages for others", { "watch", "--no-web", "--listen", "0.0.0.0" }, 2, "leave --listen out" },
    { "no pages in a browser", { "watch", "--no-web", "--open" }, 2, "leave --open out" },
    { "no pages for streams", { "watch", "--no-web", "--overlay-css", "@/none.css" }, 2, "leave --overlay-css out" },
    { "badly written size", { "watch", "--game", "crokinole", "--size", "big" }, 2, "1920x1080" },
    { "a picture beside which nothing can be written",
      { LOOK, "/dev/stdin" },
      2,
      "/dev/stdin: nothing is written beside it: name a place with --out" },
    { "missing picture", { LOOK, "@/none.jpg" }, 3, "none.jpg" },
    { "empty picture", { LOOK, "@/empty.jpg" }, 2, "empty.jpg" },
    { "cut picture", { LOOK, "@/cut.jpg" }, 2, "cut.jpg" },
    { "text named as a picture", { LOOK, "@/text.jpg" }, 2, "text.jpg" },
    { "picture without a board", { LOOK, "@/carpet.jpg" }, 1, "no board found" },
    { "folder that is a file", { LOOK, "--out", "@/text.jpg", "@/png-named.jpg" }, 3, "not a folder" },
    { "folder under a file", { LOOK, "--out", "@/text.jpg/x", "@/png-named.jpg" }, 3, "text.jpg/x" },
    { "missing footage", { REVIEW, "@/none.mp4" }, 3, "none.mp4" },
    { "empty footage", { REVIEW, "@/empty.mp4" }, 2, "empty.mp4" },
    { "text named as footage", { REVIEW, "@/text.mp4" }, 2, "text.mp4" },
    { "footage without frames", { REVIEW, "--video", "@/sound.mp4" }, 2, "sound.mp4" },
    { "missing camera", { "watch", "--game", "crokinole", "--camera", "@/video0" }, 3, "video0" },
    { "missing log", { "judge", "@/none.jsonl" }, 3, "none.jsonl" },
    { "text as a log", { "judge", "@/text.jsonl" }, 2, "text.jsonl line 1" },
    { "log of an unknown game", { "judge", "@/other-game.jsonl" }, 2, "unknown game chess" },
};

static void fill_in(const char *filled[SPAWNED_ARGS_MAX], char text[SPAWNED_ARGS_MAX][256], const char *const *args,
                    const struct scratch *s)
{
    int i = 0;
    for (; args[i]; i++) {
        if (args[i][0] == '@')
            snprintf(text[i], sizeof text[i], "%s%s", s->folder, args[i] + 1);
        else
            snprintf(text[i], sizeof text[i], "%s", args[i]);
        filled[i] = text[i];
    }
    filled[i] = NULL;
}

static void run_in(struct spawned *r, const char *const *args, const struct scratch *s)
{
    const char *filled[SPAWNED_ARGS_MAX];
    char text[SPAWNED_ARGS_MAX][256];
    fill_in(filled, text, args, s);
    spawned_run(r, filled, NULL);
}

static void every_wrong_input_is_told_in_one_line(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    for (size_t i = 0; i < countof(bad); i++) {
        const struct bad *b = &bad[i];
        int files = scratch_count(s);
        run_in(&r, b->args, s);
        bool told = spawned_lines(r.err) == 1 && strncmp(r.err, "ringside: ", 10) == 0 && strstr(r.err, b->says);
        if (r.status != b->status || !told || r.out[0] || scratch_count(s) != files)
            fail_msg("%s: exit %d, %d files more, said \"%s\", printed \"%s\"", b->what, r.status,
                     scratch_count(s) - files, r.err, r.out);
    }
}

static void a_png_named_jpg_is_refereed(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    run_in(&r, (const char *[]){ LOOK, "@/png-named.jpg", NULL }, s);
    if (r.status != 0)
        fail_msg("exit %d: %s", r.status, r.err);
    assert_non_null(strstr(r.out, "crokinole-nca"));
    assert_int_equal(unlink(scratch_path(s, "png-named.ringside.png")), 0);
}

static void json_writes_no_picture_unless_asked(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    int files = scratch_count(s);
    run_in(&r, (const char *[]){ LOOK, "--json", "@/png-named.jpg", NULL }, s);
    assert_int_equal(r.status, 0);
    assert_int_equal(spawned_lines(r.out), 1);
    assert_non_null(strstr(r.out, "\"found\":true"));
    assert_int_equal(scratch_count(s), files);
    run_in(&r, (const char *[]){ LOOK, "--json", "--out", "@", "@/png-named.jpg", NULL }, s);
    assert_int_equal(unlink(scratch_path(s, "png-named.ringside.png")), 0);
}

static void a_board_that_cannot_be_called_is_refused(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    put_far_board(s);
    int files = scratch_count(s);
    run_in(&r, (const char *[]){ LOOK, "@/far.png", NULL }, s);
    assert_int_equal(r.status, 1);
    assert_string_equal(r.out, "");
    assert_int_equal(spawned_lines(r.err), 1);
    assert_non_null(strstr(r.err, "far.png: crokinole-nca found, but not well enough to call: a disc is only 6."));
    run_in(&r, (const char *[]){ LOOK, "--json", "@/far.png", NULL }, s);
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.out, "\"refused\":\"crokinole-nca found"));
    assert_int_equal(scratch_count(s), files);
    assert_int_equal(unlink(scratch_path(s, "far.png")), 0);
}

// The board with some grain, and that lost.
static void put_compressed_board(const struct scratch *s)
{
    struct source *in = NULL;
    struct frame *f = NULL;
    struct jpeg *j = NULL;
    struct fail why = { .text = "" };
    uint8_t *bytes = NULL;
    size_t size = 0;
    uint32_t seed = 5;
    assert_int_equal(photo_open(&in, scratch_path(s, "png-named.jpg"), &why), 0);
    assert_int_equal(source_next(&f, in, &why), 1);
    source_close(in);
    for (int i = 0; i < 3 * f->width * f->height; i++)
        f->bgr[i] = (uint8_t)fmax(0, fmin(255, f->bgr[i] + 5 * painted_noise(&seed)));
    assert_int_equal(jpeg_create(&j, &why), 0);
    assert_int_equal(jpeg_encode(&bytes, &size, j, f, 10, &why), 0);
    scratch_write(scratch_path(s, "hard.jpg"), bytes, size);
    jpeg_bytes_free(bytes);
    jpeg_free(j);
    frame_free(f);
}

// What is called all the same, but less surely, is called with a warning; a good picture without.
static void what_is_wrong_with_a_picture_is_told(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    put_compressed_board(s);
    run_in(&r, (const char *[]){ LOOK, "@/hard.jpg", NULL }, s);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "  beware: compression took"));
    run_in(&r, (const char *[]){ LOOK, "--json", "@/hard.jpg", NULL }, s);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "\"limits\":[\"compression took"));
    run_in(&r, (const char *[]){ LOOK, "--json", "@/png-named.jpg", NULL }, s);
    assert_non_null(strstr(r.out, "\"limits\":[]"));
    assert_int_equal(unlink(scratch_path(s, "hard.jpg")), 0);
    assert_int_equal(unlink(scratch_path(s, "hard.ringside.png")), 0);
}

static void one_bad_picture_does_not_stop_the_others(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    run_in(&r, (const char *[]){ LOOK, "--json", "@/empty.jpg", "@/carpet.jpg", "@/png-named.jpg", NULL }, s);
    assert_int_equal(r.status, 2);
    assert_int_equal(spawned_lines(r.err), 2);
    assert_non_null(strstr(r.out, "\"found\":false"));
    assert_non_null(strstr(r.out, "\"found\":true"));
    assert_int_equal(spawned_lines(r.out), 3); // an object for each, that of the first says why there is no more
    assert_non_null(strstr(r.out, "\"error\":{\"code\":\"bad-input\",\"why\":\""));
    assert_non_null(strstr(r.out, "\"error\":{\"code\":\"no-board\",\"why\":\""));
    assert_non_null(strstr(r.out, "{\"ringside\":3,\"image\":"));
}

static void a_folder_stands_for_its_pictures(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    run_in(&r, (const char *[]){ LOOK, "--json", "@", NULL }, s);
    assert_int_equal(r.status, 2);
    assert_int_equal(spawned_lines(r.out), 5); // an object for each, with its error
    assert_true(strstr(r.out, "/carpet.jpg") < strstr(r.out, "/png-named.jpg"));
    assert_int_equal(spawned_lines(r.err), 4); // carpet, cut, empty, text
}

static void a_full_disk_behind_standard_output_is_told(void **state)
{
    (void)state;
    static struct spawned r;
    spawned_run(&r, (const char *[]){ "games", NULL }, "/dev/full");
    assert_int_equal(r.status, 3);
    assert_non_null(strstr(r.err, "standard output"));
}

// What is said stands under what is said by the rule before, below the title and a blank line; a line that begins with
// a blank is about the rule above it.
static void a_column_each(const char *rules)
{
    size_t column = 0, rows = 0;
    for (const char *line = strstr(rules, "\n\n") + 2; *line && *line != '\n'; line = strchr(line, '\n') + 1) {
        if (*line == ' ')
            continue;
        size_t number = strcspn(line, " "), says = number + strspn(line + number, " ");
        if (rows++ > 0 && says != column)
            fail_msg("column %zu, not %zu: %s", says, column, line);
        column = says;
    }
    assert_true(rows > 3);
}

static void help_comes_from_the_tables(void **state)
{
    (void)state;
    static struct spawned r;
    RUN(&r, 0, "--help");
    assert_non_null(strstr(r.out, "review"));
    RUN(&r, 0, "help", "help");
    assert_non_null(strstr(r.out, "usage: ringside COMMAND"));
    RUN(&r, 0, "help", "look");
    assert_non_null(strstr(r.out, "--board NAME|FILE"));
    assert_null(strstr(r.out, "--tune")); // for experiments only
    RUN(&r, 0, "look", "--help");
    assert_non_null(strstr(r.out, "--board NAME|FILE"));
    RUN(&r, 0, "look", "-h");
    assert_non_null(strstr(r.out, "--board NAME|FILE"));
    RUN(&r, 0, "calibrate", "-h");
    assert_non_null(strstr(r.out, "measure a board"));
    RUN(&r, 0, "help", "calibrate");
    assert_non_null(strstr(r.out, "measure a board"));
    RUN(&r, 0, "calibrate", "board", "--help");
    assert_non_null(strstr(r.out, "--out FILE"));
    assert_null(strstr(r.out, "demo")); // which only watch plays
    RUN(&r, 0, "watch", "--help");
    assert_non_null(strstr(r.out, "or demo: a sample game"));
    assert_null(strstr(r.out, "beside the input")); // there is none
    RUN(&r, 0, "report", "--help");
    assert_null(strstr(r.out, "beside the input"));
    RUN(&r, 0, "rules", "american-marbles");
    assert_non_null(strstr(r.out, "M38"));
    RUN(&r, 0, "rules", "crokinole-rings");
    a_column_each(r.out);
    RUN(&r, 0, "--version");
    assert_int_equal(strncmp(r.out, "ringside ", 9), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_wrong_input_is_told_in_one_line),
        cmocka_unit_test(a_png_named_jpg_is_refereed),
        cmocka_unit_test(json_writes_no_picture_unless_asked),
        cmocka_unit_test(a_board_that_cannot_be_called_is_refused),
        cmocka_unit_test(what_is_wrong_with_a_picture_is_told),
        cmocka_unit_test(one_bad_picture_does_not_stop_the_others),
        cmocka_unit_test(a_folder_stands_for_its_pictures),
        cmocka_unit_test(a_full_disk_behind_standard_output_is_told),
        cmocka_unit_test(help_comes_from_the_tables),
    };
    return cmocka_run_group_tests(tests, put_all, scratch_remove);
}
