// SPDX-License-Identifier: MIT
// truth.h: what is really there, as the JSON file beside a picture or clip.
//
// samples/README.md says what each key means.
#ifndef RINGSIDE_SAMPLES_SCENE_TRUTH_H
#define RINGSIDE_SAMPLES_SCENE_TRUTH_H

#include <jansson.h>

#include "samples/scene/scene.h"

// The zone's word for a piece at `at`, and the signed distance to the nearest boundary that decides (positive inside).
const char *truth_zone(double *margin_in, const struct scene *s, const struct solid *o);

// New references: the caller frees them with json_decref or hands them on.
json_t *truth_camera(const struct scene *s);
json_t *truth_board(const struct scene *s);
json_t *truth_pieces(const struct scene *s); // casts rays to find what is visible
const char *truth_kind(const struct scene *s);

#endif
