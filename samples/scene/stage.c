// SPDX-License-Identifier: MIT
// stage.c: sets the table, the lamps, the camera and the pieces of a recipe.
#include "samples/scene/recipes.h"

#include <stdio.h>
#include <string.h>

static const double TOUCH_IN = 0.001; // air between pieces that touch

static const char *board_of(enum game game)
{
    switch (game) {
    case PLAY_CROKINOLE:
        return "crokinole-nca";
    case PLAY_RINGS:
        return "crokinole-rings-24";
    case PLAY_MARBLES:
        return "ring-7ft";
    case PLAY_NONE:
        break;
    }
    return NULL;
}

// The distance from which a circle fills that share of the picture's height; further off at a slant, where the near
// side grows.
static double distance_for(const struct recipe *r, double radius_in)
{
    return 2 * radius_in * r->f_widths * r->width / (r->fill * r->height) * (1 + 0.12 * sin(r->tilt_deg * PI / 180));
}

static void set_camera(struct scene *s, const struct recipe *r, double radius_in, struct chance *c)
{
    struct view v = { .width = r->width,
                      .height = r->height,
                      .f_px = r->f_widths * r->width,
                      .k1 = r->k1,
                      .k2 = chance_between(c, 0, 0.02),
                      .distance_in = distance_for(r, radius_in),
                      .tilt_rad = r->tilt_deg * PI / 180,
                      .azimuth_rad = r->azimuth_deg * PI / 180,
                      .roll_rad = chance_between(c, -0.06, 0.06),
                      .aim = { radius_in * chance_between(c, -0.02, 0.02), radius_in * chance_between(c, -0.02, 0.02) },
                      .off_centre = { chance_between(c, -6, 6), chance_between(c, -6, 6) } };
    s->camera = scene_camera(&v);
}

static void set_board(struct scene *s, const struct recipe *r, struct chance *c)
{
    s->surface = palette_stuff(r->surface);
    s->polish = r->polish;
    s->ditch = palette_stuff(r->ditch);
    s->rail_stuff = palette_stuff(r->rail_stuff);
    s->line_width_in = chance_between(c, 0.055, 0.12);
    s->quadrant_rad = chance_between(c, 0, PI / 2);
    s->rail = r->rail;
    s->rail_inner_in = s->board->surface_radius_in + chance_between(c, 1.55, 2.1);
    s->rail_outer_in = s->rail_inner_in + chance_between(c, 0.45, 1.0);
    s->rail_top_in = r->rail == RAIL_NONE ? -s->board->ditch_depth_in + 0.02 : chance_between(c, 0.15, 0.7);
    s->rail_turn_rad = chance_between(c, 0, PI / 4);
    s->table_in = -s->board->ditch_depth_in - chance_between(c, 0.4, 0.8);
    s->peg_radius_in = chance_between(c, 0.14, 0.19);
    s->peg_height_in = chance_between(c, 0.4, 0.55);
    s->peg_colour = chance_unit(c) < 0.5 ? palette_colour("ink") : palette_colour("natural");
}

void recipe_stage(struct scene *s, const struct recipe *r, struct chance *c)
{
    *s = (struct scene){ .board = board_of(r->game) ? board_builtin(board_of(r->game)) : NULL };
    s->ground = r->game == PLAY_MARBLES || r->layout == LAYOUT_BARE ? GROUND_CARPET
                : s->board                                          ? GROUND_BOARD
                                                                    : GROUND_TABLE;
    s->table = palette_stuff(r->table);
    palette_light(s, r->light);
    s->sensor.balance = (struct vec){ chance_between(c, 0.94, 1.06), 1, chance_between(c, 0.93, 1.07) };
    s->sensor.vignette = chance_between(c, 0.08, 0.35);
    s->sensor.blur_px = chance_between(c, 0.45, 0.9);
    s->sensor.samples = 3;
    s->sensor.quality = 78 + chance_below(c, 14);
    if (r->line)
        s->line_colour = palette_colour(r->line);
    double radius_in = 16;
    if (s->ground == GROUND_BOARD)
        set_board(s, r, c);
    if (s->ground == GROUND_BOARD)
        radius_in = s->rail_outer_in;
    if (s->ground == GROUND_CARPET) {
        radius_in = 44;
        s->line_width_in = chance_between(c, 0.5, 1.1);
    }
    set_camera(s, r, radius_in, c);
}

