// SPDX-License-Identifier: MIT
#include "samples/scene/boards.h"

#include <stdio.h>

#include "calibration/algebra.h"
#include "samples/scene/film.h"
#include "samples/scene/picture.h"

static const double MOST_TILT_DEG = 80;
static const double LEAST_EDGE_IN = 0.02, MOST_EDGE_IN = 0.10; // of discs of several makers, 1/16 in being usual
static const double POLISHED_SHARE = 0.3;
// Games: few enough pixels and shots to be filmed in a minute. Slower shots stop short of the middle, faster ones cross
// the board.
static const double MOST_GAME_TILT_DEG = 65, AIMED_WITHIN_IN = 6, SLOWEST_IN_S = 40, FASTEST_IN_S = 95, SEAT_RAD = 0.5;
enum { GAME_SHOTS = 6, GAME_WIDTH_PX = 720, GAME_HEIGHT_PX = 540, GAME_KNOCKS = 3, GAME_CUTS = 2 };
// The knocks and cuts of a game come in equal parts of this time, each anywhere in its own.
static const double DISTURBED_FROM_S = 1.5, DISTURBED_TO_S = 16;
static const double KNOCK_IN = 1.5, KNOCK_DEG = 5, KNOCK_ZOOM = 0.05;
static const double ZOOM_IN = 2, ZOOM_DEG = 25, ZOOM_LEAST = -0.15, ZOOM_MOST = 0.1, CUT_LEAST_S = 0.6,
                    CUT_MOST_S = 2.5;
// Games of marbles: a target is six pixels wide. The ring is seven feet wide, and a taw that is shot slower stays short
// of the middle.
static const double MOST_MARBLES_TILT_DEG = 50, MOST_SLANTED_TILT_DEG = 66, AIM_OFF_IN = 0.6, SLOWEST_TAW_IN_S = 75,
                    FASTEST_TAW_IN_S = 130;
enum { MARBLE_TARGETS = 13, MARBLES_WIDTH_PX = 1200, MARBLES_HEIGHT_PX = 960 };

// Of the light from the board, either way: a board's lines are there to be seen.
static const double LINE_LEAST_CONTRAST = 1.3;

static const char *one_of(const char *const *names, size_t n, struct chance *c)
{
    return names[chance_below(c, (int)n)];
}

static double luminance(struct vec light)
{
    return 0.2126 * light.x + 0.7152 * light.y + 0.0722 * light.z;
}

// Neighbouring seeds begin alike: some draws part them.
static struct chance chance_of(uint64_t seed, int index)
{
    struct chance c = { seed * 1000003 + (uint64_t)index };
    for (int i = 0; i < 4; i++)
        chance_unit(&c);
    return c;
}

bool boards_line_shows(const char *line, const char *surface)
{
    struct stuff s = palette_stuff(surface);
    double ratio = luminance(palette_colour(line)) / ((luminance(s.light) + luminance(s.dark)) / 2);
    return fmax(ratio, 1 / ratio) >= LINE_LEAST_CONTRAST;
}

