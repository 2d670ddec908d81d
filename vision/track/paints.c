// SPDX-License-Identifier: MIT
#include "vision/track/paints.h"

#include <math.h>
#include <string.h>

#include "vision/track/trail.h"

static double lab_distance(const double a[3], const double b[3])
{
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

// Takes the name of the paint that is the least off, if one is by less than `most`.
static void name_nearest(const struct paints *paints, struct detection *p, const double off[PAINTS_MAX], double most)
{
    int nearest = -1;
    for (int i = 0; i < paints->count; i++) {
        if (off[i] >= most)
            continue;
        most = off[i];
        nearest = i;
    }
    if (nearest >= 0)
        memcpy(p->colour, paints->paint[nearest].colour, sizeof p->colour);
}

void paints_name(const struct paints *paints, struct detection *p, double same_lab)
{
    double off[PAINTS_MAX];
    for (int i = 0; i < paints->count; i++)
        off[i] = lab_distance(p->lab, paints->paint[i].lab);
    name_nearest(paints, p, off, same_lab);
}

void paints_name_mixed(const struct paints *paints, struct detection *p, const double clean_lab[3], double same_lab)
{
    double off[PAINTS_MAX], part;
    for (int i = 0; i < paints->count; i++)
        off[i] = trail_off_mixture(&part, p->lab, clean_lab, paints->paint[i].lab);
    name_nearest(paints, p, off, same_lab);
}

void paints_remember(struct paints *paints, const struct detection *p)
{
    int i = 0;
    while (i < paints->count && strcmp(paints->paint[i].colour, p->colour) != 0)
        i++;
    if (i == PAINTS_MAX)
        return;
    memcpy(paints->paint[i].colour, p->colour, sizeof p->colour);
    memcpy(paints->paint[i].lab, p->lab, sizeof p->lab);
    paints->count += i == paints->count;
}
