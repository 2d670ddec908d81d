// SPDX-License-Identifier: MIT
// hinted.h: what a person's hint (calibration/board_hint.h) means for the search: where to look, and what is not meant.
#ifndef RINGSIDE_VISION_BOARD_HINTED_H
#define RINGSIDE_VISION_BOARD_HINTED_H

#include "calibration/board_hint.h"
#include "calibration/camera.h"
#include "calibration/ellipse.h"
#include "vision/tuning.h"
#include "vision/frame.h"

// The part of the picture around the hinted box, as high at least as a usual picture of that width so that the ground
// is there, and where it begins. The caller frees *out. RS_ENOMEM.
int hinted_part(struct frame **out, struct pt_px *begins, const struct frame *f, const struct board_hint *hint,
                const struct board_tuning *t, struct fail *why);

// The cameras that see a circle of that radius where the hint's points on its line lie: through this lens, and where
// `afar_in` is not 0 through one as long as it takes from so far off, inches. How many; RS_ENOMEM.
enum { HINTED_CAMERAS = 2 * ELLIPSE_CAMERAS };
int hinted_cameras(struct camera out[HINTED_CAMERAS], const struct board_hint *hint, const struct lens *lens,
                   double radius_in, double afar_in, struct fail *why);

// Whether the board that this camera sees is the one that is meant; else how it lies otherwise, in *why.
bool hinted_is_meant(const struct board_hint *hint, const struct camera *c, double radius_in,
                     const struct board_tuning *t, struct fail *why);

#endif
