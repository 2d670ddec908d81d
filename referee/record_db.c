// SPDX-License-Identifier: MIT
#include "referee/record_db.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "calibration/atomic_file.h"
#include "calibration/clock.h"
#include "calibration/foreign.h"
#include "calibration/units.h"

// "ring": by which a file is known as a record.
#define APPLICATION_ID 0x72696e67
#define STR(x) #x
#define STRING(x) STR(x)

enum {
    PATIENCE_MS = 10000,    // for another program's transaction, which takes a few
    HELD_PATIENCE_MS = 200, // the same when rows can be held: a judge waits for his keys meanwhile
    STRICT_SINCE = 3037000, // release of SQLite
};

// Observations are the truth; shots, calls, inputs, players and standing follow from them (`record check` makes them
// again) and stand here for who asks with SQL. Only matches.ended, matches.standing and players are ever changed.
static const char *const tables[] = {
    "CREATE TABLE matches (match INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, game TEXT NOT NULL, format TEXT NOT "
    "NULL,"
    " setup TEXT NOT NULL, board TEXT NOT NULL, camera TEXT, source TEXT NOT NULL, software TEXT NOT NULL,"
    " begun TEXT NOT NULL, ended TEXT, standing TEXT)",
    "CREATE TABLE resumptions (match INTEGER NOT NULL REFERENCES matches, observation INTEGER NOT NULL,"
    " camera TEXT, source TEXT NOT NULL, software TEXT NOT NULL, begun TEXT NOT NULL,"
    " PRIMARY KEY (match, observation, begun))",
    "CREATE TABLE players (match INTEGER NOT NULL REFERENCES matches, side INTEGER NOT NULL, place INTEGER NOT NULL,"
    " name TEXT NOT NULL, side_name TEXT NOT NULL, colour TEXT, PRIMARY KEY (match, side, place))",
    "CREATE TABLE observations (match INTEGER NOT NULL REFERENCES matches, observation INTEGER NOT NULL,"
    " t_s REAL NOT NULL, line TEXT NOT NULL, PRIMARY KEY (match, observation))",
    "CREATE TABLE shots (match INTEGER NOT NULL, observation INTEGER NOT NULL, part INTEGER NOT NULL,"
    " shot INTEGER NOT NULL, by TEXT NOT NULL, start_s REAL NOT NULL, rest_s REAL NOT NULL, event TEXT NOT NULL,"
    " PRIMARY KEY (match, observation, part), FOREIGN KEY (match, observation) REFERENCES observations)",
    "CREATE TABLE calls (match INTEGER NOT NULL, observation INTEGER NOT NULL, part INTEGER NOT NULL,"
    " t_s REAL NOT NULL, shot INTEGER NOT NULL, rule TEXT NOT NULL, what TEXT NOT NULL, side TEXT, piece INTEGER,"
    " zone TEXT, margin_in REAL, sigma_in REAL, firm INTEGER NOT NULL, text TEXT NOT NULL,"
    " change TEXT NOT NULL CHECK (change IN ('made', 'withdrawn', 'instead')), input INTEGER,"
    " PRIMARY KEY (match, observation, part), FOREIGN KEY (match, observation) REFERENCES observations)",
    "CREATE TABLE inputs (match INTEGER NOT NULL, input INTEGER NOT NULL, observation INTEGER NOT NULL,"
    " t_s REAL NOT NULL, by TEXT NOT NULL, word TEXT NOT NULL, shot INTEGER, piece INTEGER, about INTEGER, side TEXT,"
    " value TEXT, text TEXT NOT NULL, said TEXT NOT NULL, PRIMARY KEY (match, input),"
    " FOREIGN KEY (match, observation) REFERENCES observations)",
};

