// SPDX-License-Identifier: MIT
#include "referee/log_line.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "referee/rules/input.h"

// No place on a board or floor is farther off than this, no time later.
#define LENGTH_MAX_IN 1e6
#define TIME_MAX_S 1e8

static const char *const kinds[] = { "seen", "rest", "move", "contact", "gone", "hand", "still", "camera", "input" };
static const char *const piece_kinds[] = { "disc", "ring", "marble" };
static const char *const wheres[] = { "surface", "hole", "ditch", "off", "hand", "cut" };
static const char *const movers[] = { "shot", "hand" };
static const char *const camera_events[] = { "locked", "moved", "lost", "cut" };
static const char *const touches[] = { "piece", "peg", "unseen", "rim" };

enum field_type { A_WORD, A_TEXT, NUMBERS, A_WHOLE, A_TRUTH, AN_INPUT };

// ALWAYS, or left out: of discs and rings; of marbles and of what is surely a piece; when nothing is known of how well the
// board was seen. Logs that were written
// before such a field was known have none.
enum presence { ALWAYS, OF_MARBLES, IN_DOUBT, WITH_RESIDUAL };

#define AT(member) offsetof(struct observation, member)

// What a line says of each kind of observation, beside time, kind and id, in the order in which it is written.
static const struct field {
    enum observation_kind kind;
    const char *name;
    enum field_type type;
    size_t at;    // in struct observation
    size_t count; // words, bytes of a text, numbers
    const char *const *words;
    double limit; // of a number
    enum presence presence;
} fields[] = {
    { OBS_SEEN, "piece", A_WORD, AT(seen.kind), countof(piece_kinds), piece_kinds, 0, ALWAYS },
    { OBS_SEEN, "colour", A_TEXT, AT(seen.colour), OBS_WORD_MAX, NULL, 0, ALWAYS },
    { OBS_SEEN, "taw", A_TRUTH, AT(seen.taw), 1, NULL, 0, ALWAYS },
    { OBS_SEEN, "radius_in", NUMBERS, AT(seen.radius_in), 1, NULL, LENGTH_MAX_IN, ALWAYS },
    { OBS_SEEN, "taw_certainty", NUMBERS, AT(seen.certainty), 1, NULL, 1, OF_MARBLES },
    { OBS_SEEN, "certainty", NUMBERS, AT(seen.certainty), 1, NULL, 1, IN_DOUBT },
    { OBS_REST, "at_in", NUMBERS, AT(rest.at), 2, NULL, LENGTH_MAX_IN, ALWAYS },
    { OBS_REST, "cov_in2", NUMBERS, AT(rest.cov), 3, NULL, LENGTH_MAX_IN, ALWAYS },
    { OBS_REST, "plane", A_WORD, AT(rest.plane), BY_HAND, wheres, 0, ALWAYS }, // where it can be seen
    { OBS_MOVE, "by", A_WORD, AT(move.by), countof(movers), movers, 0, ALWAYS },
    { OBS_MOVE, "from_in", NUMBERS, AT(move.from), 2, NULL, LENGTH_MAX_IN, ALWAYS },
    { OBS_CONTACT, "with", A_WORD, AT(contact.what), countof(touches), touches, 0, ALWAYS },
    { OBS_CONTACT, "other", A_WHOLE, AT(contact.other), 1, NULL, 0, ALWAYS },
    { OBS_CONTACT, "sigma_t_s", NUMBERS, AT(contact.sigma_t_s), 1, NULL, TIME_MAX_S, ALWAYS },
    { OBS_CONTACT, "at_in", NUMBERS, AT(contact.at), 2, NULL, LENGTH_MAX_IN, ALWAYS },
    { OBS_GONE, "where", A_WORD, AT(gone.where), countof(wheres), wheres, 0, ALWAYS },
    { OBS_HAND, "over", A_TRUTH, AT(hand.over), 1, NULL, 0, ALWAYS },
    { OBS_HAND, "from_rad", NUMBERS, AT(hand.from_rad), 1, NULL, 10, ALWAYS },
    { OBS_STILL, "rms_px", NUMBERS, AT(still.rms_px), 1, NULL, LENGTH_MAX_IN, WITH_RESIDUAL },
    { OBS_STILL, "line_sigma_in", NUMBERS, AT(still.line_sigma_in), 1, NULL, LENGTH_MAX_IN, WITH_RESIDUAL },
    { OBS_CAMERA, "what", A_WORD, AT(camera.what), countof(camera_events), camera_events, 0, ALWAYS },
    { OBS_CAMERA, "shift_in", NUMBERS, AT(camera.shift_in), 1, NULL, LENGTH_MAX_IN, ALWAYS },
    { OBS_INPUT, "by", A_TEXT, AT(input.by), OBS_WORD_MAX, NULL, 0, ALWAYS },
    { OBS_INPUT, "what", AN_INPUT, AT(input.what), OBS_WORD_MAX, NULL, 0, ALWAYS },
    { OBS_INPUT, "text", A_TEXT, AT(input.text), OBS_TEXT_MAX, NULL, 0, ALWAYS },
};

