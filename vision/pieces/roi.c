// SPDX-License-Identifier: MIT
#include "vision/pieces/roi.h"

#include <math.h>

void roi_add(struct roi *p, struct pt_in at, double reach_in)
{
    if (p->count < ROI_CIRCLES_MAX)
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
