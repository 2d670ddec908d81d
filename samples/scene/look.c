// SPDX-License-Identifier: MIT
#include "samples/scene/look.h"

#include "samples/scene/noise.h"
#include "samples/scene/recipes.h"
#include "samples/scene/stuff.h"

// The k-th number of this thing, the same wherever it is looked at.
static double vary(const struct solid *o, int k, double low, double high)
{
    return low + (high - low) * noise_cell(k, 7, o->seed);
}

static int pick(const struct solid *o, int k, int n)
{
    return (int)vary(o, k, 0, n);
}

static bool at_line(double r, double line, double width)
{
    return fabs(r - line) < width / 2;
}

// Distance along the arc from the nearest of n marks, in radii.
static double from_mark(double turn, double r, int n)
{
    return fabs(remainder(turn, 2 * PI / n)) * r;
}

static struct vec clock_colour(const struct solid *o, double x, double y)
{
    double r = hypot(x, y) / o->radius_in, turn = atan2(y, x);
    double hour = fabs(remainder(turn, PI / 6)) * r, minute = fabs(remainder(turn, PI / 30)) * r;
    bool mark = (r > 0.72 && r < 0.86 && hour < 0.02) || (r > 0.81 && r < 0.86 && minute < 0.006);
    double along = x * cos(0.7) + y * sin(0.7), across = fabs(y * cos(0.7) - x * sin(0.7));
    double along2 = x * cos(2.6) + y * sin(2.6), across2 = fabs(y * cos(2.6) - x * sin(2.6));
    bool hands = (along > -0.6 && along < 0.5 * o->radius_in && across < 0.14) ||
                 (along2 > -0.8 && along2 < 0.76 * o->radius_in && across2 < 0.09) || r < 0.05;
    bool rim = r > 0.93 || fabs(r - 0.88) < 0.004;
    return mark || hands || rim ? o->second : o->colour;
}

static struct vec target_colour(const struct solid *o, double x, double y)
{
    double r = hypot(x, y) / o->radius_in;
    int ring = (int)(r * 10);
    bool dark = ring >= 3 && ring < 7;
    bool line = fabs(r * 10 - floor(r * 10 + 0.5)) < 0.03;
    return dark != line ? o->second : o->colour;
}

// One to four upright strokes or a wedge at each hour, as Roman numerals look from afar.
static bool numeral(const struct solid *o, double r, double turn)
{
    double top = vary(o, 20, 0.72, 0.82), hour = remainder(turn, PI / 6), side = hour * r,
           high = (r - top + 0.12) / 0.12;
    int n = 1 + ((int)floor(turn / (PI / 6) + 0.5) + 12) % 4;
    if (high < 0 || high > 1)
        return false;
    if (n == 4)
        return fabs(fabs(side) - 0.045 * high) < 0.01;
    return fabs(remainder(side + 0.0125 * (n % 2 == 0), 0.025)) < 0.007 && fabs(side) < 0.0125 * n;
}

static bool hand_of_clock(const struct solid *o, double x, double y, int k, double length, double width)
{
    double turn = vary(o, k, 0, 2 * PI), along = x * cos(turn) + y * sin(turn), across = y * cos(turn) - x * sin(turn);
    return along > -0.1 && along < length && fabs(across) < width * (1 - 0.6 * along);
}

static struct vec dial_colour(const struct solid *o, double x, double y)
{
    double r = hypot(x, y) / o->radius_in, turn = atan2(y, x), edge = vary(o, 1, 0.9, 0.97), track = edge - 0.09;
    bool thin = pick(o, 2, 2), ink = r > edge || numeral(o, r, turn);
    if (pick(o, 3, 2))
        ink |= at_line(r, track, 0.008) || at_line(r, track + 0.045, 0.008);
    if (pick(o, 4, 3) == 0)
        ink |= at_line(r, vary(o, 5, 0.3, 0.6), 0.008);
    ink |= r > track && r < track + 0.045 && from_mark(turn, r, 60) < (thin ? 0.004 : 0.008);
    ink |= r > track - 0.03 && r < track + 0.045 && from_mark(turn, r, 12) < 0.012;
    ink |= hand_of_clock(o, x / o->radius_in, y / o->radius_in, 6, 0.48, 0.022) ||
           hand_of_clock(o, x / o->radius_in, y / o->radius_in, 7, 0.76, 0.015) || r < 0.035;
    return ink ? o->second : o->colour;
}

