// SPDX-License-Identifier: MIT
#include "samples/scene/stuff.h"

#include "samples/scene/noise.h"

// Straight grain with fine pores: years as bands across, drawn out along the grain.
static double wood_tone(const struct stuff *m, double along, double across)
{
    double wander = noise_layers(along * 0.05, across * 0.12, 2, m->seed);
    double years = sin(2 * PI * (across / m->grain_in + 9 * wander));
    double fibre = noise_smooth(along * 1.1, across * 26, m->seed + 7);
    double pore = ramp(0.72, 0.95, noise_smooth(along * 2.3, across * 38, m->seed + 11));
    double patch = noise_layers(along * 0.07, across * 0.22, 2, m->seed + 13);
    return 0.36 * (0.5 + 0.5 * years * fabs(years)) + 0.3 * fibre + 0.35 * pore + 0.9 * (patch - 0.5) + 0.1;
}

// Boards side by side, each with its own tone and a dark joint.
static double plank_tone(const struct stuff *m, double along, double across)
{
    const double width_in = 5.5, length_in = 34;
    int row = (int)floor(across / width_in);
    double shift = length_in * noise_cell(row, 3, m->seed);
    int piece = (int)floor((along + shift) / length_in);
    double edge = fabs(across / width_in - row - 0.5), end = fabs((along + shift) / length_in - piece - 0.5);
    double joint = fmax(ramp(0.485, 0.497, edge), ramp(0.4975, 0.4993, end));
    struct stuff own = *m;
    own.seed += (uint32_t)(row * 131 + piece * 17);
    double tone = wood_tone(&own, along, across) + 0.35 * (noise_cell(row, piece, m->seed) - 0.5);
    return tone + 1.2 * joint;
}

static double linen_tone(const struct stuff *m, double x, double y)
{
    double thick = noise_smooth(x * 0.6, y * 9, m->seed) - noise_smooth(x * 9, y * 0.6, m->seed + 3);
    double weave = sin(2 * PI * x / m->grain_in) * sin(2 * PI * y / m->grain_in);
    return 0.5 + 0.25 * weave + 0.35 * thick + 0.2 * (noise_layers(x * 0.1, y * 0.1, 2, m->seed + 5) - 0.5);
}

static double checked_tone(const struct stuff *m, double x, double y)
{
    double a = sin(PI * x / m->grain_in) > 0, b = sin(PI * y / m->grain_in) > 0;
    double thread = noise_smooth(x * 14, y * 14, m->seed);
    return 0.5 * (a + b) * 0.9 + 0.12 * thread;
}

static double stone_tone(const struct stuff *m, double x, double y)
{
    double s = 1 / m->grain_in, bend = noise_layers(x * s, y * s, 4, m->seed);
    double vein = 1 - fabs(sin(PI * (x * s * 0.4 + 3 * bend)));
    return 0.35 * noise_layers(x * 3 * s, y * 3 * s, 4, m->seed + 9) + 0.5 * vein * vein * vein * vein +
           0.12 * noise_smooth(x * 30, y * 30, m->seed + 4);
}

// Loops of yarn, each with its own shade, dark between them; larger patches where feet have pressed the pile.
static double carpet_tone(const struct stuff *m, double x, double y)
{
    double u = x / m->grain_in, v = y / m->grain_in, nearest = 9, shade = 0;
    int i0 = (int)floor(u), j0 = (int)floor(v);
    for (int j = j0 - 1; j <= j0 + 1; j++)
        for (int i = i0 - 1; i <= i0 + 1; i++) {
            double du = i + 0.15 + 0.7 * noise_cell(i, j, m->seed) - u,
                   dv = j + 0.15 + 0.7 * noise_cell(j, i, m->seed + 1) - v;
            double d = du * du + dv * dv;
            if (d < nearest) {
                nearest = d;
                shade = noise_cell(i, j, m->seed + 2);
            }
        }
    double patch = noise_layers(x * 0.035, y * 0.05, 3, m->seed + 21);
    return 0.45 * shade + 0.55 * nearest + 0.3 * (patch - 0.5) + 0.05;
}

static double tone(const struct stuff *m, double x, double y)
{
    switch (m->weave) {
    case PLAIN:
        return 0.25 + 0.3 * (noise_layers(x * 0.15, y * 0.15, 2, m->seed) - 0.5) +
               0.08 * noise_smooth(x * 40, y * 40, m->seed);
    case WOOD:
        return wood_tone(m, x, y);
    case PLANKS:
        return plank_tone(m, x, y);
    case CHECKED:
        return checked_tone(m, x, y);
    case LINEN:
        return linen_tone(m, x, y);
    case STONE:
        return stone_tone(m, x, y);
    case CARPET:
        return carpet_tone(m, x, y);
    }
    return 0;
}

struct vec stuff_colour(const struct stuff *m, double x, double y)
{
    double c = cos(m->angle_rad), s = sin(m->angle_rad);
    double dark = tone(m, c * x + s * y + 300, c * y - s * x + 300);
    return vec_mix(m->light, m->dark, dark < 0 ? 0 : dark > 1 ? 1 : dark);
}
