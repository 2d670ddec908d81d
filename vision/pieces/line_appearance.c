// SPDX-License-Identifier: MIT
#include "vision/pieces/line_appearance.h"

#include <math.h>

#include "calibration/algebra.h"
#include "vision/colour.h"

enum { SAMPLES = 48 };
static const double REACH_IN = 1.2; // from the middle of the line: its own half width, blur and marbles on it

double line_appearance_reach_in(void)
{
    return REACH_IN;
}

static bool colour_on_floor(double out[3], const struct frame *f, const struct camera *c, double r, double angle)
{
    struct pt_px seen;
    return camera_project(&seen, c, (struct pt3_in){ r * cos(angle), r * sin(angle), 0 }) &&
           colour_at(out, f, seen.u, seen.v);
}

static void look_at_bin(float off[3], const struct frame *f, const struct camera *c, int sector, double r,
                        double inside_in, double outside_in)
{
    double values[3][SAMPLES];
    int n = 0;
    for (int k = 0; k < SAMPLES; k++) {
        double angle = 2 * PI * (sector + (k + 0.5) / SAMPLES) / LINE_SECTORS, here[3], in[3], out[3];
        if (!colour_on_floor(here, f, c, r, angle) || !colour_on_floor(in, f, c, inside_in, angle) ||
            !colour_on_floor(out, f, c, outside_in, angle))
            continue;
        for (int i = 0; i < 3; i++)
            values[i][n] = here[i] - (in[i] + out[i]) / 2;
        n++;
    }
    for (int i = 0; i < 3; i++)
        off[i] = n ? (float)median_of(values[i], n) : 0;
}

void line_appearance_measure(struct line_appearance *out, const struct frame *f, const struct camera *camera,
                             const struct board *board)
{
    out->middle_in = board->circle_in[0] + board->line_width_in / 2;
    for (int s = 0; s < LINE_SECTORS; s++)
        for (int k = 0; k < LINE_BINS; k++) {
            double r = out->middle_in + REACH_IN * (2 * (k + 0.5) / LINE_BINS - 1);
            look_at_bin(out->off[s][k], f, camera, s, r, out->middle_in - 1.1 * REACH_IN,
                        out->middle_in + 1.1 * REACH_IN);
        }
}

void line_appearance_at(double off[3], const struct line_appearance *l, struct pt_in floor_at)
{
    double r = hypot(floor_at.x, floor_at.y), angle = atan2(floor_at.y, floor_at.x);
    double bin = ((r - l->middle_in) / REACH_IN + 1) / 2 * LINE_BINS - 0.5;
    double sector = (angle < 0 ? angle + 2 * PI : angle) / (2 * PI) * LINE_SECTORS - 0.5 + LINE_SECTORS;
    int k = (int)floor(bin), s = (int)floor(sector);
    for (int c = 0; c < 3; c++)
        off[c] = 0;
    if (k < 0 || k + 1 >= LINE_BINS)
        return;
    double fb = bin - k, fs = sector - s;
    const float(*here)[3] = l->off[s % LINE_SECTORS];
    const float(*next)[3] = l->off[(s + 1) % LINE_SECTORS];
    for (int c = 0; c < 3; c++)
        off[c] = (1 - fs) * ((1 - fb) * here[k][c] + fb * here[k + 1][c]) +
                 fs * ((1 - fb) * next[k][c] + fb * next[k + 1][c]);
}
