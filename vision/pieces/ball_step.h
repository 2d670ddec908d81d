// SPDX-License-Identifier: MIT
// ball_step.h: the normal equations of a ball's place and size, and of the light that it is seen in.
//
// Colours follow from all of these; they are eliminated from the equations (Schur complement), so that steps are whole ones
// and the inverse is the covariance with the colours unknown.
#ifndef RINGSIDE_VISION_PIECES_BALL_STEP_H
#define RINGSIDE_VISION_PIECES_BALL_STEP_H

#include "vision/pieces/ball.h"

// Place and size in radii and shares of it; the shine as it is in struct ball_model.
enum { MOVE_X, MOVE_Y, GROW, BALL_MOVES, SHINE_X = BALL_MOVES, SHINE_Y, SHINE_UP, BALL_LIT_MOVES };

static const double BALL_MOST_STEP = 0.25; // of the radius: a move beyond it leaves the linear range

// What is believed of a ball's size before it is seen.
struct ball_size {
    double radius_in, sigma; // the latter as a share of the radius
};

struct ball_normal {
    int moves;
    double N[BALL_LIT_MOVES * BALL_LIT_MOVES]; // moves x moves: J^T J
    double g[BALL_LIT_MOVES];                  // -J^T r
};

struct ball_model ball_moved(const struct ball_model *m, int which, double step);

// Of the first `moves` of the above, BALL_MOVES or BALL_LIT_MOVES; usual the size of most. Gives the model the
// colours that suit it best. False when the pixels do not determine them.
bool ball_normal_take(struct ball_normal *out, const struct ball_window *w, struct ball_model *m,
                      const struct ball_size *usual, int moves);

// One Gauss-Newton step of place and size; returns its length in radii, or a negative number when the pixels determine none.
double ball_step(struct ball_model *m, const struct ball_window *w, const struct ball_size *usual);

// Gives the window's pixels their Tukey weights under the model.
void ball_reweigh(struct ball_window *w, const struct ball_model *m);

#endif
