// SPDX-License-Identifier: MIT
#include "samples/scene/nothing.h"

#include <stdio.h>
#include <stdlib.h>

#include "samples/scene/picture.h"
#include "samples/scene/truth.h"

enum { NAMES = 4, RAYS = 2, PATH_MAX_BYTES = 512 };
static const double MIDDLE_IN = 2;    // how far the main thing may lie beside the middle
static const double REACH_IN = 30;    // beyond it nothing is looked at
static const double STAGE_IN = 16;    // radius that a stage without a board is framed for
static const double LEAST_IN = 6;     // smaller things are looked at with their surroundings
static const double ORNAMENT_IN = 14; // radius of the largest circle on things that cover the picture
static const double COVERING_IN = 33; // as far as the scene's grid of solids reaches

struct family {
    const char *name;
    enum look look;
    double least_in, most_in, high_in; // radius and height of the things
    int most;                          // how many things, at most
    bool stacked;                      // smaller ones may stand on the main one
    bool cluttered;                    // cups, lids and coins about
    const char *ground[NAMES], *colour[NAMES], *second[NAMES];
};

// clang-format off
static const struct family families[] = {
    { "clocks",   LOOK_DIAL,     7, 14,         1.0,  1, false, false, { "oak", "cream", "slate" },          { "white", "cream", "black" },            { "ink", "brown", "red" } },
    { "plates",   LOOK_DISH,     4, 8,          0.6,  4, true,  false, { "gingham", "linen", "oak" },        { "white", "cream", "blue" },             { "blue", "ink", "red" } },
    { "covers",   LOOK_COVER,    9, 14,         0.05, 1, false, false, { "slate", "greyboard", "charcoal" }, { "brown", "ink", "natural" },            { "black", "black", "brown" } },
    { "targets",  LOOK_ZONES,    6, 13,         0.03, 3, false, false, { "slate", "bamboo", "cream" },       { "white", "cream", "yellow" },           { "ink", "red", "blue" } },
    { "darts",    LOOK_DARTS,    9, 13,         0.8,  1, false, false, { "cream", "greyboard", "petrol" },   { "cream", "white", "natural" },          { "black", "black", "ink" } },
    { "rugs",     LOOK_RUG,      9, 15,         0.3,  2, false, false, { "oak", "greyboard", "grey" },       { "cream", "red", "blue" },               { "brown", "black", "white" } },
    { "carpets",  LOOK_PLAIN,    1, 2,          1.5,  4, false, false, { "berber", "moss", "navy" },         { "red", "green", "white" },              { "ink" } },
    { "patterns", LOOK_PATTERN,  COVERING_IN, COVERING_IN, 0.02, 1, false, false, { "grey" },                { "cream", "red", "blue" },               { "brown", "black", "white" } },
    { "tables",   LOOK_TABLETOP, 11, 15,        0.6,  1, false, true,  { "berber", "slate", "grey" },        { "natural" },                            { "ink" } },
    { "clutter",  LOOK_DISH,     2, 5,          0.4,  3, true,  true,  { "oak", "marble", "denim" },         { "cream", "green", "natural" },          { "ink", "brown", "white" } },
    { "records",  LOOK_RECORD,   6, 13,         0.05, 2, false, false, { "oak", "linen", "charcoal" },       { "red", "yellow", "blue" },              { "ink", "black", "white" } },
    { "wheels",   LOOK_WHEEL,    9, 14,         2.0,  1, false, false, { "slate", "greyboard", "charcoal" }, { "white", "ink", "cream" },              { "ink" } },
    { "spirals",  LOOK_SPIRAL,   7, 14,         0.03, 2, false, false, { "slate", "linen", "cream" },        { "white", "yellow", "cream" },           { "ink", "red", "purple" } },
    { "coins",    LOOK_COIN,     3, 6,          0.4,  6, true,  false, { "denim", "oak", "marble" },         { "orange", "natural", "yellow" },        { "white", "brown", "cream" } },
    { "grates",   LOOK_GRATE,    8, 14,         0.1,  1, false, false, { "marble", "slate", "petrol" },      { "white", "natural", "ink" },            { "black", "ink", "black" } },
    { "courts",   LOOK_COURT,    COVERING_IN, COVERING_IN, 0.02, 1, false, false, { "oak" },                 { "natural" },                            { "white", "ink", "blue" } },
    { "sheets",   LOOK_SHEET,    COVERING_IN, COVERING_IN, 0.02, 1, false, false, { "oak" },                 { "white" },                              { "ink", "blue", "red" } },
    { "knots",    LOOK_KNOTS,    COVERING_IN, COVERING_IN, 0.02, 1, false, false, { "oak" },                 { "natural" },                            { "ink" } },
    { "hobs",     LOOK_HOB,      26, COVERING_IN, 0.02, 1, false, false, { "marble" },                       { "black", "ink" },                       { "white", "red", "cream" } },
    { "lids",     LOOK_LID,      5, 11,         0.8,  3, true,  false, { "linen", "marble", "oak" },         { "white", "natural", "ink" },            { "black", "red", "ink" } },
};
// clang-format on

