// SPDX-License-Identifier: MIT
#include "samples/scene/boards.h"

#include <stdio.h>

#include "samples/scene/picture.h"

static const double MOST_TILT_DEG = 80;
static const double LEAST_EDGE_IN = 0.02, MOST_EDGE_IN = 0.10; // of discs of several makers, 1/16 in being usual
static const double POLISHED_SHARE = 0.3;

static const char *one_of(const char *const *names, size_t n, struct chance *c)
{
    return names[chance_below(c, (int)n)];
}

int board_write(const char *folder, int index, enum game game, bool plain, uint64_t seed, struct fail *why)
{
    static const char *const woods[] = { "bamboo", "cherry", "ash", "teak", "cream", "petrol" };
    static const char *const ditches[] = { "petrol", "charcoal", "oxblood", "teak", "wenge", "bamboo", "cherry" };
    static const char *const rails[] = { "wenge", "ash", "oxblood", "teak", "cherry", "bamboo" };
    static const char *const tables[] = { "slate", "linen", "oak", "marble", "gingham", "greyboard", "denim" };
    static const char *const lines[] = { "ink", "cream", "brown", "white", "red" };
    static const char *const lights[] = { "window", "pendant", "tubes", "sun", "overcast", "evening" };
    static const char *const sides[] = { "red",   "black",  "white", "blue",    "yellow",
                                         "green", "orange", "brown", "natural", "purple" };
    char name[32];
    // Neighbouring seeds begin alike: some draws part them.
    struct chance c = { seed * 1000003 + (uint64_t)index };
    for (int i = 0; i < 4; i++)
        chance_unit(&c);
    snprintf(name, sizeof name, "board_%04d", index);
    bool large = chance_unit(&c) < 0.4;
    struct recipe r = { .name = name,
                        .seed = seed * 7919 + (uint64_t)index,
                        .game = game,
                        .width = large ? 1920 : 1280,
                        .height = large ? 1080 : 720,
                        .tilt_deg = chance_between(&c, 0, MOST_TILT_DEG),
                        .azimuth_deg = chance_between(&c, 0, 360),
                        .fill = chance_between(&c, 0.7, 1.1),
                        .f_widths = chance_between(&c, 0.7, 1.7),
                        .k1 = chance_between(&c, -0.08, 0) };
    r.surface = one_of(woods, countof(woods), &c);
    r.ditch = one_of(ditches, countof(ditches), &c);
    r.rail_stuff = one_of(rails, countof(rails), &c);
    r.table = one_of(tables, countof(tables), &c);
    r.line = one_of(lines, countof(lines), &c);
    r.light = one_of(lights, countof(lights), &c);
    r.rail = (enum rail)chance_below(&c, RAIL_NONE + 1);
    int side = chance_below(&c, (int)countof(sides));
    r.sides[0] = sides[side];
    r.sides[1] = sides[(side + 1 + chance_below(&c, (int)countof(sides) - 1)) % (int)countof(sides)];
    r.pieces = 2 + chance_below(&c, 9);
    r.hand = chance_unit(&c) < 0.5;
    r.sleeve = chance_unit(&c) < 0.5 ? r.sides[chance_below(&c, 2)] : one_of(sides, countof(sides), &c);
    r.tips = chance_unit(&c) < 0.5 ? 1 + chance_below(&c, 3) : 0;
    r.layout = chance_unit(&c) < 0.4 ? LAYOUT_NEAR_MISS : LAYOUT_PLAY;
    if (!plain) {
        r.edge_in = chance_between(&c, LEAST_EDGE_IN, MOST_EDGE_IN);
        r.polish = chance_unit(&c) < POLISHED_SHARE ? chance_between(&c, 0.2, 1) : 0;
    }
    return picture_write(&r, folder, why);
}
