// SPDX-License-Identifier: MIT
#include "calibration/board.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/units.h"

static const double MOST_DEVIATION = 0.05; // of the radius: seen by eye at once

const char *const piece_words[] = { [PIECE_DISC] = "disc", [PIECE_RING] = "ring", [PIECE_MARBLE] = "marble", NULL };

// In alphabetical order. NCA tournament boards: 24/16/8 in circles, lines 1/16 to 1/8 in, 1 3/8 in hole, 1 1/4 x 3/8 in
// discs; the booklet's rings: 1 1/4 in across, 3/4 in hole, 5/16 in high; American Marbles: 7 ft ring, 5/8 in targets,
// taw 1/2 to 3/4 in.
static const struct board boards[] = {
    {
        .name = "crokinole-nca",
        .kind = BOARD_CIRCLES,
        .circles = 3,
        .circle_in = { 12.0, 8.0, 4.0 },
        .zone_points = { 5, 10, 15 },
        .edge = CIRCLE_LINE_CENTRE,
        .line_width_in = 0.09,
        .hole_radius_in = 0.6875,
        .hole_depth_in = 0.25,
        .hole_points = 20,
        .pegs = 8,
        .peg_radius_in = 0.1875,
        .quadrant_lines = true,
        .surface_radius_in = 13.0,
        .ditch_depth_in = 0.75,
        .piece = PIECE_DISC,
        .piece_radius_in = 0.625,
        .piece_height_in = 0.375,
    },
    {
        .name = "crokinole-rings-24",
        .kind = BOARD_CIRCLES,
        .circles = 3,
        .circle_in = { 12.0, 8.0, 4.0 },
        .zone_points = { 2, 3, 5 },
        .edge = CIRCLE_LINE_CENTRE,
        .line_width_in = 0.09,
        .hole_radius_in = 0.75,
        .hole_depth_in = 0.25,
        .hole_points = 10,
        .pegs = 8,
        .peg_radius_in = 0.1875,
        .quadrant_lines = true,
        .surface_radius_in = 13.6,
        .ditch_depth_in = 0.75,
        .piece = PIECE_RING,
        .piece_radius_in = 0.625,
        .piece_height_in = 0.3125,
        .piece_hole_radius_in = 0.375,
    },
    {
        .name = "ring-7ft",
        .kind = BOARD_RING,
        .circles = 1,
        .circle_in = { 42.0 },
        .zone_points = { 0 },
        .edge = CIRCLE_LINE_INSIDE,
        .piece = PIECE_MARBLE,
        .piece_radius_in = 0.3125,
        .piece_height_in = 0.625,
        .taw_radius_min_in = 0.25,
        .taw_radius_max_in = 0.375,
        .legs = 4,
        .on_leg = 3,
        .leg_step_in = 3,
    },
};

const struct board *board_builtin(const char *name)
{
    for (size_t i = 0; i < countof(boards); i++)
        if (strcmp(boards[i].name, name) == 0)
            return &boards[i];
    return NULL;
}

const struct board *board_builtin_at(int i)
{
    return i >= 0 && (size_t)i < countof(boards) ? &boards[i] : NULL;
}

double board_line_middle_in(const struct board *b, int circle)
{
    return b->circle_in[circle] + (b->edge == CIRCLE_LINE_INSIDE ? b->line_width_in / 2 : 0);
}

double board_line_deviation_in(const double line_deviation_in[LINE_DEVIATION_TERMS], double angle_rad)
{
    double sum = line_deviation_in ? line_deviation_in[0] : 0;
    for (int i = 1; line_deviation_in && i < LINE_DEVIATION_TERMS; i += 2) {
        double wave = (i + 1) / 2 * angle_rad;
        sum += line_deviation_in[i] * cos(wave) + line_deviation_in[i + 1] * sin(wave);
    }
    return sum;
}

void board_turn(struct board *b, double angle_rad)
{
    for (int circle = 0; circle < b->circles; circle++)
        for (int i = 1; i < LINE_DEVIATION_TERMS; i += 2) {
            double *s = b->line_deviation_in[circle], wave = (i + 1) / 2 * angle_rad;
            turn_axes(&s[i], &s[i + 1], cos(wave), sin(wave));
        }
}

static bool within(double x, double low, double high)
{
    return isfinite(x) && x >= low && x <= high;
}

