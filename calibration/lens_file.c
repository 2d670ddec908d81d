// SPDX-License-Identifier: MIT
#include "calibration/lens_file.h"

#include "calibration/json_file.h"

enum { LENS_FILE_VERSION = 1, LENS_MAX_SIDE_PX = 65536 };

// A picture is at least as large as the smallest that anything is looked for in, and no sensor or scanner is wider than
// the other end. A view of one pixel's focal length sees a half-space, one of a million is a telescope. The axis of a
// cropped picture may lie outside it, not farther off than the largest picture. Lenses that were measured have |k1|
// below 1, |k2| below 3 and tangential parts below 0.01; ten to a hundred times as much bends everything into a knot.
#define AT(member) offsetof(struct lens, member)
const struct json_field lens_fields[LENS_FIELDS] = {
    { "width", JSON_COUNT, AT(width), .low = 16, .high = LENS_MAX_SIDE_PX },
    { "height", JSON_COUNT, AT(height), .low = 16, .high = LENS_MAX_SIDE_PX },
    { "f_px", JSON_LENGTH, AT(f_px), .low = 1, .high = 1e6, .unit = "px" },
    { "cx_px", JSON_LENGTH, AT(centre.u), .low = -LENS_MAX_SIDE_PX, .high = LENS_MAX_SIDE_PX, .unit = "px" },
    { "cy_px", JSON_LENGTH, AT(centre.v), .low = -LENS_MAX_SIDE_PX, .high = LENS_MAX_SIDE_PX, .unit = "px" },
    { "k1", JSON_LENGTH, AT(k1), .low = -10, .high = 10 },
    { "k2", JSON_LENGTH, AT(k2), .low = -100, .high = 100 },
    { "p1", JSON_LENGTH, AT(p1), .low = -1, .high = 1 },
    { "p2", JSON_LENGTH, AT(p2), .low = -1, .high = 1 },
};

// Older files, and those written by hand, do not say how well they are known.
static const struct json_field f_sigma = { "f_sigma_px", JSON_LENGTH,  AT(f_sigma_px),
                                           .high = 1e6,  .unit = "px", .optional = true };
// How well the corners fitted; only people read it. Beyond a picture's side nothing fitted.
static const struct json_field rms = { "rms_px",     JSON_LENGTH,     0, .high = LENS_MAX_SIDE_PX,
                                       .unit = "px", .optional = true };

static int read_fields(struct lens *out, const json_t *o, struct fail *why)
{
    double rms_px;
    int rc = json_version_check(o, "ringside_lens", LENS_FILE_VERSION, why);
    if (rc == 0)
        rc = json_fields_read(out, o, lens_fields, LENS_FIELDS, why);
    if (rc == 0)
        rc = json_field_read(out, o, &f_sigma, why);
    return rc == 0 ? json_field_read(&rms_px, o, &rms, why) : rc;
}

int lens_file_read(struct lens *out, const char *path, struct fail *why)
{
    json_t *o = NULL;
    struct fail cause = { .text = "" };
    struct lens l = { .width = 0 };
    int rc = json_file_read(&o, path, why);
    if (rc < 0)
        return rc;
    rc = read_fields(&l, o, &cause);
    json_decref(o);
    if (rc < 0)
        return rs_fail(why, rc, "%s: lens: %s", path, cause.text);
    *out = l;
    return 0;
}

int lens_file_write(const char *path, const struct lens *l, double rms_px, struct fail *why)
{
    json_t *o = json_pack("{s:i}", "ringside_lens", LENS_FILE_VERSION);
    struct lens again;
    struct fail cause;
    int rc = 0;
    if (!o || json_fields_write(o, l, lens_fields, LENS_FIELDS) < 0 || json_field_write(o, l, &f_sigma) < 0 ||
        json_field_write(o, &rms_px, &rms) < 0)
        rc = rs_fail(why, RS_EINPUT, "lens: a number is not finite");
    else if ((rc = read_fields(&again, o, &cause)) < 0) // nothing is kept that would be refused when it is needed
        rs_fail(why, rc, "lens: %s", cause.text);
    if (rc == 0)
        rc = json_file_write(path, o, why);
    json_decref(o);
    return rc;
}
