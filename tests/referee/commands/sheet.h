// SPDX-License-Identifier: MIT
// sheet.h: the printed target, read back from its PDF, to be painted by shown.h.
#ifndef RINGSIDE_TESTS_REFEREE_COMMANDS_SHEET_H
#define RINGSIDE_TESTS_REFEREE_COMMANDS_SHEET_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calibration/units.h"
#include "tests/cmocka.h"

enum { SHEET_MAX_SQUARES = 64 };
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
static inline double sheet_code(const void *what, struct pt_in at)
{
    const struct sheet *s = what;
    double x = at.x + s->width_in / 2, y = at.y + s->height_in / 2;
    if (x < 0 || y < 0 || x > s->width_in || y > s->height_in)
        return SHEET_GROUND;
    for (int i = 0; i < s->squares; i++)
        if (x > s->x_in[i] && y > s->y_in[i] && x < s->x_in[i] + s->side_in[i] && y < s->y_in[i] + s->side_in[i])
            return SHEET_INK;
    return SHEET_PAPER;
}

#endif
