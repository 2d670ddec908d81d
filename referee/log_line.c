// SPDX-License-Identifier: MIT
#include "referee/log_line.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "calibration/json_file.h"
#include "calibration/json_memory.h"
#include "calibration/lens_file.h"
#include "calibration/text.h"
#include "referee/rules/input.h"

// What a number can be. A place five times as far off as the largest board reaches (calibration/board.c) is on no floor
// that a camera sees, and so is no error of one; a variance is at most such a length's square. No match takes three
// years. A marble is never so small nor a board's piece so large. No error in a picture is wider than the widest
// picture (calibration/lens_file.c). A direction is told by an angle once round at most, either way.
#define LENGTH_MAX_IN 1e4
#define VARIANCE_MAX_IN2 1e8
#define TIME_MAX_S 1e8
#define RADIUS_LEAST_IN 0.01
#define RADIUS_MAX_IN 1000
#define RMS_MAX_PX 65536
#define ANGLE_MAX_RAD 6.2832
// L* is 0 to 100, and a* and b* of what a screen shows are within 108 of 0; light that is taken for glare adds to them.
#define LAB_MAX 300
// Numbers that people say: points, counts, places in a list.
#define VALUE_MAX 1e6

static const char *const kinds[] = {
    "seen", "rest", "move", "contact", "gone", "hand", "still", "camera", "input", NULL
};
static const char *const planes[] = { "surface", "hole", "ditch", "off", NULL };
static const char *const wheres[] = { "surface", "hole", "ditch", "off", "hand", "cut", "unseen", NULL };
static const char *const movers[] = { "shot", "hand", NULL };
static const char *const camera_events[] = { "locked", "moved", "lost", "cut", "damaged", "covered", NULL };
static const char *const touches[] = { "piece", "peg", "unseen", "rim", NULL };

_Static_assert(sizeof(enum observation_kind) == sizeof(int) && sizeof(enum piece_kind) == sizeof(int) &&
                   sizeof(enum piece_place) == sizeof(int) && sizeof(enum mover) == sizeof(int) &&
                   sizeof(enum touched) == sizeof(int) && sizeof(enum camera_event) == sizeof(int),
               "words are copied as int");

#define AT(member) offsetof(struct observation, member)
#define LENGTH(name, member, least, most, of) name, JSON_LENGTH, AT(member), .low = least, .high = most, .unit = of
#define LENGTHS(name, member, n, most, of)                                                                             \
    name, JSON_LENGTHS, AT(member), .low = -(most), .high = most, .unit = of, .count = n
#define ID(name, member) name, JSON_COUNT, AT(member), .high = LOG_ID_MAX         // of a piece that is seen
#define NUMBER(name, member) name, JSON_COUNT, AT(member), .high = LOG_NUMBER_MAX // of a piece, shot or input; 0: none
#define ONE_OF(name, member, the_words) name, JSON_WORD, AT(member), .words = the_words
#define TEXT(name, member, bytes) name, JSON_TEXT, AT(member), .count = bytes
#define YES_NO(name, member) name, JSON_YES_NO, .offset = AT(member)

static const struct json_field time_field = { LENGTH("t_s", t_s, 0, TIME_MAX_S, "s") }; // since the first frame
static const struct json_field kind_field = { "kind", JSON_WORD, AT(kind), .words = kinds };
static const struct json_field id_field = { ID("id", id) };

// When a line has a field. Logs that were written before it was known have none but those that are there always.
enum presence {
    ALWAYS,
    OF_MARBLES,
    WITH_SIZE,     // a marble's size was measured, or is known not to have been
    IN_DOUBT,      // of discs and rings that are not surely pieces
    SURER,         // where it came to rest it was measured more surely than before
    WITH_RESIDUAL, // it is known how well the board was seen
    WITH_LAB,      // a colour was measured
    NAMED,         // an input names a shot, piece, input or side
    WITH_HEARD,    // it is known when it was heard
    WITH_VALUE,    // or it has values
    WITH_LOSS,     // time was lost
};

