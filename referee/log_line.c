// SPDX-License-Identifier: MIT
#include "referee/log_line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// No place on a board or floor is farther off than this, no time later.
static const double LOG_LENGTH_MAX_IN = 1e6;
static const double LOG_TIME_MAX_S = 1e8;

static const char *const kinds[] = { "seen", "rest", "move", "contact", "gone", "hand", "still", "camera", "input" };
static const char *const piece_kinds[] = { "disc", "ring", "marble" };
static const char *const wheres[] = { "surface", "hole", "ditch", "off", "hand" };
static const char *const movers[] = { "shot", "hand" };
static const char *const camera_events[] = { "locked", "moved", "lost" };
static const char *const touches[] = { "piece", "peg", "rim", "unseen" };

const char *log_camera_word(enum camera_event what)
{
    return camera_events[what];
}

static json_t *pair(struct pt_in p)
{
    return json_pack("[f, f]", p.x, p.y);
}

// A log that was written before they were known has neither.
static json_t *still_details(const struct observation *o)
{
    if (!(o->still.rms_px > 0))
        return json_object();
    return json_pack("{s:f, s:f}", "rms_px", o->still.rms_px, "line_sigma_in", o->still.line_sigma_in);
}

static json_t *seen_details(const struct observation *o)
{
    json_t *out = json_pack("{s:i, s:s, s:s, s:b, s:f}", "id", o->id, "piece", piece_kinds[o->seen.kind], "colour",
                            o->seen.colour, "taw", (int)o->seen.taw, "radius_in", o->seen.radius_in);
    if (out && o->seen.kind == PIECE_MARBLE)
        json_object_set_new(out, "taw_certainty", json_real(o->seen.taw_certainty));
    return out;
}

static json_t *details(const struct observation *o)
{
    switch (o->kind) {
    case OBS_SEEN:
        return seen_details(o);
    case OBS_REST:
        return json_pack("{s:i, s:o, s:[f, f, f], s:s}", "id", o->id, "at_in", pair(o->rest.at), "cov_in2",
                         o->rest.cov.xx, o->rest.cov.xy, o->rest.cov.yy, "plane", wheres[o->rest.plane]);
    case OBS_MOVE:
        return json_pack("{s:i, s:s, s:o}", "id", o->id, "by", movers[o->move.by], "from_in", pair(o->move.from));
    case OBS_CONTACT:
        return json_pack("{s:i, s:s, s:i, s:f, s:o}", "id", o->id, "with", touches[o->contact.what], "other",
                         o->contact.other, "sigma_t_s", o->contact.sigma_t_s, "at_in", pair(o->contact.at));
    case OBS_GONE:
        return json_pack("{s:i, s:s}", "id", o->id, "where", wheres[o->gone.where]);
    case OBS_HAND:
        return json_pack("{s:b, s:f}", "over", (int)o->hand.over, "from_rad", o->hand.from_rad);
    case OBS_STILL:
        return still_details(o);
    case OBS_CAMERA:
        return json_pack("{s:s, s:f}", "what", camera_events[o->camera.what], "shift_in", o->camera.shift_in);
    case OBS_INPUT:
        return json_pack("{s:s, s:s, s:s}", "by", o->input.by, "what", o->input.what, "text", o->input.text);
    }
    return NULL;
}

json_t *log_line_json(const struct observation *o)
{
    json_t *line = json_pack("{s:f, s:s}", "t_s", o->t_s, "kind", kinds[o->kind]);
    json_t *more = details(o);
    if (!line || !more || json_object_update(line, more) < 0) {
        json_decref(line);
        line = NULL;
    }
    json_decref(more);
    return line;
}

int log_line_word(char *out, size_t size, const json_t *line, const char *field, struct fail *why)
{
    const json_t *value = json_object_get(line, field);
    if (!json_is_string(value))
        return rs_fail(why, RS_EINPUT, "\"%s\" must be a text", field);
    if (json_string_length(value) >= size)
        return rs_fail(why, RS_EINPUT, "\"%s\" is longer than %zu bytes", field, size - 1);
    snprintf(out, size, "%s", json_string_value(value));
    return 0;
}

static int as_number(double *out, const json_t *value, const char *field, double limit, struct fail *why)
{
    double x = json_number_value(value);
    if (!json_is_number(value) || !(fabs(x) <= limit))
        return rs_fail(why, RS_EINPUT, "\"%s\" must be a number up to %g", field, limit);
    *out = x;
    return 0;
}

static int number(double *out, const json_t *line, const char *field, double limit, struct fail *why)
{
    return as_number(out, json_object_get(line, field), field, limit, why);
}

