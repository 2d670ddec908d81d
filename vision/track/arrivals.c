// SPDX-License-Identifier: MIT
#include "vision/track/arrivals.h"

#include "calibration/algebra.h"

int arrival_only(const struct association *a, const struct motions *m)
{
    int arrived = NO_ONE;
    for (int f = 0; f < a->new_places; f++)
        if (!a->taken[f] && trajectory_arrives(m, a->new_place[f].at, a->new_place[f].radius_in))
            arrived = only_one(arrived, f);
    return arrived;
}

// What ran there was seen within so much of where the piece is measured now.
static double near_in(const struct detection *p)
{
    return 2 * p->radius_in + cov_sigma(&p->cov);
}

bool arrival_ends_run(const struct detection *p, const struct motions *m, const struct motion *first)
{
    struct trajectory path;
    trajectory_run(&path, m, first, p->radius_in);
    return distance_in(path.point[path.count - 1].at, p->at) < near_in(p);
}

const struct motion *arrival_run_to(const struct association *a, const struct motions *m, int f)
{
    for (int i = 0; i < m->count && f >= 0; i++)
        if (arrival_ends_run(&a->new_place[f], m, &m->item[i]))
            return &m->item[i];
    return NULL;
}

// The one new piece that what ran from `first` came past: it stopped there and handed its speed on, and what ran on was
// another. Negative when there are none or several.
static int only_passed(const struct association *a, const struct motions *m, const struct motion *first)
{
    struct trajectory path;
    int passed = NO_ONE;
    for (int f = 0; f < a->new_places; f++) {
        const struct detection *p = &a->new_place[f];
        trajectory_run(&path, m, first, p->radius_in);
        if (!a->taken[f] && trajectory_passes(&path, p->at, near_in(p)))
            passed = only_one(passed, f);
    }
    return passed;
}

// The one new piece beside which no hand has been since it ran: nothing else can have brought it there.
static int only_untouched(const struct association *a, const struct motion *first, const struct moment *m)
{
    int untouched = NO_ONE;
    for (int f = 0; f < a->new_places; f++)
        if (!a->taken[f] && !association_hand_since(m->patches, &a->new_place[f], first->t_s))
            untouched = only_one(untouched, f);
    return untouched;
}

int arrival_alike(const struct association *a, const struct detection *like, const struct track_tuning *tuning)
{
    int alike = NO_ONE;
    for (int f = 0; f < a->new_places; f++)
        if (!a->taken[f] && association_alike(like, &a->new_place[f], tuning))
            alike = only_one(alike, f);
    return alike;
}

int arrival_of_run(const struct association *a, const struct moment *moment, const struct motion *first,
                   const struct motion *clearest)
{
    const struct motions *m = moment->motions;
    int best = -1;
    double most = m->tuning->alike_share;
    for (int f = 0; f < a->new_places; f++)
        if (!a->taken[f] && arrival_ends_run(&a->new_place[f], m, first))
            return f;
    for (int f = 0; f < a->new_places; f++) {
        double like = a->taken[f] ? 0 : motion_likeness(clearest, a->new_place[f].lab, m->tuning);
        if (like <= most)
            continue;
        most = like;
        best = f;
    }
    best = best >= 0 ? best : arrival_only(a, m);
    best = best >= 0 ? best : only_passed(a, m, first);
    return best >= 0 ? best : only_untouched(a, first, moment);
}
