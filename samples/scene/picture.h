// SPDX-License-Identifier: MIT
// picture.h: one still picture with its truth.
#ifndef RINGSIDE_SAMPLES_SCENE_PICTURE_H
#define RINGSIDE_SAMPLES_SCENE_PICTURE_H

#include "samples/scene/recipes.h"

// The scene as its camera takes it, as a JPEG; the same seed gives the same light and noise. RS_EIO, RS_ELIB.
int picture_render(const char *path, const struct scene *s, uint64_t seed, struct fail *why);

// Writes FOLDER/NAME.jpg and FOLDER/NAME.json. RS_EIO when the folder cannot be written.
int picture_write(const struct recipe *r, const char *folder, struct fail *why);

#endif
