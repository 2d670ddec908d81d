// SPDX-License-Identifier: MIT
// picture.h: one still picture with its truth.
#ifndef RINGSIDE_SAMPLES_SCENE_PICTURE_H
#define RINGSIDE_SAMPLES_SCENE_PICTURE_H

#include "samples/scene/recipes.h"

// Writes FOLDER/NAME.jpg and FOLDER/NAME.json. RS_EIO when the folder cannot be written.
int picture_write(const struct recipe *r, const char *folder, struct fail *why);

#endif
