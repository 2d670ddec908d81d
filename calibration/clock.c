// SPDX-License-Identifier: MIT
#include "calibration/clock.h"

#include <math.h>

double clock_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

struct timespec clock_time(double s)
{
    double whole = floor(s);
    return (struct timespec){ (time_t)whole, (long)((s - whole) * 1e9) };
}

void clock_cond_init(pthread_cond_t *out)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(out, &monotonic);
    pthread_condattr_destroy(&monotonic);
}
