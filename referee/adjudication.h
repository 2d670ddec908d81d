// SPDX-License-Identifier: MIT
// adjudication.h: a match being refereed: each observation is logged and judged, and what it brings is announced.
//
// Watching, reviewing and judging a log again all go through here, so they cannot say different things.
#ifndef RINGSIDE_REFEREE_ADJUDICATION_H
#define RINGSIDE_REFEREE_ADJUDICATION_H

#include "referee/announce/announcer.h"
#include "referee/log.h"

enum { ADJUDICATION_ANNOUNCERS_MAX = 4 };

struct adjudication {
    struct match match;
    struct log_writer *log; // borrowed; NULL: nothing is written
    double last_s;          // time of the last observation
    int announcers;
    struct announcer announcer[ADJUDICATION_ANNOUNCERS_MAX];
};

// Begins with the game, board and players of a log's header, without a log and announcers. `game` must outlive it.
void adjudication_begin(struct adjudication *a, const struct game *game, const struct log_header *header);

// RS_EINTERNAL when there is no room for another.
int adjudication_add(struct adjudication *a, struct announcer who, struct fail *why);

// RS_EIO, RS_EINPUT when the observation breaks the log's rules (log.h).
int adjudication_take(struct adjudication *a, const struct observation *o, struct fail *why);

// A whole log judged again, from observations alone. RS_E... as log_read and adjudication_take.
int adjudicate_log(struct log_reader *log, const struct game *game, struct announcer who, struct fail *why);

#endif