static struct vec dish_colour(const struct solid *o, double x, double y)
{
    double r = hypot(x, y) / o->radius_in, turn = atan2(y, x), band = vary(o, 1, 0.8, 0.95);
    bool ink = at_line(r, band, vary(o, 2, 0.006, 0.04));
    if (pick(o, 3, 2))
        ink |= at_line(r, vary(o, 4, 0.55, 0.75), 0.01);
    if (pick(o, 5, 3) == 0)
        ink |= r > 0.76 && r < 0.9 && from_mark(turn, r, 8 + pick(o, 6, 17)) < 0.025;
    struct vec glaze = vec_scale(o->colour, r < 0.62 ? 0.97 : 1);
    return ink ? o->second : glaze;
}

static struct vec cover_colour(const struct solid *o, double x, double y)
{
    double r = hypot(x, y) / o->radius_in, turn = atan2(y, x), pitch = vary(o, 1, 0.06, 0.14) * o->radius_in;
    double outer = vary(o, 2, 0.82, 0.92);
    bool raised = r > 0.96 || at_line(r, outer, 0.03) || at_line(r, vary(o, 3, 0.2, 0.5), 0.03);
    if (pick(o, 4, 2))
        raised |= r < outer && fabs(remainder(x, pitch)) < 0.3 * pitch && fabs(remainder(y, pitch)) < 0.3 * pitch;
    else
        raised |= r < outer && (from_mark(turn, r, 8 + 4 * pick(o, 5, 4)) < 0.02 || ((int)(r * 12) % 2 && r > 0.25));
    bool bolt = hypot(r - 0.7, from_mark(turn, 0.7, 4 + 2 * pick(o, 6, 2))) < 0.04;
    double rust = 0.7 + 0.6 * noise_layers(x * 0.7, y * 0.7, 3, o->seed);
    return vec_scale(bolt || !raised ? o->second : o->colour, rust);
}

static struct vec zones_colour(const struct solid *o, double x, double y)
{
    static const char *const field[] = { "yellow", "red", "blue", "black", "white" };
    double r = hypot(x, y) / o->radius_in, line = vary(o, 1, 0.005, 0.014);
    int style = pick(o, 2, 4), rings = style == 0 ? 10 : 3 + pick(o, 3, 8), ring = (int)fmin(r * rings, rings - 1);
    bool ruled = fabs(remainder(r, 1.0 / rings)) < line / 2 && r > 0.5 / rings;
    if (style == 0)
        return ruled ? palette_colour(ring == 7 ? "white" : "ink") : palette_colour(field[ring / 2]);
    if (style == 1)
        return ring % 2 ? o->second : o->colour;
    bool black = style == 3 && r < vary(o, 4, 0.2, 0.6), crossed = pick(o, 5, 3) == 0 && fmin(fabs(x), fabs(y)) < 0.04;
    return black != (ruled || crossed) ? o->second : o->colour;
}

static struct vec darts_colour(const struct solid *o, double x, double y)
{
    double r = hypot(x, y) / o->radius_in / 0.76, turn = atan2(y, x) + vary(o, 1, 0, 1);
    bool odd = (int)floor(turn / (PI / 10) + 40) % 2;
    struct vec red = palette_colour("red"), green = palette_colour("green"), wire = { 0.4, 0.4, 0.4 };
    bool wired = from_mark(turn, r, 20) < 0.006 && r > 0.094 && r < 1;
    const double rings[] = { 0.037, 0.094, 0.582, 0.629, 0.953, 1 };
    for (size_t i = 0; i < countof(rings); i++)
        wired |= at_line(r, rings[i], 0.01);
    if (wired)
        return wire;
    if (r > 1) {
        bool number = r > 1.1 && r < 1.22 && from_mark(turn + PI / 20, r, 20) < 0.05 &&
                      noise_cell((int)(r * 40), (int)(turn * 30), o->seed) < 0.6;
        return palette_colour(number ? "white" : "black");
    }
    bool bull = r < 0.094, narrow = (r > 0.582 && r < 0.629) || r > 0.953;
    if (bull)
        return r < 0.037 ? red : green;
    if (narrow)
        return odd ? red : green;
    return odd ? o->second : o->colour;
}

static struct vec woven(const struct solid *o, struct vec colour, double x, double y)
{
    struct stuff m = { CARPET, colour, vec_scale(colour, 0.35), vary(o, 30, 0.2, 0.4), 0.3, 0, o->seed };
    return stuff_colour(&m, x, y);
}

