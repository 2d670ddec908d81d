// SPDX-License-Identifier: MIT
// watch_words.h: what people at a live game read beside the calls: how the match stands and what is waited for, on one
// line; what to do while no board is seen; told when it changes, not again and again.
#ifndef RINGSIDE_REFEREE_COMMANDS_WATCH_WORDS_H
#define RINGSIDE_REFEREE_COMMANDS_WATCH_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "calibration/fail.h"
#include "referee/announce/summary.h"
#include "referee/rules/match.h"
#include "vision/track/live_tracking.h"

// "Home 20, Away 15 | Away to shoot | waiting for the disc to come to rest". `m` NULL: no match has begun; `waits` is
// what the camera waits for, NULL when it gives pictures.
void watch_standing_words(char *out, size_t size, const struct match *m, const struct tracked_frame *now,
                          const char *waits);

// What hinders calls now and what to do about it; empty when nothing does. `refused`: why the board that is seen is not
// good enough, empty when it is or there is none.
const char *watch_help_words(const struct tracked_frame *now, const struct fail *refused);

enum { WATCH_KEY_WORDS_MAX = 16 };

// "the key k"; "that key" for one without a sign of its own. `out` comes back.
const char *watch_key_words(char out[WATCH_KEY_WORDS_MAX], int key);

// What was told last of something that may go on for long. All zero: nothing.
struct told {
    char text[sizeof((struct fail *)0)->text]; // empty: that all is well
    double at_s;                               // the clock when it was told
    char next[sizeof((struct fail *)0)->text]; // what has been so since
    double since_s;
};

// Whether `text` is to be told at the time now_s: it says something else than what was told, numbers aside, has done so
// for lasts_s, and the last was told apart_s ago. That all is well, an empty text, is told at once.
bool told_is_news(struct told *t, const char *text, double now_s, double lasts_s, double apart_s);

// When the camera gave nothing, and what was told of it. All zero: it never did so.
struct camera_losses {
    struct told told; // what is waited for; empty while pictures come
    long count;
    double lost_s;                   // of those that are over
    double first_s, since_s, over_s; // the clock: when the first of those near one another began, and the last; its end
    long near_count;
    double near_lost_s;
    bool many, told_long; // it is told that they come again and again; of the last one, that it lasts
};

// Whether something is to be told at the time now_s, and what. `waits_for`: why no picture comes; empty: they do. Losses
// behind one another are told as one state, when it begins and when it is over, and in it only one that lasts.
bool camera_losses_say(char *out, size_t size, struct camera_losses *l, const char *waits_for, double now_s);

// Who ended a watch that nobody ended by a key or a time: of `rc` and, where it is a failure, its words.
enum summary_end watch_ended_by(int rc, const struct fail *why);

// Pictures that are dropped since this computer is too slow. All zero: none.
struct drops {
    long count, before; // in all; when they began
    double last_s;      // the clock when the last was seen to be
    bool go_on;
};

// Whether it is to be told, at the time now_s, that they begin or that they are over: d->go_on says which. `count` is
// how many were dropped in all. While no board is known that costs nothing and is not told.
bool drops_are_news(struct drops *d, long count, bool board_known, double now_s);

// That they begin, and what to do about it: what an address sends is set where it is sent from.
const char *drops_words(bool of_address);

#endif
