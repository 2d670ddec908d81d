// SPDX-License-Identifier: MIT
#include "referee/announce/piece_sheet.h"

#include <math.h>

#include "vision/rectify.h"

enum { COLUMNS = 4 };

// In units of draw_unit_px.
static const double LEGIBLE = 7; // radius from which on a piece is made out without help
static const double TILE = 62, GAP = 4, LETTERS = 8, WORDS_HIGH = 20;
static const double RADII_SEEN = 2.2; // half a tile

static const struct ink ground_ink = { 26, 20, 17, 1 };

bool piece_sheet_helps(const struct frame *f, double radius_px)
{
    return radius_px < LEGIBLE * draw_unit_px(f);
}

static void enlarge(struct frame *out, int u0, int v0, int side, const struct frame *f, const struct sheet_piece *p)
{
    double step = 2 * RADII_SEEN * p->radius_px / side;
    for (int v = 0; v < side; v++)
        for (int u = 0; u < side; u++) {
            float bgr[3];
            uint8_t *to = out->bgr + 3 * ((size_t)(v0 + v) * (size_t)out->width + (size_t)(u0 + u));
            if (frame_sample(bgr, f, p->px.u + (u - (side - 1) / 2.0) * step, p->px.v + (v - (side - 1) / 2.0) * step,
                             SAMPLE_CODES))
                for (int c = 0; c < 3; c++)
                    to[c] = (uint8_t)lrintf(bgr[c]);
        }
}

int piece_sheet_make(struct frame **out, const struct frame *f, const struct sheet_piece *piece, int n,
                     struct fail *why)
{
    double unit_px = fmax(draw_unit_px(f), 0.6);
    int side = (int)lround(TILE * unit_px), gap = (int)lround(GAP * unit_px), words = (int)lround(WORDS_HIGH * unit_px);
    int columns = n < COLUMNS ? n : COLUMNS, rows = (n + COLUMNS - 1) / COLUMNS;
    int rc = frame_create(out, gap + columns * (side + gap), gap + rows * (side + words), why);
    if (rc < 0)
        return rc;
    struct frame *o = *out;
    draw_box(o, -1, -1, o->width, o->height, ground_ink);
    for (int i = 0; i < n && rc == 0; i++) {
        int u0 = gap + i % COLUMNS * (side + gap), v0 = gap + i / COLUMNS * (side + words);
        enlarge(o, u0, v0, side, f, &piece[i]);
        struct pt_px below = { u0 + side / 2.0, v0 + side + (words - gap) / 2.0 };
        rc = draw_letters(o, below, DRAW_CENTRED, LETTERS * unit_px, piece[i].ink, piece[i].words, why);
    }
    if (rc < 0) {
        frame_free(o);
        *out = NULL;
    }
    return rc;
}
