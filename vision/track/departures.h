// SPDX-License-Identifier: MIT
// departures.h: why pieces are not where they were: which of them a shot drove off and which a hand moved, and what ran
// that was no known piece.
#ifndef RINGSIDE_VISION_TRACK_DEPARTURES_H
#define RINGSIDE_VISION_TRACK_DEPARTURES_H

#include "vision/track/reconstruction.h"

// Fills in why each track moved or left, and where the one piece went that looks like none that lies somewhere now.
void departures_find(struct reconstruction *s, struct association *a, const struct moment *m);

// Whether track k is among them: it moved or left; and whether a hand moved it to where it lies now.
bool departures_include(const struct association *a, int k);
bool departures_by_hand(const struct association *a, int k);

// The shot's own piece, index of a track but `except`: the first that moved, the one beside the hand when two moved
// between the same two frames. -1 when none did.
int departures_first_shot(const struct association *a, int except);

// When the first known piece was missed that a shot drove off: what ran before may have met it. INFINITY: none was.
double departures_struck_s(const struct association *a);

// When what ran from there began to move: what a hand broke out of a stillness was seen before it was clear of the
// hand, and what struck another piece ran before that did.
struct departure departures_of_run(const struct reconstruction *s, const struct association *a,
                                   const struct motion *run);

// Nobody need find it lying to know it for a piece: so long and so straight a run is no fingers', and no noise.
bool departures_piece_ran(const struct motion *first, const struct tracklet *run, const struct board *b,
                          const struct track_tuning *tuning);

// What ran and was no known piece; NULL: nothing. Where the first that was missed had no hand beside it something
// struck it: nothing moves by itself, though no picture may show it before that.
const struct motion *departures_unknown_run(const struct reconstruction *s, const struct association *a,
                                            const struct moment *m);

// A sure taw was shot from beside a hand. A shot has one: what ran beside it and was never found lying was the hand.
bool departures_taw_was_shot(const struct reconstruction *s, const struct association *a);

#endif
