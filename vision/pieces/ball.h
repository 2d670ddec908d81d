// SPDX-License-Identifier: MIT
// ball.h: what a ball on a carpet looks like to a camera, for the fit of marbles and of the light they stand in.
//
// Every pixel of a window is a sum of columns, each with its own colour: the ball (even, shaded to two sides, brighter or
// darker towards its rim), the carpet (even and sloping), and what the ball keeps off it: the sky, and the lamp. Columns
// follow from place and size; their colours are solved linearly under what is usual.
#ifndef RINGSIDE_VISION_PIECES_BALL_H
#define RINGSIDE_VISION_PIECES_BALL_H

#include "vision/pieces/marble_fit.h"

enum { BALL_SAMPLES = 400, BALL_CHANNELS = 3 };

// Of channels: colour is blurred more than luma.
enum ball_kind { BALL_LUMA, BALL_CHROMA, BALL_KINDS };

enum ball_column {
    BALL_TOP,
    BALL_TOP_X,
    BALL_TOP_Y,
    BALL_TOP_RIM,
    BALL_GROUND,
    BALL_GROUND_X,
    BALL_GROUND_Y,
    BALL_CONTACT,
    BALL_SHADOW,
    BALL_COLUMNS
};

static const double BALL_LEAST_SCATTER = 1.5;   // 8-bit steps: noise and JPEG at their best
static const double BALL_CORRELATED_PIXELS = 5; // how many share one error: tufts, demosaicing, JPEG
static const double BALL_USUAL_SHADING = 12;    // 8-bit steps from the middle to the rim
static const double BALL_USUAL_SHADOW = 40;     // 8-bit steps

struct ball_sample {
    struct pt_in floor, ahead; // where its line of sight meets the floor, and one inch above it
    double colour[BALL_CHANNELS];
    double off[BALL_CHANNELS]; // what line and neighbours' shadows do to the floor there
    double weight;
};

struct ball_window {
    const struct marble_scene *scene;
    int n;
    struct ball_sample sample[BALL_SAMPLES];
    double blur_in[BALL_KINDS], scatter[BALL_CHANNELS];
    bool shadows;
};

struct ball_model {
    struct pt_in at;
    double radius_in;
    bool bare; // no ball and no shadow: carpet alone
    double colour[BALL_CHANNELS][BALL_COLUMNS];
};

bool ball_casts_shadow(const struct light *l);

// The pixels within reach_in of where the model stands, less those on other marbles. The scatter stays as it is.
// False when there are too few.
bool ball_window_fill(struct ball_window *w, const struct marble_scene *s, const struct ball_model *m, double reach_in,
                      const struct marble_fit *others, int n);

// How much of a pixel each column is.
void ball_columns(double out[BALL_COLUMNS], const struct ball_window *w, const struct ball_model *m,
                  const struct ball_sample *p, int kind);

// The colours that suit place and size best. False when the pixels do not determine them.
bool ball_solve_colours(struct ball_model *m, const struct ball_window *w);

// What a pixel is beyond the model, in units of the carpet's scatter.
void ball_residuals(double out[BALL_CHANNELS], const struct ball_window *w, const struct ball_model *m,
                    const struct ball_sample *p);

// Sets the scatter of the carpet alone, each channel by itself; noise and tufts together.
void ball_measure_scatter(struct ball_window *w, const struct ball_model *m);

// Of all pixels of the window alike: half the sum of squares, colours' priors included, in units of the scatter.
double ball_surprise(const struct ball_window *w, const struct ball_model *m);

#endif