struct solid recipe_piece(const struct scene *s, const char *colour, struct vec at, bool taw, struct chance *c)
{
    const struct board *b = s->board;
    struct solid o = { .shape = b->piece == PIECE_DISC   ? SHAPE_DISC
                                : b->piece == PIECE_RING ? SHAPE_RING
                                                         : SHAPE_MARBLE,
                       .look = LOOK_PLAIN,
                       .at = at,
                       .radius_in = b->piece_radius_in,
                       .height_in = b->piece_height_in,
                       .hole_in = b->piece_hole_radius_in,
                       .colour = palette_colour(colour),
                       .second = palette_colour("white"),
                       .taw = taw,
                       .seed = 1 + (uint32_t)chance_below(c, 10000) };
    snprintf(o.name, sizeof o.name, "%s", colour);
    bool woody = strcmp(colour, "natural") == 0 || strcmp(colour, "brown") == 0;
    if (o.shape != SHAPE_MARBLE && woody)
        o.look = LOOK_WOOD;
    o.colour = vec_scale(o.colour, chance_between(c, 0.9, 1.1));
    if (taw) {
        o.radius_in = chance_between(c, b->taw_radius_min_in + 0.08, b->taw_radius_max_in);
        o.height_in = 2 * o.radius_in;
    }
    return o;
}

static bool free_place(const struct scene *s, double x, double y, double radius_in)
{
    for (int i = 0; i < s->solids; i++) {
        const struct solid *o = &s->solid[i];
        if (hypot(x - o->at.x, y - o->at.y) < radius_in + o->radius_in + TOUCH_IN / 2)
            return false;
    }
    if (s->ground != GROUND_BOARD)
        return true;
    for (int i = 0; i < s->board->pegs; i++) {
        double turn = s->quadrant_rad + PI / 8 + 2 * PI * i / s->board->pegs;
        double r = s->board->circle_in[s->board->circles - 1];
        if (hypot(x - r * cos(turn), y - r * sin(turn)) < radius_in + s->peg_radius_in + 0.01)
            return false;
    }
    return hypot(x, y) > radius_in + s->board->hole_radius_in || s->solids == 0;
}

// Radius of a place for a piece: anywhere, beside a line by 0.02 .. 0.2 in, or in the ditch.
static double place_radius(const struct scene *s, int turn, struct chance *c)
{
    const struct board *b = s->board;
    double spread = b->circle_in[0] - 0.2;
    if (turn % 3 == 1) {
        double margin = chance_between(c, 0.02, 0.2) * (chance_unit(c) < 0.5 ? -1 : 1);
        return b->circle_in[chance_below(c, b->circles)] - 0.5 * s->line_width_in - b->piece_radius_in - margin;
    }
    if (turn % 5 == 4)
        return (b->surface_radius_in + s->rail_inner_in) / 2;
    return spread * sqrt(chance_between(c, 0.01, 1));
}