// Beside them, and no part of the version, as nothing but `--resume` asks for it and a ringside that does not know it
// does without: which footage was played from behind that observation. Of names alone two films in two folders are one.
static const char footage_table[] =
    "CREATE TABLE footage (match INTEGER NOT NULL REFERENCES matches, observation INTEGER NOT NULL, begun TEXT NOT "
    "NULL,"
    " path TEXT NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (match, observation, begun))";

// errno of a folder that takes no file, or of the file; 0: not known. SQLite tries once more to read alone, and keeps
// that error: "No such file" in a folder that may only be read.
static int why_unopened(const struct record *r)
{
    char folder[sizeof r->path];
    snprintf(folder, sizeof folder, "%s", r->path);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    if (access(slash ? folder : ".", W_OK | X_OK) < 0)
        return errno;
    return r->db ? sqlite3_system_errno(r->db) : 0;
}

static int failed(const struct record *r, int code, struct fail *why)
{
    const char *words = r->db ? sqlite3_errmsg(r->db) : sqlite3_errstr(code);
    int error = (code & 0xff) == SQLITE_CANTOPEN ? why_unopened(r) : 0;
    switch (code & 0xff) {
    case SQLITE_NOMEM:
        return rs_fail(why, RS_ENOMEM, "no memory for the record %.300s", r->path);
    case SQLITE_NOTADB:
        return rs_fail(why, RS_EINPUT, "%.300s is no record of matches, or it is damaged from its first byte", r->path);
    case SQLITE_CORRUPT:
        return rs_fail(why, RS_EINPUT, "the record %.300s is damaged (%.100s): ringside record check says where",
                       r->path, words);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return rs_fail(why, RS_EIO, "the record %.300s is kept busy by another program", r->path);
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return rs_fail(why, RS_EIO, "cannot use the record %.300s: %.100s%s%.80s", r->path, words, error ? ": " : "",
                       error ? strerror(error) : "");
    default:
        return rs_fail(why, RS_ELIB, "the record %.300s: %.180s", r->path, words);
    }
}

int record_query(sqlite3_stmt **out, struct record *r, const char *sql, const struct cell *cells, struct fail *why)
{
    *out = NULL;
    int code = sqlite3_prepare_v2(r->db, sql, -1, out, NULL);
    for (int i = 0; code == SQLITE_OK && cells && cells[i].kind != CELL_END; i++) {
        if (cells[i].kind == CELL_NUMBER)
            code = sqlite3_bind_int64(*out, i + 1, cells[i].number);
        else if (cells[i].kind == CELL_REAL)
            code = sqlite3_bind_double(*out, i + 1, cells[i].real);
        else
            code = sqlite3_bind_text(*out, i + 1, cells[i].text, -1, SQLITE_TRANSIENT);
    }
    if (code == SQLITE_OK)
        return 0;
    int rc = failed(r, code, why);
    sqlite3_finalize(*out);
    *out = NULL;
    return rc;
}

int record_step(struct record *r, sqlite3_stmt *s, struct fail *why)
{
    int code = sqlite3_step(s);
    return code == SQLITE_ROW ? 1 : code == SQLITE_DONE ? 0 : failed(r, code, why);
}

int record_first(sqlite3_stmt **out, struct record *r, const char *sql, const struct cell *cells, struct fail *why)
{
    int rc = record_query(out, r, sql, cells, why);
    return rc == 0 ? record_step(r, *out, why) : rc;
}

int record_run(struct record *r, const char *sql, const struct cell *cells, struct fail *why)
{
    sqlite3_stmt *s;
    int rc = record_first(&s, r, sql, cells, why);
    while (rc > 0)
        rc = record_step(r, s, why);
    sqlite3_finalize(s);
    return rc;
}

const char *record_text(sqlite3_stmt *s, int column)
{
    const char *text = (const char *)sqlite3_column_text(s, column);
    return text ? text : "";
}

char *record_plain(sqlite3_stmt *s, int column)
{
    char *text = strdup(record_text(s, column));
    if (text)
        foreign_make_plain(text);
    return text;
}