// What a line says of each kind of observation, beside time, kind and id, in the order in which it is written.
static const struct {
    enum observation_kind kind;
    enum presence presence;
    struct json_field as;
} fields[] = {
    { OBS_SEEN, ALWAYS, { ONE_OF("piece", seen.kind, piece_words) } },
    { OBS_SEEN, ALWAYS, { TEXT("colour", seen.colour, OBS_WORD_MAX) } },
    { OBS_SEEN, ALWAYS, { YES_NO("taw", seen.taw) } },
    { OBS_SEEN, ALWAYS, { LENGTH("radius_in", seen.radius_in, RADIUS_LEAST_IN, RADIUS_MAX_IN, "in") } },
    { OBS_SEEN, WITH_SIZE, { LENGTH("radius_sigma_in", seen.radius_sigma_in, 0, RADIUS_MAX_IN, "in") } },
    { OBS_SEEN, OF_MARBLES, { LENGTH("taw_certainty", seen.certainty, 0, 1, NULL) } },
    { OBS_SEEN, IN_DOUBT, { LENGTH("certainty", seen.certainty, 0, 1, NULL) } },
    { OBS_SEEN, WITH_LAB, { LENGTHS("lab", seen.lab, 3, LAB_MAX, NULL) } },
    { OBS_REST, ALWAYS, { LENGTHS("at_in", rest.at, 2, LENGTH_MAX_IN, "in") } },
    { OBS_REST, ALWAYS, { LENGTHS("cov_in2", rest.cov, 3, VARIANCE_MAX_IN2, "in2") } },
    { OBS_REST, ALWAYS, { ONE_OF("plane", rest.plane, planes) } },
    { OBS_REST, SURER, { LENGTH("certainty", rest.certainty, 0, 1, NULL) } },
    { OBS_MOVE, ALWAYS, { ONE_OF("by", move.by, movers) } },
    { OBS_MOVE, ALWAYS, { LENGTHS("from_in", move.from, 2, LENGTH_MAX_IN, "in") } },
    { OBS_CONTACT, ALWAYS, { ONE_OF("with", contact.what, touches) } },
    { OBS_CONTACT, ALWAYS, { ID("other", contact.other) } },
    { OBS_CONTACT, ALWAYS, { LENGTH("sigma_t_s", contact.sigma_t_s, 0, TIME_MAX_S, "s") } },
    { OBS_CONTACT, ALWAYS, { LENGTHS("at_in", contact.at, 2, LENGTH_MAX_IN, "in") } },
    { OBS_GONE, ALWAYS, { ONE_OF("where", gone.where, wheres) } },
    { OBS_HAND, ALWAYS, { YES_NO("over", hand.over) } },
    { OBS_HAND, ALWAYS, { LENGTH("from_rad", hand.from_rad, -ANGLE_MAX_RAD, ANGLE_MAX_RAD, "rad") } },
    { OBS_STILL, WITH_RESIDUAL, { LENGTH("rms_px", still.rms_px, 0, RMS_MAX_PX, "px") } },
    { OBS_STILL, WITH_RESIDUAL, { LENGTH("line_sigma_in", still.line_sigma_in, 0, LENGTH_MAX_IN, "in") } },
    { OBS_CAMERA, ALWAYS, { ONE_OF("what", camera.what, camera_events) } },
    { OBS_CAMERA, ALWAYS, { LENGTH("shift_in", camera.shift_in, 0, LENGTH_MAX_IN, "in") } },
    { OBS_CAMERA, WITH_LOSS, { LENGTH("lost_s", camera.lost_s, 0, TIME_MAX_S, "s") } },
    { OBS_INPUT, ALWAYS, { TEXT("by", input.by, OBS_WORD_MAX) } },
    { OBS_INPUT, ALWAYS, { TEXT("what", input.other, OBS_WORD_MAX) } }, // its word, known or not
    { OBS_INPUT, ALWAYS, { TEXT("text", input.text, OBS_TEXT_MAX) } },
    { OBS_INPUT, NAMED, { NUMBER("shot", input.shot) } },
    { OBS_INPUT, NAMED, { NUMBER("piece", input.piece) } },
    { OBS_INPUT, NAMED, { NUMBER("input", input.input) } },
    { OBS_INPUT, NAMED, { TEXT("side", input.side, OBS_WORD_MAX) } },
    { OBS_INPUT, WITH_HEARD, { LENGTH("heard_s", input.heard_s, 0, TIME_MAX_S, "s") } },
    { OBS_INPUT, WITH_VALUE, { LENGTHS("value", input.value, 2, VALUE_MAX, NULL) } },
};

