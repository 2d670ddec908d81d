// SPDX-License-Identifier: MIT
// ball.h: what a ball on a carpet looks like to a camera, for the fit of marbles and of the light they stand in.
//
// Every pixel of a window is a sum of columns, each with its own colour: the ball (even, shaded to two sides, brighter or
// darker towards its rim), the carpet (even and sloping), and what the ball keeps off it: the sky, and the lamp. Columns
// follow from place and size; their colours are solved linearly under what is usual.
#ifndef RINGSIDE_VISION_PIECES_BALL_H
#define RINGSIDE_VISION_PIECES_BALL_H

#include "vision/pieces/marble_fit.h"

enum { BALL_SAMPLES = 400, BALL_COARSE_SAMPLES = 60, BALL_CHANNELS = 3 };

// Of channels: colour is blurred more than luma.
enum ball_kind { BALL_LUMA, BALL_CHROMA, BALL_KINDS };
static const int ball_kind_of[BALL_CHANNELS] = { BALL_LUMA, BALL_CHROMA, BALL_CHROMA };

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

struct ball_sample {
    struct pt_in floor; // where its line of sight meets the floor
    double sight[3];    // from there towards the camera, of unit length
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
    double lamp[3];  // from the floor towards the lamp, of unit length
    double penumbra; // how soft shadows' borders are, as a share of the ball's radius
};

struct ball_model {
    struct pt_in at;
    double radius_in;
    double shine[3]; // struct light
    bool bare;       // no ball and no shadow: carpet alone
    double colour[BALL_CHANNELS][BALL_COLUMNS];
};

bool ball_casts_shadow(const struct light *l);

// A ball of which no colour is known yet.
struct ball_model ball_at(struct pt_in at, double radius_in, const struct light *l);

// Sets the light that the window is seen in.
void ball_window_light(struct ball_window *w, const struct marble_scene *s);

// The pixels within reach_in of where the model stands, less those on other marbles, and the scatter of the carpet among
// them, each channel by itself, noise and tufts together. False when there are too few.
bool ball_window_open(struct ball_window *w, const struct marble_scene *s, struct ball_model *m, double reach_in,
                      const struct marble_fit *others, int n);

// A part of the window's pixels, spread all over it: enough to tell roughly how good a model is.
void ball_window_thin(struct ball_window *out, const struct ball_window *w);

// How much of a pixel each column is.
struct ball_mix {
    double part[BALL_KINDS][BALL_COLUMNS];
};

void ball_columns(struct ball_mix *out, const struct ball_window *w, const struct ball_model *m,
                  const struct ball_sample *p);

// Of each sample of the window; what weighs nothing is left out.
void ball_mix_all(struct ball_mix out[BALL_SAMPLES], const struct ball_window *w, const struct ball_model *m);

// What the window's pixels tell of the colours.
struct ball_sums {
    double squares[BALL_KINDS][BALL_COLUMNS][BALL_COLUMNS]; // lower triangle
    double products[BALL_CHANNELS][BALL_COLUMNS];
};

void ball_sum_up(struct ball_sums *out, const struct ball_window *w, const struct ball_mix mix[BALL_SAMPLES]);

// The normal matrix of a channel's colours, what is believed of them included.
void ball_colour_matrix(double A[BALL_COLUMNS * BALL_COLUMNS], const struct ball_sums *sums,
                        const struct ball_window *w, int channel);

// The colours that suit place and size best; the second sums up by itself, the third tells the sum of the
// surprises (below) with them, of pixels that weigh anything. False,
// or INFINITY, when the pixels do not determine them.
bool ball_solve_colours(struct ball_model *m, const struct ball_sums *sums, const struct ball_window *w);
bool ball_suit_colours(struct ball_model *m, const struct ball_window *w);
double ball_least_surprise(struct ball_model *m, const struct ball_window *w);

// What a pixel, whose columns are given, is beyond the model, in units of the carpet's scatter.
void ball_residuals(double out[BALL_CHANNELS], const struct ball_window *w, const struct ball_model *m,
                    const struct ball_sample *p, const struct ball_mix *mix);

// Channel by channel, of all pixels of the window alike: half the sum of squares, colours' priors included, in units of the
// scatter.
void ball_surprises(double out[BALL_CHANNELS], const struct ball_window *w, const struct ball_model *m);

#endif
