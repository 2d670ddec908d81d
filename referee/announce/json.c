// SPDX-License-Identifier: MIT
#include "referee/announce/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/json_memory.h"
#include "calibration/text.h"
#include "calibration/units.h"
#include "referee/log_line.h"
#include "referee/rules/input.h"
#include "vision/quality.h"

// Lengths and times are told to this many digits: finer than any measurement, short enough to read.
enum { DIGITS = 7 };

static int fail_to_tell(struct fail *why)
{
    return rs_fail(why, RS_EINTERNAL, "a number that is not finite or a name that is not UTF-8 cannot be told as JSON");
}

void json_list_add(json_t **list, json_t *item)
{
    if (json_array_append_new(*list, item) == 0)
        return;
    json_decref(*list);
    *list = NULL;
}

static const char *side_or_null(const struct match *m, int side)
{
    return side < 0 ? NULL : standing_name(&m->now, side);
}

json_t *json_points_range(struct points p)
{
    return json_pack("[i, i]", p.least, p.most);
}

// Only what is in doubt has a range: what the record has of a standing is held against what its observations give, and
// the records of matches without doubt are as they were before there were ranges.
static json_t *side_json(const struct match *m, int i)
{
    const struct standing *s = &m->now;
    const struct player_side *side = &s->side[i];
    json_t *players = json_array();
    for (int k = 0; k < PLAYERS_MAX && side->seat.player[k][0]; k++)
        json_array_append_new(players, json_string(side->seat.player[k]));
    const char *colour = side->seat.colour[0] ? side->seat.colour : NULL;
    const int each = s->format.pieces_each; // a side that shot more than it has has none left
    json_t *left = each > 0 ? json_integer(side->played < each ? each - side->played : 0) : json_null();
    json_t *on_board = m->board.kind == BOARD_CIRCLES
                           ? json_integer(standing_on_board(s, &m->table, &m->board, i).reads)
                           : json_null();
    json_t *o = json_pack("{s:s, s:s?, s:o, s:i, s:i, s:o, s:i, s:i, s:i, s:o, s:i}", "name", standing_name(s, i),
                          "colour", colour, "players", players, "points", side->score, "played", side->played, "left",
                          left, "twenties", side->twenties, "kept", side->kept.reads, "last_round",
                          side->last_round.reads, "on_board", on_board, "games", side->games);
    const struct points score = standing_score(side), twenties = standing_twenties(side);
    if (o && score.least < score.most)
        json_object_set_new(o, "points_range", json_points_range(score));
    if (o && twenties.least < twenties.most)
        json_object_set_new(o, "twenties_range", json_points_range(twenties));
    return o;
}

json_t *standing_json(const struct match *m)
{
    const struct standing *s = &m->now;
    json_t *sides = json_array(), *owed = json_array();
    for (int i = 0; i < s->sides; i++)
        json_list_add(&sides, side_json(m, i));
    for (int i = 0; i < s->owed; i++) {
        const struct owed *o = &s->owe[i];
        json_list_add(&owed, json_pack("{s:i, s:s, s:s, s:f, s:f, s:i}", "piece", o->piece, "must",
                                       o->what == OWED_OFF ? "off" : "back", "side", standing_owner(s, o->colour),
                                       "x_in", o->at.x, "y_in", o->at.y, "shot", o->shot));
    }
    json_t *o =
        json_pack("{s:s, s:s, s:i, s:i, s:o, s:s?, s:s?, s:o, s:b, s:s?, s:b, s:b, s:i, s:o}", "game", m->game->name,
                  "format", s->format.name, "game_number", s->game, "round", s->round, "sides", sides, "to_shoot",
                  side_or_null(m, s->to_shoot), "player", s->to_shoot < 0 ? NULL : standing_player(s, s->to_shoot),
                  "owed", owed, "over", s->over, "winner", s->over ? side_or_null(m, s->winner) : NULL, "history_lost",
                  m->history_lost, "paused", m->paused, "asked", m->asked, "asked_until_s",
                  m->asked > 0 ? json_real(m->asked_until_s) : json_null());
    if (o && s->over && s->close)
        json_object_set_new(o, "close", json_true());
    return o;
}

