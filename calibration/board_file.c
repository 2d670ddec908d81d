// SPDX-License-Identifier: MIT
#include "calibration/board_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calibration/json_file.h"
#include "calibration/units.h"

static const char *const kinds[] = { "circles", "ring" };
static const char *const edges[] = { "line-centre", "line-inside" };
static const char *const pieces[] = { "disc", "ring", "marble" };

enum { BOARD_FILE_VERSION = 1 };

// The plain lengths; a file may leave out those that are 0 on a board of its kind.
struct length {
    const char *field;
    size_t offset;
    bool needed;
};

#define LENGTH(name, needed)                                                                                           \
    {                                                                                                                  \
#name, offsetof(struct board, name), needed                                                                    \
    }
static const struct length lengths[] = {
    LENGTH(line_width_in, false),     LENGTH(hole_radius_in, false),    LENGTH(hole_depth_in, false),
    LENGTH(peg_radius_in, false),     LENGTH(surface_radius_in, false), LENGTH(ditch_depth_in, false),
    LENGTH(piece_radius_in, true),    LENGTH(piece_height_in, true),    LENGTH(piece_hole_radius_in, false),
    LENGTH(taw_radius_min_in, false), LENGTH(taw_radius_max_in, false), LENGTH(leg_step_in, false),
};

static double *length_of(struct board *b, const struct length *l)
{
    return (double *)(void *)((char *)b + l->offset);
}

static bool strays(const struct board *b)
{
    for (int i = 0; i < b->circles; i++)
        for (int k = 0; k < BOARD_STRAYS; k++)
            if (b->line_deviation_in[i][k] != 0)
                return true;
    return false;
}

static json_t *strays_to_json(const struct board *b)
{
    json_t *circles = json_array();
    for (int i = 0; i < b->circles; i++) {
        json_t *numbers = json_array();
        for (int k = 0; k < BOARD_STRAYS; k++)
            json_array_append_new(numbers, json_real(b->line_deviation_in[i][k]));
        json_array_append_new(circles, numbers);
    }
    return circles;
}

json_t *board_to_json(const struct board *b)
{
    struct board copy = *b;
    json_t *radii = json_array(), *points = json_array();
    for (int i = 0; i < b->circles; i++) {
        json_array_append_new(radii, json_real(b->circle_in[i]));
        json_array_append_new(points, json_integer(b->zone_points[i]));
    }
    json_t *o =
        json_pack("{s:i, s:s, s:s, s:o, s:o, s:s, s:i, s:i, s:b, s:s, s:i, s:i}", "ringside_board", BOARD_FILE_VERSION,
                  "name", b->name, "kind", kinds[b->kind], "circle_in", radii, "zone_points", points, "edge",
                  edges[b->edge], "hole_points", b->hole_points, "pegs", b->pegs, "quadrant_lines",
                  (int)b->quadrant_lines, "piece", pieces[b->piece], "legs", b->legs, "on_leg", b->on_leg);
    if (o && strays(b) && json_object_set_new(o, "line_deviation_in", strays_to_json(b)) < 0) {
        json_decref(o);
        return NULL;
    }
    for (size_t i = 0; o && i < countof(lengths); i++)
        if (json_object_set_new(o, lengths[i].field, json_real(*length_of(&copy, &lengths[i]))) < 0) {
            json_decref(o);
            o = NULL;
        }
    return o;
}

static int read_word(int *out, const json_t *o, const char *field, const char *const *words, size_t count,
                     struct fail *why)
{
    const char *word = json_string_value(json_object_get(o, field));
    for (size_t i = 0; word && i < count; i++)
        if (strcmp(word, words[i]) == 0) {
            *out = (int)i;
            return 0;
        }
    return rs_fail(why, RS_EINPUT, "board: \"%s\" is %s; it must be \"%s\"%s%s%s", field,
                   word ? "not known" : "missing", words[0], count > 2 ? ", \"" : " or \"", words[1],
                   count > 2 ? "\" or \"marble\"" : "\"");
}

