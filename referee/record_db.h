// SPDX-License-Identifier: MIT
// record_db.h: the file that keeps matches: SQLite, its tables, and what can go wrong with it, in words.
//
// Write-ahead log with synchronous=FULL: what was committed is on the disk, and a program killed, a machine without
// power or a full disk loses at most what was not, and damages nothing. One thread uses an open file; several programs
// may have it open at once and wait for one another.
#ifndef RINGSIDE_REFEREE_RECORD_DB_H
#define RINGSIDE_REFEREE_RECORD_DB_H

#include <stdbool.h>
#include <stddef.h>

#include <sqlite3.h>

#include "calibration/fail.h"

enum {
    RECORD_VERSION = 1, // of the tables; a file of a higher one is refused
    RECORD_PATH_MAX = 4096,
};

// By which footage is known again. Its name stands with its match and goes where that goes; the rest stays in the file.
struct kept_footage {
    char name[256];
    char path[RECORD_PATH_MAX]; // absolute, without links
    long bytes;
};

struct record {
    char path[RECORD_PATH_MAX];
    sqlite3 *db;
    int lock;         // file by which programs tell one another which match they write; -1: none is written
    long match;       // that is written; 0: none
    long observation; // number of the last one
    int inputs, part; // inputs so far; rows that the last observation brought
    long replayed;    // the number up to which observations are there already and come again; 0: all are new
    bool under_way;   // a transaction
    const struct kept_footage *footage; // borrowed; what is played of it; NULL: a camera
    struct held_rows *held;             // that wait to be written; NULL: what cannot be written is a failure
};

enum record_use { RECORD_READ, RECORD_WRITE };

// To read there has to be one; to write it is made when missing, in a folder that is there. The caller ends with
// record_close, which takes NULL. RS_EIO; RS_EINPUT when it is another kind of file, damaged, of a newer version or
// with other tables than a record has; RS_ELIB, RS_ENOMEM.
int record_open(struct record **out, const char *path, enum record_use use, struct fail *why);

// What was not committed is not kept.
void record_close(struct record *r);

// A value for a statement's next "?"; a statement's are CELLS(...), which ends them.
struct cell {
    enum { CELL_END, CELL_NUMBER, CELL_REAL, CELL_TEXT } kind;
    long number;
    double real; // not a number: NULL
    const char *text;
};

#define CELLS(...) ((struct cell[]){ __VA_ARGS__, { CELL_END } })

static inline struct cell cell_number(long n)
{
    return (struct cell){ .kind = CELL_NUMBER, .number = n };
}

static inline struct cell cell_real(double x)
{
    return (struct cell){ .kind = CELL_REAL, .real = x };
}

// NULL for NULL.
static inline struct cell cell_text(const char *text)
{
    return (struct cell){ .kind = CELL_TEXT, .text = text };
}

// A statement with its CELLS (NULL: none), to be stepped and ended with sqlite3_finalize. RS_E... as record_open.
int record_query(sqlite3_stmt **out, struct record *r, const char *sql, const struct cell *cells, struct fail *why);

// The next row: 1, or 0 at the end. RS_E... as record_open, here and below.
int record_step(struct record *r, sqlite3_stmt *s, struct fail *why);

// The same, to be stepped to its first row: 1, or 0 when there is none. *out ends with sqlite3_finalize in any case.
int record_first(sqlite3_stmt **out, struct record *r, const char *sql, const struct cell *cells, struct fail *why);

// A statement whose rows, if any, are of no interest.
int record_run(struct record *r, const char *sql, const struct cell *cells, struct fail *why);

// From now on record_put holds rows, up to so many bytes of them, so that the file is a beginning of the match at any
// time. RS_ENOMEM.
int record_hold_rows(struct record *r, size_t most_bytes, struct fail *why);

// One row: written now (record_run), or held where rows are. `sql` is static. RS_E... as record_run; RS_ENOMEM.
int record_put(struct record *r, const char *sql, const struct cell *cells, struct fail *why);

// What one or more observations brought is complete: what is held is written, unless that could not be done the last
// time; then record_write_held tries again.
void record_commit_held(struct record *r);

// Writes what is held, as far as that goes now. How many observations are not in the file, and then why.
long record_write_held(struct record *r, struct fail *why);

// The text of a column; empty for NULL. Borrowed until the next step.
const char *record_text(sqlite3_stmt *s, int column);

// The same made plain (foreign.h), for whoever reads it: a copy that the caller frees; NULL when there is no memory.
char *record_plain(sqlite3_stmt *s, int column);

// "2026-11-22T20:15:00Z"
enum { RECORD_TIME_MAX = 24 };
void record_time(char out[RECORD_TIME_MAX]);

#endif