json_t *standing_json_said(const struct match *m)
{
    json_t *list = json_array();
    for (int n = m->inputs; n > 0 && n > m->inputs - SAID_KEPT; n--) {
        struct observation o = m->said[(n - 1) % SAID_KEPT];
        int by = amendments_retracted_by(m->amended, n);
        const struct amendment *a = amendments_find(m->amended, n); // whose shot or input is known where none was named
        char words[INPUT_WORDS_MAX];
        o.input.shot = a && a->shot > 0 ? a->shot : o.input.shot;
        o.input.input = a ? a->said.input.input : o.input.input;
        input_words(words, &o);
        json_list_add(&list, json_pack("{s:i, s:f, s:s, s:s, s:s, s:b, s:o}", "input", n, "t_s", o.t_s, "by",
                                       o.input.by, "what", input_word(&o), "words", words, "in_force", by == 0,
                                       "retracted_by", by ? json_integer(by) : json_null()));
    }
    return list;
}

static json_t *zone_or_null(const struct zone *z)
{
    char word[ZONE_WORD_MAX];
    zone_word(word, z);
    return word[0] ? json_string(word) : json_null();
}

static const char *verdict_word(bool firm)
{
    return firm ? "firm" : "close";
}

static const char *role_or_null(enum piece_kind kind, bool taw)
{
    return kind != PIECE_MARBLE ? NULL : taw ? "taw" : "target";
}

// How well the board was seen at the still moment that the call or shot is judged by, where that is known.
static json_t *with_residual(json_t *o, const struct match *m)
{
    if (o && m->board_rms_px > 0) {
        json_object_set_new(o, "board_rms_px", json_real(m->board_rms_px));
        json_object_set_new(o, "line_sigma_in", json_real(m->line_sigma_in));
    }
    return o;
}

json_t *json_shot(const struct match *m, const struct ruling *r)
{
    const struct shot *s = &m->shot;
    json_t *at_rest = json_array(), *contact;
    for (int i = 0; i < s->count; i++) {
        const struct outcome *o = &s->piece[i];
        const struct known_piece *p = &o->piece;
        bool in_hole = o->left && o->left_to == IN_HOLE; // out of sight, but where it lies is known all the same
        if (o->left && !in_hole)
            continue;
        json_array_append_new(at_rest,
                              json_pack("{s:s, s:s, s:s?, s:f, s:f, s:f, s:o, s:f, s:s}", "kind", piece_words[p->kind],
                                        "colour", p->colour, "role", role_or_null(p->kind, p->lying.taw), "x_in",
                                        in_hole ? 0 : p->lying.at.x, "y_in", in_hole ? 0 : p->lying.at.y, "sigma_in",
                                        o->zone.verdict.sigma_in, "zone", zone_or_null(&o->zone), "margin_in",
                                        o->zone.verdict.margin_in, "verdict",
                                        verdict_word(o->zone.verdict.firm && !s->damaged)));
    }
    if (s->first == FIRST_NONE)
        contact = json_null();
    else
        contact = json_pack("{s:f, s:s}", "t_s", s->first_s, "with",
                            s->first == FIRST_PIECE ? s->first_with
                            : s->first == FIRST_PEG ? "peg"
                                                    : "unseen");
    json_t *o = json_pack("{s:s, s:i, s:s, s:f, s:f, s:o, s:o}", "event", "shot", "shot", s->number, "by", s->by,
                          "start_s", s->start_s, "rest_s", s->rest_s, "first_contact", contact, "at_rest", at_rest);
    for (int i = 0; o && i < m->game->fact_count; i++) {
        const struct shot_fact *fact = &m->game->facts[i];
        json_object_set_new(o, fact->name, fact->yes_or_no ? json_boolean(r->fact[i]) : json_integer(r->fact[i]));
    }
    if (o && s->damaged)
        json_object_set_new(o, "damaged", json_true());
    return with_residual(o, m);
}

char *json_text(json_t *o)
{
    char *text = o ? json_memory_text(o, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS)) : NULL;
    json_decref(o);
    return text;
}

