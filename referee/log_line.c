// SPDX-License-Identifier: MIT
#include "referee/log_line.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "calibration/json_file.h"
#include "referee/rules/input.h"

// No place on a board or floor is farther off than this, no time later.
#define LENGTH_MAX_IN 1e6
#define TIME_MAX_S 1e8
#define ID_MAX 1e9 // whole numbers; the log itself takes less

static const char *const kinds[] = {
    "seen", "rest", "move", "contact", "gone", "hand", "still", "camera", "input", NULL
};
static const char *const planes[] = { "surface", "hole", "ditch", "off", NULL };
static const char *const wheres[] = { "surface", "hole", "ditch", "off", "hand", "cut", NULL };
static const char *const movers[] = { "shot", "hand", NULL };
static const char *const camera_events[] = { "locked", "moved", "lost", "cut", "damaged", NULL };
static const char *const touches[] = { "piece", "peg", "unseen", "rim", NULL };

_Static_assert(sizeof(enum observation_kind) == sizeof(int) && sizeof(enum piece_kind) == sizeof(int) &&
                   sizeof(enum piece_place) == sizeof(int) && sizeof(enum mover) == sizeof(int) &&
                   sizeof(enum touched) == sizeof(int) && sizeof(enum camera_event) == sizeof(int),
               "words are copied as int");

#define AT(member) offsetof(struct observation, member)
#define LENGTH(name, member, most) name, JSON_LENGTH, AT(member), .low = -(most), .high = most
#define LENGTHS(name, member, n)                                                                                       \
    name, JSON_LENGTHS, AT(member), .low = -LENGTH_MAX_IN, .high = LENGTH_MAX_IN, .count = n
#define ONE_OF(name, member, the_words) name, JSON_WORD, AT(member), .words = the_words
#define TEXT(name, member, bytes) name, JSON_TEXT, AT(member), .count = bytes
#define YES_NO(name, member) name, JSON_YES_NO, .offset = AT(member)

static const struct json_field time_field = { "t_s", JSON_LENGTH, AT(t_s), .low = -TIME_MAX_S, .high = TIME_MAX_S };
static const struct json_field kind_field = { "kind", JSON_WORD, AT(kind), .words = kinds };
static const struct json_field id_field = { "id", JSON_COUNT, AT(id), .high = ID_MAX };

// ALWAYS, or left out: of discs and rings; of marbles and of what is surely a piece; when nothing is known of how well the
// board was seen; when no colour was measured; when no time was lost; when an input names no shot, piece, input or side, or has no values. Logs
// that were written before such a field was known have none.
enum presence { ALWAYS, OF_MARBLES, IN_DOUBT, WITH_RESIDUAL, WITH_LAB, NAMED, WITH_VALUE, WITH_LOSS };

