// SPDX-License-Identifier: MIT
// hearing.h: a match being refereed: each observation is written to the log, judged, and what it brings is announced.
//
// Watching, reviewing and judging a log again all go through here, so they cannot say different things.
#ifndef RINGSIDE_REFEREE_HEARING_H
#define RINGSIDE_REFEREE_HEARING_H

#include "referee/announce/announcer.h"
#include "referee/log.h"

enum { HEARING_ANNOUNCERS_MAX = 4 };

struct hearing {
    struct match match;
    struct log_writer *log; // borrowed; NULL: nothing is written
    double last_s;          // time of the last observation
    int announcers;
    struct announcer announcer[HEARING_ANNOUNCERS_MAX];
};

// Begins with the game, board and players of a log's header, without a log and announcers. `game` must outlive it.
void hearing_begin(struct hearing *h, const struct game *game, const struct log_header *header);

void hearing_add(struct hearing *h, struct announcer a);

// RS_EIO, RS_EINPUT when the observation breaks the log's rules (log.h).
int hearing_take(struct hearing *h, const struct observation *o, struct fail *why);

// A whole log heard again, from observations alone. RS_E... as log_read and hearing_take.
int hearing_of_log(struct log_reader *log, const struct game *game, struct announcer a, struct fail *why);

#endif
