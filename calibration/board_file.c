// SPDX-License-Identifier: MIT
#include "calibration/board_file.h"

#include <string.h>

#include "calibration/json_file.h"
#include "calibration/json_memory.h"
#include "calibration/units.h"

static const char *const kinds[] = { "circles", "ring", NULL };
static const char *const edges[] = { "line-centre", "line-inside", NULL };

enum { BOARD_FILE_VERSION = 1 };
static const double MOST_IN = 2000; // of any length; board_check knows better of each

static const struct json_field name_field = { "name", JSON_TEXT, offsetof(struct board, name),
                                              .count = sizeof((struct board *)0)->name };

// All but the lists. A file may leave out what is 0 on a board of its kind.
#define AT(member) offsetof(struct board, member)
static const struct json_field fields[] = {
    { "kind", JSON_WORD, AT(kind), .words = kinds },
    { "edge", JSON_WORD, AT(edge), .words = edges },
    { "hole_points", JSON_COUNT, AT(hole_points), .high = 999, .optional = true },
    { "pegs", JSON_COUNT, AT(pegs), .high = BOARD_MAX_PEGS, .optional = true },
    { "quadrant_lines", JSON_YES_NO, AT(quadrant_lines), .optional = true },
    { "piece", JSON_WORD, AT(piece), .words = piece_words },
    { "legs", JSON_COUNT, AT(legs), .high = BOARD_MAX_LEGS, .optional = true },
    { "on_leg", JSON_COUNT, AT(on_leg), .high = BOARD_MAX_LEGS, .optional = true },
    { "line_width_in", JSON_LENGTH, AT(line_width_in), .high = MOST_IN, .unit = "in", .optional = true },
    { "hole_radius_in", JSON_LENGTH, AT(hole_radius_in), .high = MOST_IN, .unit = "in", .optional = true },
    { "hole_depth_in", JSON_LENGTH, AT(hole_depth_in), .high = MOST_IN, .unit = "in", .optional = true },
    { "peg_radius_in", JSON_LENGTH, AT(peg_radius_in), .high = MOST_IN, .unit = "in", .optional = true },
    { "surface_radius_in", JSON_LENGTH, AT(surface_radius_in), .high = MOST_IN, .unit = "in", .optional = true },
    { "ditch_depth_in", JSON_LENGTH, AT(ditch_depth_in), .high = MOST_IN, .unit = "in", .optional = true },
    { "piece_radius_in", JSON_LENGTH, AT(piece_radius_in), .high = MOST_IN, .unit = "in" },
    { "piece_height_in", JSON_LENGTH, AT(piece_height_in), .high = MOST_IN, .unit = "in" },
    { "piece_hole_radius_in", JSON_LENGTH, AT(piece_hole_radius_in), .high = MOST_IN, .unit = "in", .optional = true },
    { "taw_radius_min_in", JSON_LENGTH, AT(taw_radius_min_in), .high = MOST_IN, .unit = "in", .optional = true },
    { "taw_radius_max_in", JSON_LENGTH, AT(taw_radius_max_in), .high = MOST_IN, .unit = "in", .optional = true },
    { "leg_step_in", JSON_LENGTH, AT(leg_step_in), .high = MOST_IN, .unit = "in", .optional = true },
};

json_t *board_to_json(const struct board *b)
{
    json_t *radii = json_array(), *points = json_array(), *deviations = json_array();
    bool deviates = false;
    for (int i = 0; i < b->circles; i++) {
        json_t *numbers = json_array();
        json_array_append_new(radii, json_real(b->circle_in[i]));
        json_array_append_new(points, json_integer(b->zone_points[i]));
        for (int k = 0; k < LINE_DEVIATION_TERMS; k++) {
            deviates |= b->line_deviation_in[i][k] != 0;
            json_array_append_new(numbers, json_real(b->line_deviation_in[i][k]));
        }
        json_array_append_new(deviations, numbers);
    }
    json_t *o = json_pack("{s:i, s:s, s:o, s:o, s:o}", "ringside_board", BOARD_FILE_VERSION, "name", b->name,
                          "circle_in", radii, "zone_points", points, "line_deviation_in", deviations);
    if (o && !deviates)
        json_object_del(o, "line_deviation_in");
    if (o && json_fields_write(o, b, fields, countof(fields)) == 0)
        return o;
    json_decref(o);
    return NULL;
}

static int read_circles(struct board *b, const json_t *o, struct fail *why)
{
    const json_t *radii = json_object_get(o, "circle_in"), *points = json_object_get(o, "zone_points");
    const json_t *deviations = json_object_get(o, "line_deviation_in");
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
    if (deviations && json_array_size(deviations) != count)
        return rs_fail(why, RS_EINPUT, "board: \"line_deviation_in\" must be a list of %zu lists, one for each circle",
                       count);
    for (size_t i = 0; i < json_array_size(deviations); i++)
        for (size_t k = 0; k < LINE_DEVIATION_TERMS; k++) {
            const json_t *numbers = json_array_get(deviations, i), *number = json_array_get(numbers, k);
            if (json_array_size(numbers) != LINE_DEVIATION_TERMS || !json_is_number(number))
                return rs_fail(why, RS_EINPUT, "board: \"line_deviation_in\": each list must hold %d numbers of inches",
                               LINE_DEVIATION_TERMS);
            b->line_deviation_in[i][k] = json_number_value(number);
        }
    return 0;
}

int board_from_json(struct board *out, const json_t *o, struct fail *why)
{
    static const char *const others[] = { "ringside_board", "name", "circle_in", "zone_points", "line_deviation_in" };
    struct board b = { .circles = 0 };
    struct fail cause;
    const char *field;
    json_t *value;
    if (!json_is_object(o))
        return rs_fail(why, RS_EINPUT, "board: there is no board description");
    int rc = json_version_check(o, "ringside_board", BOARD_FILE_VERSION, &cause);
    if (rc < 0)
        return rs_fail(why, rc, "board: %s", cause.text);
    json_object_foreach((json_t *)o, field, value) // a misspelt field would otherwise be a 0 that nobody notices
    {
        bool known = false;
        for (size_t i = 0; i < countof(others); i++)
            known |= strcmp(field, others[i]) == 0;
        for (size_t i = 0; i < countof(fields); i++)
            known |= strcmp(field, fields[i].name) == 0;
        if (!known)
            return rs_fail(why, RS_EINPUT, "board: \"%.40s\" is not a field of a board", field);
    }
    rc = json_field_read(&b, o, &name_field, &cause);
    if (rc < 0)
        return rs_fail(why, rc, "board: %s", cause.text);
    rc = read_circles(&b, o, why);
    if (rc == 0) {
        rc = json_fields_read(&b, o, fields, countof(fields), &cause);
        rc = rc < 0 ? rs_fail(why, rc, "board: %s", cause.text) : board_check(&b, why);
    }
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
    rc = json_memory_check(path, why);
    if (rc == 0)
        rc = o ? json_file_write(path, o, why) : rs_fail(why, RS_EINPUT, "board: its name is not UTF-8");
    json_decref(o);
    return rc;
}
