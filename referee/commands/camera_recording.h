// SPDX-License-Identifier: MIT
// camera_recording.h: `watch --record` and `--clips`: what the camera sent, kept so that review makes the same calls of
// it, and the clips of close calls (call_clips.h).
//
// A recording is a folder of its own, DIR/DATE-TIMEZ: segments (recorder.h), the log where --out names no other place,
// and beside them what was used: board.json, lens.json, hint.json (setup_take_recorded), match.json (--match).
#ifndef RINGSIDE_REFEREE_COMMANDS_CAMERA_RECORDING_H
#define RINGSIDE_REFEREE_COMMANDS_CAMERA_RECORDING_H

#include "referee/commands/call_clips.h"
#include "vision/track/live_tracking.h"

// All zero records nothing, and everything below does nothing with it. The caller ends with camera_recording_end.
struct camera_recording {
    char folder[SETUP_PATH_MAX];                  // empty: there is no --record
    const char *made_for_record, *made_for_clips; // DIRs that it made itself, borrowed from the options; or NULL
    struct recorder *recorder;
    struct call_clips clips; // has to hear the calls, and is settled behind each frame looked at; no stem: none
};

// Makes the folders; where o->out is none, logs go into the recording's from now on. `stem` is the date of the watch.
// RS_EIO, RS_EINPUT.
int camera_recording_name(struct camera_recording *c, struct options *o, const char *stem, struct fail *why);

// Before the source is read: puts board, match, lens and hint beside and begins. Tells where it goes and how much is
// free. `p` is borrowed. RS_EINPUT when what comes from the source cannot be kept as it came; RS_EIO; RS_ENOMEM;
// RS_ELIB.
int camera_recording_begin(struct camera_recording *c, const struct options *o, const struct setup *s,
                           const struct source *source, const struct playback *p, struct fail *why);

struct frame_tap camera_recording_tap(struct camera_recording *c);

// What a person should know, each once: true and a sentence in *said. Ask now and then.
bool camera_recording_news(struct camera_recording *c, struct fail *said);

// Writes what waits, tells what was recorded, and frees. Also when it never began: then nothing is left of what it made.
void camera_recording_end(struct camera_recording *c);

#endif
