// SPDX-License-Identifier: MIT
// survey.h: the empty board of a stream, learnt from still frames where nothing is known to lie or to have changed.
#ifndef RINGSIDE_VISION_TRACK_SURVEY_H
#define RINGSIDE_VISION_TRACK_SURVEY_H

#include "vision/board/background.h"
#include "vision/track/gate.h"
#include "vision/track/kept.h"

// Lays the frame over it; the first time, and where the board has other measures than before, it is created (*s is NULL
// or one to be replaced). A ring of marbles has none, *s stays NULL: carpets change under feet, and marbles are hardly
// larger than their loops. RS_EIO, RS_ELIB.
int survey_look(struct background **s, const struct frame *f, const struct board_pose *pose, struct fail *why);

// Takes in the frame looked at last, but for the places of pieces, kept or seen in it, and for what the gate saw change:
// hands, shadows. `s` and `seen` may be NULL. RS_EIO when there is no memory.
int survey_learn(struct background *s, const struct gate *g, const struct kept *kept, int n,
                 const struct detection_list *seen, const struct board_pose *pose, struct fail *why);

#endif
