// SPDX-License-Identifier: MIT
// oblique_search.h: the search for a board seen from the side of a table: whole boards laid over the picture
// (oblique.h), and the best of them refined and judged.
#ifndef RINGSIDE_VISION_BOARD_OBLIQUE_SEARCH_H
#define RINGSIDE_VISION_BOARD_OBLIQUE_SEARCH_H

#include "vision/board/board_search.h"

// The best views of template matching over the searched part of the picture. The cameras are those of the whole
// picture; what the hint excludes is left out. Returns how many there are, or an error.
int search_oblique_views(struct oblique_view view[OBLIQUE_VIEWS], struct board_search *s,
                         const struct oblique_tuning *t, struct fail *why);

// Refines and judges those views, until one is the board: s->best. Returns 0 or an error.
int search_views(struct board_search *s, const struct oblique_tuning *t, struct fail *why);

// The same, and where that finds none, again in finer maps.
int search_oblique(struct board_search *s, const struct oblique_tuning *t, struct fail *why);

#endif