void boards_recipe(struct recipe *r, int index, enum game game, bool plain, uint64_t seed)
{
    static const char *const woods[] = { "bamboo", "cherry", "ash", "teak", "cream", "petrol" };
    static const char *const ditches[] = { "petrol", "charcoal", "oxblood", "teak", "wenge", "bamboo", "cherry" };
    static const char *const rails[] = { "wenge", "ash", "oxblood", "teak", "cherry", "bamboo" };
    static const char *const tables[] = { "slate", "linen", "oak", "marble", "gingham", "greyboard", "denim" };
    static const char *const lines[] = { "ink", "cream", "brown", "white", "red" };
    static const char *const lights[] = { "window", "pendant", "tubes", "sun", "overcast", "evening" };
    static const char *const sides[] = { "red",   "black",  "white", "blue",    "yellow",
                                         "green", "orange", "brown", "natural", "purple" };
    struct chance c = chance_of(seed, index);
    bool large = chance_unit(&c) < 0.4;
    *r = (struct recipe){ .name = "",
                          .seed = seed * 7919 + (uint64_t)index,
                          .game = game,
                          .width = large ? 1920 : 1280,
                          .height = large ? 1080 : 720,
                          .tilt_deg = chance_between(&c, 0, MOST_TILT_DEG),
                          .azimuth_deg = chance_between(&c, 0, 360),
                          .fill = chance_between(&c, 0.7, 1.1),
                          .f_widths = chance_between(&c, 0.7, 1.7),
                          .k1 = chance_between(&c, -0.08, 0) };
    r->surface = one_of(woods, countof(woods), &c);
    r->ditch = one_of(ditches, countof(ditches), &c);
    r->rail_stuff = one_of(rails, countof(rails), &c);
    r->table = one_of(tables, countof(tables), &c);
    int line = chance_below(&c, (int)countof(lines));
    while (!plain && !boards_line_shows(lines[line], r->surface))
        line = (line + 1) % (int)countof(lines);
    r->line = lines[line];
    r->light = one_of(lights, countof(lights), &c);
    r->rail = (enum rail)chance_below(&c, RAIL_NONE + 1);
    int side = chance_below(&c, (int)countof(sides));
    r->sides[0] = sides[side];
    r->sides[1] = sides[(side + 1 + chance_below(&c, (int)countof(sides) - 1)) % (int)countof(sides)];
    r->pieces = 2 + chance_below(&c, 9);
    r->hand = chance_unit(&c) < 0.5;
    r->sleeve = chance_unit(&c) < 0.5 ? r->sides[chance_below(&c, 2)] : one_of(sides, countof(sides), &c);
    r->tips = chance_unit(&c) < 0.5 ? 1 + chance_below(&c, 3) : 0;
    r->layout = chance_unit(&c) < 0.4 ? LAYOUT_NEAR_MISS : LAYOUT_PLAY;
    if (!plain) {
        r->edge_in = chance_between(&c, LEAST_EDGE_IN, MOST_EDGE_IN);
        r->polish = chance_unit(&c) < POLISHED_SHARE ? chance_between(&c, 0.2, 1) : 0;
    }
}

int board_write(const char *folder, int index, enum game game, bool plain, uint64_t seed, struct fail *why)
{
    char name[32];
    struct recipe r;
    boards_recipe(&r, index, game, plain, seed);
    snprintf(name, sizeof name, "board_%04d", index);
    r.name = name;
    return picture_write(&r, folder, why);
}

// From where a player sits, at the middle or not far from it.
static struct shot_script shot_by_chance(int side, struct chance *c)
{
    double r = chance_between(c, 0, AIMED_WITHIN_IN), angle = chance_between(c, 0, 2 * PI);
    return (struct shot_script){ .side = side,
                                 .from_rad = (side ? PI / 2 : -PI / 2) + chance_between(c, -SEAT_RAD, SEAT_RAD),
                                 .aim = { r * cos(angle), r * sin(angle) },
                                 .speed_in_s = chance_between(c, SLOWEST_IN_S, FASTEST_IN_S) };
}

// From anywhere around the ring, at one of the places where targets lay in the beginning, or past it.
static struct shot_script marble_shot_by_chance(struct chance *c)
{
    struct pt_in at = play_spot(chance_below(c, MARBLE_TARGETS));
    double from_rad = chance_between(c, -PI, PI);
    return (struct shot_script){ .side = SIDE_BY_TURN,
                                 .from_rad = from_rad,
                                 .aim = { at.x + chance_between(c, -AIM_OFF_IN, AIM_OFF_IN),
                                          at.y + chance_between(c, -AIM_OFF_IN, AIM_OFF_IN) },
                                 .speed_in_s = chance_between(c, SLOWEST_TAW_IN_S, FASTEST_TAW_IN_S) };
}

// A carpet, a line and three colours of marbles that can be told from it and from each other by eye.
static void marbles_recipe(struct recipe *r, struct match_script *match, int index, uint64_t seed, bool slanted,
                           struct chance *c)
{
    static const char *const carpets[] = { "berber", "navy", "burgundy", "grey", "moss" };
    static const char *const lines[] = { "white", "cream", "yellow", "ink" };
    static const char *const lights[] = { "window", "pendant", "tubes", "overcast", "hall", "spot" };
    static const char *const marbles[] = { "red", "white", "blue", "yellow", "green", "orange" };
    const int colours = (int)countof(marbles);
    *r = (struct recipe){ .seed = seed * 7919 + (uint64_t)index,
                          .game = PLAY_MARBLES,
                          .width = MARBLES_WIDTH_PX,
                          .height = MARBLES_HEIGHT_PX,
                          .tilt_deg = slanted ? chance_between(c, MOST_MARBLES_TILT_DEG, MOST_SLANTED_TILT_DEG)
                                              : chance_between(c, 0, MOST_MARBLES_TILT_DEG),
                          .azimuth_deg = chance_between(c, 0, 360),
                          .fill = chance_between(c, 0.88, 0.97),
                          .f_widths = chance_between(c, 0.75, 1.4),
                          .k1 = chance_between(c, -0.08, 0),
                          .layout = LAYOUT_X };
    r->table = one_of(carpets, countof(carpets), c);
    r->light = one_of(lights, countof(lights), c);
    int line = chance_below(c, (int)countof(lines)), colour = chance_below(c, colours), n = 0;
    while (!boards_line_shows(lines[line], r->table))
        line = (line + 1) % (int)countof(lines);
    r->line = lines[line];
    const char **const wanted[] = { &match->target, &r->sides[0], &r->sides[1] };
    for (; n < (int)countof(wanted); colour = (colour + 1) % colours)
        if (boards_line_shows(marbles[colour], r->table))
            *wanted[n++] = marbles[colour];
}