static int numbers(double *out, size_t count, const json_t *line, const char *field, double limit, struct fail *why)
{
    const json_t *list = json_object_get(line, field);
    if (!json_is_array(list) || json_array_size(list) != count)
        return rs_fail(why, RS_EINPUT, "\"%s\" must be a list of %zu numbers", field, count);
    int rc = 0;
    for (size_t i = 0; i < count && rc == 0; i++)
        rc = as_number(&out[i], json_array_get(list, i), field, limit, why);
    return rc;
}

static int place(struct pt_in *out, const json_t *line, const char *field, struct fail *why)
{
    double xy[2];
    int rc = numbers(xy, 2, line, field, LOG_LENGTH_MAX_IN, why);
    if (rc == 0)
        *out = (struct pt_in){ xy[0], xy[1] };
    return rc;
}

static int truth(bool *out, const json_t *line, const char *field, struct fail *why)
{
    const json_t *value = json_object_get(line, field);
    if (!json_is_boolean(value))
        return rs_fail(why, RS_EINPUT, "\"%s\" must be true or false", field);
    *out = json_is_true(value);
    return 0;
}

static int whole(int *out, const json_t *line, const char *field, struct fail *why)
{
    const json_t *value = json_object_get(line, field);
    json_int_t x = json_integer_value(value);
    if (!json_is_integer(value) || x < 0 || x > 1000000000)
        return rs_fail(why, RS_EINPUT, "\"%s\" must be a whole number from 0 to 1000000000", field);
    *out = (int)x;
    return 0;
}

// Index of the field's word in `words`, or RS_EINPUT.
static int choice(const json_t *line, const char *field, const char *const *words, size_t count, struct fail *why)
{
    const char *word = json_string_value(json_object_get(line, field));
    if (!word)
        return rs_fail(why, RS_EINPUT, "\"%s\" must be a text", field);
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0)
            return (int)i;
    return rs_fail(why, RS_EINPUT, "\"%s\": \"%.40s\" is not known", field, word);
}

static int read_seen(struct observation *out, const json_t *line, struct fail *why)
{
    int kind = choice(line, "piece", piece_kinds, countof(piece_kinds), why);
    if (kind < 0)
        return kind;
    out->seen.kind = (enum piece_kind)kind;
    int rc = log_line_word(out->seen.colour, sizeof out->seen.colour, line, "colour", why);
    if (rc == 0)
        rc = truth(&out->seen.taw, line, "taw", why);
    if (rc == 0)
        rc = number(&out->seen.radius_in, line, "radius_in", LOG_LENGTH_MAX_IN, why);
    out->seen.taw_certainty = 1; // of discs and rings, and in logs that were written before it was known
    if (rc == 0 && json_object_get(line, "taw_certainty"))
        rc = number(&out->seen.taw_certainty, line, "taw_certainty", 1, why);
    return rc;
}

static int read_rest(struct observation *out, const json_t *line, struct fail *why)
{
    double cov[3];
    int plane = choice(line, "plane", wheres, BY_HAND, why);
    if (plane < 0)
        return plane;
    out->rest.plane = (enum piece_place)plane;
    int rc = place(&out->rest.at, line, "at_in", why);
    if (rc == 0)
        rc = numbers(cov, 3, line, "cov_in2", LOG_LENGTH_MAX_IN, why);
    if (rc < 0)
        return rc;
    if (cov[0] < 0 || cov[2] < 0)
        return rs_fail(why, RS_EINPUT, "\"cov_in2\": a variance is negative");
    out->rest.cov = (struct cov_in2){ cov[0], cov[1], cov[2] };
    return 0;
}

static int read_move(struct observation *out, const json_t *line, struct fail *why)
{
    int by = choice(line, "by", movers, countof(movers), why);
    if (by < 0)
        return by;
    out->move.by = (enum mover)by;
    return place(&out->move.from, line, "from_in", why);
}

static int read_contact(struct observation *out, const json_t *line, struct fail *why)
{
    int what = choice(line, "with", touches, countof(touches), why);
    if (what < 0)
        return what;
    out->contact.what = (enum touched)what;
    int rc = whole(&out->contact.other, line, "other", why);
    if (rc == 0)
        rc = number(&out->contact.sigma_t_s, line, "sigma_t_s", LOG_TIME_MAX_S, why);
    if (rc == 0)
        rc = place(&out->contact.at, line, "at_in", why);
    return rc;
}

static int read_gone(struct observation *out, const json_t *line, struct fail *why)
{
    int where = choice(line, "where", wheres, countof(wheres), why);
    if (where >= 0)
        out->gone.where = (enum piece_place)where;
    return where < 0 ? where : 0;
}

