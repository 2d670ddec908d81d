// SPDX-License-Identifier: MIT
#include "referee/record.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/board_file.h"
#include "calibration/json_memory.h"
#include "referee/announce/json.h"
#include "referee/log_line.h"
#include "referee/match_setup.h"
#include "referee/record_read.h"
#include "referee/rules/input.h"

// A UUID of version 4, by chance.
#define UUID                                                                                                           \
    "lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' ||"         \
    " substr('89ab', 1 + abs(random() % 4), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))"

// Whether all was put into words, `told` as far as anybody saw. RS_ENOMEM, RS_EINPUT.
static int all_told(bool told, struct fail *why)
{
    int rc = json_memory_check("the record", why);
    return rc < 0 || told ? rc : rs_fail(why, RS_EINPUT, "the record: a number is not finite, or a text is not UTF-8");
}

// One program writes a match at a time: it holds the byte of its number in a file beside the record, and the system
// lets go of it whatever becomes of the program.
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

// Beside the match, or what it was resumed with, as it was begun then.
static int add_footage(struct record *r, const char *begun, struct fail *why)
{
    const struct kept_footage *f = r->footage;
    return !f ? 0
              : record_run(r,
                           "INSERT OR REPLACE INTO footage (match, observation, begun, path, bytes) VALUES (?, ?, ?, "
                           "?, ?)",
                           CELLS(cell_number(r->match), cell_number(r->observation), cell_text(begun),
                                 cell_text(f->path), cell_number(f->bytes)),
                           why);
}

int record_begin(struct record *r, const struct log_header *h, const char *software, struct fail *why)
{
    char now[RECORD_TIME_MAX];
    char *setup = log_line_text(match_setup_to_json(&h->setup)), *board = log_line_text(board_to_json(&h->board));
    char *camera = h->has_camera ? log_line_text(log_line_camera(&h->camera)) : NULL;
    record_time(now);
    int rc = all_told(setup && board && (camera || !h->has_camera), why);
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
        rc = add_footage(r, now, why);
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
            rc = add_footage(r, now, why);
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

// What an observation brought, as rows, within its transaction.

static struct cell cell_named(int number) // NULL where none is named
{
    return number ? cell_number(number) : cell_text(NULL);
}

static int add_input(struct record *r, const struct observation *o, struct fail *why)
{
    char now[RECORD_TIME_MAX], value[64];
    record_time(now);
    snprintf(value, sizeof value, "%.17g,%.17g", o->input.value[0], o->input.value[1]);
    return record_put(r,
                      "INSERT INTO inputs (match, input, observation, t_s, by, word, shot, piece, about, side, value,"
                      " text, said) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                      CELLS(cell_number(r->match), cell_number(++r->inputs), cell_number(r->observation),
                            cell_real(o->t_s), cell_text(o->input.by), cell_text(input_word(o)),
                            cell_named(o->input.shot), cell_named(o->input.piece), cell_named(o->input.input),
                            cell_text(o->input.side[0] ? o->input.side : NULL),
                            cell_text(o->input.has_value ? value : NULL), cell_text(o->input.text), cell_text(now)),
                      why);
}

static int add_call(struct record *r, const struct call *c, struct fail *why)
{
    static const char *const changes[] = {
        [CALL_MADE] = "made", [CALL_WITHDRAWN] = "withdrawn", [CALL_INSTEAD] = "instead"
    };
    char zone[ZONE_WORD_MAX];
    zone_word(zone, &c->zone);
    return record_put(
        r,
        "INSERT INTO calls (match, observation, part, t_s, shot, rule, what, side, piece, zone, margin_in,"
        " sigma_in, firm, text, change, input) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        CELLS(cell_number(r->match), cell_number(r->observation), cell_number(++r->part), cell_real(c->t_s),
              cell_number(c->shot), cell_text(c->rule), cell_text(c->what), cell_text(c->side[0] ? c->side : NULL),
              cell_named(c->piece), cell_text(zone[0] ? zone : NULL),
              cell_real(c->measured ? c->zone.verdict.margin_in : NAN),
              cell_real(c->measured ? c->zone.verdict.sigma_in : NAN), cell_number(c->firm), cell_text(c->text),
              cell_text(changes[c->change]), cell_named(c->input)),
        why);
}

