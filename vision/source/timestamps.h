// SPDX-License-Identifier: MIT
// timestamps.h: those of a recording or stream made into times that never fall, and what they say of missing pictures.
//
// A recording that has kept time for a while (so many intervals in a row alike) and then lacks an interval has lost a
// picture; one of variable rate never keeps time that long, and of it only a long gap says so.
#ifndef RINGSIDE_VISION_SOURCE_TIMESTAMPS_H
#define RINGSIDE_VISION_SOURCE_TIMESTAMPS_H

#include <stdbool.h>

struct timestamps {
    double interval_s; // from one picture to the next, as far as it keeps time; 0: not known yet
    int kept;          // how well it has kept time so far: a count
    double offset_s;   // from stamp to time; stamps that fall back for good change it
    double last_s;     // time of the last picture
    int behind;        // pictures in a row that were not later than the last one
    bool begun;
};

struct timestamp {
    double t_s;    // time of the picture, the first one's is 0
    double lost_s; // so much time before it of which nothing is known; 0: none
    long missing;  // pictures that should have been in that time
    bool faulty;   // its stamp stands still, falls back or comes too soon: when it was is not known
};

// interval_s as the container says it, 0 for unknown; keeps_time: it also says that all are alike.
void timestamps_begin(struct timestamps *s, double interval_s, bool keeps_time);

// The next picture's stamp in seconds, or NAN where it has none: then it comes one interval after the last one.
struct timestamp timestamps_take(struct timestamps *s, double stamp_s);

#endif
