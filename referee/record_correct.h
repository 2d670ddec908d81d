// SPDX-License-Identifier: MIT
// record_correct.h: something said about a match when it is over.
#ifndef RINGSIDE_REFEREE_RECORD_CORRECT_H
#define RINGSIDE_REFEREE_RECORD_CORRECT_H

#include "referee/announce/announcer.h"
#include "referee/record_db.h"

// The match as it was is folded without a word; then the input, dated with the last observation, is taken as if it had been
// said while it was played: what changes by it is announced, and kept beside what was called before. RS_EINPUT when there is no
// such match, or another program writes it just now; RS_E... as record_query.
int record_correct(struct record *r, long match, struct observation *said, struct announcer who, struct fail *why);

#endif
