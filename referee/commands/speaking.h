// SPDX-License-Identifier: MIT
// speaking.h: the voice as the command line wishes it: whether calls are spoken, in which words, where to; and the same
// words for pages, whether or not anybody speaks here.
#ifndef RINGSIDE_REFEREE_COMMANDS_SPEAKING_H
#define RINGSIDE_REFEREE_COMMANDS_SPEAKING_H

#include "referee/announce/live.h"
#include "referee/announce/voice.h"
#include "referee/commands/playback.h"

// All zero: nothing is said, and everything below does nothing. The caller ends with speaking_finish.
struct speaking {
    struct voice_lines *lines;
    struct voice_words words;
    struct voice *voice; // NULL: nobody speaks here
    struct live *live;   // borrowed; NULL: no pages
};

// `usual`: the sound card speaks unless it is told not to. A machine without a voice is told in *note, and nothing is
// spoken, but where a file is to be written. RS_EINPUT for --voice-lines, --voice-name or --voice that cannot be;
// RS_E... as voice_create.
int speaking_open(struct speaking *s, const struct options *o, bool usual, struct fail *note, struct fail *why);

struct announcer speaking_announcer(struct speaking *s);

// For a film: it has come so far.
struct frame_consumer speaking_consumer(struct speaking *s);

// `whole`: what waits is spoken for some seconds, the file is kept; else it is cut off and there is no file. RS_EIO.
int speaking_finish(struct speaking *s, bool whole, struct fail *why);

#endif