static int read_whole(int *out, const json_t *o, const char *field, int limit, struct fail *why)
{
    const json_t *value = json_object_get(o, field);
    json_int_t x = json_integer_value(value);
    if (!value)
        return 0;
    if (!json_is_integer(value) || x < 0 || x > limit)
        return rs_fail(why, RS_EINPUT, "board: \"%s\" must be a whole number from 0 to %d", field, limit);
    *out = (int)x;
    return 0;
}

static int read_circles(struct board *b, const json_t *o, struct fail *why)
{
    const json_t *radii = json_object_get(o, "circle_in"), *points = json_object_get(o, "zone_points");
    size_t count = json_array_size(radii);
    if (!json_is_array(radii) || count < 1 || count > BOARD_MAX_CIRCLES)
        return rs_fail(why, RS_EINPUT, "board: \"circle_in\" must be a list of 1 to %d radii in inches",
                       BOARD_MAX_CIRCLES);
    if (!json_is_array(points) || json_array_size(points) != count)
        return rs_fail(why, RS_EINPUT, "board: \"zone_points\" must be a list of %zu whole numbers", count);
    for (size_t i = 0; i < count; i++) {
        const json_t *radius = json_array_get(radii, i), *worth = json_array_get(points, i);
        if (!json_is_number(radius))
            return rs_fail(why, RS_EINPUT, "board: \"circle_in\": each radius must be a number");
        if (!json_is_integer(worth) || json_integer_value(worth) < 0 || json_integer_value(worth) > 999)
            return rs_fail(why, RS_EINPUT, "board: \"zone_points\": each must be a whole number from 0 to 999");
        b->circle_in[i] = json_number_value(radius);
        b->zone_points[i] = (int)json_integer_value(worth);
    }
    b->circles = (int)count;
    return 0;
}

static int read_strays(struct board *b, const json_t *o, struct fail *why)
{
    const json_t *circles = json_object_get(o, "line_deviation_in");
    if (circles && json_array_size(circles) != (size_t)b->circles)
        return rs_fail(why, RS_EINPUT, "board: \"line_deviation_in\" must be a list of %d lists, one for each circle",
                       b->circles);
    for (size_t i = 0; i < json_array_size(circles); i++)
        for (size_t k = 0; k < BOARD_STRAYS; k++) {
            const json_t *numbers = json_array_get(circles, i), *number = json_array_get(numbers, k);
            if (json_array_size(numbers) != BOARD_STRAYS || !json_is_number(number))
                return rs_fail(why, RS_EINPUT, "board: \"line_deviation_in\": each list must hold %d numbers of inches",
                               BOARD_STRAYS);
            b->line_deviation_in[i][k] = json_number_value(number);
        }
    return 0;
}

static int read_lengths(struct board *b, const json_t *o, struct fail *why)
{
    for (size_t i = 0; i < countof(lengths); i++) {
        const json_t *value = json_object_get(o, lengths[i].field);
        if (!value && lengths[i].needed)
            return rs_fail(why, RS_EINPUT, "board: \"%s\" is missing", lengths[i].field);
        if (!value)
            continue;
        double x = json_number_value(value);
        if (!json_is_number(value) || !isfinite(x) || x < 0)
            return rs_fail(why, RS_EINPUT, "board: \"%s\" must be a number of inches, 0 or more", lengths[i].field);
        *length_of(b, &lengths[i]) = x;
    }
    return 0;
}

static bool is_known(const char *field)
{
    static const char *const others[] = {
        "ringside_board", "name",           "kind",  "circle_in",         "zone_points", "edge",  "hole_points",
        "pegs",           "quadrant_lines", "piece", "line_deviation_in", "legs",        "on_leg"
    };
    for (size_t i = 0; i < countof(others); i++)
        if (strcmp(field, others[i]) == 0)
            return true;
    for (size_t i = 0; i < countof(lengths); i++)
        if (strcmp(field, lengths[i].field) == 0)
            return true;
    return false;
}