static int read_hand(struct observation *out, const json_t *line, struct fail *why)
{
    int rc = truth(&out->hand.over, line, "over", why);
    return rc == 0 ? number(&out->hand.from_rad, line, "from_rad", 10, why) : rc;
}

static int read_still(struct observation *out, const json_t *line, struct fail *why)
{
    if (!json_object_get(line, "rms_px"))
        return 0;
    int rc = number(&out->still.rms_px, line, "rms_px", LOG_LENGTH_MAX_IN, why);
    return rc == 0 ? number(&out->still.line_sigma_in, line, "line_sigma_in", LOG_LENGTH_MAX_IN, why) : rc;
}

static int read_camera(struct observation *out, const json_t *line, struct fail *why)
{
    int what = choice(line, "what", camera_events, countof(camera_events), why);
    if (what < 0)
        return what;
    out->camera.what = (enum camera_event)what;
    return number(&out->camera.shift_in, line, "shift_in", LOG_LENGTH_MAX_IN, why);
}

static int read_input(struct observation *out, const json_t *line, struct fail *why)
{
    int rc = log_line_word(out->input.by, sizeof out->input.by, line, "by", why);
    if (rc == 0)
        rc = log_line_word(out->input.what, sizeof out->input.what, line, "what", why);
    return rc == 0 ? log_line_word(out->input.text, sizeof out->input.text, line, "text", why) : rc;
}

static int read_details(struct observation *out, const json_t *line, struct fail *why)
{
    switch (out->kind) {
    case OBS_SEEN:
        return read_seen(out, line, why);
    case OBS_REST:
        return read_rest(out, line, why);
    case OBS_MOVE:
        return read_move(out, line, why);
    case OBS_CONTACT:
        return read_contact(out, line, why);
    case OBS_GONE:
        return read_gone(out, line, why);
    case OBS_HAND:
        return read_hand(out, line, why);
    case OBS_STILL:
        return read_still(out, line, why);
    case OBS_CAMERA:
        return read_camera(out, line, why);
    case OBS_INPUT:
        return read_input(out, line, why);
    }
    return RS_EINTERNAL;
}

int log_line_read(struct observation *out, const json_t *line, struct fail *why)
{
    int kind = choice(line, "kind", kinds, countof(kinds), why);
    if (kind < 0)
        return kind;
    *out = (struct observation){ .kind = (enum observation_kind)kind };
    int rc = number(&out->t_s, line, "t_s", LOG_TIME_MAX_S, why);
    if (rc == 0 && json_object_get(line, "id"))
        rc = whole(&out->id, line, "id", why);
    return rc == 0 ? read_details(out, line, why) : rc;
}

json_t *log_line_camera(const struct camera *c)
{
    const struct lens *l = &c->lens;
    const double(*R)[3] = c->pose.R;
    const double *t = c->pose.t_in;
    return json_pack("{s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:[f, f, f, f, f, f, f, f, f], s:[f, f, f]}",
                     "width", l->width, "height", l->height, "f_px", l->f_px, "cx_px", l->centre.u, "cy_px",
                     l->centre.v, "k1", l->k1, "k2", l->k2, "p1", l->p1, "p2", l->p2, "R", R[0][0], R[0][1], R[0][2],
                     R[1][0], R[1][1], R[1][2], R[2][0], R[2][1], R[2][2], "t_in", t[0], t[1], t[2]);
}

int log_line_read_camera(struct camera *out, const json_t *camera, struct fail *why)
{
    struct camera c = { .lens.width = 0 };
    const struct {
        const char *field;
        double *to;
    } fields[] = {
        { "f_px", &c.lens.f_px }, { "cx_px", &c.lens.centre.u }, { "cy_px", &c.lens.centre.v }, { "k1", &c.lens.k1 },
        { "k2", &c.lens.k2 },     { "p1", &c.lens.p1 },          { "p2", &c.lens.p2 },
    };
    int rc = whole(&c.lens.width, camera, "width", why);
    if (rc == 0)
        rc = whole(&c.lens.height, camera, "height", why);
    for (size_t i = 0; i < countof(fields) && rc == 0; i++)
        rc = number(fields[i].to, camera, fields[i].field, LOG_LENGTH_MAX_IN, why);
    if (rc == 0)
        rc = numbers(&c.pose.R[0][0], 9, camera, "R", 1.001, why);
    if (rc == 0)
        rc = numbers(c.pose.t_in, 3, camera, "t_in", LOG_LENGTH_MAX_IN, why);
    if (rc == 0)
        rc = camera_check(&c, why);
    if (rc == 0)
        *out = c;
    return rc;
}
