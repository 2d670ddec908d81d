// SPDX-License-Identifier: MIT
// overlay.h: what was seen and called, drawn on the picture: the board's lines where they were found, each piece
// outlined with its zone, a table with the score, the last calls, a picture beside it. Tables stand in the corners
// where they hide least of the board, words about pieces beside them (labels.h).
#ifndef RINGSIDE_REFEREE_ANNOUNCE_OVERLAY_H
#define RINGSIDE_REFEREE_ANNOUNCE_OVERLAY_H

#include "referee/announce/score_table.h"
#include "referee/rules/piece_table.h"
#include "vision/draw.h"
#include "vision/track/tracker.h"
#include "vision/frame.h"
#include "vision/detection.h"

enum { OVERLAY_LINES_MAX = 8, OVERLAY_LINE_MAX = 160 };

struct overlay_lines {
    int count;
    char line[OVERLAY_LINES_MAX][OVERLAY_LINE_MAX];
};

// All borrowed. A board that was not found is left out with its pieces.
struct overlay {
    const struct board_pose *pose;
    const struct tracker_view *view; // the pieces in this frame
    const struct piece_table *table; // the pieces at rest, under the same ids: their zones
    const struct board *board;       // by which the zones are judged
    bool whole_board;                // also the quadrant lines, where they were seen, and the outer edge of a ring's
    const struct score_table *score; // top left, where the board leaves that; NULL: none
    struct overlay_lines panel;      // in its place, where there is no score
    struct overlay_lines calls;      // bottom left
    const struct frame *inset;       // top right: a close call enlarged, say; NULL: none
    bool enlarges;                   // pieces too small to be made out are numbered and enlarged beside (piece_sheet.h)
};

// Appends a line; the oldest is dropped when there are OVERLAY_LINES_MAX.
void overlay_say(struct overlay_lines *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

// RS_ELIB when OpenCV fails.
int overlay_draw(struct frame *f, const struct overlay *o, struct fail *why);

// The outline of one piece where it stands.
void overlay_outline(struct frame *f, const struct board_pose *pose, const struct detection *p, double pen_px,
                     struct ink ink);

// Half of its width in the picture, pixels.
double overlay_radius_px(const struct board_pose *pose, const struct detection *p);

// Letters so many units (draw_unit_px) high, and not so small that they cannot be drawn.
double overlay_letters_px(const struct frame *f, double units);

// Lines of text at the left, from v_px downwards; a negative v_px: where they end, from the bottom. RS_ELIB as above.
int overlay_write(struct frame *f, const struct overlay_lines *l, double v_px, double letters_px, struct fail *why);

#endif
