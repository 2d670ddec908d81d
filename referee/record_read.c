// SPDX-License-Identifier: MIT
#include "referee/record_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "calibration/foreign.h"
#include "calibration/json_memory.h"
#include "calibration/text.h"
#include "calibration/units.h"
#include "referee/games/games.h"
#include "referee/log_line.h"

#define LAST(column) " (SELECT " column " FROM resumptions r WHERE r.match = m.match ORDER BY rowid DESC LIMIT 1)"

static const char kept_columns[] =
    "SELECT match, id, game, format, begun, ended, source, software, standing,"
    " (SELECT count(*) FROM observations o WHERE o.match = m.match),"
    " (SELECT coalesce(max(shot), 0) FROM shots s WHERE s.match = m.match),"
    " (SELECT count(*) FROM inputs i WHERE i.match = m.match)," LAST("observation") " FROM matches m ";

// "Anna 4 (3 to 4), Ben 2", of a number that each side's standing has, and of how much it may be, where that is told.
static void add_sides(char *out, size_t size, const json_t *sides, const char *number, const char *range)
{
    for (size_t i = 0; i < json_array_size(sides); i++) {
        const json_t *side = json_array_get(sides, i), *may_be = json_object_get(side, range);
        const char *name = json_string_value(json_object_get(side, "name"));
        struct points points = points_exactly((int)json_integer_value(json_object_get(side, number)));
        char words[POINTS_WORDS_MAX];
        if (may_be) {
            points.least = (int)json_integer_value(json_array_get(may_be, 0));
            points.most = (int)json_integer_value(json_array_get(may_be, 1));
        }
        points_words(words, points);
        text_add(out, size, "%s%s %s", i ? ", " : "", name ? name : "?", words);
    }
}

// Who wins is said of one game; a match of more goes on for as long as people wish.
static void write_score(char *out, size_t size, const json_t *standing, long shots)
{
    const json_t *sides = json_object_get(standing, "sides");
    const long long game = json_integer_value(json_object_get(standing, "game_number"));
    const char *winner = json_string_value(json_object_get(standing, "winner"));
    char result[RESULT_WORDS_MAX];
    snprintf(out, size, "%s", json_array_size(sides) > 0 ? "" : standing_no_sides(shots));
    if (game > 1 && json_array_size(sides) > 0) {
        text_add(out, size, "games ");
        add_sides(out, size, sides, "games", "");
        text_add(out, size, "; game %lld: ", game);
    }
    add_sides(out, size, sides, "points", "points_range");
    standing_result_words(result, winner, json_is_true(json_object_get(standing, "close")));
    if (game <= 1 && json_is_true(json_object_get(standing, "over")))
        text_add(out, size, "; %s", result);
    if (json_is_true(json_object_get(standing, "history_lost")))
        text_add(out, size, " (as far as seen)");
}

static void read_kept(struct kept_match *out, sqlite3_stmt *s)
{
    *out = (struct kept_match){ .match = (long)sqlite3_column_int64(s, 0),
                                .observations = (long)sqlite3_column_int64(s, 9),
                                .shots = (long)sqlite3_column_int64(s, 10),
                                .inputs = (long)sqlite3_column_int64(s, 11),
                                .before_last = (long)sqlite3_column_int64(s, 12) };
    snprintf(out->id, sizeof out->id, "%s", record_text(s, 1));
    snprintf(out->game, sizeof out->game, "%s", record_text(s, 2));
    snprintf(out->format, sizeof out->format, "%s", record_text(s, 3));
    snprintf(out->begun, sizeof out->begun, "%s", record_text(s, 4));
    snprintf(out->ended, sizeof out->ended, "%s", record_text(s, 5));
    snprintf(out->source, sizeof out->source, "%s", record_text(s, 6));
    snprintf(out->software, sizeof out->software, "%s", record_text(s, 7));
    char *const texts[] = { out->id,    out->game,   out->format,   out->begun,
                            out->ended, out->source, out->software, out->score };
    json_t *standing = json_loads(record_text(s, 8), 0, NULL);
    write_score(out->score, sizeof out->score, standing, out->shots);
    json_decref(standing);
    for (size_t i = 0; i < countof(texts); i++)
        foreign_make_plain(texts[i]);
}