#define POSE(member) offsetof(struct pose, member)
static const struct json_field pose_fields[] = {
    { "R", JSON_LENGTHS, POSE(R), .low = -1.001, .high = 1.001, .count = 9 }, // camera_check knows better
    { "t_in", JSON_LENGTHS, POSE(t_in), .low = -LENGTH_MAX_IN, .high = LENGTH_MAX_IN, .unit = "in", .count = 3 },
};

const char *log_kind_word(enum observation_kind kind)
{
    return kinds[kind];
}

const char *log_camera_word(enum camera_event what)
{
    return camera_events[what];
}

// Whether a line about `o` has the field.
static bool is_written(const struct observation *o, enum presence presence, const struct json_field *f)
{
    const char *member = (const char *)o + f->offset;
    static const char none[sizeof(int)] = { 0 };
    switch (presence) {
    case ALWAYS:
        return true;
    case OF_MARBLES:
        return o->seen.kind == PIECE_MARBLE;
    case WITH_SIZE:
        return o->seen.kind == PIECE_MARBLE && o->seen.radius_sigma_in > 0;
    case IN_DOUBT:
        return o->seen.kind != PIECE_MARBLE && o->seen.certainty < 1;
    case SURER:
        return o->rest.certainty > 0;
    case WITH_RESIDUAL:
        return o->still.rms_px > 0;
    case WITH_LAB:
        return o->seen.has_lab;
    case NAMED:
        return f->kind == JSON_TEXT ? member[0] != '\0' : memcmp(member, none, sizeof none) != 0;
    case WITH_HEARD:
        return o->input.heard_s > 0;
    case WITH_VALUE:
        return o->input.has_value;
    case WITH_LOSS:
        return o->camera.lost_s > 0;
    }
    return false;
}

// NULL when a number is not finite or a text is not UTF-8.
static json_t *line_of(const struct observation *o)
{
    json_t *line = json_object();
    struct observation said = *o;
    if (o->kind == OBS_INPUT)
        snprintf(said.input.other, sizeof said.input.other, "%s", input_word(o));
    int failed = json_field_write(line, o, &time_field) | json_field_write(line, o, &kind_field);
    if (observation_of_piece(o->kind))
        failed |= json_field_write(line, o, &id_field);
    for (size_t i = 0; i < countof(fields); i++) {
        if (fields[i].kind == o->kind && is_written(o, fields[i].presence, &fields[i].as))
            failed |= json_field_write(line, &said, &fields[i].as);
    }
    if (failed) {
        json_decref(line);
        line = NULL;
    }
    return line;
}

