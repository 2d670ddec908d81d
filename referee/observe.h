// SPDX-License-Identifier: MIT
// observe.h: what was seen becomes what is known of the game: the only door from vision into the referee.
#ifndef RINGSIDE_REFEREE_OBSERVE_H
#define RINGSIDE_REFEREE_OBSERVE_H

#include "calibration/observation.h"
#include "vision/track/tracker.h"
#include "vision/detection.h"

struct observation observe_happening(const struct happening *h);

enum { OBSERVE_PHOTO_MAX = 2 * MAX_PIECES + 1 };

// A photograph is a position at rest: each piece seen and at rest, with ids 1 .. in the order of the list, then still.
// Returns how many observations there are.
int observe_photo(struct observation out[OBSERVE_PHOTO_MAX], const struct detection_list *pieces);

#endif