static void put_piece(struct scene *s, const char *colour, int turn, struct chance *c)
{
    for (int tries = 0; tries < 4000; tries++) {
        double r = place_radius(s, turn, c), angle = chance_between(c, 0, 2 * PI), x = r * cos(angle),
               y = r * sin(angle);
        if (turn % 4 == 2 && s->solids > 1) { // touching a neighbour
            const struct solid *o = &s->solid[1 + chance_below(c, s->solids - 1)];
            double gap = 2 * s->board->piece_radius_in + TOUCH_IN;
            x = o->at.x + gap * cos(angle);
            y = o->at.y + gap * sin(angle);
            r = hypot(x, y);
        }
        bool in_ditch = r > s->board->surface_radius_in + s->board->piece_radius_in;
        bool possible = in_ditch ? r < s->rail_inner_in - s->board->piece_radius_in : r < s->board->circle_in[0] + 0.4;
        double z = in_ditch ? -s->board->ditch_depth_in : 0;
        if (!possible || !free_place(s, x, y, s->board->piece_radius_in))
            continue;
        s->solid[s->solids++] = recipe_piece(s, colour, (struct vec){ x, y, z }, false, c);
        return;
    }
}

// A cuff, a strap, a gloved finger: round at its end and, seen from there, much like a piece.
static void reach_in(struct scene *s, const char *colour, struct chance *c)
{
    static const double length_in = 24;
    double r = s->board->piece_radius_in * chance_between(c, 0.5, 1.4), far = chance_between(c, 1, 11.5);
    double at = chance_between(c, 0, 2 * PI), to = at + chance_between(c, -0.5, 0.5);
    struct vec tip = { far * cos(at), far * sin(at), r + chance_between(c, 0, 0.5) };
    struct vec end = vec_along(tip, (struct vec){ cos(to), sin(to), chance_between(c, 0, 0.4) }, length_in);
    s->limb[s->limbs++] = (struct limb){ tip, end, r, palette_colour(colour), chance_unit(c) < 0.7 };
}

// Leaning out over the hole, by less than would tip it.
static void put_at_hole(struct scene *s, const char *colour, struct chance *c)
{
    double far = s->board->hole_radius_in + s->board->piece_radius_in * chance_between(c, 0.05, 1);
    double angle = chance_between(c, 0, 2 * PI);
    s->solid[s->solids++] = recipe_piece(s, colour, (struct vec){ far * cos(angle), far * sin(angle), 0 }, false, c);
}

static void lay_board(struct scene *s, const struct recipe *r, struct chance *c)
{
    if (r->layout == LAYOUT_NEAR_MISS) {
        put_at_hole(s, r->sides[chance_below(c, 2)], c);
    } else if (chance_unit(c) < 0.7) {
        struct vec hole = { chance_between(c, -0.04, 0.04), chance_between(c, -0.04, 0.04), -s->board->hole_depth_in };
        s->solid[s->solids++] = recipe_piece(s, r->sides[chance_below(c, 2)], hole, false, c);
    }
    for (int i = 0; i < 2 * r->pieces; i++)
        put_piece(s, r->sides[i % 2], i, c);
    s->pieces = s->solids;
    for (int i = 0; i < s->pieces; i++)
        s->solid[i].edge_in = r->edge_in;
    scene_add_pegs(s);
    if (r->hand) {
        double from = chance_between(c, 0, 2 * PI), at = chance_between(c, 5, 10);
        scene_add_hand(s, (struct vec){ at * cos(from), at * sin(from), 0.2 }, from + chance_between(c, -0.3, 0.3),
                       palette_colour(chance_unit(c) < 0.5 ? "skin-dark" : "skin-light"),
                       palette_colour(r->sleeve ? r->sleeve : "blue"));
    }
    for (int i = 0; i < r->tips; i++)
        reach_in(s, r->sides[chance_below(c, 2)], c);
}

// Thirteen targets in a cross, 3 in apart, a little off their marks as hands put them.
static struct vec cross_place(int i, struct chance *c)
{
    double angle = PI / 4 + (i - 1) / 3 * PI / 2, r = i == 0 ? 0 : 3.0 * ((i - 1) % 3 + 1);
    return (struct vec){ r * cos(angle) + 0.05 * chance_normal(c), r * sin(angle) + 0.05 * chance_normal(c), 0 };
}

