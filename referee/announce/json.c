// SPDX-License-Identifier: MIT
#include "referee/announce/json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "referee/log_line.h"
#include "referee/quality.h"

// Lengths and times are told to this many digits: finer than any measurement, short enough to read.
enum { DIGITS = 7 };

static const char *const kind_names[] = { "disc", "ring", "marble" };

static const char *verdict_word(bool firm)
{
    return firm ? "firm" : "close";
}

static json_t *role_of(enum piece_kind kind, bool taw)
{
    return kind == PIECE_MARBLE ? json_string(taw ? "taw" : "target") : json_null();
}

static json_t *role_certainty_of(enum piece_kind kind, double certainty)
{
    return kind == PIECE_MARBLE ? json_real(certainty) : json_null();
}

static json_t *text_or_null(const char *text)
{
    return text[0] ? json_string(text) : json_null();
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

static json_t *camera_event(const struct observation *o)
{
    return json_pack("{s:s, s:f, s:s, s:f}", "event", "camera", "t_s", o->t_s, "what", log_camera_word(o->camera.what),
                     "shift_in", o->camera.shift_in);
}

static json_t *call_object(const struct match *m, const struct call *c)
{
    json_t *o = json_pack("{s:s, s:f, s:i, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:s, s:s}", "event", "call", "t_s",
                          c->t_s, "shot", c->shot, "rule", c->rule, "what", c->what, "side", text_or_null(c->side),
                          "piece", c->piece ? json_integer(c->piece) : json_null(), "zone", text_or_null(c->zone),
                          "margin_in", c->measured ? json_real(c->margin_in) : json_null(), "sigma_in",
                          c->measured ? json_real(c->sigma_in) : json_null(), "verdict", verdict_word(c->firm), "text",
                          c->text);
    return with_residual(o, m);
}

// Where a piece that is in the hole out of sight lies is known all the same.
static struct pt_in lies_at(const struct outcome *o)
{
    return o->left && o->left_to == IN_HOLE ? (struct pt_in){ 0, 0 } : o->piece.lying.at;
}

static json_t *at_rest(const struct shot *s)
{
    json_t *list = json_array();
    for (int i = 0; i < s->count; i++) {
        const struct outcome *o = &s->piece[i];
        const struct placed *p = &o->piece;
        struct pt_in at = lies_at(o);
        if (o->left && o->left_to != IN_HOLE)
            continue;
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:o, s:f, s:f, s:f, s:s, s:f, s:s}", "kind", kind_names[p->kind], "colour",
                            p->colour, "role", role_of(p->kind, p->lying.taw), "x_in", at.x, "y_in", at.y, "sigma_in",
                            o->zone.verdict.sigma_in, "zone", o->zone.name, "margin_in", o->zone.verdict.margin_in,
                            "verdict", verdict_word(o->zone.verdict.firm)));
    }
    return list;
}

static json_t *first_contact(const struct shot *s)
{
    switch (s->first) {
    case FIRST_NONE:
        return json_null();
    case FIRST_PIECE:
        return json_pack("{s:f, s:s}", "t_s", s->first_s, "with", s->first_with);
    case FIRST_PEG:
        return json_pack("{s:f, s:s}", "t_s", s->first_s, "with", "peg");
    case FIRST_UNSEEN:
        break;
    }
    return json_pack("{s:f, s:s}", "t_s", s->first_s, "with", "unseen");
}

static json_t *shot_object(const struct match *m, const struct ruling *r)
{
    const struct shot *s = &m->shot;
    json_t *o =
        json_pack("{s:s, s:i, s:s, s:f, s:f, s:o, s:o}", "event", "shot", "shot", s->number, "by", s->by, "start_s",
                  s->start_s, "rest_s", s->rest_s, "first_contact", first_contact(s), "at_rest", at_rest(s));
    if (o && m->board.kind == BOARD_RING) {
        json_object_set_new(o, "knocked_out", json_integer(r->knocked_out));
        json_object_set_new(o, "taw_in", json_boolean(r->taw_in));
        json_object_set_new(o, "shoots_again", json_boolean(r->shoots_again));
    }
    return with_residual(o, m);
}

int json_print(FILE *to, json_t *o, struct fail *why)
{
    char *text = o ? json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS)) : NULL;
    json_decref(o);
    if (!text)
        return rs_fail(why, RS_EINTERNAL,
                       "a number that is not finite or a name that is not UTF-8 cannot be told as JSON");
    bool told = fprintf(to, "%s\n", text) >= 0 && fflush(to) == 0;
    free(text);
    return told ? 0 : rs_fail(why, RS_EIO, "cannot write JSON: %s", strerror(errno));
}

