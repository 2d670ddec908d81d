// SPDX-License-Identifier: MIT
#include "referee/record_export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/board_file.h"
#include "calibration/foreign.h"
#include "calibration/units.h"
#include "referee/adjudication.h"
#include "referee/announce/json.h"
#include "referee/log_line.h"
#include "referee/match_setup.h"
#include "referee/record_stands.h"

// What lay there when the shot began. Of a piece that was only just put down to be shot, where it was shot from. NULL
// without memory.
static json_t *lay_before(const struct shot *s)
{
    json_t *list = json_array();
    for (int i = 0; i < s->count; i++) {
        const struct outcome *o = &s->piece[i];
        const struct known_piece *p = &o->piece;
        bool shot = p->id == s->shooter;
        struct pt_in at = shot && !o->was_lying ? s->from : o->was_at;
        if (shot || o->was_lying)
            json_list_add(&list,
                          json_pack("{s:s, s:s, s:f, s:f, s:b, s:f, s:f, s:b}", "colour", p->colour, "role",
                                    p->lying.taw ? "taw" : "target", "x_in", at.x, "y_in", at.y, "moved", o->moved,
                                    "to_x_in", p->lying.at.x, "to_y_in", p->lying.at.y, "left", o->left));
    }
    return list;
}

static int say(void *self, const struct match *m, const struct ruling *r, struct fail *why)
{
    struct exported *e = self;
    struct announcer events = json_collector(e->events);
    int failed = 0, rc = events.say(events.self, m, r, why);
    if (rc == 0 && r->shot_ended)
        failed |= json_array_append_new(e->before, lay_before(&m->shot));
    while (rc == 0 && !failed && json_array_size(e->players) < json_array_size(e->events))
        failed |= json_array_append_new(e->players, json_string(r->player));
    if (failed)
        return rs_fail(why, RS_ENOMEM, "no memory for the shots of a match");
    return rc == 0 ? score_sheet_follow(&e->sheet, m, why) : rc;
}

