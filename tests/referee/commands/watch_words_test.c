// SPDX-License-Identifier: MIT
// The words beside the calls of a live game, without a camera.
#include <stdio.h>
#include <string.h>

#include "calibration/units.h"
#include "referee/commands/watch_words.h"
#include "tests/cmocka.h"
#include "tests/referee/play.h"

static void what_is_waited_for_stands_behind_the_score(void **state)
{
    (void)state;
    static struct play p;
    char words[512];
    struct tracked_frame now = { .state = TRACKER_SEARCHING };
    watch_standing_words(words, sizeof words, NULL, &now, NULL);
    assert_string_equal(words, "looking for the board");
    watch_standing_words(words, sizeof words, NULL, &now, "USB camera is unplugged");
    assert_string_equal(words, "USB camera is unplugged");

    play_begin(&p, &crokinole_game, board_builtin("crokinole-nca"), NULL);
    struct match *m = &p.referee.match;
    now.state = TRACKER_LOCKED;
    watch_standing_words(words, sizeof words, m, &now, NULL);
    assert_string_equal(words, "nobody has shot yet | ready for the shot");
    m->now.sides = 2;
    snprintf(m->now.side[0].seat.name, OBS_WORD_MAX, "Home");
    snprintf(m->now.side[1].seat.name, OBS_WORD_MAX, "Away");
    m->now.side[0].kept = points_exactly(20);
    m->now.side[1].counted.reads = 15;
    m->now.to_shoot = 1;
    static const struct {
        enum tracker_state state;
        bool hand;
        enum picture_trouble trouble;
        int asked, owed;
        const char *says;
    } rows[] = {
        { TRACKER_LOCKED, false, PICTURE_FINE, 0, 0, "Home 20, Away 15 | Away to shoot | ready for the shot" },
        { TRACKER_MOVING, false, PICTURE_FINE, 0, 0,
          "Home 20, Away 15 | Away to shoot | waiting for the disc to come to rest" },
        { TRACKER_MOVING, true, PICTURE_FINE, 0, 0, "Home 20, Away 15 | Away to shoot | a hand is over the board" },
        { TRACKER_SEARCHING, false, PICTURE_FINE, 0, 0,
          "Home 20, Away 15 | Away to shoot | looking for the board again, calls are held" },
        { TRACKER_LOCKED, false, PICTURE_BLACK, 0, 0, "Home 20, Away 15 | Away to shoot | the picture is black" },
        { TRACKER_LOCKED, false, PICTURE_COVERED, 0, 0, "Home 20, Away 15 | Away to shoot | the lens is covered" },
        { TRACKER_LOCKED, false, PICTURE_DARK, 0, 0, "Home 20, Away 15 | Away to shoot | ready for the shot" },
        { TRACKER_LOCKED, false, PICTURE_FINE, 1, 0,
          "Home 20, Away 15 | Away to shoot | close call: c lets it stand, v overrules it" },
        { TRACKER_LOCKED, false, PICTURE_FINE, 0, 1,
          "Home 20, Away 15 | Away to shoot | waiting for what must come off the board" },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        now = (struct tracked_frame){ .state = rows[i].state, .hand = rows[i].hand, .trouble = rows[i].trouble };
        m->asked = rows[i].asked;
        m->now.owed = rows[i].owed;
        watch_standing_words(words, sizeof words, m, &now, NULL);
        assert_string_equal(words, rows[i].says);
    }
    m->paused = now.hand = true; // whatever hands do
    watch_standing_words(words, sizeof words, m, &now, NULL);
    assert_string_equal(words, "Home 20, Away 15 | Away to shoot | paused: z goes on");
    m->paused = false;
    m->now.owed = m->asked = 0;
    m->now.over = true;
    m->now.winner = 0;
    m->now.side[0].score = 2;
    now = (struct tracked_frame){ .state = TRACKER_LOCKED };
    watch_standing_words(words, sizeof words, m, &now, NULL);
    assert_string_equal(words, "Home 2, Away 0 | game to Home | the game is over: g begins the next one");
    m->now.game = 2;
    m->now.side[0].games = m->now.side[1].games = 1;
    watch_standing_words(words, sizeof words, m, &now, NULL);
    assert_string_equal(words,
                        "games Home 1, Away 1; game 2: Home 2, Away 0 | game to Home | the game is over: g begins "
                        "the next one");
    play_end(&p);
}

static void what_hinders_calls_is_told_in_its_order(void **state)
{
    (void)state;
    struct tracked_frame now = { .state = TRACKER_SEARCHING };
    struct fail refused = { .text = "" };
    rs_fail(&now.unfound, 0, "nothing looks like circles");
    assert_string_equal(watch_help_words(&now, &refused), "nothing looks like circles");
    now.trouble = PICTURE_DARK;
    assert_string_equal(watch_help_words(&now, &refused), "too dark to see the lines: more light");
    now.state = TRACKER_LOCKED; // dark, and good enough
    assert_string_equal(watch_help_words(&now, &refused), "");
    rs_fail(&refused, 0, "too little of it is seen");
    assert_string_equal(watch_help_words(&now, &refused), "too dark to see the lines: more light");
    now.trouble = PICTURE_FINE;
    assert_string_equal(watch_help_words(&now, &refused), "too little of it is seen");
    refused.text[0] = '\0';
    now.trouble = PICTURE_COVERED; // whatever the tracker still believes
    assert_non_null(strstr(watch_help_words(&now, &refused), "in front of the lens"));
}