_Static_assert(sizeof(enum piece_kind) == sizeof(int) && sizeof(enum piece_place) == sizeof(int) &&
                   sizeof(enum mover) == sizeof(int) && sizeof(enum touched) == sizeof(int) &&
                   sizeof(enum camera_event) == sizeof(int),
               "words and whole numbers are copied as int");

const char *log_camera_word(enum camera_event what)
{
    return camera_events[what];
}

// NULL when it cannot be written: a number that is not finite, a text that is not UTF-8.
static json_t *field_json(const struct field *f, const struct observation *o)
{
    const char *at = (const char *)o + f->at;
    double number[3];
    bool truth;
    int whole;
    switch (f->type) {
    case A_WORD:
    case A_WHOLE:
        memcpy(&whole, at, sizeof whole);
        return f->type == A_WORD ? json_string(f->words[whole]) : json_integer(whole);
    case A_TEXT:
        return json_string(at);
    case A_TRUTH:
        memcpy(&truth, at, sizeof truth);
        return json_boolean(truth);
    case AN_INPUT:
        return json_string(input_word(o));
    case NUMBERS:
        break;
    }
    memcpy(number, at, f->count * sizeof *number);
    return f->count == 1   ? json_real(number[0])
           : f->count == 2 ? json_pack("[f, f]", number[0], number[1])
                           : json_pack("[f, f, f]", number[0], number[1], number[2]);
}

json_t *log_line_json(const struct observation *o)
{
    json_t *line = json_pack("{s:f, s:s}", "t_s", o->t_s, "kind", kinds[o->kind]);
    int failed = 0;
    if (observation_of_piece(o->kind))
        failed |= json_object_set_new(line, "id", json_integer(o->id));
    for (size_t i = 0; i < countof(fields); i++) {
        const struct field *f = &fields[i];
        if (f->kind != o->kind || (f->presence == OF_MARBLES && o->seen.kind != PIECE_MARBLE) ||
            (f->presence == IN_DOUBT && (o->seen.kind == PIECE_MARBLE || o->seen.certainty >= 1)) ||
            (f->presence == WITH_RESIDUAL && !(o->still.rms_px > 0)))
            continue;
        failed |= json_object_set_new(line, f->name, field_json(f, o));
    }
    if (failed) {
        json_decref(line);
        line = NULL;
    }
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

int log_line_players(char (*player)[OBS_WORD_MAX], int most, const json_t *list, struct fail *why)
{
    int count = 0;
    if (!json_is_array(list) || json_array_size(list) > (size_t)most)
        return rs_fail(why, RS_EINPUT, "\"players\" must be a list of at most %d colours", most);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *colour = json_string_value(json_array_get(list, i));
        if (!colour || strlen(colour) >= OBS_WORD_MAX)
            return rs_fail(why, RS_EINPUT, "\"players\": each must be a word of less than %d letters", OBS_WORD_MAX);
        snprintf(player[count++], OBS_WORD_MAX, "%s", colour);
    }
    return count;
}

static int as_number(double *out, const json_t *value, const char *field, double limit, struct fail *why)
{
    double x = json_number_value(value);
    if (!json_is_number(value) || !(fabs(x) <= limit))
        return rs_fail(why, RS_EINPUT, "\"%s\" must be a number up to %g", field, limit);
    *out = x;
    return 0;
}

