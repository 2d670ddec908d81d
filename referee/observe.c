// SPDX-License-Identifier: MIT
#include "referee/observe.h"

#include <math.h>
#include <stdio.h>

static enum piece_place where_of_leaving(enum left_for l)
{
    switch (l) {
    case LEFT_FOR_HOLE:
        return IN_HOLE;
    case LEFT_FOR_DITCH:
        return IN_DITCH;
    case LEFT_FOR_OUTSIDE:
        return OFF_BOARD;
    case LEFT_BY_HAND:
        return BY_HAND;
    }
    return OFF_BOARD;
}

static enum touched touched_of(enum touching t)
{
    switch (t) {
    case TOUCHING_PIECE:
        return TOUCHED_PIECE;
    case TOUCHING_PEG:
        return TOUCHED_PEG;
    case TOUCHING_RIM:
        return TOUCHED_RIM;
    case TOUCHING_UNSEEN:
        return TOUCHED_UNSEEN;
    }
    return TOUCHED_UNSEEN;
}

static struct observation seen(int id, double t_s, const struct detection *p)
{
    struct observation o = { .kind = OBS_SEEN, .t_s = t_s, .id = id };
    o.seen.kind = p->kind;
    o.seen.taw = p->taw;
    o.seen.taw_certainty = p->taw_certainty;
    o.seen.radius_in = p->radius_in;
    snprintf(o.seen.colour, sizeof o.seen.colour, "%s", p->colour);
    return o;
}

static struct observation rest(int id, double t_s, const struct detection *p)
{
    return (struct observation){ .kind = OBS_REST, .t_s = t_s, .id = id, .rest = { p->at, p->cov, p->plane } };
}

static struct observation contact(const struct happening *h)
{
    struct observation o = { .kind = OBS_CONTACT, .t_s = h->t_s, .id = h->id };
    o.contact.what = touched_of(h->touching);
    o.contact.other = h->touching == TOUCHING_PIECE ? h->other : 0;
    o.contact.sigma_t_s = h->sigma_t_s;
    o.contact.at = h->at;
    return o;
}

static struct observation camera(const struct happening *h)
{
    struct observation o = { .kind = OBS_CAMERA, .t_s = h->t_s };
    o.camera.what = h->camera;
    o.camera.shift_in = h->shift_in;
    return o;
}

struct observation observe_happening(const struct happening *h)
{
    enum mover by = h->cause == CAUSE_HAND ? MOVED_BY_HAND : MOVED_BY_SHOT;
    switch (h->kind) {
    case HAPPENED_SEEN:
        return seen(h->id, h->t_s, &h->piece);
    case HAPPENED_REST:
        return rest(h->id, h->t_s, &h->piece);
    case HAPPENED_MOVE:
        return (struct observation){ .kind = OBS_MOVE, .t_s = h->t_s, .id = h->id, .move = { by, h->piece.at } };
    case HAPPENED_CONTACT:
        return contact(h);
    case HAPPENED_GONE:
        return (struct observation){
            .kind = OBS_GONE, .t_s = h->t_s, .id = h->id, .gone = { where_of_leaving(h->left_for) }
        };
    case HAPPENED_HAND:
        return (struct observation){ .kind = OBS_HAND, .t_s = h->t_s, .hand = { h->over, atan2(h->at.y, h->at.x) } };
    case HAPPENED_CAMERA:
        return camera(h);
    case HAPPENED_STILL:
        break;
    }
    return (struct observation){ .kind = OBS_STILL, .t_s = h->t_s, .still = { h->rms_px, h->line_sigma_in } };
}

int observe_photo(struct observation out[OBSERVE_PHOTO_MAX], const struct detection_list *pieces)
{
    int n = 0;
    for (int i = 0; i < pieces->count; i++) {
        out[n++] = seen(i + 1, 0, &pieces->piece[i]);
        out[n++] = rest(i + 1, 0, &pieces->piece[i]);
    }
    out[n++] = (struct observation){ .kind = OBS_STILL };
    return n;
}
