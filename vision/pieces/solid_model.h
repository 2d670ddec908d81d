// SPDX-License-Identifier: MIT
// solid_model.h: the pixels around a solid as the sum of what it shows, each part in its colour.
//
// Light adds up where a pixel shows two things, so all of it is counted in linear light. Top, side and ground have each one
// colour; top and ground may slope; rim, side and wall are shaded by the picture's light, and where that is not quite so
// a deviation is fitted. Chroma is blurred more than luma.
#ifndef RINGSIDE_VISION_PIECES_SOLID_MODEL_H
#define RINGSIDE_VISION_PIECES_SOLID_MODEL_H

#include "vision/pieces/solid.h"
#include "vision/pieces/solid_window.h"

// What the pixels are sums of; from PART_SIDE on they are corrections.
enum {
    PART_TOP,
    PART_GROUND,
    PART_FLOOR,
    PART_SIDE,
    PART_WALL,
    PART_GROUND_X,
    PART_GROUND_Y,
    PART_TOP_X,
    PART_TOP_Y,
    PART_SIDE_UP,
    PARTS
};

enum { LUMA, CHROMA, CHANNELS }; // of colour.h's three values the first, and the other two

struct solid_model {
    struct solid_stand stand;
    double colour[PARTS][3]; // linear light
};

// The pixels and how far the model explains them.
struct solid_pixels {
    struct window w;
    struct solid_light light;
    double grow_sigma_in;                  // of what is believed of the outline's growth: none
    double rounding_in, rounding_sigma_in; // what is believed of it
    double blur_in;                        // and of the blur
    int numbers;                           // of those fitted; what follows them is taken as known
    double chroma_blur;                    // times luma's
    struct pt_in middle;                   // of the window: the ground's slope is counted from here
    double weight[SOLID_SAMPLES];          // how far a pixel is believed: Tukey's
    double says[SOLID_SAMPLES];            // how far it can tell of this solid at this place
    double share[SOLID_SAMPLES][SOLID_PARTS];
    double part[SOLID_SAMPLES][CHANNELS][PARTS];
    double scatter[3];                       // of the ground, 8-bit steps
    double inverse[CHANNELS][PARTS * PARTS]; // of the colours' normal matrices
};

static inline int solid_channel(int value)
{
    return value == 0 ? LUMA : CHROMA;
}

// What pixel i shows of each part, for the model as it stands.
void solid_model_parts(double share[SOLID_PARTS], double part[CHANNELS][PARTS], const struct solid_pixels *p,
                       const struct solid_model *m, int i);

// The same for all pixels.
void solid_model_place(struct solid_pixels *p, const struct solid_model *m);

// The colours that suit the place best. False when the pixels do not determine them.
bool solid_model_paint(struct solid_model *m, struct solid_pixels *p);

// What the model leaves of pixel i, in units of the ground's scatter.
void solid_model_residual(double out[3], const struct solid_pixels *p, const struct solid_model *m, int i);

// Weighted sum of squares of what the model leaves; the weights' sum.
double solid_model_misfit(const struct solid_pixels *p, const struct solid_model *m, double *weights);

// Tukey weights by what the model leaves.
void solid_model_weigh(struct solid_pixels *p, const struct solid_model *m);

#endif
