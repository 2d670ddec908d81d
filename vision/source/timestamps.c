// SPDX-License-Identifier: MIT
#include "vision/source/timestamps.h"

#include <math.h>

#include "calibration/observation.h"

// Counted up with each interval like the others and down with each other one: one in five off, and it keeps no time.
enum { KEEPS_TIME = 30, KEPT_MOST = 60, KEPT_LOSS = 4 };

void timestamps_begin(struct timestamps *s, double interval_s, bool keeps_time)
{
    *s = (struct timestamps){ .interval_s = interval_s,
                              .kept = keeps_time && interval_s > 0 ? KEEPS_TIME + KEPT_LOSS : 0 };
}

// The stamps begin anew: how much time that was nobody knows, but it hides whatever may have happened.
static struct timestamp set_back(struct timestamps *s, double by_s)
{
    struct timestamp out = { .t_s = s->last_s + s->interval_s, .lost_s = fmax(by_s, 2 * DAMAGE_HIDES_S) };
    s->offset_s += by_s + s->interval_s;
    s->last_s = out.t_s;
    s->behind = 0;
    return out;
}

static void learn_interval(struct timestamps *s, double since_s)
{
    static const double ALIKE = 0.3; // share of an interval by which a camera's stamps are off
    if (fabs(since_s - s->interval_s) <= ALIKE * s->interval_s)
        s->kept = s->kept < KEPT_MOST ? s->kept + 1 : s->kept;
    else
        s->kept = s->kept > KEPT_LOSS ? s->kept - KEPT_LOSS : 0;
    if (s->kept == 0)
        s->interval_s = since_s;
}

struct timestamp timestamps_take(struct timestamps *s, double stamp_s)
{
    enum { BEHIND_MOST = 8 };           // pictures; more of them, and it is the clock that was set back
    static const double TOO_SOON = 0.4, // of an interval
        TOO_LATE = 1.6,                 // of an interval: one is missing
        MISSING_MOST = 1e9; // pictures, a year of them: stamps that say more say nothing, and are still to be added up
    struct timestamp out = { .t_s = s->last_s };
    if (!s->begun) {
        s->begun = true;
        s->offset_s = isnan(stamp_s) ? 0 : -stamp_s;
        return out;
    }
    double t_s = isnan(stamp_s) ? s->last_s + s->interval_s : stamp_s + s->offset_s, since_s = t_s - s->last_s;
    if (!(since_s > 0) && !isnan(stamp_s)) {
        out.faulty = ++s->behind <= BEHIND_MOST;
        return out.faulty ? out : set_back(s, -since_s);
    }
    bool keeps_time = s->kept >= KEEPS_TIME;
    s->behind = 0;
    s->last_s = out.t_s = t_s;
    out.faulty = keeps_time && since_s < TOO_SOON * s->interval_s;
    if (keeps_time && since_s > TOO_LATE * s->interval_s)
        out.missing = lround(fmin(since_s / s->interval_s, MISSING_MOST)) - 1;
    if (out.missing > 0 || since_s > DAMAGE_HIDES_S)
        out.lost_s = since_s;
    learn_interval(s, since_s);
    return out;
}
