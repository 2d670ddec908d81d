// SPDX-License-Identifier: MIT
// What was kept can be corrected later, comes out in every format, and what comes out keeps to the schemas.
#include <stdlib.h>

#include "calibration/foreign.h"
#include "calibration/json_file.h"
#include "calibration/units.h"
#include "referee/commands/verbs.h"
#include "tests/cmocka.h"
#include "tests/referee/commands/spawned.h"
#include "tests/referee/kept.h"
#include "tests/referee/text_of.h"
#include "tests/schema.h"
#include "tests/vision/scratch.h"

enum { ROUNDS = 4 };

static struct spawned said;

static const char *book(void **state)
{
    return scratch_path(*state, "record.db");
}

// `ringside record VERB --book BOOK WORDS...`; its exit status.
static int record(void **state, const char *verb, const char *const *words)
{
    const char *args[SPAWNED_ARGS_MAX] = { "record", verb, "--book", book(state) };
    for (int i = 4; *words && i < SPAWNED_ARGS_MAX - 1; i++)
        args[i] = *words++;
    spawned_run(&said, args, NULL);
    return said.status;
}

#define RECORD(verb, ...) record(state, verb, (const char *[]){ __VA_ARGS__, NULL })

static void assert_sound(void **state)
{
    (void)state;
    if (RECORD("check", "--") != 0)
        fail_msg("%s%s", said.out, said.err);
}

// Four rounds of two shots each, ended by the judge: Anna wins the first two, Ben the last, one is even. `another`: and
// the first shot of a second game.
static void put_games(void **state, bool another)
{
    static const double rest_in[ROUNDS][2] = { { 2, 6 }, { 6, 11 }, { 6, 6.2 }, { 11, 2 } };
    static struct kept k;
    struct fail why = { .text = "" };
    int rc = kept_begin(&k, book(state), &crokinole_game, &why);
    for (int i = 0; i < ROUNDS && rc == 0; i++) {
        for (int side = 0; side < 2 && rc == 0; side++)
            rc = kept_shot(&k, rest_in[i][(i + side) % 2 ? 1 : 0], &why);
        if (rc == 0)
            rc = kept_say(&k, "round-over", &why);
        for (int id = k.shots; id > k.shots - 2 && rc == 0; id--)
            rc = kept_take(&k, (struct observation){ .kind = OBS_GONE, .id = id, .gone = { BY_HAND } }, &why);
    }
    if (rc == 0 && another)
        rc = kept_say(&k, "new-game", &why);
    if (rc == 0 && another)
        rc = kept_shot(&k, 2, &why);
    if (rc == 0)
        rc = adjudication_commit(&k.a, &why);
    if (rc == 0)
        rc = record_end(k.r, &why);
    if (rc < 0)
        fail_msg("%s", why.text);
    kept_end(&k);
}

static void put_game(void **state)
{
    put_games(state, false);
}

static json_t *exported(void **state, const char *format)
{
    static struct spawned out;
    char path[200];
    json_error_t error;
    snprintf(path, sizeof path, "%s", scratch_path(*state, "exported.json"));
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fclose(f);
    spawned_run(&out, (const char *[]){ "record", "export", "1", "--format", format, "--book", book(state), NULL },
                path);
    if (out.status != 0)
        fail_msg("%s", out.err);
    json_t *o = json_load_file(path, 0, &error);
    if (!o)
        fail_msg("%s: %s", format, error.text);
    return o;
}

static void assert_keeps(const json_t *schema, const json_t *o, const char *name)
{
    struct schema_fault fault = { "" };
    if (!schema_keeps(&fault, schema, schema, o, name))
        fail_msg("%s", fault.words);
}

static json_t *schema(const char *path)
{
    struct fail why;
    json_t *o = NULL;
    if (json_file_read(&o, path, &why) < 0)
        fail_msg("%s", why.text);
    return o;
}

