// SPDX-License-Identifier: MIT
// live_pipeline.h: what `watch` computes for a camera's frame, for the bench, and the clocks and the report of that.
#ifndef RINGSIDE_TESTS_LIVE_PIPELINE_H
#define RINGSIDE_TESTS_LIVE_PIPELINE_H

#include "referee/adjudication.h"
#include "vision/source/unpack.h"
#include "vision/track/live_tracking.h"

static const double STARTED_S = 4.4; // a board just found is looked at again, and once it was measured after a shot

double busy_ms(void); // processor time of this process
double now_s(void);   // by the clock

struct report {
    bool json, any;
};

// A figure, as a line of a table or an object of a JSON list.
void report_tell(struct report *r, const char *size, const char *name, double value, const char *unit);

// The median of `n` times in milliseconds and their worst; of a hundred or more what 99 of 100 do not exceed. They are
// sorted.
void report_tell_spread(struct report *r, const char *size, const char *name, double *ms, int n);

struct pipeline {
    struct unpacker *unpacker;
    struct tracker *tracker;
    struct event_list news;
    struct picture_watch picture;
    struct adjudication judge;
    bool begun;
    double called_since_s; // the stillness of the last call; -1: this frame brought none
};

// The caller ends with pipeline_end, also after a failure. RS_ELIB, RS_ENOMEM.
int pipeline_begin(struct pipeline *p, struct fail *why);
void pipeline_end(struct pipeline *p);

// A frame of p->unpacker, tracked and judged. RS_E... as tracker_feed and adjudication_take.
int pipeline_judge(struct pipeline *p, struct frame *f, struct fail *why);

#endif
