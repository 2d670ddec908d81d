// SPDX-License-Identifier: MIT
#include "calibration/board_hint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/json_file.h"

enum { HINT_FILE_VERSION = 1 };

static const char *const wanted =
    "write it as box:X,Y,W,H (left, top, width, height of a box around the board, pixels), as "
    "line:U,V;U,V;... (five points or more on its outermost painted line) or as none";

// A number of a picture's size or less, blanks before it, and the character behind it; NULL when there is none. People
// count in decimals: strtod also reads 0x10 and 1e1.
static const char *read_number(double *out, const char *text, char behind)
{
    char *end;
    text += strspn(text, " ");
    *out = strtod(text, &end);
    if (end == text || end > text + strspn(text, "+-.0123456789") || *end != behind ||
        !(fabs(*out) <= HINT_SIDE_MAX_PX))
        return NULL;
    return behind ? end + 1 : end;
}

static int parse_box(struct board_hint *out, const char *text, struct fail *why)
{
    struct box_px *b = &out->box;
    const char *at = read_number(&b->left, text, ',');
    at = at ? read_number(&b->top, at, ',') : NULL;
    at = at ? read_number(&b->width, at, ',') : NULL;
    at = at ? read_number(&b->height, at, '\0') : NULL;
    if (!at)
        return rs_fail(why, RS_EINPUT, "%s", wanted);
    if (b->left < 0 || b->top < 0 || b->width < HINT_BOX_LEAST_PX || b->height < HINT_BOX_LEAST_PX)
        return rs_fail(why, RS_EINPUT,
                       "a box begins at 0,0 or further right and down, and is %d pixels or more wide and high",
                       HINT_BOX_LEAST_PX);
    return 0;
}

static int parse_line(struct board_hint *out, const char *text, struct fail *why)
{
    const char *at = text;
    while (*at) {
        const char *end = strchr(at, ';');
        if (out->points == HINT_POINTS_MAX)
            return rs_fail(why, RS_EINPUT, "%d points are enough", HINT_POINTS_MAX);
        struct pt_px *p = &out->point[out->points++];
        at = read_number(&p->u, at, ',');
        at = at ? read_number(&p->v, at, end ? ';' : '\0') : NULL;
        if (!at)
            return rs_fail(why, RS_EINPUT, "%s", wanted);
    }
    if (out->points < HINT_POINTS_LEAST)
        return rs_fail(why, RS_EINPUT, "%d point%s given, %d or more on the outermost painted line tell where it is",
                       out->points, out->points == 1 ? "" : "s", HINT_POINTS_LEAST);
    if (!ellipse_fit(&out->ellipse, out->point, out->points))
        return rs_fail(why, RS_EINPUT,
                       "no ellipse goes through these points: spread them along the outermost painted line");
    if (out->ellipse.major_px < HINT_BOX_LEAST_PX / 2.0)
        return rs_fail(why, RS_EINPUT, "these points lie within %.0f pixels: no board can be that small",
                       2 * out->ellipse.major_px);
    if (out->ellipse.major_px > HINT_SIDE_MAX_PX)
        return rs_fail(why, RS_EINPUT,
                       "these points lie almost on a straight line: spread them along the outermost painted line");
    struct pt_px half = ellipse_half_size(&out->ellipse);
    out->box =
        (struct box_px){ out->ellipse.centre.u - half.u, out->ellipse.centre.v - half.v, 2 * half.u, 2 * half.v };
    return 0;
}

int board_hint_parse(struct board_hint *out, const char *text, struct fail *why)
{
    struct board_hint hint = { .kind = HINT_NONE };
    int rc = 0;
    if (strncmp(text, "box:", 4) == 0) {
        hint.kind = HINT_BOX;
        rc = parse_box(&hint, text + 4, why);
    } else if (strncmp(text, "line:", 5) == 0) {
        hint.kind = HINT_LINE;
        rc = parse_line(&hint, text + 5, why);
    } else if (strcmp(text, "none") != 0) {
        rc = rs_fail(why, RS_EINPUT, "%s", wanted);
    }
    if (rc == 0)
        *out = hint;
    return rc;
}

int board_hint_check(const struct board_hint *hint, int width, int height, struct fail *why)
{
    const struct box_px *b = &hint->box;
    if (hint->kind == HINT_BOX && (b->left + b->width > width || b->top + b->height > height))
        return rs_fail(why, RS_EINPUT, "the hint's box reaches to %g,%g, the picture has %d x %d pixels",
                       b->left + b->width, b->top + b->height, width, height);
    for (int i = 0; i < hint->points; i++) {
        const struct pt_px *p = &hint->point[i];
        if (!(p->u >= 0 && p->v >= 0 && p->u <= width && p->v <= height))
            return rs_fail(why, RS_EINPUT, "the hint's point %g,%g lies outside the picture of %d x %d pixels", p->u,
                           p->v, width, height);
    }
    return 0;
}

int board_hint_file_read(struct board_hint *out, const char *path, struct fail *why)
{
    json_t *o = NULL;
    struct fail cause;
    int rc = json_file_read(&o, path, why);
    if (rc < 0)
        return rc;
    const char *text = json_string_value(json_object_get(o, "hint"));
    rc = json_version_check(o, "ringside_hint", HINT_FILE_VERSION, &cause);
    if (rc == 0)
        rc = board_hint_parse(out, text ? text : "", &cause);
    json_decref(o);
    return rc < 0 ? rs_fail(why, rc, "%s: hint: %s", path, cause.text) : 0;
}

int board_hint_file_write(const char *path, const char *text, struct fail *why)
{
    json_t *o = json_pack("{s:i, s:s}", "ringside_hint", HINT_FILE_VERSION, "hint", text);
    int rc = o ? json_file_write(path, o, why) : rs_fail(why, RS_ENOMEM, "no memory for %s", path);
    json_decref(o);
    return rc;
}
