// SPDX-License-Identifier: MIT
// boards.h: pictures of boards in any number, for fitting weights and for curves: woods, colours, light and camera by chance.
#ifndef RINGSIDE_SAMPLES_SCENE_BOARDS_H
#define RINGSIDE_SAMPLES_SCENE_BOARDS_H

#include "samples/scene/recipes.h"

// The index-th picture of a seed: FOLDER/board_NNNN.jpg and its truth, from straight above to 80 degrees off the vertical.
// Plain: the same, but with sharp discs and no polish. RS_EIO, RS_ELIB.
int board_write(const char *folder, int index, enum game game, bool plain, uint64_t seed, struct fail *why);

#endif
