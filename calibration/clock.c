// SPDX-License-Identifier: MIT
#include "calibration/clock.h"

#include <math.h>

static double read_s(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

double clock_s(void)
{
    return read_s(CLOCK_MONOTONIC);
}

double clock_booted_s(void)
{
    return read_s(CLOCK_BOOTTIME);
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
