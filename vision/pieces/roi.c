// SPDX-License-Identifier: MIT
#include "vision/pieces/roi.h"

#include <math.h>

#include "vision/pieces/px_box.h"
#include "vision/reduced.h"

void roi_add(struct roi *p, struct pt_in at, double reach_in)
{
    p->full |= p->count == ROI_CIRCLES_MAX;
    if (!p->full)
        p->item[p->count++] = (struct roi_circle){ at, reach_in };
}

bool roi_holds(const struct roi *p, struct pt_in at)
{
    for (int i = 0; i < p->count; i++)
        if (hypot(at.x - p->item[i].at.x, at.y - p->item[i].at.y) < p->item[i].reach_in)
            return true;
    return false;
}

bool roi_span(double *from_in, double *to_in, const struct roi *p, double y_in, double beyond_in)
{
    *from_in = INFINITY;
    *to_in = -INFINITY;
    for (int i = 0; i < p->count; i++) {
        double up = y_in - p->item[i].at.y, reach = p->item[i].reach_in + beyond_in;
        if (fabs(up) > reach)
            continue;
        double half = sqrt(reach * reach - up * up);
        *from_in = fmin(*from_in, p->item[i].at.x - half);
        *to_in = fmax(*to_in, p->item[i].at.x + half);
    }
    return *from_in < *to_in;
}

int roi_cut_out(struct frame **out, struct board_pose *pose, struct frame *f, const struct roi *changed,
                struct fail *why)
{
    enum { LEAST_PX = 64 };
    struct px_box box = px_box_empty();
    *out = f;
    if (!changed || changed->count == 0)
        return 0;
    for (const struct roi_circle *c = changed->item; c < changed->item + changed->count; c++) {
        // A place's surroundings are looked at as far as a piece and its like beside it reach.
        double reach_in = c->reach_in + 3 * pose->board.piece_radius_in, top_in = pose->board.piece_height_in;
        if (!isfinite(reach_in) || !px_box_take_circle(&box, &pose->camera, surface_at(c->at), reach_in) ||
            !px_box_take_circle(&box, &pose->camera, (struct pt3_in){ c->at.x, c->at.y, top_in }, reach_in))
            return 0;
    }
    int left = (int)fmin(fmax(box.low.u, 0), f->width), right = (int)fmax(fmin(box.high.u + 1, f->width), 0);
    int top = (int)fmin(fmax(box.low.v, 0), f->height), bottom = (int)fmax(fmin(box.high.v + 1, f->height), 0);
    if (right - left < LEAST_PX || bottom - top < LEAST_PX)
        return 0;
    int rc = frame_part(out, f, left, top, right - left, bottom - top, why);
    if (rc < 0)
        return rc;
    pose->camera.lens.width = right - left;
    pose->camera.lens.height = bottom - top;
    pose->camera.lens.centre.u -= left;
    pose->camera.lens.centre.v -= top;
    return 0;
}