static void it_is_told_when_it_changes(void **state)
{
    (void)state;
    static const struct {
        double now_s;
        const char *text;
        bool told;
    } rows[] = {
        { 0, "", false },        { 1, "dark 12", false }, { 2, "dark 13.5", false }, // not for two seconds yet
        { 3, "dark 7", true },   { 4, "dark 8", false },  { 20, "dark 9", false },   // the same but for numbers
        { 21, "far", false },    { 22, "dark 9", false },                            // it did not last
        { 23, "far", false },    { 25, "far", true },     { 26, "dark 1", false },
        { 29, "dark 1", false }, // it lasts, and was told of little ago
        { 35, "dark 1", true },  { 36, "", true },        { 37, "", false },
        { 38, "far", false },    { 40, "far", true }, // the first one again: it waits for nothing before it
    };
    struct told t = { .text = "" };
    for (size_t i = 0; i < countof(rows); i++)
        if (told_is_news(&t, rows[i].text, rows[i].now_s, 2, 10) != rows[i].told)
            fail_msg("at %g s \"%s\"", rows[i].now_s, rows[i].text);
}

static void losses_behind_one_another_are_one_state(void **state)
{
    (void)state;
    static const char ENDED[] = "it ended the connection",
                      MANY[] = "it ended the connection; it is lost again and again";
    static const struct {
        double now_s;
        const char *waits_for, *says; // NULL: nothing
    } rows[] = {
        { 0, "", NULL },
        { 1, ENDED, ENDED },
        { 2, "", "the camera is back after 1.0 s" },
        { 100, ENDED, ENDED }, // long after that, the first one again
        { 101, "not found", "not found" },
        { 102, "", "the camera is back after 2.0 s" },
        { 103, ENDED, ENDED },
        { 104, "", "the camera is back after 1.0 s" },
        { 105, ENDED, MANY },
        { 106, "", NULL },
        { 107, ENDED, NULL },
        { 108, "not found", NULL },
        { 109, "", NULL },
        { 168, ENDED, NULL },
        { 177, ENDED, NULL },
        { 178, ENDED, ENDED }, // this one lasts
        { 179, ENDED, NULL },
        { 180, "", "the camera is back after 12.0 s" },
        { 239, "", NULL },
        { 240, "", "the camera's pictures have come for a minute again; it was lost 5 times, 18.0 s in all" },
        { 241, "", NULL },
        { 301, ENDED, ENDED },
    };
    struct camera_losses l = { .count = 0 };
    char words[1024];
    for (size_t i = 0; i < countof(rows); i++) {
        bool told = camera_losses_say(words, sizeof words, &l, rows[i].waits_for, rows[i].now_s);
        if (told != (rows[i].says != NULL) || (told && strncmp(words, rows[i].says, strlen(rows[i].says)) != 0))
            fail_msg("at %g s \"%s\"", rows[i].now_s, told ? words : "");
    }
    assert_int_equal(l.count, 7);
}

static void dropped_pictures_are_told_when_they_begin_and_when_they_are_over(void **state)
{
    (void)state;
    static const struct {
        double now_s;
        long count;
        bool known, told, go_on;
    } rows[] = {
        { 1, 0, true, false, false },   { 2, 7, false, false, false }, // while the board is searched for
        { 3, 7, true, false, false },   { 4, 9, true, true, true },      { 5, 12, true, false, true },
        { 60, 12, true, false, true },  { 64, 13, true, false, true },   { 123, 13, true, false, true },
        { 124, 13, true, true, false }, { 200, 13, true, false, false }, { 201, 14, true, true, true },
    };
    struct drops d = { .count = 0 };
    for (size_t i = 0; i < countof(rows); i++)
        if (drops_are_news(&d, rows[i].count, rows[i].known, rows[i].now_s) != rows[i].told || d.go_on != rows[i].go_on)
            fail_msg("at %g s", rows[i].now_s);
    assert_int_equal(d.before, 13);
    assert_non_null(strstr(drops_words(false), "take a smaller --size or --rate"));
    assert_null(strstr(drops_words(true), "--size")); // which is refused for an address
    assert_non_null(strstr(drops_words(true), "have the camera send smaller pictures or fewer"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_waited_for_stands_behind_the_score),
        cmocka_unit_test(what_hinders_calls_is_told_in_its_order),
        cmocka_unit_test(it_is_told_when_it_changes),
        cmocka_unit_test(losses_behind_one_another_are_one_state),
        cmocka_unit_test(dropped_pictures_are_told_when_they_begin_and_when_they_are_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
