// SPDX-License-Identifier: MIT
// What a referee says aloud. voice/GAME.jsonl are logs of the sample games, and voice/GAME.WORDS.txt what is said of
// them: the time, and behind it the sentences.
#include <glob.h>
#include <stdlib.h>

#include "calibration/units.h"
#include "calibration/whole_file.h"
#include "referee/announce/voice_words.h"
#include "tests/cmocka.h"
#include "tests/referee/play.h"

enum { SAID_MAX = 1 << 16 };

static struct said {
    struct voice_words words;
    struct utterance last;
    char all[SAID_MAX];
} said;

static int hear(void *self, const struct match *m, const struct ruling *r, struct fail *why)
{
    struct said *s = self;
    struct utterance u = { .t_s = 0 };
    (void)why;
    if (!voice_words_of(&u, &s->words, m, r))
        return 0;
    size_t used = strlen(s->all);
    snprintf(s->all + used, sizeof s->all - used, "%.1f %s%s%s\n", u.t_s, u.what, u.what[0] && u.stands[0] ? " " : "",
             u.stands);
    s->last = u;
    return 0;
}

static struct announcer listen(const char *language, bool full)
{
    struct fail why;
    struct voice_lines *lines = NULL;
    memset(&said, 0, sizeof said);
    if (voice_lines_read(&lines, language, &why) < 0)
        fail_msg("%s", why.text);
    said.words = (struct voice_words){ .lines = lines, .full = full };
    return (struct announcer){ hear, &said };
}

static void listen_no_more(void)
{
    voice_lines_free((struct voice_lines *)(uintptr_t)said.words.lines);
    said.words.lines = NULL;
}

static void whole_games_are_told_as_a_referee_would(void **state)
{
    (void)state;
    static const struct {
        const char *game, *language, *words;
        bool full;
    } rows[] = {
        { "crokinole", "en", "en", false },     { "crokinole", "de", "de", false },
        { "crokinole", "en", "en-full", true }, { "crokinole", "de", "de-full", true },
        { "marbles", "en", "en", false },       { "marbles", "de", "de", false },
        { "marbles", "en", "en-full", true },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        struct log_reader *log = NULL;
        struct fail why;
        char path[200];
        uint8_t *wanted = NULL;
        size_t size = 0;
        struct announcer a = listen(rows[i].language, rows[i].full);
        snprintf(path, sizeof path, "tests/referee/announce/voice/%s.jsonl", rows[i].game);
        if (log_reader_open(&log, path, &why) < 0 ||
            adjudicate_log(log, games_find(log_reader_header(log)->game), a, &why) < 0)
            fail_msg("%s", why.text);
        log_reader_free(log);
        snprintf(path, sizeof path, "tests/referee/announce/voice/%s.%s.txt", rows[i].game, rows[i].words);
        if (whole_file_read(&wanted, &size, path, SAID_MAX, &why) < 0)
            fail_msg("%s; said was:\n%s", why.text, said.all);
        if (strlen(said.all) != size || memcmp(said.all, wanted, size) != 0)
            fail_msg("%s: said was:\n%s", path, said.all);
        free(wanted);
        listen_no_more();
    }
}

// "calls WORD? -WORD +WORD ..." of the situations: each call that a game makes has its line.
static void every_call_of_the_games_has_a_line(void **state)
{
    (void)state;
    static const char *const otherwise[] = { "zone", "ditch", "game", "out", NULL }; // by lines of their own
    struct announcer a = listen("en", false);
    glob_t files;
    int calls = 0;
    (void)a;
    assert_int_equal(glob("samples/situations/*.txt", 0, NULL, &files), 0);
    uint8_t *bytes = NULL;
    size_t size = 0;
    struct fail why;
    assert_int_equal(whole_file_read(&bytes, &size, "referee/announce/lines/en.lines", SAID_MAX, &why), 0);
    char *english = calloc(1, size + 1);
    assert_non_null(english);
    memcpy(english, bytes, size);
    free(bytes);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char line[1000];
        FILE *f = fopen(files.gl_pathv[i], "r");
        assert_non_null(f);
        while (fgets(line, sizeof line, f)) {
            if (strncmp(line, "calls ", 6) != 0)
                continue;
            for (char *rest, *word = strtok_r(line + 6, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
                char key[80];
                struct observation o = { .kind = OBS_INPUT };
                word += *word == '-' || *word == '+';
                word[strcspn(word, "?")] = '\0';
                bool known = word[0] == '\0' || strspn(word, "0123456789") == strlen(word);
                for (int k = 0; otherwise[k]; k++)
                    known |= strcmp(word, otherwise[k]) == 0;
                input_set(&o, word);
                snprintf(key, sizeof key, "\ncall.%s = ", word);
                if (!known && o.input.what == INPUT_OTHER && !strstr(english, key))
                    fail_msg("%s: there is no line call.%s", files.gl_pathv[i], word);
                calls++;
            }
        }
        fclose(f);
    }
    assert_true(calls > 100);
    globfree(&files);
    free(english);
    listen_no_more();
}

static struct play play;

static void begin(const struct match_setup *setup, const char *language, bool full)
{
    struct fail why;
    struct board b = *board_builtin("crokinole-nca");
    b.line_width_in = 0.1;
    play_begin(&play, &crokinole_game, &b, setup);
    play.sigma_in = 0.02;
    assert_int_equal(adjudication_add(&play.referee, listen(language, full), &why), 0);
}

static void done(void)
{
    play_end(&play);
    listen_no_more();
}

static void expect(const char *what, const char *stands)
{
    assert_string_equal(said.last.what, what);
    assert_string_equal(said.last.stands, stands);
}

