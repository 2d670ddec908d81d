// SPDX-License-Identifier: MIT
// playback.h: frames through the tracker and the referee, one after another: the one loop of review, watch and bundle.
//
// Where the frames come from is plugged in, and so are those who do something with each frame after it was looked at.
#ifndef RINGSIDE_REFEREE_COMMANDS_PLAYBACK_H
#define RINGSIDE_REFEREE_COMMANDS_PLAYBACK_H

#include "referee/commands/stream.h"
#include "referee/commands/terminal.h"
#include "vision/source/source.h"

struct frame_consumer {
    // `f` may be drawn on: the tracker is done with it. RS_E... ends the playback.
    int (*take)(void *self, struct frame *f, const struct stream *s, struct fail *why);
    void *self;
};

enum { PLAYBACK_CONSUMERS_MAX = 4 };

// To be filled in before playback_run; all is borrowed.
struct playback {
    int (*next)(void *from, struct frame **out, struct fail *why); // 1 and a frame, 0 at the end, RS_E...
    void *from;               // what `next` is given; a struct source when `next` is NULL
    struct notes *notes;      // laid under each frame; NULL: none
    bool tells_found;         // what was found goes to standard error, once,
    const char *log_told;     // with the name of the log behind it; NULL: without
    struct progress progress; // makes way for calls
    struct stream stream;
    int consumers; // they take each frame in this order
    struct frame_consumer consumer[PLAYBACK_CONSUMERS_MAX];
};

// `source` names what is played, log_path (NULL: none) the log. Announcers are added to the stream, consumers here.
void playback_init(struct playback *p, const struct options *o, const struct setup *s, const char *source,
                   const char *log_path);
void playback_add(struct playback *p, struct frame_consumer c);

// Plays until the end. 0, ENDED_WITHOUT_BOARD with the whole sentence, RS_E... as stream_look, the consumers and `next`.
int playback_run(struct playback *p, struct fail *why);

// Also after a failure, and when it was never run.
void playback_finish(struct playback *p);

#endif