static struct vec rug_colour(const struct solid *o, double x, double y)
{
    double r = hypot(x, y) / o->radius_in, turn = atan2(y, x), edge = 1;
    int bands = 2 + pick(o, 1, 6), band = 0;
    for (; band < bands && r < edge; band++)
        edge -= vary(o, 2 + band, 0.03, band % 2 ? 0.25 : 0.1);
    struct vec middle = vec_mix(o->colour, o->second, vary(o, 10, 0.2, 0.8));
    struct vec colour = band % 3 == 0 ? middle : band % 3 == 1 ? o->colour : o->second;
    if (pick(o, 11, 3) == 0 && band % 3 == 2 && from_mark(turn, r, 16 + pick(o, 12, 16)) < 0.02)
        colour = o->colour;
    return woven(o, colour, x, y);
}

// A carpet of one ornament over and over: rings in rings, lozenges or stripes.
static struct vec pattern_colour(const struct solid *o, double x, double y)
{
    double pitch = vary(o, 1, 3, 12), u = remainder(x, pitch) / pitch, v = remainder(y, pitch) / pitch;
    double r = hypot(u, v), step = vary(o, 2, 0.06, 0.2);
    int style = pick(o, 3, 3);
    bool ink = style == 0   ? (int)(r / step) % 2 == 1 && r < 0.45
               : style == 1 ? (int)((fabs(u) + fabs(v)) / step) % 2 == 1
                            : fabs(u) < step || fabs(remainder(u, 0.25)) < 0.03;
    return woven(o, ink ? o->second : o->colour, x, y);
}

static struct vec tabletop_colour(const struct solid *o, double x, double y)
{
    static const char *const woods[] = { "bamboo", "cherry", "ash", "teak" };
    struct stuff m = palette_stuff(woods[pick(o, 1, 4)]);
    double r = hypot(x, y) / o->radius_in, inlay = vary(o, 2, 0.8, 0.95);
    m.seed = o->seed;
    if (r > 0.985 || (pick(o, 3, 2) && at_line(r, inlay, vary(o, 4, 0.01, 0.04))))
        return vec_scale(m.dark, 0.6);
    return stuff_colour(&m, x, y);
}

static struct vec record_colour(const struct solid *o, double x, double y)
{
    double r = hypot(x, y) / o->radius_in, label = vary(o, 1, 0.3, 0.36), turn = atan2(y, x);
    if (r < 0.024)
        return palette_colour("natural");
    if (r < label) {
        bool print = at_line(r, 0.9 * label, 0.006) || (fabs(remainder(y, 0.3)) < 0.06 && fabs(y) > 0.4 &&
                                                        noise_cell((int)(x * 5), (int)(y * 3), o->seed) < 0.5);
        return print ? o->second : o->colour;
    }
    double gap = 0.42;
    bool smooth = r < 0.42 || r > 0.98;
    for (int k = 0; k < 7; k++)
        smooth |= at_line(r, gap += vary(o, 2 + k, 0.04, 0.14), 0.007);
    // Light stands in the grooves as two fans.
    double fan = pow(fabs(cos(turn - vary(o, 12, 0, 3))), 24),
           groove = smooth ? 0.4 : 0.6 + 0.4 * noise_smooth(r * 160, 0, o->seed);
    double light = 0.012 + 0.09 * fan * groove + (smooth ? 0.02 : 0.004 * groove);
    return (struct vec){ light, light, light };
}

static struct vec wheel_colour(const struct solid *o, double x, double y)
{
    double r = hypot(x, y) / o->radius_in, turn = atan2(y, x), lip = vary(o, 1, 0.66, 0.78);
    int spokes = 5 + pick(o, 2, 7);
    struct vec rubber = { 0.03, 0.03, 0.032 }, dark = { 0.015, 0.015, 0.015 };
    if (r > lip)
        return at_line(r, 0.93, 0.008) || (r > 0.95 && from_mark(turn, r, 60) < 0.012) ? dark : rubber;
    bool metal = r > lip - 0.05 || r < 0.2 || from_mark(turn, 1, spokes) * r < vary(o, 3, 0.04, 0.09);
    bool bolt = hypot(r - 0.13, from_mark(turn, 0.13, 5)) < 0.025 || at_line(r, 0.07, 0.01);
    return bolt || !metal ? dark : vec_scale(o->colour, 0.85 + 0.15 * cos(turn));
}

