// SPDX-License-Identifier: MIT
// playback.h: frames through the tracker and the referee: the one way of review, watch and bundle.
//
// playback_run has review and bundle go through the frames one after another. Those who do something with each frame
// after it was looked at are plugged in. watch has a tracker in a thread of its own (live_tracking.h) and takes the
// same steps with what comes of it: playback_open, playback_judge for each frame, playback_end. The match begins when
// the board is found well enough to call, because it is judged on the board as it was measured; only then the log is
// made. Before that there is nothing to judge.
#ifndef RINGSIDE_REFEREE_COMMANDS_PLAYBACK_H
#define RINGSIDE_REFEREE_COMMANDS_PLAYBACK_H

#include "referee/adjudication.h"
#include "referee/commands/command_setup.h"
#include "referee/record.h"
#include "referee/commands/options.h"
#include "referee/commands/terminal.h"
#include "vision/source/source.h"
#include "vision/track/tracker.h"

struct playback;

struct frame_consumer {
    // `f` may be drawn on: the tracker is done with it. RS_E... ends the playback.
    int (*take)(void *self, struct frame *f, const struct playback *p, struct fail *why);
    void *self;
};

enum {
    PLAYBACK_CONSUMERS_MAX = 5,
    PLAYBACK_ANNOUNCERS_MAX = ADJUDICATION_ANNOUNCERS_MAX - 1, // beside the record
};

struct playback {
    // To be filled in before playback_run; all is borrowed.
    const struct options *options;
    const struct setup *setup;
    const char *source; // name for the log,
    long source_bytes;  // and size of footage; 0: a camera
    // Of a shorter film of that name, to be written over: the board must be seen as in it. NULL: none.
    const struct log_header *shorter;
    char *log_path;   // its path, which must be of no file yet; NULL: no log
    bool numbers_log; // of SETUP_PATH_MAX bytes; where there is one of that name, the next free number is put behind it
    struct record *record;     // where the match is kept; NULL: nowhere
    long resume;               // the match there that goes on; 0: a new one
    bool replays;              // the last part of match `resume` was cut short and is played again
    long replay_from;          // from behind this observation
    struct notes *notes;       // laid under each frame; NULL: none
    bool waits;                // nobody has said yet what is played: frames are looked at, and no match begins
    bool tells_found;          // what was found goes to standard error, once,
    const char *log_told;      // with the name of the log behind it; NULL: without
    struct progress progress;  // makes way for calls
    int announcers, consumers; // they take each frame in this order
    struct announcer announcer[PLAYBACK_ANNOUNCERS_MAX];
    struct frame_consumer consumer[PLAYBACK_CONSUMERS_MAX];

    // While it runs.
    bool begun;          // the board was found, well enough to call
    struct fail refused; // why the board that is seen now is not; empty when there is none or it is
    struct tracker *tracker;
    struct adjudication adjudication; // when begun
    struct event_list news;           // of the last frame, in playback_run
    double played_s;                  // its time
    double resumed_s;                 // of a match that goes on: its time when it did
    int resumed_id;                   // and the highest id of a piece
};

// `source` names what is played, log_path (NULL: none) the log.
void playback_init(struct playback *p, const struct options *o, const struct setup *s, const char *source,
                   char *log_path);

// Where there is no room for another, playback_open says so.
void playback_announce(struct playback *p, struct announcer a);
void playback_add(struct playback *p, struct frame_consumer c);

// Behind the name of a log.
#define PLAYBACK_LOG_ENDING ".ringside.jsonl"

// p->tracker is made. RS_EINTERNAL when there are more announcers or consumers than there is room for; RS_ENOMEM.
int playback_open(struct playback *p, struct fail *why);

// What became known by a frame of the time t_s: the board as it is known now, and events. The first board that suffices
// begins the log and the match. RS_E... as adjudication_take.
int playback_judge(struct playback *p, const struct board_pose *pose, const struct event_list *news, double t_s,
                   struct fail *why);

// What was found, to standard error, with the name of the log, and the match that goes on; playback_judge does it once
// when p->tells_found.
void playback_tell_found(struct playback *p, const struct board_pose *pose);

// Behind the last, when p->tracker was finished. 0, ENDED_WITHOUT_BOARD with the whole sentence, RS_E... as record_end.
int playback_end(struct playback *p, struct fail *why);

// Plays what comes from there until its end. RS_EENDED, between two frames or while a board was searched for in one,
// leaves the log, the record and whatever the announcers had as they are in a longer run: the end of the footage is not
// told to the tracker. 0, ENDED_WITHOUT_BOARD with the whole sentence, RS_E... as source_next, tracker_feed,
// adjudication_take and the consumers.
int playback_run(struct playback *p, struct source *from, struct fail *why);

// A person said something; dated with the last thing that was seen, as what was done since may be told only later, and
// with when it was heard. Nothing happens before the board is found.
int playback_input(struct playback *p, const struct observation *said, struct fail *why);

// Also after a failure, and when it was never run.
void playback_finish(struct playback *p);

#endif
