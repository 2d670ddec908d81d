// SPDX-License-Identifier: MIT
// What is printed of rulings: for people, with reasons, and for machines; and that none of it is lost in silence.
#define _XOPEN_SOURCE 700 // posix_openpt
#include <fcntl.h>

#include <stdlib.h>
#include <unistd.h>

#include "calibration/units.h"
#include "referee/announce/console.h"
#include "referee/announce/explain.h"
#include "referee/announce/json.h"
#include "tests/cmocka.h"
#include "tests/referee/play.h"

typedef struct announcer make_announcer(FILE *to);

static make_announcer *const announcers[] = { console_announcer, explain_announcer, json_announcer };

static void what_the_camera_does_is_told_in_words(void **state)
{
    (void)state;
    static const struct {
        enum camera_event what;
        double shift_in;
        const char *words;
    } rows[] = {
        { CAMERA_MOVED, 0.25, "00:02.5  camera moved by 0.25 in: followed\n" },
        { CAMERA_LOCKED, 0.25, "00:02.5  camera moved by 0.25 in: the board is found again\n" },
        { CAMERA_LOCKED, 0, "00:02.5  the board is found again\n" },
        { CAMERA_LOST, 0, "00:02.5  camera lost: no calls until the board is found again\n" },
        { CAMERA_DAMAGED, 0, "00:02.5  pictures were lost or damaged: calls that span this are not firm\n" },
        { CAMERA_COVERED, 0,
          "00:02.5  nothing is seen, as if the lens were covered: no calls until the board is found again\n" },
        { CAMERA_CUT, 0, "00:02.5  cut to another view: no calls until the board is found again\n" },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        char *said = NULL;
        size_t size;
        FILE *to = open_memstream(&said, &size);
        struct observation o = { .kind = OBS_CAMERA, .t_s = 2.5, .camera = { rows[i].what, rows[i].shift_in } };
        struct ruling r = { .camera = &o };
        struct announcer a = console_announcer(to);
        assert_int_equal(a.say(a.self, NULL, &r, NULL), 0);
        fclose(to);
        assert_string_equal(said, rows[i].words);
        free(said);
    }
}

// Two discs: the second strikes the first, and both stay.
static void play_two_shots(struct play *p)
{
    play_seen(p, 1, "black", false);
    play_rest(p, 1, (struct pt_in){ 11, 0 }, ON_SURFACE);
    play_move(p, 1, MOVED_BY_SHOT, (struct pt_in){ 11, 0 });
    play_rest(p, 1, (struct pt_in){ 3, 0 }, ON_SURFACE);
    play_still(p);
    play_seen(p, 2, "red", false);
    play_rest(p, 2, (struct pt_in){ 0, 11 }, ON_SURFACE);
    play_move(p, 2, MOVED_BY_SHOT, (struct pt_in){ 0, 11 });
    play_feed(p,
              (struct observation){ .kind = OBS_CONTACT, .id = 2, .contact = { .what = TOUCHED_PIECE, .other = 1 } });
    play_move(p, 1, MOVED_BY_SHOT, (struct pt_in){ 3, 0 });
    play_rest(p, 1, (struct pt_in){ 4.01, 0 }, ON_SURFACE);
    play_rest(p, 2, (struct pt_in){ 0, 6 }, ON_SURFACE);
    play_still(p);
}

static char *told_of_an_undone_shot(make_announcer *make)
{
    static struct play p;
    char *said = NULL;
    size_t size;
    FILE *to = open_memstream(&said, &size);
    play_begin(&p, &crokinole_game, board_builtin("crokinole-nca"), NULL);
    p.sigma_in = 0.01;
    assert_int_equal(adjudication_add(&p.referee, make(to), NULL), 0);
    play_two_shots(&p);
    play_say(&p, "undo", "");
    play_end(&p);
    fclose(to);
    return said;
}

static void every_call_that_is_taken_back_is_told(void **state)
{
    (void)state;
    static const struct {
        make_announcer *make;
        const char *words[4];
    } rows[] = {
        { console_announcer, { "  no longer: ", "calls changed by it\n", "red", "black" } },
        { explain_announcer, { "  no longer: ", "      by input 1\n", "first contact black at ", "      would be " } },
        { json_announcer, { "\"event\":\"call\"", "\"change\":\"withdrawn\"", "\"event\":\"shot\"", "\"standing\":" } },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        char *said = told_of_an_undone_shot(rows[i].make);
        for (int k = 0; k < 4; k++)
            if (!strstr(said, rows[i].words[k]))
                fail_msg("announcer %zu does not say \"%s\": %s", i, rows[i].words[k], said);
        free(said);
    }
}

