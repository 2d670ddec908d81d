// SPDX-License-Identifier: MIT
// painted.h: pictures of boards for tests, painted through a known camera: light is averaged over each pixel as a sensor
// does, noise added, and a wedge may be covered as by an arm.
#ifndef RINGSIDE_TESTS_VISION_BOARD_PAINTED_H
#define RINGSIDE_TESTS_VISION_BOARD_PAINTED_H

#include <math.h>

#include "calibration/board.h"
#include "calibration/camera.h"
#include "vision/frame.h"

struct paint {
    double ground[3], wood[3], line[3]; // B G R codes
    double noise;                       // codes, about 1 sigma
    double covered_rad;                 // width of a covered wedge
};

enum { SUBPIXELS = 3 };

static inline const double *paint_at(const struct board *b, const struct paint *p, struct pt_in at)
{
    double r = hypot(at.x, at.y), half = b->line_width_in / 2;
    double surface = b->surface_radius_in > 0 ? b->surface_radius_in : b->circle_in[0] * 1e3;
    if (r > surface || (p->covered_rad > 0 && fabs(atan2(at.y, at.x)) < p->covered_rad / 2))
        return p->ground;
    for (int i = 0; i < b->circles; i++) {
        double middle = b->circle_in[i] + (b->edge == CIRCLE_LINE_INSIDE ? half : 0);
        if (fabs(r - middle - board_stray_in(b->stray_in[i], atan2(at.y, at.x))) < half)
            return p->line;
    }
    if (r < b->hole_radius_in)
        return p->ground;
    bool on_axis = fmin(fabs(at.x), fabs(at.y)) < half;
    return b->quadrant_lines && on_axis && r < b->circle_in[0] && r > b->circle_in[1] ? p->line : p->wood;
}

static inline double painted_noise(uint32_t *seed)
{
    double sum = -2;
    for (int i = 0; i < 4; i++) {
        *seed = *seed * 1664525u + 1013904223u;
        sum += (*seed >> 8) / (double)(1 << 24);
    }
    return sum * 1.7320508;
}

// Paints the whole frame.
static inline void paint_board(struct frame *f, const struct camera *c, const struct board *b, const struct paint *p)
{
    uint32_t seed = 99;
    for (int v = 0; v < f->height; v++)
        for (int u = 0; u < f->width; u++) {
            double light[3] = { 0 };
            for (int k = 0; k < SUBPIXELS * SUBPIXELS; k++) {
                struct pt_px at = { u + (k % SUBPIXELS + 0.5) / SUBPIXELS - 0.5,
                                    v + (k / SUBPIXELS + 0.5) / SUBPIXELS - 0.5 };
                struct pt_in place;
                const double *code = camera_locate(&place, c, at, 0) ? paint_at(b, p, place) : p->ground;
                for (int i = 0; i < 3; i++)
                    light[i] += code[i] * code[i] / (SUBPIXELS * SUBPIXELS);
            }
            for (int i = 0; i < 3; i++) {
                double code = sqrt(light[i]) + p->noise * painted_noise(&seed);
                f->bgr[3 * ((size_t)v * (size_t)f->width + (size_t)u) + (size_t)i] =
                    (uint8_t)fmax(0, fmin(255, code + 0.5));
            }
        }
}

#endif
