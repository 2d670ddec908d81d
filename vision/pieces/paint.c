// SPDX-License-Identifier: MIT
#include "vision/pieces/paint.h"

#include <math.h>

#include "vision/pieces/colour.h"

// One sigma of what happens to the faces of one paint in one picture.
static const double LIGHT_LOG = 0.25; // the light over a board differs by a quarter
static const double GLOSS = 0.15;     // of white's light, which a lamp's reflection lays over a whole face
static const double HUE_LAB = 3.5;    // of a*, b*: wood differs from disc to disc, lamps and windows in colour
static const double LIGHTNESS_LAB = 5;
enum { LIGHTS = 12, DIMMER = 8 }; // light in steps of 15 %, from a third to one and a half times as much
static const double LIGHT_STEP = 0.15;

// How far `seen` is from what `paint` can look like in some light.
static double beyond(const double seen[3], const double paint[3])
{
    double light[3], of_paint[3], least2 = INFINITY;
    colour_lab_to_xyz(light, seen);
    colour_lab_to_xyz(of_paint, paint);
    for (int k = 0; k < LIGHTS; k++) {
        double step = LIGHT_STEP * (k - DIMMER), share = exp(step), made[3], lab[3];
        double gloss = fmax(light[1] - share * of_paint[1], 0);
        for (int c = 0; c < 3; c++)
            made[c] = share * of_paint[c] + gloss;
        colour_xyz_to_lab(lab, made);
        double off2 = pow(step / LIGHT_LOG, 2) + pow(gloss / GLOSS, 2) + pow((lab[0] - seen[0]) / LIGHTNESS_LAB, 2) +
                      (pow(lab[1] - seen[1], 2) + pow(lab[2] - seen[2], 2)) / (HUE_LAB * HUE_LAB);
        least2 = fmin(least2, off2);
    }
    return sqrt(least2);
}

double paint_apart(const double a[3], const double b[3])
{
    return fmin(beyond(a, b), beyond(b, a));
}