int board_check(const struct board *b, struct fail *why)
{
    if (b->name[0] == '\0')
        return rs_fail(why, RS_EINPUT, "board: \"name\" is empty");
    if (b->circles < 1 || b->circles > BOARD_MAX_CIRCLES)
        return rs_fail(why, RS_EINPUT, "board \"%s\": %d circles; there must be 1 to %d", b->name, b->circles,
                       BOARD_MAX_CIRCLES);
    if (b->edge == CIRCLE_LINE_INSIDE && b->circles != 1) // a fit looks for the two edges of a single line
        return rs_fail(why, RS_EINPUT,
                       "board \"%s\": edge \"line-inside\" is for one circle; measure these %d at \"line-centre\"",
                       b->name, b->circles);
    for (int i = 0; i < b->circles; i++) {
        if (!within(b->circle_in[i], 0.5, 1000.0))
            return rs_fail(why, RS_EINPUT, "board \"%s\": circle radius %g in; it must be from 0.5 to 1000", b->name,
                           b->circle_in[i]);
        if (i > 0 && !(b->circle_in[i] < b->circle_in[i - 1]))
            return rs_fail(why, RS_EINPUT,
                           "board \"%s\": circle radii must fall from the outermost inwards, %g after %g", b->name,
                           b->circle_in[i], b->circle_in[i - 1]);
        for (int k = 0; k < LINE_DEVIATION_TERMS; k++)
            if (!within(b->line_deviation_in[i][k], -MOST_DEVIATION * b->circle_in[i],
                        MOST_DEVIATION * b->circle_in[i]))
                return rs_fail(why, RS_EINPUT, "board \"%s\": a line that strays %g in from a circle of %g in is none",
                               b->name, b->line_deviation_in[i][k], b->circle_in[i]);
    }
    double innermost_in = b->circle_in[b->circles - 1];
    if (!within(b->piece_radius_in, 0.05, innermost_in))
        return rs_fail(why, RS_EINPUT, "board \"%s\": piece radius %g in; it must be from 0.05 to %g", b->name,
                       b->piece_radius_in, innermost_in);
    if (!within(b->piece_height_in, 0.01, 10.0))
        return rs_fail(why, RS_EINPUT, "board \"%s\": piece height %g in; it must be from 0.01 to 10", b->name,
                       b->piece_height_in);
    if (b->piece == PIECE_RING && !within(b->piece_hole_radius_in, 0.01, 0.99 * b->piece_radius_in))
        return rs_fail(why, RS_EINPUT, "board \"%s\": ring hole radius %g in; it must be less than the ring's own",
                       b->name, b->piece_hole_radius_in);
    if (b->piece == PIECE_MARBLE && (!within(b->taw_radius_min_in, 0.05, innermost_in) ||
                                     !within(b->taw_radius_max_in, b->taw_radius_min_in, innermost_in)))
        return rs_fail(why, RS_EINPUT, "board \"%s\": taw radii from %g to %g in; they must rise, from 0.05 to %g",
                       b->name, b->taw_radius_min_in, b->taw_radius_max_in, innermost_in);
    if (b->legs < 0 || b->legs > BOARD_MAX_LEGS || b->on_leg < 0 ||
        !within(b->on_leg * b->leg_step_in, 0, b->circle_in[0]))
        return rs_fail(why, RS_EINPUT, "board \"%s\": %d legs of %d targets %g in apart are not possible", b->name,
                       b->legs, b->on_leg, b->leg_step_in);
    if (!within(b->line_width_in, 0, innermost_in))
        return rs_fail(why, RS_EINPUT, "board \"%s\": line width %g in is not possible", b->name, b->line_width_in);
    if (!within(b->hole_radius_in, 0, innermost_in))
        return rs_fail(why, RS_EINPUT, "board \"%s\": hole radius %g in; it must be less than the innermost circle's",
                       b->name, b->hole_radius_in);
    if (!within(b->hole_depth_in, 0, 10) || !within(b->ditch_depth_in, 0, 10))
        return rs_fail(why, RS_EINPUT, "board \"%s\": depth of hole and ditch must be from 0 to 10 in", b->name);
    if (b->pegs < 0 || b->pegs > BOARD_MAX_PEGS || !within(b->peg_radius_in, 0, 1))
        return rs_fail(why, RS_EINPUT, "board \"%s\": %d pegs of radius %g in are not possible", b->name, b->pegs,
                       b->peg_radius_in);
    if (b->surface_radius_in != 0 && !within(b->surface_radius_in, b->circle_in[0], 2000))
        return rs_fail(why, RS_EINPUT, "board \"%s\": surface radius %g in; it must reach beyond the outermost circle",
                       b->name, b->surface_radius_in);
    return 0;
}
