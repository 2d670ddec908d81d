// SPDX-License-Identifier: MIT
// background_light.h: how much lighter a board is than it was: for each channel a gain that may slope across it, as lamps and
// clouds make it.
#ifndef RINGSIDE_VISION_BOARD_ILLUMINATION_H
#define RINGSIDE_VISION_BOARD_ILLUMINATION_H

enum { LIGHT_SAMPLES_MAX = 4000 };

struct illumination_sample {
    double x, y;           // place on the board, -1 .. 1
    const float *was, *is; // B, G, R codes
};

struct illumination {
    double gain[3][3]; // of each channel: in the middle, its slopes along x and y
};

// Robust against what lies on less than half of the places. Without enough of them nothing has changed. `noise`: 1 sigma of
// what is left, each channel, codes of the light that was.
void illumination_fit(struct illumination *out, double noise[3], const struct illumination_sample *sample, int n);

double illumination_gain(const struct illumination *l, int channel, double x, double y);

#endif
