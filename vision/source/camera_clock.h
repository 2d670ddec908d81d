// SPDX-License-Identifier: MIT
// camera_clock.h: the time stamps and numbers that a driver puts on its pictures made into times that rise, and what
// they say of pictures that are missing.
//
// A stamp that the driver calls monotonic is believed when it is later than the last one and not from the future nor
// long past; else the picture is dated by when it arrived, less what is usual. Time asleep counts: nobody saw it.
#ifndef RINGSIDE_VISION_SOURCE_CAMERA_CLOCK_H
#define RINGSIDE_VISION_SOURCE_CAMERA_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct camera_clock {
    bool begun;
    double stamp_s;         // the last one that was believed
    double latency_s;       // from such a stamp to the arrival of its picture
    double ahead_s;         // of CLOCK_BOOTTIME before CLOCK_MONOTONIC at the beginning: what was slept before
    double first_s, last_s; // the first picture on the clock with the time asleep; the last one's time after it
    uint32_t sequence;
};

// A picture as it came, and both clocks when it did.
struct camera_arrival {
    double stamp_s;
    bool stamped; // by CLOCK_MONOTONIC, says the driver
    uint32_t sequence;
    double awake_s, booted_s;
    long withheld; // since the last picture that was given out so many came that were damaged or the same once more
    double frames_per_s; // as agreed; 0: not known
};

struct camera_time {
    double t_s;    // from the first picture on, rising
    double lost_s; // so much time before it of which nothing is known; 0: none
    long missing;  // pictures that never came
};

// A picture that is given out.
struct camera_time camera_clock_take(struct camera_clock *c, const struct camera_arrival *p);

#endif
