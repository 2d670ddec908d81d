// SPDX-License-Identifier: MIT
#include "referee/record_export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/board_file.h"
#include "calibration/units.h"
#include "referee/adjudication.h"
#include "referee/announce/json.h"
#include "referee/announce/standing_json.h"
#include "referee/games/games.h"
#include "referee/log_line.h"
#include "referee/match_setup.h"
#include "referee/score_sheet.h"

// A match as it stands.
struct exported {
    const struct kept_match *kept;
    struct log_header header;
    struct match end;
    struct score_sheet sheet;
    json_t *events;           // calls, shots and what happened to the camera, in their order
    json_t *inputs, *changed; // what was said; the calls that changed by it
};

static int hear(void *self, const struct match *m, const struct ruling *r, struct fail *why)
{
    struct exported *e = self;
    struct announcer events = json_collector(e->events);
    int rc = events.say(events.self, m, r, why);
    return rc == 0 ? score_sheet_follow(&e->sheet, m, r, why) : rc;
}

// A column as it is: a number, a text or null.
static json_t *column(sqlite3_stmt *s, int i)
{
    switch (sqlite3_column_type(s, i)) {
    case SQLITE_INTEGER:
        return json_integer(sqlite3_column_int64(s, i));
    case SQLITE_FLOAT:
        return json_real(sqlite3_column_double(s, i));
    case SQLITE_NULL:
        return json_null();
    default:
        return json_string(record_text(s, i));
    }
}

// Rows as objects, by the names of their columns.
static int rows(json_t *list, struct record *r, const char *sql, long match, struct fail *why)
{
    sqlite3_stmt *s;
    int rc = record_query(&s, r, sql, (struct cell[]){ cell_number(match), { CELL_END } }, why);
    while (rc == 0 && (rc = record_step(r, s, why)) > 0) {
        json_t *row = json_object();
        for (int i = 0; i < sqlite3_column_count(s); i++)
            json_object_set_new(row, sqlite3_column_name(s, i), column(s, i));
        rc = json_array_append_new(list, row) == 0 ? 0 : rs_fail(why, RS_ENOMEM, "no memory for match %ld", match);
    }
    sqlite3_finalize(s);
    return rc;
}

static const char inputs_sql[] = "SELECT input, observation, t_s, by, word, shot, piece, about, side, value, text, said"
                                 " FROM inputs WHERE match = ? ORDER BY input";
static const char changes_sql[] = "SELECT observation, t_s, shot, rule, what, side, piece, zone, margin_in, sigma_in,"
                                  " firm, text, change, input FROM calls WHERE match = ? AND change != 'made'"
                                  " ORDER BY observation, part";

// It ends with exported_free, also after a failure.
static int read_match(struct exported *e, struct record *r, const struct kept_match *m, struct fail *why)
{
    struct log_reader *log = NULL;
    *e = (struct exported){ .kept = m, .events = json_array(), .inputs = json_array(), .changed = json_array() };
    const struct game *game = games_find(m->game);
    if (!game)
        return rs_fail(why, RS_EINPUT, "match %ld: this ringside knows no game %s", m->match, m->game);
    int rc = record_log(&log, r, m->match, why);
    if (rc == 0) {
        e->header = *log_reader_header(log);
        rc = adjudicate_as_it_stands(&e->end, log, game, (struct announcer){ hear, e }, why);
    }
    log_reader_free(log);
    if (rc == 0)
        rc = rows(e->inputs, r, inputs_sql, m->match, why);
    return rc == 0 ? rows(e->changed, r, changes_sql, m->match, why) : rc;
}

static void exported_free(struct exported *e)
{
    score_sheet_free(&e->sheet);
    json_decref(e->events);
    json_decref(e->inputs);
    json_decref(e->changed);
}

// The events of one kind, without the standing that the match has once for all where it is left out.
static json_t *events_of(const struct exported *e, const char *kind)
{
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(e->events); i++) {
        json_t *event = json_array_get(e->events, i);
        const char *is = json_string_value(json_object_get(event, "event"));
        if (is && strcmp(is, kind) == 0)
            json_array_append(list, event);
    }
    return list;
}

static int export_json(FILE *to, const struct exported *e, const char *software, struct fail *why)
{
    const struct kept_match *m = e->kept;
    json_t *ended = m->ended[0] ? json_string(m->ended) : json_null();
    json_t *camera = e->header.has_camera ? log_line_camera(&e->header.camera) : json_null();
    return json_print(to,
                      json_pack("{s:i, s:s, s:i, s:s, s:s, s:s, s:o, s:s, s:s, s:o, s:o, s:o, s:i, s:o, s:o, s:o, s:O,"
                                " s:O}",
                                "ringside_record", RECORD_VERSION, "version", software, "match", (int)m->match, "id",
                                m->id, "game", m->game, "begun", m->begun, "ended", ended, "source", m->source,
                                "kept_by", m->software, "setup", match_setup_to_json(&e->header.setup), "board",
                                board_to_json(&e->header.board), "camera", camera, "observations", (int)m->observations,
                                "standing", standing_json(&e->end), "shots", events_of(e, "shot"), "calls",
                                events_of(e, "call"), "inputs", e->inputs, "changes", e->changed),
                      why);
}