static void undo_and_redo_change_nothing(void **state)
{
    put_game(state);
    json_t *before = exported(state, "json");
    assert_int_equal(RECORD("correct", "1", "shot=2", "undo"), 0);
    assert_non_null(strstr(said.out, "no longer: "));
    assert_non_null(strstr(said.out, "shot 2 taken back"));
    assert_sound(state);
    json_t *undone = exported(state, "json");
    assert_false(json_equal(json_object_get(before, "calls"), json_object_get(undone, "calls")));
    assert_true(json_array_size(json_object_get(undone, "changes")) > 0);
    assert_int_equal(RECORD("correct", "1", "redo"), 0);
    assert_sound(state);
    json_t *after = exported(state, "json");
    assert_true(json_equal(json_object_get(before, "standing"), json_object_get(after, "standing")));
    assert_true(json_equal(json_object_get(before, "calls"), json_object_get(after, "calls")));
    assert_true(json_equal(json_object_get(before, "shots"), json_object_get(after, "shots")));
    assert_int_equal(RECORD("show", "1"), 0);
    assert_non_null(strstr(said.out, "judge: undo, shot 2\n"));
    assert_int_equal(RECORD("list", "--"), 0);
    assert_non_null(strstr(said.out, "Anna"));
    json_decref(before);
    json_decref(undone);
    json_decref(after);
}

static void a_correction_says_what_is_wrong_with_it(void **state)
{
    put_game(state);
    assert_int_equal(RECORD("correct", "1", "shot=2", "zonne"), 2);
    assert_non_null(strstr(said.err, "did you mean zone?"));
    assert_int_equal(RECORD("correct", "1", "shot=x", "undo"), 2);
    assert_int_equal(RECORD("correct", "99", "undo"), 2);
    assert_non_null(strstr(said.err, "no match 99"));
    assert_int_equal(RECORD("correct", "1", "side=Anna", "value=4x", "correct"), 2);
    assert_int_equal(RECORD("correct", "1", "side=Anna", "value=2000000", "correct"), 2);
    assert_int_equal(RECORD("correct", "1", "side=Anna-of-a-name-longer-than-any-side-has", "turn"), 2);
    assert_int_equal(RECORD("correct", "1", "shot=1"), 2);
    assert_int_equal(RECORD("correct", "1", "shot=1", "shot=2", "undo"), 2);
    assert_non_null(strstr(said.err, "shot=2: shot= is said twice"));
    assert_int_equal(RECORD("correct", "1", "side=Anna", "side=Ben", "turn"), 2);
    assert_int_equal(RECORD("correct", "1", "side=Anna", "value=1", "value=2", "correct"), 2);
    assert_non_null(strstr(said.err, "value=2: value= is said twice"));
    assert_int_equal(RECORD("export", "1", "--format", "xml"), 2);
    assert_sound(state);
}

