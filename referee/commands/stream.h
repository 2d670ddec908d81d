// SPDX-License-Identifier: MIT
// stream.h: frames in, calls out: the eye over a stream and the match that it sees, for review and watch alike.
//
// The match begins when the board is found well enough to call, because it is judged on the board as it was measured; only then the log is
// made. Before that there is nothing to judge.
#ifndef RINGSIDE_REFEREE_COMMANDS_STREAM_H
#define RINGSIDE_REFEREE_COMMANDS_STREAM_H

#include "referee/commands/options.h"
#include "referee/commands/setup.h"
#include "referee/adjudication.h"
#include "vision/track/tracker.h"

struct stream {
    const struct options *options; // borrowed
    const struct setup *setup;     // borrowed
    const char *source;            // name for the log, borrowed
    const char *log_path;          // borrowed; NULL: no log
    bool begun;                    // the board was found, well enough to call
    struct fail refused;           // why the board that is seen now is not; empty when there is none or it is
    struct tracker *eye;
    struct adjudication adjudication; // when begun
    struct log_writer *log;
    int announcers;
    struct announcer announcer[ADJUDICATION_ANNOUNCERS_MAX];
    struct event_list news; // of the last frame
};

// Needs options, setup, source and log_path. The caller ends with stream_finish, also after a failure.
int stream_open(struct stream *s, struct fail *why);
void stream_add(struct stream *s, struct announcer a);
void stream_finish(struct stream *s);

// Looks at one frame, which stays the caller's. RS_E... as tracker_feed and adjudication_take.
int stream_look(struct stream *s, struct frame *f, struct fail *why);

// A person said something; dated with the last thing that was seen. Nothing happens before the board is found.
int stream_input(struct stream *s, enum input_kind what, const char *text, struct fail *why);

// The stream is over. 0, ENDED_WITHOUT_BOARD with the whole sentence, RS_E... as stream_look.
int stream_end(struct stream *s, struct fail *why);

#endif