// Centres up to 3.325 in count 15, from 3.325 to 7.325 in 10.
static void a_close_call_is_put_before_the_judge(void **state)
{
    (void)state;
    begin(NULL, "en", false);
    play_shot(&play, 1, "black", 3.315);
    expect("Fifteen or ten. Too close, judge.", "Black, fifteen.");
    assert_true(said.last.asks);
    play_say(&play, "confirm", "");
    expect("The call stands.", "");
    assert_false(said.last.corrects);
    done();
    begin(NULL, "de", true);
    play_shot(&play, 1, "black", 3.335);
    expect("Scheibe von Schwarz, rechts, Feld zehn oder fünfzehn. Zu knapp, Schiedsrichter.", "Schwarz, zehn.");
    done();
}

static void of_a_correction_only_what_changed_is_told(void **state)
{
    (void)state;
    struct observation zone = play_input("zone", "10");
    struct match_setup setup = match_setup_usual(&crokinole_game);
    setup.seats = SIDES;
    setup.seat[0] = (struct seat){ .colour = "black" };
    setup.seat[1] = (struct seat){ .colour = "red" };
    setup.first = 0;
    begin(&setup, "en", false);
    play_shot(&play, 1, "black", 2);
    play_shot(&play, 2, "red", -6);
    expect("Ten. No hit: it comes off. Judge, please.", "");
    zone.input.shot = zone.input.piece = 1;
    play_feed(&play, zone);
    expect("Correction. Ten.", "Black leads ten to zero.");
    assert_true(said.last.corrects);
    assert_int_equal(said.last.shot, 1);
    struct observation retract = play_input("retract", "");
    retract.input.input = 1;
    play_feed(&play, retract);
    expect("Correction. Fifteen.", "Black leads fifteen to zero.");
    play_say(&play, "pause", "");
    expect("Paused.", "");
    play_say(&play, "resume", "");
    expect("Play goes on.", "");
    play_say(&play, "undo", "");
    expect("The shot is taken back.", "Red to shoot.");
    play_say(&play, "undo", "");
    expect("The shot is taken back.", "No points yet. Black to shoot.");
    play_say(&play, "redo", "");
    expect("The shot counts after all. Fifteen.", "Black leads fifteen to zero. Red to shoot.");
    done();
}

static void names_are_spoken(void **state)
{
    (void)state;
    struct match_setup setup = match_setup_usual(&crokinole_game);
    setup.seats = SIDES;
    setup.first = 0;
    setup.seat[0] = (struct seat){ .name = "<b>Zoë</b> & 2 cats", .colour = "black" };
    setup.seat[1] = (struct seat){ .name = "!?*", .colour = "red", .player = { "~" } };
    begin(&setup, "en", true);
    play_shot(&play, 1, "black", 2);
    expect("B Zoë b two cats's disc, right, fifteen ring.", "B Zoë b two cats leads fifteen to zero. Red to shoot.");
    done();
    setup.seat[1].colour[0] = '\0';
    begin(&setup, "de", true);
    play_shot(&play, 1, "black", 2);
    expect("Scheibe von b Zoë b zwei cats, rechts, Feld fünfzehn.",
           "B Zoë b zwei cats führt fünfzehn zu null. Die zweite Seite ist dran.");
    done();
}

static void places_are_told_as_the_board_is_seen(void **state)
{
    (void)state;
    static const struct {
        struct pt_in at;
        const char *where;
    } rows[] = {
        { { 6, 0 }, "right" },       { { 5, 4 }, "upper right" },  { { 0, 6 }, "top" },
        { { -4, 4 }, "upper left" }, { { -6, -0.1 }, "left" },     { { -4, -4 }, "lower left" },
        { { 1, -6 }, "bottom" },     { { 4, -4 }, "lower right" }, { { 0.9, 0 }, "in the middle" },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        char wanted[80];
        begin(NULL, "en", true);
        play_seen(&play, 1, "black", false);
        play_rest(&play, 1, (struct pt_in){ 12, 0 }, ON_SURFACE);
        play_move(&play, 1, MOVED_BY_SHOT, (struct pt_in){ 12, 0 });
        play_rest(&play, 1, rows[i].at, ON_SURFACE);
        play_still(&play);
        snprintf(wanted, sizeof wanted, "Black's disc, %s, %s ring.", rows[i].where,
                 i == countof(rows) - 1 ? "fifteen" : "ten");
        assert_int_equal(strncmp(said.last.what, wanted, strlen(wanted)), 0);
        done();
    }
}

static void a_board_that_is_lost_is_told_and_that_it_is_back(void **state)
{
    (void)state;
    struct observation o = { .kind = OBS_CAMERA, .camera.what = CAMERA_LOCKED };
    begin(NULL, "en", false);
    play_feed(&play, o);
    assert_string_equal(said.all, ""); // it was never lost
    for (int covered = 0; covered < 2; covered++) {
        o.camera.what = covered ? CAMERA_COVERED : CAMERA_LOST;
        play_feed(&play, o);
        expect("The board is out of sight.", "");
        o.camera.what = CAMERA_LOCKED;
        play_feed(&play, o);
        expect("The board is seen again.", "");
    }
    done();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_games_are_told_as_a_referee_would),
        cmocka_unit_test(every_call_of_the_games_has_a_line),
        cmocka_unit_test(a_close_call_is_put_before_the_judge),
        cmocka_unit_test(of_a_correction_only_what_changed_is_told),
        cmocka_unit_test(names_are_spoken),
        cmocka_unit_test(places_are_told_as_the_board_is_seen),
        cmocka_unit_test(a_board_that_is_lost_is_told_and_that_it_is_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
