// SPDX-License-Identifier: MIT
#include "vision/pieces/cylinder_window.h"

#include <math.h>
#include <string.h>

#include "vision/colour.h"
#include "vision/min_max.h"
#include "vision/pieces/px_box.h"

static bool on_paint(const struct board_pose *pose, struct pt_in p, double clear_in)
{
    const struct board *b = &pose->board;
    double r = sqrt(p.x * p.x + p.y * p.y), half = b->line_width_in / 2;
    for (int i = 0; i < b->circles; i++)
        if (fabs(r - board_line_middle_in(b, i)) < half + clear_in)
            return true;
    bool between = b->circles > 1 && r < b->circle_in[0] && r > b->circle_in[1];
    if (b->quadrant_lines && between && fmin(fabs(p.x), fabs(p.y)) < half + clear_in)
        return true;
    if (b->surface_radius_in > 0 && r > b->surface_radius_in - clear_in)
        return true;
    // All of the pegs' circle is left out, not only where they stand: it is a line anyway.
    if (b->pegs > 0 && fabs(r - b->circle_in[b->circles - 1]) < b->peg_radius_in + clear_in)
        return true;
    return r < b->hole_radius_in + clear_in;
}

// What each pixel of the window would show more than all of them, were the board empty.
static void take_grain(struct pixel_window *w, const struct background *empty, const double table[LIGHT_CODES])
{
    bool known[WINDOW_SAMPLES] = { false };
    double mean[3] = { 0 };
    int n = 0;
    for (int i = 0; i < w->n; i++) {
        struct pixel_sample *p = &w->sample[i];
        double bgr[3], colour[3];
        known[i] = empty && !p->not_ground && background_empty_at(bgr, empty, p->sight.low);
        memset(p->grain, 0, sizeof p->grain);
        if (!known[i])
            continue;
        colour_from_bgr(colour, bgr);
        colour_to_light_by(p->grain, colour, table);
        for (int c = 0; c < 3; c++)
            mean[c] += p->grain[c];
        n++;
    }
    for (int i = 0; i < w->n; i++)
        for (int c = 0; c < 3 && known[i]; c++)
            w->sample[i].grain[c] -= mean[c] / n;
}

bool cylinder_window_fill(struct pixel_window *w, const struct frame *f, const struct cylinder_view *stand,
                          const struct surroundings *near, int most)
{
    const struct camera *c = &near->board->camera;
    struct cylinder_view other[MAX_PIECES + BOARD_MAX_PEGS];
    struct cylinder_shadow shadow[MAX_PIECES + BOARD_MAX_PEGS];
    struct px_box box = px_box_empty();
    struct pt_in at = stand->at;
    double reach = stand->shape->radius_in + near->tuning->window_margin_in;
    int others = 0;
    for (int i = 0; i < near->neighbours; i++)
        if (i != near->self &&
            hypot(near->neighbour_at[i].x - at.x, near->neighbour_at[i].y - at.y) < near->tuning->window_near_in)
            others += cylinder_view_at(&other[others], &near->neighbour[i], near->neighbour_at[i], c, &near->edge);
    for (int i = 0; near->pegs && i < near->pegs->count; i++)
        if (hypot(near->pegs->at[i].x - at.x, near->pegs->at[i].y - at.y) < near->tuning->window_near_in)
            others += cylinder_view_at(&other[others], &near->peg, near->pegs->at[i], c, &near->edge);
    for (int i = 0; i < others; i++)
        shadow[i] = cylinder_shadow_of(&near->light, &other[i]);
    if (!px_box_take_cylinder(&box, c, (struct pt3_in){ at.x, at.y, stand->shape->base_in }, reach,
                              stand->shape->height_in))
        return false;
    double stride = px_box_stride(&box, most), clear_in = near->tuning->window_clear_blurs * stand->blur_in;
    double table[LIGHT_CODES];
    colour_light_table(table);
    w->n = 0;
    for (double v = ceil(box.low.v); v <= box.high.v; v += stride)
        for (double u = ceil(box.low.u); u <= box.high.u && w->n < WINDOW_SAMPLES; u += stride) {
            struct pixel_sample *p = &w->sample[w->n];
            struct pt_in low;
            if (!camera_locate(&low, c, (struct pt_px){ u, v }, stand->shape->base_in))
                continue;
            p->sight = cylinder_sight(stand, low);
            bool clear = cylinder_clearance(stand, &p->sight) <= near->tuning->window_margin_in;
            for (int i = 0; i < others && clear; i++)
                clear = cylinder_clearance(&other[i], &p->sight) >= clear_in;
            if (!clear || !colour_at(p->colour, f, u, v))
                continue;
            colour_to_light_by(p->light, p->colour, table);
            p->slope = colour_slope(p->colour[0]);
            p->lit = 1;
            for (int i = 0; i < others; i++)
                p->lit = min_f64(p->lit, cylinder_light_by_shadow(&near->light, &other[i], &shadow[i], low));
            p->not_ground = on_paint(near->board, low, clear_in);
            w->n++;
        }
    take_grain(w, stand->shape->base_in < 0 ? NULL : near->empty, table); // it is in the board's plane
    return w->n >= near->tuning->window_least_samples;
}
