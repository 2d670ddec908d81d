// SPDX-License-Identifier: MIT
#include "referee/record_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "calibration/units.h"
#include "referee/games/games.h"
#include "referee/log_line.h"
#include "referee/record.h"

static const char kept_columns[] = "SELECT match, id, game, format, begun, ended, source, software, standing,"
                                   " (SELECT count(*) FROM observations o WHERE o.match = m.match),"
                                   " (SELECT coalesce(max(shot), 0) FROM shots s WHERE s.match = m.match),"
                                   " (SELECT count(*) FROM inputs i WHERE i.match = m.match) FROM matches m ";

// "Anna 4, Ben 2; Anna wins" from the standing as it is kept.
static void score_words(char *out, size_t size, const char *standing)
{
    json_t *o = json_loads(standing, 0, NULL);
    const json_t *sides = json_object_get(o, "sides");
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < json_array_size(sides) && used < size; i++) {
        const json_t *side = json_array_get(sides, i);
        const char *name = json_string_value(json_object_get(side, "name"));
        used += (size_t)snprintf(out + used, size - used, "%s%s %lld", i ? ", " : "", name ? name : "?",
                                 (long long)json_integer_value(json_object_get(side, "points")));
    }
    const char *winner = json_string_value(json_object_get(o, "winner"));
    if (json_is_true(json_object_get(o, "over")) && used < size)
        snprintf(out + used, size - used, "; %s%s", winner ? winner : "drawn", winner ? " wins" : "");
    json_decref(o);
}

static void read_kept(struct kept_match *out, sqlite3_stmt *s)
{
    *out = (struct kept_match){ .match = (long)sqlite3_column_int64(s, 0),
                                .observations = (long)sqlite3_column_int64(s, 9),
                                .shots = (long)sqlite3_column_int64(s, 10),
                                .inputs = (long)sqlite3_column_int64(s, 11) };
    snprintf(out->id, sizeof out->id, "%s", record_text(s, 1));
    snprintf(out->game, sizeof out->game, "%s", record_text(s, 2));
    snprintf(out->format, sizeof out->format, "%s", record_text(s, 3));
    snprintf(out->begun, sizeof out->begun, "%s", record_text(s, 4));
    snprintf(out->ended, sizeof out->ended, "%s", record_text(s, 5));
    snprintf(out->source, sizeof out->source, "%s", record_text(s, 6));
    snprintf(out->software, sizeof out->software, "%s", record_text(s, 7));
    score_words(out->score, sizeof out->score, record_text(s, 8));
}

int record_find(struct kept_match *out, struct record *r, long match, struct fail *why)
{
    char sql[sizeof kept_columns + 64];
    sqlite3_stmt *s;
    snprintf(sql, sizeof sql, "%s%s", kept_columns, match ? "WHERE match = ?" : "ORDER BY match DESC LIMIT 1");
    int rc = record_query(&s, r, sql,
                          (struct cell[]){ match ? cell_number(match) : (struct cell){ CELL_END }, { CELL_END } }, why);
    if (rc == 0)
        rc = record_step(r, s, why);
    if (rc > 0)
        read_kept(out, s);
    else if (rc == 0 && match)
        rc = rs_fail(why, RS_EINPUT, "there is no match %ld in %.300s: ringside record list shows which there are",
                     match, r->path);
    else if (rc == 0)
        rc = rs_fail(why, RS_EINPUT, "there is no match in %.300s yet", r->path);
    sqlite3_finalize(s);
    return rc < 0 ? rc : 0;
}

int record_each(struct record *r, int (*tell)(void *self, const struct kept_match *m, struct fail *why), void *self,
                struct fail *why)
{
    char sql[sizeof kept_columns + 64];
    sqlite3_stmt *s;
    struct kept_match m;
    snprintf(sql, sizeof sql, "%sORDER BY match", kept_columns);
    int rc = record_query(&s, r, sql, NULL, why);
    while (rc == 0 && (rc = record_step(r, s, why)) > 0) {
        read_kept(&m, s);
        rc = tell(self, &m, why);
    }
    sqlite3_finalize(s);
    return rc;
}

