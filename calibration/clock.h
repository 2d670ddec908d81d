// SPDX-License-Identifier: MIT
// clock.h: CLOCK_MONOTONIC, for waiting and for measuring how long things take, and CLOCK_BOOTTIME. Nobody can set
// them, and they say nothing of the date.
#ifndef RINGSIDE_CALIBRATION_CLOCK_H
#define RINGSIDE_CALIBRATION_CLOCK_H

#include <pthread.h>
#include <time.h>

// Seconds. It stands still while the computer sleeps.
double clock_s(void);
double clock_booted_s(void); // with the time asleep

// Such a time for those who wait until then.
struct timespec clock_time(double s);

// A condition that is waited for until such a time. The caller ends with pthread_cond_destroy.
void clock_cond_init(pthread_cond_t *out);

#endif