void record_time(char out[RECORD_TIME_MAX])
{
    time_t now = time(NULL);
    struct tm date;
    if (!gmtime_r(&now, &date) || strftime(out, RECORD_TIME_MAX, "%Y-%m-%dT%H:%M:%SZ", &date) == 0)
        snprintf(out, RECORD_TIME_MAX, "1970-01-01T00:00:00Z");
}

static int number_of(long *out, struct record *r, const char *sql, struct fail *why)
{
    sqlite3_stmt *s;
    int rc = record_first(&s, r, sql, NULL, why);
    if (rc > 0)
        *out = (long)sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return rc < 0 ? rc : 0;
}

static int make_table(struct record *r, const char *table, struct fail *why)
{
    char sql[1000];
    snprintf(sql, sizeof sql, "%s%s", table, sqlite3_libversion_number() >= STRICT_SINCE ? " STRICT" : "");
    return record_run(r, sql, NULL, why);
}

_Static_assert(RECORD_VERSION == 1, "check_version writes it");

// Of two programs that find no tables one makes them.
static int check_version(struct record *r, enum record_use use, struct fail *why)
{
    long application = 0, version = 0, found = 0;
    int rc = use == RECORD_WRITE ? record_run(r, "BEGIN IMMEDIATE", NULL, why) : 0;
    if (rc == 0)
        rc = number_of(&application, r, "PRAGMA application_id", why);
    if (rc == 0)
        rc = number_of(&version, r, "PRAGMA user_version", why);
    if (rc == 0)
        rc = number_of(&found, r, "SELECT count(*) FROM sqlite_schema", why);
    bool empty = use == RECORD_WRITE && application == 0 && version == 0 && found == 0;
    for (size_t i = 0; i < countof(tables) && rc == 0 && empty; i++)
        rc = make_table(r, tables[i], why);
    if (rc == 0 && empty)
        rc = record_run(r, "PRAGMA application_id = " STRING(APPLICATION_ID), NULL, why);
    if (rc == 0 && empty)
        rc = record_run(r, "PRAGMA user_version = 1", NULL, why);
    else if (rc == 0 && application != APPLICATION_ID)
        rc =
            rs_fail(why, RS_EINPUT, "%.300s is no record of matches%s", r->path,
                    application == 0 && found == 0 ? " yet: where a watch or review has just begun it, ask again" : "");
    else if (rc == 0 && version > RECORD_VERSION)
        rc = rs_fail(why, RS_EINPUT,
                     "the record %.300s is of version %ld, this ringside knows version %d: take a newer one", r->path,
                     version, RECORD_VERSION);
    long has_footage = 0;
    if (rc == 0)
        rc = number_of(&has_footage, r, "SELECT count(*) FROM sqlite_schema WHERE name = 'footage'", why);
    if (rc == 0 && use == RECORD_WRITE && !has_footage)
        rc = make_table(r, footage_table, why);
    if (rc == 0 && use == RECORD_WRITE)
        rc = record_run(r, "COMMIT", NULL, why);
    return rc;
}

static bool is_table(const char *sql, const char *table)
{
    size_t length = strlen(table);
    return strncmp(sql, table, length) == 0 && (sql[length] == '\0' || strcmp(sql + length, " STRICT") == 0);
}

// A stranger's record may have more in it than a record has. What runs when it is read or added to is refused:
// triggers, and what else has the name of a table of ours. What others added to ask it by, index or view, may stay.
static int check_tables(struct record *r, struct fail *why)
{
    sqlite3_stmt *s;
    size_t found = 0;
    bool runs = false;
    int rc = record_query(&s, r, "SELECT type, sql, name FROM sqlite_schema", NULL, why);
    while (rc == 0 && (rc = record_step(r, s, why)) > 0) {
        const char *sql = record_text(s, 1);
        for (size_t i = 0; i < countof(tables); i++)
            found += is_table(sql, tables[i]);
        runs |= strcmp(record_text(s, 0), "trigger") == 0 ||
                (strcmp(record_text(s, 2), "footage") == 0 && !is_table(sql, footage_table));
        rc = 0;
    }
    sqlite3_finalize(s);
    if (rc == 0 && (runs || found != countof(tables)))
        rc = rs_fail(why, RS_EINPUT, "the record %.300s has other tables than a record: another program changed it",
                     r->path);
    return rc;
}

