// SPDX-License-Identifier: MIT
// concentric_search.h: the usual search for a board, by its circles: a coarse camera that sees circles around one
// centre, from the edges' votes (concentric.h) or from elsewhere, becomes a board where those circles are the board's.
#ifndef RINGSIDE_VISION_BOARD_CONCENTRIC_SEARCH_H
#define RINGSIDE_VISION_BOARD_CONCENTRIC_SEARCH_H

#include "vision/board/board_search.h"
#include "vision/board/concentric.h"

enum { CANDIDATES = 5 }; // sets of circles that edges vote for

// A coarse camera is pulled onto edges before it is tried (candidate_refine.h), in these ways one after the other: onto
// lines, which are the board's own circles; onto steps, for a broad ring has two of them and no line; not at all.
enum candidate_refinement { REFINED_ON_LINES, REFINED_ON_STEPS, AS_IT_IS, REFINEMENTS };

// All keep the best board in s->best and return 0, or an error.

// Tries a coarse camera, refined in each way from `from` up to, but not including, `to`, until the search is decided.
int search_candidate(struct board_search *s, const struct camera *coarse, enum candidate_refinement from,
                     enum candidate_refinement to, struct fail *why);

// The same for circles that edges voted for. They are sharpened first, once: where `from` is the first way.
int search_concentric(struct board_search *s, struct concentric *c, enum candidate_refinement from,
                      enum candidate_refinement to, struct fail *why);

// Lets the edges vote anew, and tries all of so many sets of circles.
int search_voted(struct board_search *s, int most, struct fail *why);

#endif
