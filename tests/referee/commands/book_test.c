// SPDX-License-Identifier: MIT
// Which record a command line means, and what it may ask of a match that goes on.
#include <stdio.h>
#include <stdlib.h>

#include "calibration/units.h"
#include "referee/commands/book.h"
#include "tests/cmocka.h"
#include "tests/referee/kept.h"
#include "tests/vision/scratch.h"

static char book[200];

// A record with one match of Crokinole, of which one shot was played.
static int create(void **state)
{
    static struct kept k;
    struct fail why = { .text = "" };
    if (scratch_create(state) != 0)
        return -1;
    snprintf(book, sizeof book, "%s", scratch_path(*state, "book.db"));
    int rc = kept_begin(&k, book, games_find("crokinole"), &why);
    if (rc == 0)
        rc = kept_shot(&k, 5, &why);
    kept_end(&k);
    return rc;
}

static void refused(const struct fail *why, int rc, const char *words)
{
    if (rc != RS_EINPUT || !strstr(why->text, words))
        fail_msg("%d '%s', wanted '%s'", rc, why->text, words);
}

// What SQLite says of it is "unable to open database file".
static void why_a_record_cannot_be_made_is_told(void **state)
{
    struct record *r = NULL;
    struct fail why = { .text = "" };
    const struct scratch *s = *state;
    assert_int_equal(record_open(&r, scratch_path(s, "nowhere/x.db"), RECORD_WRITE, &why), RS_EIO);
    assert_non_null(strstr(why.text, "cannot use the record /tmp/"));
    assert_non_null(strstr(why.text, ": No such file or directory"));
    assert_int_equal(record_open(&r, s->folder, RECORD_WRITE, &why), RS_EIO);
    assert_non_null(strstr(why.text, ": Is a directory"));
}

static void the_data_folder_is_the_users(void **state)
{
    char home[120], made[200], longer[RECORD_PATH_MAX + 8] = "/";
    struct options o = { .quiet = true };
    struct record *r = NULL;
    struct fail why = { .text = "" };
    snprintf(home, sizeof home, "%s/home", ((struct scratch *)*state)->folder);
    setenv("HOME", home, 1);
    setenv("XDG_DATA_HOME", "relative", 1); // which does not count
    assert_int_equal(book_open(&r, &o, RECORD_WRITE, &why), 0);
    record_close(r);
    snprintf(made, sizeof made, "%s/.local/share/ringside/record.db", home);
    assert_int_equal(unlink(made), 0);
    for (int i = 0; i < 4; i++) { // the folders that were made for it
        *strrchr(made, '/') = '\0';
        assert_int_equal(rmdir(made), 0);
    }
    unsetenv("HOME");
    refused(&why, book_open(&r, &o, RECORD_WRITE, &why), "keep none with --no-book");
    refused(&why, book_open(&r, &o, RECORD_READ, &why), "name one with --book");
    assert_null(strstr(why.text, "--no-book")); // who reads one cannot do without
    setenv("HOME", "", 1);
    refused(&why, book_open(&r, &o, RECORD_READ, &why), "neither HOME nor XDG_DATA_HOME");
    memset(longer + 1, 'a', sizeof longer - 2);
    setenv("XDG_DATA_HOME", longer, 1);
    refused(&why, book_open(&r, &o, RECORD_READ, &why), "too long");
}

static int open_match(struct kept_match *out, const char *number, struct fail *why)
{
    char text[32], *operand[] = { text };
    struct options o = { .book = book, .operand = operand, .operands = number != NULL };
    struct record *r = NULL;
    snprintf(text, sizeof text, "%s", number ? number : "");
    int rc = book_open_match(&r, out, &o, why);
    record_close(r);
    return rc;
}

static void a_match_goes_by_its_number_or_is_the_last(void **state)
{
    (void)state;
    static const char *const none[] = { "", "one", "0", "-1", "1x", "99999999999999999999" };
    struct kept_match m;
    struct fail why = { .text = "" };
    assert_int_equal(open_match(&m, NULL, &why), 0);
    assert_int_equal(m.match, 1);
    assert_int_equal(open_match(&m, "1", &why), 0);
    for (size_t i = 0; i < countof(none); i++)
        refused(&why, open_match(&m, none[i], &why), "is no number of a match");
    assert_int_equal(open_match(&m, "2", &why), RS_EINPUT);
}

static void what_does_not_go_together_is_refused(void **state)
{
    (void)state;
    static char rings[] = "crokinole-rings", players[] = "Anna,Ben", format[] = "nca-singles", match[] = "match.json",
                film[] = "film.mp4", one[] = "1";
    static char *operands[] = { film, one };
    static const struct {
        struct options o;
        const char *words;
    } rows[] = {
        { { .operands = 2 }, "1 is one too many" },
        { { .operands = 2, .no_book = true, .resume = true }, "--no-book goes with neither" },
        { { .operands = 1, .no_book = true, .book = book }, "--no-book goes with neither" },
        { { .operands = 2, .book = book, .resume = true, .game = rings }, "match 1 is crokinole, not crokinole-rings" },
        { { .operands = 2, .book = book, .resume = true, .players = players }, "neither --players" },
        { { .operands = 2, .book = book, .resume = true, .format = format }, "neither --players" },
        { { .operands = 2, .book = book, .resume = true, .match = match }, "neither --players" },
        { { .operands = 2, .book = book, .resume = true, .judge = true }, "neither --players" },
        { { .operands = 2, .book = book, .resume = true, .sides = 1, .side = { { "black", "Anna" } } },
          "neither --players" },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        struct options o = rows[i].o;
        struct record *r = NULL;
        long number = 7;
        struct fail why = { .text = "" };
        o.operand = operands;
        o.quiet = true;
        refused(&why, book_begin(&r, &number, &o, 1, true, &why), rows[i].words);
        record_close(r);
    }
}