static int print_events(void *self, const struct match *m, const struct ruling *r, struct fail *why)
{
    int rc = r->camera ? json_print(self, camera_event(r->camera), why) : 0;
    for (int i = 0; i < r->calls.count && rc == 0; i++)
        rc = json_print(self, call_object(m, &r->calls.call[i]), why);
    if (rc == 0 && r->shot_ended)
        rc = json_print(self, shot_object(m, r), why);
    return rc;
}

static int collect_events(void *self, const struct match *m, const struct ruling *r, struct fail *why)
{
    int failed = r->camera ? json_array_append_new(self, camera_event(r->camera)) : 0;
    for (int i = 0; i < r->calls.count; i++)
        failed |= json_array_append_new(self, call_object(m, &r->calls.call[i]));
    if (r->shot_ended)
        failed |= json_array_append_new(self, shot_object(m, r));
    return failed ? rs_fail(why, RS_EINTERNAL,
                            "a number that is not finite or a name that is not UTF-8 cannot be told as JSON")
                  : 0;
}

struct announcer json_announcer(FILE *to)
{
    return (struct announcer){ print_events, to };
}

struct announcer json_collector(json_t *list)
{
    return (struct announcer){ collect_events, list };
}

static json_t *clarity_object(const struct clarity *c)
{
    return json_pack("{s:f, s:f, s:f, s:f, s:f}", "blur_px", c->blur_px, "in_blocks", c->in_blocks, "block_step",
                     c->block_step, "brightness", c->brightness, "clipped", c->clipped);
}

static const char *const focal_words[] = { [FOCAL_FROM_LENS] = "lens",
                                           [FOCAL_FROM_TARGET] = "target",
                                           [FOCAL_FROM_CIRCLES] = "circles",
                                           [FOCAL_ASSUMED] = "assumed" };

static json_t *camera_object(const struct camera *c)
{
    json_t *R = json_array();
    for (int i = 0; i < 9; i++)
        json_array_append_new(R, json_real(c->pose.R[i / 3][i % 3]));
    return json_pack("{s:f, s:f, s:o, s:[f, f, f]}", "f_px", c->lens.f_px, "k1", c->lens.k1, "R", R, "t_in",
                     c->pose.t_in[0], c->pose.t_in[1], c->pose.t_in[2]);
}

static json_t *limits_array(const struct quality *q, const struct board_pose *pose)
{
    char words[QUALITY_LIMITS_MAX][QUALITY_WORDS_MAX];
    json_t *limits = json_array();
    int n = quality_limits(words, q, pose);
    for (int i = 0; i < n; i++)
        json_array_append_new(limits, json_string(words[i]));
    return limits;
}

json_t *json_board(const struct board_pose *pose)
{
    if (!pose->found)
        return json_pack("{s:b}", "found", 0);
    struct quality q;
    quality_of(&q, pose);
    return json_pack("{s:b, s:s, s:f, s:f, s:f, s:s, s:f, s:s#, s:o, s:o, s:o}", "found", 1, "model", pose->board.name,
                     "rms_px", pose->rms_px, "line_sigma_in", pose->line_sigma_in, "f_sigma_px", pose->f_sigma_px,
                     "focal", focal_words[pose->focal_from], "coverage", pose->coverage, "grade", &q.grade, 1, "camera",
                     camera_object(&pose->camera), "clarity", clarity_object(&pose->clarity), "limits",
                     limits_array(&q, pose));
}

static json_t *piece_object(const struct lying_piece *p, struct pt_px px)
{
    const struct lying *l = &p->piece.lying;
    const struct verdict *v = &p->zone.verdict;
    return json_pack("{s:s, s:s, s:o, s:o, s:f, s:f, s:f, s:[f, f], s:s, s:f, s:s}", "kind", kind_names[p->piece.kind],
                     "colour", p->piece.colour, "role", role_of(p->piece.kind, l->taw), "role_certainty",
                     role_certainty_of(p->piece.kind, l->taw_certainty), "x_in", l->at.x, "y_in", l->at.y, "sigma_in",
                     v->sigma_in, "px", px.u, px.v, "zone", p->zone.name, "margin_in", v->margin_in, "verdict",
                     verdict_word(v->firm));
}

json_t *json_picture(const char *image, const char *game, const struct board_pose *pose,
                     const struct detection_list *pieces, const struct position *position)
{
    json_t *list = json_array(), *totals = json_object();
    int failed = 0;
    for (int i = 0; i < position->count; i++) {
        const struct lying_piece *p = &position->at[i];
        failed |= json_array_append_new(list, piece_object(p, pieces->piece[p->piece.id - 1].px));
    }
    for (int i = 0; i < position->sides && position->counts; i++)
        json_object_set_new(totals, position->side[i].colour, json_integer(position->side[i].points));
    json_t *o = json_pack("{s:s, s:s, s:o, s:o, s:o}", "image", image, "game", game, "board", json_board(pose),
                          "pieces", list, "totals", totals);
    if (failed) {
        json_decref(o);
        o = NULL;
    }
    return o;
}