// Rows as objects, by the names of their columns.
static int rows(json_t *list, struct record *r, const char *sql, long match, struct fail *why)
{
    sqlite3_stmt *s;
    int rc = record_query(&s, r, sql, CELLS(cell_number(match)), why);
    while (rc == 0 && (rc = record_step(r, s, why)) > 0) {
        json_t *row = json_object();
        for (int i = 0; i < sqlite3_column_count(s); i++) {
            int type = sqlite3_column_type(s, i);
            char *text = type == SQLITE_TEXT || type == SQLITE_BLOB ? record_plain(s, i) : NULL;
            json_object_set_new(row, sqlite3_column_name(s, i),
                                type == SQLITE_INTEGER ? json_integer(sqlite3_column_int64(s, i))
                                : type == SQLITE_FLOAT ? json_real(sqlite3_column_double(s, i))
                                : text                 ? json_string(text)
                                                       : json_null());
            free(text);
        }
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

// It ends with finish, also after a failure. RS_E... as record_log and adjudicate_as_it_stands.
static int read_match(struct exported *e, struct record *r, const struct kept_match *m, struct fail *why)
{
    struct log_reader *log = NULL;
    *e = (struct exported){ .kept = m,
                            .events = json_array(),
                            .players = json_array(),
                            .before = json_array(),
                            .inputs = json_array(),
                            .changed = json_array() };
    const struct game *game;
    int rc = record_log(&log, &game, r, m->match, why);
    if (rc == 0) {
        e->header = *log_reader_header(log);
        rc = adjudicate_as_it_stands(&e->end, log, game, (struct announcer){ .say = say, .self = e }, why);
    }
    log_reader_free(log);
    if (rc == 0)
        rc = rows(e->inputs, r, inputs_sql, m->match, why);
    return rc == 0 ? rows(e->changed, r, changes_sql, m->match, why) : rc;
}

static void finish(struct exported *e)
{
    score_sheet_free(&e->sheet);
    json_decref(e->events);
    json_decref(e->players);
    json_decref(e->before);
    json_decref(e->inputs);
    json_decref(e->changed);
}

json_t *exported_events(const struct exported *e, const char *kind)
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

int exported_number(const json_t *o, const char *key)
{
    return (int)json_integer_value(json_object_get(o, key));
}

const char *exported_text(const json_t *o, const char *key)
{
    const char *text = json_string_value(json_object_get(o, key));
    return text ? text : "";
}

void exported_said(char out[INPUT_WORDS_MAX], const json_t *input)
{
    struct observation o = { .kind = OBS_INPUT };
    input_set(&o, exported_text(input, "word"));
    o.input.shot = exported_number(input, "shot");
    o.input.piece = exported_number(input, "piece");
    o.input.input = exported_number(input, "about");
    o.input.has_value = sscanf(exported_text(input, "value"), "%lf,%lf", &o.input.value[0], &o.input.value[1]) == 2;
    snprintf(o.input.side, sizeof o.input.side, "%s", exported_text(input, "side"));
    snprintf(o.input.text, sizeof o.input.text, "%s", exported_text(input, "text"));
    input_words(out, &o);
}

static void print_input(FILE *to, const json_t *input)
{
    char time[16], said[INPUT_WORDS_MAX];
    call_time_words(time, sizeof time, json_number_value(json_object_get(input, "t_s")));
    exported_said(said, input);
    foreign_tell(to, "  input %d  %s  %s: %s", exported_number(input, "input"), time, exported_text(input, "by"), said);
}

// A score sheet that a judge would sign.
static void print_sheet(FILE *to, const struct exported *e)
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
    score_sheet_print(to, &e->sheet, &e->end);
    fprintf(to, "\n%s%s\n", now->over ? "Ended: " : "Not over: ", m->score);
    int close = 0;
    for (size_t i = 0; i < json_array_size(e->events); i++) {
        const json_t *c = json_array_get(e->events, i);
        if (strcmp(exported_text(c, "verdict"), "close") != 0)
            continue;
        if (close++ == 0)
            fprintf(to, "\nClose calls, for the judge\n");
        fprintf(to, "  shot %d  rule %s  %s\n", exported_number(c, "shot"), exported_text(c, "rule"),
                exported_text(c, "text"));
    }
    if (json_array_size(e->inputs) > 0)
        fprintf(to, "\nSaid by people, and what changed by it\n");
    for (size_t i = 0; i < json_array_size(e->inputs); i++) {
        const json_t *input = json_array_get(e->inputs, i);
        print_input(to, input);
        for (size_t k = 0; k < json_array_size(e->changed); k++) {
            const json_t *c = json_array_get(e->changed, k);
            if (exported_number(c, "input") == exported_number(input, "input"))
                fprintf(to, "      %s: shot %d %s\n",
                        strcmp(exported_text(c, "change"), "withdrawn") ? "instead" : "no longer",
                        exported_number(c, "shot"), exported_text(c, "text"));
        }
    }
    fprintf(to, "\n\nJudge   ______________________________   Date ______________\n");
    for (int i = 0; i < now->sides; i++)
        fprintf(to, "\n%-10.30s ______________________________\n", standing_name(now, i));
}

static json_t *side_or_null(int side)
{
    return side < 0 ? json_null() : json_integer(side);
}

// The game that ends with the last of these rounds.
static json_t *cmn_match(const struct exported *e, const struct sheet_round *first, const struct sheet_round *last)
{
    const struct standing *now = &e->end.now;
    const struct format *f = &now->format;
    json_t *games = json_array(), *may_be = json_array(), *teams = json_array(), *calls = json_array(),
           *all = exported_events(e, "call");
    for (int i = 0; i < SIDES; i++) {
        const struct seat *seat = &now->side[i].seat;
        json_t *players = json_array();
        for (int k = 0; k < f->players && k < PLAYERS_MAX; k++) {
            const char *name = seat->player[k][0] ? seat->player[k] : standing_name(now, i);
            json_array_append_new(players, json_pack("{s:s}", "name", name));
        }
        json_array_append_new(teams, json_pack("{s:o}", "players", players));
    }
    for (const struct sheet_round *n = first; n <= last; n++) { // what CMN calls a game: where match points are given
        int first_has = n->points[0].reads, second_has = n->points[1].reads;
        int more = first_has == second_has ? -1 : second_has > first_has;
        json_t *o = json_pack("{s:o, s:[i, i], s:[i, i]}", "winner", side_or_null(more), "scores", n->total[0].reads,
                              n->total[1].reads, "twenties", n->twenties[0].reads, n->twenties[1].reads);
        json_list_add(&may_be, json_pack("{s:[o, o], s:[o, o]}", "scores", json_points_range(n->total[0]),
                                         json_points_range(n->total[1]), "twenties", json_points_range(n->twenties[0]),
                                         json_points_range(n->twenties[1])));
        if (o && n->starter >= 0)
            json_object_set_new(o, "hammer", json_integer(n->starter));
        json_array_append_new(games, o);
    }
    for (size_t i = 0; i < json_array_size(all); i++) {
        json_t *c = json_array_get(all, i), *standing = json_object_get(c, "standing");
        if (exported_number(standing, "game_number") != last->game)
            continue;
        c = json_copy(c);
        json_object_del(c, "standing");
        json_array_append_new(calls, c);
    }
    json_decref(all);
    json_t *o = json_pack("{s:s, s:s, s:o, s:o, s:o, s:{s:s, s:s, s:b, s:o, s:o}}", "date", e->kept->begun, "format",
                          f->players > 1 ? "doubles" : "singles", "teams", teams, "games", games, "winner",
                          side_or_null(last->winner), "ringside", "game", e->kept->game, "format", f->name, "close",
                          last->close, "games_between", may_be, "calls", calls);
    if (o && f->rounds > 0)
        json_object_set_new(o, "gameFormat", json_pack("{s:s, s:i}", "type", "fixed", "count", f->rounds));
    else if (o && f->target > 0)
        json_object_set_new(o, "gameFormat", json_pack("{s:s, s:i}", "type", "first_to", "target", f->target));
    return o;
}

// Crokinole Match Notation 1.0 (draft) of the Crokinole Open Data Alliance: results of finished games; the calls, and
// what close ones leave open of the results, are an extension under a name of our own, which others pass over. Several
// games are a batch. RS_EINPUT when no game is finished; RS_EIO.
static int print_cmn(FILE *to, const struct exported *e, const char *software, struct fail *why)
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

static int export_csv(FILE *to, struct record *r, long match, struct fail *why)
{
    sqlite3_stmt *s;
    int rc = record_query(&s, r,
                          "SELECT match, observation, t_s, shot, rule, what, side, piece, zone, margin_in, sigma_in,"
                          " firm, change, input, text FROM calls WHERE match = ? ORDER BY observation, part",
                          CELLS(cell_number(match)), why);
    for (int i = 0; rc == 0 && i < sqlite3_column_count(s); i++)
        fprintf(to, "%s%s", i ? "," : "", sqlite3_column_name(s, i));
    while (rc == 0 && (rc = record_step(r, s, why)) > 0) {
        for (int i = 0; i < sqlite3_column_count(s); i++) {
            fprintf(to, "%s", i ? "," : "\r\n");
            char *text = record_plain(s, i);
            const char *quote = text && strpbrk(text, ",\"") ? "\"" : "";
            fprintf(to, "%s", quote);
            for (const char *at = text; at && *at; at++)
                fprintf(to, "%s%c", *at == '"' ? "\"" : "", *at);
            fprintf(to, "%s", quote);
            rc = text ? 0 : rs_fail(why, RS_ENOMEM, "no memory for match %ld", match);
            free(text);
            if (rc < 0)
                break;
        }
    }
    if (rc == 0)
        fprintf(to, "\r\n");
    sqlite3_finalize(s);
    return rc;
}

int record_export_page(FILE *to, struct record *r, const struct kept_match *m, const struct match_clips *clips,
                       const char *software, struct fail *why)
{
    struct exported e;
    int rc = read_match(&e, r, m, why);
    e.clips = clips;
    if (rc == 0)
        exported_print_html(to, &e, software);
    finish(&e);
    return rc;
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
    if (strcmp(format, "html") == 0)
        return record_export_page(to, r, m, &(struct match_clips){ 0 }, software, why);
    if (!text && !cmn && strcmp(format, "json") != 0)
        return rs_fail(why, RS_EINPUT, "unknown format %.40s; known: json csv text html cmn log", format);
    int rc = read_match(&e, r, m, why);
    if (rc == 0 && cmn && e.end.board.kind != BOARD_CIRCLES)
        rc = rs_fail(why, RS_EINPUT, "match %ld is %s: Crokinole Match Notation is for crokinole alone", m->match,
                     m->game);
    if (rc == 0 && cmn) {
        rc = print_cmn(to, &e, software, why);
    } else if (rc == 0 && text) {
        print_sheet(to, &e);
    } else if (rc == 0) {
        const char *ended = m->ended[0] ? m->ended : NULL;
        json_t *camera = e.header.has_camera ? log_line_camera(&e.header.camera) : json_null();
        rc = json_print(
            to,
            json_pack("{s:i, s:s, s:i, s:s, s:s, s:s, s:s?, s:s, s:s, s:o, s:o, s:o, s:i, s:o, s:o, s:o, s:O,"
                      " s:O}",
                      "ringside_record", RECORD_VERSION, "version", software, "match", (int)m->match, "id", m->id,
                      "game", m->game, "begun", m->begun, "ended", ended, "source", m->source, "kept_by", m->software,
                      "setup", match_setup_to_json(&e.header.setup), "board", board_to_json(&e.header.board), "camera",
                      camera, "observations", (int)m->observations, "standing", standing_json(&e.end), "shots",
                      exported_events(&e, "shot"), "calls", exported_events(&e, "call"), "inputs", e.inputs, "changes",
                      e.changed),
            why);
    }
    finish(&e);
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
                          CELLS(cell_number(match)), why);
    fprintf(to, " shot     time  rule    call\n");
    while (rc == 0 && (rc = record_step(r, s, why)) > 0) {
        const char *change = record_text(s, 3), *piece = record_text(s, 5);
        call_time_words(time, sizeof time, sqlite3_column_double(s, 1));
        foreign_tell(to, "%5s  %s  %-6s  %s%s%s%s%s", record_text(s, 0), time, record_text(s, 2),
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
