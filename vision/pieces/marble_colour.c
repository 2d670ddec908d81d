// SPDX-License-Identifier: MIT
#include "vision/pieces/marble_colour.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/pieces/colour.h"

// CIE L*a*b* chroma beyond what is called wood when a disc has it: a marble is yellow or orange from halfway on, else white.
static const double WOOD_CHROMA = 46, PALE_CHROMA = 18;
static const double WHITEST = 255; // 8-bit

// Brighter by as much as the side that faces the light is, until a channel is full.
static void lit_side(double out[3], const double mean[3], const struct light *l)
{
    double blue = mean[0] + mean[1], red = mean[0] + mean[2];
    double green = (mean[0] - 0.114 * blue - 0.299 * red) / 0.587, most = fmax(red, fmax(green, blue));
    double lit = most > 0 ? fmax(fmin(1 + sqrt(vec3_dot(l->shine, l->shine)), WHITEST / most), 1) : 1;
    for (int c = 0; c < 3; c++)
        out[c] = lit * mean[c];
}

const char *marble_colour(const double mean[3], const struct light *l)
{
    double lab[3], lit[3];
    colour_to_lab(lab, mean);
    if (strcmp(colour_name(lab), "black") == 0) // no light makes it brighter; its highlight is no colour of its own
        return "black";
    lit_side(lit, mean, l);
    colour_to_lab(lab, lit);
    const char *name = colour_name(lab);
    if (strcmp(name, "natural") != 0 && strcmp(name, "brown") != 0)
        return name;
    double chroma = hypot(lab[1], lab[2]), vivid = chroma < PALE_CHROMA ? 0 : WOOD_CHROMA / chroma;
    lab[1] *= vivid;
    lab[2] *= vivid;
    return colour_name(lab);
}
