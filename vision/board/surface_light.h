// SPDX-License-Identifier: MIT
// surface_light.h: how much lighter a board is than it was: for each channel a gain that may slope across it, as lamps and
// clouds make it.
#ifndef RINGSIDE_VISION_BOARD_SURFACE_LIGHT_H
#define RINGSIDE_VISION_BOARD_SURFACE_LIGHT_H

enum { LIGHT_SAMPLES_MAX = 4000 };

struct light_sample {
    double x, y;           // place on the board, -1 .. 1
    const float *was, *is; // B, G, R codes
};

struct light {
    double gain[3][3]; // of each channel: in the middle, its slopes along x and y
};

// Robust against what lies on less than half of the places. Without enough of them nothing has changed. `noise`: 1 sigma of
// what is left, each channel, codes of the light that was.
void light_fit(struct light *out, double noise[3], const struct light_sample *sample, int n);

double light_gain(const struct light *l, int channel, double x, double y);

#endif