static struct vec carpet_place(const struct recipe *r, int i, struct chance *c)
{
    double angle = chance_between(c, 0, 2 * PI), far = 52 * sqrt(chance_between(c, 0.002, 1));
    if (r->layout == LAYOUT_X)
        return cross_place(i, c);
    if (r->layout == LAYOUT_LINE && i % 2)
        far = 42 + chance_between(c, 0.02, 0.2) * (chance_unit(c) < 0.5 ? -1 : 1);
    else if (i % 3 == 0)
        return cross_place(i, c);
    else if (far > 40 && far < 44)
        far = 38;
    return (struct vec){ far * cos(angle), far * sin(angle), 0 };
}

static bool in_picture(const struct scene *s, struct vec at)
{
    struct pt_px p;
    return camera_project(&p, &s->camera, (struct pt3_in){ at.x, at.y, at.z }) && p.u > 15 && p.v > 15 &&
           p.u < s->camera.lens.width - 15 && p.v < s->camera.lens.height - 15;
}

static void lay_carpet(struct scene *s, const struct recipe *r, struct chance *c)
{
    enum look look = (enum look[]){ LOOK_PLAIN, LOOK_SWIRL, LOOK_GLASS }[chance_below(c, 3)];
    for (int i = 0; i <= r->pieces; i++) {
        struct vec at = i < r->pieces ? carpet_place(r, i, c) : (struct vec){ 40 * cos(2.0), 24 * sin(2.0), 0 };
        for (int tries = 0; tries < 200 && !(in_picture(s, at) && free_place(s, at.x, at.y, 0.38)); tries++)
            at = carpet_place(r, i, c);
        s->solid[s->solids] = recipe_piece(s, r->sides[i == r->pieces], at, i == r->pieces, c);
        s->solid[s->solids].second = palette_colour(i == r->pieces       ? "ink"
                                                    : look == LOOK_GLASS ? r->sides[0]
                                                                         : "cream");
        s->solid[s->solids++].look = i == r->pieces ? LOOK_SWIRL : look;
    }
    s->pieces = s->solids;
}

static void add_round(struct scene *s, enum look look, double x, double y, double radius_in, double height_in,
                      const char *colour, const char *second)
{
    s->solid[s->solids++] = (struct solid){ .shape = SHAPE_DISC,
                                            .look = look,
                                            .at = { x, y, 0 },
                                            .radius_in = radius_in,
                                            .height_in = height_in,
                                            .colour = palette_colour(colour),
                                            .second = palette_colour(second) };
}

static void lay_table(struct scene *s, enum layout layout)
{
    if (layout == LAYOUT_CLOCK)
        add_round(s, LOOK_CLOCK, 0.5, -0.3, 11.5, 1.0, "white", "ink");
    if (layout == LAYOUT_TARGETS) {
        add_round(s, LOOK_TARGET, 0, 0, 10, 0.02, "cream", "ink");
        add_round(s, LOOK_TARGET, 17, 5, 5, 0.02, "white", "red");
        add_round(s, LOOK_TARGET, -16, -6, 4.5, 0.02, "yellow", "blue");
    }
    if (layout == LAYOUT_PLATES) {
        add_round(s, LOOK_PLATE, -9, 2, 6.2, 0.7, "white", "ink");
        add_round(s, LOOK_PLATE, 7, 6, 5.2, 0.6, "cream", "ink");
        add_round(s, LOOK_PLATE, 6, -7, 4.2, 0.5, "blue", "ink");
        add_round(s, LOOK_PLAIN, 17, -1, 1.7, 3.6, "green", "ink");
    }
}

void recipe_scene(struct scene *s, const struct recipe *r)
{
    struct chance c = { r->seed };
    recipe_stage(s, r, &c);
    if (s->ground == GROUND_BOARD)
        lay_board(s, r, &c);
    else if (s->board)
        lay_carpet(s, r, &c);
    else
        lay_table(s, r->layout);
    scene_index(s);
}
