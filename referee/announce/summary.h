// SPDX-License-Identifier: MIT
// summary.h: what a watch came to, told when it ends: score, calls, pictures, how long a call took, where all is kept.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_SUMMARY_H
#define RINGSIDE_REFEREE_ANNOUNCE_SUMMARY_H

#include <stdio.h>

#include <jansson.h>

#include "referee/announce/announcer.h"
#include "referee/announce/voice.h"
#include "referee/announce/web.h"
#include "vision/source/source.h"
#include "vision/track/live_tracking.h"

// Who ended it. The word for machines stands beside it in summary.c.
enum summary_end {
    NOT_ENDED,
    ENDED_BY_KEY,
    ENDED_BY_A_SIGNAL, // interrupt.h
    ENDED_BY_TIME,     // that was given
    ENDED_BY_SOURCE,   // there were no more pictures
    ENDED_BY_READER,   // of standard output, who has gone
    ENDED_BY_FAILURE,
    ENDED_TO_BEGIN_ANEW, // it was set up otherwise: nothing is summed up
};

// What could not be written, and why.
struct unwritten {
    long observations; // 0: all is written
    struct fail why;
};

struct summary {
    enum summary_end ended_by;
    double watched_s;             // by the clock
    long calls, close, withdrawn; // made; of those too close to be firm; taken back or overruled later
    int shots;
    struct source_info source;
    long waiting_dropped; // frames that came faster than they could be looked at
    double waited_s;      // in which the camera gave nothing,
    long waits;           // and how often
    struct live_counts live;
    struct latencies latency; // from a frame's time to the calls that it brought
    struct voice_delays voice;
    const char *log;    // path; NULL: none is kept
    const char *record; // path; NULL: none is kept
    const char *book;   // the same as --book named it; NULL: it did not
    long match;         // number there
    struct unwritten log_lacks, record_lacks;
    struct web_counts pages; // without a place: there were none
};

// Counts calls into `s`, which must outlive it.
struct announcer summary_announcer(struct summary *s);

// How the match stands, for people: "Home 20, Away 15; score Home 2, Away 0"; "nobody has shot yet"; "no side is
// known yet"; from the second game on "games Home 1, Away 0; game 2: " before it.
void summary_score_words(char *out, size_t size, const struct match *m);

enum { SUMMARY_RECORD_WORDS_MAX = 16000 }; // nearly a line of foreign_tell: room for the longest path

// Where the match is kept and the command that goes on with it, quoted for the shell. Where a record that --book named
// does not fit into `size`, words instead of the command. "" where it is not kept.
void summary_record_words(char *out, size_t size, const struct summary *s);

// For people, some lines. `m` NULL: no match began.
void summary_print(FILE *to, const struct summary *s, const struct match *m);

// For machines: the last object of watch --json. NULL when something cannot be told as JSON or there is no memory.
json_t *summary_json(const struct summary *s, const struct match *m);

#endif