int marble_game_write(const char *folder, int index, uint64_t seed, bool slanted, bool in_a_hand, struct fail *why)
{
    char name[32];
    struct match_script match = { .frames_per_s = 25, .in_a_hand = in_a_hand };
    struct chance c = chance_of(~seed, index);
    struct clip_script s = { .name = name, .targets = MARBLE_TARGETS, .shots = GAME_SHOTS, .match = &match };
    marbles_recipe(&s.stage, &match, index, seed, slanted, &c);
    snprintf(name, sizeof name, "marbles_%04d", index);
    s.stage.name = name;
    for (int i = 0; i < s.shots; i++)
        s.shot[i] = marble_shot_by_chance(&c);
    return film_write(&s, folder, why);
}

// At a moment of the i-th of n parts.
static double disturbed_s(int i, int n, struct chance *c)
{
    const double part_s = (DISTURBED_TO_S - DISTURBED_FROM_S) / n;
    return DISTURBED_FROM_S + part_s * (i + chance_between(c, 0, 1));
}

static struct knock_script knock_by_chance(double at_s, double most_in, double most_deg, double zoom_least,
                                           double zoom_most, struct chance *c)
{
    return (struct knock_script){ .at_s = at_s,
                                  .right_in = chance_between(c, -most_in, most_in),
                                  .turn_deg = chance_between(c, -most_deg, most_deg),
                                  .zoom = chance_between(c, zoom_least, zoom_most) };
}

static void disturb(struct clip_script *s, enum filming how, struct chance *c)
{
    for (int i = 0; i < GAME_KNOCKS && how == FILMED_KNOCKED; i++)
        s->knock[s->knocks++] =
            knock_by_chance(disturbed_s(i, GAME_KNOCKS, c), KNOCK_IN, KNOCK_DEG, -KNOCK_ZOOM, KNOCK_ZOOM, c);
    for (int i = 0; i < GAME_CUTS && how == FILMED_BROADCAST; i++) {
        struct cut_script *cut = &s->cut[s->cuts++];
        cut->at_s = disturbed_s(i, GAME_CUTS, c);
        cut->back_s = cut->at_s + chance_between(c, CUT_LEAST_S, CUT_MOST_S);
        if (chance_unit(c) < 0.5) // while the face is shown
            s->knock[s->knocks++] =
                knock_by_chance((cut->at_s + cut->back_s) / 2, ZOOM_IN, ZOOM_DEG, ZOOM_LEAST, ZOOM_MOST, c);
    }
    if (how == FILMED_BROADCAST)
        s->score_s = chance_between(c, DISTURBED_FROM_S, DISTURBED_TO_S);
}

int game_write(const char *folder, int index, uint64_t seed, enum filming how, struct fail *why)
{
    char name[32];
    const struct match_script match = { .frames_per_s = 25, .in_a_hand = how == FILMED_FROM_HAND };
    struct chance c = chance_of(~seed, index);
    struct clip_script s = { .name = name, .shots = GAME_SHOTS, .match = &match };
    boards_recipe(&s.stage, index, PLAY_CROKINOLE, false, seed);
    snprintf(name, sizeof name, "game_%04d", index);
    s.stage.name = name;
    s.stage.width = GAME_WIDTH_PX;
    s.stage.height = GAME_HEIGHT_PX;
    s.stage.tilt_deg *= MOST_GAME_TILT_DEG / MOST_TILT_DEG;
    s.stage.pieces = s.stage.tips = 0;
    s.stage.hand = false;
    for (int i = 0; i < s.shots; i++)
        s.shot[i] = shot_by_chance(i % 2, &c);
    disturb(&s, how, &c);
    return film_write(&s, folder, why);
}
