// SPDX-License-Identifier: MIT
// record_read.h: the matches of a record: which there are, and their observations as a log.
#ifndef RINGSIDE_REFEREE_RECORD_READ_H
#define RINGSIDE_REFEREE_RECORD_READ_H

#include <stdio.h>

#include "referee/log.h"
#include "referee/record_db.h"

enum { KEPT_WORDS_MAX = sizeof((struct kept_footage *)0)->name };

// A match as the record knows it without judging it again.
struct kept_match {
    long match;
    long observations, shots, inputs;
    char id[64], game[64], format[64];
    char begun[RECORD_TIME_MAX], ended[RECORD_TIME_MAX]; // UTC; empty `ended`: it is being played, or was cut short
    char source[KEPT_WORDS_MAX], software[KEPT_WORDS_MAX];
    long before_last;           // observations before that; 0 when it never was resumed
    char score[KEPT_WORDS_MAX]; // "Anna 4 (3 to 4), Ben 2; Anna wins"; "games Anna 1, Ben 0; game 2: Anna 3, ...";
                                // "nobody has shot yet"; "no side is known yet"
};

// `match` 0: the last one. RS_EINPUT when there is none; RS_E... as record_query, here and below.
int record_find(struct kept_match *out, struct record *r, long match, struct fail *why);

// Footage is the same by its name, and its path or its size, where those are known: it may be moved, or grow. `r` is
// open to be written.

// The last one that was cut short, or is being played, from that footage; `match` 0: of all. 1; 0: none, *out as is.
int record_find_cut_short(struct kept_match *out, struct record *r, long match, const struct kept_footage *footage,
                          struct fail *why);

// Was any of the match played from that footage? 1, 0.
int record_has_footage(struct record *r, long match, const struct kept_footage *footage, struct fail *why);

// All in the order in which they began; `tell` may end it with RS_E....
int record_each(struct record *r, int (*tell)(void *self, const struct kept_match *m, struct fail *why), void *self,
                struct fail *why);

// Its header and observations, written out as a log. RS_EIO; RS_EINPUT when they cannot be read; RS_ENOMEM.
int record_print_log(FILE *to, struct record *r, long match, struct fail *why);

struct game;

// The same, to be read, and the game that it is of: it ends with log_reader_free, also after a failure. RS_EINPUT when
// this program does not know the game.
int record_log(struct log_reader **out, const struct game **game, struct record *r, long match, struct fail *why);

#endif
