// SPDX-License-Identifier: MIT
// circles.h: what the games on concentric circles share: where each piece lies, and whose turn it is.
#ifndef RINGSIDE_REFEREE_GAMES_CIRCLES_H
#define RINGSIDE_REFEREE_GAMES_CIRCLES_H

#include "referee/rules/rule.h"

bool circles_in_hole(const struct outcome *o);

// It lay in the hole before the shot.
bool circles_was_in_hole(const struct outcome *o);

// "black  15  (0.13 in inside the line)", "black  ditched  (left the surface)", by the rule of that number. A piece that
// a hand took says nothing.
void circles_say(struct judging *j, const struct outcome *o, const char *number);

// As judging_next, but the shot piece first.
const struct outcome *circles_next(const struct judging *j, const struct outcome *after);

// Points of a side's pieces that lie on the board after the shot, with those in the hole or without.
int circles_points(const struct judging *j, int side, bool with_hole);

// Counts the shot for who shot, and passes the turn on.
void circles_pass(struct judging *j);

// Both sides have shot this many pieces.
bool circles_all_played(const struct judging *j, int pieces);

// Nothing played, the other side begins.
void circles_next_round(struct judging *j);

#endif
