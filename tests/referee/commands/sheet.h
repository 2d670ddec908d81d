// SPDX-License-Identifier: MIT
// sheet.h: the printed target, read back from its PDF and painted as a camera sees it. Include after cmocka.h.
#ifndef RINGSIDE_TESTS_REFEREE_COMMANDS_SHEET_H
#define RINGSIDE_TESTS_REFEREE_COMMANDS_SHEET_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calibration/camera.h"
#include "vision/frame.h"

enum { SHEET_MAX_SQUARES = 64, SHEET_SUBPIXELS = 3 };
static const double SHEET_GROUND = 90, SHEET_PAPER = 215, SHEET_INK = 35; // codes

struct sheet {
    double width_in, height_in;
    int squares;
    double x_in[SHEET_MAX_SQUARES], y_in[SHEET_MAX_SQUARES],
        side_in[SHEET_MAX_SQUARES]; // black ones, from the bottom left
};

// From the words of the PDF: its page and the squares filled on it.
static inline void sheet_read(struct sheet *out, const char *pdf)
{
    const char *box = strstr(pdf, "/MediaBox [0 0 ");
    double x, y, w, h;
    assert_non_null(box);
    assert_int_equal(sscanf(box, "/MediaBox [0 0 %lf %lf]", &w, &h), 2);
    *out = (struct sheet){ .width_in = w / 72, .height_in = h / 72 };
    for (const char *line = strstr(pdf, "stream\n"); line; line = strchr(line + 1, '\n')) {
        char verb[4] = "";
        if (sscanf(line, " %lf %lf %lf %lf %3s", &x, &y, &w, &h, verb) != 5 || strcmp(verb, "re") != 0)
            continue;
        assert_true(out->squares < SHEET_MAX_SQUARES && fabs(w - h) < 1e-9);
        out->x_in[out->squares] = x;
        out->y_in[out->squares] = y;
        out->side_in[out->squares++] = w;
    }
}

// The sheet's middle is the board's centre.
static inline double sheet_code(const struct sheet *s, struct pt_in at)
{
    double x = at.x + s->width_in / 2, y = at.y + s->height_in / 2;
    if (x < 0 || y < 0 || x > s->width_in || y > s->height_in)
        return SHEET_GROUND;
    for (int i = 0; i < s->squares; i++)
        if (x > s->x_in[i] && y > s->y_in[i] && x < s->x_in[i] + s->side_in[i] && y < s->y_in[i] + s->side_in[i])
            return SHEET_INK;
    return SHEET_PAPER;
}

// The mean light of a pixel whose middle sees `at`, the places around it lying as J says.
static inline double sheet_light(const struct sheet *s, struct pt_in at, const double J[2][2])
{
    double det = J[0][0] * J[1][1] - J[0][1] * J[1][0], light = 0;
    for (int k = 0; k < SHEET_SUBPIXELS * SHEET_SUBPIXELS; k++) {
        double du = (k % SHEET_SUBPIXELS + 0.5) / SHEET_SUBPIXELS - 0.5;
        double dv = (k / SHEET_SUBPIXELS + 0.5) / SHEET_SUBPIXELS - 0.5;
        double code = sheet_code(s, (struct pt_in){ at.x + (J[1][1] * du - J[0][1] * dv) / det,
                                                    at.y + (J[0][0] * dv - J[1][0] * du) / det });
        light += code * code / (SHEET_SUBPIXELS * SHEET_SUBPIXELS);
    }
    return light;
}

// Paints the whole frame.
static inline void sheet_paint(struct frame *f, const struct camera *c, const struct sheet *s)
{
    uint32_t seed = 7;
    for (int v = 0; v < f->height; v++)
        for (int u = 0; u < f->width; u++) {
            struct pt_in at;
            double J[2][2], light = SHEET_GROUND * SHEET_GROUND;
            if (camera_locate(&at, c, (struct pt_px){ u, v }, 0) &&
                camera_jacobian(J, c, (struct pt3_in){ at.x, at.y, 0 }))
                light = sheet_light(s, at, (const double(*)[2])J);
            seed = seed * 1664525u + 1013904223u;
            double code = sqrt(light) + (seed >> 24) / 64.0 - 2;
            memset(f->bgr + 3 * ((size_t)v * (size_t)f->width + (size_t)u), (int)(code + 0.5), 3);
        }
}

#endif
