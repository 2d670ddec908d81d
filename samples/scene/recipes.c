// SPDX-License-Identifier: MIT
#include "samples/scene/recipes.h"

// clang-format off
const struct recipe recipes[] = {
    // name       seed game           size        tilt az   fill  f    k1     surface    ditch       rail        table      line    rail          light       sides                  layout      n  hand
    { "crokinole_01", 101, PLAY_CROKINOLE, 1280,  720,  4,  30, 0.97, 0.80, -0.03, "bamboo",  "petrol",   "wenge",    "slate",   "ink",    RAIL_ROUND,   "window",   { "red", "black" },     LAYOUT_PLAY, 7, false , NULL, 0, 0, 0 },
    { "crokinole_02", 102, PLAY_CROKINOLE, 1920, 1080, 12, 250, 0.95, 0.75, -0.08, "cherry",  "charcoal", "ash",      "linen",   "cream",  RAIL_OCTAGON, "pendant",  { "white", "black" },   LAYOUT_PLAY, 8, false , NULL, 0, 0, 0 },
    { "crokinole_03", 103, PLAY_CROKINOLE, 1280,  720, 20, 110, 0.93, 0.95, -0.05, "cream",   "oxblood",  "oxblood",  "oak",     "brown",  RAIL_ROUND,   "tubes",    { "blue", "yellow" },   LAYOUT_PLAY, 9, false , NULL, 0, 0, 0 },
    { "crokinole_04", 104, PLAY_CROKINOLE, 1920, 1080, 24, 300, 0.98, 0.70, -0.10, "ash",     "teak",     "teak",     "marble",  "ink",    RAIL_OCTAGON, "sun",      { "green", "orange" },  LAYOUT_PLAY, 6, true  , NULL, 0, 0, 0 },
    { "crokinole_05", 105, PLAY_CROKINOLE, 1280,  720, 29, 190, 0.96, 0.85, -0.04, "teak",    "wenge",    "cherry",   "gingham", "white",  RAIL_ROUND,   "overcast", { "natural", "black" }, LAYOUT_PLAY, 8, false , NULL, 0, 0, 0 },
    { "crokinole_06", 106, PLAY_CROKINOLE, 1280,  720,  9,  60, 0.92, 0.78, -0.02, "petrol",  "bamboo",   "bamboo",   "greyboard", "cream", RAIL_NONE,   "overcast", { "white", "red" },     LAYOUT_PLAY, 6, false , NULL, 0, 0, 0 },
    { "crokinole_07", 107, PLAY_CROKINOLE, 1920, 1080, 33, 150, 0.95, 0.90, -0.06, "bamboo",  "charcoal", "cherry",   "denim",   "brown",  RAIL_ROUND,   "evening",  { "purple", "natural" }, LAYOUT_PLAY, 7, false , NULL, 0, 0, 0 },
    { "crokinole_08", 108, PLAY_CROKINOLE, 1280,  720, 16,  80, 0.95, 0.82, -0.07, "ash",     "cherry",   "wenge",    "oak",     "red",    RAIL_OCTAGON, "window",   { "brown", "white" },   LAYOUT_PLAY, 5, true  , NULL, 0, 0, 0 },
    { "crokinole_09", 109, PLAY_CROKINOLE, 1280,  720, 43, 215, 0.93, 0.88, -0.05, "cream",   "teak",     "ash",      "slate",   "ink",    RAIL_ROUND,   "tubes",    { "red", "blue" },      LAYOUT_PLAY, 6, false , NULL, 0, 0, 0 },
    { "crokinole_10", 110, PLAY_CROKINOLE, 1920, 1080, 52, 340, 0.90, 0.92, -0.06, "cherry",  "bamboo",   "bamboo",   "linen",   "white",  RAIL_ROUND,   "window",   { "yellow", "black" },  LAYOUT_PLAY, 7, false , NULL, 0, 0, 0 },

    { "table_01",     171, PLAY_CROKINOLE, 1280,  720, 60, 255, 1.10, 1.10, -0.03, "cream",   "wenge",    "teak",     "greyboard", "ink",  RAIL_ROUND,   "tubes",    { "black", "red" },     LAYOUT_PLAY, 3, false , NULL, 0, 0, 0 },
    { "table_02",     172, PLAY_CROKINOLE, 1280,  720, 68,  20, 1.05, 1.30, -0.02, "ash",     "charcoal", "wenge",    "slate",   "brown",  RAIL_ROUND,   "overcast", { "green", "natural" }, LAYOUT_PLAY, 2, true  , NULL, 0, 0, 0 },
    { "table_03",     173, PLAY_CROKINOLE, 1280,  720, 73, 140, 1.10, 1.25, -0.02, "bamboo",  "teak",     "bamboo",   "linen",   "ink",    RAIL_OCTAGON, "pendant",  { "white", "black" },   LAYOUT_PLAY, 2, false , NULL, 0, 0, 0 },
    { "table_04",     174, PLAY_CROKINOLE, 1280,  720, 77, 310, 1.15, 1.60, -0.01, "cream",   "oxblood",  "wenge",    "oak",     "ink",    RAIL_ROUND,   "window",   { "blue", "red" },      LAYOUT_PLAY, 2, true  , NULL, 0, 0, 0 },
    { "table_05",     175, PLAY_CROKINOLE, 1280,  720, 71, 200, 1.10, 1.40, -0.02, "ash",     "charcoal", "teak",     "slate",   "ink",    RAIL_ROUND,   "tubes",    { "red", "black" },     LAYOUT_NEAR_MISS, 2, false , NULL, 0, 0, 0 },
    { "table_06",     176, PLAY_CROKINOLE, 1280,  720, 75,  80, 1.10, 1.50, -0.02, "cream",   "petrol",   "wenge",    "oak",     "brown",  RAIL_ROUND,   "window",   { "black", "green" },   LAYOUT_NEAR_MISS, 1, true  , NULL, 0, 0, 0 },

    { "rings_01",     121, PLAY_RINGS,     1280,  720, 10,  20, 0.95, 0.80, -0.04, "cream",   "cherry",   "cherry",   "denim",   "ink",    RAIL_OCTAGON, "overcast", { "red", "green" },     LAYOUT_PLAY, 6, false , NULL, 0, 0, 0 },
    { "rings_02",     122, PLAY_RINGS,     1920, 1080, 22, 280, 0.95, 0.85, -0.07, "teak",    "charcoal", "wenge",    "marble",  "cream",  RAIL_ROUND,   "tubes",    { "white", "yellow" },  LAYOUT_PLAY, 7, false , NULL, 0, 0, 0 },
    { "rings_03",     123, PLAY_RINGS,     1280,  720, 31, 135, 0.93, 0.78, -0.03, "bamboo",  "oxblood",  "ash",      "slate",   "ink",    RAIL_ROUND,   "window",   { "blue", "red" },      LAYOUT_PLAY, 5, false , NULL, 0, 0, 0 },

    { "marbles_01",   141, PLAY_MARBLES,   1920, 1080,  8,  40, 0.94, 0.80, -0.05, NULL, NULL, NULL, "grey",     "white",  RAIL_NONE, "hall",     { "red", "blue" },     LAYOUT_X,      13, false , NULL, 0, 0, 0 },
    { "marbles_02",   142, PLAY_MARBLES,   2560, 1440, 18, 200, 0.94, 0.75, -0.07, NULL, NULL, NULL, "berber",   "black",  RAIL_NONE, "overcast", { "green", "orange" }, LAYOUT_SPREAD, 11, false , NULL, 0, 0, 0 },
    { "marbles_03",   143, PLAY_MARBLES,   1920, 1080, 26, 310, 0.94, 0.85, -0.04, NULL, NULL, NULL, "navy",     "yellow", RAIL_NONE, "spot",     { "white", "red" },    LAYOUT_LINE,   10, false , NULL, 0, 0, 0 },
    { "marbles_04",   144, PLAY_MARBLES,   2560, 1440, 32, 100, 0.92, 0.78, -0.08, NULL, NULL, NULL, "burgundy", "cream",  RAIL_NONE, "hall",     { "yellow", "white" }, LAYOUT_SPREAD, 9, false , NULL, 0, 0, 0 },
    { "marbles_05",   145, PLAY_MARBLES,   1920, 1080, 14, 160, 0.95, 0.82, -0.03, NULL, NULL, NULL, "moss",     "white",  RAIL_NONE, "spot",     { "blue", "yellow" },  LAYOUT_LINE,   12, false , NULL, 0, 0, 0 },
    { "marbles_06",   146, PLAY_MARBLES,   1920, 1080, 46, 250, 0.88, 0.90, -0.05, NULL, NULL, NULL, "grey",     "red",    RAIL_NONE, "overcast", { "purple", "white" }, LAYOUT_X,      13, false , NULL, 0, 0, 0 },

    { "none_clock",   161, PLAY_NONE,      1280,  720, 15,  70, 0.95, 0.80, -0.04, NULL, NULL, NULL, "oak",     NULL, RAIL_NONE, "window",  { NULL, NULL }, LAYOUT_CLOCK,   1, false , NULL, 0, 0, 0 },
    { "none_plates",  162, PLAY_NONE,      1280,  720, 28, 210, 0.95, 0.80, -0.04, NULL, NULL, NULL, "gingham", NULL, RAIL_NONE, "pendant", { NULL, NULL }, LAYOUT_PLATES,  5, false , NULL, 0, 0, 0 },
    { "none_targets", 163, PLAY_NONE,      1280,  720, 22, 320, 0.95, 0.80, -0.04, NULL, NULL, NULL, "slate",   NULL, RAIL_NONE, "tubes",   { NULL, NULL }, LAYOUT_TARGETS, 3, false , NULL, 0, 0, 0 },
    { "none_carpet",  164, PLAY_NONE,      1280,  720, 20,  20, 0.95, 0.80, -0.04, NULL, NULL, NULL, "berber",  NULL, RAIL_NONE, "hall",    { NULL, NULL }, LAYOUT_BARE,    0, false , NULL, 0, 0, 0 },
};
// clang-format on
const int recipes_count = (int)countof(recipes);
