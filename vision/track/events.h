// SPDX-License-Identifier: MIT
// events.h: event reconstruction: what happened between two still moments, from what lay before, what lies now and what
// ran between.
//
// Nothing is reported while things move: which of two blurs was which piece is only sure when both lie still again. So
// events come late, but in order, with the times at which they happened.
#ifndef RINGSIDE_VISION_TRACK_EVENTS_H
#define RINGSIDE_VISION_TRACK_EVENTS_H

#include "vision/track/reconstruction.h"

void events_begin(struct reconstruction *s, const struct track_tuning *tuning);
void events_finish(struct reconstruction *s);

// Takes in a frame between two still moments: which pieces vanished from their places, what runs. RS_ENOMEM.
int events_watch(struct reconstruction *s, const struct change_patches *p, struct fail *why);

// At a still moment: adds what happened to `ready`, and what lies now becomes what lay before.
void events_reconstruct(struct reconstruction *s, const struct moment *m);

// The camera moved: what lies on the board lies somewhere else in the picture. Nothing has happened to it by that, and
// what seemed to run from knocked_s on were the board's own edges.
void events_new_view(struct reconstruction *s, const struct change_detector *d, double knocked_s);

// The footage was cut: what ran nobody will see come to rest, and no shot is open any more.
void events_cut(struct reconstruction *s);

// 0..1: how many of the pieces the picture does not show where they were.
double events_missed(const struct reconstruction *s, const struct change_detector *d);

// True while something is on its way: a piece is missed at its place, or something runs.
bool events_any_departed(const struct reconstruction *s, const struct board *b);

// Adds one that is no piece's.
void events_add(struct reconstruction *s, const struct observation *o);

// All that is ready, in order of time. The time of an event never falls, though what is reported late happened earlier
// than a camera's movement reported at once. RS_ENOMEM when one of them could not be kept.
int events_give_out(struct event_list *out, struct reconstruction *s, struct fail *why);

#endif