static struct vec spiral_colour(const struct solid *o, double x, double y)
{
    double r = hypot(x, y) / o->radius_in, turns = vary(o, 1, 3, 9), ahead = r * turns - atan2(y, x) / (2 * PI);
    double share = pick(o, 2, 2) ? 0.5 : 0.12;
    return ahead - floor(ahead) < share && r < 0.97 ? o->second : o->colour;
}

static struct vec coin_colour(const struct solid *o, double x, double y)
{
    double r = hypot(x, y) / o->radius_in, turn = atan2(y, x);
    bool two_metals = pick(o, 1, 2) && r > 0.72;
    bool relief = r > 0.94 || (r > 0.86 && r < 0.9 && from_mark(turn, r, 60) < 0.02);
    relief |= r < 0.6 && noise_layers(x * 3 / o->radius_in, y * 3 / o->radius_in, 2, o->seed) > 0.55;
    relief |= r > 0.74 && r < 0.84 && noise_cell((int)(turn * 14), 2, o->seed) < 0.5 && from_mark(turn, r, 44) < 0.04;
    return vec_scale(two_metals ? o->second : o->colour, relief ? 1 : 0.7);
}

static struct vec grate_colour(const struct solid *o, double x, double y)
{
    double r = hypot(x, y) / o->radius_in, turn = atan2(y, x), within = r * (4 + pick(o, 1, 6));
    bool bar = from_mark(turn, r, 4 * (1 + pick(o, 2, 4))) < 0.03 || within - floor(within) < vary(o, 3, 0.25, 0.6);
    return r > 0.95 || r < 0.1 || bar ? o->colour : o->second;
}

// Circles and lines of a sports hall: a ring in a ring, and the line between the halves through both.
static struct vec court_colour(const struct solid *o, double x, double y)
{
    struct stuff m = palette_stuff(pick(o, 1, 2) ? "oak" : "ash");
    double r = hypot(x, y) / (0.4 * o->radius_in), line = vary(o, 2, 0.02, 0.04), inner = vary(o, 3, 0.3, 0.45);
    bool ink = at_line(r, 1, line) || at_line(r, inner, line) || fabs(y) < line * 0.2 * o->radius_in;
    if (pick(o, 4, 2) && r < inner)
        return palette_colour("red");
    return ink ? o->second : stuff_colour(&m, x, y);
}

static bool printed(const struct solid *o, double x, double y)
{
    double r = hypot(x, y), turn = atan2(y, x), line = 0.012;
    switch (pick(o, 1, 4)) {
    case 0: // polar paper
        return (fabs(remainder(r, 0.1)) < line / 2 || (from_mark(turn, r, 24) < line / 2 && r > 0.1)) && r < 0.61;
    case 1: // five rings that overlap
        for (int k = 0; k < 5; k++)
            if (at_line(hypot(x - 0.23 * (k - 2), y - (k % 2 ? -0.11 : 0.11)), 0.2, 0.025))
                return true;
        return false;
    case 2: // a few circles and lines of text below
        return at_line(r, 0.2, line) || at_line(r, 0.35, line) || at_line(r, 0.38, line) || at_line(r, 0.6, line) ||
               (y < -0.66 && fabs(remainder(y, 0.04)) < 0.01 &&
                noise_cell((int)(x * 50), (int)(y * 25), o->seed) < 0.7);
    default: // rows of circles
        return at_line(hypot(remainder(x, 0.3), remainder(y, 0.3)), 0.12, line);
    }
}

static struct vec sheet_colour(const struct solid *o, double x, double y)
{
    double turn = vary(o, 2, -0.4, 0.4), c = cos(turn), s = sin(turn), half = 0.5 * o->radius_in;
    double u = (c * x + s * y) / half, v = (c * y - s * x) / half;
    if (fabs(u) > 0.75 || fabs(v) > 0.95) {
        struct stuff m = palette_stuff(pick(o, 3, 2) ? "oak" : "slate");
        return stuff_colour(&m, x, y);
    }
    return printed(o, u, v) ? o->second : palette_colour("white");
}

// Years around two branches, pushed about by the wood between them.
static struct vec knots_colour(const struct solid *o, double x, double y)
{
    struct stuff m = palette_stuff(pick(o, 1, 2) ? "bamboo" : "ash");
    double wide = vary(o, 2, 1.2, 2), a = hypot(x * wide, y), b = hypot((x - 14) * wide, y + 6);
    double near = fmin(a, b), bend = noise_layers(x * 0.3, y * 0.3, 3, o->seed);
    double years = sin(2 * PI * (near / vary(o, 3, 0.4, 1.2) + 2 * bend) + near * near * 0.01);
    double tone = 0.35 + 0.3 * years + 0.4 * ramp(2.5, 0.5, near) + 0.2 * noise_smooth(x * 8, y * 2, o->seed);
    return vec_mix(m.light, m.dark, fmax(0, fmin(1, tone)));
}

