// SPDX-License-Identifier: MIT
// cylinder_model.h: the pixels around a solid as the sum of what it shows, each part in its colour.
//
// Light adds up where a pixel shows two things, so all of it is counted in linear light. Top, side and ground have each
// one colour; top and ground may slope; rim, side and wall are shaded by the picture's light, and where that is not
// quite so a deviation is fitted. Chroma is blurred more than luma.
#ifndef RINGSIDE_VISION_PIECES_CYLINDER_MODEL_H
#define RINGSIDE_VISION_PIECES_CYLINDER_MODEL_H

#include "vision/pieces/cylinder.h"
#include "vision/pieces/cylinder_window.h"

// What the pixels are sums of. A solid without a hole has the first ones alone.
enum {
    PART_TOP,
    PART_GROUND,
    PART_SIDE,
    PART_GROUND_X,
    PART_GROUND_Y,
    PART_TOP_X,
    PART_TOP_Y,
    PART_SIDE_UP,
    PART_FLOOR,
    PART_WALL,
    PARTS,
    PARTS_WITHOUT_HOLE = PART_FLOOR
};

enum { LUMA, CHROMA, MODEL_CHANNELS }; // of colour.h's three values the first, and the other two

struct cylinder_model {
    struct cylinder_view view;
    double colour[PARTS][3]; // linear light
};

// How the light falls on what a pixel shows.
struct shading {
    double rim, side, wall, ground, floor;
    double side_up;        // how far up the side
    struct pt_in from_top; // of the line of sight, where it meets the top's plane, from the top's middle
};

// What a pixel shows of the model as it stands.
struct shown {
    double border[CYLINDER_BORDERS], cover[MODEL_CHANNELS][CYLINDER_BORDERS];
    double share[MODEL_CHANNELS][CYLINDER_PARTS];
    struct shading shading;
};

// The pixels and how far the model explains them. What is summed over all of them lies in rows.
struct cylinder_pixels {
    struct pixel_window w;
    int n;       // of the window's pixels: the first so many are looked at now,
    double each; // and each of them counts for so many
    struct cylinder_light light;
    const struct disc_tuning *tuning;
    double grow_sigma_in;                  // of what is believed of the outline's growth: none
    double rounding_in, rounding_sigma_in; // what is believed of it
    double blur_in;                        // and of the blur
    double chroma_blur;                    // times luma's
    struct pt_in middle;                   // of the window: the ground's slope is counted from here
    int parts;                             // that this solid has
    double weight[WINDOW_SAMPLES];         // how far a pixel is believed: Tukey's
    double says[WINDOW_SAMPLES];           // how informative it is of this solid at this place
    struct shown shown[WINDOW_SAMPLES];
    double part[MODEL_CHANNELS][PARTS][WINDOW_SAMPLES];
    double seen[3][WINDOW_SAMPLES], slope[WINDOW_SAMPLES]; // the window's, in linear light, but for the ground's grain
    double off[3][WINDOW_SAMPLES];                         // what the model leaves of it, 8-bit steps
    double scatter[3];                                     // of the ground, 8-bit steps
    double inverse[MODEL_CHANNELS][PARTS * PARTS];         // of the colours' normal matrices
};

// The sum of a[i] * b[i], always in one order, four at a time: no compiler may choose that by itself.
static inline double cylinder_dot(const double *a, const double *b, int n)
{
    double sum[4] = { 0 };
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += a[i + k] * b[i + k];
    for (; i < n; i++)
        sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static inline int cylinder_channel(int value)
{
    return value == 0 ? LUMA : CHROMA;
}

// The numbers of a view that are fitted, after x and y of its place.
enum { MODEL_GROW = SLOPE_GROW, MODEL_ROUNDING, MODEL_BLUR, MODEL_NUMBERS };
static const double MODEL_STEP_IN = 1e-3; // of their derivatives

double *cylinder_model_number(struct cylinder_view *s, int k);

// What all pixels show, for the model as it stands.
void cylinder_model_place(struct cylinder_pixels *p, const struct cylinder_model *m);

// The first pixels of the window are the ones that are looked at.
void cylinder_model_look_at(struct cylinder_pixels *p, int n);

// The model a small step ahead in its place and its rounding, for slopes that are differences.
struct cylinder_ahead {
    struct cylinder_view moved[MODEL_GROW], rounder;
    struct cylinder_shadow shadow[MODEL_GROW];
};

struct cylinder_ahead cylinder_model_ahead(const struct cylinder_pixels *p, const struct cylinder_model *m);

// How much more of each colour pixel i shows, an inch of each number more, in linear light.
void cylinder_model_slopes(double slope[MODEL_NUMBERS][3], const struct cylinder_pixels *p,
                           const struct cylinder_model *m, const struct cylinder_ahead *ahead, int i);

// The colours that suit the place best, and what they leave of each pixel. False when the pixels leave them open.
bool cylinder_model_paint(struct cylinder_model *m, struct cylinder_pixels *p);

// The latter alone, for the model's colours as they are.
void cylinder_model_compare(struct cylinder_pixels *p, const struct cylinder_model *m);

// Weighted sum of squares of what the model leaves, in units of the ground's scatter; the weights' sum.
double cylinder_model_misfit(const struct cylinder_pixels *p, double *weights);

// Tukey weights by what the model leaves.
void cylinder_model_weigh(struct cylinder_pixels *p);

#endif
