// SPDX-License-Identifier: MIT
#include "vision/board/crowd.h"

#include <math.h>

bool crowd_look(struct crowd *out, const struct camera *c, const struct painted_circle *circles, int n,
                const struct board_tuning *t)
{
    double radius = pattern_crowd_radius(circles, n, t);
    if (radius > 0)
        *out = (struct crowd){ .seen = true, .camera = *c, .radius = radius };
    return radius > 0;
}

static bool holds(const struct crowd *crowd, struct pt_px seen)
{
    struct pt_in at;
    return crowd->seen && camera_locate(&at, &crowd->camera, seen, 0) && hypot(at.x, at.y) < crowd->radius;
}

bool crowd_holds(const struct crowd *crowd, const struct camera *c)
{
    struct pt_px middle;
    return camera_project(&middle, c, (struct pt3_in){ 0, 0, 0 }) && holds(crowd, middle);
}

void crowd_leave_out(const struct crowd *crowd, struct edge_list *edges)
{
    int n = edges->count;
    edges->count = 0;
    for (int i = 0; i < n; i++)
        if (!holds(crowd, (struct pt_px){ (double)edges->edge[i].u, (double)edges->edge[i].v }))
            edges->edge[edges->count++] = edges->edge[i];
}