// What a line says of each kind of observation, beside time, kind and id, in the order in which it is written.
static const struct {
    enum observation_kind kind;
    enum presence presence;
    struct json_field as;
} fields[] = {
    { OBS_SEEN, ALWAYS, { ONE_OF("piece", seen.kind, piece_words) } },
    { OBS_SEEN, ALWAYS, { TEXT("colour", seen.colour, OBS_WORD_MAX) } },
    { OBS_SEEN, ALWAYS, { YES_NO("taw", seen.taw) } },
    { OBS_SEEN, ALWAYS, { LENGTH("radius_in", seen.radius_in, LENGTH_MAX_IN) } },
    { OBS_SEEN, OF_MARBLES, { LENGTH("taw_certainty", seen.certainty, 1) } },
    { OBS_SEEN, IN_DOUBT, { LENGTH("certainty", seen.certainty, 1) } },
    { OBS_SEEN, WITH_LAB, { LENGTHS("lab", seen.lab, 3) } },
    { OBS_REST, ALWAYS, { LENGTHS("at_in", rest.at, 2) } },
    { OBS_REST, ALWAYS, { LENGTHS("cov_in2", rest.cov, 3) } },
    { OBS_REST, ALWAYS, { ONE_OF("plane", rest.plane, planes) } },
    { OBS_MOVE, ALWAYS, { ONE_OF("by", move.by, movers) } },
    { OBS_MOVE, ALWAYS, { LENGTHS("from_in", move.from, 2) } },
    { OBS_CONTACT, ALWAYS, { ONE_OF("with", contact.what, touches) } },
    { OBS_CONTACT, ALWAYS, { "other", JSON_COUNT, AT(contact.other), .high = ID_MAX } },
    { OBS_CONTACT, ALWAYS, { LENGTH("sigma_t_s", contact.sigma_t_s, TIME_MAX_S) } },
    { OBS_CONTACT, ALWAYS, { LENGTHS("at_in", contact.at, 2) } },
    { OBS_GONE, ALWAYS, { ONE_OF("where", gone.where, wheres) } },
    { OBS_HAND, ALWAYS, { YES_NO("over", hand.over) } },
    { OBS_HAND, ALWAYS, { LENGTH("from_rad", hand.from_rad, 10) } },
    { OBS_STILL, WITH_RESIDUAL, { LENGTH("rms_px", still.rms_px, LENGTH_MAX_IN) } },
    { OBS_STILL, WITH_RESIDUAL, { LENGTH("line_sigma_in", still.line_sigma_in, LENGTH_MAX_IN) } },
    { OBS_CAMERA, ALWAYS, { ONE_OF("what", camera.what, camera_events) } },
    { OBS_CAMERA, ALWAYS, { LENGTH("shift_in", camera.shift_in, LENGTH_MAX_IN) } },
    { OBS_CAMERA, WITH_LOSS, { "lost_s", JSON_LENGTH, AT(camera.lost_s), .low = 0, .high = TIME_MAX_S } },
    { OBS_INPUT, ALWAYS, { TEXT("by", input.by, OBS_WORD_MAX) } },
    { OBS_INPUT, ALWAYS, { TEXT("what", input.other, OBS_WORD_MAX) } }, // its word, known or not
    { OBS_INPUT, ALWAYS, { TEXT("text", input.text, OBS_TEXT_MAX) } },
    { OBS_INPUT, NAMED, { "shot", JSON_COUNT, AT(input.shot), .high = ID_MAX } },
    { OBS_INPUT, NAMED, { "piece", JSON_COUNT, AT(input.piece), .high = ID_MAX } },
    { OBS_INPUT, NAMED, { "input", JSON_COUNT, AT(input.input), .high = ID_MAX } },
    { OBS_INPUT, NAMED, { TEXT("side", input.side, OBS_WORD_MAX) } },
    { OBS_INPUT, WITH_VALUE, { LENGTHS("value", input.value, 2) } },
};

#define LENS(name, member)                                                                                             \
    name, JSON_LENGTH, offsetof(struct camera, lens.member), .low = -LENGTH_MAX_IN, .high = LENGTH_MAX_IN

static const struct json_field camera_fields[] = {
    { "width", JSON_COUNT, offsetof(struct camera, lens.width), .high = ID_MAX },
    { "height", JSON_COUNT, offsetof(struct camera, lens.height), .high = ID_MAX },
    { LENS("f_px", f_px) },
    { LENS("cx_px", centre.u) },
    { LENS("cy_px", centre.v) },
    { LENS("k1", k1) },
    { LENS("k2", k2) },
    { LENS("p1", p1) },
    { LENS("p2", p2) },
    { "R", JSON_LENGTHS, offsetof(struct camera, pose.R), .low = -1.001, .high = 1.001, .count = 9 },
    { "t_in", JSON_LENGTHS, offsetof(struct camera, pose.t_in), .low = -LENGTH_MAX_IN, .high = LENGTH_MAX_IN,
      .count = 3 },
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
    case IN_DOUBT:
        return o->seen.kind != PIECE_MARBLE && o->seen.certainty < 1;
    case WITH_RESIDUAL:
        return o->still.rms_px > 0;
    case WITH_LAB:
        return o->seen.has_lab;
    case NAMED:
        return f->kind == JSON_TEXT ? member[0] != '\0' : memcmp(member, none, sizeof none) != 0;
    case WITH_VALUE:
        return o->input.has_value;
    case WITH_LOSS:
        return o->camera.lost_s > 0;
    }
    return false;
}

json_t *log_line_json(const struct observation *o)
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
    char *text = line ? json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(line);
    return text;
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
    if (rc == 0 && out->kind == OBS_REST && (out->rest.cov.xx < 0 || out->rest.cov.yy < 0))
        rc = rs_fail(why, RS_EINPUT, "\"cov_in2\": a variance is negative");
    return rc;
}

json_t *log_line_camera(const struct camera *c)
{
    json_t *o = json_object();
    if (json_fields_write(o, c, camera_fields, countof(camera_fields)) == 0)
        return o;
    json_decref(o);
    return NULL;
}

int log_line_read_camera(struct camera *out, const json_t *camera, struct fail *why)
{
    struct camera c = { .lens.width = 0 };
    int rc = json_fields_read(&c, camera, camera_fields, countof(camera_fields), why);
    if (rc == 0)
        rc = camera_check(&c, why);
    if (rc == 0)
        *out = c;
    return rc;
}
