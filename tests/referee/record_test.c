// SPDX-License-Identifier: MIT
// The record loses no finished shot and is never damaged: killed at random, on a full disk, by two programs at once;
// and what is wrong with a file is told.
#include <signal.h>
#include <sys/resource.h>
#include <time.h>

#include "referee/record.h"
#include "tests/cmocka.h"
#include "tests/referee/commands/spawned.h"
#include "tests/referee/kept.h"
#include "tests/sanitized.h"
#include "tests/vision/scratch.h"

enum { KILLS = SANITIZED ? 60 : 300, CHECKED_EVERY = KILLS / 5, DAMAGES = 40, LONGEST_LIFE_US = 90000 };

// As a ringside of that version finds them; what is told as between versions is counted in *otherwise.
static int faults_found_by(const char *software, const char *path, char *words, size_t size, int *otherwise)
{
    struct fail why = { .text = "" };
    struct record *r = NULL;
    struct record_faults found = { 0 };
    FILE *to = fmemopen(words, size, "w");
    assert_non_null(to);
    int rc = record_open(&r, path, RECORD_READ, &why);
    if (rc == 0)
        rc = record_check(&found, to, r, software, &why);
    record_close(r);
    fclose(to);
    *otherwise = found.otherwise;
    if (rc == 0)
        return found.faults;
    snprintf(words, size, "%s", why.text);
    return -1;
}

static int faults_of(const char *path, char *words, size_t size)
{
    int otherwise = 0, faults = faults_found_by("test", path, words, size, &otherwise);
    assert_int_equal(otherwise, 0); // "test" kept it
    return faults;
}

static void assert_sound(const char *path)
{
    char words[2000] = "";
    if (faults_of(path, words, sizeof words) != 0)
        fail_msg("%s", words);
}

static long shots_kept(const char *path, long match)
{
    struct fail why = { .text = "" };
    struct record *r = NULL;
    struct kept_match m = { .shots = -1 };
    if (record_open(&r, path, RECORD_READ, &why) < 0 || record_find(&m, r, match, &why) < 0)
        fail_msg("%s", why.text);
    record_close(r);
    return m.shots;
}

// A child that plays until it is killed or fails, and tells each finished shot with a byte. It exits with 1 when it
// failed with RS_EIO. With others beside it, it rests after a shot as long as it took: who never lets go of the file
// starves them where the disk is slow, and nobody plays so.
static void play_on(const char *path, int tell, int shots, bool beside_others)
{
    static struct kept k;
    struct fail why = { .text = "" };
    int rc = kept_begin(&k, path, &crokinole_game, &why);
    for (int i = 0; i < shots && rc == 0; i++) {
        const double began_s = clock_s();
        rc = kept_shot(&k, i % 11, &why);
        if (beside_others)
            usleep((useconds_t)(1e6 * (clock_s() - began_s)));
        if (rc == 0 && write(tell, "", 1) != 1)
            rc = RS_EINTERNAL;
    }
    if (rc == 0)
        rc = record_end(k.r, &why);
    if (rc < 0 && rc != RS_EIO)
        fprintf(stderr, "%s\n", why.text);
    kept_end(&k);
    _exit(rc == 0 ? 0 : rc == RS_EIO ? 1 : 2);
}

static pid_t begin_child(const char *path, int *told, int shots, bool beside_others, rlim_t bytes)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[0]);
        if (bytes > 0) {
            signal(SIGXFSZ, SIG_IGN);
            setrlimit(RLIMIT_FSIZE, &(struct rlimit){ bytes, bytes });
        }
        play_on(path, ends[1], shots, beside_others);
    }
    close(ends[1]);
    *told = ends[0];
    return child;
}

