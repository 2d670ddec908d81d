// SPDX-License-Identifier: MIT
#include "tests/accuracy/hardship.h"

#include <stdio.h>

const struct hardship hardships[HARDSHIPS] = {
    [HARD_BLUR] = { "blur", "blur, sigma in px", 6, { 0.5, 1, 1.5, 2, 3, 5 } },
    [HARD_NOISE] = { "noise", "noise, sigma in 8-bit steps at mid grey", 6, { 1, 3, 6, 12, 24, 48 } },
    [HARD_JPEG] = { "jpeg", "JPEG quality", 6, { 95, 75, 50, 30, 15, 6 } },
    [HARD_EXPOSURE] = { "exposure", "exposure, stops off", 7, { -5, -4, -3, -2, 0, 1, 2 } },
    [HARD_SIZE] = { "size", "size, % of the picture's full size", 6, { 100, 75, 60, 45, 35, 25 } },
    [HARD_TILT] = { "tilt", "tilt, degrees off the vertical", 6, { 5, 25, 45, 55, 65, 74 } },
    [HARD_HIDDEN] = { "hidden", "hidden, % of the board or ring", 7, { 0, 10, 20, 30, 40, 55, 70 } },
};

const char *const hardship_pictures[HARDSHIP_PICTURES] = { "crokinole_01", "crokinole_03", "marbles_01", "marbles_05" };

void hardship_name(char out[HARDSHIP_NAME_MAX], enum hardship_kind kind, int step, int picture)
{
    snprintf(out, HARDSHIP_NAME_MAX, "%s_%d_%s", hardships[kind].name, step, hardship_pictures[picture]);
}
