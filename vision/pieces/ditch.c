// SPDX-License-Identifier: MIT
#include "vision/pieces/ditch.h"

#include <math.h>

#include "calibration/algebra.h"
#include "vision/pieces/colour.h"
#include "vision/pieces/sides.h"

static const double FROM_IN = 0.4, STEP_IN = 0.1; // beyond the surface's edge; ditches are 1 1/2 in wide and more
enum { RINGS = 12, TURNS = DITCH_SAMPLES / RINGS };

// Whether the line of sight to a place under the surface's plane passes the surface.
static bool hidden(const struct board_pose *pose, struct pt3_in at)
{
    struct pt3_in eye = camera_position(&pose->camera);
    double share = eye.z / (eye.z - at.z);
    return hypot(eye.x + share * (at.x - eye.x), eye.y + share * (at.y - eye.y)) < pose->board.surface_radius_in;
}

void ditch_sample(struct ditch *out, const struct frame *f, const struct board_pose *pose)
{
    const struct board *b = &pose->board;
    out->n = 0;
    if (b->surface_radius_in <= 0)
        return;
    for (int i = 0; i < DITCH_SAMPLES; i++) {
        double r = b->surface_radius_in + FROM_IN + STEP_IN * (i / TURNS), turn = 2 * PI * (i % TURNS) / TURNS;
        struct pt3_in at = { r * cos(turn), r * sin(turn), -b->ditch_depth_in };
        double colour[3];
        struct pt_px seen;
        if (!hidden(pose, at) && camera_project(&seen, &pose->camera, at) && colour_at(colour, f, seen.u, seen.v))
            colour_to_lab(out->lab[out->n++], colour);
    }
}

double ditch_share_of(const struct ditch *d, const double lab[3], double reach)
{
    int alike = 0;
    for (int i = 0; i < d->n; i++)
        alike += sides_distance(d->lab[i], lab) < reach;
    return (double)alike / fmax(d->n, 1);
}

bool ditch_middle(double lab[3], const struct ditch *d)
{
    for (int c = 0; c < 3 && d->n; c++) {
        double values[DITCH_SAMPLES];
        for (int i = 0; i < d->n; i++)
            values[i] = d->lab[i][c];
        lab[c] = median_of(values, d->n);
    }
    return d->n > 0;
}
