// SPDX-License-Identifier: MIT
// adjudication.h: a match being refereed: each observation is logged and judged, and what it brings is announced.
//
// Watching, reviewing and judging a log again all go through here, so they cannot say different things. A correction of
// what was judged before folds the whole log again, side by side as it stood without it and as it stands with it: the
// calls that differ are announced as withdrawn, and what stands instead of them.
#ifndef RINGSIDE_REFEREE_ADJUDICATION_H
#define RINGSIDE_REFEREE_ADJUDICATION_H

#include "referee/announce/announcer.h"
#include "referee/log.h"

enum { ADJUDICATION_ANNOUNCERS_MAX = 10 };

// Who keeps the observations beside the log.
struct observation_keeper {
    int (*keep)(void *self, const struct observation *o, struct fail *why); // before it is judged
    int (*commit)(void *self, struct fail *why); // all that was kept and announced is finished: it may not be lost now
    void *self;
};

struct adjudication {
    const struct game *game;
    struct board board;
    struct match_setup setup;
    struct amendments amended;
    struct match match;
    // Own, to be made with log_writer_create when it begins: what is taken is written to it, and corrections are judged
    // by it. NULL when it is read from one.
    struct log_writer *log;
    const struct log_reader *from;    // borrowed; where it is read from
    long taken;                       // observations so far
    double last_s;                    // time of the last one
    int last_id;                      // the highest of a piece
    bool loss_told;                   // a short loss is what was last announced
    struct observation_keeper keeper; // to be set: what is taken from then on is kept there too; all NULL: none
    int announcers;
    struct announcer announcer[ADJUDICATION_ANNOUNCERS_MAX];
};

// Begins with the game, board and setup of a log's header, without a log and announcers. `game` must outlive it. It
// stays where it is and is never copied; the caller ends with adjudication_end, also after a failure. RS_EINPUT when
// the header is of a format that the game cannot be played in.
int adjudication_begin(struct adjudication *a, const struct game *game, const struct log_header *header,
                       struct fail *why);

void adjudication_end(struct adjudication *a); // all zero is fine

// RS_EINTERNAL when there is no room for another.
int adjudication_add(struct adjudication *a, struct announcer who, struct fail *why);

// Several observations are taken, and those belong together: a keeper keeps all of them or none. RS_E... as its commit.
int adjudication_commit(struct adjudication *a, struct fail *why);

// Measures beyond what a log has are brought into it first (log_line.h), so that the log says what was judged. RS_EIO,
// RS_ENOMEM, RS_EINPUT when log_read would refuse it.
int adjudication_take(struct adjudication *a, const struct observation *seen, struct fail *why);

// Whether a person's word is one that this game hears, and names what there is (match_check_word), in the shot that it
// is about too: a piece that it has, a call that stands in it. For those who can be asked again, before it is taken.
// RS_EINPUT with what there is; RS_ENOMEM; RS_E... as log_read.
int adjudication_check_word(const struct adjudication *a, const struct observation *said, struct fail *why);

// What was taken, to be read from its beginning; the caller ends with log_reader_free. RS_E... as log_reader_again.
int adjudication_log_again(struct log_reader **out, const struct adjudication *a, struct fail *why);

// Takes all that the log holds; a correction reads it again from its beginning, so it must outlive *a. RS_E... as
// log_read, adjudication_take and, between two observations, interrupt_check; so are those below.
int adjudication_read(struct adjudication *a, struct log_reader *log, struct fail *why);

// A whole log judged again, from observations alone.
int adjudicate_log(struct log_reader *log, const struct game *game, struct announcer who, struct fail *why);

// A whole log judged with all its corrections known from the beginning: what stands of each shot, and the match at its
// end, whose corrections are gone.
int adjudicate_as_it_stands(struct match *out, struct log_reader *log, const struct game *game, struct announcer who,
                            struct fail *why);

// A log judged under one game's rules and under another's, side by side: what is called otherwise is announced, as
// withdrawn and instead.
int adjudicate_both(struct log_reader *log, const struct game *game, const struct game *other, struct announcer who,
                    struct fail *why);

#endif
