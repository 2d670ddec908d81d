// SPDX-License-Identifier: MIT
// circles.h: what the games on concentric circles share: where each piece lies, and whose turn it is.
#ifndef RINGSIDE_REFEREE_GAMES_CIRCLES_H
#define RINGSIDE_REFEREE_GAMES_CIRCLES_H

#include "referee/rules/rule.h"

// Numbers under which a game's rule book has these calls.
struct circles_numbers {
    const char *zone, *hole, *ditched;
};

bool circles_in_hole(const struct outcome *o);

// It lay in the hole before the shot.
bool circles_was_in_hole(const struct judging *j, const struct outcome *o);

// "black  15  (0.13 in inside the line)", "black  ditched  (left the surface)". A piece that a hand took says nothing.
void circles_say(struct judging *j, const struct outcome *o, const struct circles_numbers *numbers);

// The same for every piece that the shot moved or that was new, the shot piece first.
void circles_say_all(struct judging *j, const struct circles_numbers *numbers);

// Points of a side's pieces that lie on the surface after the shot, the hole left out.
int circles_points(const struct judging *j, int side);

// Who shot, which takes a seat for a new colour; -1 for a third colour. Counts the shot, passes the turn on.
int circles_shooter(const struct judging *j);
void circles_pass(struct judging *j);

// Every side has shot this many pieces.
bool circles_all_played(const struct judging *j, int pieces);

// Nothing played, nothing booked, the other side begins.
void circles_next_round(struct judging *j);

#endif
