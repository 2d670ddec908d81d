// SPDX-License-Identifier: MIT
// sphere_model.h: what a sphere on a carpet looks like to a camera, for the fits of marbles and of their light.
//
// Every pixel of a window is a sum of columns, each with its own colour: the sphere (even, shaded to two sides,
// brighter or darker towards its rim), the carpet (even and sloping), and what the sphere keeps off it: the sky, and
// the lamp. Columns follow from place and size; their colours are solved linearly under what is usual (variable
// projection: Golub, Pereyra 1973). Borders are blurred as the picture is, colour more than luma.
#ifndef RINGSIDE_VISION_PIECES_SPHERE_MODEL_H
#define RINGSIDE_VISION_PIECES_SPHERE_MODEL_H

#include "vision/detection.h"
#include "vision/frame.h"
#include "vision/pieces/line_appearance.h"
#include "vision/tuning.h"

enum { SPHERE_SAMPLES = 400, SPHERE_CHANNELS = 3 };

// Of channels: colour is blurred more than luma.
enum sphere_kind { SPHERE_LUMA, SPHERE_CHROMA, SPHERE_KINDS };
static const int sphere_kind_of[SPHERE_CHANNELS] = { SPHERE_LUMA, SPHERE_CHROMA, SPHERE_CHROMA };

enum sphere_column {
    SPHERE_TOP,
    SPHERE_TOP_X,
    SPHERE_TOP_Y,
    SPHERE_TOP_RIM,
    SPHERE_GROUND,
    SPHERE_GROUND_X,
    SPHERE_GROUND_Y,
    SPHERE_CONTACT,
    SPHERE_SHADOW,
    SPHERE_COLUMNS
};

// Where a model can go: place and size, in radii and shares of the radius; the light's shine as in struct sphere_light.
enum {
    SPHERE_X,
    SPHERE_Y,
    SPHERE_GROW,
    SPHERE_MOVES,
    SPHERE_SHINE = SPHERE_MOVES,
    SPHERE_LIT_MOVES = SPHERE_SHINE + 3
};

// Where shadows fall: by how much the shadow of a point moves over the floor for each inch of the point's height; {0,
// 0} when none show. How dark they are, as a change of the carpet's colour (colour.h), with 1 sigma.
struct sphere_light {
    double x, y;
    double shade[SPHERE_CHANNELS], shade_sigma[SPHERE_CHANNELS];
    double contact[SPHERE_CHANNELS], contact_sigma[SPHERE_CHANNELS]; // the same where the sphere keeps the sky off
    double shine[3]; // how much brighter a sphere is where it faces x, y and up, as a share of its mean
};

// What is known of the picture around all marbles.
struct sphere_scene {
    const struct frame *frame;
    const struct board_pose *pose;
    const struct line_appearance *line;
    const struct marble_tuning *tuning;
    double blur_px; // 1 sigma of luma's edges
    double noise
        [SPHERE_CHANNELS]; // 1 sigma of the error that each pixel surely has by itself, independent of its neighbours
    double texture_px;     // at least so many pixels share the error that the carpet's texture makes (texture.h)
    double carpet[SPHERE_CHANNELS]; // what is usual of sphere_window's scatter in the picture; 0: not known yet
    struct sphere_light light;
};

struct sphere_sample {
    struct pt_in floor; // where its line of sight meets the floor
    double sight[3];    // from there towards the camera, of unit length
    double colour[SPHERE_CHANNELS];
    double off[SPHERE_CHANNELS]; // what line and neighbours' shadows do to the floor there
    double weight;
};

struct sphere_window {
    const struct sphere_scene *scene;
    int n;
    struct sphere_sample sample[SPHERE_SAMPLES];
    double blur_in[SPHERE_KINDS];
    // 1 sigma by which the mean of `correlated_pixels` neighbours is off the carpet's colour: by
    // the error that they share, and by the mean of the noise that each has by itself.
    double scatter[SPHERE_CHANNELS];
    bool ground_seen; // enough bare carpet to measure the scatter
    bool shadows;
    double lamp[3];  // from the floor towards the lamp, of unit length
    double penumbra; // how soft shadows' borders are, as a share of the sphere's radius
};

