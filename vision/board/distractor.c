// SPDX-License-Identifier: MIT
#include "vision/board/distractor.h"

#include <math.h>

bool distractor_detect(struct distractor *out, const struct camera *c, const struct painted_circle *circles, int n,
                       const struct board_tuning *t)
{
    double radius = pattern_distractor_radius(circles, n, t);
    if (radius > 0)
        *out = (struct distractor){ .seen = true, .camera = *c, .radius = radius };
    return radius > 0;
}

static bool holds(const struct distractor *d, struct pt_px seen)
{
    struct pt_in at;
    return d->seen && camera_locate(&at, &d->camera, seen, 0) && hypot(at.x, at.y) < d->radius;
}

bool distractor_contains(const struct distractor *d, const struct camera *c)
{
    struct pt_px middle;
    return camera_project(&middle, c, (struct pt3_in){ 0, 0, 0 }) && holds(d, middle);
}

void distractor_remove_edges(const struct distractor *d, struct edge_list *edges)
{
    int n = edges->count;
    edges->count = 0;
    for (int i = 0; i < n; i++)
        if (!holds(d, (struct pt_px){ (double)edges->edge[i].u, (double)edges->edge[i].v }))
            edges->edge[edges->count++] = edges->edge[i];
}
