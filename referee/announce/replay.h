// SPDX-License-Identifier: MIT
// replay.h: the last close calls to be looked at again: each enlarged (close_view.h), and its shot as the camera saw
// it, picture by picture.
//
// The pictures of a shot stay JPEGs, one by one: what a webcam sends is kept as it came and costs nothing, every
// browser shows them, at any speed and still, and no licence stands in between, as for H.264. Of a source that sends
// none, small ones are made. Bounded: the last seconds and the last REPLAY_CALLS calls, and no more than some 150 MB of
// pictures in all; what is older goes. One thread shows frames, one judges, any other reads; enlarging is done in a
// thread of its own. Nothing waits for another but for a lock that is held for a list of pointers.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_REPLAY_H
#define RINGSIDE_REFEREE_ANNOUNCE_REPLAY_H

#include "referee/announce/announcer.h"
#include "vision/detection.h"
#include "vision/frame.h"

enum {
    REPLAY_CALLS = 6,
    REPLAY_PAGE_QUALITY = 80 // of JPEGs that are made of pictures for a page: each is seen for a moment
};
static const double REPLAY_BEFORE_S = 2; // shown of the time before a shot: the shooter's hand on the piece

struct replay;

// The caller ends with replay_free, which takes NULL, when nobody calls it any more. RS_ELIB when there can be no
// thread; RS_ENOMEM.
int replay_create(struct replay **out, struct fail *why);
void replay_free(struct replay *r);

// Another match begins, and its clock: what is kept goes. While nobody shows or judges.
void replay_restart(struct replay *r);

// Of the thread that has frames: the next one. What cannot be kept is left out.
void replay_show(struct replay *r, const struct frame *f);

// Of the thread that judges: hears which calls are close; and, when everything that a frame brought is judged, where
// the board is in it. Calls of replay_settle are cheap where nothing was close.
struct announcer replay_announcer(struct replay *r);
void replay_settle(struct replay *r, const struct board_pose *pose);

// What there is, for pages, newest first: {"ringside": 3, "close": [{"shot": 3, "piece": 2, "t_s": [...]}]}, a time for
// each picture of the shot. `r` NULL: nothing. NULL when there is no memory. The caller frees it.
char *replay_list(struct replay *r);

// The call enlarged (number -1), or the picture of that number of its shot, from 0 on: a JPEG, held for the caller.
// NULL: there is none.
struct encoded *replay_picture(struct replay *r, int shot, int piece, int number);

#endif
