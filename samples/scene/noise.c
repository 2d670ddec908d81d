// SPDX-License-Identifier: MIT
#include "samples/scene/noise.h"

#include <math.h>

#include "calibration/units.h"

static uint64_t scramble(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

double chance_unit(struct chance *c)
{
    c->state += UINT64_C(0x9E3779B97F4A7C15);
    return (double)(scramble(c->state) >> 11) * 0x1p-53;
}

double chance_between(struct chance *c, double low, double high)
{
    return low + (high - low) * chance_unit(c);
}

double chance_normal(struct chance *c)
{
    double u = 1 - chance_unit(c), v = chance_unit(c);
    return sqrt(-2 * log(u)) * cos(2 * PI * v);
}

int chance_below(struct chance *c, int n)
{
    return (int)(chance_unit(c) * n);
}

double noise_cell(int x, int y, uint32_t seed)
{
    uint32_t h = (uint32_t)x * 0x8DA6B343u ^ (uint32_t)y * 0xD8163841u ^ seed * 0xCB1AB31Fu;
    h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
    h = (h ^ (h >> 12)) * 0x297A2D39u;
    return (h ^ (h >> 15)) * 0x1p-32;
}

double noise_smooth(double x, double y, uint32_t seed)
{
    double fx = floor(x), fy = floor(y), u = x - fx, v = y - fy;
    int i = (int)fx, j = (int)fy;
    u = u * u * (3 - 2 * u);
    v = v * v * (3 - 2 * v);
    double top = noise_cell(i, j, seed) * (1 - u) + noise_cell(i + 1, j, seed) * u;
    double bottom = noise_cell(i, j + 1, seed) * (1 - u) + noise_cell(i + 1, j + 1, seed) * u;
    return top * (1 - v) + bottom * v;
}

double noise_layers(double x, double y, int layers, uint32_t seed)
{
    double sum = 0, weight = 1, total = 0;
    for (int i = 0; i < layers; i++) {
        sum += weight * noise_smooth(x, y, seed + (uint32_t)i);
        total += weight;
        weight *= 0.5;
        x = x * 2 + 17.3;
        y = y * 2 - 5.1;
    }
    return sum / total;
}