// A misspelt optional field would otherwise be a 0 that nobody notices.
static int check_fields(const json_t *o, struct fail *why)
{
    const char *field;
    json_t *value;
    json_object_foreach((json_t *)o, field, value)
    {
        if (!is_known(field))
            return rs_fail(why, RS_EINPUT, "board: \"%.40s\" is not a field of a board", field);
    }
    return 0;
}

static int read_words(struct board *b, const json_t *o, struct fail *why)
{
    int kind = 0, edge = 0, piece = 0;
    int rc = read_word(&kind, o, "kind", kinds, countof(kinds), why);
    if (rc == 0)
        rc = read_word(&edge, o, "edge", edges, countof(edges), why);
    if (rc == 0)
        rc = read_word(&piece, o, "piece", pieces, countof(pieces), why);
    b->kind = (enum board_kind)kind;
    b->edge = (enum circle_edge)edge;
    b->piece = (enum piece_kind)piece;
    return rc;
}

static int read_name(struct board *b, const json_t *o, struct fail *why)
{
    const char *name = json_string_value(json_object_get(o, "name"));
    if (!name || strlen(name) >= sizeof b->name)
        return rs_fail(why, RS_EINPUT, "board: \"name\" must be a text of less than %zu bytes", sizeof b->name);
    snprintf(b->name, sizeof b->name, "%s", name);
    return 0;
}

static int read_counts(struct board *b, const json_t *o, struct fail *why)
{
    const json_t *lines = json_object_get(o, "quadrant_lines");
    if (lines && !json_is_boolean(lines))
        return rs_fail(why, RS_EINPUT, "board: \"quadrant_lines\" must be true or false");
    b->quadrant_lines = json_is_true(lines);
    int rc = read_whole(&b->hole_points, o, "hole_points", 999, why);
    if (rc == 0)
        rc = read_whole(&b->pegs, o, "pegs", 64, why);
    if (rc == 0)
        rc = read_whole(&b->legs, o, "legs", BOARD_MAX_LEGS, why);
    return rc == 0 ? read_whole(&b->on_leg, o, "on_leg", BOARD_MAX_LEGS, why) : rc;
}

int board_from_json(struct board *out, const json_t *o, struct fail *why)
{
    struct board b = { .circles = 0 };
    const json_t *version = json_object_get(o, "ringside_board");
    if (!json_is_object(o))
        return rs_fail(why, RS_EINPUT, "board: there is no board description");
    if (!json_is_integer(version) || json_integer_value(version) != BOARD_FILE_VERSION)
        return rs_fail(why, RS_EINPUT, "board: \"ringside_board\" must be %d", BOARD_FILE_VERSION);
    int rc = check_fields(o, why);
    if (rc == 0)
        rc = read_name(&b, o, why);
    if (rc == 0)
        rc = read_words(&b, o, why);
    if (rc == 0)
        rc = read_circles(&b, o, why);
    if (rc == 0)
        rc = read_strays(&b, o, why);
    if (rc == 0)
        rc = read_lengths(&b, o, why);
    if (rc == 0)
        rc = read_counts(&b, o, why);
    if (rc == 0)
        rc = board_check(&b, why);
    if (rc == 0)
        *out = b;
    return rc;
}

int board_file_read(struct board *out, const char *path, struct fail *why)
{
    json_t *o = NULL;
    int rc = json_file_read(&o, path, why);
    if (rc < 0)
        return rc;
    struct fail cause;
    rc = board_from_json(out, o, &cause);
    json_decref(o);
    return rc < 0 ? rs_fail(why, rc, "%s: %s", path, cause.text) : 0;
}

int board_file_write(const char *path, const struct board *b, struct fail *why)
{
    int rc = board_check(b, why);
    if (rc < 0)
        return rc;
    json_t *o = board_to_json(b);
    rc = o ? json_file_write(path, o, why) : rs_fail(why, RS_EINPUT, "board: its name is not UTF-8");
    json_decref(o);
    return rc;
}