// Another program's database is left as it is. Both are read of one state of the file: another ringside may make it.
static int refuse_foreign(struct record *r, struct fail *why)
{
    long application = 0, found = 0;
    int rc = record_run(r, "BEGIN", NULL, why);
    if (rc == 0)
        rc = number_of(&application, r, "PRAGMA application_id", why);
    if (rc == 0)
        rc = number_of(&found, r, "SELECT count(*) FROM sqlite_schema", why);
    if (rc == 0)
        rc = record_run(r, "COMMIT", NULL, why);
    return rc == 0 && found > 0 && application != APPLICATION_ID
               ? rs_fail(why, RS_EINPUT, "%.300s is no record of matches", r->path)
               : rc;
}

// To switch, SQLite writes in a transaction that has read already. There it does not wait for another program that
// writes, and may make the same switch, but fails at once; for one that reads it waits as usual.
static int write_ahead(struct record *r, struct fail *why)
{
    enum { REST_MS = 5 };
    const double until_s = clock_s() + PATIENCE_MS / 1e3;
    for (;;) {
        int rc = record_run(r, "PRAGMA journal_mode = WAL", NULL, why);
        bool busy = rc < 0 && (sqlite3_errcode(r->db) & 0xff) == SQLITE_BUSY;
        if (!busy || clock_s() >= until_s)
            return rc;
        sqlite3_sleep(REST_MS);
    }
}

int record_open(struct record **out, const char *path, enum record_use use, struct fail *why)
{
    struct record *r = calloc(1, sizeof *r);
    if (!r)
        return rs_fail(why, RS_ENOMEM, "no memory for the record %.300s", path);
    r->lock = -1;
    int rc = 0, flags = SQLITE_OPEN_READWRITE | (use == RECORD_WRITE ? SQLITE_OPEN_CREATE : 0);
    if (snprintf(r->path, sizeof r->path, "%s", path) >= RECORD_PATH_MAX)
        rc = rs_fail(why, RS_EINPUT, "the name of the record %.200s is too long", path);
    else if (use == RECORD_READ && access(path, F_OK) < 0)
        rc = rs_fail(why, RS_EIO, "there is no record %.300s: watch and review keep one (--book names another)", path);
    else if (access(path, F_OK) < 0)
        rc = atomic_file_check(path, why); // a link to nothing: none is made through it
    if (rc == 0) {
        int code = sqlite3_open_v2(path, &r->db, flags, NULL);
        rc = code == SQLITE_OK ? 0 : failed(r, code, why);
    }
    if (rc == 0) {
        sqlite3_extended_result_codes(r->db, 1);
        sqlite3_busy_timeout(r->db, PATIENCE_MS);
        sqlite3_db_config(r->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL); // nor what a stranger's index calculates
        rc = record_run(r, "PRAGMA foreign_keys = ON", NULL, why);
    }
    if (rc == 0 && use == RECORD_WRITE)
        rc = refuse_foreign(r, why);
    if (rc == 0 && use == RECORD_WRITE)
        rc = write_ahead(r, why);
    if (rc == 0)
        rc = record_run(r, "PRAGMA synchronous = FULL", NULL, why);
    if (rc == 0)
        rc = check_version(r, use, why);
    if (rc == 0)
        rc = check_tables(r, why);
    if (rc < 0)
        record_close(r);
    else
        *out = r;
    return rc;
}

