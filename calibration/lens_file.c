// SPDX-License-Identifier: MIT
#include "calibration/lens_file.h"

#include "calibration/json_file.h"

enum { LENS_FILE_VERSION = 1, LENS_MAX_SIDE_PX = 65536 };

#define AT(member) offsetof(struct lens, member)
static const struct json_field fields[] = {
    { "width", JSON_COUNT, AT(width), .low = 16, .high = LENS_MAX_SIDE_PX },
    { "height", JSON_COUNT, AT(height), .low = 16, .high = LENS_MAX_SIDE_PX },
    { "f_px", JSON_LENGTH, AT(f_px), .low = 1, .high = 1e6 },
    { "cx_px", JSON_LENGTH, AT(centre.u), .low = -1e6, .high = 1e6 },
    { "cy_px", JSON_LENGTH, AT(centre.v), .low = -1e6, .high = 1e6 },
    { "k1", JSON_LENGTH, AT(k1), .low = -10, .high = 10 },
    { "k2", JSON_LENGTH, AT(k2), .low = -100, .high = 100 },
    { "p1", JSON_LENGTH, AT(p1), .low = -1, .high = 1 },
    { "p2", JSON_LENGTH, AT(p2), .low = -1, .high = 1 },
    // Older files, and those written by hand, do not say how well they are known.
    { "f_sigma_px", JSON_LENGTH, AT(f_sigma_px), .high = 1e6, .optional = true },
};

int lens_file_read(struct lens *out, const char *path, struct fail *why)
{
    json_t *o = NULL;
    struct fail cause = { .text = "" };
    struct lens l = { .width = 0 };
    int rc = json_file_read(&o, path, why);
    if (rc < 0)
        return rc;
    const json_t *version = json_object_get(o, "ringside_lens");
    if (!json_is_integer(version) || json_integer_value(version) != LENS_FILE_VERSION)
        rc = rs_fail(&cause, RS_EINPUT, "\"ringside_lens\" must be %d", LENS_FILE_VERSION);
    else
        rc = json_fields_read(&l, o, fields, countof(fields), &cause);
    json_decref(o);
    if (rc < 0)
        return rs_fail(why, rc, "%s: lens: %s", path, cause.text);
    *out = l;
    return 0;
}

int lens_file_write(const char *path, const struct lens *l, double rms_px, struct fail *why)
{
    json_t *o = json_pack("{s:i}", "ringside_lens", LENS_FILE_VERSION);
    int rc = 0;
    if (!o || json_fields_write(o, l, fields, countof(fields)) < 0 ||
        json_object_set_new(o, "rms_px", json_real(rms_px)) < 0)
        rc = rs_fail(why, RS_EINPUT, "lens: a number is not finite");
    if (rc == 0)
        rc = json_file_write(path, o, why);
    json_decref(o);
    return rc;
}
