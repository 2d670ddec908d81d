// SPDX-License-Identifier: MIT
// record.h: a match kept as it is played: each observation with what was called by it, nothing ever erased.
//
// It stands beside the log in an adjudication: a keeper of observations and an announcer. What one observation brought
// is kept with it or not at all. Where rows are held (record_db.h), a disk that takes nothing, or a file that another
// program keeps busy, is no failure.
#ifndef RINGSIDE_REFEREE_RECORD_H
#define RINGSIDE_REFEREE_RECORD_H

#include <stdio.h>

#include "referee/adjudication.h"
#include "referee/log.h"
#include "referee/record_db.h"

// A new match: r->match is its number. `software` says which ringside. RS_E... as record_query.
int record_begin(struct record *r, const struct log_header *header, const char *software, struct fail *why);

// Goes on with a match that is kept, behind its last observation. RS_EINPUT when another program does so just now.
// `header` says with what camera from what source; NULL: with none, something is only added. RS_E... as record_query.
int record_resume(struct record *r, long match, const struct log_header *header, const char *software,
                  struct fail *why);

// Plays what was cut short again from behind observation `from`, 0: from the beginning of the match: the keeper holds
// what comes against what is kept, and adds only what goes beyond it; in the end all is as if never cut short. The
// keeper, and record_end, give RS_EINPUT when something else comes than is kept. RS_EINPUT as record_resume.
int record_replay(struct record *r, long match, long from, struct fail *why);

// To be plugged in both, into one adjudication; `r` must outlive it.
struct observation_keeper record_keeper(struct record *r);
struct announcer record_announcer(struct record *r);

// Nobody plays any more; it may be resumed all the same. RS_EINPUT as record_replay says; RS_E... as record_query.
int record_end(struct record *r, struct fail *why);

// Something said about a match when it is over: the match as it was is folded without a word; then the input, dated
// with the last observation, is taken as if it had been said while it was played: what changes by it is announced, and
// kept beside what was called before. RS_EINPUT when there is no such match, or another program writes it just now;
// RS_E... as record_query.
int record_correct(struct record *r, long match, struct observation *said, struct announcer who, struct fail *why);

// Is the record sound, and is every match judged as it was (record_check.c)? The file, what belongs together in it, and
// whether every match comes out as it was kept when its observations are judged again. Each fault is a line into `to`,
// and counted. What comes out otherwise of a match that another ringside than `software` kept, which may have judged or
// told it otherwise, is no fault yet.
struct record_faults {
    int faults, otherwise; // otherwise: tables of a match
};
int record_check(struct record_faults *out, FILE *to, struct record *r, const char *software, struct fail *why);

#endif
