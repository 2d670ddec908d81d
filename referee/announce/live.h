// SPDX-License-Identifier: MIT
// live.h: the match as it is now, for pages: what is told is kept as JSON, whole and as what changed.
//
// A part of the match is told whole when it changes, but pieces: those that "moved", and the ids of those "gone".
//
// One thread tells, any other reads. A reader that was here before is given what changed since, in order; one that is
// new, or that fell too far behind, is given the whole. So nobody who reads slowly costs memory or time.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_LIVE_H
#define RINGSIDE_REFEREE_ANNOUNCE_LIVE_H

#include <jansson.h>
#include <stdint.h>

#include "referee/announce/announcer.h"
#include "vision/track/tracker.h"

struct live;

// The caller frees *out with live_free, which takes NULL. RS_ENOMEM.
int live_create(struct live **out, struct fail *why);
void live_free(struct live *l);

// Another match begins: nothing is known of it yet, and whoever reads is given the whole.
void live_restart(struct live *l);

// Called after each change, in the thread that tells, with nothing locked. NULL: nobody.
void live_on_change(struct live *l, void (*changed)(void *self), void *self);

// In the thread that tells: between the two nobody is called, behind them once if there is news.
void live_hold(struct live *l);
void live_release(struct live *l);

// What is told. RS_ENOMEM; RS_EINTERNAL when something cannot be told as JSON.
struct announcer live_announcer(struct live *l);
int live_board(struct live *l, const struct board_pose *pose, struct fail *why);
// Pieces as they are seen: without those that a judge took off, with those that he put on, in the match's zones. Clears
// the last shot's paths once a piece that it moved lies elsewhere. `first_id`: what the match counts its ids from, when
// it goes on.
int live_pieces(struct live *l, const struct tracker_view *view, const struct match *m, int first_id, struct fail *why);
int live_standing(struct live *l, const struct match *m, struct fail *why); // also between two calls; and what was said
int live_offers(struct live *l, json_t *offers, struct fail *why); // what a judge may say; taken over, NULL: no memory
// What the referee says now, and its language as browsers name it: to those who are there, not to those who come later.
int live_say(struct live *l, const char *text, const char *language, struct fail *why);
int live_words(struct live *l, const char *words, struct fail *why); // what the camera lacks; empty: nothing

// What is read: the JSON that comes after message *after, an object with the parts that changed, or with *whole all of
// them; *after becomes its number. Beginning with -1. NULL when there is nothing new, or no memory. The caller frees it
// with free(). A number that another referee gave, before this one, is given the whole: the numbers go on where no
// earlier one had come to.
char *live_next(struct live *l, int64_t *after, bool *whole);

// All parts as they are now, an object. NULL when there is no memory. The caller frees it.
char *live_state(struct live *l);

// The calls alone, oldest first, as the state has them. As live_state.
char *live_calls(struct live *l);

#endif
