// SPDX-License-Identifier: MIT
// score_table.h: the score as broadcasters draw it into a picture: a row a side with its colour, a dot for whose turn
// it is, the numbers under their heads.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_SCORE_TABLE_H
#define RINGSIDE_REFEREE_ANNOUNCE_SCORE_TABLE_H

#include <stdbool.h>

#include "referee/announce/labels.h"
#include "referee/rules/match.h"
#include "vision/draw.h"

enum { SCORE_ROWS_MAX = 4, SCORE_COLUMNS_MAX = 4, SCORE_WORDS_MAX = 80, SCORE_CELL_MAX = 40 };

struct score_row {
    char name[SCORE_WORDS_MAX];
    char colour[OBS_WORD_MAX]; // as pieces are told; empty: not known
    bool plays;                // whose turn it is
    char cell[SCORE_COLUMNS_MAX][SCORE_CELL_MAX];
};

struct score_table {
    char title[SCORE_WORDS_MAX];
    int columns; // the last one is the score, and larger
    char head[SCORE_COLUMNS_MAX][SCORE_CELL_MAX];
    int rows;
    struct score_row row[SCORE_ROWS_MAX];
    char foot[SCORE_WORDS_MAX]; // empty: none
};

// What counts on the board; as it reads, and as it may, where a call is close: "20 (10-20)".
void score_cell_points(char cell[SCORE_CELL_MAX], struct points points);

// The standing of a match: twenties and what is on the board where a game has them, games of several, points.
void score_table_of(struct score_table *out, const struct match *m);

// How large it becomes in that frame, pixels; and with its upper left corner there. RS_ELIB, RS_ENOMEM as draw_letters.
int score_table_size(double *width_px, double *height_px, const struct frame *f, const struct score_table *t,
                     struct fail *why);
int score_table_draw(struct frame *f, const struct score_table *t, struct pt_px corner, struct fail *why);

// How pieces of that colour are painted (paint.h).
struct ink paint_ink(const char *colour);

#endif