char *log_line_text(json_t *line)
{
    char *text = line ? json_memory_text(line, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(line);
    return text;
}

// Semidefinite is enough: what a person wrote by hand may lie exactly there, or be unsure in one direction alone. The
// last digit of a narrow one may have been rounded away.
static bool is_covariance(const struct cov_in2 *c)
{
    static const double ROUNDED = 1e-9;
    return c->xx >= 0 && c->yy >= 0 && c->xy * c->xy <= c->xx * c->yy * (1 + ROUNDED);
}

void log_line_clamp(struct observation *o)
{
    json_field_clamp(o, &time_field);
    if (o->kind == OBS_INPUT) // nobody measured that
        return;
    for (size_t i = 0; i < countof(fields); i++)
        if (fields[i].kind == o->kind)
            json_field_clamp(o, &fields[i].as);
    if (o->kind != OBS_REST)
        return;
    struct cov_in2 *c = &o->rest.cov;
    c->xx = fmax(c->xx, 0);
    c->yy = fmax(c->yy, 0);
    if (!is_covariance(c))
        c->xy = copysign(sqrt(c->xx * c->yy), c->xy);
}

int log_line_read(struct observation *out, const json_t *line, struct fail *why)
{
    *out = (struct observation){ .kind = OBS_SEEN };
    int rc = json_field_read(out, line, &kind_field, why);
    if (rc == 0 && out->kind == OBS_SEEN)
        out->seen.certainty = 1; // of what is surely a piece, and in old logs
    if (rc == 0)
        rc = json_field_read(out, line, &time_field, why);
    if (rc == 0 && json_object_get(line, "id"))
        rc = json_field_read(out, line, &id_field, why);
    for (size_t i = 0; i < countof(fields) && rc == 0; i++) {
        enum presence presence = fields[i].presence;
        const char *sign = presence == WITH_RESIDUAL ? "rms_px" : fields[i].as.name; // whose absence lets it be absent
        if (fields[i].kind == out->kind && (presence == ALWAYS || json_object_get(line, sign)))
            rc = json_field_read(out, line, &fields[i].as, why);
    }
    if (out->kind == OBS_SEEN)
        out->seen.has_lab = json_object_get(line, "lab") != NULL;
    if (out->kind == OBS_INPUT)
        out->input.has_value = json_object_get(line, "value") != NULL;
    if (rc == 0 && out->kind == OBS_INPUT) {
        char word[OBS_WORD_MAX];
        memcpy(word, out->input.other, sizeof word);
        input_set(out, word);
    }
    if (rc == 0 && out->kind == OBS_REST && !is_covariance(&out->rest.cov))
        rc = rs_fail(why, RS_EINPUT,
                     "\"cov_in2\" is %.6g, %.6g, %.6g in2; it must be a covariance: xx and yy 0 or more, xy squared at "
                     "most xx times yy",
                     out->rest.cov.xx, out->rest.cov.xy, out->rest.cov.yy);
    return rc;
}

int log_line_check_said(const json_t *line, struct fail *why)
{
    const char *key;
    json_t *value;
    char all[160] = "";
    for (size_t i = 0; i < countof(fields); i++)
        if (fields[i].kind == OBS_INPUT)
            text_add(all, sizeof all, "%s%s", text_comma(all), fields[i].as.name);
    json_object_foreach((json_t *)line, key, value)
    {
        bool known = strcmp(key, kind_field.name) == 0 || strcmp(key, time_field.name) == 0;
        for (size_t i = 0; i < countof(fields); i++)
            known |= fields[i].kind == OBS_INPUT && strcmp(key, fields[i].as.name) == 0;
        if (!known)
            return rs_fail(why, RS_EINPUT, "an input has no field \"%.40s\"; it has %s", key, all);
    }
    return 0;
}

int log_line_make(json_t **out, const struct observation *o, struct fail *why)
{
    struct observation again;
    struct fail cause;
    *out = line_of(o);
    if (json_memory_check("a log's line", why) < 0) {
        json_decref(*out);
        *out = NULL;
        return RS_ENOMEM;
    }
    if (!*out)
        return rs_fail(why, RS_EINPUT, "a log's line: a number is not finite, or a text is not UTF-8");
    int rc = log_line_read(&again, *out, &cause);
    if (rc == 0)
        return 0;
    json_decref(*out);
    *out = NULL;
    return rs_fail(why, rc, "this cannot stand in a log: %s", cause.text);
}

json_t *log_line_camera(const struct camera *c)
{
    json_t *o = json_object();
    if (json_fields_write(o, &c->lens, lens_fields, LENS_FIELDS) == 0 &&
        json_fields_write(o, &c->pose, pose_fields, countof(pose_fields)) == 0)
        return o;
    json_decref(o);
    return NULL;
}

int log_line_read_camera(struct camera *out, const json_t *camera, struct fail *why)
{
    struct camera c = { .lens.width = 0 };
    int rc = json_fields_read(&c.lens, camera, lens_fields, LENS_FIELDS, why);
    if (rc == 0)
        rc = json_fields_read(&c.pose, camera, pose_fields, countof(pose_fields), why);
    if (rc == 0)
        rc = camera_check(&c, why);
    if (rc == 0)
        *out = c;
    return rc;
}
