// SPDX-License-Identifier: MIT
#include <string.h>

#include "calibration/foreign.h"
#include "calibration/interrupt.h"
#include "calibration/units.h"
#include "referee/record.h"
#include "referee/record_read.h"

// Rows of a statement as faults: those that are not "ok".
static int tell_rows(int *faults, FILE *to, struct record *r, const char *sql, const char *what, struct fail *why)
{
    sqlite3_stmt *s;
    int rc = record_query(&s, r, sql, NULL, why);
    while (rc == 0 && (rc = record_step(r, s, why)) > 0) {
        rc = 0;
        if (strcmp(record_text(s, 0), "ok") == 0)
            continue;
        foreign_tell(to, "%s: %s %s", what, record_text(s, 0), record_text(s, 1));
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
    const struct game *game = NULL;
    int rc = record_log(&log, &game, r, match, why);
    for (size_t i = 0; i < countof(again) && rc == 0; i++) {
        char sql[128];
        snprintf(sql, sizeof sql, "CREATE TEMP TABLE %s AS SELECT * FROM main.%s WHERE 0", again[i], again[i]);
        rc = record_run(r, sql, NULL, why);
    }
    if (rc == 0) // of which the later replaces the earlier
        rc = record_run(r, "CREATE UNIQUE INDEX temp.place ON players (match, side, place)", NULL, why);
    if (rc == 0)
        rc = record_run(r, "INSERT INTO temp.matches SELECT * FROM main.matches WHERE match = ?",
                        CELLS(cell_number(match)), why);
    if (rc == 0)
        rc = record_run(r, "UPDATE temp.matches SET standing = NULL", NULL, why);
    if (rc == 0)
        rc = adjudication_begin(&a, game, log_reader_header(log), why);
    if (rc == 0)
        rc = adjudication_add(&a, record_announcer(r), why);
    r->match = match;
    r->observation = r->inputs = r->part = 0;
    a.keeper = record_keeper(r);
    if (rc == 0)
        rc = adjudication_read(&a, log, why);
    adjudication_end(&a);
    log_reader_free(log);
    return rc;
}

// What is compared, and by which columns, of which one is called observation.
static const struct {
    const char *table, *columns;
} compared[] = {
    { "calls", "*" },
    { "shots", "*" },
    { "inputs", "input, observation, t_s, by, word, shot, piece, about, side, value, text" },
    { "matches", "match, standing, 0 AS observation" }, // how it stands, after the last one
    { "players", "*, 0 AS observation" },
};

// Another ringside than that one, which kept the match or a part of it: 1, with its words; 0 when there is none. Its
// rules and its words for them may have been others.
static int other_keeper(char out[KEPT_WORDS_MAX], struct record *r, long match, const char *software, struct fail *why)
{
    sqlite3_stmt *s;
    int rc = record_first(&s, r,
                          "SELECT software FROM (SELECT match, software FROM main.matches UNION ALL"
                          " SELECT match, software FROM resumptions) WHERE match = ? AND software != ?",
                          CELLS(cell_number(match), cell_text(software)), why);
    snprintf(out, KEPT_WORDS_MAX, "%s", rc > 0 ? record_text(s, 0) : "");
    foreign_make_plain(out);
    sqlite3_finalize(s);
    return rc;
}

static int compare(struct record_faults *found, FILE *to, struct record *r, long match, const char *software,
                   const char *table, const char *columns, struct fail *why)
{
    char sql[1024];
    sqlite3_stmt *s;
    snprintf(sql, sizeof sql,
             "SELECT count(*), min(observation) FROM"
             " (SELECT * FROM (SELECT %s FROM main.%s WHERE match = ?1 EXCEPT SELECT %s FROM temp.%s)"
             " UNION ALL SELECT * FROM (SELECT %s FROM temp.%s EXCEPT SELECT %s FROM main.%s WHERE match = ?1))",
             columns, table, columns, table, columns, table, columns, table);
    int rc = record_first(&s, r, sql, CELLS(cell_number(match)), why);
    bool differs = rc > 0 && sqlite3_column_int64(s, 0) > 0;
    long long from = differs ? sqlite3_column_int64(s, 1) : 0;
    sqlite3_finalize(s);
    char other[KEPT_WORDS_MAX];
    if (!differs || (rc = other_keeper(other, r, match, software, why)) < 0)
        return rc < 0 ? rc : 0;
    if (rc > 0)
        fprintf(to, "match %ld: %s come out otherwise than ringside %s kept them, from observation %lld on\n", match,
                table, other, from);
    else
        fprintf(to, "match %ld: %s are not those that its observations give, from observation %lld on\n", match, table,
                from);
    ++*(rc > 0 ? &found->otherwise : &found->faults);
    return 0;
}

// The next match behind that one; 0 for none.
static int next_match(long *match, struct record *r, struct fail *why)
{
    sqlite3_stmt *s;
    int rc = record_first(&s, r, "SELECT min(match) FROM matches WHERE match > ?", CELLS(cell_number(*match)), why);
    *match = rc > 0 ? (long)sqlite3_column_int64(s, 0) : 0;
    sqlite3_finalize(s);
    return rc < 0 ? rc : 0;
}

int record_check(struct record_faults *out, FILE *to, struct record *r, const char *software, struct fail *why)
{
    int *faults = &out->faults;
    *out = (struct record_faults){ 0 };
    int rc = tell_rows(faults, to, r, "PRAGMA integrity_check", "the file", why);
    if (rc == 0)
        rc = tell_rows(faults, to, r, "PRAGMA foreign_key_check", "a row without what it belongs to", why);
    if (rc == 0)
        rc = tell_rows(faults, to, r,
                       "SELECT match FROM observations GROUP BY match HAVING count(*) != max(observation)",
                       "observations are missing in match", why);
    if (rc == 0)
        rc = record_run(r, "PRAGMA temp_store = MEMORY", NULL, why);
    // One after the other and not in one statement: what is open while tables come and go holds them.
    long match = 0;
    if (rc == 0 && *faults == 0)
        rc = next_match(&match, r, why);
    while (rc == 0 && match > 0 && (rc = interrupt_check(why)) == 0) {
        struct fail cause;
        r->under_way = true; // nothing is written to the file
        rc = judge_again(r, match, &cause);
        for (size_t i = 0; i < countof(compared) && rc == 0; i++)
            rc = compare(out, to, r, match, software, compared[i].table, compared[i].columns, &cause);
        r->under_way = false;
        if (rc == RS_EINPUT) {
            fprintf(to, "%s\n", cause.text);
            ++*faults;
        } else if (rc < 0) {
            *why = cause;
            return rc;
        }
        rc = 0;
        for (size_t i = 0; i < countof(again) && rc == 0; i++) {
            char sql[64];
            snprintf(sql, sizeof sql, "DROP TABLE IF EXISTS temp.%s", again[i]);
            rc = record_run(r, sql, NULL, why);
        }
        if (rc == 0)
            rc = next_match(&match, r, why);
    }
    return rc;
}