int record_find(struct kept_match *out, struct record *r, long match, struct fail *why)
{
    char sql[sizeof kept_columns + 64];
    sqlite3_stmt *s;
    snprintf(sql, sizeof sql, "%s%s", kept_columns, match ? "WHERE match = ?" : "ORDER BY match DESC LIMIT 1");
    int rc = record_first(&s, r, sql, match ? CELLS(cell_number(match)) : NULL, why);
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

// What was played, a row each time somebody began; the last of a match is the one of its greatest rowid.
#define PLAYED                                                                                                         \
    "(SELECT match, 0 AS observation, source, begun, 0 AS place FROM matches UNION ALL"                                \
    " SELECT match, observation, source, begun, rowid FROM resumptions)"

// Of a row p of it, with the footage's name, path and size as ?1, ?2 and ?3.
#define IS_OF_FOOTAGE                                                                                                  \
    "p.source = ?1 AND NOT EXISTS (SELECT 1 FROM footage f WHERE f.match = p.match AND f.observation = p.observation"  \
    " AND f.begun = p.begun AND f.path != ?2 AND f.bytes != ?3)"

int record_find_cut_short(struct kept_match *out, struct record *r, long match, const struct kept_footage *footage,
                          struct fail *why)
{
    char sql[sizeof kept_columns + 1000];
    sqlite3_stmt *s;
    snprintf(
        sql, sizeof sql,
        "%sWHERE ended IS NULL AND (match = ?4 OR ?4 = 0) AND EXISTS (SELECT 1 FROM " PLAYED
        " p WHERE p.match = m.match AND p.place = (SELECT coalesce(max(rowid), 0) FROM resumptions r WHERE r.match "
        "= m.match) AND " IS_OF_FOOTAGE ") ORDER BY match DESC LIMIT 1",
        kept_columns);
    int rc = record_first(
        &s, r, sql,
        CELLS(cell_text(footage->name), cell_text(footage->path), cell_number(footage->bytes), cell_number(match)),
        why);
    if (rc > 0)
        read_kept(out, s);
    sqlite3_finalize(s);
    return rc;
}

int record_has_footage(struct record *r, long match, const struct kept_footage *footage, struct fail *why)
{
    sqlite3_stmt *s;
    int rc = record_first(
        &s, r, "SELECT 1 FROM " PLAYED " p WHERE p.match = ?4 AND " IS_OF_FOOTAGE,
        CELLS(cell_text(footage->name), cell_text(footage->path), cell_number(footage->bytes), cell_number(match)),
        why);
    sqlite3_finalize(s);
    return rc;
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

// Of the footage that the match began with; 0 where it began with a camera. A record that is only read may be older
// than sizes are kept.
static int footage_bytes(long long *out, struct record *r, long match, struct fail *why)
{
    sqlite3_stmt *s = NULL;
    *out = 0;
    int rc = record_first(&s, r, "SELECT 1 FROM sqlite_schema WHERE name = 'footage'", NULL, why);
    sqlite3_finalize(s);
    if (rc <= 0)
        return rc;
    rc = record_first(&s, r,
                      "SELECT f.bytes FROM footage f JOIN matches m ON m.match = f.match AND m.begun = f.begun"
                      " WHERE f.match = ? AND f.observation = 0",
                      CELLS(cell_number(match)), why);
    if (rc > 0)
        *out = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return rc < 0 ? rc : 0;
}

int record_print_log(FILE *to, struct record *r, long match, struct fail *why)
{
    const struct cell *which = CELLS(cell_number(match));
    sqlite3_stmt *s;
    char *header = NULL;
    long long bytes;
    int rc = footage_bytes(&bytes, r, match, why);
    if (rc < 0)
        return rc;
    rc = record_first(&s, r, "SELECT game, board, camera, source, setup FROM matches WHERE match = ?", which, why);
    if (rc == 0)
        rc = rs_fail(why, RS_EINPUT, "there is no match %ld in %.300s: ringside record list shows which there are",
                     match, r->path);
    if (rc > 0) {
        const char *camera = record_text(s, 2);
        header = log_line_text(json_pack("{s:i, s:s, s:o, s:o, s:s, s:o*, s:o}", "ringside", 1, "game",
                                         record_text(s, 0), "board", json_loads(record_text(s, 1), 0, NULL), "camera",
                                         camera[0] ? json_loads(camera, 0, NULL) : json_null(), "source",
                                         record_text(s, 3), "source_bytes", bytes > 0 ? json_integer(bytes) : NULL,
                                         "match", json_loads(record_text(s, 4), 0, NULL)));
    }
    if (rc > 0 && sqlite3_errcode(r->db) == SQLITE_NOMEM)
        rc = rs_fail(why, RS_ENOMEM, "no memory for match %ld", match);
    else if (rc > 0 && json_memory_check("the record", why) < 0)
        rc = RS_ENOMEM;
    else if (rc > 0 && (!header || !foreign_is_plain(header)))
        rc = rs_fail(why, RS_EINPUT, "match %ld of %.300s: its setup is damaged", match, r->path);
    sqlite3_finalize(s);
    if (rc < 0) {
        free(header);
        return rc;
    }
    bool written = fprintf(to, "%s\n", header) >= 0;
    free(header);
    rc = record_query(&s, r, "SELECT line FROM observations WHERE match = ? ORDER BY observation", which, why);
    while (written && rc == 0 && (rc = record_step(r, s, why)) > 0) {
        const char *line = record_text(s, 0);
        // What reads a log would refuse it too, but it may be on its way to a terminal.
        rc = foreign_is_plain(line)
                 ? 0
                 : rs_fail(why, RS_EINPUT, "match %ld of %.300s: an observation holds a control character", match,
                           r->path);
        written = rc < 0 || fprintf(to, "%s\n", line) >= 0;
    }
    sqlite3_finalize(s);
    if (rc == 0 && (!written || fflush(to) != 0))
        rc = rs_fail(why, RS_EIO, "cannot write the log of match %ld: %s", match, strerror(errno));
    return rc;
}

int record_log(struct log_reader **out, const struct game **game, struct record *r, long match, struct fail *why)
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
    rc = log_reader_open_file(out, scratch, name, why);
    if (rc < 0)
        return rc;
    const char *played = log_reader_header(*out)->game;
    *game = games_find(played);
    return *game ? 0 : rs_fail(why, RS_EINPUT, "match %ld: this ringside knows no game %s", match, played);
}
