// SPDX-License-Identifier: MIT
#include "vision/board/oblique_verdict.h"

#include <math.h>

// What the two lines that show best show.
static void two_best_lines(double out[2], const struct oblique_view *view, const struct board *board)
{
    out[0] = out[1] = 0;
    for (int i = 0; i < board->circles; i++) {
        out[1] = fmax(out[1], fmin(view->line_strength[i], out[0]));
        out[0] = fmax(out[0], view->line_strength[i]);
    }
}

bool oblique_may_be_board(const struct oblique_view *view, const struct board *board, const struct oblique_tuning *t)
{
    double line[2];
    two_best_lines(line, view, board);
    return board->circles > 1 && board->quadrant_lines && line[1] >= t->lines_alone_least &&
           view->score + view->pegs >= t->lines_alone_score;
}

bool oblique_is_board(const struct oblique_view *view, const struct board *board, const struct oblique_tuning *t)
{
    double line[2];
    two_best_lines(line, view, board);
    bool lines = board->circles == 1 || line[1] >= t->second_line_least;
    return lines && (board->pegs < 2 ? view->score >= t->score_least && line[0] >= t->line_least
                                     : view->score + view->pegs >= t->score_least && view->pegs >= t->pegs_least);
}
