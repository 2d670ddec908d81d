// SPDX-License-Identifier: MIT
#include "vision/peaks.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/grow.h"

static bool is_peak(const float *map, int width, int x, int y)
{
    float here = map[(long)y * width + x];
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            float there = map[(long)(y + j) * width + x + i];
            bool before = j < 0 || (j == 0 && i < 0);
            if ((i || j) && (there > here || (before && there == here)))
                return false;
        }
    return true;
}

int peaks_find(struct peak **out, const float *map, const struct raster *r, double least, struct fail *why)
{
    int n = 0, room = 0;
    *out = NULL;
    for (int y = 1; y < r->height - 1; y++)
        for (int x = 1; x < r->width - 1; x++) {
            double score = (double)map[(long)y * r->width + x];
            if (!(score > least) || !is_peak(map, r->width, x, y))
                continue;
            if (!grow_list(out, &room, n + 1, sizeof **out)) {
                free(*out);
                *out = NULL;
                return rs_fail(why, RS_ENOMEM, "no memory for the peaks of %d x %d cells", r->width, r->height);
            }
            (*out)[n++] = (struct peak){ raster_place(r, x, y), score };
        }
    return n;
}

// Of equal ones in an order of their own, so that no sort decides.
static int better_first(const void *a, const void *b)
{
    const struct peak *p = a, *q = b;
    if (p->score != q->score)
        return p->score < q->score ? 1 : -1;
    double off = p->at.y != q->at.y ? p->at.y - q->at.y : p->at.x - q->at.x;
    return (off > 0) - (off < 0);
}

int peaks_suppress_by(void *things, size_t size, int n, int most, const struct suppression *by)
{
    char *thing = things;
    int left = 0;
    if (n > 0)
        qsort(things, (size_t)n, size, by->better_first);
    for (int i = 0; i < n && left < most; i++) {
        bool alone = true;
        for (int k = 0; k < left && alone; k++)
            alone = !by->beside(thing + (size_t)k * size, thing + (size_t)i * size, by->context);
        if (alone && left++ < i)
            memcpy(thing + (size_t)(left - 1) * size, thing + (size_t)i * size, size);
    }
    return left;
}

static bool nearer(const void *better, const void *other, const void *apart_in)
{
    const struct peak *p = better, *q = other;
    return !(hypot(p->at.x - q->at.x, p->at.y - q->at.y) >= *(const double *)apart_in);
}

int peaks_suppress(struct peak *peak, int n, double apart_in, int most)
{
    return peaks_suppress_by(peak, sizeof *peak, n, most, &(struct suppression){ better_first, nearer, &apart_in });
}
