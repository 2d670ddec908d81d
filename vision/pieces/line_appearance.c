// SPDX-License-Identifier: MIT
#include "vision/pieces/line_appearance.h"

#include <math.h>

#include "calibration/algebra.h"
#include "vision/colour.h"
#include "vision/rectify.h"

enum { SAMPLES = 48, BESIDE = 3 }; // directions of a sector; rows between the bins and the carpet that they differ from
static const double REACH_IN = 1.2; // from the middle of the line: its own half width, blur and marbles on it

double line_appearance_reach_in(void)
{
    return REACH_IN;
}

int line_appearance_measure(struct line_appearance *out, const struct frame *f, const struct camera *camera,
                            const struct board *board, struct fail *why)
{
    struct raster raster = raster_polar(LINE_BINS + 2 * BESIDE, LINE_SECTORS * SAMPLES, 2 * REACH_IN / LINE_BINS);
    struct rectified view;
    out->middle_in = board_line_middle_in(board, 0);
    raster.first = (int)fmax(round((out->middle_in - REACH_IN) / raster.step_in) - BESIDE, 0);
    out->first_in = (raster.first + BESIDE) * raster.step_in;
    int rc = rectify(&view, &raster, f, camera, SAMPLE_CODES, why);
    if (rc < 0)
        return rc;
    colour_planes(view.plane, raster_cells(&raster));
    for (int i = 0; i < LINE_SECTORS * LINE_BINS * 3; i++) {
        int c = i % 3, k = i / 3 % LINE_BINS, sector = i / 3 / LINE_BINS, n = 0;
        const float *inside = view.plane[c] + sector * SAMPLES, *here = inside + (k + BESIDE) * raster.width;
        const float *outside = inside + (raster.height - 1) * raster.width;
        double values[SAMPLES];
        for (int a = 0; a < SAMPLES; a++) {
            values[n] = (double)(here[a] - (inside[a] + outside[a]) / 2);
            n += !isnan(values[n]);
        }
        out->off[sector][k][c] = n ? (float)median_of(values, n) : 0;
    }
    rectified_free(&view);
    return 0;
}

void line_appearance_at(double off[3], const struct line_appearance *l, struct pt_in floor_at)
{
    double r = hypot(floor_at.x, floor_at.y), angle = atan2(floor_at.y, floor_at.x);
    double bin = (r - l->first_in) / (2 * REACH_IN) * LINE_BINS;
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
