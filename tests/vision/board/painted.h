// SPDX-License-Identifier: MIT
// painted.h: pictures of boards for tests, painted through a known camera: light is averaged over each pixel as a
// sensor does, noise added, and a wedge may be covered as by an arm.
#ifndef RINGSIDE_TESTS_VISION_BOARD_PAINTED_H
#define RINGSIDE_TESTS_VISION_BOARD_PAINTED_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/board.h"
#include "calibration/camera.h"
#include "vision/frame.h"

struct paint {
    double ground[3], wood[3], line[3]; // B G R codes
    double noise;                       // codes, about 1 sigma
    double covered_rad;                 // width of a covered wedge
};

enum { SUBPIXELS = 3 };
static const double MOST_STRAY_IN = 0.3;

static inline const double *paint_at(const struct board *b, const struct paint *p, struct pt_in at)
{
    // hypot is a call, at each of millions of places
    double r = sqrt(at.x * at.x + at.y * at.y), half = b->line_width_in / 2;
    double surface = b->surface_radius_in > 0 ? b->surface_radius_in : b->circle_in[0] * 1e3;
    if (r > surface || (p->covered_rad > 0 && fabs(atan2(at.y, at.x)) < p->covered_rad / 2))
        return p->ground;
    for (int i = 0; i < b->circles; i++) {
        double middle = b->circle_in[i] + (b->edge == CIRCLE_LINE_INSIDE ? half : 0);
        bool near = fabs(r - middle) < half + MOST_STRAY_IN;
        if (near && fabs(r - middle - board_line_deviation_in(b->line_deviation_in[i], atan2(at.y, at.x))) < half)
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

// Where the corners of a row of pixels lie on the board; those above the horizon are not seen.
struct corners {
    bool seen;
    struct pt_in at;
};

static inline void locate_corners(struct corners *out, const struct camera *c, int width, int v)
{
    for (int u = 0; u <= width; u++)
        out[u].seen = camera_locate(&out[u].at, c, (struct pt_px){ u - 0.5, v - 0.5 }, 0);
}

// The light of one pixel: places within it lie evenly between its corners.
static inline void paint_pixel(double light[3], const struct corners *top, const struct corners *bottom,
                               const struct board *b, const struct paint *p)
{
    bool seen = top[0].seen && top[1].seen && bottom[0].seen && bottom[1].seen;
    for (int k = 0; k < SUBPIXELS * SUBPIXELS; k++) {
        double x = (k % SUBPIXELS + 0.5) / SUBPIXELS, y = (k / SUBPIXELS + 0.5) / SUBPIXELS;
        double w[4] = { (1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y };
        struct pt_in at = {
            w[0] * top[0].at.x + w[1] * top[1].at.x + w[2] * bottom[0].at.x + w[3] * bottom[1].at.x,
            w[0] * top[0].at.y + w[1] * top[1].at.y + w[2] * bottom[0].at.y + w[3] * bottom[1].at.y,
        };
        const double *code = seen ? paint_at(b, p, at) : p->ground;
        for (int i = 0; i < 3; i++)
            light[i] += code[i] * code[i] / (SUBPIXELS * SUBPIXELS);
    }
}

// Paints the whole frame.
static inline void paint_board(struct frame *f, const struct camera *c, const struct board *b, const struct paint *p)
{
    uint32_t seed = 99;
    size_t row = (size_t)f->width + 1;
    struct corners *corners = calloc(2 * row, sizeof *corners), *top = corners, *bottom = corners + row;
    assert_non_null(corners);
    locate_corners(bottom, c, f->width, 0);
    for (int v = 0; v < f->height; v++) {
        struct corners *swap = top;
        top = bottom;
        bottom = swap;
        locate_corners(bottom, c, f->width, v + 1);
        for (int u = 0; u < f->width; u++) {
            double light[3] = { 0 };
            paint_pixel(light, top + u, bottom + u, b, p);
            for (int i = 0; i < 3; i++) {
                double code = sqrt(light[i]) + p->noise * painted_noise(&seed);
                f->bgr[3 * ((size_t)v * (size_t)f->width + (size_t)u) + (size_t)i] =
                    (uint8_t)fmax(0, fmin(255, code + 0.5));
            }
        }
    }
    free(corners);
}

// Every pixel sees a little of those beside it: 1 px of sigma, in light.
static inline void painted_blur(struct frame *f)
{
    size_t row = 3 * (size_t)f->width, n = row * (size_t)f->height;
    float *light = malloc(n * sizeof *light), *was = malloc(n * sizeof *was);
    assert_non_null(light);
    assert_non_null(was);
    float of_code[256];
    for (int code = 0; code < 256; code++)
        of_code[code] = (float)pow(code / 255.0, 2.2);
    for (size_t i = 0; i < n; i++)
        light[i] = of_code[f->bgr[i]];
    for (int pass = 0; pass < 4; pass++) {
        size_t step = pass % 2 ? row : 3;
        memcpy(was, light, n * sizeof *was);
        for (size_t i = row; i < n - row; i++)
            light[i] = (was[i - step] + 2 * was[i] + was[i + step]) / 4;
    }
    for (size_t i = 0; i < n; i++)
        f->bgr[i] = (uint8_t)lround(255 * pow((double)light[i], 1 / 2.2));
    free(was);
    free(light);
}

#endif
