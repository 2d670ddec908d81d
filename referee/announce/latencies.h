// SPDX-License-Identifier: MIT
// latencies.h: how long something took that happens again and again: a day of it takes no more room than an hour.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_LATENCIES_H
#define RINGSIDE_REFEREE_ANNOUNCE_LATENCIES_H

enum { LATENCY_MS_MAX = 10000 }; // what takes longer counts as that, but for the worst

// How many took how many milliseconds. All zero: none.
struct latencies {
    long count, of_ms[LATENCY_MS_MAX + 1];
    double worst_s;
};

void latencies_add(struct latencies *l, double s);

// So much of them, 0..1, took no longer, to the millisecond; 0 when there are none.
double latencies_share_s(const struct latencies *l, double share);

#endif
