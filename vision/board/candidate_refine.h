// SPDX-License-Identifier: MIT
// candidate_refine.h: a coarse candidate pulled onto the circles that the picture's edges show around it.
#ifndef RINGSIDE_VISION_BOARD_CANDIDATE_REFINE_H
#define RINGSIDE_VISION_BOARD_CANDIDATE_REFINE_H

#include <stdbool.h>

#include "calibration/camera.h"
#include "vision/board/edges.h"
#include "vision/tuning.h"

// Takes the fullest circles of edges around the candidate's centre, whatever their radii, and fits pose, focal length
// and k1 to them (of a known lens only the pose). The unit of length stays the candidate's. Left as it was when the
// edges show no circles. RS_ENOMEM.
int candidate_refine(struct camera *c, const struct edge_list *edges, bool known_lens, const struct board_tuning *t,
                     struct fail *why);

#endif