// Cooking fields on dark glass, two rings each, one field with a cross of marks.
static struct vec hob_colour(const struct solid *o, double x, double y)
{
    double u = x / o->radius_in, v = y / o->radius_in, mirror_u = fabs(u) - 0.28, mirror_v = fabs(v) - 0.28;
    double r = hypot(mirror_u, mirror_v), field = (u > 0) != (v > 0) ? 0.24 : 0.19,
           inner = vary(o, 1, 0.45, 0.75) * field;
    if (fmax(fabs(u), fabs(v)) > 0.62) {
        struct stuff m = palette_stuff("marble");
        return stuff_colour(&m, x, y);
    }
    bool ink = at_line(r, field, 0.006) || at_line(r, inner, 0.006);
    ink |= pick(o, 2, 2) && fmin(fabs(mirror_u), fabs(mirror_v)) < 0.003 && r < 0.06;
    return ink ? o->second : o->colour;
}

// A turned lid: grooves of the lathe, a rim, a knob.
static struct vec lid_colour(const struct solid *o, double x, double y)
{
    double r = hypot(x, y) / o->radius_in, turned = noise_smooth(r * 60, 0, o->seed);
    bool groove = at_line(r, vary(o, 1, 0.85, 0.92), 0.02) || at_line(r, vary(o, 2, 0.45, 0.7), 0.015);
    if (r < vary(o, 3, 0.1, 0.16))
        return o->second;
    return vec_scale(o->colour, (groove ? 0.5 : 0.85) + 0.2 * turned);
}

static const struct {
    struct vec (*colour)(const struct solid *o, double x, double y);
    double gloss, rough;
} looks[] = {
    [LOOK_WOOD] = { NULL, 0.45, 0.16 },
    [LOOK_PLAIN] = { NULL, 0.45, 0.16 },
    [LOOK_SWIRL] = { NULL, 0.45, 0.16 },
    [LOOK_GLASS] = { NULL, 0.45, 0.16 },
    [LOOK_CLOCK] = { clock_colour, 0.45, 0.16 },
    [LOOK_PLATE] = { NULL, 0.9, 0.05 },
    [LOOK_TARGET] = { target_colour, 0.45, 0.16 },
    [LOOK_DIAL] = { dial_colour, 0.3, 0.16 },
    [LOOK_DISH] = { dish_colour, 0.9, 0.05 },
    [LOOK_COVER] = { cover_colour, 0.2, 0.3 },
    [LOOK_ZONES] = { zones_colour, 0.1, 0.2 },
    [LOOK_DARTS] = { darts_colour, 0.1, 0.2 },
    [LOOK_RUG] = { rug_colour, 0, 0 },
    [LOOK_PATTERN] = { pattern_colour, 0, 0 },
    [LOOK_TABLETOP] = { tabletop_colour, 0.6, 0.1 },
    [LOOK_RECORD] = { record_colour, 0.6, 0.1 },
    [LOOK_WHEEL] = { wheel_colour, 0.3, 0.2 },
    [LOOK_SPIRAL] = { spiral_colour, 0.1, 0.2 },
    [LOOK_COIN] = { coin_colour, 0.7, 0.15 },
    [LOOK_GRATE] = { grate_colour, 0.3, 0.2 },
    [LOOK_COURT] = { court_colour, 0.5, 0.1 },
    [LOOK_SHEET] = { sheet_colour, 0.05, 0.2 },
    [LOOK_KNOTS] = { knots_colour, 0.5, 0.1 },
    [LOOK_HOB] = { hob_colour, 0.9, 0.05 },
    [LOOK_LID] = { lid_colour, 0.8, 0.15 },
};

struct vec look_colour(const struct solid *o, double x, double y)
{
    return looks[o->look].colour ? looks[o->look].colour(o, x, y) : o->colour;
}

void look_gloss(double *gloss, double *rough, const struct solid *o)
{
    bool marble = o->shape == SHAPE_MARBLE;
    *gloss = marble ? 1 : looks[o->look].gloss;
    *rough = marble ? 0.03 : looks[o->look].rough;
}