int nothing_families(void)
{
    return (int)countof(families);
}

const char *nothing_family(int i)
{
    return families[i].name;
}

static const char *one_of(const char *const *names, struct chance *c)
{
    int n = 0;
    while (n < NAMES && names[n])
        n++;
    return names[chance_below(c, n)];
}

static struct solid thing(const struct family *f, enum look look, struct vec at, double radius_in, struct chance *c)
{
    return (struct solid){ .shape = SHAPE_DISC,
                           .look = look,
                           .at = at,
                           .radius_in = radius_in,
                           .height_in = f->high_in,
                           .colour = vec_scale(palette_colour(one_of(f->colour, c)), chance_between(c, 0.8, 1.1)),
                           .second = palette_colour(one_of(f->second, c)),
                           .seed = 1 + (uint32_t)chance_below(c, 1000000) };
}

// On the floor beside the others or, where it finds one below itself, on top of it. False when there is no room.
static bool put_down(struct scene *s, struct solid *o)
{
    for (int i = 0; i < s->solids; i++) {
        const struct solid *other = &s->solid[i];
        double far_in = hypot(o->at.x - other->at.x, o->at.y - other->at.y), top = other->at.z + other->height_in;
        if (far_in + o->radius_in < other->radius_in)
            o->at.z = fmax(o->at.z, top);
        else if (far_in < o->radius_in + other->radius_in && o->at.z < top)
            return false;
    }
    s->solid[s->solids++] = *o;
    return true;
}

static void lay_about(struct scene *s, const struct family *f, struct chance *c)
{
    for (int wanted = f->most > 1 ? chance_below(c, f->most) : 0, tries = 0; wanted > 0 && tries < 60; tries++) {
        double r = chance_between(c, f->least_in, REACH_IN - f->most_in), turn = chance_between(c, 0, 2 * PI);
        struct solid o = thing(f, f->look, (struct vec){ r * cos(turn), r * sin(turn), 0 },
                               chance_between(c, f->least_in, f->most_in), c);
        wanted -= put_down(s, &o);
    }
}

static void stack(struct scene *s, const struct family *f, struct chance *c)
{
    for (int k = chance_below(c, 4); k > 0; k--) {
        const struct solid *below = &s->solid[0];
        struct solid o = thing(f, f->look, below->at, below->radius_in * chance_between(c, 0.4, 0.95), c);
        put_down(s, &o);
    }
}

