// SPDX-License-Identifier: MIT
// said_inputs.h: what people said while a film was taken, from a file: it is refereed as if they said it now.
//
// The file has lines as a log has them for inputs (log_line.h), in order of time:
//
//     {"t_s": 12.5, "kind": "input", "by": "player", "what": "slips", "text": ""}
//
// and nothing else; or it is a log, of which only those are read. Each is given to the match when the film has reached
// its time, which is heard_s where it has one: a log dates it with what had been seen by then. Of those that are no
// log's, what names nothing there (adjudication_check_word) goes to standard error instead. One thread at a time.
#ifndef RINGSIDE_REFEREE_COMMANDS_SAID_INPUTS_H
#define RINGSIDE_REFEREE_COMMANDS_SAID_INPUTS_H

#include "referee/commands/playback.h"

// Of what somebody says now: RS_EINPUT, with the nearest as a suggestion, for a word that no game knows, which is a
// slip, and for a text behind a word that takes none. In a log the one is noted (input.h), and the other's word is
// heard without the text.
int said_word_check(const struct observation *said, struct fail *why);

// { 0 } has none. The caller ends with said_inputs_finish.
struct said_inputs {
    int count, room;
    struct observation *item;
    int next;                  // the first that was not given yet
    const char *path;          // borrowed; of the file
    bool of_log;               // from a log
    struct playback *playback; // borrowed; whom they are given to
};

// RS_EIO when it cannot be read, RS_EINPUT with the number of a line that is no input, has an unknown word, a text
// behind one that takes none, or is earlier than the one before, RS_ENOMEM.
int said_inputs_read(struct said_inputs *out, const char *path, struct fail *why);

// Gives each when a frame of its time or later was judged; those said before the board was found, when it is found.
struct frame_consumer said_inputs_consumer(struct said_inputs *list, struct playback *to);

// Behind the last frame of a film of that length: gives those that are left, and tells of those that lie beyond it.
// RS_E... as playback_input.
int said_inputs_give_rest(struct said_inputs *list, double length_s, struct fail *why);

void said_inputs_finish(struct said_inputs *list);

#endif
