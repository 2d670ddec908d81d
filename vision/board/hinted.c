// SPDX-License-Identifier: MIT
#include "vision/board/hinted.h"

#include <math.h>

#include "calibration/algebra.h"
#include "vision/reduced.h"

int hinted_part(struct frame **out, struct pt_px *begins, const struct frame *f, const struct board_hint *hint,
                const struct board_tuning *t, struct fail *why)
{
    static const double usual_height = 9.0 / 16; // of a picture's width
    const struct box_px *b = &hint->box;
    double width = (1 + 2 * t->hint_margin) * b->width;
    double height = fmax(b->height + 2 * t->hint_margin * b->width, usual_height * width);
    double u = b->left + b->width / 2, v = b->top + b->height / 2;
    int left = (int)fmax(u - width / 2, 0), right = (int)fmin(u + width / 2, f->width);
    int top = (int)fmax(v - height / 2, 0), bottom = (int)fmin(v + height / 2, f->height);
    *begins = (struct pt_px){ left, top };
    return frame_part(out, f, left, top, right - left, bottom - top, why);
}

int hinted_cameras(struct camera out[HINTED_CAMERAS], const struct board_hint *hint, const struct lens *lens,
                   double radius_in, double afar_in, struct fail *why)
{
    struct lens afar = *lens;
    afar.f_px = hint->ellipse.major_px / radius_in * afar_in;
    int n = ellipse_cameras(out, &hint->ellipse, lens, radius_in, why);
    int more = n < 0 || afar_in <= 0 ? 0 : ellipse_cameras(out + n, &hint->ellipse, &afar, radius_in, why);
    return more < 0 ? more : n + more;
}

static bool in_box(const struct box_px *b, struct pt_px p)
{
    return p.u >= b->left && p.v >= b->top && p.u <= b->left + b->width && p.v <= b->top + b->height;
}

bool hinted_is_meant(const struct board_hint *hint, const struct camera *c, double radius_in,
                     const struct board_tuning *t, struct fail *why)
{
    enum { CIRCLE_PLACES = 360 };
    struct pt_px middle, circle[CIRCLE_PLACES];
    double off_px[HINT_POINTS_MAX];
    int seen = 0, inside = 0;
    for (int i = 0; i < CIRCLE_PLACES; i++)
        seen += camera_project(&circle[seen], c, surface_polar(radius_in, 2 * PI * i / CIRCLE_PLACES));
    for (int i = 0; i < seen; i++)
        inside += in_box(&hint->box, circle[i]);
    if (hint->kind == HINT_BOX && (!camera_project(&middle, c, (struct pt3_in){ 0, 0, 0 }) ||
                                   !in_box(&hint->box, middle) || inside < t->hint_inside_least * CIRCLE_PLACES)) {
        rs_fail(why, 0, "what is found there does not lie in the box");
        return false;
    }
    for (int k = 0; k < hint->points; k++) {
        off_px[k] = INFINITY;
        for (int i = 0; i < seen; i++)
            off_px[k] = fmin(off_px[k], distance_px(hint->point[k], circle[i]));
    }
    double off = hint->points > 0 ? median_of(off_px, hint->points) : 0;
    if (off > t->hint_off_most * hint->ellipse.major_px) {
        rs_fail(why, 0, "the outermost line of what is found there lies %.0f px beside the points", off);
        return false;
    }
    return true;
}