// Of what changes with a correction only the shot it is about is told call by call, the rest is counted. What a judge
// confirms has the same words as before and is told once.
static void a_correction_is_told_as_far_as_it_matters(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        struct ruling ruling;
        const char *wanted;
    } rows[] = {
        { "another verdict",
          { .amended_shot = 3,
            .changes = 3,
            .calls = { .count = 4,
                       .call = { { .t_s = 1, .shot = 3, .change = CALL_WITHDRAWN, .text = "a 15" },
                                 { .t_s = 1, .shot = 3, .change = CALL_INSTEAD, .text = "a 10" },
                                 { .t_s = 1,
                                   .shot = 3,
                                   .change = CALL_INSTEAD,
                                   .text = "red leads",
                                   .same_breath = true },
                                 { .t_s = 9, .shot = 4, .change = CALL_INSTEAD, .text = "later" } } } },
          "00:01.0  no longer: a 15\n00:01.0  instead: a 10; red leads\n          3 calls changed by it\n" },
        { "one call more",
          { .amended_shot = 3,
            .changes = 1,
            .calls = { .count = 1, .call = { { .t_s = 1, .shot = 3, .change = CALL_INSTEAD, .text = "a 10" } } } },
          "00:01.0  instead: a 10\n          1 call changed by it\n" },
        { "the same verdict, confirmed",
          { .amended_shot = 3,
            .amended_by = INPUT_CONFIRM,
            .changes = 2,
            .calls = { .count = 2,
                       .call = { { .t_s = 1, .shot = 3, .change = CALL_WITHDRAWN, .text = "a 15" },
                                 { .t_s = 1, .shot = 3, .change = CALL_INSTEAD, .text = "a 15" } } } },
          "00:01.0  stands: a 15\n" },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        char *said = NULL;
        size_t size;
        FILE *to = open_memstream(&said, &size);
        struct announcer a = console_announcer(to);
        assert_int_equal(a.say(a.self, NULL, &rows[i].ruling, NULL), 0);
        fclose(to);
        if (strcmp(said, rows[i].wanted) != 0)
            fail_msg("%s: said \"%s\"", rows[i].what, said);
        free(said);
    }
}

// A disk without room takes what is printed and refuses it only when it is written.
static void what_cannot_be_written_is_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(announcers); i++) {
        static struct play p;
        struct fail why = { .text = "" };
        FILE *to = fopen("/dev/full", "w");
        assert_non_null(to);
        play_begin(&p, &crokinole_game, board_builtin("crokinole-nca"), NULL);
        p.sigma_in = 0.01;
        play_two_shots(&p);
        assert_true(p.last.calls.count > 0);
        struct announcer a = announcers[i](to);
        assert_int_equal(a.say(a.self, &p.referee.match, &p.last, &why), RS_EIO);
        if (strncmp(why.text, "cannot write ", 13) != 0 || !strstr(why.text, "No space left on device"))
            fail_msg("announcer %zu: \"%s\"", i, why.text);
        play_end(&p);
        fclose(to);
    }
}

// What a terminal of that kind is given for a close call.
static void on_terminal(char out[2000], const char *kind, const char *no_color)
{
    static struct play p;
    struct board b = *board_builtin("crokinole-nca");
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    struct fail why;
    assert_true(master >= 0);
    assert_int_equal(grantpt(master), 0);
    assert_int_equal(unlockpt(master), 0);
    FILE *to = fopen(ptsname(master), "w");
    assert_non_null(to);
    setenv("TERM", kind, 1);
    if (no_color)
        setenv("NO_COLOR", no_color, 1);
    else
        unsetenv("NO_COLOR");
    b.line_width_in = 0.1;
    play_begin(&p, &crokinole_game, &b, NULL);
    p.sigma_in = 0.02;
    assert_int_equal(adjudication_add(&p.referee, console_announcer(to), &why), 0);
    play_shot(&p, 1, "black", 3.315);
    play_end(&p);
    // A terminal's words come in as many pieces as it likes, and once nobody holds its other end it has no more.
    fclose(to);
    size_t used = 0;
    for (ssize_t n; used < 1999 && (n = read(master, out + used, 1999 - used)) > 0;)
        used += (size_t)n;
    out[used] = '\0';
    close(master);
}