// The header line, from the columns that it is kept in.
static char *header_text(sqlite3_stmt *s)
{
    const char *camera = record_text(s, 2);
    return log_line_text(json_pack("{s:i, s:s, s:o, s:o, s:s, s:o}", "ringside", 1, "game", record_text(s, 0), "board",
                                   json_loads(record_text(s, 1), 0, NULL), "camera",
                                   camera[0] ? json_loads(camera, 0, NULL) : json_null(), "source", record_text(s, 3),
                                   "match", json_loads(record_text(s, 4), 0, NULL)));
}

int record_print_log(FILE *to, struct record *r, long match, struct fail *why)
{
    const struct cell which[] = { cell_number(match), { CELL_END } };
    sqlite3_stmt *s;
    char *header = NULL;
    int rc = record_query(&s, r, "SELECT game, board, camera, source, setup FROM matches WHERE match = ?", which, why);
    if (rc == 0)
        rc = record_step(r, s, why);
    if (rc == 0)
        rc = rs_fail(why, RS_EINPUT, "there is no match %ld in %.300s: ringside record list shows which there are",
                     match, r->path);
    if (rc > 0 && !(header = header_text(s)))
        rc = rs_fail(why, RS_EINPUT, "match %ld of %.300s: its setup is damaged", match, r->path);
    sqlite3_finalize(s);
    if (rc < 0)
        return rc;
    bool written = fprintf(to, "%s\n", header) >= 0;
    free(header);
    rc = record_query(&s, r, "SELECT line FROM observations WHERE match = ? ORDER BY observation", which, why);
    while (written && rc == 0 && (rc = record_step(r, s, why)) > 0) {
        written = fprintf(to, "%s\n", record_text(s, 0)) >= 0;
        rc = 0;
    }
    sqlite3_finalize(s);
    if (rc == 0 && (!written || fflush(to) != 0))
        rc = rs_fail(why, RS_EIO, "cannot write the log of match %ld: %s", match, strerror(errno));
    return rc;
}

int record_log(struct log_reader **out, struct record *r, long match, struct fail *why)
{
    char name[KEPT_WORDS_MAX];
    FILE *scratch = tmpfile();
    if (!scratch)
        return rs_fail(why, RS_EIO, "cannot write a scratch log: %s", strerror(errno));
    int rc = record_print_log(scratch, r, match, why);
    if (rc < 0) {
        fclose(scratch);
        return rc;
    }
    rewind(scratch);
    snprintf(name, sizeof name, "match %ld of %.200s", match, r->path);
    return log_reader_open_file(out, scratch, name, why);
}

// Rows of a statement as faults: those that are not "ok".
static int tell_rows(int *faults, FILE *to, struct record *r, const char *sql, const char *what, struct fail *why)
{
    sqlite3_stmt *s;
    int rc = record_query(&s, r, sql, NULL, why);
    while (rc == 0 && (rc = record_step(r, s, why)) > 0) {
        rc = 0;
        if (strcmp(record_text(s, 0), "ok") == 0)
            continue;
        fprintf(to, "%s: %s %s\n", what, record_text(s, 0), record_text(s, 1));
        ++*faults;
    }
    sqlite3_finalize(s);
    return rc;
}

// What follows from observations, in tables of the same names that hide those of the file.
static const char *const again[] = { "matches", "players", "observations", "inputs", "shots", "calls" };

static int judge_again(struct record *r, long match, struct fail *why)
{
    struct adjudication a = { .game = NULL };
    struct log_reader *log = NULL;
    struct observation o;
    int rc = record_log(&log, r, match, why);
    for (size_t i = 0; i < countof(again) && rc == 0; i++) {
        char sql[128];
        snprintf(sql, sizeof sql, "CREATE TEMP TABLE %s AS SELECT * FROM main.%s WHERE 0", again[i], again[i]);
        rc = record_run(r, sql, NULL, why);
    }
    const struct game *game = rc == 0 ? games_find(log_reader_header(log)->game) : NULL;
    if (rc == 0 && !game)
        rc = rs_fail(why, RS_EINPUT, "match %ld: this ringside knows no game %s", match, log_reader_header(log)->game);
    if (rc == 0)
        rc = adjudication_begin(&a, game, log_reader_header(log), why);
    if (rc == 0)
        rc = adjudication_add(&a, record_announcer(r), why);
    a.from = log;
    r->match = match;
    r->observation = r->inputs = r->part = 0;
    adjudication_keep(&a, record_keeper(r));
    while (rc == 0 && (rc = log_read(log, &o, why)) > 0)
        rc = adjudication_take(&a, &o, why);
    adjudication_end(&a);
    log_reader_free(log);
    return rc;
}