static void exports_keep_to_their_forms(void **state)
{
    put_game(state);
    assert_int_equal(RECORD("correct", "1", "shot=2", "piece=2", "zone", "15"), 0);
    json_t *form = schema("samples/schema/record.json"), *o = exported(state, "json");
    assert_keeps(form, o, "record");
    assert_string_equal(json_string_value(json_object_get(json_object_get(o, "standing"), "game")), "crokinole");
    json_decref(o);
    json_decref(form);

    o = exported(state, "cmn");
    json_t *match = json_object_get(o, "match"), *games = json_object_get(match, "games");
    assert_string_equal(json_string_value(json_object_get(o, "cmn")), "1.0");
    assert_string_equal(json_string_value(json_object_get(match, "format")), "singles");
    assert_int_equal(json_array_size(json_object_get(match, "teams")), 2);
    assert_int_equal(json_array_size(games), ROUNDS);
    assert_true(json_array_size(json_object_get(json_object_get(match, "ringside"), "calls")) > 0);
    for (size_t i = 0; i < json_array_size(games); i++)
        assert_int_equal(json_array_size(json_object_get(json_array_get(games, i), "scores")), 2);
    json_decref(o);

    assert_int_equal(RECORD("export", "1", "--format", "csv"), 0);
    assert_int_equal(strncmp(said.out, "match,observation,t_s,shot,rule,", 32), 0);
    int lines = spawned_lines(said.out);
    struct fail why;
    struct record *r;
    sqlite3_stmt *s;
    assert_int_equal(record_open(&r, book(state), RECORD_READ, &why), 0);
    assert_int_equal(record_query(&s, r, "SELECT count(*) FROM calls WHERE match = 1", NULL, &why), 0);
    assert_int_equal(record_step(r, s, &why), 1);
    assert_int_equal(lines, sqlite3_column_int(s, 0) + 1);
    sqlite3_finalize(s);
    record_close(r);

    assert_int_equal(RECORD("export", "1", "--format", "text"), 0);
    for (const char *const *words = (const char *[]){ "SCORE SHEET", "Anna (black)", "round    1", "round    4",
                                                      "total", "zone 15, shot 2, piece 2", "Judge   ____", NULL };
         *words; words++)
        if (!strstr(said.out, *words))
            fail_msg("%s is not on the sheet:\n%s", *words, said.out);
}

// Points corrected behind the end of a game stand on the sheet, and who wins by them.
static void the_sheet_has_what_was_corrected_later(void **state)
{
    put_game(state);
    assert_int_equal(RECORD("correct", "1", "side=Ben", "value=8", "correct"), 0);
    assert_non_null(strstr(said.out, "game to Ben: Anna 5, Ben 8"));
    assert_int_equal(RECORD("export", "1", "--format", "text"), 0);
    if (!strstr(said.out, "  8, wins") || !strstr(said.out, "Ended: Anna 5, Ben 8; Ben wins"))
        fail_msg("%s", said.out);
    assert_sound(state);
}

// The score of its last game alone is not the match's.
static void a_match_of_more_games_is_summed_up_by_games(void **state)
{
    put_games(state, true);
    assert_int_equal(RECORD("list", "--"), 0);
    if (!strstr(said.out, "games Anna 1, Ben 0; game 2: Anna 0, Ben 0") || strstr(said.out, "wins"))
        fail_msg("%s", said.out);
    assert_int_equal(RECORD("export", "1", "--format", "text"), 0);
    assert_non_null(strstr(said.out, "games Anna 1, Ben 0; game 2: Anna 0, Ben 0"));
    assert_sound(state);
}

// A judge who says which round it is ends none.
static void the_sheet_has_no_round_that_nobody_played(void **state)
{
    put_game(state);
    assert_int_equal(RECORD("correct", "1", "shot=1", "value=2", "round"), 0);
    assert_int_equal(RECORD("export", "1", "--format", "text"), 0);
    const char *game_2 = strstr(said.out, "Game 2"), *round_1 = strstr(said.out, "round    1");
    if (!strstr(said.out, "round    4") || !game_2 || !round_1 || round_1 < game_2)
        fail_msg("%s", said.out);
    assert_non_null(strstr(said.out, "judge: round 2, shot 1\n"));
}

// On the terminal, the sheet and the page likewise.
static void what_people_said_is_told_whole(void **state)
{
    static const char *const words[] = { "correct, Ben 8", "put-on 10, Anna 5.2,-3, shot 2", "pause" };
    static const char *const how[][5] = { { "show", "1" },
                                          { "export", "1", "--format", "text" },
                                          { "export", "1", "--format", "html" } };
    put_game(state);
    assert_int_equal(RECORD("correct", "1", "side=Ben", "value=8", "correct"), 0);
    assert_int_equal(RECORD("correct", "1", "side=Anna", "shot=2", "value=5.2,-3", "put-on", "10"), 0);
    assert_int_equal(RECORD("correct", "1", "pause"), 0);
    for (int i = 0; i < 9; i++) {
        char line[80];
        const char *const *h = how[i / 3];
        snprintf(line, sizeof line, "judge: %s%s", words[i % 3], i / 3 == 2 ? "</p>" : "\n");
        assert_int_equal(RECORD(h[0], h[1], h[2] ? h[2] : "--", h[3]), 0);
        if (!strstr(said.out, line))
            fail_msg("%s: %s", line, said.out);
    }
}

