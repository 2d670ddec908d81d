// SPDX-License-Identifier: MIT
#include "referee/rules/roster.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "referee/rules/format.h"

// Farther apart two colours are not one paint in two lights (CIE L*a*b*, lightness at half weight: light changes it).
static const double SAME_PAINT_LAB = 25;
// By so much nearer to one paint than to the next, it is that one.
static const double NEARER_BY = 2.5;
// A mean over so many pieces is learnt; later ones follow the light.
enum { LEARNT = 16 };

static double apart(const double a[3], const double b[3])
{
    return sqrt(pow((a[0] - b[0]) / 2, 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

static int named(const struct roster *r, const char *colour)
{
    int i = 0;
    while (i < r->count && strcmp(r->paint[i].colour, colour) != 0)
        i++;
    return i;
}

// One of the two sides' paints; `count` when it is none of them.
static int nearest(const struct roster *r, const double lab[3])
{
    double d[SIDES];
    if (r->count < SIDES)
        return r->count;
    for (int i = 0; i < SIDES; i++)
        d[i] = apart(r->paint[i].lab, lab);
    int best = d[1] < d[0];
    return d[best] < SAME_PAINT_LAB && NEARER_BY * d[best] < d[1 - best] ? best : r->count;
}

void roster_name(struct roster *r, struct observation *seen)
{
    if (!seen->seen.has_lab || strcmp(seen->seen.colour, COLOUR_UNKNOWN) == 0)
        return;
    int i = named(r, seen->seen.colour);
    if (i == r->count)
        i = nearest(r, seen->seen.lab);
    if (i == ROSTER_MAX)
        return;
    if (i == r->count) {
        memset(&r->paint[r->count++], 0, sizeof r->paint[0]);
        snprintf(r->paint[i].colour, sizeof r->paint[i].colour, "%s", seen->seen.colour);
    }
    int n = ++r->paint[i].seen;
    for (int k = 0; k < 3; k++)
        r->paint[i].lab[k] += (seen->seen.lab[k] - r->paint[i].lab[k]) / (n < LEARNT ? n : LEARNT);
    memcpy(seen->seen.colour, r->paint[i].colour, sizeof seen->seen.colour);
}