struct sphere_model {
    struct pt_in at;
    double radius_in;
    double shine[3]; // struct sphere_light
    bool bare;       // no sphere and no shadow: carpet alone
    double colour[SPHERE_CHANNELS][SPHERE_COLUMNS];
};

bool sphere_casts_shadow(const struct sphere_light *l);

// A sphere of which no colour is known yet.
struct sphere_model sphere_at(struct pt_in at, double radius_in, const struct sphere_light *l);

struct sphere_model sphere_moved(const struct sphere_model *m, int move, double step);

// Sets the light that the window is seen in.
void sphere_window_light(struct sphere_window *w, const struct sphere_scene *s);

// The pixels within reach_in of where the model stands, less those on other marbles, and the scatter of the carpet
// among them, each channel by itself, noise and tufts together. False when there are too few.
bool sphere_window_open(struct sphere_window *w, const struct sphere_scene *s, struct sphere_model *m, double reach_in,
                        const struct sphere_model *others, int n);

// About `most` of the window's pixels, spread all over it: enough to judge a model roughly.
void sphere_window_thin(struct sphere_window *out, const struct sphere_window *w, int most);

// A pixel under the model: how much of it each column is, and the geometry behind that.
struct sphere_pixel {
    double part[SPHERE_COLUMNS][SPHERE_KINDS];
    double ball[SPHERE_KINDS], shadow[SPHERE_KINDS]; // shares that sphere and shadow cover
    // From the sphere's centre to where the line of sight passes nearest to it, and the line from
    // the floor to the lamp.
    double off[3], lamp_off[3];
    double pass_in, lamp_pass_in; // the lengths of those
    double facing[3];             // of the surface that is met, or of the rim that is passed
    double inwards;               // how far towards the camera it faces, 0 beside the sphere
    double sky;                   // share of an even sky that the sphere hides from the floor
};

void sphere_pixel_of(struct sphere_pixel *out, const struct sphere_window *w, const struct sphere_model *m,
                     const struct sphere_sample *p);

// What the pixel is beyond the model, in units of the carpet's scatter, and its slope by each of the first `moves`.
void sphere_residuals(double out[SPHERE_CHANNELS], const struct sphere_window *w, const struct sphere_model *m,
                      const struct sphere_sample *p, const struct sphere_pixel *at);
void sphere_slopes(double out[SPHERE_LIT_MOVES][SPHERE_CHANNELS], const struct sphere_window *w,
                   const struct sphere_model *m, const struct sphere_sample *p, const struct sphere_pixel *at,
                   int moves);

// The weighted sums over the window's pixels that determine the colours.
struct sphere_sums {
    double squares[SPHERE_COLUMNS][SPHERE_COLUMNS][SPHERE_KINDS]; // of the lower triangle
    double products[SPHERE_CHANNELS][SPHERE_COLUMNS];
    double seen2[SPHERE_CHANNELS];
    double ball; // pixels that the sphere hides
};

// Fills pixel[i] of each sample that counts, and sums them up.
void sphere_sum_up(struct sphere_sums *out, struct sphere_pixel pixel[SPHERE_SAMPLES], const struct sphere_window *w,
                   const struct sphere_model *m);

// The normal matrix of a channel's colours, what is believed of them included.
void sphere_colour_matrix(double A[SPHERE_COLUMNS][SPHERE_COLUMNS], const struct sphere_sums *sums,
                          const struct sphere_window *w, int channel);

// How well a model suits.
struct sphere_evidence {
    double misfit[SPHERE_CHANNELS]; // half the sum of squares, colours' priors included, in units of the scatter
    double ball;                    // pixels that the sphere hides
};

// Gives the model the colours that suit place and size best; out (may be NULL): how well they do. False when the pixels
// leave them open.
bool sphere_solve_colours(struct sphere_evidence *out, struct sphere_model *m, const struct sphere_sums *sums,
                          const struct sphere_window *w);
bool sphere_suit_colours(struct sphere_evidence *out, struct sphere_model *m, const struct sphere_window *w);

#endif
