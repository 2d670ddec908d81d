// SPDX-License-Identifier: MIT
#include "vision/source/camera_clock.h"

#include <math.h>

#include "calibration/observation.h"
#include "vision/source/source.h"

static const struct belief {
    double past_s;   // an older stamp is on another clock, or of a picture that lay there while the program was stopped
    double future_s; // clocks are read one after the other
    double step_s;   // at least so much from one picture to the next: speed is a place divided by it
} belief = { 5, 0.02, 0.001 };

struct camera_time camera_clock_take(struct camera_clock *c, const struct camera_arrival *p)
{
    struct camera_time out = { .t_s = 0 };
    double age_s = p->awake_s - p->stamp_s;
    bool believed = p->stamped && p->stamp_s > c->stamp_s && age_s >= -belief.future_s && age_s <= belief.past_s;
    if (believed) {
        c->stamp_s = p->stamp_s;
        c->latency_s = fmax(age_s, 0);
    }
    if (!c->begun)
        c->ahead_s = p->booted_s - p->awake_s;
    double slept_s = p->booted_s - p->awake_s - c->ahead_s;
    double at_s = (believed ? p->stamp_s : p->awake_s - c->latency_s) + slept_s;
    if (!c->begun) {
        c->begun = true;
        c->first_s = at_s;
        c->sequence = p->sequence;
        return out;
    }
    out.t_s = fmax(at_s - c->first_s, c->last_s + belief.step_s);
    double since_s = out.t_s - c->last_s;
    uint32_t ahead = p->sequence - c->sequence;
    // A stream that begins anew counts from 0.
    long gap = ahead > 0 && ahead < UINT32_MAX / 2 ? (long)ahead - 1 : 0;
    // No more than there was time for: some drivers' numbers jump.
    if (p->frames_per_s > 0)
        gap = (long)fmin((double)gap, ceil(2 * since_s * p->frames_per_s));
    out.missing = gap > p->withheld ? gap - p->withheld : 0;
    if ((gap > 0 || p->withheld > 0) && since_s > FRAMES_BRIDGED_S)
        out.lost_s = since_s;
    if (since_s > DAMAGE_HIDES_S)
        out.lost_s = since_s;
    c->sequence = p->sequence;
    c->last_s = out.t_s;
    return out;
}
