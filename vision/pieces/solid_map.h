// SPDX-License-Identifier: MIT
// solid_map.h: where in a picture known solids are seen: pegs, and pieces that are likely there.
#ifndef RINGSIDE_VISION_PIECES_SOLID_MAP_H
#define RINGSIDE_VISION_PIECES_SOLID_MAP_H

#include <stdint.h>

#include "vision/pieces/cylinder.h"
#include "vision/pieces/px_box.h"

struct solid {
    struct pt_in at;
    struct cylinder shape; // that stands on the board
    struct px_box box;     // in which it is laid, with what is beside it
};

// Pixel by pixel the number of the solid that was laid over it last, from 1 on; 0: none.
struct solid_map {
    uint8_t *number;                        // width * height, owned by the map
    int width, height, count, count_before; // -1: there is no time before
    struct solid solid[200], before[200];
};

// Without solids. The caller ends with solid_map_free, which takes one of all zeros too. RS_ENOMEM.
int solid_map_create(struct solid_map *out, int width, int height, struct fail *why);
void solid_map_free(struct solid_map *m);

// One more, as that camera sees it, and so many pixels more on all sides. What there is no room for is forgotten.
void solid_map_add(struct solid_map *m, const struct cylinder *shape, struct pt_in at, const struct camera *c,
                   double beside_px);

// All but the first so many are forgotten; these are laid anew. What was there is the map before, from now on.
void solid_map_keep(struct solid_map *m, int count, const struct camera *c, double beside_px);

// Whether the map shows the same solids as before in all of a box. False too where that is not known.
bool solid_map_as_before(const struct solid_map *m, const struct px_box *box);

#endif