int json_print(FILE *to, json_t *o, struct fail *why)
{
    char *text = json_text(o);
    int rc = json_memory_check("what is told as JSON", why);
    if (rc == 0 && !text)
        rc = fail_to_tell(why);
    if (rc < 0) {
        free(text);
        return rc;
    }
    bool told = fprintf(to, "%s\n", text) >= 0 && fflush(to) == 0;
    free(text);
    return told ? 0 : rs_fail(why, RS_EIO, "cannot write JSON: %s", strerror(errno));
}

// Every event says how the match stands.
static void append(json_t **list, const struct match *m, json_t *event)
{
    if (json_object_set_new(event, "standing", standing_json(m)) < 0) {
        json_decref(event);
        event = NULL;
    }
    json_list_add(list, event);
}

// What a ruling brought, as a list; NULL when something in it cannot be told as JSON.
static json_t *events_of(const struct match *m, const struct ruling *r)
{
    json_t *list = json_array();
    if (r->camera) {
        json_t *o = json_pack("{s:s, s:f, s:s, s:f}", "event", "camera", "t_s", r->camera->t_s, "what",
                              log_camera_word(r->camera->camera.what), "shift_in", r->camera->camera.shift_in);
        if (o && r->camera->camera.what == CAMERA_DAMAGED)
            json_object_set_new(o, "lost_s", json_real(r->camera->camera.lost_s));
        append(&list, m, o);
    }
    for (int i = 0; i < r->calls.count; i++) {
        const struct call *c = &r->calls.call[i];
        json_t *o =
            json_pack("{s:s, s:f, s:i, s:s, s:s, s:s?, s:o, s:o, s:o, s:o, s:s, s:s}", "event", "call", "t_s", c->t_s,
                      "shot", c->shot, "rule", c->rule, "what", c->what, "side", c->side[0] ? c->side : NULL, "piece",
                      c->piece ? json_integer(c->piece) : json_null(), "zone", zone_or_null(&c->zone), "margin_in",
                      c->measured ? json_real(c->zone.verdict.margin_in) : json_null(), "sigma_in",
                      c->measured ? json_real(c->zone.verdict.sigma_in) : json_null(), "verdict", verdict_word(c->firm),
                      "text", c->text);
        if (o && c->change != CALL_MADE) {
            json_object_set_new(o, "change", json_string(c->change == CALL_WITHDRAWN ? "withdrawn" : "instead"));
            json_object_set_new(o, "input", json_integer(c->input));
        }
        append(&list, m, with_residual(o, m));
    }
    if (r->shot_ended)
        append(&list, m, json_shot(m, r));
    return list;
}

static int print_events(void *self, const struct match *m, const struct ruling *r, struct fail *why)
{
    json_t *list = events_of(m, r);
    int rc = json_memory_check("what is told as JSON", why);
    if (rc == 0 && !list)
        rc = fail_to_tell(why);
    for (size_t i = 0; i < json_array_size(list) && rc == 0; i++)
        rc = json_print(self, json_incref(json_array_get(list, i)), why);
    json_decref(list);
    return rc;
}

static int collect_events(void *self, const struct match *m, const struct ruling *r, struct fail *why)
{
    json_t *list = events_of(m, r);
    int failed = json_array_extend(self, list);
    json_decref(list);
    int rc = json_memory_check("what is told as JSON", why);
    return rc < 0 ? rc : failed ? fail_to_tell(why) : 0;
}

json_t *json_losses(const struct source_info *source)
{
    return json_pack("{s:s, s:I, s:I, s:f, s:f}", "event", "losses", "lost", (json_int_t)source->dropped, "damaged",
                     (json_int_t)source->doubtful, "lost_s", source->lost_s, "short_s", source->short_s);
}

struct announcer json_announcer(FILE *to)
{
    return (struct announcer){ print_events, to };
}

struct announcer json_collector(json_t *list)
{
    return (struct announcer){ collect_events, list };
}

static const char *const focal_words[] = { [FOCAL_FROM_LENS] = "lens",
                                           [FOCAL_FROM_TARGET] = "target",
                                           [FOCAL_FROM_CIRCLES] = "circles",
                                           [FOCAL_ASSUMED] = "assumed" };

