// SPDX-License-Identifier: MIT
// paint.h: what colour and gloss a thing has where a ray has met it.
#ifndef RINGSIDE_SAMPLES_SCENE_PAINT_H
#define RINGSIDE_SAMPLES_SCENE_PAINT_H

#include "samples/scene/trace.h"

struct paint {
    struct vec colour, normal; // the normal with bevels and ripples, length 1
    double gloss;              // 0 matt .. 1 varnish
    double rough;              // width of its reflections, radians
    bool mirror;               // shows what stands about, beside the lamps and the sky
};

struct paint paint_at(const struct scene *s, const struct hit *h);

#endif
