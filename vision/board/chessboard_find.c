// SPDX-License-Identifier: MIT
#include "vision/board/chessboard_find.h"

#include <math.h>

#include "vision/opencv_c/opencv_c.h"
#include "vision/reduced.h"

// Widths at which the corners are looked for, pixels, one after the other until it is found. Time grows with the area:
// 0.1 s at the first, 0.3 s at the last. A square must be some 5 pixels wide there, so at the first it is a 130th of
// the picture's width. The finder at times steps over every second row of a board that is cut off, hardly ever at two
// widths. Of a tall strip the copy is narrower, so that its area stays bounded.
static const int SEARCH_WIDTHS_PX[] = { 640, 440, 1280 };
static const double TALLEST = 3; // times as tall as wide: more than any camera's pictures

// The window in which a corner is refined is twice this part of a square to each side, so that no other corner is in
// it; a larger one than 12 pixels gains nothing and takes in more of a bent line.
static const double REFINE_PART = 0.35;
enum { REFINE_LEAST_PX = 2, REFINE_MOST_PX = 12 };

// A grid of other things (tiles, letters, the markers of a ChArUco board) has no two kinds of squares.
static bool is_chequered(const struct chessboard *b, const uint8_t *luma, int width)
{
    int least[2] = { 255, 255 }, most[2] = { 0, 0 };
    for (int k = 0; k + 1 < b->rows; k++)
        for (int i = 0; i + 1 < b->columns; i++) {
            const struct pt_px *at = &b->corner[k * b->columns + i], *below = at + b->columns; // of the square
            long u = lround((at[0].u + at[1].u + below[0].u + below[1].u) / 4);
            long v = lround((at[0].v + at[1].v + below[0].v + below[1].v) / 4);
            int seen = luma[(size_t)v * (size_t)width + (size_t)u], kind = (i + k) % 2;
            least[kind] = seen < least[kind] ? seen : least[kind];
            most[kind] = seen > most[kind] ? seen : most[kind];
        }
    return most[0] < least[1] || most[1] < least[0];
}

static bool is_inside(const struct chessboard *b, const struct frame *f)
{
    for (int i = 0; i < chessboard_corners(b); i++) {
        struct pt_px at = b->corner[i];
        if (!frame_shows(f, at.u, at.v))
            return false;
    }
    return true;
}

int chessboard_find(struct chessboard *out, struct frame *f, enum chessboard_search search, struct fail *why)
{
    int rc = frame_luma(f, why);
    for (size_t i = 0; i < countof(SEARCH_WIDTHS_PX) && rc == 0; i++) {
        double corner[2 * CHESSBOARD_MAX_CORNERS],
            reduction = fmax(fmax(f->width, f->height / TALLEST) / SEARCH_WIDTHS_PX[i], 1);
        if (lround(fmin(f->width, f->height) / reduction) < 1) // nothing is left of a strip
            continue;
        struct frame *small = NULL;
        rc = frame_reduced(&small, f, reduction, why);
        if (rc == 0)
            rc = frame_luma(small, why);
        if (rc == 0)
            rc = cv_chessboard_u8(corner, CHESSBOARD_MAX_CORNERS, &out->columns, &out->rows, small->luma, small->width,
                                  small->height, why);
        for (int k = 0; rc == 0 && k < chessboard_corners(out); k++)
            out->corner[k] = pixel_enlarged((struct pt_px){ corner[2 * k], corner[2 * k + 1] }, reduction);
        frame_free(small);
        bool any = rc == 0 && out->columns > 0 && is_inside(out, f);
        if (any) {
            double room = REFINE_PART * chessboard_least_side_px(out);
            int n = chessboard_corners(out), reach = (int)fmin(fmax(room, REFINE_LEAST_PX), REFINE_MOST_PX);
            for (int k = 0; k < 2 * n; k++)
                corner[k] = k % 2 ? out->corner[k / 2].v : out->corner[k / 2].u;
            rc = cv_corners_refine_u8(corner, n, reach, f->luma, f->width, f->height, why);
            for (int k = 0; k < n && rc == 0; k++)
                out->corner[k] = (struct pt_px){ corner[2 * k], corner[2 * k + 1] };
        }
        if (rc == 0 && any && is_inside(out, f) && is_chequered(out, f->luma, f->width))
            return 1;
        if (!any && search == CHESSBOARD_LARGE)
            break;
    }
    return rc;
}
