// SPDX-License-Identifier: MIT
// What the command line says of the voice: what cannot be is told before anything is done, and what can is spoken.
#include "calibration/units.h"
#include "referee/commands/speaking.h"
#include "tests/cmocka.h"
#include "tests/referee/commands/spawned.h"
#include "tests/referee/play.h"
#include "tests/vision/scratch.h"

static void what_cannot_be_is_told(void **state)
{
    static const struct {
        const char *args[6];
        const char *words;
    } rows[] = {
        { { "--voice" }, "name it with --voice-out FILE.wav" },
        { { "--voice", "full" }, "name it with --voice-out FILE.wav" },
        { { "--voice-lines", "de" }, "name it with --voice-out FILE.wav" },
        { { "--voice-rate", "200" }, "name it with --voice-out FILE.wav" },
        { { "--voice-name", "en-us" }, "name it with --voice-out FILE.wav" },
        { { "--voice=loud" }, "--voice loud: write it as [calls|full|off]" },
        { { "--voice", "off", "--voice-out", "@" }, "nothing is spoken with --voice off" },
        { { "--voice-lines", "nowhere.lines", "--voice-out", "@" }, "nowhere.lines" },
        { { "--voice-name", "nobody", "--voice-out", "@" }, "no voice is called nobody" },
        { { "--voice-rate", "79", "--voice-out", "@" }, "write it as words a minute, from 80 to 450" },
        { { "--voice-out", "final.mp3" }, "end its name with .wav" },
    };
    const struct scratch *s = *state;
    static struct spawned r;
    for (size_t i = 0; i < countof(rows); i++) {
        const char *args[SPAWNED_ARGS_MAX] = { "review", "--game", "crokinole", "--out", s->folder };
        int n = 5;
        for (int k = 0; k < 6 && rows[i].args[k]; k++)
            args[n++] = rows[i].args[k][0] == '@' ? scratch_path(s, "x.wav") : rows[i].args[k];
        args[n] = "samples/clips/crokinole_a.mp4";
        spawned_run(&r, args, NULL);
        if (r.status < 2 || !strstr(r.err, rows[i].words) || spawned_lines(r.err) != 1)
            fail_msg("%s: exit %d: %s", rows[i].words, r.status, r.err);
        assert_int_equal(scratch_count(s), 0);
    }
}

// A shot, told to a file, as loud as the wish says; how many bytes came of it.
static long spoken(const struct scratch *s, struct options *o, bool usual)
{
    static struct play p;
    struct speaking speaking = { 0 };
    struct fail why = { .text = "" }, note;
    struct stat st = { .st_size = 0 };
    if (speaking_open(&speaking, o, usual, &note, &why) < 0)
        fail_msg("%s", why.text);
    play_begin(&p, &crokinole_game, board_builtin("crokinole-nca"), NULL);
    p.sigma_in = 0.01;
    assert_int_equal(adjudication_add(&p.referee, speaking_announcer(&speaking), &why), 0);
    play_shot(&p, 1, "black", 2);
    play_end(&p);
    if (speaking_finish(&speaking, true, &why) < 0)
        fail_msg("%s", why.text);
    stat(scratch_path(s, "x.wav"), &st);
    unlink(scratch_path(s, "x.wav"));
    return (long)st.st_size;
}

static void more_is_spoken_with_full_and_less_when_it_is_fast(void **state)
{
    const struct scratch *s = *state;
    struct options o = { .voice_out = scratch_path(s, "x.wav") };
    char out[200];
    snprintf(out, sizeof out, "%s", o.voice_out);
    o.voice_out = out;
    long usual = spoken(s, &o, false);
    assert_true(usual > 40000); // a second
    o.voice = "full";
    long full = spoken(s, &o, false);
    assert_true(full > usual);
    o.voice_rate = 300;
    assert_true(spoken(s, &o, false) < full);
    o.voice_lines = "de";
    assert_true(spoken(s, &o, true) > 40000);
    o.voice_out = NULL;
    o.voice = "off";
    assert_int_equal(spoken(s, &o, true), 0);
    o = (struct options){ .quiet = true };
    assert_int_equal(spoken(s, &o, true), 0);
    o = (struct options){ 0 };
    assert_int_equal(spoken(s, &o, false), 0); // of a recording nothing, unless somebody asks
}

static void an_option_may_stand_without_its_word(void **state)
{
    (void)state;
    static const char *const flags[] = { "--voice", "--voice-out", "--voice-rate", NULL };
    static const struct {
        const char *args[4], *voice;
        int operands;
    } rows[] = {
        { { "--voice", "full", "film" }, "full", 1 }, { { "--voice", "film" }, "", 1 },
        { { "--voice=off", "film" }, "off", 1 },      { { "film", "--voice" }, "", 1 },
        { { "--voice", "--voice-rate=200" }, "", 0 },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        char text[4][32], *argv[4];
        int argc = 0;
        struct options o;
        struct fail why;
        for (; argc < 4 && rows[i].args[argc]; argc++) {
            snprintf(text[argc], sizeof text[0], "%s", rows[i].args[argc]);
            argv[argc] = text[argc];
        }
        assert_int_equal(options_parse(&o, flags, argc, argv, &why), 0);
        assert_string_equal(o.voice, rows[i].voice);
        assert_int_equal(o.operands, rows[i].operands);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_is_told),
        cmocka_unit_test(more_is_spoken_with_full_and_less_when_it_is_fast),
        cmocka_unit_test(an_option_may_stand_without_its_word),
    };
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
