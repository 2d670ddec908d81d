// SPDX-License-Identifier: MIT
// film.h: a play filmed: NAME.mp4 and its truth NAME.json.
#ifndef RINGSIDE_SAMPLES_SCENE_FILM_H
#define RINGSIDE_SAMPLES_SCENE_FILM_H

#include "calibration/fail.h"
#include "samples/scene/play.h"

// 0, or RS_EIO / RS_ELIB; RS_EINPUT: larger than 1920 x 1080 pixels.
int film_write(const struct clip_script *script, const char *folder, struct fail *why);

#endif
