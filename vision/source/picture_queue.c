// SPDX-License-Identifier: MIT
#include "vision/source/picture_queue.h"

#include <stdlib.h>

int picture_queue_init(struct picture_queue *q, int room, struct fail *why)
{
    *q = (struct picture_queue){ .item = calloc((size_t)room, sizeof *q->item), .room = room };
    return q->item ? 0 : rs_fail(why, RS_ENOMEM, "no memory for %d pictures", room);
}

void picture_queue_finish(struct picture_queue *q)
{
    struct held_picture h;
    while (picture_queue_take(&h, q))
        encoded_release(h.picture);
    free(q->item);
    *q = (struct picture_queue){ .item = NULL };
}

int picture_queue_part(struct picture_queue *out, const struct picture_queue *of, double from_s, double to_s,
                       struct fail *why)
{
    int rc = picture_queue_init(out, of->count > 0 ? of->count : 1, why);
    for (int i = 0; i < of->count && rc == 0; i++) {
        const struct held_picture *h = picture_queue_at(of, i);
        if (h->mark.t_s >= from_s && h->mark.t_s <= to_s)
            picture_queue_add(out, h->picture, &h->mark);
    }
    return rc;
}

bool picture_queue_add(struct picture_queue *q, struct encoded *e, const struct picture_mark *mark)
{
    if (q->count == q->room)
        return false;
    q->item[(q->first + q->count++) % q->room] = (struct held_picture){ encoded_hold(e), *mark };
    q->bytes += e->size;
    return true;
}

void picture_queue_keep(struct picture_queue *q, struct encoded *e, const struct picture_mark *mark, double most_s,
                        size_t most_bytes)
{
    struct held_picture old;
    while (
        q->count > 0 &&
        (q->count == q->room || q->bytes + e->size > most_bytes || q->item[q->first].mark.t_s < mark->t_s - most_s) &&
        picture_queue_take(&old, q))
        encoded_release(old.picture);
    if (e->size <= most_bytes)
        picture_queue_add(q, e, mark);
}

bool picture_queue_take(struct held_picture *out, struct picture_queue *q)
{
    if (q->count == 0)
        return false;
    *out = q->item[q->first];
    q->first = (q->first + 1) % q->room;
    q->count--;
    q->bytes -= out->picture->size;
    return true;
}

const struct held_picture *picture_queue_at(const struct picture_queue *q, int place)
{
    return &q->item[(q->first + place) % q->room];
}
