// SPDX-License-Identifier: MIT
#include "referee/record.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "calibration/board_file.h"
#include "referee/announce/json.h"
#include "referee/announce/standing_json.h"
#include "referee/log_line.h"
#include "referee/match_setup.h"
#include "referee/rules/input.h"

enum { UUID_BYTES = 16, UUID_MAX = 40 };

// Of version 4: by chance.
static void make_uuid(char out[UUID_MAX])
{
    uint8_t b[UUID_BYTES] = { 0 };
    if (getrandom(b, sizeof b, 0) != (ssize_t)sizeof b)
        sqlite3_randomness(sizeof b, b);
    b[6] = (uint8_t)((b[6] & 0x0f) | 0x40);
    b[8] = (uint8_t)((b[8] & 0x3f) | 0x80);
    size_t used = 0;
    for (int i = 0; i < UUID_BYTES; i++)
        used += (size_t)snprintf(out + used, UUID_MAX - used, "%s%02x",
                                 i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", b[i]);
}

// One program writes a match at a time: it holds the byte of its number in a file beside the record, and the system lets
// go of it whatever becomes of the program.
static int lock_match(struct record *r, long match, struct fail *why)
{
    char path[RECORD_PATH_MAX + 8];
    snprintf(path, sizeof path, "%s.lock", r->path);
    if (r->lock < 0)
        r->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
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
    int rc = r->under_way ? 0 : record_run(r, "BEGIN IMMEDIATE", NULL, why);
    r->under_way = rc == 0;
    return rc;
}

static int commit(void *self, struct fail *why)
{
    struct record *r = self;
    if (!r->under_way)
        return 0;
    int rc = record_run(r, "COMMIT", NULL, why);
    if (rc < 0)
        sqlite3_exec(r->db, "ROLLBACK", NULL, NULL, NULL);
    r->under_way = false;
    return rc;
}

static int no_text(struct fail *why)
{
    return rs_fail(why, RS_EINPUT, "the record: a number is not finite, a text is not UTF-8, or there is no memory");
}

int record_begin(struct record *r, const struct log_header *h, const char *software, struct fail *why)
{
    char id[UUID_MAX], now[RECORD_TIME_MAX];
    char *setup = log_line_text(match_setup_to_json(&h->setup)), *board = log_line_text(board_to_json(&h->board));
    char *camera = h->has_camera ? log_line_text(log_line_camera(&h->camera)) : NULL;
    make_uuid(id);
    record_time(now);
    int rc = setup && board && (camera || !h->has_camera) ? begin_transaction(r, why) : no_text(why);
    if (rc == 0)
        rc = record_run(r,
                        "INSERT INTO matches (id, game, format, setup, board, camera, source, software, begun)"
                        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        (struct cell[]){ cell_text(id),
                                         cell_text(h->game),
                                         cell_text(h->setup.format.name),
                                         cell_text(setup),
                                         cell_text(board),
                                         cell_text(camera),
                                         cell_text(h->source),
                                         cell_text(software),
                                         cell_text(now),
                                         { CELL_END } },
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
    int rc = lock_match(r, match, why);
    if (rc == 0)
        rc = record_query(&s, r,
                          "SELECT (SELECT coalesce(max(observation), 0) FROM observations WHERE match = ?1),"
                          " (SELECT count(*) FROM inputs WHERE match = ?1) FROM matches WHERE match = ?1",
                          (struct cell[]){ cell_number(match), { CELL_END } }, why);
    if (rc == 0)
        rc = record_step(r, s, why);
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
                        (struct cell[]){ cell_number(match),
                                         cell_number(r->observation),
                                         cell_text(camera),
                                         cell_text(h->source),
                                         cell_text(software),
                                         cell_text(now),
                                         { CELL_END } },
                        why);
        if (rc == 0)
            rc = record_run(r, "UPDATE matches SET ended = NULL WHERE match = ?",
                            (struct cell[]){ cell_number(match), { CELL_END } }, why);
    }
    free(camera);
    return rc;
}

static struct cell cell_named(int number) // NULL where none is named
{
    return number ? cell_number(number) : cell_text(NULL);
}

static int keep_input(struct record *r, const struct observation *o, struct fail *why)
{
    char now[RECORD_TIME_MAX], value[64];
    record_time(now);
    snprintf(value, sizeof value, "%.17g,%.17g", o->input.value[0], o->input.value[1]);
    return record_run(r,
                      "INSERT INTO inputs (match, input, observation, t_s, by, word, shot, piece, about, side, value,"
                      " text, said) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                      (struct cell[]){ cell_number(r->match),
                                       cell_number(++r->inputs),
                                       cell_number(r->observation),
                                       cell_real(o->t_s),
                                       cell_text(o->input.by),
                                       cell_text(input_word(o)),
                                       cell_named(o->input.shot),
                                       cell_named(o->input.piece),
                                       cell_named(o->input.input),
                                       cell_text(o->input.side[0] ? o->input.side : NULL),
                                       cell_text(o->input.has_value ? value : NULL),
                                       cell_text(o->input.text),
                                       cell_text(now),
                                       { CELL_END } },
                      why);
}

