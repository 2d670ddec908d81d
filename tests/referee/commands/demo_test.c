// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // posix_openpt
// The sample game as somebody tries it who has no camera: its close call waits for him, and its pages stay.
#include "referee/commands/demo_film.h"
#include "referee/commands/verbs.h"
#include "tests/cmocka.h"
#include "tests/referee/commands/seat.h"
#include "tests/vision/scratch.h"

// However long it takes him, and at its end the pages stay; who is not there is not waited for.
static void the_demo_waits_for_its_judge_and_stays(void **state)
{
    (void)state;
    static struct terminal_seat t;
    static struct spawned r;
    sit_down(&t, program, (const char *[]){ "watch", "--camera", "demo", "--no-voice", NULL });
    wait_for(&t, "too close: judge decides");
    wait_for(&t, "ringside: the sample game waits for the judge, ");
    RUN(&r, 0, "watch", "--camera", "demo", "--no-voice"); // a whole game long
    assert_non_null(strstr(r.err, "ringside: ended by the end of the pictures after "));
    assert_null(strstr(r.err, "the sample game "));
    assert_non_null(strstr(r.out, "00:40.2  game to Away"));
    assert_int_equal(times_said(t.text, "to Away"), 0);
    type(&t, "c");
    wait_for(&t, "  stands: ");
    wait_for(&t, "game to Home");
    wait_for(&t, "game 2");
    wait_for(&t, "game to Away");
    wait_for(&t, "ringside: the sample game is at its end; the pages stay until q ends the watch");
    type(&t, "k");
    wait_for(&t, "the key k says nothing in this game");
    assert_int_equal(times_said(t.text, "the sample game waits for the judge"), 1);
    type(&t, "q");
    assert_int_equal(leave(&t), 0);
    assert_non_null(strstr(t.text, "ringside: ended by q after "));
    assert_null(strstr(t.text, "camera    gave nothing")); // that it stands still is no fault of a camera's
}

// Frames until it stands still; the time of the last.
static double play(struct source *film, double *last_s)
{
    struct fail why = { .text = "" };
    struct frame *f = NULL;
    double first_s = -1;
    int rc;
    while ((rc = source_next(&f, film, &why)) == SOURCE_FRAME) {
        assert_true(f->t_s >= *last_s);
        first_s = first_s < 0 ? f->t_s : first_s;
        *last_s = f->t_s;
        frame_free(f);
    }
    assert_int_equal(rc, SOURCE_WAITS);
    assert_string_equal(why.text, ""); // nothing is wrong with it
    return first_s;
}

static void the_film_stands_still_without_a_gap(void **state)
{
    (void)state;
    struct demo_pace pace = { .judge = JUDGE_IS_ASKED };
    struct fail why = { .text = "" };
    struct source *film = NULL;
    double last_s = 0;
    assert_int_equal(demo_film_open(&film, "samples/clips/crokinole_match.mp4", &pace, &why), 0);
    assert_int_equal(source_info(film)->width, 544);
    play(film, &last_s);
    assert_int_equal(atomic_load(&pace.stands), DEMO_WAITS_FOR_JUDGE);
    assert_true(last_s > 12.9 && last_s < 13);
    const double stood_s = clock_s();
    double stands_s = last_s;
    for (int n = 0; n < 10; n++)
        assert_true(play(film, &stands_s) < 0);
    atomic_store(&pace.judge, JUDGE_HAS_DECIDED);
    const double waited_s = clock_s() - stood_s, goes_on_s = play(film, &last_s);
    assert_true(goes_on_s >= stands_s + waited_s); // by the clock, as a camera's would
    assert_int_equal(atomic_load(&pace.stands), DEMO_IS_OVER);
    assert_true(last_s > goes_on_s + 28); // and no second time
    source_close(film);
    pace = (struct demo_pace){ .judge = JUDGE_NOT_ASKED }; // nothing was close: it goes on by itself
    assert_int_equal(demo_film_open(&film, "samples/clips/crokinole_match.mp4", &pace, &why), 0);
    last_s = 0;
    const double until_s = clock_s() + PATIENCE_S;
    while (atomic_load(&pace.stands) != DEMO_IS_OVER && clock_s() < until_s)
        play(film, &last_s);
    assert_true(last_s > 40);
    source_close(film);
    assert_true(demo_film_open(&film, "samples/clips/missing.mp4", &pace, &why) < 0);
}

static void the_demo_is_one_game(void **state)
{
    (void)state;
    static struct spawned r;
    RUN(&r, ENDED_BAD_INPUT, "watch", "--camera", "demo", "--game", "american-marbles");
    assert_non_null(strstr(r.err, "the demo is a game of crokinole"));
}

// Its shots count once in a match, as those of any film.
static void the_demo_is_not_taken_twice_into_a_match(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    char book[200];
    snprintf(book, sizeof book, "%s", scratch_path(s, "demo.db"));
    RUN(&r, 0, "watch", "--camera", "demo", "--no-voice", "--no-web", "--book", book, "--for", "3");
    assert_non_null(strstr(r.err, "  record    match 1; "));
    RUN(&r, ENDED_BAD_INPUT, "watch", "--camera", "demo", "--no-voice", "--no-web", "--book", book, "--resume", "--for",
        "3");
    assert_non_null(strstr(r.err, "crokinole_match.mp4 is in match 1 already, and would count twice: nothing is "
                                  "changed; without --resume the demo is a match of its own"));
}

static void what_only_a_camera_can_do_is_not_asked_of_the_demo(void **state)
{
    (void)state;
    static const struct {
        const char *flag, *value;
    } rows[] = {
        { "--size", "640x480" },         { "--rate", "5" },           { "--control", "foo=1" },
        { "--record", "demo-recorded" }, { "--clips", "demo-clips" },
    };
    static struct spawned r;
    char words[80];
    for (size_t i = 0; i < countof(rows); i++) {
        RUN(&r, ENDED_BAD_INPUT, "watch", "--camera", "demo", "--for", "1", rows[i].flag, rows[i].value);
        snprintf(words, sizeof words, "ringside: the demo is a film and no camera: leave %s out\n", rows[i].flag);
        assert_string_equal(r.err, words);
        assert_int_not_equal(access(rows[i].value, F_OK), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_film_stands_still_without_a_gap),
        cmocka_unit_test(the_demo_waits_for_its_judge_and_stays),
        cmocka_unit_test(the_demo_is_one_game),
        cmocka_unit_test(the_demo_is_not_taken_twice_into_a_match),
        cmocka_unit_test(what_only_a_camera_can_do_is_not_asked_of_the_demo),
    };
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
