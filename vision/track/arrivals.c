// SPDX-License-Identifier: MIT
#include "vision/track/arrivals.h"

int arrival_only(const struct association *a, const struct motions *m)
{
    int arrived = -1, several = 0;
    for (int f = 0; f < a->new_places; f++)
        if (!a->taken[f] && trajectory_arrives(m, a->new_place[f].at, a->new_place[f].radius_in)) {
            several += arrived >= 0;
            arrived = f;
        }
    return several ? -1 : arrived;
}

// The one new piece that what ran from `first` came past: it stopped there and handed its speed on, and what ran on was another.
// -1 when there are none or several.
static int only_passed(const struct association *a, const struct motions *m, const struct motion *first)
{
    struct trajectory path;
    int passed = -1, several = 0;
    for (int f = 0; f < a->new_places; f++) {
        const struct detection *p = &a->new_place[f];
        trajectory_run(&path, m, first, p->radius_in);
        if (a->taken[f] || !trajectory_passes(&path, p->at, 2 * p->radius_in))
            continue;
        several += passed >= 0;
        passed = f;
    }
    return several ? -1 : passed;
}

int arrival_alike(const struct association *a, const struct detection *like, const struct track_tuning *tuning)
{
    int alike = -1, several = 0;
    for (int f = 0; f < a->new_places; f++)
        if (!a->taken[f] && association_alike(like, &a->new_place[f], tuning)) {
            several += alike >= 0;
            alike = f;
        }
    return several ? -1 : alike;
}

int arrival_of_run(const struct association *a, const struct motions *m, const struct motion *first,
                   const struct motion *clearest)
{
    struct trajectory path;
    int best = -1;
    double most = m->tuning->alike_share;
    for (int f = 0; f < a->new_places; f++) {
        const struct detection *p = &a->new_place[f];
        trajectory_run(&path, m, first, p->radius_in);
        struct pt_in end = path.point[path.count - 1].at;
        if (!a->taken[f] && distance_in(end, p->at) < 2 * p->radius_in)
            return f;
    }
    for (int f = 0; f < a->new_places; f++) {
        double like = a->taken[f] ? 0 : motion_likeness(clearest, a->new_place[f].lab, m->tuning);
        if (like <= most)
            continue;
        most = like;
        best = f;
    }
    best = best >= 0 ? best : arrival_only(a, m);
    return best >= 0 ? best : only_passed(a, m, first);
}