static void a_terminal_shows_close_calls_and_sides_in_colour(void **state)
{
    (void)state;
    char out[2000];
    on_terminal(out, "xterm", NULL);
    assert_non_null(strstr(out, "\033[1;33m\033[36mblack\033[0m\033[1;33m  15  (too close"));
    assert_non_null(strstr(out, "on the board \033[36mblack\033[0m 15"));
    on_terminal(out, "xterm", "");
    assert_non_null(strchr(out, '\033')); // an empty NO_COLOR asks for nothing
    on_terminal(out, "xterm", "1");
    assert_null(strchr(out, '\033'));
    assert_non_null(strstr(out, "black  15  (too close"));
    on_terminal(out, "dumb", NULL);
    assert_null(strchr(out, '\033'));
    on_terminal(out, "", NULL);
    assert_null(strchr(out, '\033'));
}

static int times_in(const char *text, const char *words)
{
    int n = 0;
    for (; (text = strstr(text, words)); text += strlen(words))
        n++;
    return n;
}

// Programs hear of each; people once, until something else is told.
static void a_cable_that_is_loose_is_not_told_again_and_again(void **state)
{
    (void)state;
    static struct play p;
    const struct observation loss = { .kind = OBS_CAMERA, .camera = { .what = CAMERA_DAMAGED, .lost_s = 0.1 } };
    char *people = NULL, *programs = NULL;
    size_t size;
    struct fail why;
    FILE *to = open_memstream(&people, &size), *json = open_memstream(&programs, &size);
    play_begin(&p, &crokinole_game, board_builtin("crokinole-nca"), NULL);
    assert_int_equal(adjudication_add(&p.referee, console_announcer(to), &why), 0);
    assert_int_equal(adjudication_add(&p.referee, json_announcer(json), &why), 0);
    for (int i = 0; i < 3; i++)
        play_feed(&p, loss);
    play_shot(&p, 1, "black", 5);
    play_feed(&p, loss);
    play_feed(&p, loss);
    play_say(&p, "undo", "");
    play_feed(&p, loss);
    play_end(&p);
    fclose(to);
    fclose(json);
    if (times_in(people, "were lost or damaged, 0.10 s: calls") != 3 || times_in(programs, "\"what\":\"damaged\"") != 6)
        fail_msg("%s%s", people, programs);
    free(people);
    free(programs);
}

// The judge's word changes what is called, not what was measured: a dispute is looked at by both.
static void what_was_measured_stays_when_the_judge_has_spoken(void **state)
{
    (void)state;
    static const struct {
        make_announcer *make;
        const char *words;
    } rows[] = {
        { explain_announcer, "  instead: black  10  (by the judge's word)\n      by input 1\n" },
        { explain_announcer, "      seen: 0.005 in inside the line, 1 sigma 0.010 in; firm by the judge's word\n" },
        { explain_announcer, "      seen: 0.005 in inside the line, 1 sigma 0.010 in; close: the judge decides\n" },
        { json_announcer, "\"zone\":\"10\",\"margin_in\":0.004984962,\"sigma_in\":0.01,\"verdict\":\"firm\"" },
        { json_announcer, "\"zone\":\"15\",\"margin_in\":0.004984962,\"sigma_in\":0.01,\"verdict\":\"close\"" },
    };
    static struct play p;
    struct fail why;
    for (size_t i = 0; i < countof(rows); i++) {
        char *said = NULL;
        size_t size;
        FILE *to = open_memstream(&said, &size);
        play_begin(&p, &crokinole_game, board_builtin("crokinole-nca"), NULL);
        p.sigma_in = 0.01;
        assert_int_equal(adjudication_add(&p.referee, rows[i].make(to), &why), 0);
        const struct board *b = &p.referee.match.board;
        play_shot(&p, 1, "black", b->circle_in[2] - b->line_width_in / 2 - b->piece_radius_in - 0.005);
        struct observation said_so = play_input("zone", "10");
        said_so.input.piece = 1;
        play_feed(&p, said_so);
        play_end(&p);
        fclose(to);
        if (!strstr(said, rows[i].words))
            fail_msg("not \"%s\": %s", rows[i].words, said);
        free(said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_measured_stays_when_the_judge_has_spoken),
        cmocka_unit_test(what_the_camera_does_is_told_in_words),
        cmocka_unit_test(every_call_that_is_taken_back_is_told),
        cmocka_unit_test(a_correction_is_told_as_far_as_it_matters),
        cmocka_unit_test(what_cannot_be_written_is_told),
        cmocka_unit_test(a_cable_that_is_loose_is_not_told_again_and_again),
        cmocka_unit_test(a_terminal_shows_close_calls_and_sides_in_colour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
