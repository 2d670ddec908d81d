// SPDX-License-Identifier: MIT
#include "referee/announce/latencies.h"

#include <math.h>

#include "calibration/algebra.h"

void latencies_add(struct latencies *l, double s)
{
    double ms = ceil(fmin(fmax(1e3 * s, 0), LATENCY_MS_MAX));
    l->of_ms[(int)ms]++;
    l->count++;
    l->worst_s = fmax(l->worst_s, s);
}

double latencies_share_s(const struct latencies *l, double share)
{
    return fmin(histogram_quantile(l->of_ms, LATENCY_MS_MAX + 1, l->count, share) / 1e3, l->worst_s);
}