static void csv_field(FILE *to, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fprintf(to, "%s", text);
        return;
    }
    fputc('"', to);
    for (; *text; text++)
        fprintf(to, "%s%c", *text == '"' ? "\"" : "", *text);
    fputc('"', to);
}

static int export_csv(FILE *to, struct record *r, long match, struct fail *why)
{
    sqlite3_stmt *s;
    int rc = record_query(&s, r,
                          "SELECT match, observation, t_s, shot, rule, what, side, piece, zone, margin_in, sigma_in,"
                          " firm, change, input, text FROM calls WHERE match = ? ORDER BY observation, part",
                          (struct cell[]){ cell_number(match), { CELL_END } }, why);
    for (int i = 0; rc == 0 && i < sqlite3_column_count(s); i++)
        fprintf(to, "%s%s", i ? "," : "", sqlite3_column_name(s, i));
    while (rc == 0 && (rc = record_step(r, s, why)) > 0) {
        for (int i = 0; i < sqlite3_column_count(s); i++) {
            fprintf(to, "%s", i ? "," : "\r\n");
            csv_field(to, record_text(s, i));
        }
        rc = 0;
    }
    if (rc == 0)
        fprintf(to, "\r\n");
    sqlite3_finalize(s);
    return rc;
}

static int count_at(const json_t *o, const char *key)
{
    return (int)json_integer_value(json_object_get(o, key));
}

static void print_input(FILE *to, const json_t *o)
{
    char time[16];
    const char *side = json_string_value(json_object_get(o, "side"));
    const char *value = json_string_value(json_object_get(o, "value"));
    call_time_words(time, sizeof time, json_number_value(json_object_get(o, "t_s")));
    fprintf(to, "  input %d  %s  %s: %s", count_at(o, "input"), time, json_string_value(json_object_get(o, "by")),
            json_string_value(json_object_get(o, "word")));
    if (count_at(o, "shot"))
        fprintf(to, " shot %d", count_at(o, "shot"));
    if (count_at(o, "piece"))
        fprintf(to, " piece %d", count_at(o, "piece"));
    if (count_at(o, "about"))
        fprintf(to, " input %d", count_at(o, "about"));
    fprintf(to, "%s%s%s%s %s\n", side ? " " : "", side ? side : "", value ? " " : "", value ? value : "",
            json_string_value(json_object_get(o, "text")));
}

static void print_changes(FILE *to, const struct exported *e)
{
    for (size_t i = 0; i < json_array_size(e->inputs); i++) {
        const json_t *input = json_array_get(e->inputs, i);
        print_input(to, input);
        for (size_t k = 0; k < json_array_size(e->changed); k++) {
            const json_t *c = json_array_get(e->changed, k);
            if (count_at(c, "input") == count_at(input, "input"))
                fprintf(to, "      %s: shot %d %s\n",
                        strcmp(json_string_value(json_object_get(c, "change")), "withdrawn") ? "instead" : "no longer",
                        count_at(c, "shot"), json_string_value(json_object_get(c, "text")));
        }
    }
}

static void print_rounds(FILE *to, const struct exported *e)
{
    const struct standing *now = &e->end.now;
    const char *unit = e->end.board.kind == BOARD_RING ? "inning" : "round";
    for (int i = 0; i < e->sheet.rounds; i++) {
        const struct sheet_round *n = &e->sheet.round[i];
        if (i == 0 || n->game != n[-1].game) {
            fprintf(to, "\nGame %d%-14s", n->game, "");
            for (int k = 0; k < now->sides; k++)
                fprintf(to, " %-24s", standing_name(now, k));
            fprintf(to, "\n");
        }
        fprintf(to, "  %-6s %3d        ", unit, n->round);
        for (int k = 0; k < now->sides; k++) {
            char words[64] = "";
            if (e->end.board.kind == BOARD_CIRCLES)
                snprintf(words, sizeof words, " (%d on the board, %d x %d)", n->on_board[k], n->twenties[k],
                         e->end.board.hole_points);
            fprintf(to, " %3d%-21s", n->points[k], words);
        }
        fprintf(to, "\n");
        if (!n->ends_game && i + 1 < e->sheet.rounds && n[1].game == n->game)
            continue;
        fprintf(to, "  %-18s", n->ends_game ? "total" : "so far");
        for (int k = 0; k < now->sides; k++)
            fprintf(to, " %3d%-21s", n->score[k], n->ends_game && n->winner == k ? " wins" : "");
        fprintf(to, "%s\n", n->ends_game && n->winner < 0 ? " drawn" : "");
    }
}