// Whatever a stranger wrote into a record, nothing of it is a command to a terminal, and what is missing is no fault of
// ours.
static void a_strangers_words_are_told_plainly(void **state)
{
    static const char *const formats[] = { "json", "csv", "text", "cmn" };
    char *error = NULL;
    sqlite3 *db;
    put_game(state);
    assert_int_equal(RECORD("correct", "1", "shot=2", "undo"), 0);
    assert_int_equal(sqlite3_open(book(state), &db), SQLITE_OK);
    if (sqlite3_exec(db,
                     "UPDATE calls SET text = char(27) || ']0;x' || char(7), what = char(0x202e);"
                     "UPDATE inputs SET text = char(10, 27, 155), by = char(13)",
                     NULL, NULL, &error) != SQLITE_OK)
        fail_msg("%s", error);
    for (size_t i = 0; i <= sizeof formats / sizeof *formats; i++) {
        int status = i > 0 ? RECORD("export", "1", "--format", formats[i - 1]) : RECORD("show", "1");
        char *told = said.out;
        if (status != 0)
            fail_msg("%s: exit %d, %s", i > 0 ? formats[i - 1] : "show", status, said.err);
        for (char *at = told; (at = strchr(at, '\n')); at++) // the lines' own ends, those of CSV too
            at[at > told && at[-1] == '\r' ? -1 : 0] = *at = ' ';
        if (!foreign_is_plain(told))
            fail_msg("%s: %s", i > 0 ? formats[i - 1] : "show", told);
    }
    // A log is for a machine, but it goes to standard output as well.
    assert_int_equal(
        sqlite3_exec(db, "UPDATE observations SET line = line || char(27) WHERE observation = 2", NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(RECORD("export", "1", "--format", "log"), ENDED_BAD_INPUT);
    assert_non_null(strstr(said.err, "control character"));
}

// `ringside report 1 WORDS...`; the page, valid until the next but one.
static const char *report(void **state, const char *const *words)
{
    char path[200];
    snprintf(path, sizeof path, "%s", scratch_path(*state, "report.html"));
    const char *args[SPAWNED_ARGS_MAX] = { "report", "1", "--book", book(state), "--out", path };
    for (int i = 6; *words && i < SPAWNED_ARGS_MAX - 1; i++)
        args[i] = *words++;
    spawned_end(&said, 0, args);
    const char *page = text_of(path);
    assert_int_equal(remove(path), 0);
    return page;
}

static void assert_there(const char *page, const char *const *words)
{
    for (; *words; words++)
        if (!strstr(page, *words))
            fail_msg("no '%s' in %s", *words, page);
}

static int times(const char *page, const char *word)
{
    int n = 0;
    for (const char *at = page; (at = strstr(at, word)); at++)
        n++;
    return n;
}

static void a_report_is_a_page_in_which_nobody_else_has_a_say(void **state)
{
    put_game(state);
    assert_int_equal(RECORD("correct", "1", "shot=2", "foul", "<img src=x onerror='alert(1)'> & \"more\""), 0);
    const char *page = report(state, (const char *[]){ "--html", NULL });
    assert_non_null(strstr(said.out, "Anna"));
    assert_there(page,
                 (const char *[]){ "<strong>Anna</strong>", "<strong>Ben</strong>", "Score sheet",
                                   "&lt;img src=x onerror=&#39;alert(1)&#39;&gt; &amp; &quot;more&quot;", "<h3>8. ",
                                   "<th>left a disc in play</th>", "<figcaption>Anna</figcaption>",
                                   "<use href=\"#board\"/>", "default-src 'none'; style-src 'unsafe-inline'\"", NULL });
    assert_null(strstr(page, "<img"));
    assert_null(strstr(page, "<script"));
    assert_null(strstr(page, "http://"));
    assert_null(strstr(page, "class=\"player\"")); // each side is one player
    RUN(&said, ENDED_BAD_INPUT, "report", "1", "--book", book(state), "--html", "--csv");
    assert_non_null(strstr(said.err, "--csv is a table"));
}

// Two colours that nobody named, and no round that has ended: nothing is said twice, and no table is empty.
static void a_report_of_a_game_that_has_just_begun(void **state)
{
    static struct kept k;
    struct fail why = { .text = "" };
    struct match_setup nameless = match_setup_usual(&crokinole_game);
    int rc = kept_begin_as(&k, book(state), &crokinole_game, &nameless, &why);
    for (int i = 0; i < 2 && rc == 0; i++)
        rc = kept_shot(&k, 2 + 4 * i, &why);
    kept_end(&k);
    if (rc < 0)
        fail_msg("%s", why.text);
    const char *page = report(state, (const char *[]){ "--html", NULL });
    assert_there(page, (const char *[]){ "<h2>Score sheet</h2><p>No round has ended yet.</p>", NULL });
    assert_int_equal(times(page, "<strong>black</strong>"), 0);
}

// The same as the export, in a file; what cannot be written, or is no match, is told and leaves none.
static void a_report_may_be_a_table(void **state)
{
    char table[200], kept[SPAWNED_TEXT_MAX];
    struct stat st;
    put_game(state);
    assert_int_equal(RECORD("export", "1", "--format", "csv"), 0);
    snprintf(kept, sizeof kept, "%s", said.out);
    snprintf(table, sizeof table, "%s", scratch_path(*state, "table.csv"));
    RUN(&said, 0, "report", "1", "--book", book(state), "--csv", "--out", table);
    assert_non_null(strstr(said.out, "table.csv: match 1"));
    assert_string_equal(text_of(table), kept);
    const char *nowhere = scratch_path(*state, "no/table.csv");
    RUN(&said, 3, "report", "1", "--book", book(state), "--csv", "--out", nowhere);
    assert_non_null(strstr(said.err, "no/table.csv"));
    assert_int_equal(unlink(table), 0);
    spawned_run(&said, (const char *[]){ "report", "7", "--book", book(state), "--csv", "--out", table, NULL }, NULL);
    assert_int_not_equal(said.status, 0);
    assert_int_not_equal(stat(table, &st), 0);
    RUN(&said, ENDED_BAD_INPUT, "report", "1", "--book", book(state), "--csv", "--clips", "x");
}

// Each shot with two boards: what is moved lies pale on the first one, with the way that it went, and at its end on the
// second.
static void a_report_shows_the_board_before_and_after_each_shot(void **state)
{
    put_game(state);
    const char *page = report(state, (const char *[]){ NULL });
    assert_int_equal(times(page, "<figcaption>before</figcaption>"), 2 * ROUNDS);
    assert_int_equal(times(page, "<figcaption>after</figcaption>"), 2 * ROUNDS);
    const char *second = strstr(page, "<h3>2. "), *third = strstr(page, "<h3>3. ");
    assert_true(second && third);
    char shot[4000];
    snprintf(shot, sizeof shot, "%.*s", (int)(third - second), second);
    // Anna's first disc lay at (2, -3) and is not moved by Ben's, which goes from (11.3, 1.4) to (2, -2).
    const char *between = strstr(shot, "before</figcaption>"), *lay = strstr(shot, "cx=\"2.00\" cy=\"3.00\"");
    assert_there(shot, (const char *[]){ "cx=\"11.30\" cy=\"-1.40\"", "<path d=\"M11.30 -1.40L6.00 2.00\"", NULL });
    if (!between || !lay || lay > between || !strstr(between, "cx=\"6.00\" cy=\"2.00\"") ||
        strstr(between, "cx=\"11.30\"") || !strstr(between, "cx=\"2.00\" cy=\"3.00\""))
        fail_msg("%s", shot);
}

// Of doubles each player has a line of his own, of what came of his shots.
static void a_report_tells_players_of_a_side_apart(void **state)
{
    static const char *const name[SIDES] = { "Home", "Away" }, *const player[SIDES][PLAYERS_MAX] = { { "Ann", "Bo" },
                                                                                                     { "Cy", "Di" } };
    static const double rest_in[] = { 2, 6, 6, 11, 11, 6, 2, 6 };
    static struct kept k;
    struct fail why = { .text = "" };
    struct match_setup setup = match_setup_usual(&crokinole_game);
    setup.format = *game_format(&crokinole_game, "nca-doubles");
    setup.seats = SIDES;
    setup.first = 0;
    for (int i = 0; i < SIDES; i++) {
        snprintf(setup.seat[i].name, OBS_WORD_MAX, "%s", name[i]);
        for (int p = 0; p < PLAYERS_MAX; p++)
            snprintf(setup.seat[i].player[p], OBS_WORD_MAX, "%s", player[i][p]);
    }
    int rc = kept_begin_as(&k, book(state), &crokinole_game, &setup, &why);
    for (size_t i = 0; i < countof(rest_in) && rc == 0; i++)
        rc = kept_shot(&k, rest_in[i], &why);
    if (rc == 0)
        rc = record_end(k.r, &why);
    if (rc < 0)
        fail_msg("%s", why.text);
    kept_end(&k);
    assert_int_equal(RECORD("correct", "1", "shot=4", "foul", "elbow"), 0);
    const char *page = report(state, (const char *[]){ NULL });
    // Shots, twenties, 15, 10, 5, ditched, fouls: by rest_in, 1 to 4 in to the side, lines at 4, 8 and 12 in.
    assert_there(page, (const char *[]){
                           "<h3>1. Home, Ann ", "<h3>2. Away, Cy ", "<h3>3. Home, Bo ", "<h3>4. Away, Di ",
                           "<h3>5. Home, Ann ", "Of a player only what came of his or her own shots.",
                           "<td>Home</td><td>4</td><td>0</td><td>0</td><td>3</td><td>1</td><td>0</td><td>0</td>",
                           "\"player\">Ann</td><td>2</td><td>0</td><td>0</td><td>1</td><td>1</td><td>0</td><td>0</td>",
                           "\"player\">Bo</td><td>2</td><td>0</td><td>0</td><td>2</td><td>0</td><td>0</td><td>0</td>",
                           "\"player\">Cy</td><td>2</td><td>0</td><td>0</td><td>2</td><td>0</td><td>0</td><td>0</td>",
                           "\"player\">Di</td><td>2</td><td>0</td><td>0</td><td>1</td><td>1</td><td>0</td><td>1</td>",
                           "<td>2 of 2, 100 %</td>", NULL });
}

// A taw, another each time, is shot into the ring and out of it; it knocks that target out.
static int shoot_taw(struct kept *k, int id, int target, struct fail *why)
{
    struct observation o = { .kind = OBS_SEEN, .id = id };
    o.seen.kind = PIECE_MARBLE;
    o.seen.taw = true;
    o.seen.certainty = 1;
    o.seen.radius_in = 0.35;
    snprintf(o.seen.colour, sizeof o.seen.colour, "%s", id % 2 ? "blue" : "green");
    int rc = kept_take(k, o, why);
    rc = rc < 0 ? rc : kept_rest(k, id, -44, 0, why);
    o = (struct observation){ .kind = OBS_MOVE, .id = id, .move = { MOVED_BY_SHOT, { -44, 0 } } };
    rc = rc < 0 ? rc : kept_take(k, o, why);
    o = (struct observation){ .kind = OBS_MOVE, .id = target, .move = { MOVED_BY_SHOT, { 0, 0 } } };
    rc = rc < 0 ? rc : kept_take(k, o, why);
    rc = rc < 0 ? rc : kept_rest(k, target, 45, id, why);
    rc = rc < 0 ? rc : kept_rest(k, id, 46, 2 * id, why);
    return rc < 0 ? rc : kept_take(k, (struct observation){ .kind = OBS_STILL }, why);
}

static void a_report_of_marbles_has_targets_by_innings_and_shots_that_were_forfeited(void **state)
{
    struct kept k;
    struct fail why;
    int rc = kept_begin(&k, book(state), &american_marbles_game, &why);
    for (int id = 1; id <= 2 && rc == 0; id++) {
        struct observation o = { .kind = OBS_SEEN, .id = id, .seen = { .kind = PIECE_MARBLE, .certainty = 1 } };
        snprintf(o.seen.colour, sizeof o.seen.colour, "red");
        o.seen.radius_in = 0.3125;
        rc = kept_take(&k, o, &why);
        rc = rc < 0 ? rc : kept_rest(&k, id, 0, 3 * id, &why);
    }
    rc = rc < 0 ? rc : kept_take(&k, (struct observation){ .kind = OBS_STILL }, &why);
    for (int id = 1; id <= 2 && rc == 0; id++)
        rc = shoot_taw(&k, 10 + id, id, &why);
    rc = rc < 0 ? rc : record_end(k.r, &why);
    if (rc < 0)
        fail_msg("%s", why.text);
    kept_end(&k);
    assert_int_equal(RECORD("correct", "1", "shot=2", "foul", "hunching"), 0);
    const char *page = report(state, (const char *[]){ NULL });
    assert_there(page, (const char *[]){ "<th>inning</th><th>Anna</th><th>score</th>",
                                         "<td>game 1, 1</td><td>1</td><td>1</td><td>0</td><td>0</td>",
                                         "<td>Anna</td><td>1</td><td>1</td><td>0</td>",
                                         "<td>Ben</td><td>1</td><td>0</td><td>1</td>", NULL });
}

// The log of a match that is kept is judged like any other, to the same words.
static void the_log_of_a_kept_match_is_judged_again(void **state)
{
    static struct spawned judged;
    char path[200];
    put_game(state);
    snprintf(path, sizeof path, "%s", scratch_path(*state, "kept.jsonl"));
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fclose(f);
    spawned_run(&judged, (const char *[]){ "record", "export", "1", "--format", "log", "--book", book(state), NULL },
                path);
    assert_int_equal(judged.status, 0);
    RUN(&judged, 0, "judge", path);
    struct fail why;
    struct record *r;
    sqlite3_stmt *s;
    int calls = 0;
    assert_int_equal(record_open(&r, book(state), RECORD_READ, &why), 0);
    assert_int_equal(record_query(&s, r, "SELECT text FROM calls WHERE match = 1", NULL, &why), 0);
    for (; record_step(r, s, &why) > 0; calls++)
        if (!strstr(judged.out, record_text(s, 0)))
            fail_msg("\"%s\" is not called again", record_text(s, 0));
    sqlite3_finalize(s);
    record_close(r);
    assert_true(calls > ROUNDS);
    RUN(&judged, 0, "judge", "--explain", path);
    assert_non_null(strstr(judged.out, "would be "));
}

static void events_keep_to_their_schema(void **state)
{
    (void)state;
    static const char *const logs[] = { "crokinole_a.jsonl", "crokinole_knock.jsonl", "marbles_a.jsonl" };
    json_t *form = schema("samples/schema/event.json");
    int events = 0;
    for (size_t i = 0; i < countof(logs); i++) {
        char path[200];
        snprintf(path, sizeof path, "tests/fuzz/seeds/log/%s", logs[i]);
        RUN(&said, 0, "judge", "--json", path);
        for (char *line = strtok(said.out, "\n"); line; line = strtok(NULL, "\n")) {
            json_t *o = json_loads(line, 0, NULL);
            assert_non_null(o);
            assert_keeps(form, o, logs[i]);
            json_decref(o);
            events++;
        }
    }
    json_decref(form);
    print_message("%d events\n", events);
    assert_true(events > 20);
}

// The checker itself finds what is wrong.
static void what_breaks_a_schema_is_found(void **state)
{
    (void)state;
    static const struct {
        const char *schema, *value, *words;
    } rows[] = {
        { "{\"type\": \"integer\"}", "[1.5]", "another type" },
        { "{\"required\": [\"a\"]}", "[{\"b\": 1}]", "a:" },
        { "{\"properties\": {\"a\": {\"minimum\": 1}}}", "[{\"a\": 0}]", "less" },
        { "{\"items\": {\"enum\": [1, 2]}}", "[[1, 3]]", "none of the values" },
        { "{\"oneOf\": [{\"type\": \"null\"}, {\"const\": 3}]}", "[4]", "one" },
        { "{\"allOf\": [{\"type\": \"string\"}, {\"const\": 3}]}", "[3]", "another type" },
        { "{\"$ref\": \"event.json#/$defs/standing\"}", "[3]", "another type" },
        { "{\"$ref\": \"event.json#/$defs/nothing\"}", "[3]", "no such $ref" },
        { "{\"pattern\": \"x\"}", "[\"x\"]", "not known here" },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        struct schema_fault fault = { "" };
        json_t *form = json_loads(rows[i].schema, 0, NULL), *list = json_loads(rows[i].value, 0, NULL);
        assert_false(schema_keeps(&fault, form, form, json_array_get(list, 0), "value"));
        if (!strstr(fault.words, rows[i].words))
            fail_msg("%s: %s", rows[i].schema, fault.words);
        json_decref(form);
        json_decref(list);
    }
}

static int remove_book(void **state)
{
    const char *path = book(state);
    char beside[200];
    unlink(path);
    snprintf(beside, sizeof beside, "%s-wal", path);
    unlink(beside);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_report_is_a_page_in_which_nobody_else_has_a_say, remove_book),
        cmocka_unit_test_teardown(a_report_of_a_game_that_has_just_begun, remove_book),
        cmocka_unit_test_teardown(a_report_may_be_a_table, remove_book),
        cmocka_unit_test_teardown(a_report_shows_the_board_before_and_after_each_shot, remove_book),
        cmocka_unit_test_teardown(a_report_tells_players_of_a_side_apart, remove_book),
        cmocka_unit_test_teardown(a_report_of_marbles_has_targets_by_innings_and_shots_that_were_forfeited,
                                  remove_book),
        cmocka_unit_test_teardown(undo_and_redo_change_nothing, remove_book),
        cmocka_unit_test_teardown(a_correction_says_what_is_wrong_with_it, remove_book),
        cmocka_unit_test_teardown(the_sheet_has_what_was_corrected_later, remove_book),
        cmocka_unit_test_teardown(a_match_of_more_games_is_summed_up_by_games, remove_book),
        cmocka_unit_test_teardown(the_sheet_has_no_round_that_nobody_played, remove_book),
        cmocka_unit_test_teardown(what_people_said_is_told_whole, remove_book),
        cmocka_unit_test_teardown(a_strangers_words_are_told_plainly, remove_book),
        cmocka_unit_test_teardown(exports_keep_to_their_forms, remove_book),
        cmocka_unit_test_teardown(the_log_of_a_kept_match_is_judged_again, remove_book),
        cmocka_unit_test(events_keep_to_their_schema),
        cmocka_unit_test(what_breaks_a_schema_is_found),
    };
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
