// SPDX-License-Identifier: MIT
// call_clips.h: --clips: a clip of each shot with a close call, from two seconds before it to the call.
//
// NAME.mp4 is for people (clip_maker.h): everything drawn on it, every browser plays it; NAME.jpg is its close call
// enlarged. Where a camera is watched, NAME.mkv is what a dispute is judged by: its pictures as they came (recorder.h).
// NAME says of which match it is, where that is kept, so that a report finds it (match_clips.h).
#ifndef RINGSIDE_REFEREE_COMMANDS_CALL_CLIPS_H
#define RINGSIDE_REFEREE_COMMANDS_CALL_CLIPS_H

#include "referee/announce/clip_maker.h"
#include "referee/commands/playback.h"
#include "vision/source/recorder.h"

enum { CALL_CLIPS_AT_ONCE = 4 }; // shots that become known by one frame

// All zero makes no clips, and everything below does nothing with it. The caller ends with call_clips_end.
struct call_clips {
    char stem[SETUP_PATH_MAX]; // of their names, with the folder
    bool live;                 // a camera's: names get a number where there is such a file, and nothing waits
    bool quiet;
    const struct playback *playback;
    struct recorder *recorder; // borrowed, for NAME.mkv; NULL: there is none of it
    struct clip_maker *maker;
    struct annotation said;
    struct match_moment now;
    int asked;
    struct clip_wish wish[CALL_CLIPS_AT_ONCE];
    int shot[CALL_CLIPS_AT_ONCE];
    struct fail failed; // of a clip that could not be made, first; code 0: none
};

// `c` says stem, live, quiet, playback and recorder. Removes what killed programs left in the folder. RS_E... as
// clip_maker_create.
int call_clips_begin(struct call_clips *c, struct fail *why);

// Hears which shots are wanted. Behind each frame's calls, when they were all heard, call_clips_settle makes them:
// `t_s` is the frame's.
struct announcer call_clips_announcer(struct call_clips *c);
void call_clips_settle(struct call_clips *c, const struct board_pose *pose, const struct tracker_view *view,
                       double t_s);

// Of a playback: takes each frame, and settles it.
struct frame_consumer call_clips_consumer(struct call_clips *c);

// Makes what waits and ends. What of a live camera could not be made is told, and is no failure: the game went on;
// otherwise it is, with the words of the first: RS_E... as movie_create, movie_finish and clip_maker_ask.
int call_clips_end(struct call_clips *c, struct fail *why);

#endif