// A single number stands for itself, several are a list.
static int numbers(double *out, size_t count, const json_t *line, const char *field, double limit, struct fail *why)
{
    const json_t *value = json_object_get(line, field);
    if (count == 1)
        return as_number(out, value, field, limit, why);
    if (!json_is_array(value) || json_array_size(value) != count)
        return rs_fail(why, RS_EINPUT, "\"%s\" must be a list of %zu numbers", field, count);
    int rc = 0;
    for (size_t i = 0; i < count && rc == 0; i++)
        rc = as_number(&out[i], json_array_get(value, i), field, limit, why);
    return rc;
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

static int read_field(struct observation *out, const struct field *f, const json_t *line, struct fail *why)
{
    char *at = (char *)out + f->at, word[OBS_WORD_MAX] = "";
    double number[3];
    int i = 0, rc = 0;
    switch (f->type) {
    case A_WORD:
    case A_WHOLE:
        rc = f->type == A_WHOLE ? whole(&i, line, f->name, why) : (i = choice(line, f->name, f->words, f->count, why));
        if (rc >= 0)
            memcpy(at, &i, sizeof i);
        return rc < 0 ? rc : 0;
    case A_TEXT:
        return log_line_word(at, f->count, line, f->name, why);
    case A_TRUTH:
        if (!json_is_boolean(json_object_get(line, f->name)))
            return rs_fail(why, RS_EINPUT, "\"%s\" must be true or false", f->name);
        *(bool *)at = json_is_true(json_object_get(line, f->name));
        return 0;
    case AN_INPUT:
        rc = log_line_word(word, sizeof word, line, f->name, why);
        input_set(out, word);
        return rc;
    case NUMBERS:
        break;
    }
    rc = numbers(number, f->count, line, f->name, f->limit, why);
    if (rc == 0)
        memcpy(at, number, f->count * sizeof *number);
    return rc;
}

int log_line_read(struct observation *out, const json_t *line, struct fail *why)
{
    int kind = choice(line, "kind", kinds, countof(kinds), why);
    if (kind < 0)
        return kind;
    *out = (struct observation){ .kind = (enum observation_kind)kind };
    if (out->kind == OBS_SEEN)
        out->seen.certainty = 1; // of what is surely a piece, and in old logs
    int rc = numbers(&out->t_s, 1, line, "t_s", TIME_MAX_S, why);
    if (rc == 0 && json_object_get(line, "id"))
        rc = whole(&out->id, line, "id", why);
    for (size_t i = 0; i < countof(fields) && rc == 0; i++) {
        const struct field *f = &fields[i];
        const char *sign = f->presence == WITH_RESIDUAL ? "rms_px" : f->name; // whose absence lets it be absent
        if (f->kind == out->kind && (f->presence == ALWAYS || json_object_get(line, sign)))
            rc = read_field(out, f, line, why);
    }
    if (rc == 0 && out->kind == OBS_REST && (out->rest.cov.xx < 0 || out->rest.cov.yy < 0))
        rc = rs_fail(why, RS_EINPUT, "\"cov_in2\": a variance is negative");
    return rc;
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
    } of_lens[] = {
        { "f_px", &c.lens.f_px }, { "cx_px", &c.lens.centre.u }, { "cy_px", &c.lens.centre.v }, { "k1", &c.lens.k1 },
        { "k2", &c.lens.k2 },     { "p1", &c.lens.p1 },          { "p2", &c.lens.p2 },
    };
    int rc = whole(&c.lens.width, camera, "width", why);
    if (rc == 0)
        rc = whole(&c.lens.height, camera, "height", why);
    for (size_t i = 0; i < countof(of_lens) && rc == 0; i++)
        rc = numbers(of_lens[i].to, 1, camera, of_lens[i].field, LENGTH_MAX_IN, why);
    if (rc == 0)
        rc = numbers(&c.pose.R[0][0], 9, camera, "R", 1.001, why);
    if (rc == 0)
        rc = numbers(c.pose.t_in, 3, camera, "t_in", LENGTH_MAX_IN, why);
    if (rc == 0)
        rc = camera_check(&c, why);
    if (rc == 0)
        *out = c;
    return rc;
}