static void a_match_goes_on_in_its_game(void **state)
{
    (void)state;
    static char crokinole[] = "crokinole";
    char *games[] = { NULL, crokinole };
    for (size_t i = 0; i < countof(games); i++) {
        struct options o = { .quiet = true, .book = book, .resume = true, .game = games[i] };
        struct record *r = NULL;
        long number = 0;
        struct fail why = { .text = "" };
        if (book_begin(&r, &number, &o, 0, true, &why) != 0)
            fail_msg("%s", why.text);
        assert_int_equal(number, 1);
        assert_string_equal(o.game, "crokinole");
        record_close(r);
    }
}

// Of a match that kept.h plays, from "test".
static void play_a_match(const char *path, bool to_its_end)
{
    static struct kept k;
    struct fail why = { .text = "" };
    int rc = kept_begin(&k, path, games_find("crokinole"), &why);
    if (rc == 0)
        rc = kept_shot(&k, 5, &why);
    if (rc == 0 && to_its_end)
        rc = record_end(k.r, &why);
    kept_end(&k);
    if (rc < 0)
        fail_msg("%s", why.text);
}

static void footage_goes_on_in_its_match_that_was_cut_short(void **state)
{
    const struct scratch *s = *state;
    char several[200];
    static const struct {
        const char *footage;
        char *number;
        long wanted;
    } rows[] = {
        { "test", NULL, 2 },      { "films/test/", NULL, 2 },
        { "films", NULL, 2 }, // a recording's folder, and around it
        { "other.mp4", NULL, 3 }, { "films/test/segment-00001.mkv", NULL, 3 },
        { "none/test", NULL, 3 }, { "films/test", "1", 1 },
        { "test", "3", 3 },
    };
    assert_int_equal(mkdir(scratch_path(s, "films"), 0777) | mkdir(scratch_path(s, "films/test"), 0777), 0);
    scratch_write(scratch_path(s, "films/test/segment-00001.mkv"), "x", 1);
    scratch_write(scratch_path(s, "other.mp4"), "x", 1);
    scratch_write(scratch_path(s, "test"), "x", 1);
    snprintf(several, sizeof several, "%s", scratch_path(*state, "several.db"));
    play_a_match(several, false);
    play_a_match(several, false);
    play_a_match(several, true);
    for (int more = 0; more < 2; more++) { // then the last one has not ended either, and is meant
        for (size_t i = 0; i < countof(rows); i++) {
            char footage[200], *operand[] = { footage, rows[i].number };
            snprintf(footage, sizeof footage, "%s", scratch_path(s, rows[i].footage));
            struct options o = { .quiet = true, .book = several, .resume = true, .operand = operand };
            struct record *r = NULL;
            long number = 0, wanted = more && !rows[i].number ? 4 : rows[i].wanted;
            struct fail why = { .text = "" };
            o.operands = rows[i].number ? 2 : 1;
            if (book_begin(&r, &number, &o, 1, true, &why) != 0 || number != wanted)
                fail_msg("%s: match %ld, wanted %ld %s", rows[i].footage, number, wanted, why.text);
            record_close(r);
        }
        play_a_match(several, false);
    }
    unlink(several);
    unlink(scratch_path(s, "several.db.lock"));
    unlink(scratch_path(s, "films/test/segment-00001.mkv"));
    rmdir(scratch_path(s, "films/test"));
    rmdir(scratch_path(s, "films"));
}

static void none_is_made_for_a_match_that_goes_on(void **state)
{
    char missing[200];
    struct options o = { .quiet = true, .book = missing, .resume = true };
    struct record *r = NULL;
    long number = 7;
    struct fail why = { .text = "" };
    snprintf(missing, sizeof missing, "%s", scratch_path(*state, "missing.db"));
    assert_int_equal(book_begin(&r, &number, &o, 0, true, &why), RS_EIO);
    assert_non_null(strstr(why.text, "there is no record "));
    assert_int_not_equal(access(missing, F_OK), 0);
}

static void none_is_kept_where_none_is_asked_for(void **state)
{
    (void)state;
    struct options o = { .quiet = true };
    struct record *r = NULL;
    long number = 7;
    struct fail why = { .text = "" };
    assert_int_equal(book_begin(&r, &number, &o, 0, false, &why), 0);
    assert_null(r);
    assert_int_equal(number, 0);
    o.book = book; // asked for
    assert_int_equal(book_begin(&r, &number, &o, 0, false, &why), 0);
    assert_non_null(r);
    assert_int_equal(number, 0);
    record_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_match_goes_by_its_number_or_is_the_last),
        cmocka_unit_test(what_does_not_go_together_is_refused),
        cmocka_unit_test(a_match_goes_on_in_its_game),
        cmocka_unit_test(footage_goes_on_in_its_match_that_was_cut_short),
        cmocka_unit_test(none_is_made_for_a_match_that_goes_on),
        cmocka_unit_test(none_is_kept_where_none_is_asked_for),
        cmocka_unit_test(why_a_record_cannot_be_made_is_told),
        cmocka_unit_test(the_data_folder_is_the_users),
    };
    return cmocka_run_group_tests(tests, create, scratch_remove);
}
