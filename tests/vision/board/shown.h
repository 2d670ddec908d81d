// SPDX-License-Identifier: MIT
// shown.h: flat things painted as a known camera sees them: light is averaged over each pixel, noise added.
#ifndef RINGSIDE_TESTS_VISION_BOARD_SHOWN_H
#define RINGSIDE_TESTS_VISION_BOARD_SHOWN_H

#include <math.h>
#include <string.h>

#include "calibration/camera.h"
#include "tests/calibration/held.h"
#include "vision/frame.h"

enum { SHOWN_SUBPIXELS = 3 };

// What is shown: its code (0 .. 255) at a place of the plane.
struct shown {
    double (*code)(const void *what, struct pt_in at);
    const void *what;
    double noise; // codes, 1 sigma
};

// The mean code of a pixel whose middle sees `at`; the places around it lie as J says.
static inline double shown_code(const struct shown *s, struct pt_in at, const double J[2][2])
{
    double det = J[0][0] * J[1][1] - J[0][1] * J[1][0], mean = 0;
    for (int k = 0; k < SHOWN_SUBPIXELS * SHOWN_SUBPIXELS; k++) {
        double du = (k % SHOWN_SUBPIXELS + 0.5) / SHOWN_SUBPIXELS - 0.5;
        double dv = (k / SHOWN_SUBPIXELS + 0.5) / SHOWN_SUBPIXELS - 0.5;
        const struct pt_in place = { at.x + (J[1][1] * du - J[0][1] * dv) / det,
                                     at.y + (J[0][0] * dv - J[1][0] * du) / det };
        mean += s->code(s->what, place) / (SHOWN_SUBPIXELS * SHOWN_SUBPIXELS);
    }
    return mean;
}

// Paints the whole frame, grey.
static inline void shown_paint(struct frame *f, const struct camera *c, const struct shown *s)
{
    const struct pt_in far = { 1e6, 1e6 };
    uint32_t seed = 7;
    for (int v = 0; v < f->height; v++)
        for (int u = 0; u < f->width; u++) {
            struct pt_in at;
            double J[2][2];
            bool hit = camera_locate(&at, c, (struct pt_px){ u, v }, 0) &&
                       camera_jacobian(J, c, (struct pt3_in){ at.x, at.y, 0 });
            double code = hit ? shown_code(s, at, (const double(*)[2])J) : s->code(s->what, far);
            code += s->noise * held_noise(&seed);
            memset(f->bgr + 3 * ((size_t)v * (size_t)f->width + (size_t)u), (int)fmin(fmax(code + 0.5, 0), 255), 3);
        }
}

// A chessboard with a white edge on some ground, its middle at the origin, squares of 1.
struct chequers {
    int columns, rows; // squares
    double dark, light, ground;
    bool all_dark; // tiles with light joints in place of a chessboard
};

static inline double chequers_code(const void *what, struct pt_in at)
{
    const struct chequers *p = what;
    const double joint = 0.08, edge = 0.7;
    double x = at.x + p->columns / 2.0, y = at.y + p->rows / 2.0;
    if (x < -edge || y < -edge || x > p->columns + edge || y > p->rows + edge)
        return p->ground;
    if (x < 0 || y < 0 || x > p->columns || y > p->rows)
        return p->light;
    if (p->all_dark)
        return fmod(x, 1) < joint || fmod(y, 1) < joint ? p->light : p->dark;
    return ((int)x + (int)y) % 2 ? p->light : p->dark;
}

#endif