static int compare(int *faults, FILE *to, struct record *r, const struct kept_match *m, const char *table,
                   struct fail *why)
{
    char sql[512];
    sqlite3_stmt *s;
    snprintf(sql, sizeof sql,
             "SELECT count(*), min(observation) FROM"
             " (SELECT * FROM (SELECT * FROM main.%s WHERE match = ?1 EXCEPT SELECT * FROM temp.%s)"
             " UNION ALL SELECT * FROM (SELECT * FROM temp.%s EXCEPT SELECT * FROM main.%s WHERE match = ?1))",
             table, table, table, table);
    int rc = record_query(&s, r, sql, (struct cell[]){ cell_number(m->match), { CELL_END } }, why);
    if (rc == 0)
        rc = record_step(r, s, why);
    if (rc > 0 && sqlite3_column_int64(s, 0) > 0) {
        fprintf(
            to,
            "match %ld: %s are not those that its observations give, from observation %lld on (kept by ringside %s)\n",
            m->match, table, (long long)sqlite3_column_int64(s, 1), m->software);
        ++*faults;
    }
    sqlite3_finalize(s);
    return rc < 0 ? rc : 0;
}

static int check_match(int *faults, FILE *to, struct record *r, const struct kept_match *m, struct fail *why)
{
    struct fail cause;
    r->under_way = true; // nothing is written to the file
    int rc = judge_again(r, m->match, &cause);
    if (rc == 0)
        rc = compare(faults, to, r, m, "calls", &cause);
    if (rc == 0)
        rc = compare(faults, to, r, m, "shots", &cause);
    r->under_way = false;
    r->match = 0;
    for (size_t i = 0; i < countof(again); i++) {
        char sql[64];
        snprintf(sql, sizeof sql, "DROP TABLE IF EXISTS temp.%s", again[i]);
        int dropped = record_run(r, sql, NULL, why);
        if (dropped < 0)
            return dropped;
    }
    if (rc == 0)
        return 0;
    if (rc != RS_EINPUT)
        return rs_fail(why, rc, "%s", cause.text);
    fprintf(to, "%s\n", cause.text);
    ++*faults;
    return 0;
}

int record_check(int *faults, FILE *to, struct record *r, struct fail *why)
{
    *faults = 0;
    int rc = tell_rows(faults, to, r, "PRAGMA integrity_check", "the file", why);
    if (rc == 0)
        rc = tell_rows(faults, to, r, "PRAGMA foreign_key_check", "a row without what it belongs to", why);
    if (rc == 0)
        rc = tell_rows(faults, to, r,
                       "SELECT match FROM observations GROUP BY match HAVING count(*) != max(observation)",
                       "observations are missing in match", why);
    if (rc == 0)
        rc = record_run(r, "PRAGMA temp_store = MEMORY", NULL, why);
    if (rc < 0 || *faults > 0)
        return rc;
    long match = 0;
    struct kept_match m;
    // One after the other and not in one statement: what is open while tables come and go holds them.
    for (;;) {
        sqlite3_stmt *s;
        rc = record_query(&s, r, "SELECT min(match) FROM matches WHERE match > ?",
                          (struct cell[]){ cell_number(match), { CELL_END } }, why);
        if (rc == 0)
            rc = record_step(r, s, why);
        match = rc > 0 ? (long)sqlite3_column_int64(s, 0) : 0;
        sqlite3_finalize(s);
        if (rc < 0 || match == 0)
            return rc < 0 ? rc : 0;
        rc = record_find(&m, r, match, why);
        if (rc == 0)
            rc = check_match(faults, to, r, &m, why);
        if (rc < 0)
            return rc;
    }
}
