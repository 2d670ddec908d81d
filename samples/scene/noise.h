// SPDX-License-Identifier: MIT
// noise.h: repeatable chance: a small generator (SplitMix64) and smooth noise over a plane.
#ifndef RINGSIDE_SAMPLES_SCENE_NOISE_H
#define RINGSIDE_SAMPLES_SCENE_NOISE_H

#include <stdint.h>

struct chance {
    uint64_t state; // any seed; the same seed gives the same numbers on every machine
};

double chance_unit(struct chance *c); // 0 <= x < 1
double chance_between(struct chance *c, double low, double high);
double chance_normal(struct chance *c);    // mean 0, sigma 1
int chance_below(struct chance *c, int n); // 0 .. n - 1

double noise_cell(int x, int y, uint32_t seed);         // 0 .. 1, one number a cell
double noise_smooth(double x, double y, uint32_t seed); // 0 .. 1, features one unit wide
double noise_layers(double x, double y, int layers,
                    uint32_t seed); // 0 .. 1, each layer half as wide and half as strong

#endif