static int export_text(FILE *to, const struct exported *e)
{
    const struct kept_match *m = e->kept;
    const struct standing *now = &e->end.now;
    fprintf(to, "SCORE SHEET\n\n%s\nFormat %s. Match %ld, begun %.10s %.5s UTC, from %s\n\n", e->end.game->title,
            m->format, m->match, m->begun, m->begun + 11, m->source);
    for (int i = 0; i < now->sides; i++) {
        const struct seat *seat = &now->side[i].seat;
        fprintf(to, "  %s", standing_name(now, i));
        if (seat->colour[0] && strcmp(seat->colour, standing_name(now, i)) != 0)
            fprintf(to, " (%s)", seat->colour);
        for (int k = 0; k < PLAYERS_MAX && seat->player[k][0]; k++)
            fprintf(to, "%s%s", k ? ", " : ": ", seat->player[k]);
        fprintf(to, "\n");
    }
    print_rounds(to, e);
    fprintf(to, "\n%s%s\n", now->over ? "Ended: " : "Not over: ", m->score[0] ? m->score : "nobody has shot yet");
    int close = 0;
    for (size_t i = 0; i < json_array_size(e->events); i++) {
        const json_t *c = json_array_get(e->events, i);
        const char *verdict = json_string_value(json_object_get(c, "verdict"));
        if (!verdict || strcmp(verdict, "close") != 0)
            continue;
        if (close++ == 0)
            fprintf(to, "\nClose calls, for the judge\n");
        fprintf(to, "  shot %d  rule %s  %s\n", count_at(c, "shot"), json_string_value(json_object_get(c, "rule")),
                json_string_value(json_object_get(c, "text")));
    }
    if (json_array_size(e->inputs) > 0) {
        fprintf(to, "\nSaid by people, and what changed by it\n");
        print_changes(to, e);
    }
    fprintf(to, "\n\nJudge   ______________________________   Date ______________\n");
    for (int i = 0; i < now->sides; i++)
        fprintf(to, "\n%-10.30s ______________________________\n", standing_name(now, i));
    return 0;
}

static json_t *cmn_team(const struct standing *now, int side)
{
    const struct seat *seat = &now->side[side].seat;
    json_t *players = json_array();
    for (int k = 0; k < now->format.players && k < PLAYERS_MAX; k++)
        json_array_append_new(
            players, json_pack("{s:s}", "name", seat->player[k][0] ? seat->player[k] : standing_name(now, side)));
    return json_pack("{s:o}", "players", players);
}

static json_t *side_or_null(int side)
{
    return side < 0 ? json_null() : json_integer(side);
}

// What CMN calls a game is a round here: where match points are given.
static json_t *cmn_game(const struct exported *e, const struct sheet_round *n)
{
    int twenty = e->end.board.hole_points, more = n->points[0] == n->points[1] ? -1 : n->points[1] > n->points[0];
    json_t *o = json_pack("{s:o, s:[i, i], s:[i, i]}", "winner", side_or_null(more), "scores",
                          n->on_board[0] + twenty * n->twenties[0], n->on_board[1] + twenty * n->twenties[1],
                          "twenties", n->twenties[0], n->twenties[1]);
    if (o && n->starter >= 0)
        json_object_set_new(o, "hammer", json_integer(n->starter));
    return o;
}

// The game that ends with the last of these rounds.
static json_t *cmn_match(const struct exported *e, const struct sheet_round *first, const struct sheet_round *last)
{
    const struct standing *now = &e->end.now;
    const struct format *f = &now->format;
    json_t *games = json_array(), *calls = json_array(), *all = events_of(e, "call");
    for (; first <= last; first++)
        json_array_append_new(games, cmn_game(e, first));
    for (size_t i = 0; i < json_array_size(all); i++) {
        json_t *c = json_array_get(all, i), *standing = json_object_get(c, "standing");
        if (count_at(standing, "game_number") != last->game)
            continue;
        c = json_copy(c);
        json_object_del(c, "standing");
        json_array_append_new(calls, c);
    }
    json_decref(all);
    json_t *o = json_pack("{s:s, s:s, s:[o, o], s:o, s:o, s:{s:s, s:s, s:o}}", "date", e->kept->begun, "format",
                          f->players > 1 ? "doubles" : "singles", "teams", cmn_team(now, 0), cmn_team(now, 1), "games",
                          games, "winner", side_or_null(last->winner), "ringside", "game", e->kept->game, "format",
                          f->name, "calls", calls);
    if (o && f->rounds > 0)
        json_object_set_new(o, "gameFormat", json_pack("{s:s, s:i}", "type", "fixed", "count", f->rounds));
    else if (o && f->target > 0)
        json_object_set_new(o, "gameFormat", json_pack("{s:s, s:i}", "type", "first_to", "target", f->target));
    return o;
}

