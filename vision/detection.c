// SPDX-License-Identifier: MIT
#include "vision/detection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/grow.h"

double detection_foot_in(const struct detection *p, const struct board *b)
{
    return p->plane == IN_HOLE ? -b->hole_depth_in : p->plane == IN_DITCH ? -b->ditch_depth_in : 0;
}

double detection_height_in(const struct detection *p, const struct board *b)
{
    return p->kind == PIECE_MARBLE ? p->radius_in : b->piece_height_in;
}

struct observation detection_seen(const struct detection *p, int id, double t_s)
{
    struct observation o = { .kind = OBS_SEEN, .t_s = t_s, .id = id };
    o.seen.kind = p->kind;
    o.seen.taw = p->taw;
    o.seen.certainty = p->certainty;
    o.seen.radius_in = p->radius_in;
    o.seen.radius_sigma_in = p->radius_sigma_in;
    o.seen.has_lab = true;
    memcpy(o.seen.lab, p->lab, sizeof o.seen.lab);
    snprintf(o.seen.colour, sizeof o.seen.colour, "%s", p->colour);
    return o;
}

struct observation detection_rest(const struct detection *p, int id, double t_s)
{
    return (struct observation){ .kind = OBS_REST, .t_s = t_s, .id = id, .rest = { p->at, p->cov, p->plane, 0 } };
}

int detection_photo(struct observation out[PHOTO_OBSERVATIONS_MAX], const struct detection_list *pieces)
{
    int n = 0;
    for (int i = 0; i < pieces->count; i++) {
        out[n++] = detection_seen(&pieces->piece[i], i + 1, 0);
        out[n++] = detection_rest(&pieces->piece[i], i + 1, 0);
    }
    out[n++] = (struct observation){ .kind = OBS_STILL };
    return n;
}

void event_list_add(struct event_list *list, const struct event *e)
{
    if (grow_list(&list->item, &list->room, list->count + 1, sizeof *list->item))
        list->item[list->count++] = *e;
    else
        list->no_memory = true;
}

void event_list_free(struct event_list *list)
{
    free(list->item);
    *list = (struct event_list){ 0 };
}
