// SPDX-License-Identifier: MIT
#include <string.h>

#include "calibration/units.h"
#include "referee/commands/command_setup.h"
#include "referee/commands/options.h"
#include "tests/cmocka.h"
#include "tests/vision/scratch.h"

static const char *const all[] = { "--game", "--json", "--side", "--size", "--out", "--for", "--rate", NULL };

static int parse(struct options *o, int argc, const char *const *args, struct fail *why)
{
    static char *argv[16];
    for (int i = 0; i < argc; i++)
        argv[i] = (char *)args[i];
    return options_parse(o, all, argc, argv, why);
}

static void flags_may_stand_anywhere(void **state)
{
    (void)state;
    struct options o;
    struct fail why = { .text = "" };
    const char *const args[] = { "a.jpg",  "--game=crokinole", "b.jpg",          "--side", "black=Anna", "--json",
                                 "--size", "1280x720",         "--side=red=Ben", "--json", "--",         "--odd.jpg" };
    assert_int_equal(parse(&o, countof(args), args, &why), 0);
    assert_string_equal(o.game, "crokinole");
    assert_true(o.json && o.size.width == 1280 && o.size.height == 720 && o.operands == 3);
    assert_string_equal(o.operand[1], "b.jpg");
    assert_string_equal(o.operand[2], "--odd.jpg");
    assert_int_equal(o.sides, 2);
    assert_string_equal(o.side[0].colour, "black");
    assert_string_equal(o.side[0].name, "Anna");
}

static const struct {
    const char *args[4], *says;
} bad[] = {
    { { "--gane", "x" }, "did you mean --game?" },
    { { "--video", NULL }, "unknown flag --video" },
    { { "--game", NULL }, "needs a value" },
    { { "--out", "--json" }, "--out needs a value" },
    { { "--out", "--size=1280x720" }, "--out needs a value" },
    { { "--game=", NULL }, "needs a value" },
    { { "--json=yes", NULL }, "takes no value" },
    { { "--size", "0x0" }, "--size" },
    { { "--size", "640x480x3" }, "--size" },
    { { "--size", "640x 480" }, "--size 640x 480: write it as 1920x1080" },
    { { "--size", "+640x480" }, "--size +640x480: write it as 1920x1080" },
    { { "--for", "0x10" }, "--for 0x10: write it in seconds, from 0.1 to 100000000" },
    { { "--for", "1e1" }, "--for 1e1: write it in seconds" },
    { { "--for", " 16" }, "--for  16: write it in seconds" },
    { { "--for", "inf" }, "--for inf: write it in seconds" },
    { { "--rate", "0x1e" }, "--rate 0x1e: write it as pictures a second, from 1 to 1000" },
    { { "--side", "=Anna" }, "--side" },
    { { "--out", "here", "--out=there" }, "--out is given twice, and may have one value: --out " },
    { { "--game", "crokinole", "--game", "crokinole" }, "--game is given twice" },
    { { "--side", "black=a-name-that-is-far-too-long-for-a-scoreboard" }, "--side" },
};

static void bad_flags_are_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(bad); i++) {
        struct options o;
        struct fail why = { .text = "" };
        int args = 1;
        while (args < (int)countof(bad[i].args) && bad[i].args[args])
            args++;
        int rc = parse(&o, args, bad[i].args, &why);
        if (rc != RS_EINPUT || !strstr(why.text, bad[i].says))
            fail_msg("%s: %d \"%s\"", bad[i].args[0], rc, why.text);
    }
}

static void numbers_are_decimals(void **state)
{
    (void)state;
    struct options o;
    struct fail why = { .text = "" };
    const char *const args[] = { "--for", "1.5", "--rate=29.97", "--size", "640x480" };
    assert_int_equal(parse(&o, countof(args), args, &why), 0);
    assert_true(o.for_s > 1.49 && o.for_s < 1.51 && o.rate > 29.96 && o.rate < 29.98 && o.size.height == 480);
}

static const struct {
    const char *word, *says;
} mistyped[] = {
    { "lok", "; did you mean look?" },    { "revew", "; did you mean review?" },
    { "rev", "; did you mean review?" },  { "xylophone", "; known: look review judge" },
    { "", "; known: look review judge" }, { "a-word-that-is-longer-than-any-that-is-compared", "; known: look" },
};

