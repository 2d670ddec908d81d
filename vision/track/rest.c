// SPDX-License-Identifier: MIT
#include "vision/track/rest.h"

#include <math.h>

static const double FIELD_QUIET_S = 0.3;  // of the field alone, while hands move beside it
static const double RESTING_HAND_S = 2.0; // a hand that does not move for so long rests beside the game

void rests_forget(struct rests *r)
{
    for (int i = 0; i < QUIETS; i++)
        r->told_s[i] = -INFINITY;
}

bool rests_take(struct rest *out, struct rests *r, const struct gate *g, bool hand, bool departed)
{
    double whole_s = g->quiet[QUIET_WHOLE].since_s, field_s = g->quiet[QUIET_FIELD].since_s;
    bool resting = g->t_s - whole_s >= RESTING_HAND_S;
    if (g->t_s - whole_s >= REST_QUIET_S && (whole_s != r->told_s[QUIET_WHOLE] || (hand && resting))) {
        r->told_s[QUIET_WHOLE] = whole_s;
        *out = (struct rest){ whole_s, hand && !resting };
        return true;
    }
    if (g->t_s - field_s < FIELD_QUIET_S || field_s == r->told_s[QUIET_FIELD] || !departed)
        return false;
    r->told_s[QUIET_FIELD] = field_s;
    *out = (struct rest){ field_s, true };
    return true;
}