json_t *json_words(char (*words)[QUALITY_WORDS_MAX], int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, json_string(words[i]));
    return list;
}

json_t *json_board(const struct board_pose *pose)
{
    const struct clarity *k = &pose->clarity;
    const struct camera *c = &pose->camera;
    struct view_quality q;
    char words[QUALITY_LIMITS_MAX][QUALITY_WORDS_MAX];
    if (!pose->found)
        return json_pack("{s:b}", "found", 0);
    quality_of(&q, pose);
    int limits = quality_limits(words, &q, pose);
    json_t *R = json_array();
    for (int i = 0; i < 9; i++)
        json_array_append_new(R, json_real(c->pose.R[i / 3][i % 3]));
    json_t *circles = json_array();
    for (int i = 0; i < pose->board.circles; i++)
        json_array_append_new(circles, json_real(pose->board.circle_in[i]));
    json_t *camera =
        json_pack("{s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:o, s:[f, f, f]}", "width", c->lens.width, "height",
                  c->lens.height, "f_px", c->lens.f_px, "cx_px", c->lens.centre.u, "cy_px", c->lens.centre.v, "k1",
                  c->lens.k1, "k2", c->lens.k2, "R", R, "t_in", c->pose.t_in[0], c->pose.t_in[1], c->pose.t_in[2]);
    json_t *clarity = json_pack("{s:f, s:f, s:f, s:f, s:f}", "blur_px", k->blur_px, "in_blocks", k->in_blocks,
                                "block_step", k->block_step, "brightness", k->brightness, "clipped", k->clipped);
    return json_pack("{s:b, s:s, s:o, s:f, s:f, s:f, s:s, s:f, s:s#, s:o, s:o, s:o}", "found", 1, "model",
                     pose->board.name, "circle_in", circles, "rms_px", pose->rms_px, "line_sigma_in",
                     pose->line_sigma_in, "f_sigma_px", pose->f_sigma_px, "focal", focal_words[pose->focal_from],
                     "coverage", pose->coverage, "grade", &q.grade, 1, "camera", camera, "clarity", clarity, "limits",
                     json_words(words, limits));
}

json_t *json_picture(const char *image, const char *game, const struct board_pose *pose,
                     const struct detection_list *pieces, const struct position *position)
{
    json_t *list = json_array(), *totals = json_object(), *between = json_object();
    for (int i = 0; i < position->count; i++) {
        const struct zoned_piece *p = &position->at[i];
        const struct resting_piece *l = &p->piece.lying;
        const struct verdict *v = &p->zone.verdict;
        const struct pt_px px = pieces->piece[p->piece.id - 1].px;
        bool marble = p->piece.kind == PIECE_MARBLE;
        // What is estimated of a marble is its role, of the others whether it is a piece at all.
        json_t *certainty = json_real(l->certainty), *role = marble ? certainty : json_null(),
               *probability = marble ? json_null() : certainty;
        json_list_add(&list,
                      json_pack("{s:s, s:s, s:s?, s:o, s:o, s:f, s:f, s:f, s:[f, f], s:o, s:f, s:s}", "kind",
                                piece_words[p->piece.kind], "colour", p->piece.colour, "role",
                                role_or_null(p->piece.kind, l->taw), "role_certainty", role, "probability", probability,
                                "x_in", l->at.x, "y_in", l->at.y, "sigma_in", v->sigma_in, "px", px.u, px.v, "zone",
                                zone_or_null(&p->zone), "margin_in", v->margin_in, "verdict", verdict_word(v->firm)));
    }
    for (int i = 0; i < position->sides && position->counts; i++)
        json_object_set_new(totals, position->side[i].colour, json_integer(position->side[i].points.reads));
    for (int i = 0; i < position->sides && position->counts; i++)
        json_object_set_new(between, position->side[i].colour,
                            json_pack("[i, i]", position->side[i].points.least, position->side[i].points.most));
    return json_pack("{s:i, s:s, s:s, s:o, s:o, s:o, s:o}", "ringside", JSON_VERSION, "image", image, "game", game,
                     "board", json_board(pose), "pieces", list, "totals", totals, "totals_between", between);
}
