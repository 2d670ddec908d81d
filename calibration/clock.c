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
