// SPDX-License-Identifier: MIT
#include "vision/pieces/disc_hypotheses.h"

#include <stdlib.h>

#include "calibration/algebra.h"

bool disc_hypothesis_look(struct disc_hypothesis *h, const struct disc_evidence *e, const struct evidence_tuning *t)
{
    if (!disc_evidence_at(h->measure, h->lab, e, h->at))
        return false;
    h->glance = disc_score_glance(h->measure, t);
    struct disc_hypothesis behind = *h;
    if (h->glance < t->glance_sure && disc_evidence_behind(behind.measure, behind.lab, e, h->at)) {
        behind.glance = disc_score_glance(behind.measure, t);
        *h = behind.glance > h->glance ? behind : *h;
    }
    h->probability = h->glance;
    return true;
}

void disc_hypotheses_add(struct disc_hypotheses *all, struct pt_in at, double same_place_in)
{
    bool fresh = all->count < DISC_PLACES;
    for (int i = 0; i < all->count && fresh; i++)
        fresh = distance_in(all->item[i].at, at) >= same_place_in;
    if (fresh)
        all->item[all->count++] = (struct disc_hypothesis){ .at = at };
}

static int more_probable(const void *a, const void *b)
{
    double x = ((const struct disc_hypothesis *)a)->probability, y = ((const struct disc_hypothesis *)b)->probability;
    return (x < y) - (x > y);
}

void disc_hypotheses_sort(struct disc_hypotheses *all)
{
    qsort(all->item, (size_t)all->count, sizeof *all->item, more_probable);
}

int disc_hypotheses_likely(struct disc_hypothesis *out[MAX_PIECES], struct disc_hypotheses *all, double least,
                           double apart_in)
{
    int n = 0;
    for (int i = 0; i < all->count && n < MAX_PIECES; i++) {
        struct disc_hypothesis *h = &all->item[i];
        bool room = h->glance >= least;
        for (int k = 0; k < n && room; k++)
            room = distance_in(out[k]->at, h->at) >= apart_in;
        if (room)
            out[n++] = h;
    }
    return n;
}