static void a_mistyped_word_is_met_with_the_nearest(void **state)
{
    (void)state;
    static const char *const known[] = { "look", "review", "judge", NULL };
    for (size_t i = 0; i < countof(mistyped); i++) {
        char out[100];
        suggest(out, sizeof out, mistyped[i].word, known);
        if (strncmp(out, mistyped[i].says, strlen(mistyped[i].says)) != 0)
            fail_msg("%s: \"%s\"", mistyped[i].word, out);
    }
}

static const struct {
    const char *input, *folder, *output;
} outputs[] = {
    { "a.jpg", NULL, "a.x.png" },          { "dir.d/a.b.jpg", NULL, "dir.d/a.b.x.png" },
    { "dir.d/a", NULL, "dir.d/a.x.png" },  { "/tmp/.hidden", NULL, "/tmp/.hidden.x.png" },
    { "dir/a.jpg", "out", "out/a.x.png" }, { "/dev/shm/a.jpg", NULL, "/dev/shm/a.x.png" },
};

static void outputs_are_named_after_their_inputs(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(outputs); i++) {
        char path[SETUP_PATH_MAX];
        struct fail why = { .text = "" };
        assert_int_equal(setup_output(path, outputs[i].input, outputs[i].folder, ".x.png", &why), 0);
        assert_string_equal(path, outputs[i].output);
    }
}

static void beside_what_is_no_file_nothing_is_written(void **state)
{
    const struct scratch *s = *state;
    char pipe_path[100], by_number[40], out[SETUP_PATH_MAX];
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    snprintf(by_number, sizeof by_number, "/proc/self/fd/%d", ends[0]);
    snprintf(pipe_path, sizeof pipe_path, "%s/pipe", s->folder);
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    const char *const inputs[] = { by_number, "/dev/null", "/dev/stdin", "/dev/fd/0" };
    for (size_t i = 0; i < countof(inputs); i++) {
        struct fail why = { .text = "" };
        int rc = setup_output(out, inputs[i], NULL, ".x.png", &why);
        if (rc != RS_EINPUT || !strstr(why.text, "name a place with --out"))
            fail_msg("%s: %d \"%s\"", inputs[i], rc, why.text);
        assert_int_equal(setup_output(out, inputs[i], "out", ".x.png", &why), 0);
    }
    assert_int_equal(setup_output(out, pipe_path, NULL, ".x.png", NULL), 0); // it has a folder to write in
    assert_int_equal(setup_output(out, s->folder, NULL, ".x.png", NULL), 0); // a recording may be a folder
    close(ends[0]);
    close(ends[1]);
}

static void a_format_is_one_of_the_games(void **state)
{
    (void)state;
    static const struct {
        const char *game, *format;
        int rc, players, target;
    } rows[] = {
        { "crokinole", NULL, 0, 1, 0 },
        { "crokinole", "nca-doubles", 0, 2, 0 },
        { "crokinole", "difference-100", 0, 1, 100 },
        { "american-marbles", "nca-doubles", RS_EINPUT, 0, 0 },
    };
    static struct setup s;
    for (size_t i = 0; i < countof(rows); i++) {
        struct options o = { .game = rows[i].game, .format = rows[i].format, .quiet = true };
        struct fail why = { .text = "" };
        int rc = setup_read(&s, &o, &why);
        if (rc != rows[i].rc ||
            (rc == 0 && (s.match.format.players != rows[i].players || s.match.format.target != rows[i].target)))
            fail_msg("%s %s: %d %s", rows[i].game, rows[i].format, rc, why.text);
        assert_true(rc == 0 || strstr(why.text, "has no format nca-doubles"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flags_may_stand_anywhere),
        cmocka_unit_test(bad_flags_are_told),
        cmocka_unit_test(numbers_are_decimals),
        cmocka_unit_test(a_mistyped_word_is_met_with_the_nearest),
        cmocka_unit_test(outputs_are_named_after_their_inputs),
        cmocka_unit_test_setup_teardown(beside_what_is_no_file_nothing_is_written, scratch_create, scratch_remove),
        cmocka_unit_test(a_format_is_one_of_the_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
