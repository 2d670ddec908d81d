// SPDX-License-Identifier: MIT
#include "samples/scene/play.h"

// clang-format off
const struct clip_script clips[] = {
    { "crokinole_a",
      { "crokinole_a", 201, PLAY_CROKINOLE, 960, 540, 14, 30, 0.97, 0.80, -0.04, "bamboo", "charcoal", "cherry", "slate", "ink",
        RAIL_ROUND, "overcast", { "red", "black" }, LAYOUT_PLAY, 0, false, NULL, 0 },
      0, 4,
      { { 0, -1.9, { 0.3, 4.6 }, 55 }, { 1, 1.4, { 0.9, 2.9 }, 75 }, { 0, -1.7, { 0, 0 }, 44 }, { 1, 1.2, { 2.4, 5.2 }, 90 } },
      0, { { 0, 0, 0, 0 } }, 0, { { 0, 0 } }, 0 },
    { "crokinole_b",
      { "crokinole_b", 202, PLAY_CROKINOLE, 960, 540, 27, 200, 0.95, 0.85, -0.06, "cream", "oxblood", "teak", "denim", "brown",
        RAIL_OCTAGON, "window", { "blue", "yellow" }, LAYOUT_PLAY, 0, false, NULL, 0 },
      0, 3,
      { { 0, 0.4, { -3.5, -1.0 }, 52 }, { 1, -2.7, { -5.2, -2.2 }, 70 }, { 0, 0.8, { -12.5, -9 }, 95 } },
      0, { { 0, 0, 0, 0 } }, 0, { { 0, 0 } }, 0 },
    { "marbles_a",
      { "marbles_a", 203, PLAY_MARBLES, 1280, 720, 16, 70, 0.94, 0.78, -0.05, NULL, NULL, NULL, "grey", "white",
        RAIL_NONE, "hall", { "red", "blue" }, LAYOUT_X, 0, false, NULL, 0 },
      13, 2,
      { { 1, -2.2, { 6.2, 6.5 }, 100 }, { 1, 0.9, { -14, 20 }, 90 } },
      0, { { 0, 0, 0, 0 } }, 0, { { 0, 0 } }, 0 },
    { "crokinole_knock",
      { "crokinole_knock", 204, PLAY_CROKINOLE, 960, 540, 18, 110, 0.86, 0.82, -0.05, "ash", "slate", "teak", "linen", "ink",
        RAIL_ROUND, "overcast", { "red", "black" }, LAYOUT_PLAY, 0, false, NULL, 0 },
      0, 3,
      { { 0, -1.4, { 0.4, 3.0 }, 60 }, { 1, 2.1, { -0.6, 2.2 }, 62 }, { 0, 0.3, { 0.6, 2.2 }, 60 } },
      2, { { 2.9, 0.15, 0.3, 0 }, { 6.1, -1.2, 5, 0.03 } }, 0, { { 0, 0 } }, 0 },
    { "crokinole_broadcast",
      { "crokinole_broadcast", 205, PLAY_CROKINOLE, 1280, 720, 63, 265, 1.05, 1.15, -0.03, "cream", "charcoal", "teak", "slate", "ink",
        RAIL_ROUND, "tubes", { "black", "red" }, LAYOUT_PLAY, 0, false, NULL, 0 },
      0, 3,
      { { 0, -1.9, { 1.6, 4.2 }, 50 }, { 1, 1.5, { 3.5, 0.8 }, 55 }, { 0, -1.2, { 0.5, 2.5 }, 60 } },
      0, { { 0, 0, 0, 0 } },
      2, { { 2.6, 3.3 }, { 7.9, 8.8 } }, 5.6 },
};
// clang-format on
const int clips_count = (int)countof(clips);
