// SPDX-License-Identifier: MIT
#include "samples/scene/recipes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void unknown(const char *what, const char *name)
{
    fprintf(stderr, "no %s is called \"%s\"\n", what, name);
    abort();
}

struct vec palette_colour(const char *name)
{
    static const struct {
        const char *name;
        struct vec colour;
    } colours[] = {
        { "black", { 0.022, 0.021, 0.020 } },   { "blue", { 0.03, 0.09, 0.38 } },
        { "brown", { 0.14, 0.058, 0.026 } },    { "cream", { 0.74, 0.66, 0.47 } },
        { "green", { 0.03, 0.22, 0.07 } },      { "ink", { 0.03, 0.028, 0.035 } },
        { "natural", { 0.66, 0.45, 0.25 } },    { "orange", { 0.72, 0.22, 0.02 } },
        { "purple", { 0.14, 0.03, 0.20 } },     { "red", { 0.48, 0.025, 0.022 } },
        { "white", { 0.78, 0.77, 0.73 } },      { "yellow", { 0.75, 0.52, 0.03 } },
        { "skin-dark", { 0.16, 0.075, 0.04 } }, { "skin-light", { 0.58, 0.32, 0.22 } },
    };
    for (size_t i = 0; i < countof(colours); i++)
        if (strcmp(colours[i].name, name) == 0)
            return colours[i].colour;
    unknown("colour", name);
    return (struct vec){ 0, 0, 0 };
}

struct stuff palette_stuff(const char *name)
{
    static const struct {
        const char *name;
        struct stuff stuff;
    } stuffs[] = {
        // name          weave     light                     dark                      grain angle gloss seed
        { "bamboo", { WOOD, { 0.66, 0.48, 0.26 }, { 0.47, 0.29, 0.12 }, 0.55, 0.20, 0.8, 3 } },
        { "cherry", { WOOD, { 0.40, 0.155, 0.06 }, { 0.20, 0.062, 0.024 }, 0.8, 1.10, 1.0, 11 } },
        { "ash", { WOOD, { 0.60, 0.52, 0.41 }, { 0.36, 0.29, 0.21 }, 0.7, -0.5, 0.6, 19 } },
        { "teak", { WOOD, { 0.30, 0.17, 0.075 }, { 0.13, 0.065, 0.03 }, 0.5, 0.75, 0.9, 27 } },
        { "wenge", { WOOD, { 0.085, 0.055, 0.04 }, { 0.03, 0.02, 0.016 }, 0.3, 2.2, 0.7, 31 } },
        { "oak", { PLANKS, { 0.40, 0.27, 0.15 }, { 0.17, 0.10, 0.05 }, 0.6, 0.35, 0.4, 43 } },
        { "greyboard", { PLANKS, { 0.33, 0.32, 0.30 }, { 0.13, 0.12, 0.11 }, 0.5, 1.35, 0.2, 47 } },
        { "cream", { PLAIN, { 0.76, 0.69, 0.52 }, { 0.66, 0.58, 0.42 }, 1.0, 0.0, 0.9, 51 } },
        { "oxblood", { PLAIN, { 0.21, 0.028, 0.022 }, { 0.16, 0.02, 0.018 }, 1.0, 0.0, 1.0, 53 } },
        { "petrol", { PLAIN, { 0.02, 0.11, 0.13 }, { 0.015, 0.085, 0.10 }, 1.0, 0.0, 0.8, 57 } },
        { "charcoal", { PLAIN, { 0.045, 0.045, 0.05 }, { 0.03, 0.03, 0.034 }, 1.0, 0.0, 0.5, 59 } },
        { "gingham", { CHECKED, { 0.72, 0.70, 0.66 }, { 0.38, 0.05, 0.05 }, 1.6, 0.4, 0.0, 61 } },
        { "linen", { LINEN, { 0.62, 0.58, 0.50 }, { 0.34, 0.31, 0.25 }, 0.14, 0.9, 0.0, 67 } },
        { "denim", { LINEN, { 0.10, 0.16, 0.27 }, { 0.035, 0.055, 0.11 }, 0.12, 0.3, 0.0, 68 } },
        { "slate", { STONE, { 0.15, 0.16, 0.17 }, { 0.06, 0.065, 0.075 }, 6.0, 0.0, 0.3, 71 } },
        { "marble", { STONE, { 0.74, 0.72, 0.69 }, { 0.34, 0.33, 0.34 }, 7.0, 0.6, 0.9, 73 } },
        { "berber", { CARPET, { 0.56, 0.48, 0.37 }, { 0.25, 0.19, 0.13 }, 0.28, 0.0, 0.0, 79 } },
        { "navy", { CARPET, { 0.06, 0.085, 0.17 }, { 0.015, 0.02, 0.055 }, 0.22, 0.3, 0.0, 83 } },
        { "burgundy", { CARPET, { 0.24, 0.045, 0.055 }, { 0.075, 0.012, 0.018 }, 0.25, 0.5, 0.0, 89 } },
        { "grey", { CARPET, { 0.34, 0.34, 0.35 }, { 0.11, 0.11, 0.115 }, 0.24, 0.0, 0.0, 97 } },
        { "moss", { CARPET, { 0.20, 0.21, 0.09 }, { 0.07, 0.075, 0.03 }, 0.3, 0.2, 0.0, 101 } },
    };
    for (size_t i = 0; i < countof(stuffs); i++)
        if (strcmp(stuffs[i].name, name) == 0)
            return stuffs[i].stuff;
    unknown("stuff", name);
    return stuffs[0].stuff;
}