static void clutter(struct scene *s, const struct family *f, struct chance *c)
{
    static const enum look looks[] = { LOOK_DISH, LOOK_LID, LOOK_COIN, LOOK_RUG };
    for (int k = 3 + chance_below(c, 8); k > 0; k--) {
        bool cup = chance_below(c, 3) == 0;
        struct vec at = { chance_between(c, -14, 14), chance_between(c, -12, 12), 0 };
        struct solid o = thing(f, cup ? LOOK_PLAIN : looks[chance_below(c, 4)], at, chance_between(c, 1, 4), c);
        if (cup) {
            o.shape = SHAPE_RING;
            o.radius_in = chance_between(c, 1.3, 1.9);
            o.hole_in = o.radius_in - 0.2;
            o.height_in = chance_between(c, 2.5, 4.5);
        }
        put_down(s, &o);
    }
}

static void lay(struct scene *s, const struct family *f, double radius_in, struct chance *c)
{
    struct vec middle = { chance_between(c, -MIDDLE_IN, MIDDLE_IN), chance_between(c, -MIDDLE_IN, MIDDLE_IN), 0 };
    s->solid[s->solids++] = thing(f, f->look, middle, radius_in, c);
    if (f->stacked && chance_below(c, 2))
        stack(s, f, c);
    lay_about(s, f, c);
    if (f->cluttered)
        clutter(s, f, c);
    s->pieces = s->solids;
}

static int write_family(const char *path, const char *image, const struct scene *s, const struct family *f,
                        uint64_t seed, struct fail *why)
{
    json_t *truth = json_pack("{ss ss ss sI so sn s[]}", "image", image, "kind", truth_kind(s), "family", f->name,
                              "seed", (json_int_t)seed, "camera", truth_camera(s), "board", "pieces");
    int rc = json_dump_file(truth, path, JSON_INDENT(1) | JSON_REAL_PRECISION(10)) == 0
                 ? 0
                 : rs_fail(why, RS_EIO, "%s: cannot write it", path);
    json_decref(truth);
    return rc;
}

// From near the vertical to 60 degrees off it, the main thing half as high as the picture or cut off by its edge.
static void stage(struct scene *s, const struct family *f, int width, uint64_t seed, struct chance *c)
{
    static const char *const lights[] = { "window", "pendant", "tubes", "sun", "overcast", "evening", "hall", "spot" };
    double radius_in = chance_between(c, f->least_in, f->most_in), high = chance_between(c, 0.5, 1.2);
    const struct recipe r = { .seed = seed,
                              .game = PLAY_NONE,
                              .width = width,
                              .height = width * 9 / 16,
                              .tilt_deg = 60 * pow(chance_unit(c), 1.5),
                              .azimuth_deg = chance_between(c, 0, 360),
                              .fill = high * STAGE_IN / fmax(LEAST_IN, fmin(radius_in, ORNAMENT_IN)),
                              .f_widths = chance_between(c, 0.65, 1.0),
                              .k1 = chance_between(c, -0.1, 0),
                              .table = one_of(f->ground, c),
                              .light = lights[chance_below(c, (int)countof(lights))],
                              .layout = LAYOUT_PLATES };
    recipe_stage(s, &r, c);
    s->sensor.samples = RAYS;
    lay(s, f, radius_in, c);
    scene_index(s);
}

int nothing_write(const char *folder, int number, uint64_t seed, int width, struct fail *why)
{
    const struct family *f = &families[number % nothing_families()];
    struct chance c = { seed + (uint64_t)number * 1000003u };
    struct scene *s = malloc(sizeof *s);
    char image[64], path[PATH_MAX_BYTES];
    if (!s)
        abort();
    stage(s, f, width, seed, &c);
    snprintf(image, sizeof image, "nothing_%03d.jpg", number);
    snprintf(path, sizeof path, "%s/%s", folder, image);
    int rc = picture_render(path, s, seed + (uint64_t)number, why);
    snprintf(path, sizeof path, "%s/nothing_%03d.json", folder, number);
    if (rc == 0)
        rc = write_family(path, image, s, f, seed, why);
    free(s);
    return rc;
}