// Crokinole Match Notation 1.0 (draft) of the Crokinole Open Data Alliance: results of finished games; the calls are an
// extension under a name of our own, which others pass over. Several games are a batch.
static int export_cmn(FILE *to, const struct exported *e, const char *software, struct fail *why)
{
    json_t *matches = json_array(), *source = json_pack("{s:s, s:s}", "app", "ringside", "version", software);
    int first = 0;
    for (int i = 0; i < e->sheet.rounds; i++) {
        const struct sheet_round *n = &e->sheet.round[i];
        char id[80];
        if (i > 0 && n->game != n[-1].game)
            first = i;
        if (!n->ends_game)
            continue;
        snprintf(id, sizeof id, "%s%s%.0d", e->kept->id, n->game > 1 ? "-" : "", n->game > 1 ? n->game : 0);
        json_array_append_new(matches,
                              json_pack("{s:s, s:o}", "id", id, "match", cmn_match(e, &e->sheet.round[first], n)));
    }
    size_t games = json_array_size(matches);
    json_t *o = json_pack("{s:s}", "cmn", "1.0");
    if (games == 1)
        json_object_update(o, json_array_get(matches, 0));
    else
        json_object_update_new(o, json_pack("{s:b, s:O}", "batch", 1, "matches", matches));
    json_object_set_new(o, "source", source);
    json_decref(matches);
    if (games > 0)
        return json_print(to, o, why);
    json_decref(o);
    return rs_fail(why, RS_EINPUT, "match %ld: no game of it is finished, and Crokinole Match Notation is for results",
                   e->kept->match);
}

int record_export(FILE *to, struct record *r, const struct kept_match *m, const char *format, const char *software,
                  struct fail *why)
{
    struct exported e;
    bool text = strcmp(format, "text") == 0, cmn = strcmp(format, "cmn") == 0;
    if (strcmp(format, "log") == 0)
        return record_print_log(to, r, m->match, why);
    if (strcmp(format, "csv") == 0)
        return export_csv(to, r, m->match, why);
    if (!text && !cmn && strcmp(format, "json") != 0)
        return rs_fail(why, RS_EINPUT, "unknown format %.40s; known: json csv text cmn log", format);
    int rc = read_match(&e, r, m, why);
    if (rc == 0 && cmn && e.end.board.kind != BOARD_CIRCLES)
        rc = rs_fail(why, RS_EINPUT, "match %ld is %s: Crokinole Match Notation is for crokinole alone", m->match,
                     m->game);
    if (rc == 0)
        rc = text ? export_text(to, &e) : cmn ? export_cmn(to, &e, software, why) : export_json(to, &e, software, why);
    exported_free(&e);
    return rc;
}

int record_print_calls(FILE *to, struct record *r, long match, struct fail *why)
{
    sqlite3_stmt *s;
    json_t *inputs = json_array();
    char time[16];
    int rc = record_query(&s, r,
                          "SELECT shot, t_s, rule, change, text, piece FROM calls WHERE match = ?"
                          " ORDER BY observation, part",
                          (struct cell[]){ cell_number(match), { CELL_END } }, why);
    fprintf(to, " shot     time  rule    call\n");
    while (rc == 0 && (rc = record_step(r, s, why)) > 0) {
        const char *change = record_text(s, 3), *piece = record_text(s, 5);
        call_time_words(time, sizeof time, sqlite3_column_double(s, 1));
        fprintf(to, "%5s  %s  %-6s  %s%s%s%s%s\n", record_text(s, 0), time, record_text(s, 2),
                strcmp(change, "withdrawn") == 0 ? "no longer: "
                : strcmp(change, "instead") == 0 ? "instead: "
                                                 : "",
                record_text(s, 4), piece[0] ? "  [piece " : "", piece, piece[0] ? "]" : "");
        rc = 0;
    }
    sqlite3_finalize(s);
    if (rc == 0)
        rc = rows(inputs, r, inputs_sql, match, why);
    if (rc == 0 && json_array_size(inputs) > 0)
        fprintf(to, "\nsaid by people\n");
    for (size_t i = 0; rc == 0 && i < json_array_size(inputs); i++)
        print_input(to, json_array_get(inputs, i));
    json_decref(inputs);
    return rc == 0 && fflush(to) != 0 ? rs_fail(why, RS_EIO, "cannot write: %s", strerror(errno)) : rc;
}
