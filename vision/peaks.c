// SPDX-License-Identifier: MIT
#include "vision/peaks.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

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

static int stronger_first(const void *a, const void *b)
{
    const struct peak *p = a, *q = b;
    if (p->value != q->value)
        return p->value < q->value ? 1 : -1;
    return p->y != q->y ? p->y - q->y : p->x - q->x;
}

int peaks_find(struct peak **out, const float *map, int width, int height, double least, struct fail *why)
{
    int n = 0, room = 0;
    *out = NULL;
    for (int y = 1; y < height - 1; y++)
        for (int x = 1; x < width - 1; x++) {
            double value = (double)map[(long)y * width + x];
            if (!(value > least) || !is_peak(map, width, x, y))
                continue;
            if (n == room) {
                room = 2 * room + 64;
                struct peak *more = realloc(*out, (size_t)room * sizeof *more);
                if (!more) {
                    free(*out);
                    *out = NULL;
                    return rs_fail(why, RS_ENOMEM, "no memory for the peaks of a map of %d x %d cells", width, height);
                }
                *out = more;
            }
            (*out)[n++] = (struct peak){ x, y, value };
        }
    if (n > 0)
        qsort(*out, (size_t)n, sizeof **out, stronger_first);
    return n;
}

int peaks_suppress(struct peak *peak, int n, int most, double apart)
{
    int left = 0;
    for (int i = 0; i < n && left < most; i++) {
        bool alone = true;
        for (int k = 0; k < left && alone; k++)
            alone = hypot(peak[k].x - peak[i].x, peak[k].y - peak[i].y) > apart;
        if (alone)
            peak[left++] = peak[i];
    }
    return left;
}