// Rows wait in memory as the statements that they are, and are written all together or not at all.
struct held_row {
    struct held_row *next;
    const char *sql;
    bool observation; // else what follows from one
    size_t size;
    struct cell cell[]; // up to CELL_END, and behind it their texts
};

struct held_rows {
    struct held_row *first, **end;
    size_t used, most; // bytes
    long lacks;        // observations among the rows, and those that there was no room for
    bool full;         // no row is taken any more: a record has no holes
    struct fail why;   // that they could not be written
};

int record_hold_rows(struct record *r, size_t most_bytes, struct fail *why)
{
    r->held = calloc(1, sizeof *r->held);
    if (!r->held)
        return rs_fail(why, RS_ENOMEM, "no memory for the record %.300s", r->path);
    r->held->end = &r->held->first;
    r->held->most = most_bytes;
    sqlite3_busy_timeout(r->db, HELD_PATIENCE_MS);
    return 0;
}

int record_put(struct record *r, const char *sql, const struct cell *cells, struct fail *why)
{
    struct held_rows *h = r->held;
    bool observation = strncmp(sql, "INSERT INTO observations", strlen("INSERT INTO observations")) == 0;
    size_t n = 1, bytes = 0;
    if (!h)
        return record_run(r, sql, cells, why);
    for (; cells[n - 1].kind != CELL_END; n++)
        bytes += cells[n - 1].kind == CELL_TEXT && cells[n - 1].text ? strlen(cells[n - 1].text) + 1 : 0;
    size_t size = sizeof(struct held_row) + n * sizeof *cells + bytes;
    r->under_way = true;
    h->lacks += observation;
    h->full |= observation && h->used + size > h->most; // what an observation brought is kept with it
    if (h->full)
        return 0;
    struct held_row *row = malloc(size);
    if (!row)
        return rs_fail(why, RS_ENOMEM, "no memory for the record %.300s", r->path);
    *row = (struct held_row){ .sql = sql, .observation = observation, .size = size };
    memcpy(row->cell, cells, n * sizeof *cells);
    char *text = (char *)&row->cell[n];
    for (size_t i = 0; i + 1 < n; i++)
        if (cells[i].kind == CELL_TEXT && cells[i].text) {
            size_t length = strlen(cells[i].text) + 1;
            row->cell[i].text = memcpy(text, cells[i].text, length);
            text += length;
        }
    *h->end = row;
    h->end = &row->next;
    h->used += size;
    return 0;
}

static void drop_first(struct held_rows *h)
{
    struct held_row *row = h->first;
    h->first = row->next;
    h->end = h->first ? h->end : &h->first;
    h->used -= row->size;
    free(row);
}

long record_write_held(struct record *r, struct fail *why)
{
    struct held_rows *h = r->held;
    if (h->first) {
        h->why.text[0] = '\0';
        int rc = record_run(r, "BEGIN IMMEDIATE", NULL, &h->why);
        for (const struct held_row *row = h->first; row && rc == 0; row = row->next)
            rc = record_run(r, row->sql, row->cell, &h->why);
        if (rc == 0)
            rc = record_run(r, "COMMIT", NULL, &h->why);
        if (rc < 0)
            sqlite3_exec(r->db, "ROLLBACK", NULL, NULL, NULL);
        while (rc == 0 && h->first) {
            h->lacks -= h->first->observation;
            drop_first(h);
        }
    }
    if (h->lacks > 0)
        rs_fail(why, RS_EIO, "%s", h->first ? h->why.text : "they were more than could be held");
    return h->lacks;
}

void record_commit_held(struct record *r)
{
    struct fail why;
    if (!r->held->why.text[0])
        record_write_held(r, &why);
}

static void held_rows_free(struct held_rows *held)
{
    while (held && held->first)
        drop_first(held);
    free(held);
}

void record_close(struct record *r)
{
    if (!r)
        return;
    held_rows_free(r->held);
    sqlite3_close(r->db);
    if (r->lock >= 0)
        close(r->lock);
    free(r);
}
