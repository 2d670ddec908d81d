// SPDX-License-Identifier: MIT
#include "samples/scene/scene.h"

#include <string.h>

static const double GRID_STEP_SHARE = 0.5; // rays look into the grid at least every half cell

static int cell_of(const struct scene *s, double at_in)
{
    int i = (int)floor(at_in / s->cell_in) + GRID_SIDE / 2;
    return i < 0 ? 0 : i >= GRID_SIDE ? GRID_SIDE - 1 : i;
}

static void put_into(int8_t cell[GRID_DEPTH], int solid)
{
    for (int k = 0; k + 1 < GRID_DEPTH; k++)
        if (cell[k] < 0) {
            cell[k] = (int8_t)solid;
            return;
        }
}

void scene_index(struct scene *s)
{
    memset(s->grid, -1, sizeof s->grid);
    s->cell_in = s->ground == GROUND_CARPET ? 2.0 : 0.75;
    s->low_in = 0;
    s->high_in = 0;
    for (int k = 0; k < 8; k++)
        s->rail_side[k] = (struct vec){ cos(s->rail_turn_rad + k * PI / 4), sin(s->rail_turn_rad + k * PI / 4), 0 };
    for (int i = 0; i < s->solids; i++) {
        const struct solid *o = &s->solid[i];
        double reach = o->radius_in + GRID_STEP_SHARE * s->cell_in + 0.01;
        for (int y = cell_of(s, o->at.y - reach); y <= cell_of(s, o->at.y + reach); y++)
            for (int x = cell_of(s, o->at.x - reach); x <= cell_of(s, o->at.x + reach); x++)
                put_into(s->grid[y][x], i);
        s->low_in = fmin(s->low_in, o->at.z);
        s->high_in = fmax(s->high_in, o->at.z + o->height_in);
    }
}

void scene_add_pegs(struct scene *s)
{
    const struct board *b = s->board;
    for (int i = 0; i < b->pegs; i++) {
        double turn = s->quadrant_rad + PI / 8 + 2 * PI * i / b->pegs, r = b->circle_in[b->circles - 1];
        s->solid[s->solids++] = (struct solid){ .shape = SHAPE_PEG,
                                                .look = LOOK_PLAIN,
                                                .at = { r * cos(turn), r * sin(turn), 0 },
                                                .radius_in = s->peg_radius_in,
                                                .height_in = s->peg_height_in,
                                                .colour = s->peg_colour };
    }
}

static void add_limb(struct scene *s, struct vec a, struct vec b, double radius_in, struct vec colour, bool cloth)
{
    s->limb[s->limbs++] = (struct limb){ a, b, radius_in, colour, cloth };
}

void scene_add_hand(struct scene *s, struct vec reach, double from_rad, struct vec skin, struct vec sleeve)
{
    struct vec back = { cos(from_rad), sin(from_rad), 0 }, side = { -back.y, back.x, 0 };
    struct vec knuckle = vec_add(vec_along(reach, back, 2.6), (struct vec){ 0, 0, 1.3 });
    struct vec wrist = vec_add(vec_along(reach, back, 6.2), (struct vec){ 0, 0, 1.5 });
    struct vec elbow = vec_add(vec_along(reach, back, 17), (struct vec){ 0, 0, 4.5 });
    for (int i = 0; i < 4; i++) {
        double across = 0.75 * (i - 1.2), curl = i == 1 ? 0 : 0.9 + 0.25 * i; // the forefinger is stretched out
        struct vec root = vec_along(knuckle, side, across);
        struct vec tip =
            vec_add(vec_along(vec_along(reach, side, i == 1 ? 0 : across), back, curl), (struct vec){ 0, 0, 0.35 });
        struct vec joint = vec_add(vec_mix(root, tip, 0.5), (struct vec){ 0, 0, 0.35 });
        add_limb(s, root, joint, 0.36, skin, false);
        add_limb(s, joint, tip, 0.31, skin, false);
        add_limb(s, root, vec_along(wrist, side, 0.45 * (i - 1.2)), 0.55, skin, false);
    }
    add_limb(s, vec_along(wrist, side, 1.0), vec_along(vec_along(reach, back, 2.2), side, 1.5), 0.42, skin, false);
    add_limb(s, wrist, vec_mix(wrist, elbow, 0.3), 1.0, skin, false);
    add_limb(s, vec_mix(wrist, elbow, 0.22), elbow, 1.5, sleeve, true);
    add_limb(s, elbow, vec_add(vec_along(elbow, back, 30), (struct vec){ 0, 0, 6 }), 1.9, sleeve, true);
}

struct camera scene_camera(const struct view *v)
{
    double st = sin(v->tilt_rad), ca = cos(v->azimuth_rad), sa = sin(v->azimuth_rad);
    struct vec eye = { v->distance_in * st * ca, v->distance_in * st * sa, v->distance_in * cos(v->tilt_rad) };
    struct vec forward = vec_unit(vec_sub((struct vec){ v->aim.x, v->aim.y, 0 }, eye));
    struct vec away = { -ca, -sa, 0 };
    struct vec across = vec_unit(vec_cross(forward, away)), below = vec_cross(forward, across);
    struct vec right = vec_add(vec_scale(across, cos(v->roll_rad)), vec_scale(below, sin(v->roll_rad)));
    struct vec down = vec_cross(forward, right);
    struct camera c = { .lens = { .width = v->width,
                                  .height = v->height,
                                  .f_px = v->f_px,
                                  .centre = { 0.5 * (v->width - 1) + v->off_centre.u,
                                              0.5 * (v->height - 1) + v->off_centre.v },
                                  .k1 = v->k1,
                                  .k2 = v->k2 },
                        .pose = { .R = { { right.x, right.y, right.z },
                                         { down.x, down.y, down.z },
                                         { forward.x, forward.y, forward.z } },
                                  .t_in = { -vec_dot(right, eye), -vec_dot(down, eye), -vec_dot(forward, eye) } } };
    return c;
}