static int add_shot(struct record *r, const struct match *m, const struct ruling *ruling, struct fail *why)
{
    char *event = json_text(json_shot(m, ruling));
    int rc = all_told(event != NULL, why);
    if (rc == 0)
        rc = record_put(r,
                        "INSERT INTO shots (match, observation, part, shot, by, start_s, rest_s, event)"
                        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                        CELLS(cell_number(r->match), cell_number(r->observation), cell_number(++r->part),
                              cell_number(m->shot.number), cell_text(m->shot.by), cell_real(m->shot.start_s),
                              cell_real(m->shot.rest_s), cell_text(event)),
                        why);
    free(event);
    return rc;
}

static int set_standing(struct record *r, const struct match *m, struct fail *why)
{
    char *standing = json_text(standing_json(m));
    int rc = all_told(standing != NULL, why);
    if (rc == 0)
        rc = record_put(r, "UPDATE matches SET standing = ? WHERE match = ?",
                        CELLS(cell_text(standing), cell_number(r->match)), why);
    free(standing);
    for (int i = 0; i < m->now.sides; i++) {
        const struct seat *seat = &m->now.side[i].seat;
        const char *name = standing_name(&m->now, i), *colour = seat->colour[0] ? seat->colour : NULL;
        for (int k = 0; k < PLAYERS_MAX && rc == 0 && (k == 0 || seat->player[k][0]); k++)
            rc = record_put(r,
                            "INSERT OR REPLACE INTO players (match, side, place, name, side_name, colour)"
                            " VALUES (?, ?, ?, ?, ?, ?)",
                            CELLS(cell_number(r->match), cell_number(i), cell_number(k),
                                  cell_text(seat->player[k][0] ? seat->player[k] : name), cell_text(name),
                                  cell_text(colour)),
                            why);
    }
    return rc;
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
        rc = all_told(line != NULL, why);
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
    return rc == 0 && o->kind == OBS_INPUT ? add_input(r, o, why) : rc;
}

static int say(void *self, const struct match *m, const struct ruling *ruling, struct fail *why)
{
    struct record *r = self;
    int rc = 0;
    if (r->observation <= r->replayed) // kept with its observation
        return 0;
    for (int i = 0; i < ruling->calls.count && rc == 0; i++)
        rc = add_call(r, &ruling->calls.call[i], why);
    if (rc == 0 && ruling->shot_ended)
        rc = add_shot(r, m, ruling, why);
    return rc == 0 ? set_standing(r, m, why) : rc;
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

int record_correct(struct record *r, long match, struct observation *said, struct announcer who, struct fail *why)
{
    struct adjudication a = { .game = NULL };
    struct log_reader *log = NULL;
    const struct game *game = NULL;
    int rc = record_resume(r, match, NULL, "", why);
    if (rc == 0)
        rc = record_log(&log, &game, r, match, why);
    if (rc == 0)
        rc = adjudication_begin(&a, game, log_reader_header(log), why);
    if (rc == 0)
        rc = adjudication_read(&a, log, why);
    if (rc == 0)
        rc = adjudication_check_word(&a, said, why);
    if (rc == 0)
        rc = adjudication_add(&a, record_announcer(r), why);
    if (rc == 0)
        rc = adjudication_add(&a, who, why);
    if (rc == 0) {
        a.keeper = record_keeper(r);
        said->t_s = a.last_s;
        rc = adjudication_take(&a, said, why);
    }
    if (rc == 0)
        rc = adjudication_commit(&a, why);
    adjudication_end(&a);
    log_reader_free(log);
    return rc;
}