static int keep(void *self, const struct observation *o, struct fail *why)
{
    struct record *r = self;
    char *line = log_line_text(log_line_json(o));
    int rc = line ? begin_transaction(r, why) : no_text(why);
    r->observation++;
    r->part = 0;
    if (rc == 0)
        rc = record_run(
            r, "INSERT INTO observations (match, observation, t_s, line) VALUES (?, ?, ?, ?)",
            (struct cell[]){
                cell_number(r->match), cell_number(r->observation), cell_real(o->t_s), cell_text(line), { CELL_END } },
            why);
    free(line);
    return rc == 0 && o->kind == OBS_INPUT ? keep_input(r, o, why) : rc;
}

static int keep_call(struct record *r, const struct call *c, struct fail *why)
{
    static const char *const changes[] = {
        [CALL_MADE] = "made", [CALL_WITHDRAWN] = "withdrawn", [CALL_INSTEAD] = "instead"
    };
    char zone[ZONE_WORD_MAX];
    zone_word(zone, &c->zone);
    return record_run(
        r,
        "INSERT INTO calls (match, observation, part, t_s, shot, rule, what, side, piece, zone, margin_in,"
        " sigma_in, firm, text, change, input) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (struct cell[]){ cell_number(r->match),
                         cell_number(r->observation),
                         cell_number(++r->part),
                         cell_real(c->t_s),
                         cell_number(c->shot),
                         cell_text(c->rule),
                         cell_text(c->what),
                         cell_text(c->side[0] ? c->side : NULL),
                         cell_named(c->piece),
                         cell_text(zone[0] ? zone : NULL),
                         cell_real(c->measured ? c->zone.verdict.margin_in : NAN),
                         cell_real(c->measured ? c->zone.verdict.sigma_in : NAN),
                         cell_number(c->firm),
                         cell_text(c->text),
                         cell_text(changes[c->change]),
                         cell_named(c->input),
                         { CELL_END } },
        why);
}

static int keep_shot(struct record *r, const struct match *m, const struct ruling *ruling, struct fail *why)
{
    json_t *events = json_array();
    struct announcer collector = json_collector(events);
    int rc = collector.say(collector.self, m, ruling, why);
    char *event = rc == 0 ? json_text(json_array_get(events, json_array_size(events) - 1)) : NULL;
    if (rc == 0)
        rc = event ? record_run(r,
                                "INSERT INTO shots (match, observation, part, shot, by, start_s, rest_s, event)"
                                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                                (struct cell[]){ cell_number(r->match),
                                                 cell_number(r->observation),
                                                 cell_number(++r->part),
                                                 cell_number(m->shot.number),
                                                 cell_text(m->shot.by),
                                                 cell_real(m->shot.start_s),
                                                 cell_real(m->shot.rest_s),
                                                 cell_text(event),
                                                 { CELL_END } },
                                why)
                   : no_text(why);
    free(event);
    json_decref(events);
    return rc;
}

static int keep_standing(struct record *r, const struct match *m, struct fail *why)
{
    json_t *o = standing_json(m);
    char *standing = o ? json_text(o) : NULL;
    int rc = standing ? record_run(r, "UPDATE matches SET standing = ? WHERE match = ?",
                                   (struct cell[]){ cell_text(standing), cell_number(r->match), { CELL_END } }, why)
                      : no_text(why);
    free(standing);
    json_decref(o);
    for (int i = 0; i < m->now.sides; i++) {
        const struct seat *seat = &m->now.side[i].seat;
        const char *name = standing_name(&m->now, i), *colour = seat->colour[0] ? seat->colour : NULL;
        for (int k = 0; k < PLAYERS_MAX && rc == 0 && (k == 0 || seat->player[k][0]); k++)
            rc = record_run(r,
                            "INSERT OR REPLACE INTO players (match, side, place, name, side_name, colour)"
                            " VALUES (?, ?, ?, ?, ?, ?)",
                            (struct cell[]){ cell_number(r->match),
                                             cell_number(i),
                                             cell_number(k),
                                             cell_text(seat->player[k][0] ? seat->player[k] : name),
                                             cell_text(name),
                                             cell_text(colour),
                                             { CELL_END } },
                            why);
    }
    return rc;
}

static int keep_ruling(void *self, const struct match *m, const struct ruling *ruling, struct fail *why)
{
    struct record *r = self;
    int rc = 0;
    for (int i = 0; i < ruling->calls.count && rc == 0; i++)
        rc = keep_call(r, &ruling->calls.call[i], why);
    if (rc == 0 && ruling->shot_ended)
        rc = keep_shot(r, m, ruling, why);
    return rc == 0 ? keep_standing(r, m, why) : rc;
}

struct observation_keeper record_keeper(struct record *r)
{
    return (struct observation_keeper){ keep, commit, r };
}

struct announcer record_announcer(struct record *r)
{
    return (struct announcer){ keep_ruling, r };
}

int record_end(struct record *r, struct fail *why)
{
    char now[RECORD_TIME_MAX];
    record_time(now);
    int rc = commit(r, why);
    if (rc == 0 && r->match > 0)
        rc = record_run(r, "UPDATE matches SET ended = ? WHERE match = ?",
                        (struct cell[]){ cell_text(now), cell_number(r->match), { CELL_END } }, why);
    return rc;
}
