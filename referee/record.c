// SPDX-License-Identifier: MIT
#include "referee/record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/board_file.h"
#include "calibration/json_memory.h"
#include "referee/log_line.h"
#include "referee/match_setup.h"
#include "referee/record_rows.h"

// A UUID of version 4, by chance.
#define UUID                                                                                                           \
    "lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' ||"         \
    " substr('89ab', 1 + abs(random() % 4), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))"

// One program writes a match at a time: it holds the byte of its number in a file beside the record, and the system lets
// go of it whatever becomes of the program.
static int lock_match(struct record *r, long match, struct fail *why)
{
    char path[RECORD_PATH_MAX + 8];
    snprintf(path, sizeof path, "%s.lock", r->path);
    if (r->lock < 0)
        r->lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (r->lock < 0)
        return rs_fail(why, RS_EIO, "cannot write %.300s: %s", path, strerror(errno));
    struct flock byte = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = match, .l_len = 1 };
    if (fcntl(r->lock, F_SETLK, &byte) == 0)
        return 0;
    if (errno == EACCES || errno == EAGAIN)
        return rs_fail(why, RS_EINPUT, "match %ld is being played: another ringside writes it just now", match);
    return rs_fail(why, RS_EIO, "cannot lock %.300s: %s", path, strerror(errno));
}

static int begin_transaction(struct record *r, struct fail *why)
{
    int rc = r->under_way || r->held ? 0 : record_run(r, "BEGIN IMMEDIATE", NULL, why);
    r->under_way = rc == 0;
    return rc;
}

static int commit(void *self, struct fail *why)
{
    struct record *r = self;
    if (!r->under_way)
        return 0;
    if (r->held) {
        r->under_way = false;
        record_commit_held(r); // what stays unwritten is told by record_write_held
        return 0;
    }
    int rc = record_run(r, "COMMIT", NULL, why);
    if (rc < 0)
        sqlite3_exec(r->db, "ROLLBACK", NULL, NULL, NULL);
    r->under_way = false;
    return rc;
}

int record_begin(struct record *r, const struct log_header *h, const char *software, struct fail *why)
{
    char now[RECORD_TIME_MAX];
    char *setup = log_line_text(match_setup_to_json(&h->setup)), *board = log_line_text(board_to_json(&h->board));
    char *camera = h->has_camera ? log_line_text(log_line_camera(&h->camera)) : NULL;
    record_time(now);
    int rc = record_told(setup && board && (camera || !h->has_camera), why);
    if (rc == 0)
        rc = begin_transaction(r, why);
    if (rc == 0)
        rc = record_run(r,
                        "INSERT INTO matches (id, game, format, setup, board, camera, source, software, begun)"
                        " VALUES (" UUID ", ?, ?, ?, ?, ?, ?, ?, ?)",
                        CELLS(cell_text(h->game), cell_text(h->setup.format.name), cell_text(setup), cell_text(board),
                              cell_text(camera), cell_text(h->source), cell_text(software), cell_text(now)),
                        why);
    if (rc == 0) {
        r->match = (long)sqlite3_last_insert_rowid(r->db);
        r->observation = r->inputs = r->part = 0;
        rc = lock_match(r, r->match, why);
    }
    if (rc == 0)
        rc = commit(r, why);
    free(setup);
    free(board);
    free(camera);
    return rc;
}

int record_resume(struct record *r, long match, const struct log_header *h, const char *software, struct fail *why)
{
    sqlite3_stmt *s = NULL;
    char now[RECORD_TIME_MAX];
    char *camera = h && h->has_camera ? log_line_text(log_line_camera(&h->camera)) : NULL;
    record_time(now);
    int rc = json_memory_check("the record", why);
    if (rc == 0)
        rc = lock_match(r, match, why);
    if (rc == 0)
        rc = record_first(&s, r,
                          "SELECT (SELECT coalesce(max(observation), 0) FROM observations WHERE match = ?1),"
                          " (SELECT count(*) FROM inputs WHERE match = ?1) FROM matches WHERE match = ?1",
                          CELLS(cell_number(match)), why);
    if (rc == 0)
        rc = rs_fail(why, RS_EINPUT, "there is no match %ld in %.300s", match, r->path);
    if (rc > 0) {
        r->match = match;
        r->observation = (long)sqlite3_column_int64(s, 0);
        r->inputs = sqlite3_column_int(s, 1);
        rc = 0;
    }
    sqlite3_finalize(s);
    if (rc == 0 && h) {
        rc = record_run(r,
                        "INSERT INTO resumptions (match, observation, camera, source, software, begun)"
                        " VALUES (?, ?, ?, ?, ?, ?)",
                        CELLS(cell_number(match), cell_number(r->observation), cell_text(camera), cell_text(h->source),
                              cell_text(software), cell_text(now)),
                        why);
        if (rc == 0)
            rc = record_run(r, "UPDATE matches SET ended = NULL WHERE match = ?", CELLS(cell_number(match)), why);
    }
    free(camera);
    return rc;
}