void palette_light(struct scene *s, const char *name)
{
    static const struct {
        const char *name;
        struct lamp key, second;
        struct vec sky;
        double exposure, noise;
    } lights[] = {
        { "window",
          { { -80, 30, 75 }, 16, { 0.62, 0.68, 0.78 } },
          { { 0, 0, 1 }, 0, { 0, 0, 0 } },
          { 0.42, 0.44, 0.47 },
          1.5,
          0.012 },
        { "pendant",
          { { 9, 14, 48 }, 4.5, { 0.95, 0.80, 0.60 } },
          { { 0, 0, 1 }, 0, { 0, 0, 0 } },
          { 0.25, 0.22, 0.18 },
          1.45,
          0.016 },
        { "tubes",
          { { 35, -28, 90 }, 18, { 0.50, 0.55, 0.52 } },
          { { -45, 40, 90 }, 18, { 0.36, 0.40, 0.38 } },
          { 0.32, 0.34, 0.33 },
          1.35,
          0.014 },
        { "sun",
          { { 120, 90, 150 }, 2.0, { 1.15, 1.05, 0.88 } },
          { { 0, 0, 1 }, 0, { 0, 0, 0 } },
          { 0.20, 0.25, 0.33 },
          1.15,
          0.008 },
        { "overcast",
          { { -20, -60, 140 }, 60, { 0.30, 0.31, 0.33 } },
          { { 0, 0, 1 }, 0, { 0, 0, 0 } },
          { 0.62, 0.64, 0.68 },
          1.35,
          0.009 },
        { "evening",
          { { -55, -50, 46 }, 5, { 0.80, 0.58, 0.34 } },
          { { 60, 20, 60 }, 6, { 0.22, 0.17, 0.11 } },
          { 0.14, 0.12, 0.10 },
          1.55,
          0.022 },
        { "hall",
          { { -70, 110, 230 }, 30, { 0.55, 0.55, 0.52 } },
          { { 120, -60, 230 }, 30, { 0.35, 0.35, 0.34 } },
          { 0.30, 0.30, 0.31 },
          1.35,
          0.012 },
        { "spot",
          { { 60, -100, 190 }, 6, { 0.95, 0.88, 0.74 } },
          { { 0, 0, 1 }, 0, { 0, 0, 0 } },
          { 0.26, 0.26, 0.28 },
          1.3,
          0.014 },
    };
    for (size_t i = 0; i < countof(lights); i++)
        if (strcmp(lights[i].name, name) == 0) {
            s->key = lights[i].key;
            s->second = lights[i].second;
            s->sky = lights[i].sky;
            s->sensor.exposure = lights[i].exposure;
            s->sensor.noise = lights[i].noise;
            return;
        }
    unknown("light", name);
}
