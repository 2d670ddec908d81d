// SPDX-License-Identifier: MIT
#include "calibration/lens_file.h"

#include <math.h>

#include "calibration/json_file.h"

enum { LENS_FILE_VERSION = 1, LENS_MAX_SIDE_PX = 65536 };

// Scaled frames are cut to whole pixels, and some cameras drop a row or two: the shape may differ by so much.
static const double LENS_SHAPE_TOLERANCE = 0.01;

struct field {
    const char *name;
    double *to;
    double low, high; // limits of the possible
};

static int read_field(const json_t *o, const char *path, const struct field *f, struct fail *why)
{
    const json_t *value = json_object_get(o, f->name);
    double x = json_number_value(value);
    if (!value)
        return rs_fail(why, RS_EINPUT, "%s: lens: \"%s\" is missing", path, f->name);
    if (!json_is_number(value) || !isfinite(x) || x < f->low || x > f->high)
        return rs_fail(why, RS_EINPUT, "%s: lens: \"%s\" must be a number from %g to %g", path, f->name, f->low,
                       f->high);
    *f->to = x;
    return 0;
}

static int read_lens(struct lens *out, const json_t *o, const char *path, struct fail *why)
{
    struct lens l = { .width = 0 };
    double width = 0, height = 0;
    const struct field fields[] = {
        { "width", &width, 16, LENS_MAX_SIDE_PX },
        { "height", &height, 16, LENS_MAX_SIDE_PX },
        { "f_px", &l.f_px, 1, 1e6 },
        { "cx_px", &l.centre.u, -1e6, 1e6 },
        { "cy_px", &l.centre.v, -1e6, 1e6 },
        { "k1", &l.k1, -10, 10 },
        { "k2", &l.k2, -100, 100 },
        { "p1", &l.p1, -1, 1 },
        { "p2", &l.p2, -1, 1 },
        { "f_sigma_px", &l.f_sigma_px, 0, 1e6 },
    };
    // Older files, and those written by hand, do not say how well they are known.
    size_t count = json_object_get(o, "f_sigma_px") ? countof(fields) : countof(fields) - 1;
    const json_t *version = json_object_get(o, "ringside_lens");
    if (!json_is_integer(version) || json_integer_value(version) != LENS_FILE_VERSION)
        return rs_fail(why, RS_EINPUT, "%s: lens: \"ringside_lens\" must be %d", path, LENS_FILE_VERSION);
    for (size_t i = 0; i < count; i++) {
        int rc = read_field(o, path, &fields[i], why);
        if (rc < 0)
            return rc;
    }
    l.width = (int)width;
    l.height = (int)height;
    if (l.width != width || l.height != height)
        return rs_fail(why, RS_EINPUT, "%s: lens: \"width\" and \"height\" must be whole numbers", path);
    *out = l;
    return 0;
}

int lens_file_read(struct lens *out, const char *path, struct fail *why)
{
    json_t *o = NULL;
    int rc = json_file_read(&o, path, why);
    if (rc < 0)
        return rc;
    rc = read_lens(out, o, path, why);
    json_decref(o);
    return rc;
}

int lens_file_write(const char *path, const struct lens *l, double rms_px, struct fail *why)
{
    json_t *o = json_pack("{s:i, s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "ringside_lens",
                          LENS_FILE_VERSION, "width", l->width, "height", l->height, "f_px", l->f_px, "f_sigma_px",
                          l->f_sigma_px, "cx_px", l->centre.u, "cy_px", l->centre.v, "k1", l->k1, "k2", l->k2, "p1",
                          l->p1, "p2", l->p2, "rms_px", rms_px);
    if (!o)
        return rs_fail(why, RS_EINPUT, "lens: a number is not finite");
    int rc = json_file_write(path, o, why);
    json_decref(o);
    return rc;
}

int lens_for_frames(struct lens *out, const struct lens *lens, int width, int height, struct fail *why)
{
    double across = (double)width / lens->width, down = (double)height / lens->height;
    if (!(fabs(across / down - 1) <= LENS_SHAPE_TOLERANCE))
        return rs_fail(why, RS_EINPUT,
                       "the lens file is for frames of %d x %d, these are %d x %d: calibrate for this mode",
                       lens->width, lens->height, width, height);
    *out = *lens;
    out->width = width;
    out->height = height;
    out->f_px *= across;
    out->f_sigma_px *= across;
    // The centre of the top-left pixel is (0, 0): the frame's corner is half a pixel off.
    out->centre.u = (lens->centre.u + 0.5) * across - 0.5;
    out->centre.v = (lens->centre.v + 0.5) * across - 0.5;
    return 0;
}