int record_replay(struct record *r, long match, long from, struct fail *why)
{
    sqlite3_stmt *s = NULL;
    int rc = record_resume(r, match, NULL, "", why);
    if (rc == 0)
        rc = record_first(&s, r, "SELECT count(*) FROM inputs WHERE match = ? AND observation <= ?",
                          CELLS(cell_number(match), cell_number(from)), why);
    if (rc > 0) {
        r->replayed = r->observation;
        r->observation = from;
        r->inputs = sqlite3_column_int(s, 0);
    }
    sqlite3_finalize(s);
    return rc < 0 ? rc : 0;
}

// The next observation comes again.
static int hold_against(struct record *r, const struct observation *o, const char *line, struct fail *why)
{
    sqlite3_stmt *s;
    r->observation++;
    r->inputs += o->kind == OBS_INPUT;
    int rc = record_first(&s, r, "SELECT line FROM observations WHERE match = ? AND observation = ?",
                          CELLS(cell_number(r->match), cell_number(r->observation)), why);
    if (rc >= 0)
        rc =
            rc > 0 && strcmp(record_text(s, 0), line) == 0
                ? 0
                : rs_fail(
                      why, RS_EINPUT,
                      "what comes at %.2f s is not what is kept of match %ld: other footage, other flags, a correction "
                      "since, or another ringside; review it as a new match, without --resume",
                      o->t_s, r->match);
    sqlite3_finalize(s);
    return rc;
}

static int keep(void *self, const struct observation *o, struct fail *why)
{
    struct record *r = self;
    json_t *json = NULL;
    // Nothing is ever erased: what cannot be read again would close the match for good.
    int rc = log_line_make(&json, o, why);
    char *line = log_line_text(json);
    if (rc == 0)
        rc = record_told(line != NULL, why);
    bool replayed = rc == 0 && r->observation < r->replayed;
    if (rc == 0)
        rc = replayed ? hold_against(r, o, line, why) : begin_transaction(r, why);
    if (rc < 0 || replayed) {
        free(line);
        return rc;
    }
    r->observation++;
    r->part = 0;
    rc = record_put(r, "INSERT INTO observations (match, observation, t_s, line) VALUES (?, ?, ?, ?)",
                    CELLS(cell_number(r->match), cell_number(r->observation), cell_real(o->t_s), cell_text(line)), why);
    free(line);
    return rc == 0 && o->kind == OBS_INPUT ? record_add_input(r, o, why) : rc;
}

static int say(void *self, const struct match *m, const struct ruling *ruling, struct fail *why)
{
    struct record *r = self;
    int rc = 0;
    if (r->observation <= r->replayed) // kept with its observation
        return 0;
    for (int i = 0; i < ruling->calls.count && rc == 0; i++)
        rc = record_add_call(r, &ruling->calls.call[i], why);
    if (rc == 0 && ruling->shot_ended)
        rc = record_add_shot(r, m, ruling, why);
    return rc == 0 ? record_set_standing(r, m, why) : rc;
}

struct observation_keeper record_keeper(struct record *r)
{
    return (struct observation_keeper){ .keep = keep, .commit = commit, .self = r };
}

struct announcer record_announcer(struct record *r)
{
    return (struct announcer){ .say = say, .self = r };
}

int record_end(struct record *r, struct fail *why)
{
    char now[RECORD_TIME_MAX];
    record_time(now);
    if (r->observation < r->replayed)
        return rs_fail(
            why, RS_EINPUT,
            "%ld observations are kept of match %ld, and only %ld came again: review it as a new match, without "
            "--resume",
            r->replayed, r->match, r->observation);
    int rc = commit(r, why);
    if (rc == 0 && r->match > 0)
        rc = record_put(r, "UPDATE matches SET ended = ? WHERE match = ?", CELLS(cell_text(now), cell_number(r->match)),
                        why);
    if (rc == 0 && r->held)
        record_write_held(r, &(struct fail){ 0 });
    return rc;
}