// To *shots those of which were not read yet are added.
static int end_child(pid_t child, int told, long *shots)
{
    char bytes[4096];
    ssize_t n;
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    while ((n = read(told, bytes, sizeof bytes)) > 0)
        *shots += n;
    close(told);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Every other child is killed only after its first finished shot, however slow the disk is; the others, wherever they
// are.
static void a_killed_program_loses_no_finished_shot(void **state)
{
    const char *path = scratch_path(*state, "killed.db");
    unsigned seed = (unsigned)time(NULL);
    long finished = 0, matches = 0, kept = 0;
    print_message("seed %u\n", seed);
    srand(seed);
    for (int i = 0; i < KILLS; i++) {
        int from;
        long told = 0;
        pid_t child = begin_child(path, &from, 100000, false, 0);
        if (i % 2 == 1)
            told = read(from, (char[1]){ 0 }, 1); // nothing where it failed itself, which its end tells
        assert_true(told >= 0);
        usleep((useconds_t)(rand() % LONGEST_LIFE_US));
        kill(child, SIGKILL);
        assert_int_equal(end_child(child, from, &told), 128 + SIGKILL);
        finished += told;
        if (told == 0)
            continue; // it may have died before its match began
        kept = shots_kept(path, 0);
        if (kept < told || kept > told + 1)
            fail_msg("kill %d: %ld shots were finished, %ld are kept", i, told, kept);
        matches++;
        if (i % CHECKED_EVERY == 0)
            assert_sound(path);
    }
    assert_sound(path);
    print_message("%d kills, %ld matches with %ld finished shots, none lost\n", KILLS, matches, finished);
    assert_true(matches >= KILLS / 2);
}

static void a_full_disk_loses_no_finished_shot(void **state)
{
    const char *path = scratch_path(*state, "full.db");
    for (rlim_t bytes = 200000; bytes < 1000000; bytes += 170001) {
        long told = 0;
        int from;
        pid_t child = begin_child(path, &from, 100000, false, bytes);
        assert_int_equal(end_child(child, from, &told), 1);
        assert_true(told > 0);
        assert_int_equal(shots_kept(path, 0), told);
        assert_sound(path);
    }
}

// While another program keeps the file busy, rows wait in memory: nothing fails, and all is there when it lets go.
static void what_cannot_be_written_now_is_written_later(void **state)
{
    const char *path = scratch_path(*state, "held.db");
    static struct kept k;
    struct fail why = { .text = "" };
    sqlite3 *other;
    assert_int_equal(kept_begin(&k, path, &crokinole_game, &why), 0);
    assert_int_equal(kept_shot(&k, 1, &why), 0);
    assert_int_equal(record_hold_rows(k.r, 1 << 20, &why), 0);
    assert_int_equal(kept_shot(&k, 2, &why), 0);
    assert_int_equal(record_write_held(k.r, &why), 0);
    assert_int_equal(shots_kept(path, 0), 2);
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    for (int i = 3; i < 6; i++)
        assert_int_equal(kept_shot(&k, i, &why), 0);
    assert_true(record_write_held(k.r, &why) > 3);
    assert_non_null(strstr(why.text, "kept busy by another program"));
    assert_int_equal(sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(record_write_held(k.r, &why), 0);
    assert_int_equal(record_end(k.r, &why), 0);
    assert_int_equal(shots_kept(path, 0), 5);
    kept_end(&k);
    assert_sound(path);

    // There is room for little: what is kept is a beginning of the match, without half an observation.
    assert_int_equal(kept_begin(&k, path, &crokinole_game, &why), 0);
    assert_int_equal(record_hold_rows(k.r, 20000, &why), 0);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    for (int i = 0; i < 30; i++)
        assert_int_equal(kept_shot(&k, i % 11, &why), 0);
    assert_int_equal(sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    assert_true(record_write_held(k.r, &why) > 0);
    assert_non_null(strstr(why.text, "more than could be held"));
    assert_int_equal(record_end(k.r, &why), 0);
    kept_end(&k);
    sqlite3_close(other);
}

static void two_programs_write_at_once(void **state)
{
    const char *path = scratch_path(*state, "two.db");
    enum { PROGRAMS = 3, SHOTS = 30 };
    pid_t child[PROGRAMS];
    int from[PROGRAMS];
    for (int i = 0; i < PROGRAMS; i++)
        child[i] = begin_child(path, &from[i], SHOTS, true, 0);
    for (int i = 0; i < PROGRAMS; i++) {
        long told = 0;
        assert_int_equal(end_child(child[i], from[i], &told), 0);
        assert_int_equal(told, SHOTS);
    }
    for (int i = 0; i < PROGRAMS; i++)
        assert_int_equal(shots_kept(path, i + 1), SHOTS);
    assert_sound(path);
}

// A child that opens the record once it is let go, beside others that do the same. It exits with 0 or with what failed.
static pid_t begin_opener(const char *path, int gate)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct fail why = { .text = "" };
        struct record *r = NULL;
        char byte;
        int rc = read(gate, &byte, 1) == 1 ? record_open(&r, path, RECORD_WRITE, &why) : RS_EINTERNAL;
        if (rc < 0)
            fprintf(stderr, "%s\n", why.text);
        record_close(r);
        _exit(-rc);
    }
    return child;
}

// One of them makes the file, in which the others find no tables, some, or all: none takes it for another program's.
static void a_record_is_begun_by_many_at_once(void **state)
{
    enum { PROGRAMS = 6, RECORDS = 30 };
    for (int i = 0; i < RECORDS; i++) {
        char name[30];
        snprintf(name, sizeof name, "begun%d.db", i);
        const char *path = scratch_path(*state, name);
        pid_t child[PROGRAMS];
        int gate[2], status;
        assert_int_equal(pipe(gate), 0);
        for (int j = 0; j < PROGRAMS; j++)
            child[j] = begin_opener(path, gate[0]);
        assert_int_equal(write(gate[1], "......", PROGRAMS), PROGRAMS);
        for (int j = 0; j < PROGRAMS; j++) {
            assert_int_equal(waitpid(child[j], &status, 0), child[j]);
            assert_int_equal(status, 0);
        }
        close(gate[0]);
        close(gate[1]);
        assert_sound(path);
    }
}

// A program that only reads a file which is no record yet lets none be made of it. That is told, after the patience and
// not later.
static void who_never_lets_go_is_not_waited_for_without_end(void **state)
{
    enum { LONGEST_S = 30 }; // three times what is waited
    const char *path = scratch_path(*state, "read.db");
    struct fail why = { .text = "" };
    struct record *r = NULL;
    sqlite3 *other;
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN; SELECT * FROM sqlite_schema", NULL, NULL, NULL), SQLITE_OK);
    const double began_s = clock_s();
    alarm(LONGEST_S);
    assert_int_equal(record_open(&r, path, RECORD_WRITE, &why), RS_EIO);
    alarm(0);
    assert_true(clock_s() - began_s < LONGEST_S);
    assert_non_null(strstr(why.text, "kept busy by another program"));
    assert_int_equal(record_open(&r, path, RECORD_READ, &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "has just begun it, ask again"));
    sqlite3_close(other);
}

static void a_match_is_written_by_one_program(void **state)
{
    const char *path = scratch_path(*state, "one.db");
    struct fail why = { .text = "" };
    struct record *r = NULL;
    char byte;
    int from;
    long told = 0;
    pid_t child = begin_child(path, &from, 100000, false, 0);
    assert_int_equal(read(from, &byte, 1), 1);
    assert_int_equal(record_open(&r, path, RECORD_READ, &why), 0);
    assert_int_equal(record_resume(r, 1, NULL, "test", &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "match 1 is being played"));
    kill(child, SIGKILL);
    end_child(child, from, &told);
    assert_int_equal(record_resume(r, 1, NULL, "test", &why), 0);
    record_close(r);
}

static void put_match(const char *path, int shots)
{
    static struct kept k;
    struct fail why = { .text = "" };
    int rc = kept_begin(&k, path, &crokinole_game, &why);
    for (int i = 0; i < shots && rc == 0; i++)
        rc = kept_shot(&k, i % 11, &why);
    if (rc < 0)
        fail_msg("%s", why.text);
    kept_end(&k);
}

// Plays `shots` shots of the match again from behind observation `from`, the one of number `other` (0: none) to another
// place than it came to rest at. RS_E... of the first that failed, of record_end in the end.
static int play_again(const char *path, long from, int shots, int other, struct fail *why)
{
    static struct kept k;
    struct log_reader *log = NULL;
    struct observation o;
    k = (struct kept){ .game = NULL };
    int rc = record_open(&k.r, path, RECORD_WRITE, why);
    if (rc == 0)
        rc = record_log(&log, &k.game, k.r, 1, why);
    if (rc == 0)
        rc = adjudication_begin(&k.a, k.game, log_reader_header(log), why);
    for (long i = 0; i < from && rc == 0; i++) {
        rc = log_read(log, &o, why) == 1 ? kept_take(&k, o, why) : RS_EINTERNAL;
        k.shots += o.kind == OBS_STILL;
    }
    log_reader_free(log);
    if (rc == 0)
        rc = record_replay(k.r, 1, from, why);
    k.a.keeper = record_keeper(k.r);
    if (rc == 0)
        rc = adjudication_add(&k.a, record_announcer(k.r), why);
    for (int i = k.shots; i < shots && rc == 0; i++)
        rc = kept_shot(&k, i + 1 == other ? 11 : i % 11, why);
    if (rc == 0)
        rc = record_end(k.r, why);
    kept_end(&k);
    return rc;
}

static void what_was_cut_short_is_played_again(void **state)
{
    enum { BEFORE = 3, ALL = 5, IN_THE_FIRST = 5 }; // shots; observations

    const char *path = scratch_path(*state, "short.db"), *whole = scratch_path(*state, "long.db");
    struct fail why = { .text = "" };
    struct record *r = NULL;
    struct kept_match m, all;
    put_match(whole, ALL);
    put_match(path, BEFORE);
    assert_int_equal(play_again(path, 0, ALL, 2, &why), RS_EINPUT); // the second shot is another
    assert_non_null(strstr(why.text, "is not what is kept of match 1"));
    assert_int_equal(play_again(path, 0, BEFORE - 1, 0, &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "came again"));
    assert_int_equal(shots_kept(path, 1), BEFORE);
    assert_int_equal(play_again(path, 0, BEFORE, 0, &why), 0);
    assert_int_equal(play_again(path, IN_THE_FIRST, ALL, 0, &why), 0);
    assert_sound(path);
    assert_int_equal(record_open(&r, path, RECORD_READ, &why), 0);
    assert_int_equal(record_find(&m, r, 1, &why), 0);
    record_close(r);
    assert_int_equal(record_open(&r, whole, RECORD_READ, &why), 0);
    assert_int_equal(record_find(&all, r, 1, &why), 0);
    record_close(r);
    assert_int_equal(m.observations, all.observations);
    assert_int_equal(m.shots, ALL);
    assert_string_equal(m.score, all.score);
    assert_true(m.ended[0] && !all.ended[0]);
}

static void change(const char *path, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void what_is_wrong_is_told(void **state)
{
    static const struct {
        const char *sql, *words;
    } rows[] = {
        { "UPDATE calls SET text = 'made up' WHERE match = 1 AND observation > 9 AND part = 1",
          "match 1: calls are not" },
        { "UPDATE matches SET standing = '{\"sides\":[{\"name\":\"Anna\",\"points\":99}]}' WHERE match = 1",
          "match 1: matches are not" },
        { "UPDATE players SET name = 'Zoe' WHERE match = 1 AND side = 0", "match 1: players are not" },
        { "DELETE FROM shots WHERE match = 1 AND shot = 2", "match 1: shots are not" },
        { "DELETE FROM observations WHERE match = 1 AND observation = 3", "observations are missing in match: 1" },
        { "UPDATE observations SET line = '{\"t_s\":' WHERE match = 1 AND observation = 4", "line 5: not JSON" },
        { "DELETE FROM matches WHERE match = 1", "a row without what it belongs to" },
        { "UPDATE matches SET board = '{}' WHERE match = 1", "match 1" },
        { "UPDATE matches SET game = 'chess' WHERE match = 1", "no game chess" },
        { "PRAGMA user_version = 2", "of version 2, this ringside knows version 1: take a newer one" },
        { "PRAGMA application_id = 7", "is no record of matches" },
        { "CREATE TRIGGER t AFTER INSERT ON observations BEGIN DELETE FROM calls; END", "other tables than a record" },
        { "DROP TABLE calls; CREATE VIEW calls AS SELECT * FROM shots", "other tables than a record" },
        { "ALTER TABLE inputs ADD COLUMN more TEXT", "other tables than a record" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char words[2000] = "", name[32];
        snprintf(name, sizeof name, "wrong%zu.db", i);
        const char *path = scratch_path(*state, name);
        put_match(path, 4);
        put_match(path, 2);
        assert_sound(path);
        change(path, rows[i].sql);
        if (faults_of(path, words, sizeof words) == 0 || !strstr(words, rows[i].words))
            fail_msg("%s: \"%s\"", rows[i].sql, words);
    }
}

// An older ringside knew other words and told less of the standing: that is no fault of its record. What is missing is.
static void what_another_version_kept_may_come_out_otherwise(void **state)
{
    const char *path = scratch_path(*state, "older.db");
    char words[2000] = "";
    int otherwise = 0;
    put_match(path, 4);
    assert_int_equal(faults_found_by("newer", path, words, sizeof words, &otherwise), 0);
    assert_int_equal(otherwise, 0);
    change(path, "UPDATE calls SET text = 'as it was worded' WHERE observation > 9 AND part = 1;"
                 "UPDATE matches SET standing = json_remove(standing, '$.asked')");
    assert_int_equal(faults_found_by("newer", path, words, sizeof words, &otherwise), 0);
    assert_int_equal(otherwise, 2);
    assert_non_null(strstr(words, "match 1: calls come out otherwise than ringside test kept them, from observation"));
    assert_int_equal(faults_of(path, words, sizeof words), 2);

    // One that goes on with the match keeps a part of it.
    change(path, "INSERT INTO resumptions (match, observation, source, software, begun)"
                 " VALUES (1, 9, 'test', 'between', '2026-01-01T00:00:00Z')");
    assert_int_equal(faults_found_by("test", path, words, sizeof words, &otherwise), 0);
    assert_int_equal(otherwise, 2);
    assert_non_null(strstr(words, "than ringside between kept them"));
    change(path, "DELETE FROM observations WHERE observation = 3");
    assert_int_equal(faults_found_by("newer", path, words, sizeof words, &otherwise), 1);
}

// What people add to ask it by is theirs.
static void an_index_and_a_view_of_others_do_not_matter(void **state)
{
    const char *path = scratch_path(*state, "asked.db");
    put_match(path, 2);
    change(path, "CREATE INDEX by_rule ON calls (rule); CREATE VIEW twenties AS SELECT * FROM calls WHERE zone = '20'");
    assert_sound(path);
    put_match(path, 2);
    assert_sound(path);
}

// Whatever is written over it: it is told, or it was not needed; nothing falls over.
static void a_damaged_file_is_told(void **state)
{
    int told = 0;
    srand(11);
    for (int i = 0; i < DAMAGES; i++) {
        char words[2000] = "", junk[600], name[32];
        snprintf(name, sizeof name, "damaged%d.db", i);
        const char *path = scratch_path(*state, name);
        put_match(path, 24);
        FILE *f = fopen(path, "r+");
        assert_non_null(f);
        fseek(f, 0, SEEK_END);
        memset(junk, rand(), sizeof junk);
        fseek(f, i == 0 ? 0 : rand() % (ftell(f) - (long)sizeof junk), SEEK_SET);
        fwrite(junk, 1, sizeof junk, f);
        fclose(f);
        told += faults_of(path, words, sizeof words) != 0 && words[0] != '\0';
        assert_true(i > 0 || strstr(words, "is no record of matches"));
    }
    print_message("%d of %d damages told\n", told, DAMAGES);
    assert_true(told > DAMAGES / 3);
}

// Nothing is ever erased: one line that nobody can read would close the match for good.
static void what_cannot_be_read_again_is_not_kept(void **state)
{
    const char *path = scratch_path(*state, "unread.db");
    static const struct {
        const char *text;
        double value;
    } rows[] = { { "", 2e6 }, { "two\nlines", 0 }, { "\x1b[2J", 0 } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static struct kept k;
        struct fail why = { .text = "" };
        struct observation o = { .kind = OBS_INPUT, .input = { .by = "judge", .what = INPUT_FOUL, .has_value = true } };
        o.input.value[0] = rows[i].value;
        snprintf(o.input.text, sizeof o.input.text, "%s", rows[i].text);
        assert_int_equal(kept_begin(&k, path, &crokinole_game, &why), 0);
        assert_int_equal(kept_shot(&k, 1, &why), 0);
        assert_int_equal(kept_take(&k, o, &why), RS_EINPUT);
        kept_end(&k);
        assert_sound(path);
    }
}

// One that was begun by a ringside which did not know footage gets its table; what else has that name is a stranger's.
static void a_record_without_footage_is_one(void **state)
{
    const char *path = scratch_path(*state, "before.db");
    static struct kept k;
    struct fail why = { .text = "" };
    struct kept_footage film = { .name = "test", .path = "/a/test", .bytes = 1 };
    assert_int_equal(kept_begin(&k, path, &crokinole_game, &why), 0);
    kept_end(&k);
    change(path, "DROP TABLE footage");
    assert_sound(path);
    struct record *r = NULL;
    assert_int_equal(record_open(&r, path, RECORD_WRITE, &why), 0);
    assert_int_equal(record_has_footage(r, 1, &film, &why), 1); // of which the name alone is known
    film.name[0] = 'b';
    assert_int_equal(record_has_footage(r, 1, &film, &why), 0);
    record_close(r);
    change(path, "DROP TABLE footage; CREATE VIEW footage AS SELECT * FROM matches");
    assert_int_equal(record_open(&r, path, RECORD_WRITE, &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "other tables than a record"));
}

// Nor is its journal turned into another kind.
static void another_programs_database_is_left_as_it_is(void **state)
{
    const char *path = scratch_path(*state, "other.db");
    struct fail why = { .text = "" };
    struct record *r = NULL;
    char before[4096] = "", after[4096] = "";
    change(path, "CREATE TABLE notes (note TEXT)");
    for (int i = 0; i < 2; i++) {
        FILE *f = fopen(path, "rb");
        assert_non_null(f);
        assert_int_equal(fread(i ? after : before, 1, sizeof before, f), sizeof before);
        fclose(f);
        if (i == 0)
            assert_int_equal(record_open(&r, path, RECORD_WRITE, &why), RS_EINPUT);
    }
    assert_non_null(strstr(why.text, "is no record of matches"));
    assert_memory_equal(before, after, sizeof before);
}

// In the second game of a match either.
static void before_anybody_shot_the_score_says_so(void **state)
{
    const char *path = scratch_path(*state, "begun.db");
    const struct match_setup nobody = match_setup_usual(games_find("crokinole"));
    struct observation anew = { .kind = OBS_INPUT, .input.by = "judge", .input.what = INPUT_NEW_GAME };
    struct kept k;
    struct kept_match m;
    struct fail why = { .text = "" };
    assert_int_equal(kept_begin_as(&k, path, games_find("crokinole"), &nobody, &why), 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(kept_take(&k, i ? anew : (struct observation){ .kind = OBS_STILL }, &why), 0);
        assert_int_equal(record_find(&m, k.r, 1, &why), 0);
        assert_string_equal(m.score, "nobody has shot yet");
    }
    // Somebody did, of whom no colour was seen.
    const struct observation shot[] = {
        { .kind = OBS_SEEN, .id = 1, .seen = { .colour = COLOUR_UNKNOWN, .radius_in = 0.625, .certainty = 1 } },
        { .kind = OBS_REST, .id = 1, .rest = { .at = { 11.3, 0 } } },
        { .kind = OBS_MOVE, .id = 1, .move = { MOVED_BY_SHOT, { 11.3, 0 } } },
        { .kind = OBS_REST, .id = 1, .rest = { .at = { 2, 0 } } },
        { .kind = OBS_STILL },
    };
    for (size_t i = 0; i < countof(shot); i++)
        assert_int_equal(kept_take(&k, shot[i], &why), 0);
    assert_int_equal(record_find(&m, k.r, 1, &why), 0);
    assert_string_equal(m.score, "no side is known yet");
    kept_end(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_killed_program_loses_no_finished_shot),
        cmocka_unit_test(a_full_disk_loses_no_finished_shot),
        cmocka_unit_test(what_cannot_be_written_now_is_written_later),
        cmocka_unit_test(two_programs_write_at_once),
        cmocka_unit_test(a_record_is_begun_by_many_at_once),
        cmocka_unit_test(who_never_lets_go_is_not_waited_for_without_end),
        cmocka_unit_test(a_match_is_written_by_one_program),
        cmocka_unit_test(what_was_cut_short_is_played_again),
        cmocka_unit_test(what_is_wrong_is_told),
        cmocka_unit_test(what_another_version_kept_may_come_out_otherwise),
        cmocka_unit_test(an_index_and_a_view_of_others_do_not_matter),
        cmocka_unit_test(a_damaged_file_is_told),
        cmocka_unit_test(what_cannot_be_read_again_is_not_kept),
        cmocka_unit_test(a_record_without_footage_is_one),
        cmocka_unit_test(another_programs_database_is_left_as_it_is),
        cmocka_unit_test(before_anybody_shot_the_score_says_so),
    };
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
